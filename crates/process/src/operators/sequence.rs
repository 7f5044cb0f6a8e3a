//! One process after another: when the first has terminated, when the second breaks in, when an event throws.

use super::{Fired, Firing, has};
use crate::{Label, Term, TermId};
use model::EventSet;

impl Firing<'_> {
    /// Termination of the left side starts the right one, unseen. `loop(P)` is `P ; loop(P)`.
    pub(super) fn fire_sequential(&mut self, left: TermId, right: TermId) -> Fired {
        for index in 0..self.n_steps(left) {
            let step = self.step(left, index);
            let (label, target) = match step.label {
                Label::TICK => (Label::TAU, right),
                label => (label, self.terms.intern(Term::Sequential(step.target, right))),
            };
            self.pass(label, target, step, (0, index))?;
        }
        Ok(())
    }

    /// The right side waits; its first visible event or its termination ends the left side.
    pub(super) fn fire_interrupt(&mut self, left: TermId, right: TermId) -> Fired {
        for index in 0..self.n_steps(left) {
            let step = self.step(left, index);
            let target = self.terms.intern(Term::Interrupt(step.target, right));
            self.pass_unchanged(target, step, (0, index))?;
        }
        for index in 0..self.n_steps(right) {
            let step = self.step(right, index);
            let target = match step.label {
                Label::TAU => self.terms.intern(Term::Interrupt(left, step.target)),
                _ => step.target,
            };
            self.pass_unchanged(target, step, (1, index))?;
        }
        Ok(())
    }

    /// An event of the set, by the left side, hands over to the right side.
    pub(super) fn fire_exception(&mut self, left: TermId, events: EventSet, right: TermId) -> Fired {
        for index in 0..self.n_steps(left) {
            let step = self.step(left, index);
            let target = match step.label {
                label if has(&events, label) => right,
                _ => self.terms.intern(Term::Exception(step.target, events.clone(), right)),
            };
            self.pass_unchanged(target, step, (0, index))?;
        }
        Ok(())
    }
}
