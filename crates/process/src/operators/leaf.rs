//! Processes without operands, and prefix, whose operand has not started.

use super::{Fired, Firing};
use crate::{Label, Term, TermId};
use model::{EventId, EventSet};

impl Firing<'_> {
    pub(super) fn fire_skip(&mut self) -> Fired {
        let omega = self.omega();
        self.alone(Label::TICK, omega)
    }

    pub(super) fn fire_prefix(&mut self, events: &[EventId], next: TermId) -> Fired {
        events.iter().try_for_each(|&event| self.alone(event.label(), next))
    }

    /// `CHAOS(A) = STOP |~| (?x:A -> CHAOS(A))`.
    pub(super) fn fire_chaos(&mut self, chaos: TermId, events: EventSet) -> Fired {
        let stop = self.terms.intern(Term::Stop);
        self.alone(Label::TAU, stop)?;
        if events.is_empty() {
            return Ok(());
        }
        let offer = self.terms.intern(Term::PrefixAny(events, chaos));
        self.alone(Label::TAU, offer)
    }
}
