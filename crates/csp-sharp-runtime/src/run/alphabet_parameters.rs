//! Parameters on which alphabets depend.
//!
//! The alphabet of a process is the set of events in its text. In `Desk(k) = [k > 0] go -> Desk(k - 1)` no event has
//! `k` in a field, so the alphabet does not depend on `k`, and it is computed although the calls of `Desk` never
//! repeat. The alphabet depends on a parameter that occurs in a field of an event without a program, in a set of
//! events, in the range of an index, or in an argument for such a parameter. This is the least fixpoint.

use crate::code::{Code, DefinitionId, ExprId, Hiding, Slot, Term, TermId, binders_free, pattern_free};
use hashbrown::HashSet;

/// For each definition, the parameters on which its alphabet depends, as a bit set.
pub(super) fn alphabet_parameters(code: &Code) -> Vec<u64> {
    let mut relevant = vec![0; code.definitions.len()];
    loop {
        let mut has_grown = false;
        for number in 0..code.definitions.len() {
            let found = parameters_in(code, DefinitionId(number as u32), &relevant);
            has_grown |= found & !relevant[number] != 0;
            relevant[number] |= found;
        }
        if !has_grown {
            return relevant;
        }
    }
}

fn parameters_in(code: &Code, definition: DefinitionId, relevant: &[u64]) -> u64 {
    let definition = &code.definitions[definition.0 as usize];
    let all = |exprs: &[ExprId]| exprs.iter().fold(0, |all, &expr| all | code.exprs.free(expr));
    let patterns = |set| code.terms.set(set).iter().fold(0, |all, pattern| all | pattern_free(&code.exprs, pattern));
    if let Some(set) = definition.alphabet {
        return patterns(set);
    }
    let mut found = 0;
    let mut visited: HashSet<TermId> = HashSet::from([definition.body]);
    let mut open = vec![definition.body];
    while let Some(term) = open.pop() {
        let term = code.terms.get(term);
        found |= match term {
            Term::Event(event, None, _) => all(&event.fields),
            Term::Hide(Hiding::Events(set), _) => patterns(*set),
            Term::Indexed(_, binders, _) => binders_free(&code.exprs, binders, 0),
            Term::Copies(count, _) => code.exprs.free(*count),
            Term::Call(called, arguments) => {
                let slots = (0_u8..).map(Slot).zip(arguments.iter());
                let of_relevant = slots.filter(|(slot, _)| relevant[called.0 as usize] & slot.bit() != 0);
                of_relevant.fold(0, |all, (_, &argument)| all | code.exprs.free(argument))
            }
            _ => 0,
        };
        open.extend(term.operands().into_iter().filter(|&next| visited.insert(next)));
    }
    found
}
