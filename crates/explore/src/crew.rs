//! The workers of a search, and how they share a round.
//!
//! In a round, some states of a level are expanded and their successors stored. The states are cut into pieces. Whoever is
//! free takes the next piece, expands its states, and sorts their successors by shard. When all pieces are done, whoever
//! is free takes the next shard and adds what arrived there, piece by piece. The order in which a shard meets new states
//! is therefore the order of their discovery, whoever did the work.

use crate::gate::Gate;
use crate::levels::Level;
use crate::space::{Space, Steps, Verdict};
use crate::states::{N_SHARDS, States};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::Scope;

/// Pieces of a round that is shared: several for each worker, so that all are done at about the same time.
const N_PIECES: usize = 32;
/// States in a piece of a round that is not shared: their successors fit into the cache.
const PIECE_ALONE: usize = 512;
/// Rounds with fewer states are not worth waking anybody up.
const MIN_SHARED: usize = 2048;

/// What was seen in a round.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    /// How many steps the states have.
    pub(crate) n_transitions: u64,
    /// The first state that the space said something of, by its position, and what it said.
    pub(crate) found: Option<(usize, u32)>,
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        let found = self.found.into_iter().chain(other.found).min();
        Seen { n_transitions: self.n_transitions + other.n_transitions, found }
    }
}

/// The workers of one search.
pub(crate) struct Crew<'a, const W: usize, S> {
    space: &'a S,
    states: &'a States<W>,
    n_workers: usize,
    is_assembled: AtomicBool,
    gate: Gate,
    round: RwLock<Round>,
    /// One for each piece.
    desks: Vec<RwLock<Desk<W>>>,
    next_piece: AtomicUsize,
    next_shard: AtomicUsize,
}

/// What is to be done.
#[derive(Default)]
struct Round {
    level: Level,
    n_states: usize,
    n_pieces: usize,
    /// There is nothing more to do.
    is_last: bool,
}

/// The states of one piece, expanded.
struct Desk<const W: usize> {
    /// Successors on their way to each shard.
    parcels: Vec<Vec<[u64; W]>>,
    steps: Steps<W>,
    seen: Seen,
}

impl<'a, const W: usize, S: Space<W>> Crew<'a, W, S> {
    pub(crate) fn new(space: &'a S, states: &'a States<W>, n_workers: usize) -> Self {
        Crew {
            space,
            states,
            n_workers,
            is_assembled: AtomicBool::new(false),
            gate: Gate::new(n_workers),
            round: RwLock::default(),
            desks: (0..N_PIECES).map(|_| RwLock::new(Desk::new())).collect(),
            next_piece: AtomicUsize::new(0),
            next_shard: AtomicUsize::new(0),
        }
    }

    /// Expands states and stores their successors.
    pub(crate) fn expand<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, level: Level) -> Seen {
        let n_states = level.len();
        if self.n_workers == 1 || n_states < MIN_SHARED {
            return self.expand_alone(&level, n_states);
        }
        if !self.is_assembled.swap(true, Ordering::Relaxed) {
            for _ in 1..self.n_workers {
                scope.spawn(|| self.serve());
            }
        }
        *write(&self.round) = Round { level, n_states, n_pieces: N_PIECES, is_last: false };
        self.next_piece.store(0, Ordering::Relaxed);
        self.next_shard.store(0, Ordering::Relaxed);
        self.take_part();
        self.desks.iter().map(|desk| read(desk).seen).fold(Seen::default(), Seen::and)
    }

    /// Sends everybody home.
    pub(crate) fn dismiss(&self) {
        if self.is_assembled.load(Ordering::Relaxed) {
            write(&self.round).is_last = true;
            self.gate.pass();
        }
    }

    fn expand_alone(&self, level: &Level, n_states: usize) -> Seen {
        let mut seen = Seen::default();
        let desk = &mut *write(&self.desks[0]);
        for start in (0..n_states).step_by(PIECE_ALONE) {
            desk.expand(self.space, self.states, level, start..n_states.min(start + PIECE_ALONE));
            seen = seen.and(desk.seen);
            for (shard, parcel) in desk.parcels.iter().enumerate().filter(|(_, parcel)| !parcel.is_empty()) {
                self.states.write(shard).insert_all(parcel);
            }
        }
        seen
    }

    /// What the other workers do.
    fn serve(&self) {
        let _guard = self.gate.guard();
        while self.take_part() {}
    }

    /// Does a share of a round; false if there is none.
    fn take_part(&self) -> bool {
        self.gate.pass();
        let round = read(&self.round);
        if round.is_last {
            return false;
        }
        let claim = |next: &AtomicUsize| next.fetch_add(1, Ordering::Relaxed);
        let mut piece = claim(&self.next_piece);
        while piece < round.n_pieces {
            let bound = |piece: usize| piece * round.n_states / round.n_pieces;
            write(&self.desks[piece]).expand(self.space, self.states, &round.level, bound(piece)..bound(piece + 1));
            piece = claim(&self.next_piece);
        }
        self.gate.pass();
        let desks: Vec<RwLockReadGuard<'_, Desk<W>>> = self.desks.iter().map(read).collect();
        let mut shard = claim(&self.next_shard);
        while shard < N_SHARDS {
            let mut states = self.states.write(shard);
            desks.iter().for_each(|desk| states.insert_all(&desk.parcels[shard]));
            shard = claim(&self.next_shard);
        }
        drop((desks, round));
        self.gate.pass();
        true
    }
}

impl<const W: usize> Desk<W> {
    fn new() -> Desk<W> {
        Desk { parcels: vec![Vec::new(); N_SHARDS], steps: Steps::new(), seen: Seen::default() }
    }

    /// Expands the states at some positions.
    fn expand(&mut self, space: &impl Space<W>, states: &States<W>, level: &Level, positions: std::ops::Range<usize>) {
        self.parcels.iter_mut().for_each(Vec::clear);
        self.seen = Seen::default();
        let mut position = positions.start;
        for run in level.slice(positions) {
            let shard = states.read(run.shard);
            for number in run.start..run.end {
                self.expand_state(space, shard.state(number), position);
                position += 1;
            }
        }
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

/// A panic of another worker is noticed at the gate, so nobody looks at what it left.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().expect("no worker has panicked")
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().expect("no worker has panicked")
}
