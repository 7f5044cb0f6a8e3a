//! The subset construction along one trace, without a normal form and without a search.

use super::{Ended, Step, System};
use crate::{Label, Watch};
use std::collections::HashSet;

/// All states in which a system may be after a trace.
pub struct StatesAfter<'a, S: System> {
    system: S,
    states: Vec<S::State>,
    watch: Watch<'a>,
}

type Found<T, S> = Result<T, Ended<<S as System>::Error>>;

impl<'a, S: System> StatesAfter<'a, S> {
    /// The states after no events. The limits of the watch bound how many there are at a time.
    ///
    /// # Errors
    /// If the watch ends it, or the steps of a state are unknown, here and for every other method.
    pub fn new(system: S, watch: Watch<'a>) -> Found<StatesAfter<'a, S>, S> {
        let mut after = StatesAfter { states: vec![system.initial()], system, watch };
        after.close()?;
        Ok(after)
    }

    /// The states, in the order of their discovery.
    pub fn states(&self) -> &[S::State] {
        &self.states
    }

    /// Adds the targets of silent steps.
    fn close(&mut self) -> Found<(), S> {
        let mut known: HashSet<S::State> = self.states.iter().cloned().collect();
        let mut next = 0;
        while let Some(state) = self.states.get(next).cloned() {
            next += 1;
            self.watch.tick(S::EFFORT)?;
            self.watch.keep(self.states.len())?;
            for step in self.system.steps(&state).map_err(Ended::Failed)? {
                if step.label() == Label::TAU && known.insert(step.target().clone()) {
                    self.states.push(step.target().clone());
                }
            }
        }
        Ok(())
    }

    /// Advances to the states after one more event.
    pub fn step(&mut self, event: Label) -> Found<(), S> {
        let mut known = HashSet::new();
        for state in std::mem::take(&mut self.states) {
            for step in self.system.steps(&state).map_err(Ended::Failed)? {
                if step.label() == event && known.insert(step.target().clone()) {
                    self.states.push(step.target().clone());
                }
            }
        }
        self.close()
    }

    /// The labels of all steps, in ascending order.
    pub fn initials(&mut self) -> Found<Vec<Label>, S> {
        let mut labels = Vec::new();
        for state in &self.states {
            labels.extend(self.system.steps(state).map_err(Ended::Failed)?.iter().map(Step::label));
        }
        labels.sort_unstable();
        labels.dedup();
        Ok(labels)
    }

    /// Whether an event is possible.
    pub fn can_do(&mut self, event: Label) -> Found<bool, S> {
        self.any(|steps| steps.iter().any(|step| step.label() == event))
    }

    /// Whether one of the states may offer only these labels.
    pub fn may_accept_only(&mut self, accepted: &[Label]) -> Found<bool, S> {
        self.any(|steps| {
            let offers_no_more =
                steps.iter().all(|step| step.label() != Label::TAU && accepted.contains(&step.label()));
            let terminates = steps.iter().any(|step| step.label() == Label::TICK);
            offers_no_more || terminates && accepted.contains(&Label::TICK)
        })
    }

    /// Whether one of the states is stable, may offer only these labels, and can do one of them.
    pub fn may_revive(&mut self, accepted: &[Label], event: Label) -> Found<bool, S> {
        self.any(|steps| is_stable_within(steps, accepted) && steps.iter().any(|step| step.label() == event))
    }

    fn any(&mut self, has: impl Fn(&[S::Step]) -> bool) -> Found<bool, S> {
        for state in &self.states {
            if has(self.system.steps(state).map_err(Ended::Failed)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes the states that are not stable or offer more than these labels.
    pub fn offer_only(&mut self, accepted: &[Label]) -> Found<(), S> {
        let mut kept = Vec::new();
        for state in std::mem::take(&mut self.states) {
            if is_stable_within(self.system.steps(&state).map_err(Ended::Failed)?, accepted) {
                kept.push(state);
            }
        }
        self.states = kept;
        Ok(())
    }

    /// Whether one of the states diverges.
    pub fn can_diverge(&mut self) -> Found<bool, S> {
        let numbers: hashbrown::HashMap<&S::State, usize> = self.states.iter().zip(0..).collect();
        let mut silent = Vec::with_capacity(self.states.len());
        for state in &self.states {
            let steps = self.system.steps(state).map_err(Ended::Failed)?.iter();
            let targets = steps.filter(|step| step.label() == Label::TAU).map(|step| numbers[step.target()]);
            silent.push(targets.collect::<Vec<_>>());
        }
        Ok(!graphs::cycles(silent.len(), 0..silent.len(), |state| silent[state].iter().copied()).is_empty())
    }
}

/// Whether a state with these steps is stable, cannot terminate, and offers nothing beyond the labels.
fn is_stable_within<T: Step>(steps: &[T], accepted: &[Label]) -> bool {
    steps.iter().all(|step| step.label() > Label::TICK && accepted.contains(&step.label()))
}
