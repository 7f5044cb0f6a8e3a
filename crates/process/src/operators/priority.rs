//! Priority: an event is withdrawn in states that offer something more important.
//!
//! What is offered is decided by the steps of the operand as they are, so no compression that merges states with
//! different offers may stand inside.

use super::link::partners;
use super::{Fired, Firing, contains};
use crate::{Label, PriorityOrder, Step, Term, TermId};
use hashbrown::HashSet;
use model::{EventId, EventSet};
use std::sync::Arc;

impl Firing<'_> {
    /// Levels from the most important down. The internal event and termination are on the first; an event on no level
    /// neither yields nor makes others yield.
    pub(super) fn fire_prioritise(&mut self, operand: TermId, levels: &Arc<[EventSet]>) -> Fired {
        let level = |label| match label {
            Label::Tau | Label::Tick => Some(0),
            Label::Event(event) => levels.iter().position(|set| contains(set, event)),
        };
        let best = self.table.known(operand).iter().filter_map(|step| level(step.label)).min();
        let stays = |step: &Step| level(step.label).is_none_or(|level| Some(level) == best);
        self.fire_prioritized(operand, stays, |next| Term::Prioritise(next, levels.clone()))
    }

    /// An event yields to those above it in the order, and, unless it is maximal, to the internal event and termination.
    pub(super) fn fire_prioritise_by(&mut self, operand: TermId, order: &Arc<PriorityOrder>) -> Fired {
        let steps = self.table.known(operand);
        let is_urgent = steps.iter().any(|step| matches!(step.label, Label::Tau | Label::Tick));
        let below = all_below(steps, order);
        let stays = |step: &Step| match step.label {
            Label::Tau | Label::Tick => true,
            Label::Event(event) if !contains(&order.events, event) => true,
            Label::Event(event) if is_urgent && !contains(&order.maximal, event) => false,
            Label::Event(event) => !below.contains(&event),
        };
        self.fire_prioritized(operand, stays, |next| Term::PrioritiseBy(next, order.clone()))
    }

    fn fire_prioritized(
        &mut self,
        operand: TermId,
        stays: impl Fn(&Step) -> bool,
        rebuild: impl Fn(TermId) -> Term,
    ) -> Fired {
        for index in 0..self.n_steps(operand) {
            let step = self.step(operand, index);
            if stays(&step) {
                let target = self.terms.intern(rebuild(step.target));
                self.pass_unchanged(target, step, (0, index))?;
            }
        }
        Ok(())
    }
}

/// Every event that an offered event of the order is above of, directly or not.
fn all_below(steps: &[Step], order: &PriorityOrder) -> HashSet<EventId> {
    let mut below = HashSet::new();
    let offered = steps.iter().filter_map(|step| if let Label::Event(event) = step.label { Some(event) } else { None });
    let mut open: Vec<EventId> = offered.filter(|&event| contains(&order.events, event)).collect();
    while let Some(event) = open.pop() {
        for &(_, lower) in partners(&order.above, event) {
            if below.insert(lower) {
                open.push(lower);
            }
        }
    }
    below
}
