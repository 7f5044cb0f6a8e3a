//! A piece of a round: some states of a level, their successors, and which of these are new.
//!
//! Successors are sorted by shard, and within a shard by the order of discovery. After all shards have marked the new
//! ones, the common order of discovery is restored.

use crate::interruption::{Effort, Interruption};
use crate::recent::Recent;
use crate::space::{Costs, Judgment, Node, PlainSpace, Steps};
use crate::states::{N_SHARDS, Place, States, shard_by};
use crate::store::{Shard, hash};
use std::ops::Deref;

/// Statistics and findings of expanded states.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    /// The shards of the successors, as a bit set.
    pub(crate) shards: u64,
    /// The number of steps.
    pub(crate) n_transitions: u64,
    /// The first state with a finding, and the finding.
    pub(crate) found: Option<(Place, u32)>,
}

impl Seen {
    pub(crate) fn and(self, other: Seen) -> Seen {
        Seen {
            shards: self.shards | other.shards,
            n_transitions: self.n_transitions + other.n_transitions,
            found: self.found.into_iter().chain(other.found).min(),
        }
    }
}

/// Buffers of a worker.
#[derive(Default)]
pub(crate) struct Own<const W: usize> {
    pub(crate) recent: Recent<W>,
    steps: Steps<W>,
    /// Successors in the order of discovery.
    sent: Vec<[u64; W]>,
    effort: Effort,
}

/// The parameters of an expansion.
pub(crate) struct Task<'a, const W: usize, S> {
    pub(crate) space: &'a S,
    pub(crate) states: &'a States<W>,
    pub(crate) interruption: &'a Interruption<'a>,
    pub(crate) costs: Costs,
}

impl<const W: usize, S: PlainSpace<W>> Task<'_, W, S> {
    /// Counts the work of a state; returns whether to stop.
    #[inline]
    fn is_over(&self, effort: &mut Effort, n_steps: usize) -> bool {
        self.interruption.is_over_after(effort, self.costs.state + self.costs.step * n_steps as u64)
    }
}

/// Some states of a level, expanded.
pub(crate) struct Piece<const W: usize> {
    /// Possibly new successors, sorted by shard.
    sorted: Vec<[u64; W]>,
    /// The start of each shard among them.
    starts: [u32; N_SHARDS + 1],
    /// The shard of each successor, in the order of discovery.
    shards: Vec<u8>,
    pub(crate) seen: Seen,
    /// The new states.
    pub(crate) new: Vec<Place>,
    /// The number of expanded states, in a round of few states.
    pub(crate) n_taken: usize,
}

impl<const W: usize> Default for Piece<W> {
    fn default() -> Self {
        let (sorted, starts) = (Vec::new(), [0; N_SHARDS + 1]);
        Piece { sorted, starts, shards: Vec::new(), seen: Seen::default(), new: Vec::new(), n_taken: 0 }
    }
}

impl<const W: usize> Piece<W> {
    /// Expands states and sorts their successors; stops early after cancellation.
    pub(crate) fn expand(&mut self, own: &mut Own<W>, task: &Task<'_, W, impl PlainSpace<W>>, places: &[Place]) {
        self.seen = Seen::default();
        let shards = task.states.read_all();
        let mut n_sent = 0;
        for place in places {
            let state = shards[place.shard()].state(place.number());
            expand_state(&mut own.steps, &mut self.seen, task.space, state, *place);
            if task.is_over(&mut own.effort, own.steps.len()) {
                break;
            }
            let most = n_sent + own.steps.len();
            if own.sent.len() < most {
                own.sent.resize(2 * most, [0; W]);
            }
            if self.shards.len() < most {
                self.shards.resize(2 * most, 0);
            }
            // Branch-free, because the branches are unpredictable.
            for step in &own.steps {
                let hash = hash(&step.target);
                own.sent[n_sent] = step.target;
                self.shards[n_sent] = shard_by(hash) as u8;
                n_sent += usize::from(own.recent.may_be_new(&step.target, hash));
            }
        }
        self.shards.truncate(n_sent);
        self.sort(&own.sent[..n_sent]);
    }

    fn sort(&mut self, sent: &[[u64; W]]) {
        let mut ends = [0; N_SHARDS];
        self.shards.iter().for_each(|&shard| ends[shard as usize % N_SHARDS] += 1);
        let mut sum = 0;
        for (shard, end) in ends.iter_mut().enumerate() {
            self.seen.shards |= u64::from(*end > 0) << shard;
            self.starts[shard] = sum;
            sum += std::mem::replace(end, sum);
        }
        self.starts[N_SHARDS] = sum;
        self.sorted.clear();
        self.sorted.resize(sent.len(), [0; W]);
        for (state, &shard) in sent.iter().zip(&self.shards) {
            let end = &mut ends[shard as usize % N_SHARDS];
            self.sorted[*end as usize] = *state;
            *end += 1;
        }
    }

    /// The successors for a shard.
    fn of(&self, shard: usize) -> &[[u64; W]] {
        &self.sorted[self.starts[shard] as usize..self.starts[shard + 1] as usize]
    }

    /// Restores the order of discovery of the new states; `number` is the position of the piece in its round.
    pub(crate) fn order(&mut self, number: usize, arrivals: &[impl Deref<Target = Arrivals>]) {
        let mut next: [Arrival; N_SHARDS] = std::array::from_fn(|shard| arrivals[shard].of_piece[number]);
        let is_new: [&[u64]; N_SHARDS] = std::array::from_fn(|shard| &*arrivals[shard].is_new);
        self.new.clear();
        self.new.resize(self.shards.len() + 1, Place::new(0, 0));
        let mut n_new = 0;
        for &shard in &self.shards {
            let shard = shard as usize % N_SHARDS;
            let next = &mut next[shard];
            let is_new = is_new[shard][next.bit / 64] >> (next.bit % 64) & 1;
            next.bit += 1;
            self.new[n_new] = Place::new(shard, next.number);
            next.number += is_new as usize;
            n_new += is_new as usize;
        }
        self.new.truncate(n_new);
    }

    /// Expands a few states and stores their successors; fewer after cancellation.
    pub(crate) fn take_few(&mut self, own: &mut Own<W>, task: &Task<'_, W, impl PlainSpace<W>>, places: &[Place]) {
        self.seen = Seen::default();
        self.new.clear();
        self.n_taken = 0;
        for place in places {
            expand_state(&mut own.steps, &mut self.seen, task.space, &task.states.get(*place), *place);
            self.n_taken += 1;
            for step in &own.steps {
                let shard = States::shard_of(&step.target);
                let mut kept = task.states.write(shard);
                let fresh = kept.len();
                if kept.insert(&step.target) == fresh {
                    self.new.push(Place::new(shard, fresh));
                }
                self.seen.shards |= 1 << shard;
            }
            if task.is_over(&mut own.effort, own.steps.len()) {
                break;
            }
        }
    }
}

#[inline]
fn expand_state<const W: usize>(
    steps: &mut Steps<W>,
    seen: &mut Seen,
    space: &impl PlainSpace<W>,
    state: &[u64; W],
    place: Place,
) {
    steps.clear();
    if let Judgment::Found(finding) = space.expand(Node::of(state), &mut (), steps) {
        let earlier = seen.found.replace((place, finding));
        seen.found = earlier.into_iter().chain(seen.found).min();
    }
    seen.n_transitions += steps.len() as u64;
}

/// The arrivals of a shard in a round.
#[derive(Default)]
pub(crate) struct Arrivals {
    /// Whether each arrival is new, as a bit set.
    is_new: Vec<u64>,
    of_piece: Vec<Arrival>,
}

/// The start of the arrivals of a piece.
#[derive(Clone, Copy)]
struct Arrival {
    bit: usize,
    /// The number of its next new state.
    number: usize,
}

impl Arrivals {
    /// Removes the arrivals of the previous round.
    pub(crate) fn clear(&mut self) {
        self.is_new.clear();
        self.of_piece.clear();
    }

    /// Inserts the successors of the next piece into a shard.
    pub(crate) fn store<const W: usize>(&mut self, number: usize, shard: &mut Shard<W>, piece: &Piece<W>) {
        let (states, first) = (piece.of(number), self.is_new.len());
        self.of_piece.push(Arrival { bit: first * 64, number: shard.len() });
        self.is_new.resize(first + states.len().div_ceil(64), 0);
        let is_new = &mut self.is_new[first..];
        shard.insert_all(states, |place| is_new[place / 64] |= 1 << (place % 64));
    }
}
