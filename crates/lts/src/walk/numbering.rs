//! Numbers for states in the order of their discovery.

use super::discovery::Distinct;
use super::{Step, System};
use crate::{StateId, Transition};
use std::convert::Infallible;
use std::hash::Hash;

/// The discovered states of a system, numbered from 0, with the steps computed on demand. It does not borrow the
/// system.
#[derive(Clone, Debug)]
pub struct Numbering<T> {
    states: Distinct<T>,
    /// For each state the range of its steps, if they were computed.
    ranges: Vec<Option<(usize, usize)>>,
    transitions: Vec<Transition>,
    /// The state whose steps turned out to be unknown.
    failed: Option<StateId>,
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    /// A numbering in which the root has number 0.
    pub fn new(root: &T) -> Numbering<T> {
        let mut states = Distinct::new();
        states.insert(root);
        Numbering { states, ranges: Vec::new(), transitions: Vec::new(), failed: None }
    }

    /// The states discovered so far, by number.
    pub fn states(&self) -> &[T] {
        self.states.values()
    }

    /// The steps of a state, if they were computed.
    pub fn known_steps(&self, state: StateId) -> Option<&[Transition]> {
        let (start, end) = self.ranges.get(state.index()).copied().flatten()?;
        Some(&self.transitions[start..end])
    }

    /// The system of the computed steps.
    pub fn known_part(&self) -> KnownPart<'_, T> {
        KnownPart(self)
    }

    /// A state whose steps are unknown, if one was expanded.
    pub fn failed(&self) -> Option<StateId> {
        self.failed
    }

    /// The system with these numbers, and more as they are needed.
    pub fn of<S: System<State = T>>(&mut self, system: S) -> NumberedSystem<'_, S> {
        NumberedSystem { numbering: self, system }
    }

    /// The steps of a state, computed once. The steps of the system are ordered by label and target.
    pub fn steps<S: System<State = T>>(&mut self, system: &mut S, state: StateId) -> Result<&[Transition], S::Error> {
        if self.known_steps(state).is_none() {
            self.expand(system, state)?;
        }
        Ok(self.known_steps(state).unwrap_or_default())
    }

    fn expand<S: System<State = T>>(&mut self, system: &mut S, state: StateId) -> Result<(), S::Error> {
        let Numbering { states, ranges, transitions, failed } = self;
        let source = states.values()[state.index()].clone();
        let steps = system.steps(&source).inspect_err(|_| *failed = Some(state))?;
        let number =
            |step: &S::Step| Transition { label: step.label(), target: StateId(states.insert(step.target()).0) };
        let mut found: Vec<Transition> = steps.iter().map(number).collect();
        found.sort_unstable();
        found.dedup();
        let start = transitions.len();
        transitions.append(&mut found);
        ranges.resize(states.values().len().max(ranges.len()), None);
        ranges[state.index()] = Some((start, transitions.len()));
        Ok(())
    }
}

/// The computed part of a system: the steps of other states are unknown.
impl<T: Clone + Eq + Hash> System for &Numbering<T> {
    type State = StateId;
    type Step = Transition;
    type Error = Unknown;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Unknown> {
        self.known_steps(*state).ok_or(Unknown)
    }

    fn n_known(&self) -> usize {
        self.states().len()
    }
}

/// The system of the computed steps.
pub struct KnownPart<'a, T>(&'a Numbering<T>);

impl<T: Clone + Eq + Hash> System for KnownPart<'_, T> {
    type State = StateId;
    type Step = Transition;
    type Error = Infallible;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Infallible> {
        Ok(self.0.known_steps(*state).unwrap_or_default())
    }

    fn n_known(&self) -> usize {
        self.0.states().len()
    }
}

/// The steps of a state were not computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown;

/// A system with numbers for its states.
pub struct NumberedSystem<'a, S: System> {
    numbering: &'a mut Numbering<S::State>,
    system: S,
}

impl<S: System> NumberedSystem<'_, S> {
    /// The states discovered so far, by number.
    pub fn numbering(&self) -> &Numbering<S::State> {
        self.numbering
    }

    /// The system, for instance to interpret its labels.
    pub fn system(&self) -> &S {
        &self.system
    }
}

impl<S: System> System for NumberedSystem<'_, S> {
    type State = StateId;
    type Step = Transition;
    type Error = S::Error;

    const EFFORT: usize = S::EFFORT;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], S::Error> {
        self.numbering.steps(&mut self.system, *state)
    }

    fn n_known(&self) -> usize {
        self.numbering.states().len()
    }
}
