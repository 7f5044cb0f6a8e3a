//! Rounds of a search, shared by workers.
//!
//! In a round, some states of a level are expanded and their successors stored. First the states are cut into pieces;
//! whoever is free takes the next piece, expands its states, and sorts their successors by shard. Then whoever is free takes
//! the next shard and adds what arrived there, piece by piece. The order in which a shard meets new states is therefore
//! the order of their discovery, whoever did the work.

use crate::levels::Level;
use crate::space::{Space, Steps, Verdict};
use crate::states::{N_SHARDS, States};
use crate::store::bits;
use crate::team::{Team, Work};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, RwLock};

/// Pieces of a round, at most, for few workers: enough for all to be done at about the same time.
const N_PIECES: usize = 32;
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
    round: RwLock<Round<W>>,
    /// One for each piece.
    desks: Vec<Mutex<Desk<W>>>,
}

/// What is to be done.
struct Round<const W: usize> {
    level: Level,
    n_states: usize,
    n_pieces: usize,
    /// What is to be stored of each piece, once all are expanded.
    parcels: Vec<Parcels<W>>,
}

/// States on their way to each shard.
type Parcels<const W: usize> = Vec<Vec<[u64; W]>>;

/// The states of one piece, expanded.
struct Desk<const W: usize> {
    parcels: Parcels<W>,
    steps: Steps<W>,
    seen: Seen,
}

impl<'a, const W: usize, S: Space<W>> Expansion<'a, W, S> {
    pub(crate) fn new(space: &'a S, states: &'a States<W>, n_workers: usize) -> Self {
        let round = Round { level: Level::default(), n_states: 0, n_pieces: 0, parcels: Vec::new() };
        let n_desks = if n_workers == 1 { 1 } else { N_PIECES.max(4 * n_workers) };
        let desks = (0..n_desks).map(|_| Mutex::default()).collect();
        Expansion { space, states, round: RwLock::new(round), desks }
    }

    /// Expands states and stores their successors.
    pub(crate) fn expand(&self, team: &Team<'_, '_, Self>, level: Level) -> Seen {
        let n_states = level.len();
        if team.n_workers() == 1 || n_states < MIN_SHARED {
            return self.expand_alone(&level, n_states);
        }
        let n_pieces = (n_states / MIN_PIECE).min(self.desks.len());
        self.announce(Round { level, n_states, n_pieces, parcels: Vec::new() });
        team.together(n_pieces);
        let mut seen = Seen::default();
        let mut parcels = Vec::with_capacity(n_pieces);
        for piece in 0..n_pieces {
            let mut desk = self.desk(piece);
            seen = seen.and(desk.seen);
            parcels.push(std::mem::take(&mut desk.parcels));
        }
        self.announce(Round { level: Level::default(), n_states, n_pieces, parcels });
        team.together(N_SHARDS);
        // Their memory is used again.
        let parcels = std::mem::take(&mut self.round.write().expect("no worker has panicked").parcels);
        parcels.into_iter().enumerate().for_each(|(piece, parcels)| self.desk(piece).parcels = parcels);
        seen
    }

    fn expand_alone(&self, level: &Level, n_states: usize) -> Seen {
        let mut desk = self.desk(0);
        desk.expand(self.space, self.states, level, 0..n_states);
        for shard in bits(desk.seen.shards) {
            self.states.write(shard).insert_all(&desk.parcels[shard]);
        }
        desk.seen
    }

    fn announce(&self, round: Round<W>) {
        *self.round.write().expect("no worker has panicked") = round;
    }

    fn desk(&self, piece: usize) -> MutexGuard<'_, Desk<W>> {
        self.desks[piece].lock().expect("no worker has panicked")
    }
}

impl<const W: usize, S: Space<W>> Work for Expansion<'_, W, S> {
    fn share(&self, number: usize) {
        let round = self.round.read().expect("no worker has panicked");
        if round.parcels.is_empty() {
            let bound = |piece: usize| piece * round.n_states / round.n_pieces;
            self.desk(number).expand(self.space, self.states, &round.level, bound(number)..bound(number + 1));
        } else {
            let mut shard = self.states.write(number);
            round.parcels.iter().for_each(|parcels| shard.insert_all(&parcels[number]));
        }
    }
}

impl<const W: usize> Default for Desk<W> {
    fn default() -> Self {
        Desk { parcels: vec![Vec::new(); N_SHARDS], steps: Steps::new(), seen: Seen::default() }
    }
}

impl<const W: usize> Desk<W> {
    /// Expands the states at some positions.
    fn expand(&mut self, space: &impl Space<W>, states: &States<W>, level: &Level, positions: Range<usize>) {
        bits(self.seen.shards).for_each(|shard| self.parcels[shard].clear());
        self.seen = Seen::default();
        let mut position = positions.start;
        for run in level.slice(positions) {
            let shard = states.read(run.shard);
            for number in run.start..run.end {
                self.expand_state(space, shard.state(number), position);
                position += 1;
            }
        }
        let filled = self.parcels.iter().map(|parcel| u64::from(!parcel.is_empty()));
        self.seen.shards = filled.rev().fold(0, |bits, is_filled| bits << 1 | is_filled);
    }

    fn expand_state(&mut self, space: &impl Space<W>, state: &[u64; W], position: usize) {
        self.steps.clear();
        if let Verdict::Found(what) = space.expand(state, &mut self.steps) {
            self.seen.found.get_or_insert((position, what));
        }
        self.seen.n_transitions += self.steps.len() as u64;
        for step in &self.steps {
            self.parcels[States::shard_of(&step.target)].push(step.target);
        }
    }
}
