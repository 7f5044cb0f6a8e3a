//! A run as a transition system, for drawing.

use super::{Move, Simulator};
use crate::TransitionSystem;
use crate::check::Beginning;
use frontend::{Failure, State};
use limits::display::names::LONGEST_NAME;
use lts::{Builder, StateId};
use std::collections::{HashMap, HashSet};

impl Simulator<'_> {
    /// The states and steps of a run. States with further steps are marked as not expanded.
    ///
    /// # Errors
    /// When a state cannot be evaluated.
    pub fn drawn(&mut self, run: &[Move]) -> Result<Beginning, Failure> {
        let mut numbers: HashMap<State, StateId> = HashMap::from([(self.start, StateId(0))]);
        let mut states = vec![self.start];
        let mut builder = Builder::new();
        let mut drawn: HashSet<(State, lts::Label, State)> = HashSet::new();
        let mut at = self.start;
        builder.add_state(StateId(0));
        for step in run {
            let next = StateId(states.len() as u32);
            let target = *numbers.entry(step.target).or_insert(next);
            if target == next {
                states.push(step.target);
                builder.add_state(target);
            }
            if drawn.insert((at, step.label, step.target)) {
                builder.add(numbers[&at], step.label, target);
            }
            at = step.target;
        }
        let mut names = Vec::with_capacity(states.len());
        let mut has_more = Vec::with_capacity(states.len());
        for &state in &states {
            let mut steps = Vec::new();
            self.semantics.steps(state, &mut steps)?;
            has_more.push(steps.iter().any(|step| !drawn.contains(&(state, step.label, step.target))));
            names.push(self.semantics.text(state, LONGEST_NAME));
        }
        let lts = builder.finish(StateId(0));
        let (system, order) = TransitionSystem::with_order(&lts, Some(&names), self.semantics.events());
        let is_open = |(_, state): &(usize, &StateId)| has_more[state.index()];
        let frontier = order.iter().enumerate().filter(is_open).map(|(place, _)| StateId(place as u32)).collect();
        Ok(Beginning { system, frontier })
    }
}
