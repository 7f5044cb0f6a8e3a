//! Breadth-first search of states with details, with inclusion checking: Daws and Tripakis (1998), *Model checking of
//! real-time reachability properties using abstractions*.
//!
//! A *node* is a packed state with a row of cells, its *detail*, whose length depends on the state. Details of one
//! state are compared: where one covers another, the smaller one need not be expanded. Zones of clock values are such
//! details; this search knows nothing of clocks.
//!
//! In a round, some nodes of a level are expanded by all workers; then each shard stores the arriving nodes in the
//! order of discovery. A node that is equal to a stored one, or covered by one, is dropped. Nodes that a new one covers
//! stay stored, because runs lead through them, but are not expanded or compared any more. Rounds do not depend on the
//! number of workers, so no result does.
//!
//! A [`DepthFirstProbe`] follows runs depth first instead.

mod probe;
mod round;
mod store;

use limits::intervals::slices::COVERING_ROUND;
pub use probe::DepthFirstProbe;

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

/// A node on a run, with the step that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit<const W: usize, C> {
    /// The state.
    pub state: [u64; W],
    /// Its detail.
    pub detail: Vec<C>,
    /// The first step to the node; none at the start.
    pub step: Option<Step<W>>,
}

/// A search with the nodes it discovered.
#[derive(Debug)]
pub struct CoveringSearch<const W: usize, C> {
    nodes: Nodes<W, C>,
    /// The nodes to be expanded, once the search has begun.
    frontier: Option<Frontier>,
    /// Counts of the search.
    pub statistics: Statistics,
}

impl<const W: usize, C: Copy + Eq + Hash + Default + Send + Sync> Default for CoveringSearch<W, C> {
    fn default() -> Self {
        CoveringSearch { nodes: Nodes::default(), frontier: None, statistics: Statistics::default() }
    }
}

impl<const W: usize, C: Copy + Eq + Hash + Default + Send + Sync> CoveringSearch<W, C> {
    /// Explores all reachable nodes, up to a goal of the space or a limit. After a limit on states the search can be
    /// resumed.
    pub fn run<S>(&mut self, space: &S, limits: &Limits, progress: &dyn Progress) -> SearchEnd
    where
        S: Space<W, Cell = C> + Sync,
    {
        let rounds = Rounds::new(space, &self.nodes);
        let frontier = self.frontier.get_or_insert_with(|| Frontier::of(rounds.begin()));
        let statistics = &mut self.statistics;
        with_workers(&rounds, limits.n_workers.max(1), |workers| {
            let expand = |places: &[Place], next: &mut Vec<Place>| rounds.expand(workers, places, next);
            walk(&self.nodes, statistics, frontier, expand, limits, progress)
        })
    }

    /// The search on one worker, for a space that cannot be shared.
    pub fn run_alone<S>(&mut self, space: &S, limits: &Limits, progress: &dyn Progress) -> SearchEnd
    where
        S: Space<W, Cell = C>,
    {
        let rounds = Rounds::new(space, &self.nodes);
        let frontier = self.frontier.get_or_insert_with(|| Frontier::of(rounds.begin()));
        let mut own = OwnOf::<W, S>::default();
        let expand = |places: &[Place], next: &mut Vec<Place>| rounds.expand_alone(&mut own, places, next);
        walk(&self.nodes, &mut self.statistics, frontier, expand, limits, progress)
    }

    /// The number of nodes that no other one covers.
    pub fn n_uncovered(&self) -> u64 {
        self.nodes.n_uncovered()
    }

    /// The run by which the node at a place was discovered.
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

/// Nodes to be expanded.
#[derive(Debug, Default)]
struct Frontier {
    level: Vec<Place>,
    /// The number of expanded nodes of the level.
    n_expanded: usize,
    /// The nodes that they discovered.
    next: Vec<Place>,
}

impl Frontier {
    fn of(level: Vec<Place>) -> Frontier {
        Frontier { level, n_expanded: 0, next: Vec::new() }
    }
}

/// Expands all levels, round by round.
fn walk<const W: usize, C: Copy + Eq + Hash>(
    nodes: &Nodes<W, C>,
    statistics: &mut Statistics,
    frontier: &mut Frontier,
    mut expand: impl FnMut(&[Place], &mut Vec<Place>) -> Seen,
    limits: &Limits,
    progress: &dyn Progress,
) -> SearchEnd {
    while !frontier.level.is_empty() {
        while frontier.n_expanded < frontier.level.len() {
            let end = frontier.level.len().min(frontier.n_expanded + COVERING_ROUND);
            let seen = expand(&frontier.level[frontier.n_expanded..end], &mut frontier.next);
            frontier.n_expanded = end;
            statistics.n_transitions += seen.n_transitions;
            (statistics.n_states, statistics.memory) = nodes.size();
            statistics.n_waiting = frontier.next.len() as u64;
            if let Some((place, finding)) = seen.found {
                return SearchEnd::Found(crate::Found { finding, place, depth: statistics.depth });
            }
            if let Some(stop) = stop(statistics, limits, progress) {
                return SearchEnd::Stopped(stop);
            }
        }
        statistics.depth += 1;
        *frontier = Frontier::of(std::mem::take(&mut frontier.next));
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

/// The buffers of a worker.
pub(crate) type OwnOf<const W: usize, S> = Own<W, <S as Space<W>>::Cell, <S as Space<W>>::Buffers>;
