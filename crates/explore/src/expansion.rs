//! Rounds of a parallel breadth-first search.
//!
//! A round expands some states of a level and stores their successors, in three phases with a barrier between them.
//! First, idle workers take pieces of the states, expand them and sort the successors by shard. Then idle workers take
//! shards and insert the arrivals, piece by piece. Last, the new states of each piece are put into the order of their
//! discovery, which is independent of the workers: states are expanded in this order, and shards store them in it.

use crate::interruption::Interruption;
use crate::piece::{Arrivals, Own, Piece, Seen, Task};
use crate::space::PlainSpace;
use crate::states::{N_SHARDS, Place, States};
use crate::workers::{Work, WorkerPool};
use limits::intervals::slices::{EXPANSION_PIECE, MIN_SHARED, MIN_SORTED, PIECES_PER_WORKER};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The parallel execution of all rounds of a search.
pub(crate) struct Expansion<'a, const W: usize, S> {
    task: Task<'a, W, S>,
    round: RwLock<Round<W>>,
    /// The arrivals of each shard.
    arrivals: Vec<RwLock<Arrivals>>,
}

/// The current round.
struct Round<const W: usize> {
    phase: Phase,
    places: Vec<Place>,
    /// The number of states of a piece.
    piece: usize,
    n_pieces: usize,
    pieces: Vec<RwLock<Piece<W>>>,
}

#[derive(Clone, Copy)]
enum Phase {
    /// All phases on one worker, for few states.
    Few,
    /// Expansion of pieces.
    Expand,
    /// Insertion of arrivals into shards.
    Store,
    /// Ordering of the new states.
    Order,
}

impl<'a, const W: usize, S: PlainSpace<W>> Expansion<'a, W, S> {
    pub(crate) fn new(space: &'a S, states: &'a States<W>, interruption: &'a Interruption<'a>) -> Self {
        let task = Task { space, states, interruption, costs: space.costs() };
        let pieces = vec![RwLock::default()];
        let round = Round { phase: Phase::Few, places: Vec::new(), piece: 0, n_pieces: 0, pieces };
        let arrivals = (0..N_SHARDS).map(|_| RwLock::default()).collect();
        Expansion { task, round: RwLock::new(round), arrivals }
    }

    /// Expands states and stores their successors; new ones are appended to `next`. Returns the number of expanded
    /// states, which is smaller after cancellation: nothing is stored of the others.
    pub(crate) fn expand(
        &self,
        workers: &WorkerPool<'_, '_, Self>,
        places: &[Place],
        next: &mut Vec<Place>,
    ) -> (usize, Seen) {
        let n_workers = if places.len() < MIN_SHARED { 1 } else { workers.n_workers() };
        let n_pieces = self.write(&self.round).cut(places, n_workers);
        let run = |phase: Phase, n_shares: usize| {
            self.write(&self.round).phase = phase;
            if n_workers == 1 { workers.run_alone(n_shares) } else { workers.run_shares(n_shares) }
        };
        if places.len() < MIN_SORTED {
            run(Phase::Few, 1);
        } else {
            run(Phase::Expand, n_pieces);
            if self.task.interruption.why().is_some() {
                return (0, Seen::default());
            }
            run(Phase::Store, N_SHARDS);
            run(Phase::Order, n_pieces);
        }
        let round = self.read(&self.round);
        let n_taken = if places.len() < MIN_SORTED { self.read(&round.pieces[0]).n_taken } else { places.len() };
        let seen = round.pieces[..n_pieces].iter().fold(Seen::default(), |seen, piece| {
            let piece = self.read(piece);
            next.extend_from_slice(&piece.new);
            seen.and(piece.seen)
        });
        (n_taken, seen)
    }

    fn read<'l, T>(&self, lock: &'l RwLock<T>) -> RwLockReadGuard<'l, T> {
        lock.read().expect("no worker has panicked")
    }

    fn write<'l, T>(&self, lock: &'l RwLock<T>) -> RwLockWriteGuard<'l, T> {
        lock.write().expect("no worker has panicked")
    }
}

impl<const W: usize> Round<W> {
    /// Starts a round with these states; returns the number of pieces.
    fn cut(&mut self, places: &[Place], n_workers: usize) -> usize {
        self.places.clear();
        self.places.extend_from_slice(places);
        let n_wanted = if n_workers == 1 { 1 } else { PIECES_PER_WORKER * n_workers };
        self.piece = (places.len() / n_wanted).clamp(EXPANSION_PIECE.0, EXPANSION_PIECE.1);
        self.n_pieces = places.len().div_ceil(self.piece);
        if self.pieces.len() < self.n_pieces {
            self.pieces.resize_with(self.n_pieces, RwLock::default);
        }
        self.n_pieces
    }
}

impl<const W: usize, S: PlainSpace<W>> Work for Expansion<'_, W, S> {
    type Own = Own<W>;

    fn share(&self, own: &mut Own<W>, number: usize) {
        let round = self.read(&self.round);
        match round.phase {
            Phase::Few => self.write(&round.pieces[0]).take_few(own, &self.task, &round.places),
            Phase::Expand if self.task.interruption.why().is_some() => {}
            Phase::Expand => {
                own.recent.make_room(&self.task.space.initial());
                let places = &round.places[number * round.piece..];
                let places = &places[..places.len().min(round.piece)];
                self.write(&round.pieces[number]).expand(own, &self.task, places);
            }
            Phase::Store => {
                let (mut shard, mut arrivals) = (self.task.states.write(number), self.write(&self.arrivals[number]));
                arrivals.clear();
                for piece in &round.pieces[..round.n_pieces] {
                    arrivals.store(number, &mut shard, &self.read(piece));
                }
            }
            Phase::Order => {
                let arrivals: Vec<_> = self.arrivals.iter().map(|arrivals| self.read(arrivals)).collect();
                self.write(&round.pieces[number]).order(number, &arrivals);
            }
        }
    }
}
