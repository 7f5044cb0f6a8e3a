//! The states that a run of a process visits in its transition system.

use crate::TransitionSystem;
use crate::check::{Counterexample, Fault, Step};
use limits::effort::replay::MAX_PAIRS;
use lts::walk::{Monitored, shortest_run_to};
use lts::{Label, StateId, Transition, Watch};
use progress::Limits;

/// A state of the product: a state of the system, and the number of steps done.
type Place = (StateId, usize);

impl TransitionSystem {
    /// The path of a counterexample through the system: the state before each step, and the step. If no path has the same
    /// silent steps, because states were merged, one with the same visible steps. None if there is no such path, or the
    /// search exceeds its limit.
    pub fn way_of(&self, found: &Counterexample) -> Option<Vec<(StateId, Transition)>> {
        let labels: Vec<Label> = found.steps.iter().map(|step| self.label_of(step)).collect::<Option<_>>()?;
        let visible: Vec<Label> = labels.iter().copied().filter(|label| label.is_visible()).collect();
        let exactly = |label: Label, n_done: usize| (labels.get(n_done) == Some(&label)).then_some(n_done + 1);
        let visibly = |label: Label, n_done: usize| match label {
            Label::TAU => Some(n_done),
            label => (visible.get(n_done) == Some(&label)).then_some(n_done + 1),
        };
        if let Some(start) = found.repeated_from()
            && let Some(way) = self.way_round(&labels, start)
        {
            return Some(way);
        }
        let ends_well = |state: StateId| self.is_end(state, &found.fault);
        let start = (self.lts().initial(), 0);
        self.way(start, labels.len(), exactly, ends_well)
            .or_else(|| self.way(start, visible.len(), visibly, ends_well))
            .or_else(|| self.way(start, labels.len(), exactly, |_| true))
            .or_else(|| self.way(start, visible.len(), visibly, |_| true))
    }

    /// The label of a step, if the system has it. It is known by its name: the run may come from another reading of the
    /// script.
    fn label_of(&self, step: &Step) -> Option<Label> {
        match step.event_id {
            Some(_) => {
                let renamed = self.renamed().iter().find(|(event, _)| *event == step.event);
                self.find_label(renamed.map_or(&step.event, |(_, written)| written))
            }
            None if step.is_visible => Some(Label::TICK),
            None => Some(Label::TAU),
        }
    }

    /// A way whose steps from a place on lead back to where they begin.
    fn way_round(&self, labels: &[Label], start: usize) -> Option<Vec<(StateId, Transition)>> {
        let along = |label: Label, n_done: usize| (labels.get(n_done) == Some(&label)).then_some(n_done + 1);
        self.lts().states().find_map(|state| {
            let back = self.way((state, start), labels.len(), along, |end| end == state)?;
            let mut way = self.way((self.lts().initial(), 0), start, along, |end| end == state)?;
            way.extend(back);
            Some(way)
        })
    }

    /// Whether a state looks like the end of a run with this fault.
    fn is_end(&self, state: StateId, fault: &Fault) -> bool {
        let offers = |accepted: &[String]| {
            let names: Vec<&str> = self.lts().initials(state).map(|label| self.label_name(label)).collect();
            self.lts().is_stable(state)
                && names.len() == accepted.len()
                && names.iter().all(|name| accepted.iter().any(|event| event == name))
        };
        match fault {
            Fault::Deadlock => offers(&[]),
            Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) | Fault::Revival { accepted, .. } => {
                offers(accepted)
            }
            _ => true,
        }
    }

    /// A shortest way from a place that gets so many things done, where `advance` tells how many are done after a step
    /// that may be taken.
    fn way(
        &self,
        start: Place,
        n_wanted: usize,
        advance: impl Fn(Label, usize) -> Option<usize>,
        is_end: impl Fn(StateId) -> bool,
    ) -> Option<Vec<(StateId, Transition)>> {
        let advance = |&n_done: &usize, step: &Transition| advance(step.label, n_done);
        let mut product = Monitored::new(self.lts(), 0, advance);
        let mut watch = Watch::none().within(Limits::of_workers(1).with_max_states(MAX_PAIRS as u64));
        let is_goal = |&(state, n_done): &Place| n_done == n_wanted && is_end(state);
        let steps = shortest_run_to(&mut product, start, is_goal, &mut watch).ok().flatten()?;
        let sources = std::iter::once(start.0).chain(steps.iter().map(|step| step.target.0));
        Some(sources.zip(steps.iter().map(|step| step.step)).collect())
    }
}
