//! Divergence-preserving branching, delay and weak bisimulation by signature refinement, on systems without silent
//! cycles: Blom and van de Pol (2009), *Distributed branching bisimulation minimization by inductive signatures*.
//!
//! The signature of a state is the set of (label, block) pairs that it reaches after any silent steps; for label τ, the
//! blocks that silent steps alone reach. Since there are no silent cycles, states can be visited silent successors
//! first, and a signature is the union of those of the silent successors and the steps of the state, without explicit
//! saturation.
//!
//! In branching bisimulation, only silent steps inside the block of the state may precede; these are *inert*. There are
//! no unions of signatures: a state has the signature of an inert successor that has all its other steps, the other
//! inert successors included. If there is none, its signature is the set of its own steps, with the signatures of inert
//! successors. So no signature has more elements than the state has steps. It never distinguishes bisimilar states: a
//! state is bisimilar to the last of its class that inert steps reach; by induction that one has the same signature as
//! those between, and matches all steps of the state.
//!
//! After the first round only states are visited whose signature may have changed: those with a step into a state that
//! has a new block. When a block is split, its largest part keeps its number, so a state gets a new block at most log n
//! times. A state that is alone in its block, and whose signature no other state depends on, is not visited again.

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

/// The silent steps that may accompany a matching step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Before it, inert ones.
    Branching,
    /// Before it, any.
    Delay,
    /// Before and after it, any.
    Weak,
}

/// Refines a partition until it is stable, unless it spends more than `effort` elements of signatures, or these need
/// far more memory than the system.
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
    /// The blocks that silent steps reach from each state; only if these may follow a visible step.
    closures: Sets<u32>,
    signatures: Sets<u64>,
    /// States with a new block.
    changed: Vec<StateId>,
    /// States with a new closure or block, depending on what visible steps refer to.
    changed_views: Vec<StateId>,
    /// States with a new signature.
    changed_signatures: Vec<StateId>,
    /// States that are alone in their blocks and may be retired.
    alone: Vec<StateId>,
    /// The number of steps to each state from states that depend on its signature or closure.
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
            changed_signatures: Vec::new(),
            alone: Vec::new(),
            n_readers,
            queue: Queue { ranks: BinaryHeap::new(), is_shut: FixedBitSet::with_capacity(lts.n_states()) },
        }
    }

    /// Updates the closures, and finds the states that changed with respect to steps into them.
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

    /// Updates the signatures.
    fn update_signatures(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        for &state in &self.changed_views {
            self.queue.push(self.rank.component(state));
            // A new block is part of the own signature, on which sources of silent steps depend, unless these are
            // inert.
            let seen_by = match self.kind {
                Kind::Branching => self.incoming.all(state),
                Kind::Delay | Kind::Weak => self.incoming.visible(state),
            };
            for &(_, source) in seen_by {
                self.queue.push(self.rank.component(source));
            }
        }
        self.changed_signatures.clear();
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
                self.changed_signatures.push(state);
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

    /// Computes the signature of a state for branching bisimulation; returns whether it changes.
    fn update_inductive(&mut self, state: StateId, steps: &mut Vec<u64>) -> bool {
        let block_of = |state: StateId| self.blocks.partition.block_of[state.index()];
        let own = block_of(state);
        self.signatures.spend(self.lts.transitions(state).len());
        // A signature depends on earlier ones, so the one with all the others is the latest.
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
        self.changed_signatures.sort_unstable_by_key(|state| {
            (blocks.partition.block_of[state.index()], signatures.of_state[state.index()])
        });
        let mut rest = &self.changed_signatures[..];
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

    /// Retires states that need no further visit.
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

/// The states on whose signatures or closures a state depends, even when it is alone in its block.
fn read_by(lts: &Lts, kind: Kind, state: StateId) -> impl Iterator<Item = StateId> {
    let steps = match kind {
        Kind::Branching => &[],
        Kind::Delay => lts.silent(state),
        Kind::Weak => lts.transitions(state),
    };
    steps.iter().map(|step| step.target).filter(move |&target| target != state)
}

/// The label of an inert step in a signature, with the name of a signature in the place of a block.
const INERT: Label = Label(u32::MAX);

fn key(label: Label, block: u32) -> u64 {
    u64::from(label.0) << 32 | u64::from(block)
}

/// A worklist of states, silent successors first.
struct Queue {
    ranks: BinaryHeap<Reverse<u32>>,
    /// States that must not be added: queued or retired ones.
    is_shut: FixedBitSet,
}

impl Queue {
    fn push(&mut self, rank: u32) {
        if self.shut(rank) {
            self.ranks.push(Reverse(rank));
        }
    }

    /// Excludes a state from being added; returns whether it was not excluded before.
    fn shut(&mut self, rank: u32) -> bool {
        !self.is_shut.put(rank as usize)
    }

    fn pop(&mut self) -> Option<u32> {
        let Reverse(rank) = self.ranks.pop()?;
        self.is_shut.set(rank as usize, false);
        Some(rank)
    }
}

/// A partition with consecutive members of each block.
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

    /// Moves each of the groups to a block of its own, apart from what remains. The largest part keeps the number of
    /// the block; the states of the others are appended to `changed`.
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
