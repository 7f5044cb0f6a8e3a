//! The expansion of a formula: alternatives of demands on the first position and on the rest.

use super::guard::Guard;
use crate::logic::Formula;
use limits::effort::formula_automata::{MAX_ALTERNATIVES, MAX_NEXT, THINNED_ALTERNATIVES};

/// One way to satisfy a formula.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Term {
    /// Formulas that hold from the next position on, in ascending order.
    pub next: Vec<Formula>,
    /// Postponed promises, which acceptance must prevent from being postponed for ever: a bit for each.
    pub promises: u64,
    /// The guard on the first position.
    pub guard: Guard,
}

/// The alternatives of a formula became too many.
#[derive(Debug)]
pub(super) struct TooMany;

impl Term {
    /// Nothing is asked.
    pub const TRUE: Term = Term { next: Vec::new(), promises: 0, guard: Guard::TRUE };

    fn and(&self, other: &Term) -> Option<Term> {
        let guard = self.guard.and(other.guard)?;
        let mut next = [&self.next[..], &other.next[..]].concat();
        next.sort_unstable();
        next.dedup();
        Some(Term { next, promises: self.promises | other.promises, guard })
    }

    /// Whether whatever satisfies the other satisfies this as well, with no more promises.
    fn is_weaker(&self, other: &Term) -> bool {
        other.guard.implies(self.guard)
            && self.promises & !other.promises == 0
            && self.next.iter().all(|formula| other.next.binary_search(formula).is_ok())
    }
}

/// Alternatives of one formula or of another.
pub(super) fn either(one: &[Term], two: &[Term]) -> Result<Vec<Term>, TooMany> {
    thin([one, two].concat())
}

/// Alternatives of one formula together with those of another, not thinned out.
pub(super) fn both(one: &[Term], two: &[Term]) -> Result<Vec<Term>, TooMany> {
    if one.len() * two.len() > 8 * MAX_ALTERNATIVES {
        return Err(TooMany);
    }
    let terms: Vec<Term> = one.iter().flat_map(|one| two.iter().filter_map(|two| one.and(two))).collect();
    if terms.iter().any(|term| term.next.len() > MAX_NEXT) { Err(TooMany) } else { Ok(terms) }
}

/// Drops alternatives beside weaker ones, in a canonical order.
pub(super) fn thin(mut terms: Vec<Term>) -> Result<Vec<Term>, TooMany> {
    terms.sort_unstable();
    terms.dedup();
    let is_needless = |place: usize| {
        terms.iter().enumerate().any(|(other, weaker)| other != place && weaker.is_weaker(&terms[place]))
    };
    let kept: Vec<bool> = (0..terms.len()).map(|place| !is_needless(place)).collect();
    let mut flags = kept.into_iter();
    terms.retain(|_| flags.next().expect("there is a flag for each"));
    if terms.len() > THINNED_ALTERNATIVES {
        dissolve(&mut terms);
    }
    if terms.len() > MAX_ALTERNATIVES { Err(TooMany) } else { Ok(terms) }
}

/// Drops alternatives that several others can stand in for by turns: each keeps one of the promises, and whoever comes
/// by again and again takes each in turn. So the conjunction of many `G F a` has as many alternatives as conjuncts, not
/// a power.
fn dissolve(terms: &mut Vec<Term>) {
    let all = terms.iter().fold(0, |all, term| all | term.promises);
    let mut place = 0;
    while place < terms.len() {
        let term = terms.swap_remove(place);
        let deputies = terms.iter().filter(|other| other.next == term.next && term.guard.implies(other.guard));
        let (mut is_there, mut kept) = (false, 0);
        for deputy in deputies {
            is_there = true;
            kept |= all & !deputy.promises;
        }
        if !(is_there && all & !term.promises & !kept == 0) {
            terms.push(term);
            let last = terms.len() - 1;
            terms.swap(place, last);
            place += 1;
        }
    }
    terms.sort_unstable();
}
