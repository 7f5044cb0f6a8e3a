//! Silent steps that `chase` follows.
//!
//! Such a step is taken by components below a `chase`, and it was silent already there: an event that is hidden or
//! renamed only further out is not followed. Where operators in between make that uncertain, a step counts as one of
//! its own.

use super::semantics::{CspmSemantics, term};
use frontend::{Narrate, State};
use limits::effort::processes::{MAX_COMPONENTS, MAX_DEPTH};
use lts::Label;
use model::EventId;
use process::{Compression, Term};

impl CspmSemantics<'_> {
    pub(super) fn is_chased(&mut self, at: State, step: usize) -> bool {
        let participants = self.participants(at, step, MAX_COMPONENTS);
        let is_below = |part: &frontend::Participant| self.is_below_chase(at, &part.path, part.label);
        (1..MAX_COMPONENTS).contains(&participants.len()) && participants.iter().all(is_below)
    }

    /// Whether there is a `chase` on the way to a component, with nothing above it that concerns what the component
    /// does.
    fn is_below_chase(&self, at: State, path: &[u32], label: Label) -> bool {
        let event = EventId::of(label);
        let hides = |events: &[EventId]| event.is_some_and(|event| events.binary_search(&event).is_ok());
        let renames = |pairs: &[(EventId, EventId)]| {
            let find = |event| pairs.binary_search_by_key(&event, |&(old, _)| old).is_ok();
            event.is_some_and(find)
        };
        let (mut at, mut path) = (term(at), path.iter());
        for _ in 0..MAX_DEPTH {
            let next = match self.terms.get(at) {
                Term::Compressed(Compression::Chase, _) => return true,
                Term::Call(call) => self.table.body(*call),
                Term::Hide(_, events) if hides(events) => None,
                Term::Rename(_, relation) if renames(relation) => None,
                Term::Compressed(_, operand)
                | Term::Sequential(operand, _)
                | Term::Exception(operand, ..)
                | Term::Hide(operand, _)
                | Term::Rename(operand, _) => Some(*operand),
                Term::Interleave(operands) | Term::Parallel(operands, _) => {
                    path.next().and_then(|&position| operands.get(position as usize).copied())
                }
                Term::AlphaParallel(operands) => {
                    path.next().and_then(|&position| operands.get(position as usize)).map(|(operand, _)| *operand)
                }
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }
}
