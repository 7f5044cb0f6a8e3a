//! Rounds of a search, shared by workers.
//!
//! In a round, some states of a level are expanded and their successors stored. First the states are cut into pieces;
//! whoever is free takes the next piece, expands its states, and sorts their successors by shard. Then whoever is free takes
//! the next shard and adds what arrived there, piece by piece. The order in which a shard meets new states is therefore
//! the order of their discovery, whoever did the work.

use crate::levels::Level;
use crate::shard_buffers::ShardBuffers;
use crate::space::{Space, Steps, Verdict};
use crate::states::{N_SHARDS, States};
use crate::store::bits;
use crate::workers::{Work, WorkerPool};
use std::ops::Range;
use std::sync::{RwLock, RwLockWriteGuard};

/// Pieces of a round, at most, for few workers: enough for all to be done at about the same time.
const N_PIECES: usize = 8;
/// States of a piece, at least: so many that each shard gets something to do from them.
const MIN_PIECE: usize = 512;
/// Rounds with fewer states are not worth waking anybody up.
const MIN_SHARED: usize = 4 * MIN_PIECE;

/// What was seen in a round.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    /// The shards that successors went to, one bit each.
    pub(crate) shards: u64,
    /// How many steps the states have.
    pub(crate) n_transitions: u64,
    /// The first state that the space said something of, by its position, and what it said.
    pub(crate) found: Option<(usize, u32)>,
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        Seen {
            shards: self.shards | other.shards,
            n_transitions: self.n_transitions + other.n_transitions,
            found: self.found.into_iter().chain(other.found).min(),
        }
    }
}

/// The work on all rounds of a search.
pub(crate) struct Expansion<'a, const W: usize, S> {
    space: &'a S,
    states: &'a States<W>,
    round: RwLock<Round>,
    /// One for each piece.
    batches: Vec<RwLock<Batch<W>>>,
}

/// What is to be done.
#[derive(Default)]
struct Round {
    level: Level,
    n_states: usize,
    n_pieces: usize,
    /// Whether all pieces are expanded, and what their batches have is to be stored.
    is_expanded: bool,
}

/// The states of one piece, expanded.
#[derive(Default)]
struct Batch<const W: usize> {
    shard_buffers: ShardBuffers<W>,
    steps: Steps<W>,
    seen: Seen,
}

impl<'a, const W: usize, S: Space<W>> Expansion<'a, W, S> {
    pub(crate) fn new(space: &'a S, states: &'a States<W>, n_workers: usize) -> Self {
        let n_batches = if n_workers == 1 { 1 } else { N_PIECES.max(4 * n_workers) };
        let batches = (0..n_batches).map(|_| RwLock::default()).collect();
        Expansion { space, states, round: RwLock::default(), batches }
    }

    /// Expands states and stores their successors.
    pub(crate) fn expand(&self, workers: &WorkerPool<'_, '_, Self>, level: Level) -> Seen {
        let n_states = level.len();
        if workers.n_workers() == 1 || n_states < MIN_SHARED {
            return self.expand_alone(&level, n_states);
        }
        let n_pieces = (n_states / MIN_PIECE).min(self.batches.len());
        *self.round() = Round { level, n_states, n_pieces, is_expanded: false };
        workers.run_shares(n_pieces);
        self.round().is_expanded = true;
        workers.run_shares(N_SHARDS);
        (0..n_pieces).fold(Seen::default(), |seen, piece| seen.and(self.batch(piece).seen))
    }

    fn expand_alone(&self, level: &Level, n_states: usize) -> Seen {
        let mut batch = self.batch(0);
        batch.expand(self.space, self.states, level, 0..n_states);
        for shard in bits(batch.seen.shards) {
            let mut kept = self.states.write(shard);
            batch.shard_buffers.of(shard).for_each(|states| kept.insert_all(states));
        }
        batch.seen
    }

    fn round(&self) -> RwLockWriteGuard<'_, Round> {
        self.round.write().expect("no worker has panicked")
    }

    fn batch(&self, piece: usize) -> RwLockWriteGuard<'_, Batch<W>> {
        self.batches[piece].write().expect("no worker has panicked")
    }
}

impl<const W: usize, S: Space<W>> Work for Expansion<'_, W, S> {
    fn share(&self, number: usize) {
        let round = self.round.read().expect("no worker has panicked");
        if round.is_expanded {
            let mut shard = self.states.write(number);
            for batch in &self.batches[..round.n_pieces] {
                let batch = batch.read().expect("no worker has panicked");
                batch.shard_buffers.of(number).for_each(|states| shard.insert_all(states));
            }
        } else {
            let bound = |piece: usize| piece * round.n_states / round.n_pieces;
            self.batch(number).expand(self.space, self.states, &round.level, bound(number)..bound(number + 1));
        }
    }
}

impl<const W: usize> Batch<W> {
    /// Expands the states at some positions.
    fn expand(&mut self, space: &impl Space<W>, states: &States<W>, level: &Level, positions: Range<usize>) {
        self.shard_buffers.clear();
        self.seen = Seen::default();
        let mut position = positions.start;
        for run in level.slice(positions) {
            let shard = states.read(run.shard);
            for number in run.start..run.end {
                self.expand_state(space, shard.state(number), position);
                position += 1;
            }
        }
        self.seen.shards = self.shard_buffers.shards();
    }

    fn expand_state(&mut self, space: &impl Space<W>, state: &[u64; W], position: usize) {
        self.steps.clear();
        if let Verdict::Found(what) = space.expand(state, &mut self.steps) {
            self.seen.found.get_or_insert((position, what));
        }
        self.seen.n_transitions += self.steps.len() as u64;
        self.steps.iter().for_each(|step| self.shard_buffers.send(&step.target));
    }
}
