//! Rounds of a search with covering, distributed among workers.

use super::OwnOf;
use super::store::Nodes;
use crate::space::{Judgment, Node, Space, Steps};
use crate::states::{N_SHARDS, Place};
use crate::workers::{Work, WorkerPool};
use limits::intervals::slices::{COVERING_PIECE, COVERING_SHARED};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The parallel execution of all rounds of a search.
pub(super) struct Rounds<'a, const W: usize, S: Space<W>> {
    space: &'a S,
    nodes: &'a Nodes<W, S::Cell>,
    round: RwLock<Round<W, S::Cell>>,
    /// The new nodes of each shard.
    new: Vec<RwLock<Vec<Place>>>,
}

struct Round<const W: usize, C> {
    is_storing: bool,
    places: Vec<Place>,
    pieces: Vec<RwLock<Piece<W, C>>>,
}

/// Counts and findings of some expanded nodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) n_transitions: u64,
    /// The first goal of the space, with its number.
    pub(super) found: Option<(Place, u32)>,
}

/// The buffers of a worker.
pub(crate) struct Own<const W: usize, C, B> {
    buffers: B,
    detail: Vec<C>,
    steps: Steps<W, C>,
}

impl<const W: usize, C, B: Default> Default for Own<W, C, B> {
    fn default() -> Self {
        Own { buffers: B::default(), detail: Vec::new(), steps: Steps::default() }
    }
}

/// The successors of some nodes.
struct Piece<const W: usize, C> {
    sent: Vec<Sent<W>>,
    cells: Vec<C>,
    /// The successors, by shard.
    order: Vec<u32>,
    /// The first successor of each shard in that order.
    starts: [u32; N_SHARDS + 1],
    seen: Seen,
}

#[derive(Clone, Copy)]
struct Sent<const W: usize> {
    state: [u64; W],
    before: Option<Place>,
    end: u32,
    shard: u8,
}

impl<const W: usize, C: Copy> Piece<W, C> {
    fn new() -> Self {
        let (sent, cells, order) = (Vec::new(), Vec::new(), Vec::new());
        Piece { sent, cells, order, starts: [0; N_SHARDS + 1], seen: Seen::default() }
    }

    fn clear(&mut self) {
        self.sent.clear();
        self.cells.clear();
        self.seen = Seen::default();
    }

    fn send(&mut self, state: &[u64; W], shard: usize, cells: &[C], before: Option<Place>) {
        self.cells.extend_from_slice(cells);
        self.sent.push(Sent { state: *state, before, end: self.cells.len() as u32, shard: shard as u8 });
    }

    /// Sorts the successors by shard, and within each by discovery.
    fn sort(&mut self) {
        let mut counts = [0; N_SHARDS];
        self.sent.iter().for_each(|sent| counts[sent.shard as usize] += 1);
        let mut sum = 0;
        for (shard, count) in counts.iter_mut().enumerate() {
            self.starts[shard] = sum;
            sum += std::mem::replace(count, sum);
        }
        self.starts[N_SHARDS] = sum;
        self.order.clear();
        self.order.resize(self.sent.len(), 0);
        for (number, sent) in (0..).zip(&self.sent) {
            let place = &mut counts[sent.shard as usize];
            self.order[*place as usize] = number;
            *place += 1;
        }
    }

    /// The successors for a shard.
    fn of(&self, shard: usize) -> impl Iterator<Item = (&Sent<W>, &[C])> {
        let numbers = &self.order[self.starts[shard] as usize..self.starts[shard + 1] as usize];
        numbers.iter().map(|&number| {
            let number = number as usize;
            let start = number.checked_sub(1).map_or(0, |before| self.sent[before].end);
            (&self.sent[number], &self.cells[start as usize..self.sent[number].end as usize])
        })
    }
}

impl<'a, const W: usize, S: Space<W>> Rounds<'a, W, S> {
    pub(super) fn new(space: &'a S, nodes: &'a Nodes<W, S::Cell>) -> Self {
        let round = Round { is_storing: false, places: Vec::new(), pieces: Vec::new() };
        let new = (0..N_SHARDS).map(|_| RwLock::default()).collect();
        Rounds { space, nodes, round: RwLock::new(round), new }
    }

    /// Stores the first nodes; returns their places.
    pub(super) fn begin(&self) -> Vec<Place> {
        let mut steps = Steps::default();
        self.space.begin(&mut S::Buffers::default(), &mut steps);
        let mut places = Vec::new();
        for (step, cells) in steps.with_details() {
            let shard = Nodes::<W, S::Cell>::shard_of(&step.target);
            let number = self.nodes.write(shard).insert(self.space, &step.target, cells, None);
            places.extend(number.map(|number| Place::new(shard, number)));
        }
        places
    }

    /// Expands nodes and stores their successors; new ones are added to `next`.
    pub(super) fn expand(&self, workers: &WorkerPool<'_, '_, Self>, places: &[Place], next: &mut Vec<Place>) -> Seen
    where
        S: Sync,
    {
        self.expand_by(places, next, |n_shares| {
            if places.len() < COVERING_SHARED { workers.run_alone(n_shares) } else { workers.run_shares(n_shares) }
        })
    }

    /// [`Self::expand`] on the calling thread.
    pub(super) fn expand_alone(&self, own: &mut OwnOf<W, S>, places: &[Place], next: &mut Vec<Place>) -> Seen {
        self.expand_by(places, next, |n_shares| (0..n_shares).for_each(|number| self.do_share(own, number)))
    }

    fn expand_by(&self, places: &[Place], next: &mut Vec<Place>, mut run: impl FnMut(usize)) -> Seen {
        let n_pieces = self.cut(places);
        run(n_pieces);
        write(&self.round).is_storing = true;
        run(N_SHARDS);
        for new in &self.new {
            next.append(&mut write(new));
        }
        let round = read(&self.round);
        round.pieces[..n_pieces].iter().fold(Seen::default(), |sum, piece| {
            let seen = read(piece).seen;
            Seen {
                n_transitions: sum.n_transitions + seen.n_transitions,
                found: sum.found.into_iter().chain(seen.found).min(),
            }
        })
    }

    fn do_share(&self, own: &mut OwnOf<W, S>, number: usize) {
        let round = read(&self.round);
        if round.is_storing {
            self.store(&round, number);
        } else {
            let places = &round.places[number * COVERING_PIECE..];
            let places = &places[..places.len().min(COVERING_PIECE)];
            self.expand_piece(own, &mut write(&round.pieces[number]), places);
        }
    }

    fn cut(&self, places: &[Place]) -> usize {
        let mut round = write(&self.round);
        round.is_storing = false;
        round.places.clear();
        round.places.extend_from_slice(places);
        let n_pieces = places.len().div_ceil(COVERING_PIECE);
        while round.pieces.len() < n_pieces {
            round.pieces.push(RwLock::new(Piece::new()));
        }
        // Clears successors of an earlier, larger round, which must not be stored again.
        round.pieces[n_pieces..].iter().for_each(|piece| {
            let mut piece = write(piece);
            piece.clear();
            piece.sort();
        });
        n_pieces
    }

    fn expand_piece(&self, own: &mut OwnOf<W, S>, piece: &mut Piece<W, S::Cell>, places: &[Place]) {
        piece.clear();
        for &place in places {
            let state = {
                let shard = self.nodes.read(place.shard());
                if shard.is_covered(place.number()) {
                    continue;
                }
                let (state, detail) = shard.get(place.number());
                own.detail.clear();
                own.detail.extend_from_slice(detail);
                *state
            };
            own.steps.clear();
            let node = Node { state: &state, detail: &own.detail };
            let judgment = self.space.expand(node, &mut own.buffers, &mut own.steps);
            for (step, cells) in own.steps.with_details() {
                piece.send(&step.target, Nodes::<W, S::Cell>::shard_of(&step.target), cells, Some(place));
            }
            piece.seen.n_transitions += own.steps.len() as u64;
            if let Judgment::Found(finding) = judgment {
                piece.seen.found = piece.seen.found.into_iter().chain([(place, finding)]).min();
            }
        }
        piece.sort();
    }

    fn store(&self, round: &Round<W, S::Cell>, number: usize) {
        let (mut shard, mut new) = (self.nodes.write(number), write(&self.new[number]));
        for piece in &round.pieces {
            for (sent, cells) in read(piece).of(number) {
                let added = shard.insert(self.space, &sent.state, cells, sent.before);
                new.extend(added.map(|node| Place::new(number, node)));
            }
        }
    }
}

impl<const W: usize, S: Space<W> + Sync> Work for Rounds<'_, W, S> {
    type Own = OwnOf<W, S>;

    fn share(&self, own: &mut Self::Own, number: usize) {
        self.do_share(own, number);
    }
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().expect("no worker has panicked")
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().expect("no worker has panicked")
}
