//! Searches of states that may stand for others.
//!
//! A *node* is a packed state with a row of numbers beside it, its *detail*. How long that is depends on the state. The details
//! of one state are compared: one may cover another, and then whoever has looked at the larger one need not look at the smaller one.
//! Zones of clock values are such details; this search knows nothing of clocks.
//!
//! It goes breadth first in rounds, shared by the same workers as every search. In a round, some nodes of a level are expanded; then
//! each shard takes what arrived there, in the order of discovery. What is equal to a node that is there, or covered by one, is
//! forgotten; nodes that a new one covers stay where they are, as the runs to others lead through them, but are not expanded any more and compared with
//! nobody. Rounds do not depend on the workers, so nothing that is observable does.
//!
//! A [`Dive`] goes depth first instead.

mod dive;
mod round;
mod store;

pub use dive::Dive;

use crate::search::SearchEnd;
use crate::space::{Node, Space, Step, Steps};
use crate::states::Place;
use crate::store::MAX_STATES;
use crate::workers::with_workers;
use progress::{Limits, Progress, Statistics, Stop};
use round::{Own, Rounds, Seen};
use std::hash::Hash;
use std::ops::ControlFlow;
use store::Nodes;

/// Nodes of a round: enough for some workers, and few enough that not many are expanded which the same round covers.
const ROUND: usize = 1 << 12;

/// A node on a run, with the step that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit<const W: usize, C> {
    /// The state.
    pub state: [u64; W],
    /// Its detail.
    pub detail: Vec<C>,
    /// The step, if the run does not begin here; of several the first.
    pub step: Option<Step<W>>,
}

/// A search, and after it everything it met.
#[derive(Debug)]
pub struct CoveringSearch<const W: usize, C> {
    nodes: Nodes<W, C>,
    /// What is left to be expanded, once the search has begun.
    left: Option<Left>,
    /// What the search did.
    pub statistics: Statistics,
}

impl<const W: usize, C: Copy + Eq + Hash + Default + Send + Sync> Default for CoveringSearch<W, C> {
    fn default() -> Self {
        CoveringSearch { nodes: Nodes::default(), left: None, statistics: Statistics::default() }
    }
}

impl<const W: usize, C: Copy + Eq + Hash + Default + Send + Sync> CoveringSearch<W, C> {
    /// Walks everything reachable, or up to what the space looks for, or a limit. Behind a limit on states it can go on where it was.
    pub fn run<S>(&mut self, space: &S, limits: &Limits, progress: &dyn Progress) -> SearchEnd
    where
        S: Space<W, Cell = C> + Sync,
    {
        let rounds = Rounds::new(space, &self.nodes);
        let left = self.left.get_or_insert_with(|| Left::of(rounds.begin()));
        let statistics = &mut self.statistics;
        with_workers(&rounds, limits.n_workers.max(1), |workers| {
            let expand = |places: &[Place], next: &mut Vec<Place>| rounds.expand(workers, places, next);
            walk(&self.nodes, statistics, left, expand, limits, progress)
        })
    }

    /// The same by one worker, for a space that cannot be shared.
    pub fn run_alone<S>(&mut self, space: &S, limits: &Limits, progress: &dyn Progress) -> SearchEnd
    where
        S: Space<W, Cell = C>,
    {
        let rounds = Rounds::new(space, &self.nodes);
        let left = self.left.get_or_insert_with(|| Left::of(rounds.begin()));
        let mut own = OwnOf::<W, S>::default();
        let expand = |places: &[Place], next: &mut Vec<Place>| rounds.expand_alone(&mut own, places, next);
        walk(&self.nodes, &mut self.statistics, left, expand, limits, progress)
    }

    /// How many nodes are covered by no other.
    pub fn n_uncovered(&self) -> u64 {
        self.nodes.n_uncovered()
    }

    /// The node at a place, and the nodes before it on the run by which it was met.
    pub fn run_to<S: Space<W, Cell = C>>(&self, space: &S, place: Place) -> Vec<Visit<W, C>> {
        let mut places = vec![place];
        while let Some(before) = self.nodes.before(places[places.len() - 1]) {
            places.push(before);
        }
        places.reverse();
        let (mut buffers, mut steps) = (S::Buffers::default(), Steps::default());
        let mut visits: Vec<Visit<W, C>> = Vec::new();
        for place in places {
            let (state, detail) = self.nodes.get(place);
            let mut step = None;
            if let Some(last) = visits.last() {
                steps.clear();
                let node = Node { state: &last.state, detail: &last.detail };
                _ = space.expand(node, &mut buffers, &mut steps);
                let mut taken = steps.with_details();
                step = taken.find(|(step, cells)| step.target == state && **cells == detail[..]).map(|(step, _)| *step);
            }
            visits.push(Visit { state, detail, step });
        }
        visits
    }
}

/// Nodes that are left to be expanded.
#[derive(Debug, Default)]
struct Left {
    level: Vec<Place>,
    /// So many of the level are expanded.
    n_expanded: usize,
    /// What was new behind these.
    next: Vec<Place>,
}

impl Left {
    fn of(level: Vec<Place>) -> Left {
        Left { level, n_expanded: 0, next: Vec::new() }
    }
}

/// Goes through all levels, round by round.
fn walk<const W: usize, C: Copy + Eq + Hash>(
    nodes: &Nodes<W, C>,
    statistics: &mut Statistics,
    left: &mut Left,
    mut expand: impl FnMut(&[Place], &mut Vec<Place>) -> Seen,
    limits: &Limits,
    progress: &dyn Progress,
) -> SearchEnd {
    while !left.level.is_empty() {
        while left.n_expanded < left.level.len() {
            let end = left.level.len().min(left.n_expanded + ROUND);
            let seen = expand(&left.level[left.n_expanded..end], &mut left.next);
            left.n_expanded = end;
            statistics.n_transitions += seen.n_transitions;
            (statistics.n_states, statistics.memory) = nodes.size();
            statistics.n_waiting = left.next.len() as u64;
            if let Some((place, what)) = seen.found {
                return SearchEnd::Found(crate::Found { what, place, depth: statistics.depth });
            }
            if let Some(stop) = stop(statistics, limits, progress) {
                return SearchEnd::Stopped(stop);
            }
        }
        statistics.depth += 1;
        *left = Left::of(std::mem::take(&mut left.next));
    }
    SearchEnd::Exhausted
}

fn stop(statistics: &Statistics, limits: &Limits, progress: &dyn Progress) -> Option<Stop> {
    if let ControlFlow::Break(why) = progress.tick(statistics) {
        Some(Stop::Interrupted(why))
    } else if statistics.n_states > MAX_STATES as u64 * 32 {
        Some(Stop::Capacity)
    } else if statistics.memory > limits.max_memory {
        Some(Stop::MaxMemory)
    } else {
        limits.stop_at(statistics.n_states)
    }
}

/// What a worker keeps to itself.
pub(crate) type OwnOf<const W: usize, S> = Own<W, <S as Space<W>>::Cell, <S as Space<W>>::Buffers>;
