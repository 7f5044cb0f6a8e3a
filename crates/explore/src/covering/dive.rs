//! Depth first, for a while, where levels get wide.
//!
//! A dive follows a few runs at a time as far as they go, then turns back to the last level with others, with nodes of its own. It proves nothing, but may meet soon what rounds
//! would meet late. One that took a wrong turn early does not come back to it in time. So most dives are short, along single runs, each with other turns, and the last is wide.

use super::round::Rounds;
use super::{CoveringSearch, OwnOf, stop};
use crate::dive::luby;
use crate::search::Found;
use crate::space::Space;
use crate::states::Place;
use progress::{Limits, Progress};
use std::hash::Hash;

/// Nodes that the shortest dives may meet.
const SHORT: u64 = 1 << 10;
/// How runs are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dive {
    /// So many at a time.
    pub width: usize,
    /// Which of those come first that were met together: the last ones by 0, and others by other numbers.
    pub turns: u64,
    /// Steps of the longest.
    pub max_depth: usize,
    /// Nodes that may be met.
    pub max_nodes: u64,
}

impl Dive {
    /// Runs that the widest dive follows at a time: as many as are expanded without asking whether to go on.
    pub const WIDE: usize = 1 << 6;

    /// Dives that meet about so many nodes in all, and other ones for each number.
    pub fn tries(number: u64, max_nodes: u64, max_depth: usize) -> Vec<Dive> {
        let mut tries = Vec::new();
        let mut n_left = max_nodes / 2;
        for turns in 1.. {
            let max_nodes = SHORT * luby(turns) as u64;
            if max_nodes > n_left {
                break;
            }
            n_left -= max_nodes;
            tries.push(Dive { width: 1, turns: (number << 32) + turns, max_depth, max_nodes });
        }
        tries.push(Dive { width: Dive::WIDE, turns: number, max_depth, max_nodes: max_nodes / 2 + n_left });
        tries
    }
}

/// Numbers that look random and depend on a seed only.
struct Turns(u64);

impl Turns {
    fn below(&mut self, n: usize) -> usize {
        self.0 = crate::store::hash(&[self.0]);
        (self.0 % n as u64) as usize
    }

    /// Takes some of those that were met together.
    fn take(&mut self, level: &mut Vec<Place>, width: usize, is_ordered: bool) -> Vec<Place> {
        let n_left = level.len().saturating_sub(width);
        if !is_ordered {
            for place in (n_left..level.len()).rev() {
                let other = self.below(place + 1);
                level.swap(place, other);
            }
        }
        level.split_off(n_left)
    }
}

impl<const W: usize, C: Copy + Eq + Hash + Default + Send + Sync> CoveringSearch<W, C> {
    /// Follows runs depth first, until one meets what the space looks for; that none does says nothing. For a search that has not begun.
    pub fn dive<S>(&mut self, space: &S, dive: Dive, limits: &Limits, progress: &dyn Progress) -> Option<Found>
    where
        S: Space<W, Cell = C>,
    {
        let limits = limits.with_budget(dive.max_nodes);
        let rounds = Rounds::new(space, &self.nodes);
        let mut own = OwnOf::<W, S>::default();
        let mut turns = Turns(dive.turns);
        let mut levels = vec![rounds.begin()];
        loop {
            while levels.last().is_some_and(Vec::is_empty) {
                levels.pop();
            }
            let depth = levels.len().checked_sub(1)?;
            let places = turns.take(&mut levels[depth], dive.width.max(1), dive.turns == 0);
            let mut next = Vec::new();
            let seen = rounds.expand_alone(&mut own, &places, &mut next);
            let statistics = &mut self.statistics;
            statistics.n_transitions += seen.n_transitions;
            (statistics.n_states, statistics.memory) = self.nodes.size();
            statistics.depth = statistics.depth.max(depth as u64);
            if let Some((place, what)) = seen.found {
                return Some(Found { what, place, depth: depth as u64 });
            }
            if stop(statistics, &limits, progress).is_some() {
                return None;
            }
            // What is met at the last depth is not followed, but it is known from now on.
            if depth < dive.max_depth {
                levels.push(next);
            }
        }
    }
}
