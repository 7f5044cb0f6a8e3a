//! Reconstruction of shortest paths.
//!
//! States do not store their predecessors. Each level is expanded again until the predecessor is found, which costs at
//! most as much as the search did.

use crate::levels::{Level, Levels};
use crate::network::NetworkSpace;
use crate::space::{Node, PlainSpace, Steps};
use crate::states::{Place, States};
use crate::workers::{Work, with_workers};
use limits::intervals::slices::STATES_PER_PIECE;
use model::data::Valuation;
use model::network::NetworkStep;
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The states on a shortest path to a state at `depth`, both ends included.
pub(crate) fn path_to<const W: usize>(
    states: &States<W>,
    levels: &Levels,
    space: &impl PlainSpace<W>,
    (place, depth): (Place, u64),
    n_workers: usize,
) -> Vec<[u64; W]> {
    let wanted = RwLock::new(SearchTarget { target: states.get(place), before: Level::default() });
    let search = PredecessorSearch { states, space, wanted, first: AtomicUsize::new(0) };
    let mut path = vec![states.get(place)];
    with_workers(&search, n_workers.max(1), |workers| {
        for level in levels.backward(depth as usize) {
            let n_pieces = level.len().div_ceil(STATES_PER_PIECE);
            search.first.store(usize::MAX, Ordering::Relaxed);
            search.wanted.write().expect("no worker has panicked").before = level;
            workers.run_shares(n_pieces);
            let mut wanted = search.wanted.write().expect("no worker has panicked");
            let first = search.first.load(Ordering::Relaxed);
            let place = wanted.before.slice(first..first + 1).next();
            let place = place.expect("a state of one level is a successor of the level before");
            wanted.target = states.get(Place::new(place.shard, place.start));
            path.push(wanted.target);
        }
    });
    path.reverse();
    path
}

/// The steps of a network along a path of its space.
pub(crate) fn steps_along<const W: usize>(
    space: &impl PlainSpace<W>,
    network: &NetworkSpace<'_>,
    path: &[[u64; W]],
) -> Vec<NetworkStep> {
    let mut steps = Steps::new();
    let mut before: Option<Valuation> = None;
    let mut between = |source: &[u64; W], target: &[u64; W]| {
        steps.clear();
        _ = space.expand(Node::of(source), &mut (), &mut steps);
        let step = steps.iter().find(|step| step.target == *target).expect("a path follows steps");
        let mut target = network.unpack(target);
        // Sharing with the predecessors avoids memory quadratic in the length of the run if states are as long as runs.
        before.iter().for_each(|before| target.data.share_with(before));
        before = Some(target.data.clone());
        NetworkStep { rule: step.rule, label: step.label, target }
    };
    path.windows(2).map(|pair| between(&pair[0], &pair[1])).collect()
}

/// The search for the first state of a level from which a step leads to a given state.
struct PredecessorSearch<'a, const W: usize, S> {
    states: &'a States<W>,
    space: &'a S,
    wanted: RwLock<SearchTarget<W>>,
    /// Its position in the level, once found.
    first: AtomicUsize,
}

struct SearchTarget<const W: usize> {
    target: [u64; W],
    before: Level,
}

impl<const W: usize, S: PlainSpace<W>> Work for PredecessorSearch<'_, W, S> {
    type Own = Steps<W>;

    fn share(&self, steps: &mut Steps<W>, number: usize) {
        let wanted = self.wanted.read().expect("no worker has panicked");
        let mut position = number * STATES_PER_PIECE;
        if self.first.load(Ordering::Relaxed) < position {
            return;
        }
        for run in wanted.before.slice(position..position + STATES_PER_PIECE) {
            let shard = self.states.read(run.shard);
            for number in run.start..run.end {
                steps.clear();
                _ = self.space.expand(Node::of(shard.state(number)), &mut (), steps);
                if steps.iter().any(|step| step.target == wanted.target) {
                    self.first.fetch_min(position, Ordering::Relaxed);
                    return;
                }
                position += 1;
            }
        }
    }
}
