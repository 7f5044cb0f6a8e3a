//! The coarsest branching bisimulation in O(m log n), on systems without silent cycles: Jansen, Groote, Keiren and Wijs
//! (2020), *An O(m log n) algorithm for branching bisimilarity on labelled transition systems*.
//!
//! A silent step inside a block is *inert*, and a state without inert steps is a *bottom* of its block; from every
//! state inert steps lead to a bottom. The other steps are partitioned into bunches, initially one. Every block is
//! stable under every bunch: if any of its states has a step of the bunch, then all bottoms have one, so that the
//! others need only inert steps before it. While a bunch has steps with several labels or into several blocks, those
//! with one label into one block become a bunch of their own, if they are at most half of it; then blocks are split
//! until they are stable under both parts.
//!
//! A block is split into the states from which inert steps *reach* a step of a slice (the steps from one block in one
//! bunch) and those that *avoid* it. Two backward searches over inert steps are interleaved, one step each: one from
//! the sources of the slice; the other from the bottoms without such a step, through states all of whose inert steps
//! lead to states that avoid it. The search that ends first has found the smaller half, at a cost proportional to the
//! steps of that half, and only these are moved to a new block. So each step is visited O(log n) times.
//!
//! Inert steps from one half to the other are no longer inert, and become a bunch of their own. So states may become
//! new bottoms, for which the stability of bottoms is not established. States from which inert steps lead to a new
//! bottom are split off (`restore`), and that block is tried with all its slices again. A state becomes a bottom only
//! once.

use super::bunches::Bunches;
use super::halves::{Bottoms, Search};
use super::partition::Partition;
use super::refinable::{Refinable, Touched};
use crate::builder::counting_sort;
use crate::interner::{Interner, number};
use crate::{Label, Lts, Stop, Watch};
use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;

/// The coarsest branching bisimulation that refines an arbitrary partition.
pub(super) fn refine(lts: &Lts, start: Partition, watch: &mut Watch<'_>) -> Result<Partition, Stop> {
    watch.start();
    let mut refinement = Refinement::new(lts, start);
    (1..number(refinement.by_source.n_classes())).for_each(|slice| refinement.pend(slice));
    refinement.settle(watch)?;
    while let Some((class, old_bunch)) = refinement.by_target.detach_small_class() {
        for (rest, part) in refinement.divide_slices(class, old_bunch, watch)? {
            refinement.stabilize(rest, part, watch)?;
        }
    }
    Ok(Partition { n_blocks: refinement.sizes.len(), block_of: refinement.block_of })
}

/// The class of inert steps in both partitions of the steps, and their bunch.
const INERT: u32 = 0;

struct Refinement<'a> {
    lts: &'a Lts,
    /// The source of each step. The number of a step is its position in the system.
    source: Vec<u32>,
    incoming: Incoming,
    block_of: Vec<u32>,
    sizes: Vec<u32>,
    bottoms: Bottoms,
    /// The number of inert steps of each state.
    n_inert: Vec<u32>,
    /// The slices: steps from one block in one bunch.
    by_source: Refinable,
    /// The bunches, and their classes: steps with one label into one block.
    by_target: Bunches,
    /// The number of steps of each state in a bunch, if any.
    shares: HashMap<(u32, u32), u32, FixedState>,
    /// Slices under which their block may not be stable.
    pending: Vec<u32>,
    is_pending: Vec<bool>,
    /// The effects of the last split: touched slices, cut inert steps, and new bottoms that are not assigned to a
    /// block.
    log: Vec<Touched>,
    cut: Vec<u32>,
    new_bottoms: Vec<u32>,
    reaching: Search,
    avoiding: Search,
    is_reaching: FixedBitSet,
    /// The number of inert steps of a state that may still reach the slice; 0 if none was followed.
    n_open: Vec<u32>,
    with_open: Vec<u32>,
}

impl<'a> Refinement<'a> {
    fn new(lts: &'a Lts, start: Partition) -> Refinement<'a> {
        let Partition { block_of, .. } = &start;
        let n_steps = lts.n_transitions();
        let mut source = Vec::with_capacity(n_steps);
        let mut n_inert = vec![0; lts.n_states()];
        // An artificial step keeps the class of inert steps from being empty.
        let (mut slices, mut targets) = (Vec::with_capacity(n_steps + 1), Vec::with_capacity(n_steps + 1));
        let mut keys = Interner::new();
        let mut shares = HashMap::with_hasher(FixedState::with_seed(0));
        for state in lts.states() {
            let block = block_of[state.index()];
            for step in lts.transitions(state) {
                let target = block_of[step.target.index()];
                source.push(state.0);
                if step.label == Label::TAU && target == block {
                    n_inert[state.index()] += 1;
                    slices.push(INERT);
                    targets.push(INERT);
                } else {
                    slices.push(1 + block);
                    targets.push(1 + keys.intern(&[step.label.0, target]));
                    *shares.entry((state.0, 1)).or_default() += 1;
                }
            }
        }
        slices.push(INERT);
        targets.push(INERT);
        let bunches = targets.iter().map(|&target| u32::from(target != INERT)).collect();
        let bunches = Partition { block_of: bunches, n_blocks: 2 };
        let mut by_target = Bunches::new(&bunches, Partition { block_of: targets, n_blocks: 1 + keys.len() });
        by_target.set_aside(INERT);
        let by_source = Refinable::new(compact(slices, 1 + start.n_blocks));
        Refinement {
            lts,
            source,
            incoming: Incoming::new(lts),
            sizes: start.sizes(),
            bottoms: Bottoms::new(&start, &n_inert),
            block_of: start.block_of,
            n_inert,
            is_pending: vec![false; by_source.n_classes()],
            by_source,
            by_target,
            shares,
            pending: Vec::new(),
            log: Vec::new(),
            cut: Vec::new(),
            new_bottoms: Vec::new(),
            reaching: Search::default(),
            avoiding: Search::default(),
            is_reaching: FixedBitSet::with_capacity(lts.n_states()),
            n_open: vec![0; lts.n_states()],
            with_open: Vec::new(),
        }
    }

    fn outgoing(&self, state: u32) -> Range<u32> {
        self.lts.offsets[state as usize]..self.lts.offsets[state as usize + 1]
    }

    fn target(&self, step: u32) -> u32 {
        self.lts.transitions[step as usize].target.0
    }

    fn is_inert(&self, step: u32) -> bool {
        self.by_source.class_of(step) == INERT
    }

    fn block_of_slice(&self, slice: u32) -> u32 {
        let (start, _) = self.by_source.range(slice);
        self.block_of[self.source[self.by_source.at(start) as usize] as usize]
    }

    fn pend(&mut self, slice: u32) {
        if !std::mem::replace(&mut self.is_pending[slice as usize], true) {
            self.pending.push(slice);
        }
    }

    /// Divides slices when a class of steps has left its bunch; lists those of which a part stays there.
    fn divide_slices(&mut self, class: u32, old_bunch: u32, watch: &mut Watch<'_>) -> Result<Vec<Touched>, Stop> {
        let steps = self.by_target.classes.elements(class);
        watch.tick(1 + steps.len())?;
        let bunch = self.by_target.bunch_of(steps[0]);
        for &step in steps {
            let source = self.source[step as usize];
            self.by_source.mark(step);
            *self.shares.entry((source, bunch)).or_default() += 1;
            if let hashbrown::hash_map::Entry::Occupied(mut share) = self.shares.entry((source, old_bunch)) {
                *share.get_mut() -= 1;
                if *share.get() == 0 {
                    share.remove();
                }
            }
        }
        self.by_source.split_marked(&mut self.log);
        self.is_pending.resize(self.by_source.n_classes(), false);
        Ok(self.log.iter().copied().filter(|(rest, part)| rest != part).collect())
    }

    /// Restores the stability of a block after one of its slices was divided. The states that avoid the smaller part
    /// are stable under the rest: their bottoms had steps of the old slice.
    fn stabilize(&mut self, rest: u32, part: u32, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let block = self.split(part, watch)?;
        let twin = self.log.iter().find(|(old, _)| *old == rest).map_or(rest, |&(_, new)| new);
        for slice in [rest, twin] {
            if self.block_of_slice(slice) == block {
                self.pend(slice);
            }
        }
        self.restore(block, watch)?;
        self.settle(watch)
    }

    fn settle(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        while let Some(slice) = self.pending.pop() {
            self.is_pending[slice as usize] = false;
            let block = self.split(slice, watch)?;
            self.restore(block, watch)?;
        }
        Ok(())
    }

    /// Separates the states that reach new bottoms after a split, and marks their slices as pending. Their slices are
    /// among those that the smaller half has touched: all bottoms had steps of all slices, so both halves did, unless a
    /// slice is pending.
    fn restore(&mut self, reaching: u32, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let Some(&step) = self.cut.first() else { return Ok(()) };
        let mut touched: Vec<Touched> = self.log.clone();
        let block = self.split(self.by_source.class_of(step), watch)?;
        debug_assert!(block == reaching || self.sizes[reaching as usize] > 0);
        touched.extend_from_slice(&self.log);
        self.bottoms.append(block, &self.new_bottoms);
        self.new_bottoms.clear();
        self.cut.clear();
        for slice in touched.into_iter().flat_map(|(old, new)| [old, new]) {
            if slice != INERT && self.block_of_slice(slice) == block {
                self.pend(slice);
            }
        }
        Ok(())
    }

    /// Splits the block of a slice by it; returns the block of the states that reach it.
    fn split(&mut self, slice: u32, watch: &mut Watch<'_>) -> Result<u32, Stop> {
        self.log.clear();
        self.cut.clear();
        let block = self.block_of_slice(slice);
        let size = self.sizes[block as usize] as usize;
        if size == 1 {
            return Ok(block);
        }
        let bunch = self.by_target.bunch_of(self.by_source.at(self.by_source.range(slice).0));
        self.reaching.begin(self.by_source.range(slice));
        self.avoiding.begin(self.bottoms.range(block));
        let reaching_is_small = loop {
            watch.tick(1)?;
            if self.reaching.found.len() <= size / 2 && !self.search_reaching(block) {
                break true;
            }
            if self.avoiding.found.len() <= size / 2 && !self.search_avoiding(block, bunch) {
                break false;
            }
        };
        self.reaching.found.iter().for_each(|&state| self.is_reaching.set(state as usize, false));
        self.with_open.drain(..).for_each(|state| self.n_open[state as usize] = 0);
        let small = if reaching_is_small { &mut self.reaching } else { &mut self.avoiding };
        if small.found.is_empty() {
            return Ok(block);
        }
        let states = std::mem::take(&mut small.found);
        let n_steps = |&state: &u32| self.outgoing(state).len() + self.incoming.all(state).len();
        watch.tick(states.iter().map(n_steps).sum())?;
        let new = self.detach(block, &states);
        self.divide(block, new, &states);
        let small = if reaching_is_small { &mut self.reaching } else { &mut self.avoiding };
        small.found = states;
        Ok(if reaching_is_small { new } else { block })
    }

    /// Takes one step in the search for states that reach the slice; returns whether there was one.
    fn search_reaching(&mut self, block: u32) -> bool {
        let state = if let Some(step) = self.reaching.next_incoming(&self.incoming) {
            self.source[step as usize]
        } else if let Some(place) = self.reaching.starts.next() {
            self.source[self.by_source.at(place) as usize]
        } else {
            return false;
        };
        if self.block_of[state as usize] == block && !self.is_reaching.put(state as usize) {
            self.reaching.found.push(state);
        }
        true
    }

    /// Takes one step in the search for states that avoid the slice; returns whether there was one.
    fn search_avoiding(&mut self, block: u32, bunch: u32) -> bool {
        let state = if let Some(step) = self.avoiding.next_incoming(&self.incoming) {
            let state = self.source[step as usize];
            if self.block_of[state as usize] != block {
                return true;
            }
            let n_open = &mut self.n_open[state as usize];
            if *n_open == 0 {
                *n_open = self.n_inert[state as usize];
                self.with_open.push(state);
            }
            *n_open -= 1;
            if *n_open > 0 {
                return true;
            }
            state
        } else if let Some(place) = self.avoiding.starts.next() {
            self.bottoms.at(place)
        } else {
            return false;
        };
        if !self.shares.contains_key(&(state, bunch)) {
            self.avoiding.found.push(state);
        }
        true
    }

    /// Moves states of a block to a new block.
    fn detach(&mut self, block: u32, states: &[u32]) -> u32 {
        let new = number(self.sizes.len());
        self.sizes[block as usize] -= number(states.len());
        self.sizes.push(number(states.len()));
        for &state in states {
            self.block_of[state as usize] = new;
        }
        self.bottoms.detach(block, states);
        new
    }

    /// Divides the steps after some states have left a block for a new one.
    fn divide(&mut self, block: u32, new: u32, states: &[u32]) {
        for &state in states {
            for step in self.outgoing(state) {
                if !self.is_inert(step) {
                    self.by_source.mark(step);
                } else if self.block_of[self.target(step) as usize] != new {
                    self.cut.push(step);
                }
            }
            for place in self.incoming.all(state) {
                let step = self.incoming.steps[place];
                if !self.is_inert(step) {
                    self.by_target.classes.mark(step);
                } else if self.block_of[self.source[step as usize] as usize] == block {
                    self.cut.push(step);
                }
            }
        }
        for &step in &self.cut {
            self.by_source.mark(step);
            self.by_target.classes.mark(step);
            let source = self.source[step as usize];
            self.n_inert[source as usize] -= 1;
            if self.n_inert[source as usize] == 0 {
                self.new_bottoms.push(source);
            }
        }
        self.by_target.split_marked();
        self.by_source.split_marked(&mut self.log);
        if let Some(&step) = self.cut.first() {
            self.by_target.make_bunch(self.by_target.classes.class_of(step));
            let bunch = self.by_target.bunch_of(step);
            for &step in &self.cut {
                *self.shares.entry((self.source[step as usize], bunch)).or_default() += 1;
            }
        }
        self.is_pending.resize(self.by_source.n_classes(), false);
        for place in 0..self.log.len() {
            let (old, new) = self.log[place];
            if self.is_pending[old as usize] {
                self.pend(new);
            }
        }
    }
}

/// Renumbers classes without gaps, preserving their order and the number of the first one.
fn compact(mut class_of: Vec<u32>, n_classes: usize) -> Partition {
    let mut is_used = vec![false; n_classes];
    class_of.iter().for_each(|&class| is_used[class as usize] = true);
    let mut n_blocks = 0;
    let numbers: Vec<u32> = is_used
        .into_iter()
        .map(|is_used| {
            n_blocks += usize::from(is_used);
            number(n_blocks.max(1) - 1)
        })
        .collect();
    class_of.iter_mut().for_each(|class| *class = numbers[*class as usize]);
    Partition { block_of: class_of, n_blocks }
}

/// The steps by target, silent ones first.
pub(super) struct Incoming {
    offsets: Vec<u32>,
    pub(super) steps: Vec<u32>,
}

impl Incoming {
    fn new(lts: &Lts) -> Incoming {
        let keys: Vec<u32> =
            lts.transitions.iter().map(|step| 2 * step.target.0 + u32::from(step.label != Label::TAU)).collect();
        let (places, offsets) = counting_sort(&keys, 2 * lts.n_states());
        let mut steps = vec![0; places.len()];
        for (step, place) in places.into_iter().enumerate() {
            steps[place as usize] = number(step);
        }
        Incoming { offsets, steps }
    }

    pub(super) fn silent(&self, target: u32) -> Range<usize> {
        let first = 2 * target as usize;
        self.offsets[first] as usize..self.offsets[first + 1] as usize
    }

    fn all(&self, target: u32) -> Range<usize> {
        let first = 2 * target as usize;
        self.offsets[first] as usize..self.offsets[first + 2] as usize
    }
}
