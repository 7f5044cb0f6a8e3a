//! Sequential reachability of timed systems that cannot be shared between threads.

use crate::cell::Cell;
use crate::graph::{Abstraction, Goal, ZoneGraph};
use crate::run::{TimedPath, TimedVisit, with_times};
use crate::system::TimedSystem;
use explore::{CoveringSearch, Limits, SearchEnd};
use progress::{Progress, Statistics, Stop};

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reached<const W: usize> {
    /// The goal is unreachable.
    Nothing,
    /// A run to the goal, and the finding at its end.
    Found(TimedPath<W>, u32),
    /// A path of zones without times, which is an internal error.
    Unconfirmed(u32),
    /// The search is incomplete.
    Stopped(Stop),
}

/// Searches a system for a goal. All its limits must be at most [`Cell::MAX_LIMIT`].
pub fn reach<const W: usize, S: TimedSystem<W>, C: Cell>(
    system: &S,
    goal: Goal<'_>,
    abstraction: Abstraction,
    limits: &Limits,
    progress: &dyn Progress,
) -> (Reached<W>, Statistics) {
    let graph = ZoneGraph::<W, S, C>::new(system, abstraction, goal);
    let mut search = CoveringSearch::default();
    let reached = match search.run_alone(&graph, limits, progress) {
        SearchEnd::Exhausted => Reached::Nothing,
        SearchEnd::Stopped(stop) => Reached::Stopped(stop),
        SearchEnd::Found(found) => {
            let visits = search.run_to(&graph, found.place).into_iter();
            let visits = visits.map(|visit| TimedVisit { state: visit.state, step: visit.step }).collect();
            let path = with_times::<W, C, S>(system, &graph.goal, visits, found.finding, None);
            path.map_or(Reached::Unconfirmed(found.finding), |path| Reached::Found(path, found.finding))
        }
    };
    (reached, search.statistics)
}
