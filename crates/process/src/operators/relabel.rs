//! Operators that only change what is seen: hiding, projection, renaming.

use super::link::partners;
use super::{Fired, Firing, contains};
use crate::{HIDDEN, Label, Relation, Step, Term, TermId};
use model::{EventId, EventSet};

impl Firing<'_> {
    pub(super) fn fire_hide(&mut self, operand: TermId, events: &EventSet) -> Fired {
        let hidden = |event| contains(events, event);
        self.fire_hiding(operand, hidden, |next| Term::Hide(next, events.clone()))
    }

    /// Hides everything outside the set.
    pub(super) fn fire_project(&mut self, operand: TermId, events: &EventSet) -> Fired {
        let hidden = |event| !contains(events, event);
        self.fire_hiding(operand, hidden, |next| Term::Project(next, events.clone()))
    }

    fn fire_hiding(
        &mut self,
        operand: TermId,
        is_hidden: impl Fn(EventId) -> bool,
        rebuild: impl Fn(TermId) -> Term,
    ) -> Fired {
        for index in 0..self.n_steps(operand) {
            let mut step = self.step(operand, index);
            if let Some(event) = EventId::of(step.label)
                && is_hidden(event)
            {
                step.label = Label::TAU;
            }
            let target = self.terms.intern(rebuild(step.target));
            self.pass_unchanged(target, step, (0, index))?;
        }
        Ok(())
    }

    /// An event becomes each event it is related to; one without relation stays.
    pub(super) fn fire_rename(&mut self, operand: TermId, relation: &Relation) -> Fired {
        for index in 0..self.n_steps(operand) {
            let step = self.step(operand, index);
            let target = self.terms.intern(Term::Rename(step.target, relation.clone()));
            let images = EventId::of(step.label).map_or(&[][..], |event| partners(relation, event));
            for &(_, image) in images {
                let label = if image == HIDDEN { Label::TAU } else { image.label() };
                self.pass_unchanged(target, Step { label, ..step }, (0, index))?;
            }
            if images.is_empty() {
                self.pass_unchanged(target, step, (0, index))?;
            }
        }
        Ok(())
    }
}
