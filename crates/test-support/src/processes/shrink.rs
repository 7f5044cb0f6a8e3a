//! Shrinking of failing terms.

use super::world::World;
use process::{Term, TermId};

/// Local minimum of terms that satisfy `fails`, from one that does.
pub fn shrink(world: &mut World, term: TermId, fails: &mut dyn FnMut(&mut World, TermId) -> bool) -> TermId {
    let mut smallest = term;
    'smaller: loop {
        let mut candidates = candidates(world, smallest);
        candidates.sort_by_key(|&candidate| world.size(candidate));
        let size = world.size(smallest);
        for candidate in candidates {
            if (world.size(candidate), candidate) != (size, smallest)
                && world.size(candidate) <= size
                && is_simpler(world, candidate, smallest)
                && fails(world, candidate)
            {
                smallest = candidate;
                continue 'smaller;
            }
        }
        return smallest;
    }
}

/// Well-founded order of shrinking: fewer operators, or as many but more `STOP` among them.
fn is_simpler(world: &World, candidate: TermId, than: TermId) -> bool {
    let measure = |term| (world.size(term), n_busy_leaves(world, term));
    measure(candidate) < measure(than)
}

fn n_busy_leaves(world: &World, term: TermId) -> usize {
    let operands = world.terms.get(term).operands();
    match world.terms.get(term) {
        Term::Stop => 0,
        _ if operands.is_empty() => 1,
        _ => operands.iter().map(|&operand| n_busy_leaves(world, operand)).sum(),
    }
}

/// Candidates: each operand in place of the term; the term with an operand simplified, or omitted in n-ary operators.
fn candidates(world: &mut World, id: TermId) -> Vec<TermId> {
    let term = world.terms.get(id).clone();
    let operands = term.operands();
    let mut out = operands.clone();
    out.push(world.term(Term::Stop));
    for (position, &operand) in operands.iter().enumerate() {
        for simpler in candidates(world, operand) {
            let mut operands = operands.clone();
            operands[position] = simpler;
            out.push(world.term(term.with_operands(&operands)));
        }
        if is_variadic(&term) && operands.len() > 1 {
            let mut operands = operands.clone();
            operands.remove(position);
            out.push(world.term(term.with_operands(&operands)));
        }
    }
    out
}

fn is_variadic(term: &Term) -> bool {
    matches!(
        term,
        Term::ExternalChoice(_)
            | Term::InternalChoice(_)
            | Term::Interleave(_)
            | Term::Parallel(..)
            | Term::SyncChoice(..)
    )
}
