//! The built-in buffers.
//!
//! A buffer takes inputs up to its capacity and owes their outputs in the same order. The weak ones also take an input
//! when they are full: the item is lost, and before anything else they say so by an event of overflow. The signaling
//! one also offers an event while it is empty.

use super::link::partners;
use super::{Fired, Firing};
use crate::{Relation, Term, TermId};
use model::EventId;

struct Signals {
    full: Option<EventId>,
    empty: Option<EventId>,
}

impl Firing<'_> {
    pub(super) fn fire_buffer(&mut self, buffer: TermId, owed: &[EventId]) -> Fired {
        let (capacity, relation, signals) = match self.terms.get(buffer) {
            Term::Buffer(n, relation) => (*n, relation.clone(), Signals { full: None, empty: None }),
            Term::WeakBuffer(n, full, relation) => (*n, relation.clone(), Signals { full: Some(*full), empty: None }),
            Term::SignalBuffer(n, full, empty, relation) => {
                (*n, relation.clone(), Signals { full: Some(*full), empty: Some(*empty) })
            }
            _ => return Ok(()),
        };
        let capacity = capacity as usize;
        if let Some((&overflow, kept)) = owed.split_last().filter(|_| owed.len() > capacity) {
            let target = self.holding(buffer, kept);
            return self.alone(overflow.label(), target);
        }
        if owed.len() < capacity {
            self.fire_inputs(buffer, &relation, owed, |output| output)?;
        } else if let Some(full) = signals.full {
            self.fire_inputs(buffer, &relation, owed, |_| full)?;
        }
        match (owed.split_first(), signals.empty) {
            (Some((&next, rest)), _) => {
                let target = self.holding(buffer, rest);
                self.alone(next.label(), target)
            }
            (None, Some(empty)) => self.alone(empty.label(), buffer),
            (None, None) => Ok(()),
        }
    }

    fn fire_inputs(
        &mut self,
        buffer: TermId,
        relation: &Relation,
        owed: &[EventId],
        remember: impl Fn(EventId) -> EventId,
    ) -> Fired {
        for &(input, output) in relation.iter() {
            let mut longer = owed.to_vec();
            longer.push(remember(output));
            let target = self.holding(buffer, &longer);
            self.alone(input.label(), target)?;
        }
        debug_assert!(relation.iter().all(|&(input, _)| partners(relation, input).len() == 1));
        Ok(())
    }

    fn holding(&mut self, buffer: TermId, owed: &[EventId]) -> TermId {
        match owed {
            [] => buffer,
            _ => self.terms.intern(Term::Holding(buffer, owed.into())),
        }
    }
}
