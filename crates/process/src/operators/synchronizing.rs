//! Choice and interrupt whose sides take some events together: timed processes let time pass this way.

use super::{Fired, Firing, contains, has};
use crate::{Label, TeamId, Term, TermId};
use model::{EventId, EventSet};

impl Firing<'_> {
    /// Events of the set are taken by all and decide nothing; any other event decides, and so does termination.
    pub(super) fn fire_sync_choice(&mut self, operands: &[TermId], shared: &EventSet) -> Fired {
        let rebuild = |operands: Vec<TermId>| Term::SyncChoice(operands.into(), shared.clone());
        for (position, &operand) in operands.iter().enumerate() {
            for index in 0..self.n_steps(operand) {
                let step = self.step(operand, index);
                let target = match step.label {
                    Label::TAU => self.interned(rebuild, operands, (position, step.target))?,
                    label if has(shared, label) => continue,
                    _ => step.target,
                };
                self.pass_unchanged(target, step, (position, index))?;
            }
        }
        self.fire_shared(operands, shared, rebuild)
    }

    /// Events of the set are taken by both sides; any other event of the right side interrupts.
    pub(super) fn fire_sync_interrupt(&mut self, left: TermId, shared: &EventSet, right: TermId) -> Fired {
        let rebuild = |operands: Vec<TermId>| Term::SyncInterrupt(operands[0], shared.clone(), operands[1]);
        let is_shared = |label| has(shared, label);
        for index in 0..self.n_steps(left) {
            let step = self.step(left, index);
            if !is_shared(step.label) {
                let target = self.terms.intern(rebuild(vec![step.target, right]));
                self.pass_unchanged(target, step, (0, index))?;
            }
        }
        for index in 0..self.n_steps(right) {
            let step = self.step(right, index);
            let target = match step.label {
                label if is_shared(label) => continue,
                Label::TAU => self.terms.intern(rebuild(vec![left, step.target])),
                _ => step.target,
            };
            self.pass_unchanged(target, step, (1, index))?;
        }
        self.fire_shared(&[left, right], shared, rebuild)
    }

    /// The steps all operands take together. They form no team of their own: the sides are alternatives of one
    /// component.
    fn fire_shared(
        &mut self,
        operands: &[TermId],
        shared: &[EventId],
        rebuild: impl Fn(Vec<TermId>) -> Term + Copy,
    ) -> Fired {
        let offers = self.offers(operands, |_, event| contains(shared, event));
        self.for_each_joint(
            offers,
            |_| operands.len(),
            |firing, joint| {
                firing.work(operands.len())?;
                let target = firing.terms.intern(rebuild(firing.moved(operands, &joint.parts)));
                let teams: Vec<TeamId> = joint
                    .parts
                    .iter()
                    .map(|part| firing.step(operands[part.operand as usize], part.step as usize).team)
                    .collect();
                let team = firing.table.all_teams(teams.into_iter());
                firing.add((joint.event.label(), target, team), &joint.parts)
            },
        )
    }
}
