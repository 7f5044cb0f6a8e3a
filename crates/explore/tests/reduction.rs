//! Reduced checks have the verdicts of complete ones, and valid counterexamples.

use crate::support;

use explore::reduction::{partial_order, symmetry};
use explore::{Check, Observer, Proviso, Reduction, Refusal, check, check_reduced};
use lts::normal::normal;
use lts::{Builder, Label, Lts, Model, StateId, Watch};
use model::data::{BinaryOperator, Command, Expression};
use model::network::*;
use progress::NoProgress;
use std::sync::Arc;
use support::validate::validate;
use support::{MODELS, explore_a_little, found, interpret, limits, random_spec, safe_network};
use test_support::data::{Taste, random_network_with_data};
use test_support::mutate::{Random, seed};
use test_support::sharing::random_processes;
use test_support::symmetric::symmetric_network;

/// Counts of the compared checks.
#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    smaller: usize,
    fails: usize,
    holds: usize,
    /// The number of violations found by depth-first probes.
    n_probed: usize,
}

impl Counts {
    /// Compares a check with and without a reduction.
    fn compare(&mut self, network: &Network, observer: &Observer, reduction: &Reduction, context: &dyn Fn() -> String) {
        let whole = check(network, observer, &limits(1), &NoProgress).expect("few words");
        let reduced = check_reduced(network, observer, reduction, &limits(1), &NoProgress).expect("few words");
        let context =
            || format!("{}\n{network:#?}\n{:#?}\n{whole:?}\n{reduced:?}", context(), observer.specification());
        assert_eq!(found(&whole).is_some(), found(&reduced).is_some(), "{}", context());
        assert!(found(&whole).is_some() || reduced.statistics.n_states <= whole.statistics.n_states, "{}", context());
        if let Some(found) = found(&reduced) {
            validate(network, observer.specification(), found);
        }
        let probe = Check::new(network, observer, reduction).expect("few words").probe(1 << 20, &NoProgress);
        if let Some(n_probed) = probe.expect("the computation is not cancelled") {
            assert!(found(&whole).is_some(), "{n_probed:?}\n{}", context());
            validate(network, observer.specification(), &n_probed);
            self.n_probed += 1;
        }
        let (is_smaller, fails) = (reduced.statistics.n_states < whole.statistics.n_states, found(&whole).is_some());
        self.smaller += usize::from(is_smaller);
        self.fails += usize::from(is_smaller && fails);
        self.holds += usize::from(is_smaller && !fails);
    }

    /// Compares all applicable reductions.
    fn compare_all(&mut self, network: &Network, observer: &Observer, context: &dyn Fn() -> String) {
        let order = partial_order(network, observer).ok().map(Arc::new);
        let symmetries = symmetry(network, observer, limits::effort::symmetry::BUDGET, &NoProgress).ok().map(Arc::new);
        self.refused += usize::from(order.is_none()) + usize::from(symmetries.is_none());
        let both = order.clone().filter(|order| order.proviso() == Proviso::None).zip(symmetries.clone());
        let all = [
            order.map(Reduction::PartialOrder),
            symmetries.map(Reduction::Symmetry),
            both.map(|(order, symmetries)| Reduction::Both(order, symmetries)),
        ];
        all.iter().flatten().for_each(|reduction| self.compare(network, observer, reduction, context));
    }

    fn expect(&self, n: usize) {
        assert!([self.fails, self.holds, self.refused, self.n_probed].iter().all(|&count| count > n), "{self:?}");
    }
}

/// The largest number of nodes of a normal form in these tests.
const MAX_NODES: usize = 200;

/// The observer of a refinement, unless its normal form is large.
fn refinement(spec: &Lts, model: Model) -> Option<Observer> {
    let normal = normal(
        spec,
        model,
        &mut Watch::none().within(explore::Limits::of_workers(1).with_max_states(MAX_NODES as u64)),
    );
    normal.ok().map(|normal| Observer::refinement(normal, model))
}

/// A random network without priority.
fn some_network(random: &mut Random) -> Network {
    match random.below(4) {
        0 => Network { priority: None, ..safe_network(random) },
        1 => random_processes(random),
        2 => Network { priority: None, ..symmetric_network(random).network },
        _ => loop {
            let network = random_network_with_data(random, Taste { risk: 0, is_plain: true });
            if explore_a_little(&network, 300).is_some() {
                return network;
            }
        },
    }
}

#[test]
fn deadlocks_and_divergences_are_preserved() {
    let (seed, mut random, mut counts) = (seed(), Random::new(seed()), Counts::default());
    for round in 0..800 {
        let network = some_network(&mut random);
        for (number, observer) in [
            Observer::deadlock_freedom(Model::Failures),
            Observer::deadlock_freedom(Model::FailuresDivergences),
            Observer::divergence_freedom(),
        ]
        .iter()
        .enumerate()
        {
            counts.compare_all(&network, observer, &|| format!("TEST_SEED={seed} round {round} observer {number}"));
        }
    }
    counts.expect(60);
}

/// A small specification that ignores some labels.
fn partial_spec(random: &mut Random) -> Lts {
    let n_nodes = 1 + random.below(3);
    let mut builder = Builder::new();
    let ignored: Vec<bool> = (0..5).map(|_| random.below(3) == 0).collect();
    for node in 0..n_nodes {
        builder.add_state(StateId(node as u32));
        for (label, &is_ignored) in (1..).zip(&ignored[1..]) {
            let target = match random.below(5) {
                _ if is_ignored => node,
                0 => continue,
                _ => random.below(n_nodes),
            };
            builder.add(StateId(node as u32), Label(label), StateId(target as u32));
        }
    }
    builder.finish(StateId(0))
}

#[test]
fn refinement_is_preserved() {
    let (seed, mut random, mut counts) = (seed(), Random::new(seed()), Counts::default());
    for round in 0..600 {
        let network = some_network(&mut random);
        let spec = match random.below(3) {
            0 => partial_spec(&mut random),
            _ => interpret(&random_spec(&mut random, &network)).0,
        };
        for model in MODELS {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}");
            let observer = refinement(&spec, model);
            observer.inspect(|observer| counts.compare_all(&network, observer, &context));
        }
    }
    counts.expect(40);
}

#[test]
fn refinement_of_symmetric_specifications_is_preserved() {
    let (seed, mut random, mut counts) = (seed(), Random::new(seed()), Counts::default());
    for round in 0..500 {
        let colored = symmetric_network(&mut random);
        // Priority excludes partial-order reduction.
        let priority = colored.network.priority.clone().filter(|_| random.below(2) == 0);
        let network = Network { priority, ..colored.network.clone() };
        let mut spec = network.clone();
        // Labels are removed from all processes, or from one of them.
        let n_fewer = random.below(3);
        for _ in 0..n_fewer {
            let labels: Vec<Label> = spec.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows).collect();
            if labels.is_empty() {
                break;
            }
            let (label, is_single) = (*random.pick(&labels), random.below(8) == 0);
            let is_meant = |shows: Label| {
                if is_single { shows == label } else { colored.color(shows) == colored.color(label) }
            };
            let hides = random.below(3) == 0;
            for mode in &mut spec.modes {
                if hides {
                    let meant = mode.rules.iter_mut().filter(|rule| is_meant(rule.shows));
                    meant.for_each(|rule| rule.shows = Label::TAU);
                } else {
                    mode.rules.retain(|rule| !is_meant(rule.shows));
                }
            }
        }
        let spec = interpret(&spec).0;
        for model in MODELS {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}");
            let observer = refinement(&spec, model);
            observer.inspect(|observer| counts.compare_all(&network, observer, &context));
        }
    }
    counts.expect(40);
}

/// Independent machines with a single step or a loop, each under its own label.
fn side_by_side(machines: Vec<Machine>, labels: &[Label]) -> Network {
    let rule = |(number, &label): (u32, &Label)| Rule::new([(MachineId(number), Action(0))], label);
    let initial = Configuration { locals: vec![LocalState(0); machines.len()], ..Configuration::default() };
    let modes = vec![Mode { rules: (0..).zip(labels).map(rule).collect() }];
    Network { machines: machines.into_iter().map(Arc::new).collect(), modes, initial, ..Network::default() }
}

fn lts(edges: &[(u32, Label, u32)]) -> Lts {
    let mut builder = Builder::new();
    edges.iter().for_each(|&(source, label, target)| builder.add(StateId(source), label, StateId(target)));
    builder.finish(StateId(0))
}

#[test]
fn a_specification_without_the_symmetry_excludes_it() {
    let (a, b, c) = (Label(2), Label(3), Label(4));
    let machine = || Machine::new([vec![Edge { action: Action(0), target: LocalState(0) }]]);
    let network = side_by_side(vec![machine(), machine()], &[a, b]);
    let has_symmetry = |spec: &Lts, model: Model| {
        let observer = refinement(spec, model).expect("it is small");
        symmetry(&network, &observer, limits::effort::symmetry::BUDGET, &NoProgress).is_ok()
    };
    // The last one allows both events and requires one.
    let allows = |labels: &[Label]| lts(&labels.iter().map(|&label| (0, label, 0)).collect::<Vec<_>>());
    let demands = lts(&[(0, Label::TAU, 1), (0, Label::TAU, 2), (1, a, 0), (1, b, 0), (2, a, 0)]);
    for model in MODELS {
        assert!(has_symmetry(&allows(&[a, b]), model) && has_symmetry(&allows(&[a, b, c]), model), "{model:?}");
        assert!(!has_symmetry(&allows(&[a]), model) && !has_symmetry(&allows(&[a, c]), model), "{model:?}");
        assert_eq!(has_symmetry(&demands, model), model == Model::Traces, "{model:?}");
    }
}

#[test]
fn termination_is_never_taken_alone() {
    let once = || Machine::new([vec![Edge { action: Action(0), target: LocalState(1) }], vec![]]);
    let network = side_by_side(vec![once(), once()], &[Label::TICK, Label(2)]);
    // No process terminates twice, but a specification may say otherwise.
    let observer = Observer::refinement(lts(&[(0, Label::TICK, 0)]), Model::Traces);
    assert_eq!(partial_order(&network, &observer).err(), Some(Refusal::NothingUnseen));
    assert!(found(&check(&network, &observer, &limits(1), &NoProgress).expect("few words")).is_some());
}

/// An open machine has a failing rule in each state that is not compiled yet, and unknown targets.
#[test]
fn failing_steps_are_not_reduced() {
    let once = || Machine::new([vec![Edge { action: Action(0), target: LocalState(1) }], vec![]]);
    let mut network = side_by_side(vec![once(), once()], &[Label::TAU, Label::TAU]);
    let observer = Observer::deadlock_freedom(Model::Failures);
    let refusals = |network: &Network| {
        let symmetries = symmetry(network, &observer, limits::effort::symmetry::BUDGET, &NoProgress).err();
        [partial_order(network, &observer).err(), symmetries]
    };
    assert_eq!(refusals(&network), [None, None]);
    let mut add = |expression| network.data.expressions.add(expression, Default::default());
    let (one, zero) = (add(Expression::Integer(1)), add(Expression::Integer(0)));
    let undefined = add(Expression::Binary(BinaryOperator::Divide, one, zero));
    let guard = add(Expression::Binary(BinaryOperator::Equal, undefined, one));
    let command = Command { guard: Some(guard), statements: Box::new([]) };
    network.modes[0].rules.iter_mut().for_each(|rule| rule.command = Some(Box::new(command.clone())));
    assert_eq!(refusals(&network), [Some(Refusal::Failures); 2]);
}
