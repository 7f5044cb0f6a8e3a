//! Depth-first probes with restarts, for states with details.
//!
//! A probe follows a few runs at a time depth first, with backtracking to the last level with other nodes, on a node
//! table of its own. It proves nothing. Most probes are short and follow single runs, each with another seed; the last
//! one is wide.

use super::round::Rounds;
use super::{CoveringSearch, OwnOf, stop};
use crate::probe::luby;
use crate::search::Found;
use crate::space::Space;
use crate::states::Place;
use limits::effort::probes::SHORTEST_IN_ZONES;
use limits::intervals::polling::PROBED_NODES_PER_POLL;
use progress::{Limits, Progress};
use std::hash::Hash;

/// The parameters of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthFirstProbe {
    /// The number of runs followed at a time.
    pub width: usize,
    /// The seed for the order of nodes that were discovered together; 0 for the last ones first.
    pub seed: u64,
    /// The length of the longest run.
    pub max_depth: usize,
    /// The budget of nodes.
    pub max_nodes: u64,
}

impl DepthFirstProbe {
    /// Probes with a common budget of nodes; each number gives other ones.
    pub fn series(number: u64, max_nodes: u64, max_depth: usize) -> Vec<DepthFirstProbe> {
        let mut series = Vec::new();
        let mut n_left = max_nodes / 2;
        for seed in 1.. {
            let max_nodes = SHORTEST_IN_ZONES * luby(seed) as u64;
            if max_nodes > n_left {
                break;
            }
            n_left -= max_nodes;
            series.push(DepthFirstProbe { width: 1, seed: (number << 32) + seed, max_depth, max_nodes });
        }
        series.push(DepthFirstProbe {
            width: PROBED_NODES_PER_POLL,
            seed: number,
            max_depth,
            max_nodes: max_nodes / 2 + n_left,
        });
        series
    }
}

/// A pseudo-random sequence.
struct RandomSequence(u64);

impl RandomSequence {
    fn below(&mut self, n: usize) -> usize {
        self.0 = crate::store::hash(&[self.0]);
        (self.0 % n as u64) as usize
    }

    /// Takes some of the nodes that were discovered together.
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
    /// Follows runs depth first until one reaches a goal of the space; an unsuccessful probe proves nothing. The search
    /// must not have begun.
    pub fn probe<S>(
        &mut self,
        space: &S,
        probe: DepthFirstProbe,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Option<Found>
    where
        S: Space<W, Cell = C>,
    {
        let limits = limits.with_budget(probe.max_nodes);
        let rounds = Rounds::new(space, &self.nodes);
        let mut own = OwnOf::<W, S>::default();
        let mut random = RandomSequence(probe.seed);
        let mut levels = vec![rounds.begin()];
        loop {
            while levels.last().is_some_and(Vec::is_empty) {
                levels.pop();
            }
            let depth = levels.len().checked_sub(1)?;
            let places = random.take(&mut levels[depth], probe.width.max(1), probe.seed == 0);
            let mut next = Vec::new();
            let seen = rounds.expand_alone(&mut own, &places, &mut next);
            let statistics = &mut self.statistics;
            statistics.n_transitions += seen.n_transitions;
            (statistics.n_states, statistics.memory) = self.nodes.size();
            statistics.depth = statistics.depth.max(depth as u64);
            if let Some((place, finding)) = seen.found {
                return Some(Found { finding, place, depth: depth as u64 });
            }
            if stop(statistics, &limits, progress).is_some() {
                return None;
            }
            // Nodes at the last depth are stored but not followed.
            if depth < probe.max_depth {
                levels.push(next);
            }
        }
    }
}
