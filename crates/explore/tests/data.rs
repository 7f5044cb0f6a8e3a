//! Networks with variables: packed states and programs compared with the interpreter, with failing steps.

use crate::support;

use explore::network::NetworkSpace;
use explore::{
    FAILURE, Failure, Growing, Judgment, NotExplicit, Observer, PartialOrder, Proviso, Reduction, Steps, TooWide,
    check, to_graph, to_lts,
};
use lts::refine::refines;
use lts::{Builder, Fault, Label, Lts, Model, StateId, Verdict, Watch};
use model::data::*;
use model::network::*;
use progress::NoProgress;
use std::collections::BTreeSet;
use std::sync::Arc;
use support::{explore_a_little, limits};
use test_support::data::{Kept, Span, Taste, random_network_with_data, random_network_with_wide_data, shared_counters};
use test_support::mutate::{Random, seed};
use test_support::networks::without_priorities;

/// The number of words, sufficient for all random networks of these tests.
const W: usize = 8;
const MOST: usize = 300;

fn random(random: &mut Random) -> Network {
    let taste = Taste { risk: 2 + random.below(12), is_plain: random.below(3) == 0 };
    match random.below(4) {
        0 => random_network_with_wide_data(random, taste),
        _ => random_network_with_data(random, taste),
    }
}

#[test]
fn random_networks_are_valid() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    for round in 0..3000 {
        assert_eq!(random(&mut source).validate(), [], "TEST_SEED={seed} round {round}");
    }
}

#[test]
fn steps_and_failures_are_those_of_the_interpreter() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    let (mut n_failed, mut n_fine) = (0, 0);
    for round in 0..4000 {
        let network = random(&mut source);
        let Some(configurations) = explore_a_little(&network, MOST) else { continue };
        let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
        assert!(space.n_words() <= W);
        for configuration in configurations.keys() {
            let context = || format!("TEST_SEED={seed} round {round}: {configuration:?}");
            let mut words = [0; W];
            space.pack(configuration, &mut words);
            assert_eq!(space.unpack(&words), *configuration, "{}", context());
            let mut steps = Steps::new();
            let judgment = space.successors(&words, &mut steps);
            let has_failed = !network.failures(configuration).is_empty();
            assert_eq!(judgment != Judgment::Fine, has_failed, "{}", context());
            assert!(!has_failed || judgment == Judgment::Found(FAILURE), "{}", context());
            let actual = steps.iter().map(|step| (step.rule, step.label, space.unpack(&step.target)));
            let expected = network.steps(configuration).into_iter().map(|step| (step.rule, step.label, step.target));
            let (mut actual, mut expected): (Vec<_>, Vec<_>) = (actual.collect(), expected.collect());
            actual.sort_unstable();
            expected.sort_unstable();
            assert_eq!(actual, expected, "{}", context());
            *(if has_failed { &mut n_failed } else { &mut n_fine }) += 1;
        }
    }
    assert!(n_failed > 1000 && n_fine > 1000, "too much alike: {n_failed} {n_fine}");
}

/// The interval domain over-approximates the values.
#[test]
fn intervals_bound_values_and_failures() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    let (mut n_narrow, mut n_fine, mut n_failed) = (0, 0, 0);
    for round in 0..1500 {
        let network = random(&mut source);
        let Some(configurations) = explore_a_little(&network, 30) else { continue };
        let context = || format!("TEST_SEED={seed} round {round}: {:?}", network.data);
        for id in (0..network.data.expressions.len() as u32).map(ExpressionId) {
            // Operands that are evaluated conditionally may fail on their own.
            let Ok(interval) = Intervals::new(&network.data).expression(id) else { continue };
            for configuration in configurations.keys() {
                let value = network.data.evaluate(id, &configuration.data);
                let value = value.unwrap_or_else(|error| panic!("{}: {id:?} {error:?}", context()));
                assert!(interval.contains(value.into()), "{}: {id:?} is {value}, not in {interval:?}", context());
                n_narrow += usize::from(interval.high - interval.low < 4);
            }
        }
        let commands = network.modes.iter().flat_map(|mode| &mode.rules).filter_map(|rule| rule.command.as_deref());
        for command in commands {
            let may_fail = network.data.may_fail(command);
            for configuration in configurations.keys() {
                let has_failed = network.data.execute(command, &configuration.data).is_err();
                assert!(may_fail || !has_failed, "{}: {command:?} in {configuration:?}", context());
                *(if may_fail { &mut n_failed } else { &mut n_fine }) += 1;
            }
        }
    }
    assert!(n_narrow > 1000 && n_fine > 1000 && n_failed > 1000, "too plain: {n_narrow} {n_fine} {n_failed}");
}

/// The least depth of a configuration with a failing step, along labels that are followed.
fn nearest_failure(network: &Network, follows: impl Fn(Label) -> bool) -> Option<u64> {
    let mut visited = BTreeSet::from([network.initial.clone()]);
    let mut level = vec![network.initial.clone()];
    for depth in 0.. {
        if level.iter().any(|configuration| !network.failures(configuration).is_empty()) {
            return Some(depth);
        }
        let steps = level.iter().flat_map(|configuration| network.steps(configuration));
        let next = steps.filter(|step| follows(step.label)).map(|step| step.target);
        level = next.filter(|target| visited.insert(target.clone())).collect();
        if level.is_empty() {
            return None;
        }
    }
    None
}

/// Panics unless the run is valid and the step fails after it.
fn validate(network: &Network, steps: &[NetworkStep], failed: &FailedStep) {
    let mut at = network.initial.clone();
    for step in steps {
        assert!(network.steps(&at).contains(step), "no step {step:?} from {at:?}");
        at = step.target.clone();
    }
    assert!(network.failures(&at).contains(failed), "{failed:?} is not what goes wrong in {at:?}");
}

fn validate_failure(network: &Network, Failure { steps, failed }: &Failure) {
    validate(network, steps, failed);
}

#[test]
fn every_search_finds_failures_by_shortest_runs() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    let mut counts = [0; 2];
    for round in 0..2000 {
        let network = random(&mut source);
        if explore_a_little(&network, MOST).is_none() {
            continue;
        }
        let context = || format!("TEST_SEED={seed} round {round}");
        let expected = nearest_failure(&network, |_| true);
        counts[usize::from(expected.is_some())] += 1;
        let explicit = [1, 3].map(|n_workers| to_lts(&network, &limits(n_workers), &NoProgress).map(|_| ()));
        assert_eq!(explicit[0], explicit[1], "{}", context());
        let graph = to_graph(&network, Reduction::None, &limits(2), &NoProgress).map(|_| ());
        assert_eq!(explicit[0], graph, "{}", context());
        let found = match &explicit[0] {
            Ok(()) => None,
            Err(NotExplicit::Failed(failure)) => Some(failure),
            Err(other) => panic!("{}: {other:?}", context()),
        };
        assert_eq!(found.map(|failure| failure.steps.len() as u64), expected, "{}", context());
        found.inspect(|failure| validate_failure(&network, failure));
        grow(&network, expected.is_some(), &context());
        check_with_observers(&network, &context());
    }
    assert!(counts.iter().all(|&count| count > 200), "too much alike: {counts:?}");
}

/// On-the-fly exploration stops at a failing step and reports it.
fn grow(network: &Network, is_wrong: bool, context: &str) {
    let mut growing = Growing::new(network, Reduction::None).expect("few values");
    let mut next = 0;
    while next < growing.n_states() {
        let state = StateId(next as u32);
        let has_failed = !network.failures(&growing.configuration(state)).is_empty();
        assert_eq!(growing.steps(state).is_none(), has_failed, "{context}");
        next += 1;
    }
    assert_eq!(growing.failure().is_some(), is_wrong, "{context}");
    growing.failure().inspect(|failure| validate_failure(network, failure));
}

/// Every observer finds a failing step.
fn check_with_observers(network: &Network, context: &str) {
    let expected = nearest_failure(network, |label| label != Label::TICK);
    for observer in [
        Observer::indifferent(),
        Observer::divergence_freedom(),
        Observer::deadlock_freedom(Model::FailuresDivergences),
        Observer::refinement(chaos(), Model::Traces),
        Observer::refinement(chaos(), Model::FailuresDivergences),
        Observer::refinement(divergent(), Model::FailuresDivergences),
    ] {
        let reports =
            [1, 3].map(|n_workers| check(network, &observer, &limits(n_workers), &NoProgress).expect("few words"));
        assert_eq!(reports[0], reports[1], "{context}");
        match (&reports[0].verdict, expected) {
            (Verdict::Holds, None) => {}
            (Verdict::Fails(found), Some(expected)) => match &found.fault {
                Fault::Failure(failed) => {
                    assert_eq!(found.steps.len() as u64, expected, "{context}");
                    validate(network, &found.steps, failed);
                }
                // A cycle may be longer than the run to it.
                Fault::Divergence(_) => {}
                _ => assert!(found.steps.len() as u64 <= expected, "{context}: {found:?}"),
            },
            (Verdict::Fails(found), None) => {
                assert!(!matches!(found.fault, Fault::Failure(_)), "{context}: {found:?}");
            }
            (verdict, _) => panic!("{context}: {verdict:?}, while something goes wrong after {expected:?}"),
        }
    }
}

/// The normal form of a process that may do everything, but need not.
fn chaos() -> Lts {
    let mut builder = Builder::new();
    for label in 1..5 {
        builder.add(StateId(1), Label(label), StateId(0));
    }
    builder.add(StateId(0), Label::TAU, StateId(1));
    builder.add(StateId(0), Label::TAU, StateId(2));
    builder.add_state(StateId(2));
    let lts = builder.finish(StateId(0));
    lts::normal::normal(&lts, Model::FailuresDivergences, &mut Watch::none()).expect("the computation is not cancelled")
}

/// The normal form of a process that diverges at once.
fn divergent() -> Lts {
    let mut builder = Builder::new();
    builder.add(StateId(0), Label::TAU, StateId(0));
    let lts = builder.finish(StateId(0));
    lts::normal::normal(&lts, Model::FailuresDivergences, &mut Watch::none()).expect("the computation is not cancelled")
}

#[test]
fn divergence_is_no_fault_where_everything_is_allowed() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    let observer = Observer::refinement(divergent(), Model::FailuresDivergences);
    for round in 0..500 {
        let network = random(&mut source);
        if explore_a_little(&network, MOST).is_none() || nearest_failure(&network, |_| true).is_some() {
            continue;
        }
        let report = check(&network, &observer, &limits(1), &NoProgress).expect("few words");
        assert_eq!(report.verdict, Verdict::Holds, "TEST_SEED={seed} round {round}");
    }
}

/// A system with some labels hidden.
fn hidden(lts: &Lts, is_unseen: impl Fn(Label) -> bool) -> Lts {
    let mut builder = Builder::new();
    for state in lts.states() {
        builder.add_state(state);
        for step in lts.transitions(state) {
            builder.add(state, if is_unseen(step.label) { Label::TAU } else { step.label }, step.target);
        }
    }
    builder.finish(lts.initial())
}

#[test]
fn partial_order_reduction_preserves_verdicts_with_data() {
    let (seed, mut source) = (seed(), Random::new(seed()));
    let is_unseen = |label: Label| label == Label::TAU || label.0 == 2 || label.0 == 4;
    let (mut n_reduced, mut n_failed) = (0, 0);
    for round in 0..5000 {
        let context = || format!("TEST_SEED={seed} round {round}");
        let taste = Taste { risk: 20, is_plain: source.below(4) > 0 };
        let network = without_priorities(random_network_with_data(&mut source, taste));
        if explore_a_little(&network, 2000).is_none() {
            continue;
        }
        let order = PartialOrder::new(&network, &is_unseen, Proviso::Ranks).expect("there is no priority");
        let reduced = to_graph(&network, Reduction::PartialOrder(Arc::new(order)), &limits(1), &NoProgress);
        let whole = to_lts(&network, &limits(1), &NoProgress);
        let (whole, (reduced, _)) = match (whole, reduced) {
            (Ok(whole), Ok(reduced)) => (whole.lts, reduced),
            (Err(NotExplicit::Failed(_)), Err(NotExplicit::Failed(failure))) => {
                validate_failure(&network, &failure);
                n_failed += 1;
                continue;
            }
            (whole, reduced) => panic!("{}: {:?} {:?}", context(), whole.map(|_| ()), reduced.map(|_| ())),
        };
        n_reduced += usize::from(reduced.n_states() < whole.n_states());
        let (whole, reduced) = (hidden(&whole, is_unseen), hidden(&reduced, is_unseen));
        for model in [Model::Traces, Model::FailuresDivergences] {
            for (one, other) in [(&whole, &reduced), (&reduced, &whole)] {
                let answer = refines(one, other, model, &mut Watch::none()).expect("the computation is not cancelled");
                assert!(answer.holds(), "{} {model:?}", context());
            }
        }
    }
    assert!(n_reduced > 50 && n_failed > 50, "too much alike: {n_reduced} {n_failed}");
}

type BitRule = (u32, u32, Label, Option<(u32, bool)>, Option<(u32, Option<u32>)>);

/// Two machines whose edges have actions of equal numbers, and bits that rules test and set: machine, action, label,
/// the tested bit and its value, and the assigned bit or constant.
fn through_bits(rules: &[BitRule]) -> Network {
    let mut data = Data::default();
    let kind = Kind::Scalar(Domain::Boolean);
    let bit = |name: &str| Variable { name: name.into(), kind: kind.clone(), lifetime: Lifetime::Run };
    for name in ["x", "y"] {
        data.add_variable(bit(name));
    }
    let edge = |target| Edge { action: Action(target), target: LocalState(target) };
    let machine = Arc::new(Machine::new([vec![edge(1), edge(2)], vec![edge(3), edge(4)], vec![], vec![], vec![]]));
    let mut add = |expression| data.expressions.add(expression, Span::default());
    let mut rule = |&(machine, action, shows, asked, assigned): &_| {
        let guard = Option::map(asked, |(bit, value)| {
            let bit = add(Expression::Variable(VariableId(bit)));
            if value { bit } else { add(Expression::Unary(UnaryOperator::Not, bit)) }
        });
        let statements = Option::map(assigned, |(bit, from): (u32, Option<u32>)| {
            let value = add(from.map_or(Expression::Boolean(true), |from| Expression::Variable(VariableId(from))));
            Statement::Assign { variable: VariableId(bit), value, origin: Span::default() }
        });
        let command = Some(Box::new(Command { guard, statements: statements.into_iter().collect() }));
        Rule { command, ..Rule::new([(MachineId(machine), Action(action))], shows) }
    };
    let modes = vec![Mode { rules: rules.iter().map(&mut rule).collect() }];
    let initial =
        Configuration { locals: vec![LocalState(0); 2], data: data.least_valuation(), ..Configuration::default() };
    Network { machines: vec![machine; 2], modes, initial, data, ..Network::default() }
}

#[test]
fn interleavings_distinguished_by_variables_are_kept() {
    let is_unseen = |label: Label| label == Label::TAU;
    // One machine writes the bit that the other copies; a bit decides the final label.
    let copies = through_bits(&[
        (0, 1, Label::TAU, None, Some((0, None))),
        (1, 1, Label::TAU, None, Some((1, Some(0)))),
        (1, 3, Label(2), Some((1, true)), None),
        (1, 4, Label(3), Some((1, false)), None),
    ]);
    // The alternative to a silent step of one machine waits for a bit that the other sets.
    let waits = through_bits(&[
        (0, 1, Label::TAU, None, None),
        (0, 2, Label(2), Some((0, true)), None),
        (1, 1, Label::TAU, None, Some((0, None))),
    ]);
    for network in [copies, waits] {
        assert_eq!(network.validate(), []);
        let order = PartialOrder::new(&network, &is_unseen, Proviso::Ranks).expect("there is no priority");
        let reduction = Reduction::PartialOrder(Arc::new(order));
        let (reduced, _) = to_graph(&network, reduction, &limits(1), &NoProgress).expect("it is small");
        let whole = to_lts(&network, &limits(1), &NoProgress).expect("it is small").lts;
        let answer =
            refines(&reduced, &whole, Model::Traces, &mut Watch::none()).expect("the computation is not cancelled");
        assert!(answer.holds(), "{answer:?}");
    }
}

#[test]
fn counters_in_variables_agree_with_counters_in_machines() {
    for (size, n_states) in [(5, 0), (100, 0)] {
        let [one, other] = [Kept::InMachines, Kept::InVariables].map(|kept| {
            let network = shared_counters(4, 4, 3, size, kept);
            assert_eq!(network.validate(), []);
            let report = check(&network, &Observer::deadlock_freedom(Model::Failures), &limits(2), &NoProgress);
            report.expect("few words")
        });
        assert_eq!(one.statistics.n_states, other.statistics.n_states);
        assert_eq!(one.statistics.n_transitions, other.statistics.n_transitions);
        assert!(one.statistics.n_states > n_states);
    }
}

#[test]
fn many_workers_report_one_failure() {
    // A missing test lets a counter exceed its range.
    let mut network = shared_counters(6, 6, 3, 6, Kept::InVariables);
    let command = network.modes[0].rules[3].command.as_deref_mut().expect("all have one");
    command.guard = None;
    let reports = [1, 2, 3].map(|n_workers| {
        check(&network, &Observer::deadlock_freedom(Model::Failures), &limits(n_workers), &NoProgress)
            .expect("few words")
    });
    assert!(reports.iter().all(|report| *report == reports[0]));
    let Verdict::Fails(found) = &reports[0].verdict else { panic!("nothing was found") };
    let Fault::Failure(failed) = &found.fault else { panic!("{found:?}") };
    validate(&network, &found.steps, failed);
    assert_eq!(failed.rule, RuleId(3));
}

/// One variable, and a rule without participants.
fn alone(domain: Domain, command: impl FnOnce(&mut Data, VariableId) -> Command) -> Network {
    let mut data = Data::default();
    let kind = Kind::Scalar(domain);
    let variable = data.add_variable(Variable { name: "x".into(), kind, lifetime: Lifetime::Run });
    let command = Some(Box::new(command(&mut data, variable)));
    let rule = Rule { command, ..Rule::new([], Label(2)) };
    let initial = Configuration { data: data.least_valuation(), ..Configuration::default() };
    Network { modes: vec![Mode { rules: vec![rule] }], initial, data, ..Network::default() }
}

fn increment(data: &mut Data, variable: VariableId) -> Statement {
    let origin = Span::default();
    let old = data.expressions.add(Expression::Variable(variable), origin);
    let one = data.expressions.add(Expression::Integer(1), origin);
    let value = data.expressions.add(Expression::Binary(BinaryOperator::Add, old, one), origin);
    Statement::Assign { variable, value, origin }
}

#[test]
fn conditions_that_may_fail_are_evaluated_in_order() {
    // In `1 / x == 1 && x == 2`, the second condition must not hide a failure of the first.
    let network = alone(Domain::Integers { low: 0, high: 1000 }, |data, variable| {
        let mut add = |expression| data.expressions.add(expression, Span::default());
        let (x, one, two) =
            (add(Expression::Variable(variable)), add(Expression::Integer(1)), add(Expression::Integer(2)));
        let quotient = add(Expression::Binary(BinaryOperator::Divide, one, x));
        let first = add(Expression::Binary(BinaryOperator::Equal, quotient, one));
        let second = add(Expression::Binary(BinaryOperator::Equal, x, two));
        let guard = Some(add(Expression::Binary(BinaryOperator::And, first, second)));
        Command { guard, statements: [increment(data, variable)].into() }
    });
    let Err(NotExplicit::Failed(failure)) = to_lts(&network, &limits(1), &NoProgress).map(|_| ()) else {
        panic!("it divides by zero")
    };
    assert_eq!(failure.failed.error.kind, ErrorKind::DivisionByZero);
}

#[test]
fn ranges_of_all_sizes_are_counted_to_their_ends() {
    for size in [1, 2, 3, 64, 65, 4096, 4097, 70_000] {
        let network = alone(Domain::Integers { low: -5, high: size - 6 }, |data, variable| {
            let x = data.expressions.add(Expression::Variable(variable), Span::default());
            let most = data.expressions.add(Expression::Integer(size - 6), Span::default());
            let guard = data.expressions.add(Expression::Binary(BinaryOperator::Less, x, most), Span::default());
            Command { guard: Some(guard), statements: [increment(data, variable)].into() }
        });
        let explicit = to_lts(&network, &limits(1), &NoProgress).expect("no step fails");
        assert_eq!(explicit.lts.n_states() as i64, size);
    }
}

#[test]
fn values_may_take_32_bits_and_not_more() {
    let of = |n_values: i64| {
        alone(Domain::Integers { low: i64::MIN, high: i64::MIN + (n_values - 1) }, |data, variable| {
            let greatest = data.expressions.add(Expression::Integer(i64::MIN + (n_values - 1)), Span::default());
            let assign = Statement::Assign { variable, value: greatest, origin: Span::default() };
            Command { guard: None, statements: [assign].into() }
        })
    };
    let explicit = |network: &Network| to_lts(network, &limits(1), &NoProgress).map(|explicit| explicit.lts.n_states());
    assert_eq!(explicit(&of(1 << 32)), Ok(2));
    let too_wide = of((1 << 32) + 1);
    assert_eq!(explicit(&too_wide), Err(NotExplicit::TooWide(TooWide::Variable(VariableId(0)))));
    assert!(Growing::new(&too_wide, Reduction::None).is_err());
    let problem = DataProblem::Variable(VariableId(0), VariableProblem::TooManyValues);
    assert_eq!(too_wide.validate(), [model::Problem::Data(problem)]);
}

#[test]
fn a_loop_is_endless_after_as_many_rounds_as_for_the_interpreter() {
    for (n_rounds, is_endless) in [(MAX_ROUNDS as i64, false), (MAX_ROUNDS as i64 + 1, true)] {
        let network = alone(Domain::Integers { low: 0, high: n_rounds }, |data, variable| {
            let x = data.expressions.add(Expression::Variable(variable), Span::default());
            let most = data.expressions.add(Expression::Integer(n_rounds), Span::default());
            let condition = data.expressions.add(Expression::Binary(BinaryOperator::Less, x, most), Span::default());
            let body = [increment(data, variable)].into();
            Command { guard: None, statements: [Statement::While { condition, body, origin: Span::default() }].into() }
        });
        assert_eq!(network.failures(&network.initial).len(), usize::from(is_endless));
        assert_eq!(to_lts(&network, &limits(1), &NoProgress).is_err(), is_endless);
    }
}
