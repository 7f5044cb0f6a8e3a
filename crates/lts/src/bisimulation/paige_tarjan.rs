//! The relational coarsest partition in O(m log n), for several labels: Paige and Tarjan (1987), *Three partition
//! refinement algorithms*.
//!
//! Besides the blocks there are coarser *bunches* of blocks, and every block is stable under every bunch: either all or
//! none of its states have a step with a given label into the bunch. While some bunch has several blocks, the smaller
//! one of two of them becomes a bunch of its own, and blocks are split by their steps into that block and by those into
//! the rest of its old bunch. Only steps into the smaller part are visited, so each step is visited O(log n) times.
//! This requires a counter of the steps for each state, label and bunch: if the steps into the smaller part are all
//! that were counted, none lead to the rest.

use super::bunches::Bunches;
use super::partition::Partition;
use crate::builder::counting_sort;
use crate::interner::number;
use crate::{Lts, Stop, Watch};

/// Refines `blocks` until they are stable under themselves; they refine and are stable under `bunches`.
pub(super) fn refine(
    lts: &Lts,
    bunches: &Partition,
    blocks: Partition,
    watch: &mut Watch<'_>,
) -> Result<Partition, Stop> {
    watch.start();
    let mut refinement = Refinement { blocks: Bunches::new(bunches, blocks), steps: Incoming::new(lts, bunches) };
    let mut scratch = Scratch::new(lts);
    while let Some((block, _)) = refinement.blocks.detach_small_class() {
        let n_steps = refinement.gather(block, &mut scratch);
        watch.tick(n_steps + 1)?;
        for group in 0..scratch.group_starts.len() - 1 {
            refinement.split_by_group(group, &mut scratch);
        }
    }
    Ok(refinement.blocks.classes.into_partition())
}

struct Refinement {
    blocks: Bunches,
    steps: Incoming,
}

/// Buffers reused for each splitter.
struct Scratch {
    /// Steps into the splitter, grouped by label.
    gathered: Vec<u32>,
    group_starts: Vec<usize>,
    /// The number of gathered steps of each label, and then the end of its group.
    label_counts: Vec<u32>,
    labels: Vec<u32>,
    /// The distinct sources of a group, with the counter of their steps to the rest of the old bunch.
    sources: Vec<(u32, u32)>,
    /// For each source the counter of its steps into the splitter.
    counter_of: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Scratch {
    fn new(lts: &Lts) -> Scratch {
        Scratch {
            gathered: Vec::new(),
            group_starts: Vec::new(),
            label_counts: vec![0; lts.label_bound()],
            labels: Vec::new(),
            sources: Vec::new(),
            counter_of: vec![NONE; lts.n_states()],
        }
    }
}

impl Refinement {
    /// Collects the steps into a block, grouped by label.
    fn gather(&self, block: u32, scratch: &mut Scratch) -> usize {
        let states = self.blocks.classes.elements(block);
        scratch.labels.clear();
        let mut n_steps = 0;
        for &state in states {
            for step in self.steps.range(state) {
                let label = self.steps.label[step];
                if scratch.label_counts[label as usize] == 0 {
                    scratch.labels.push(label);
                }
                scratch.label_counts[label as usize] += 1;
                n_steps += 1;
            }
        }
        scratch.labels.sort_unstable();
        scratch.group_starts.clear();
        scratch.group_starts.push(0);
        let mut start = 0;
        for &label in &scratch.labels {
            let count = std::mem::replace(&mut scratch.label_counts[label as usize], start);
            start += count;
            scratch.group_starts.push(start as usize);
        }
        scratch.gathered.resize(n_steps, 0);
        for &state in states {
            for step in self.steps.range(state) {
                let place = &mut scratch.label_counts[self.steps.label[step] as usize];
                scratch.gathered[*place as usize] = number(step);
                *place += 1;
            }
        }
        for &label in &scratch.labels {
            scratch.label_counts[label as usize] = 0;
        }
        n_steps
    }

    /// Splits all blocks by the steps of one label into the splitter, then by those into the rest of its old bunch.
    fn split_by_group(&mut self, group: usize, scratch: &mut Scratch) {
        scratch.sources.clear();
        for &step in &scratch.gathered[scratch.group_starts[group]..scratch.group_starts[group + 1]] {
            let source = self.steps.source[step as usize];
            let old = self.steps.counter[step as usize];
            let new = &mut scratch.counter_of[source as usize];
            if *new == NONE {
                *new = self.steps.new_counter();
                scratch.sources.push((source, old));
                self.blocks.classes.mark(source);
            }
            self.steps.counter[step as usize] = *new;
            self.steps.counts[*new as usize] += 1;
            self.steps.counts[old as usize] -= 1;
        }
        self.blocks.split_marked();
        for &(source, rest) in &scratch.sources {
            scratch.counter_of[source as usize] = NONE;
            if self.steps.counts[rest as usize] == 0 {
                self.steps.free_counters.push(rest);
                self.blocks.classes.mark(source);
            }
        }
        self.blocks.split_marked();
    }
}

/// The steps by target, and the counter of each by source, bunch and label.
struct Incoming {
    offsets: Vec<u32>,
    source: Vec<u32>,
    label: Vec<u32>,
    counter: Vec<u32>,
    counts: Vec<u32>,
    free_counters: Vec<u32>,
}

impl Incoming {
    fn new(lts: &Lts, bunches: &Partition) -> Incoming {
        let targets: Vec<u32> = lts.transitions.iter().map(|step| step.target.0).collect();
        let (places, offsets) = counting_sort(&targets, lts.n_states());
        drop(targets);
        let n_steps = lts.n_transitions();
        let (mut source, mut label, mut counter) = (vec![0; n_steps], vec![0; n_steps], vec![0; n_steps]);
        let mut counts = Vec::new();
        let mut grouped: Vec<(u32, u32, u32)> = Vec::new();
        let mut places = places.into_iter();
        for state in lts.states() {
            grouped.clear();
            for (step, place) in lts.transitions(state).iter().zip(places.by_ref().take(lts.transitions(state).len())) {
                source[place as usize] = state.0;
                label[place as usize] = step.label.0;
                grouped.push((step.label.0, bunches.block_of[step.target.index()], place));
            }
            grouped.sort_unstable();
            for group in grouped.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
                for &(_, _, place) in group {
                    counter[place as usize] = number(counts.len());
                }
                counts.push(number(group.len()));
            }
        }
        Incoming { offsets, source, label, counter, counts, free_counters: Vec::new() }
    }

    fn range(&self, target: u32) -> std::ops::Range<usize> {
        self.offsets[target as usize] as usize..self.offsets[target as usize + 1] as usize
    }

    fn new_counter(&mut self) -> u32 {
        self.free_counters.pop().unwrap_or_else(|| {
            self.counts.push(0);
            number(self.counts.len() - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::signature;
    use super::*;
    use crate::{Builder, Label, StateId};
    use test_support::mutate::{Random, seed};

    fn random_lts(random: &mut Random) -> Lts {
        let n_states = 2 + random.below(40);
        let mut builder = Builder::new();
        builder.add_state(StateId(number(n_states) - 1));
        for _ in 0..random.below(4 * n_states) {
            let (source, target) = (number(random.below(n_states)), number(random.below(n_states)));
            builder.add(StateId(source), Label(number(random.below(3))), StateId(target));
        }
        builder.finish(StateId(0))
    }

    /// Equal up to the numbers of the blocks.
    fn is_same(left: &Partition, right: &Partition) -> bool {
        let pairs: std::collections::HashSet<_> = left.block_of.iter().zip(&right.block_of).collect();
        left.n_blocks == right.n_blocks && pairs.len() == left.n_blocks
    }

    #[test]
    fn agrees_with_passes_over_all_signatures_wherever_it_takes_over() {
        let mut random = Random::new(seed());
        for round in 0..2000 {
            let lts = random_lts(&mut random);
            let mut partitions = vec![Partition::by_annotation(&lts, |_| false)];
            loop {
                let last = &partitions[partitions.len() - 1];
                let next = signature::split(&lts, last, &mut crate::interner::Interner::new(), &mut Watch::none());
                let next = next.expect("the computation is not cancelled");
                if next.n_blocks == last.n_blocks {
                    break;
                }
                partitions.push(next);
            }
            let expected = &partitions[partitions.len() - 1];
            for pair in partitions.windows(2) {
                let found = refine(&lts, &pair[0], pair[1].clone(), &mut Watch::none())
                    .expect("the computation is not cancelled");
                assert!(is_same(&found, expected), "TEST_SEED={} round {round}: {found:?}, {expected:?}", seed());
            }
        }
    }
}
