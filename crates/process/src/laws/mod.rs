//! Laws that keep terms finite, applied when a term is made.
//!
//! `D = (a -> D) \ {a}` puts one more `\ {a}` around itself with each step, and would never come back to a term it had
//! before. So `(P \ A) \ B` is stored as `P \ (A u B)`, renamings are composed, and an operator that changes nothing
//! more where it stands is left out. Only laws are used whose two sides have the same steps: the same labels, in the
//! same order for each label, taken by the same components, to terms that are equal by the same laws. So no context
//! distinguishes the sides, fairness, priority and `chase` included; `tests/exact.rs` compares each state with what the
//! firing rules say of it as it was written.

mod relabeling;

pub use relabeling::HIDDEN;
pub(crate) use relabeling::Relabelings;

use crate::operators::contains;
use crate::{Compression, Term, TermId, Terms};
use model::EventId;

/// Result of simplification.
pub(crate) enum Simplified {
    /// A term that is known.
    Known(TermId),
    /// As it is.
    Final(Term),
}

impl Terms {
    /// An equivalent term with fewer operators.
    pub(crate) fn simplified(&mut self, mut term: Term) -> Simplified {
        loop {
            term = match self.simpler(&term) {
                None => return Simplified::Final(term),
                Some(Ok(known)) => return Simplified::Known(known),
                Some(Err(simpler)) => simpler,
            };
        }
    }

    /// Applies one law, if one applies: the result is known or a term again.
    fn simpler(&mut self, term: &Term) -> Option<Result<TermId, Term>> {
        match term {
            Term::Hide(..) | Term::Project(..) | Term::Rename(..) => self.relabeled(term),
            Term::Exception(operand, events, _) if events.is_empty() => Some(Ok(*operand)),
            Term::Sequential(first, _) | Term::Loop(first) if !self.may_terminate(*first) => Some(Ok(*first)),
            Term::Exception(left, events, right) => match self.get(*left) {
                Term::Exception(operand, inner, handler) if handler == right && is_subset(inner, events) => {
                    Some(Err(Term::Exception(*operand, events.clone(), *right)))
                }
                _ => None,
            },
            // The events that remain of a state yield to none.
            Term::Prioritise(operand, levels) => match self.get(*operand) {
                Term::Prioritise(_, inner) if inner == levels => Some(Ok(*operand)),
                _ => None,
            },
            Term::PrioritiseBy(operand, order) => match self.get(*operand) {
                Term::PrioritiseBy(_, inner) if inner == order => Some(Ok(*operand)),
                _ => None,
            },
            // What was selected is all there is.
            Term::Compressed(outer, operand) if outer.selects() => match self.get(*operand) {
                Term::Compressed(inner, _) if inner == outer || *inner == Compression::Deter => Some(Ok(*operand)),
                Term::Compressed(inner, innermost) if inner.selects() => {
                    Some(Err(Term::Compressed(*outer, *innermost)))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Term {
    /// Whether it may be one with its first operand.
    pub(crate) fn has_laws(&self) -> bool {
        match self {
            Term::Hide(..) | Term::Project(..) | Term::Rename(..) => true,
            Term::Sequential(..) | Term::Exception(..) => true,
            Term::Prioritise(..) | Term::PrioritiseBy(..) => true,
            Term::Compressed(compression, _) => compression.selects(),
            _ => false,
        }
    }
}

fn is_subset(inner: &[EventId], outer: &[EventId]) -> bool {
    inner.len() <= outer.len() && inner.iter().all(|&event| contains(outer, event))
}
