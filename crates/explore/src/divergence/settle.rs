//! Non-divergent states by a backward fixed point: all their silent steps lead to such states.

use super::Places;
use crate::levels::{Level, Levels};
use crate::lookups::Lookups;
use crate::space::{Node, PlainSpace, Steps};
use crate::states::{Place, States};
use crate::workers::{Work, with_workers};
use limits::intervals::slices::STATES_PER_PIECE;
use lts::Label;
use progress::{Interrupt, Stop};
use std::ops::ControlFlow;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Computes non-divergent states: all of them, if silent steps always lead to a deeper level.
///
/// Each pass takes the levels from the last to the first. Passes are repeated as long as they halve the number of
/// remaining states, so the total work is at most that of two passes over all states.
pub(super) fn settle<const W: usize>(
    states: &States<W>,
    levels: &Levels,
    space: &impl PlainSpace<W>,
    n_workers: usize,
    keep_on: &dyn Fn() -> ControlFlow<Interrupt>,
) -> Result<Places, Stop> {
    let pass = Pass {
        states,
        space,
        settled: Places::none_of(states),
        level: RwLock::default(),
        n_remaining: AtomicU64::new(0),
    };
    let mut n_remaining = states.len();
    with_workers(&pass, n_workers.max(1), |workers| {
        loop {
            for level in levels.backward(levels.len()) {
                let n_pieces = level.len().div_ceil(STATES_PER_PIECE);
                *pass.level.write().expect("no worker has panicked") = level;
                workers.run_shares(n_pieces);
                if let ControlFlow::Break(why) = keep_on() {
                    return Err(Stop::Interrupted(why));
                }
            }
            let n_remaining_now = pass.n_remaining.swap(0, Ordering::Relaxed);
            if n_remaining_now == 0 || n_remaining_now * 2 > n_remaining {
                return Ok(());
            }
            n_remaining = n_remaining_now;
        }
    })?;
    Ok(pass.settled)
}

/// One pass, level by level.
struct Pass<'a, const W: usize, S> {
    states: &'a States<W>,
    space: &'a S,
    settled: Places,
    level: RwLock<Level>,
    n_remaining: AtomicU64,
}

impl<const W: usize, S: PlainSpace<W>> Work for Pass<'_, W, S> {
    type Own = Buffers<W>;

    fn share(&self, buffers: &mut Buffers<W>, number: usize) {
        let level = self.level.read().expect("no worker has panicked");
        let piece = Level { runs: level.slice(number * STATES_PER_PIECE..(number + 1) * STATES_PER_PIECE).collect() };
        let n_remaining = buffers.settle(self.states, self.space, &self.settled, &piece);
        self.n_remaining.fetch_add(n_remaining, Ordering::Relaxed);
    }
}

/// Buffers of a worker.
struct Buffers<const W: usize> {
    steps: Steps<W>,
    lookups: Lookups<W>,
    /// States that are not settled, and whether a silent step leads to such a state.
    doubtful: Vec<(Place, bool)>,
}

impl<const W: usize> Default for Buffers<W> {
    fn default() -> Self {
        Buffers { steps: Steps::new(), lookups: Lookups::default(), doubtful: Vec::new() }
    }
}

impl<const W: usize> Buffers<W> {
    /// Settles states of a piece; returns the number of remaining ones.
    fn settle(&mut self, states: &States<W>, space: &impl PlainSpace<W>, settled: &Places, piece: &Level) -> u64 {
        self.doubtful.clear();
        for run in &piece.runs {
            let shard = states.read(run.shard);
            for number in run.start..run.end {
                let place = Place::new(run.shard, number);
                if settled.contains(place) {
                    continue;
                }
                self.steps.clear();
                _ = space.expand(Node::of(shard.state(number)), &mut (), &mut self.steps);
                for step in self.steps.iter().filter(|step| step.label == Label::TAU) {
                    self.lookups.add_lookup(step.target, self.doubtful.len() as u32);
                }
                self.doubtful.push((place, false));
            }
        }
        self.lookups.answer(states, |asker, target| {
            self.doubtful[asker as usize].1 |= target.is_none_or(|target| !settled.contains(target));
        });
        let mut n_remaining = 0;
        for &(place, may_diverge) in &self.doubtful {
            if may_diverge {
                n_remaining += 1;
            } else {
                settled.add(place);
            }
        }
        n_remaining
    }
}
