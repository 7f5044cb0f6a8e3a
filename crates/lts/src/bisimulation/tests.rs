//! Branching bisimulation compared with its definition, and its two algorithms with each other.

use super::partition::Partition;
use super::weak::Kind;
use super::{bottoms, classes};
use crate::interner::number;
use crate::tau::{Components, Divergences};
use crate::{Builder, Label, Lts, StateId, Watch};
use fixedbitset::FixedBitSet;
use test_support::mutate::{Random, seed};

/// With signatures alone, and without them.
const EFFORTS: [usize; 2] = [usize::MAX, 0];

fn find_classes(lts: &Lts, effort: usize) -> Partition {
    let watch = &mut Watch::none();
    let divergences = Divergences::of(lts, watch).expect("the computation is not cancelled");
    let start = Partition::by_annotation(lts, |state| divergences.contains(state));
    let rank = Components::of(lts, watch).expect("the computation is not cancelled");
    let partition =
        classes(lts, &rank, Kind::Branching, start, effort, watch).expect("the computation is not cancelled");
    let partition = partition.expect("branching bisimulation is always found");
    for (block, &bottom) in bottoms(&partition, &rank).iter().enumerate() {
        let leaves = |target: StateId| partition.block_of[target.index()] as usize != block;
        assert!(
            lts.silent(bottom).iter().all(|step| leaves(step.target)),
            "{bottom:?} is no bottom of {block}: {lts:?}"
        );
    }
    partition
}

/// A system without silent cycles; some states diverge. One step in `one_visible_in` is visible.
fn random_lts(random: &mut Random, n_states: usize, n_labels: usize, one_visible_in: usize) -> Lts {
    let mut builder = Builder::new();
    builder.add_state(StateId(number(n_states) - 1));
    for _ in 0..random.below(4 * n_states) {
        let (source, target) = (random.below(n_states), random.below(n_states));
        let is_visible = random.below(one_visible_in) == 0;
        let label = if is_visible { Label(2 + number(random.below(n_labels))) } else { Label::TAU };
        if is_visible || source < target {
            builder.add(StateId(number(source)), label, StateId(number(target)));
        }
    }
    if random.below(4) == 0 {
        builder.mark_divergent(StateId(number(random.below(n_states))));
    }
    builder.finish(StateId(0))
}

/// The greatest divergence-preserving branching bisimulation, by its definition.
fn related(lts: &Lts) -> Vec<Vec<bool>> {
    let divergences = Divergences::of(lts, &mut Watch::none()).expect("the computation is not cancelled");
    let states = || lts.states().map(StateId::index);
    let mut related: Vec<Vec<bool>> = lts
        .states()
        .map(|left| lts.states().map(|right| divergences.contains(left) == divergences.contains(right)).collect())
        .collect();
    loop {
        let broken = states().flat_map(|left| states().map(move |right| (left, right))).find(|&(left, right)| {
            let answers = |step: &crate::Transition| is_matched(lts, &related, left, step, right);
            related[left][right] && !lts.transitions(StateId(number(left))).iter().all(answers)
        });
        let Some((left, right)) = broken else { return related };
        (related[left][right], related[right][left]) = (false, false);
    }
}

/// Whether `right` matches a step of `left`: after silent steps through states related to `left`, or by no step.
fn is_matched(lts: &Lts, related: &[Vec<bool>], left: usize, step: &crate::Transition, right: usize) -> bool {
    let target = step.target.index();
    if step.label == Label::TAU && related[target][right] {
        return true;
    }
    let mut open = vec![right];
    let mut visited = FixedBitSet::with_capacity(lts.n_states());
    while let Some(state) = open.pop() {
        if visited.put(state) {
            continue;
        }
        for other in lts.transitions(StateId(number(state))) {
            if other.label == step.label && related[target][other.target.index()] {
                return true;
            }
            if other.label == Label::TAU && related[left][other.target.index()] {
                open.push(other.target.index());
            }
        }
    }
    false
}

#[test]
fn branching_bisimulation_agrees_with_the_definition() {
    let mut random = Random::new(seed());
    let mut n_merged = 0;
    for round in 0..4000 {
        let n_states = 2 + random.below(12);
        let lts = random_lts(&mut random, n_states, 2, 3);
        let related = related(&lts);
        for effort in EFFORTS {
            let partition = find_classes(&lts, effort);
            for left in lts.states() {
                for right in lts.states() {
                    let are_together = partition.block_of[left.index()] == partition.block_of[right.index()];
                    let context = || {
                        format!("TEST_SEED={} round {round}, effort {effort}, {left:?} and {right:?}: {lts:?}", seed())
                    };
                    assert_eq!(are_together, related[left.index()][right.index()], "{}", context());
                    n_merged += usize::from(are_together && left < right);
                }
            }
        }
    }
    assert!(n_merged > 8000, "hardly anything is alike: {n_merged}");
}

/// Equal up to the numbers of the blocks.
fn is_same(left: &Partition, right: &Partition) -> bool {
    let pairs: std::collections::HashSet<_> = left.block_of.iter().zip(&right.block_of).collect();
    left.n_blocks == right.n_blocks && pairs.len() == left.n_blocks
}

#[test]
fn both_algorithms_agree() {
    let mut random = Random::new(seed());
    let (mut n_states, mut n_blocks) = (0, 0);
    for round in 0..3000 {
        let size = 2 + random.below(150);
        let (n_labels, one_visible_in) = (1 + random.below(6), 1 + random.below(6));
        let lts = random_lts(&mut random, size, n_labels, one_visible_in);
        let expected = find_classes(&lts, usize::MAX);
        for effort in [0, random.below(4 * size), random.below(16 * size)] {
            let found = find_classes(&lts, effort);
            assert!(is_same(&found, &expected), "TEST_SEED={} round {round}, effort {effort}: {lts:?}", seed());
        }
        n_states += lts.n_states();
        n_blocks += expected.n_blocks;
    }
    assert!(n_blocks < n_states * 9 / 10 && n_blocks > n_states / 20, "{n_blocks} of {n_states} states are left");
}
