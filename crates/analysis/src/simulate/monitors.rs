//! Runtime verification of assertions along a simulated run.
//!
//! A finite run proves nothing, but it may refute: a monitor reports a violation only where the run itself shows it.
//! Properties that no finite run refutes have no monitor.

use super::Simulator;
use frontend::{Asserted, Failure, Goal, State, Step};
use limits::effort::replay::{MAX_MONITOR_STATES, MAX_MONITOR_STEPS, MAX_MONITORS};
use lts::{Label, Model};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The verdict of a run on an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monitor {
    /// No violation so far.
    Unbroken,
    /// Violated by the run up to this step.
    Broken(usize),
    /// The goal was reached after this number of steps.
    Reached(usize),
    /// The goal was not reached so far.
    NotReached,
}

/// A monitored property.
#[derive(Clone, Copy, Debug)]
pub(super) enum Watched {
    Refines { specification: State, model: Model },
    DeadlockFree,
    Reaches(u32),
}

impl Simulator<'_> {
    /// The assertions about this process that a run can refute, by number from 1, with the verdict of the current run.
    pub fn monitors(&mut self) -> Vec<(usize, Monitor)> {
        if self.watched.is_none() {
            self.watched = Some(self.find_watched());
        }
        let watched = self.watched.clone().unwrap_or_default();
        watched.into_iter().filter_map(|(index, what)| Some((index, self.watch(what).ok().flatten()?))).collect()
    }

    fn find_watched(&mut self) -> Vec<(usize, Watched)> {
        let mut found = Vec::new();
        for index in 1..=self.n_assertions.min(MAX_MONITORS) {
            // An assertion that cannot be evaluated is reported by a check.
            let Ok(asserted) = self.semantics.asserted(index) else { continue };
            found.extend(match asserted {
                Asserted::Refines { specification, implementation, model } if implementation == self.start => {
                    Some((index, Watched::Refines { specification, model }))
                }
                Asserted::DeadlockFree(process, _) if process == self.start => Some((index, Watched::DeadlockFree)),
                Asserted::Reaches { process, goal: Goal::Deadlock, is_wanted: false } if process == self.start => {
                    Some((index, Watched::DeadlockFree))
                }
                Asserted::Reaches { process, goal: Goal::Proposition(goal), .. } if process == self.start => {
                    Some((index, Watched::Reaches(goal)))
                }
                _ => None,
            });
        }
        found
    }

    fn watch(&mut self, what: Watched) -> Result<Option<Monitor>, Failure> {
        match what {
            Watched::Refines { specification, model } => self.watch_refinement(specification, model),
            Watched::DeadlockFree => {
                let here = self.here();
                let has_ended = self.taken.last().is_some_and(|step| step.label == Label::TICK);
                let is_stuck = self.steps_of(here)?.is_empty() && !has_ended;
                Ok(Some(if is_stuck { Monitor::Broken(self.taken.len()) } else { Monitor::Unbroken }))
            }
            Watched::Reaches(proposition) => {
                let states = std::iter::once(self.start).chain(self.taken.iter().map(|step| step.target));
                for (n_steps, state) in states.collect::<Vec<_>>().into_iter().enumerate() {
                    if self.semantics.is_true_in(state, proposition)? {
                        return Ok(Some(Monitor::Reached(n_steps)));
                    }
                }
                Ok(Some(Monitor::NotReached))
            }
        }
    }

    /// Follows the run through the states that the specification may be in.
    fn watch_refinement(&mut self, specification: State, model: Model) -> Result<Option<Monitor>, Failure> {
        // Models with refusals on the way observe more than the trace and its end.
        if model.tests_refusals() || model.sees_revivals() || self.taken.len() > MAX_MONITOR_STEPS {
            return Ok(None);
        }
        let sees_divergence = model == Model::FailuresDivergences;
        let Some(mut allowed) = self.closed(HashSet::from([specification]))? else { return Ok(None) };
        for (place, label) in self.taken.iter().map(|step| step.label).enumerate().collect::<Vec<_>>() {
            if sees_divergence && self.may_diverge(&allowed)? {
                // After a divergence the specification allows everything.
                return Ok(Some(Monitor::Unbroken));
            }
            if label == Label::TAU {
                continue;
            }
            let mut next = HashSet::new();
            for &state in &allowed {
                next.extend(self.steps_of(state)?.iter().filter(|step| step.label == label).map(|step| step.target));
            }
            if next.is_empty() {
                return Ok(Some(Monitor::Broken(place + 1)));
            }
            let Some(closed) = self.closed(next)? else { return Ok(None) };
            allowed = closed;
        }
        let is_excused = sees_divergence && self.may_diverge(&allowed)?;
        // In timed processes, offers depend on time.
        let sees_refusals = model != Model::Traces && !self.semantics.is_timed();
        let is_broken = sees_refusals && !is_excused && self.refuses_too_much(&allowed)?;
        Ok(Some(if is_broken { Monitor::Broken(self.taken.len()) } else { Monitor::Unbroken }))
    }

    /// Whether the current state refuses more than any state of the specification.
    fn refuses_too_much(&mut self, allowed: &HashSet<State>) -> Result<bool, Failure> {
        let here = self.here();
        let Some(offered) = self.offered(here)? else { return Ok(false) };
        for &state in allowed {
            if self.accepted(state)?.is_some_and(|wanted| wanted.is_subset(&offered)) {
                return Ok(false);
            }
        }
        Ok(self.taken.last().is_none_or(|step| step.label != Label::TICK))
    }

    /// The offers of a state. None if it is unstable.
    fn offered(&mut self, state: State) -> Result<Option<BTreeSet<Label>>, Failure> {
        let steps = self.steps_of(state)?;
        let is_stable = steps.iter().all(|step| step.label != Label::TAU);
        Ok(is_stable.then(|| steps.iter().map(|step| step.label).collect()))
    }

    /// The events that a state must offer at least. None if it is unstable; one that can terminate may refuse all else.
    fn accepted(&mut self, state: State) -> Result<Option<BTreeSet<Label>>, Failure> {
        let may_end = |offered: &BTreeSet<Label>| offered.contains(&Label::TICK);
        Ok(self.offered(state)?.map(|offered| if may_end(&offered) { BTreeSet::from([Label::TICK]) } else { offered }))
    }

    /// The closure of states under silent steps. None if it is too large.
    fn closed(&mut self, states: HashSet<State>) -> Result<Option<HashSet<State>>, Failure> {
        let mut open: Vec<State> = states.iter().copied().collect();
        let mut met = states;
        while let Some(state) = open.pop() {
            if met.len() > MAX_MONITOR_STATES {
                return Ok(None);
            }
            for step in self.steps_of(state)? {
                if step.label == Label::TAU && met.insert(step.target) {
                    open.push(step.target);
                }
            }
        }
        Ok(Some(met))
    }

    /// Whether these states have a silent cycle: states without a silent step into the rest are removed until none is
    /// left.
    fn may_diverge(&mut self, states: &HashSet<State>) -> Result<bool, Failure> {
        let mut silent: HashMap<State, Vec<State>> = HashMap::new();
        for &state in states {
            let targets = self.steps_of(state)?.into_iter().filter(|step| step.label == Label::TAU);
            silent.insert(state, targets.map(|step| step.target).collect());
        }
        loop {
            let left: HashSet<State> = silent.keys().copied().collect();
            silent.retain(|_, targets| targets.iter().any(|target| left.contains(target)));
            if silent.len() == left.len() {
                return Ok(!left.is_empty());
            }
        }
    }

    fn steps_of(&mut self, state: State) -> Result<Vec<Step>, Failure> {
        let mut steps = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        Ok(steps)
    }
}
