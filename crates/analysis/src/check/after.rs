//! All states in which a system may be after a trace, followed at once: no normal form, no search.

use frontend::{Semantics, State, Step};
use lts::{Label, Lts, StateId};
use model::network::{Configuration, Network};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// A system whose steps can be asked for.
pub(super) trait Steps {
    type State: Clone + Eq + Hash;

    /// The steps of a state; nothing if they cannot be told.
    fn steps(&mut self, state: &Self::State) -> Option<Vec<(Label, Self::State)>>;
}

/// Processes, as their language defines them.
impl Steps for &mut dyn Semantics {
    type State = State;

    fn steps(&mut self, state: &State) -> Option<Vec<(Label, State)>> {
        let mut steps: Vec<Step> = Vec::new();
        Semantics::steps(&mut **self, *state, &mut steps).ok()?;
        Some(steps.iter().map(|step| (step.label, step.target)).collect())
    }
}

/// The interpreter of networks.
impl Steps for &Network {
    type State = Configuration;

    fn steps(&mut self, state: &Configuration) -> Option<Vec<(Label, Configuration)>> {
        let steps = Network::steps(self, state);
        Some(steps.into_iter().map(|step| (step.label, step.target)).collect())
    }
}

impl Steps for &Lts {
    type State = StateId;

    fn steps(&mut self, state: &StateId) -> Option<Vec<(Label, StateId)>> {
        Some(self.transitions(*state).iter().map(|step| (step.label, step.target)).collect())
    }
}

/// All states that a system may be in after a trace. Everything is nothing if there are too many, or if somebody asked to stop.
pub(super) struct After<'a, S: Steps> {
    system: S,
    states: Vec<S::State>,
    most: usize,
    goes_on: &'a dyn Fn() -> bool,
}

impl<'a, S: Steps> After<'a, S> {
    /// After no events.
    pub(super) fn new(system: S, start: S::State, most: usize, goes_on: &'a dyn Fn() -> bool) -> Option<After<'a, S>> {
        let mut after = After { system, states: vec![start], most, goes_on };
        after.close()?;
        Some(after)
    }

    /// Adds what silent steps reach.
    fn close(&mut self) -> Option<()> {
        let mut met: HashSet<S::State> = self.states.iter().cloned().collect();
        let mut next = 0;
        while let Some(state) = self.states.get(next).cloned() {
            next += 1;
            if self.states.len() > self.most || next % 256 == 0 && !(self.goes_on)() {
                return None;
            }
            for (label, target) in self.system.steps(&state)? {
                if label == Label::TAU && met.insert(target.clone()) {
                    self.states.push(target);
                }
            }
        }
        Some(())
    }

    /// After one more event.
    pub(super) fn step(&mut self, wanted: Label) -> Option<()> {
        let mut met = HashSet::new();
        for state in std::mem::take(&mut self.states) {
            for (label, target) in self.system.steps(&state)? {
                if label == wanted && met.insert(target.clone()) {
                    self.states.push(target);
                }
            }
        }
        self.close()
    }

    /// Whether an event is possible.
    pub(super) fn may_do(&mut self, event: Label) -> Option<bool> {
        for state in self.states.clone() {
            if self.system.steps(&state)?.iter().any(|(label, _)| *label == event) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether one of the states may offer these labels and no others.
    pub(super) fn may_accept_only(&mut self, accepted: &[Label]) -> Option<bool> {
        for state in self.states.clone() {
            let steps = self.system.steps(&state)?;
            let offers_no_more = steps.iter().all(|(label, _)| *label != Label::TAU && accepted.contains(label));
            let terminates = steps.iter().any(|(label, _)| *label == Label::TICK);
            if offers_no_more || terminates && accepted.contains(&Label::TICK) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether one of the states is stable, may offer these labels and no others, and can do one of them.
    pub(super) fn may_revive(&mut self, accepted: &[Label], event: Label) -> Option<bool> {
        for state in self.states.clone() {
            let steps = self.system.steps(&state)?;
            if waits_within(&steps, accepted) && steps.iter().any(|(label, _)| *label == event) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Leaves only those states that are stable and offer no more than these labels.
    pub(super) fn offer_only(&mut self, accepted: &[Label]) -> Option<()> {
        let mut left = Vec::new();
        for state in std::mem::take(&mut self.states) {
            if waits_within(&self.system.steps(&state)?, accepted) {
                left.push(state);
            }
        }
        self.states = left;
        Some(())
    }

    /// Whether silent steps between the states need not end: states whose silent steps all leave the rest are taken away until
    /// there are none.
    pub(super) fn diverges(&mut self) -> Option<bool> {
        let numbers: HashMap<S::State, usize> = self.states.iter().cloned().zip(0..).collect();
        let mut sources = vec![Vec::new(); self.states.len()];
        let mut n_silent = vec![0; self.states.len()];
        for (number, state) in self.states.clone().iter().enumerate() {
            for (label, target) in self.system.steps(state)? {
                if label == Label::TAU {
                    sources[numbers[&target]].push(number);
                    n_silent[number] += 1;
                }
            }
        }
        let mut ended: Vec<usize> = (0..n_silent.len()).filter(|&number| n_silent[number] == 0).collect();
        let mut n_left = n_silent.len() - ended.len();
        while let Some(number) = ended.pop() {
            for &source in &sources[number] {
                n_silent[source] -= 1;
                if n_silent[source] == 0 {
                    n_left -= 1;
                    ended.push(source);
                }
            }
        }
        Some(n_left > 0)
    }
}

/// Whether a state with these steps waits for its environment, which gets offered nothing beyond the labels.
fn waits_within<S>(steps: &[(Label, S)], accepted: &[Label]) -> bool {
    steps.iter().all(|(label, _)| *label > Label::TICK && accepted.contains(label))
}
