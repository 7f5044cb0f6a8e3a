//! All representations of rules have the same steps.

use super::NetworkSpace;
use super::compile::Sizes;
use crate::space::Steps;
use model::network::{Configuration, Network};
use progress::NoProgress;
use std::collections::BTreeSet;
use test_support::data::{Taste, random_network_with_data, random_network_with_wide_data};
use test_support::mutate::{Random, seed};

/// The number of words, sufficient for all random networks of these tests.
const W: usize = 8;

const FILED: Sizes = Sizes { max_grouped: 0, ..Sizes::USUAL };
const WHOLE: Sizes = Sizes { max_per_state: 0, ..Sizes::USUAL };

/// The first configurations of a breadth-first search.
fn near(network: &Network, most: usize) -> Vec<Configuration> {
    let mut all = vec![network.initial.clone()];
    let mut visited = BTreeSet::from([network.initial.clone()]);
    let mut next = 0;
    while next < all.len() && all.len() < most {
        let targets = network.steps(&all[next]).into_iter().map(|step| step.target);
        all.extend(targets.filter(|target| visited.insert(target.clone())));
        next += 1;
    }
    all
}

#[test]
fn all_representations_of_rules_have_equal_steps() {
    let mut random = Random::new(seed());
    let (mut n_steps, mut n_inner, mut n_in_tables, mut n_tried) = (0, 0, 0, 0);
    for round in 0..2000 {
        let taste = Taste { risk: 2 + random.below(12), is_plain: random.below(3) == 0 };
        let network = match random.below(3) {
            0 => random_network_with_wide_data(&mut random, taste),
            _ => random_network_with_data(&mut random, taste),
        };
        let (grouped, _) = NetworkSpace::new(&network, &[]).expect("few values");
        // A small bound admits some of the tables, a large one all of them.
        let unexpanded = Sizes { max_tables: *random.pick(&[0, 0, 5, 20, 1000]), ..WHOLE };
        let others = [FILED, unexpanded]
            .map(|sizes| NetworkSpace::with_sizes(&network, &[], sizes, &NoProgress).expect("few values").0);
        n_inner += others[0].modes.iter().map(|mode| mode.forks.n_inner()).sum::<usize>();
        n_in_tables += others[1].modes.iter().map(|mode| mode.unexpanded.n_grouped()).sum::<usize>();
        n_tried += others[1].modes.iter().map(|mode| mode.unexpanded.n_tried()).sum::<usize>();
        for configuration in near(&network, 100) {
            let mut words = [0; W];
            grouped.pack(&configuration, &mut words);
            let mut expected = Steps::new();
            let judged = grouped.successors(&words, &mut expected);
            expected.sort_unstable_by_key(|step| (step.rule, step.target));
            for (number, other) in others.iter().enumerate() {
                let context = || format!("TEST_SEED={} round {round}, {number}: {configuration:?}", seed());
                let mut steps = Steps::new();
                assert_eq!(judged, other.successors(&words, &mut steps), "{}", context());
                steps.sort_unstable_by_key(|step| (step.rule, step.target));
                assert_eq!(steps, expected, "{}", context());
            }
            n_steps += expected.len();
        }
    }
    let is_rich = n_steps > 4_000 && n_inner > 500 && n_in_tables > 1000 && n_tried > 1000;
    assert!(is_rich, "the samples are too plain: {n_steps} {n_inner} {n_in_tables} {n_tried}");
}
