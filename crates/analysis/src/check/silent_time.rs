//! Runs that are silent for ever while time goes on.

use super::checker::Checker;
use super::decided::{Decided, Evidence, FoundRun};
use super::failed::Failed;
use super::walk::takes_time;
use decide::{Fault, Statistics};
use frontend::{Asserted, State, Step};
use hashbrown::HashMap;
use lts::Label;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// What was walked: states, each with where it was met from, and all steps.
#[derive(Default)]
struct Walked {
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    before: Vec<(u32, Label)>,
    /// For each state its steps, and whether they take time.
    steps: Vec<Vec<(Label, u32, bool)>>,
}

impl Walked {
    fn number(&mut self, state: State, before: (u32, Label)) -> u32 {
        let Walked { states, numbers, before: all, .. } = self;
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            all.push(before);
            states.len() as u32 - 1
        })
    }

    fn silent(&self, state: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let steps = self.steps[state as usize].iter();
        steps.filter(|(label, ..)| *label == Label::TAU).map(|&(_, target, takes_time)| (target, takes_time))
    }

    /// The steps that lead to a state.
    fn way(&self, mut state: u32) -> Vec<(Label, u32)> {
        let mut way = Vec::new();
        while state != 0 {
            let (before, label) = self.before[state as usize];
            way.push((label, state));
            state = before;
        }
        way.reverse();
        way
    }

    /// Silent steps from one state to another.
    fn silent_way(&self, from: u32, to: u32) -> Vec<(Label, u32)> {
        let mut before: HashMap<u32, u32> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(state) = open.pop_front() {
            if state == to {
                break;
            }
            for (target, _) in self.silent(state) {
                if target != from && !before.contains_key(&target) {
                    before.insert(target, state);
                    open.push_back(target);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            way.push((Label::TAU, at));
            at = before[&at];
        }
        way.reverse();
        way
    }
}

impl Checker<'_> {
    /// Decides whether a process has no run that is silent for ever and on which time goes on for ever.
    pub(super) fn decide_silent_time(&mut self, process: State) -> Result<Decided, Failed> {
        let walked = self.walk_all(process)?;
        let n_transitions = walked.steps.iter().map(|steps| steps.len() as u64).sum();
        let statistics = Statistics { n_states: walked.states.len() as u64, n_transitions, ..Statistics::default() };
        let targets = |state: u32| walked.silent(state).map(|(target, _)| target);
        let components = graphs::Partition::of(walked.states.len(), targets).of_node;
        let found = (0..walked.states.len() as u32).find_map(|state| {
            let is_inside = |target: u32| components[target as usize] == components[state as usize];
            walked
                .silent(state)
                .find(|&(target, takes_time)| takes_time && is_inside(target))
                .map(|step| (state, step.0))
        });
        let Some((source, target)) = found else {
            return Ok(Decided::holds(statistics));
        };
        let before = walked.way(source);
        let round = [&[(Label::TAU, target)][..], &walked.silent_way(target, source)].concat();
        let path = [&before[..], &round].concat();
        let step = |&(label, target): &(Label, u32)| Step { label, target: walked.states[target as usize] };
        let steps: Vec<Step> = path.iter().map(step).collect();
        let run = FoundRun::States(decide::Counterexample { steps, fault: Fault::Divergence(before.len()) });
        let asserted = Asserted::DivergenceFreeInTime(process);
        Ok(Decided::fails(Evidence::Claim { asserted, process, run }, statistics))
    }

    fn walk_all(&mut self, process: State) -> Result<Walked, Failed> {
        let progress = self.options.progress.clone();
        let mut walked = Walked::default();
        walked.number(process, (0, Label::TAU));
        let mut steps: Vec<Step> = Vec::new();
        let mut next = 0;
        while next < walked.states.len() {
            if next % 256 == 0
                && let ControlFlow::Break(why) = progress.tick(&progress::Statistics::of_states(next))
            {
                return Err(Failed::Stopped(why.into()));
            }
            let state = walked.states[next];
            steps.clear();
            self.semantics.steps(state, &mut steps)?;
            let mut found = Vec::with_capacity(steps.len());
            for (place, step) in steps.iter().enumerate().filter(|(_, step)| step.label != Label::TICK) {
                let takes_time = takes_time(&mut *self.semantics, state, place);
                found.push((step.label, walked.number(step.target, (next as u32, step.label)), takes_time));
            }
            walked.steps.push(found);
            if let Some(stop) = self.options.limits.stop_at(walked.states.len() as u64) {
                return Err(Failed::Stopped(stop));
            }
            next += 1;
        }
        Ok(walked)
    }
}
