//! Branching, delay and weak bisimulation that respect divergence, on systems without silent cycles.
//!
//! The signature of a state is the set of (label, block) pairs it can reach after any silent steps; with label τ, the
//! blocks that silent steps alone reach. Since there are no silent cycles, states can be visited silent successors
//! first, and a signature is the union of those of the silent successors with the state's own steps: nothing is
//! saturated.
//!
//! In branching bisimulation, only silent steps inside the state's own block may come before; these are *inert*. There
//! nothing is united either (Blom and van de Pol, *Distributed branching bisimulation minimization by inductive
//! signatures*): a state has the signature of an inert successor that can do all it can do itself, the others of its
//! inert successors included. If there is none, its signature are its own steps, the inert ones with the signatures
//! they lead to. So no signature has more elements than a state has steps. It is never larger than needed to tell
//! apart: a state is bisimilar to the last of its class that inert steps reach, by induction that one has the same
//! signature as those between, and what the state can do is answered by them.
//!
//! After the first round only states are looked at again whose signature may have changed: those with a step into a
//! state that has a new block. When a block is split, its largest part keeps its number, so a state gets a new block at
//! most log n times. A state that is alone in its block, and whose signature no other state needs, is not looked at
//! again.

use super::incoming::Incoming;
use super::partition::{Partition, Refined};
use super::sets::Sets;
use crate::builder::counting_sort;
use crate::interner::number;
use crate::tau::Components;
use crate::{Label, Lts, StateId, Stop, Watch};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which silent steps may come with the step that answers a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Before it, those that change nothing.
    Branching,
    /// Before it, any.
    Delay,
    /// Before and after it, any.
    Weak,
}

/// Refines a partition until it is stable, unless more elements of signatures are looked at than `effort` allows, or
/// they would need far more memory than the system does.
pub(super) fn refine(
    lts: &Lts,
    rank: &Components,
    kind: Kind,
    start: Partition,
    effort: usize,
    watch: &mut Watch<'_>,
) -> Result<Refined, Stop> {
    debug_assert_eq!(rank.n_components(), lts.n_states(), "silent cycles are collapsed before");
    watch.start();
    let mut refinement = Refinement::new(lts, rank, kind, start, effort);
    while !refinement.changed.is_empty() {
        refinement.update_closures(watch)?;
        refinement.update_signatures(watch)?;
        if refinement.closures.is_full || refinement.signatures.is_full {
            return Ok(Refined::Unstable(refinement.blocks.partition));
        }
        refinement.split();
    }
    Ok(Refined::Stable(refinement.blocks.partition))
}

struct Refinement<'a> {
    lts: &'a Lts,
    kind: Kind,
    rank: &'a Components,
    by_rank: Vec<StateId>,
    incoming: Incoming,
    blocks: Blocks,
    /// The blocks that silent steps reach from each state; only where these may follow a visible step.
    closures: Sets<u32>,
    signatures: Sets<u64>,
    /// States with a new block.
    changed: Vec<StateId>,
    /// States with a new closure or block, whichever visible steps see.
    changed_views: Vec<StateId>,
    /// States with a new signature.
    unlike: Vec<StateId>,
    /// States that may be done with: they are alone in their blocks.
    alone: Vec<StateId>,
    /// How many steps lead to each state from those that need its signature or closure.
    n_readers: Vec<u32>,
    queue: Queue,
}

impl<'a> Refinement<'a> {
    fn new(lts: &'a Lts, rank: &'a Components, kind: Kind, start: Partition, effort: usize) -> Refinement<'a> {
        let (by_rank, _) = rank.members();
        let mut n_readers = vec![0; lts.n_states()];
        for state in lts.states() {
            read_by(lts, kind, state).for_each(|target| n_readers[target.index()] += 1);
        }
        Refinement {
            lts,
            kind,
            rank,
            by_rank,
            incoming: Incoming::new(lts),
            blocks: Blocks::new(start),
            closures: Sets::new(lts, effort),
            signatures: Sets::new(lts, effort),
            changed: lts.states().collect(),
            changed_views: Vec::new(),
            unlike: Vec::new(),
            alone: Vec::new(),
            n_readers,
            queue: Queue { ranks: BinaryHeap::new(), is_shut: FixedBitSet::with_capacity(lts.n_states()) },
        }
    }

    /// Brings the closures up to date, and finds the states that look different to steps into them.
    fn update_closures(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        self.changed_views.clear();
        if self.kind != Kind::Weak {
            self.changed_views.extend_from_slice(&self.changed);
            return Ok(());
        }
        self.changed.iter().for_each(|&state| self.queue.push(self.rank.component(state)));
        let mut closure = Vec::new();
        while let Some(rank) = self.queue.pop() {
            let state = self.by_rank[rank as usize];
            closure.clear();
            self.closures.unite(self.lts.silent(state), &mut closure);
            closure.push(self.blocks.partition.block_of[state.index()]);
            watch.tick(closure.len())?;
            if self.closures.set(state, &mut closure) {
                self.changed_views.push(state);
                for &(_, source) in self.incoming.silent(state) {
                    self.queue.push(self.rank.component(source));
                }
            }
        }
        Ok(())
    }

    /// Brings the signatures up to date.
    fn update_signatures(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        for &state in &self.changed_views {
            self.queue.push(self.rank.component(state));
            // A new block is part of the state's own signature, through which silent steps see it, unless these change
            // nothing.
            let seen_by = match self.kind {
                Kind::Branching => self.incoming.all(state),
                Kind::Delay | Kind::Weak => self.incoming.visible(state),
            };
            for &(_, source) in seen_by {
                self.queue.push(self.rank.component(source));
            }
        }
        self.unlike.clear();
        let mut signature = Vec::new();
        while let Some(rank) = self.queue.pop().filter(|_| !self.signatures.is_full) {
            let state = self.by_rank[rank as usize];
            let is_new = match self.kind {
                Kind::Branching => self.update_inductive(state, &mut signature),
                Kind::Delay | Kind::Weak => {
                    self.compute(state, &mut signature);
                    self.signatures.set(state, &mut signature)
                }
            };
            watch.tick(signature.len() + 1)?;
            if is_new {
                self.unlike.push(state);
                for &(_, source) in self.incoming.silent(state) {
                    self.queue.push(self.rank.component(source));
                }
            }
        }
        Ok(())
    }

    fn compute(&self, state: StateId, signature: &mut Vec<u64>) {
        let block_of = |state: StateId| self.blocks.partition.block_of[state.index()];
        signature.clear();
        self.signatures.unite(self.lts.silent(state), signature);
        signature.push(key(Label::TAU, block_of(state)));
        for step in self.lts.visible(state) {
            if self.kind == Kind::Weak {
                signature.extend(self.closures.get(step.target).iter().map(|&block| key(step.label, block)));
            } else {
                signature.push(key(step.label, block_of(step.target)));
            }
        }
    }

    /// Gives a state its signature for branching bisimulation; tells whether it is another one than before.
    fn update_inductive(&mut self, state: StateId, steps: &mut Vec<u64>) -> bool {
        let block_of = |state: StateId| self.blocks.partition.block_of[state.index()];
        let own = block_of(state);
        self.signatures.spend(self.lts.transitions(state).len());
        // What a signature says of others was known before it: so the one with all the others is the latest.
        let mut latest: Option<(u32, StateId)> = None;
        steps.clear();
        for step in self.lts.transitions(state) {
            let block = block_of(step.target);
            if step.label == Label::TAU && block == own {
                let name = self.signatures.name(step.target);
                latest = latest.max(Some((name, step.target)));
                steps.push(key(INERT, name));
            } else {
                steps.push(key(step.label, block));
            }
        }
        if let Some((name, successor)) = latest {
            let signature = self.signatures.get(successor);
            if steps.iter().all(|&step| step == key(INERT, name) || signature.binary_search(&step).is_ok()) {
                return self.signatures.share(state, successor);
            }
        }
        self.signatures.set(state, steps)
    }

    /// Separates the states with new signatures from the rest of their blocks.
    fn split(&mut self) {
        let (blocks, signatures) = (&mut self.blocks, &self.signatures);
        self.changed.clear();
        self.unlike.sort_unstable_by_key(|state| {
            (blocks.partition.block_of[state.index()], signatures.of_state[state.index()])
        });
        let mut rest = &self.unlike[..];
        while let Some(&first) = rest.first() {
            let block = blocks.partition.block_of[first.index()];
            let n_members = rest.partition_point(|state| blocks.partition.block_of[state.index()] == block);
            let (members, others) = rest.split_at(n_members);
            let has_same_signature = |left: &StateId, right: &StateId| {
                signatures.of_state[left.index()] == signatures.of_state[right.index()]
            };
            let n_changed = self.changed.len();
            blocks.split(block, members.chunk_by(has_same_signature), &mut self.changed);
            let parts = self.changed[n_changed..].iter().copied().chain([blocks.first_member(block)]);
            self.alone.extend(parts.filter(|&state| blocks.is_alone(state)));
            rest = others;
        }
        self.retire();
    }

    /// Finds the states that are done with.
    fn retire(&mut self) {
        while let Some(state) = self.alone.pop() {
            if self.n_readers[state.index()] > 0 || !self.queue.shut(self.rank.component(state)) {
                continue;
            }
            self.closures.forget(state);
            self.signatures.forget(state);
            for target in read_by(self.lts, self.kind, state) {
                let n_readers = &mut self.n_readers[target.index()];
                *n_readers -= 1;
                if *n_readers == 0 && self.blocks.is_alone(target) {
                    self.alone.push(target);
                }
            }
        }
    }
}

/// The states whose signatures or closures are part of a state's signature, even when it is alone in its block.
fn read_by(lts: &Lts, kind: Kind, state: StateId) -> impl Iterator<Item = StateId> {
    let steps = match kind {
        Kind::Branching => &[],
        Kind::Delay => lts.silent(state),
        Kind::Weak => lts.transitions(state),
    };
    steps.iter().map(|step| step.target).filter(move |&target| target != state)
}

/// In place of the label of a silent step that changes nothing, with the name of a signature.
const INERT: Label = Label(u32::MAX);

fn key(label: Label, block: u32) -> u64 {
    u64::from(label.0) << 32 | u64::from(block)
}

/// States to look at, silent successors first.
struct Queue {
    ranks: BinaryHeap<Reverse<u32>>,
    /// Those that are not to be added: they are there already, or are done with.
    is_shut: FixedBitSet,
}

impl Queue {
    fn push(&mut self, rank: u32) {
        if self.shut(rank) {
            self.ranks.push(Reverse(rank));
        }
    }

    /// Lets a state no longer be added; tells whether it could be.
    fn shut(&mut self, rank: u32) -> bool {
        !self.is_shut.put(rank as usize)
    }

    fn pop(&mut self) -> Option<u32> {
        let Reverse(rank) = self.ranks.pop()?;
        self.is_shut.set(rank as usize, false);
        Some(rank)
    }
}

/// A partition with the members of each block side by side.
struct Blocks {
    partition: Partition,
    states: Vec<StateId>,
    place_of: Vec<u32>,
    ranges: Vec<(u32, u32)>,
}

impl Blocks {
    fn new(partition: Partition) -> Blocks {
        let (place_of, starts) = counting_sort(&partition.block_of, partition.n_blocks);
        let mut states = vec![StateId(0); place_of.len()];
        for (state, &place) in place_of.iter().enumerate() {
            states[place as usize] = StateId(number(state));
        }
        let ranges = starts.windows(2).map(|range| (range[0], range[1])).collect();
        Blocks { partition, states, place_of, ranges }
    }

    /// Makes each of the groups a block of its own, apart from what remains. The largest part keeps the number of the
    /// block; the states of the others are added to `changed`.
    fn split<'s>(&mut self, block: u32, groups: impl Iterator<Item = &'s [StateId]>, changed: &mut Vec<StateId>) {
        let (start, end) = self.ranges[block as usize];
        let mut parts = Vec::new();
        let mut place = start;
        for group in groups {
            for &state in group {
                self.swap(place, self.place_of[state.index()]);
                place += 1;
            }
            parts.push((place - number(group.len()), place));
        }
        parts.extend((place < end).then_some((place, end)));
        let Some(largest) = (0..parts.len()).max_by_key(|&part| parts[part].1 - parts[part].0) else { return };
        self.ranges[block as usize] = parts.swap_remove(largest);
        for part in parts {
            let new = number(self.ranges.len());
            self.ranges.push(part);
            for &state in &self.states[part.0 as usize..part.1 as usize] {
                self.partition.block_of[state.index()] = new;
                changed.push(state);
            }
        }
        self.partition.n_blocks = self.ranges.len();
    }

    fn first_member(&self, block: u32) -> StateId {
        self.states[self.ranges[block as usize].0 as usize]
    }

    fn is_alone(&self, state: StateId) -> bool {
        let (start, end) = self.ranges[self.partition.block_of[state.index()] as usize];
        end - start == 1
    }

    fn swap(&mut self, left: u32, right: u32) {
        self.states.swap(left as usize, right as usize);
        for place in [left, right] {
            self.place_of[self.states[place as usize].index()] = place;
        }
    }
}
