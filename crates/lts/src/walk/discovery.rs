//! Breadth-first search, and shortest runs.

use super::{Ended, Step, System};
use crate::Watch;
use crate::interner::{HASH, number};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{BuildHasher, Hash};

/// Distinct values, numbered from 0 in the order of insertion.
#[derive(Clone, Debug)]
pub(super) struct Distinct<T> {
    values: Vec<T>,
    table: HashTable<u32>,
}

impl<T: Eq + Hash> Distinct<T> {
    pub(super) fn new() -> Distinct<T> {
        Distinct { values: Vec::new(), table: HashTable::new() }
    }

    pub(super) fn values(&self) -> &[T] {
        &self.values
    }

    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.table.find(HASH.hash_one(value), |&known| self.values[known as usize] == *value).copied()
    }

    /// The number of a value, and whether it is new.
    pub(super) fn insert(&mut self, value: &T) -> (u32, bool)
    where
        T: Clone,
    {
        let Distinct { values, table } = self;
        let hash = |&known: &u32| HASH.hash_one(&values[known as usize]);
        match table.entry(HASH.hash_one(value), |&known| values[known as usize] == *value, hash) {
            Entry::Occupied(entry) => (*entry.get(), false),
            Entry::Vacant(entry) => {
                let fresh = number(values.len());
                entry.insert(fresh);
                values.push(value.clone());
                (fresh, true)
            }
        }
    }
}

/// A breadth-first search. States are numbered from 0 in the order of their discovery.
pub struct Discovery<S: System> {
    states: Distinct<S::State>,
    /// For each state the state and the step by which it was discovered; none for the start.
    origins: Vec<Option<(u32, S::Step)>>,
    n_expanded: usize,
}

/// The use of a step to a search for a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relevance {
    /// It is not taken.
    Ignored,
    /// It is followed.
    Followed,
    /// It ends the run.
    Goal,
}

impl<S: System> Discovery<S> {
    /// A search that has discovered its start.
    pub fn from(start: S::State) -> Discovery<S> {
        let mut states = Distinct::new();
        states.insert(&start);
        Discovery { states, origins: vec![None], n_expanded: 0 }
    }

    /// The states discovered so far, by number.
    pub fn states(&self) -> &[S::State] {
        self.states.values()
    }

    /// The number of a state that was discovered.
    pub fn number(&self, state: &S::State) -> Option<usize> {
        self.states.find(state).map(|number| number as usize)
    }

    /// Expands the next state: the steps that `judge` follows discover their targets. Returns the first goal step, or
    /// otherwise whether there was a state to expand.
    ///
    /// # Errors
    /// If the watch ends it, or the steps of the state are unknown.
    pub fn expand(
        &mut self,
        system: &mut S,
        mut judge: impl FnMut(&S::State, &S::Step) -> Relevance,
        watch: &mut Watch<'_>,
    ) -> Result<Expanded<S::Step>, Ended<S::Error>> {
        let source = self.n_expanded;
        let Some(state) = self.states.values.get(source).cloned() else { return Ok(Expanded::Nothing) };
        watch.tick(S::EFFORT)?;
        watch.keep(self.states.values.len())?;
        self.n_expanded += 1;
        for step in system.steps(&state).map_err(Ended::Failed)? {
            match judge(&state, step) {
                Relevance::Ignored => {}
                Relevance::Followed => {
                    if self.states.insert(step.target()).1 {
                        self.origins.push(Some((number(source), step.clone())));
                    }
                }
                Relevance::Goal => return Ok(Expanded::Goal(source, step.clone())),
            }
        }
        Ok(Expanded::State(source))
    }

    /// A shortest run from the start to a state, by its number.
    pub fn run_to(&self, state: usize) -> Vec<S::Step> {
        let origin = |at: usize| self.origins[at].as_ref();
        let steps = std::iter::successors(origin(state), |(source, _)| origin(*source as usize));
        let mut run: Vec<S::Step> = steps.map(|(_, step)| step.clone()).collect();
        run.reverse();
        run
    }
}

/// The outcome of expanding a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expanded<T> {
    /// No state is left.
    Nothing,
    /// The state with this number was expanded.
    State(usize),
    /// This step of the state with this number reaches the goal.
    Goal(usize, T),
}

/// A shortest run of at least one step, whose last step is a goal and whose other steps are followed.
///
/// # Errors
/// If the watch ends it, or the steps of a state are unknown.
pub fn shortest_run<S: System>(
    system: &mut S,
    start: S::State,
    mut judge: impl FnMut(&S::State, &S::Step) -> Relevance,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<S::Step>>, Ended<S::Error>> {
    let mut discovery = Discovery::<S>::from(start);
    loop {
        match discovery.expand(system, &mut judge, watch)? {
            Expanded::Nothing => return Ok(None),
            Expanded::State(_) => {}
            Expanded::Goal(source, last) => {
                let mut run = discovery.run_to(source);
                run.push(last);
                return Ok(Some(run));
            }
        }
    }
}

/// Visits every step of the states that followed steps reach, breadth first. `follows` sees each step once.
///
/// # Errors
/// If the watch ends it, or the steps of a state are unknown.
pub fn for_each_step<S: System>(
    system: &mut S,
    start: S::State,
    mut follows: impl FnMut(&S::Step) -> bool,
    watch: &mut Watch<'_>,
) -> Result<(), Ended<S::Error>> {
    let mut states = Distinct::new();
    states.insert(&start);
    let mut next = 0;
    while let Some(state) = states.values.get(next).cloned() {
        next += 1;
        watch.tick(S::EFFORT)?;
        watch.keep(states.values.len())?;
        for step in system.steps(&state).map_err(Ended::Failed)? {
            if follows(step) {
                states.insert(step.target());
            }
        }
    }
    Ok(())
}

/// A shortest run to a goal; without steps if the start is one.
///
/// # Errors
/// If the watch ends it, or the steps of a state are unknown.
pub fn shortest_run_to<S: System>(
    system: &mut S,
    start: S::State,
    is_goal: impl Fn(&S::State) -> bool,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<S::Step>>, Ended<S::Error>> {
    if is_goal(&start) {
        return Ok(Some(Vec::new()));
    }
    let judge =
        |_: &S::State, step: &S::Step| if is_goal(step.target()) { Relevance::Goal } else { Relevance::Followed };
    shortest_run(system, start, judge, watch)
}
