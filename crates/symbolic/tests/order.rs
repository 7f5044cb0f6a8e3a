//! Steps that have to do with each other are looked at in both orders, also against the order of rules.
//!
//! In each network the only run that goes wrong takes a rule and then one that comes before it. Whoever took the two
//! for independent would not see it.

use lts::normal::normal;
use lts::{Builder, Label, Lts, Model, Reason, StateId, Verdict, Watch};
use model::data::*;
use model::network::*;
use progress::NoProgress;
use std::sync::Arc;
use symbolic::{Direction, Frequency, Property, Settings, Solvers, prove_by_induction, prove_by_pdr, search_bounded};
use test_support::data::Span;

const MOVE: Action = Action(2);
const STAY: Action = Action(3);
const A: Label = Label(2);
const B: Label = Label(3);
const C: Label = Label(4);

/// Moves once, and may stay there.
fn machine() -> Arc<Machine> {
    let edge = |action, target| Edge { action, target: LocalState(target) };
    Arc::new(Machine::new([vec![edge(MOVE, 1)], vec![edge(STAY, 1)]]))
}

/// A few machines that move once, in modes.
fn network(n_machines: usize, modes: Vec<Vec<Rule>>, first: u32) -> Network {
    let locals = vec![LocalState(0); n_machines];
    Network {
        machines: vec![machine(); n_machines],
        modes: modes.into_iter().map(|rules| Mode { rules }).collect(),
        initial: Configuration { mode: ModeId(first), locals, ..Configuration::default() },
        ..Network::default()
    }
}

fn moves(number: u32, shows: Label) -> Rule {
    Rule::new([(MachineId(number), MOVE)], shows)
}

/// Both machines are where they end.
fn both(shows: Label) -> Rule {
    Rule::new([(MachineId(0), STAY), (MachineId(1), STAY)], shows)
}

/// All ways to ask find a run of so many steps.
fn assert_found(network: &Network, property: &Property<'_>, n_steps: usize) {
    for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
        for solvers in [Solvers::One, Solvers::Two] {
            let settings = Settings { depth: 6, direction, solvers, ..Settings::default() };
            for ask in [search_bounded, prove_by_induction, prove_by_pdr] {
                match ask(network, property, &settings, &NoProgress).verdict {
                    Verdict::Fails(found) => assert_eq!(found.steps.len(), n_steps, "{settings:?}: {found:?}"),
                    other => panic!("{settings:?}: {other:?}"),
                }
            }
        }
    }
    // What is taken at once may be more than is needed.
    let settings = Settings { depth: 6, frequency: Frequency::Auto, ..Settings::default() };
    let verdict = search_bounded(network, property, &settings, &NoProgress).verdict;
    assert!(matches!(&verdict, Verdict::Fails(found) if found.steps.len() >= n_steps), "{verdict:?}");
}

/// The normal form of a specification in traces.
fn form(edges: &[(u32, Label, u32)]) -> Lts {
    let mut builder = Builder::new();
    builder.add_state(StateId(0));
    edges.iter().for_each(|&(from, label, to)| builder.add(StateId(from), label, StateId(to)));
    normal(&builder.finish(StateId(0)), Model::Traces, &mut Watch::none()).expect("it is small")
}

#[test]
fn a_change_of_mode_comes_before_what_it_makes_possible() {
    let jump = Jump { mode: ModeId(0), resets: [].into() };
    let modes = vec![vec![moves(0, A)], vec![Rule { jump: Some(jump), ..moves(1, B) }]];
    assert_found(&network(2, modes, 1), &Property::DeadlockFree, 2);
}

#[test]
fn a_machine_takes_one_step_after_the_other() {
    let modes = vec![vec![Rule::new([(MachineId(0), STAY), (MachineId(1), MOVE)], A), moves(0, B)]];
    // The first rule keeps going round only with a partner that moves once.
    assert_found(&network(2, modes, 0), &Property::DeadlockFree, 2);
}

#[test]
fn what_a_specification_sees_has_an_order() {
    let network = network(2, vec![vec![moves(1, B), moves(0, A), both(C)]], 0);
    // After `a` and `b` there is no `c`, after `b` and `a` there is.
    let form = form(&[(0, A, 1), (1, B, 2), (0, B, 3), (3, A, 4), (4, C, 4)]);
    assert_found(&network, &Property::Refines(&form, Model::Traces), 3);
}

/// A network with a variable, its rules being made from expressions for 0 and 1 and for the variable.
fn with_variable(rules: impl FnOnce(&mut Data, VariableId) -> Vec<Rule>) -> Network {
    let mut data = Data::default();
    let kind = Kind::Scalar(Domain::Integers { low: 0, high: 1 });
    let variable = data.add_variable(Variable { name: "v".into(), kind, lifetime: Lifetime::Run });
    let rules = rules(&mut data, variable);
    let mut network = network(2, vec![rules], 0);
    network.initial.data = data.least_valuation();
    network.data = data;
    network
}

/// Asks that a variable has a value.
fn asks(data: &mut Data, variable: VariableId, value: i64) -> Option<Box<Command>> {
    let span = Span::default();
    let left = data.expressions.add(Expression::Variable(variable), span);
    let right = data.expressions.add(Expression::Integer(value), span);
    let guard = data.expressions.add(Expression::Binary(BinaryOperator::Equal, left, right), span);
    Some(Box::new(Command { guard: Some(guard), statements: [].into() }))
}

/// Gives a variable the value 1.
fn sets(data: &mut Data, variable: VariableId) -> Option<Box<Command>> {
    let value = data.expressions.add(Expression::Integer(1), Span::default());
    let statements = [Statement::Assign { variable, value, origin: Span::default() }].into();
    Some(Box::new(Command { guard: None, statements }))
}

#[test]
fn a_variable_is_set_before_it_is_read() {
    let network = with_variable(|data, variable| {
        let [reads, writes] = [asks(data, variable, 1), sets(data, variable)];
        vec![Rule { command: reads, ..moves(0, Label::TAU) }, Rule { command: writes, ..moves(1, Label::TAU) }]
    });
    assert_found(&network, &Property::DeadlockFree, 2);
}

#[test]
fn a_variable_is_read_before_it_is_set() {
    let network = with_variable(|data, variable| {
        let [writes, reads] = [sets(data, variable), asks(data, variable, 0)];
        let [writes, reads] = [(writes, 0), (reads, 1)].map(|(command, by)| Rule { command, ..moves(by, Label::TAU) });
        vec![writes, reads, both(A)]
    });
    assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 3);
}

/// A machine with these edges.
fn with_edges(edges: &[(u32, Action, u32)]) -> Arc<Machine> {
    let n_states = edges.iter().map(|edge| edge.0.max(edge.2) + 1).max().unwrap_or(1);
    Arc::new(Machine::new((0..n_states).map(|state| {
        let here = edges.iter().filter(|edge| edge.0 == state);
        here.map(|edge| Edge { action: edge.1, target: LocalState(edge.2) }).collect()
    })))
}

/// Goes to and fro, and may stay at the first place.
fn swing() -> Arc<Machine> {
    with_edges(&[(0, MOVE, 1), (1, MOVE, 0), (0, STAY, 0)])
}

fn unseen(parts: &[(u32, Action)]) -> Rule {
    let parts: Vec<(MachineId, Action)> = parts.iter().map(|part| (MachineId(part.0), part.1)).collect();
    Rule::new(parts, Label::TAU)
}

#[test]
fn to_and_fro_is_not_in_vain_if_somebody_else_moved() {
    // Both swing twice, together with somebody who counts.
    let mut network =
        network(2, vec![vec![unseen(&[(0, MOVE), (1, MOVE)]), Rule { shows: A, ..unseen(&[(1, STAY)]) }]], 0);
    network.machines = vec![swing(), with_edges(&[(0, MOVE, 1), (1, MOVE, 2), (2, STAY, 2)])];
    assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 3);
}

#[test]
fn two_steps_that_may_lead_elsewhere_are_not_one() {
    let (one, other, both) = (Action(4), Action(5), Action(6));
    let rules = vec![
        unseen(&[(0, both)]),
        unseen(&[(0, one)]),
        unseen(&[(0, other)]),
        Rule { shows: A, ..unseen(&[(0, STAY)]) },
    ];
    let mut network = network(1, vec![rules], 0);
    // One and the other lead to 2, as both do at once, or to 3.
    network.machines = vec![with_edges(&[(0, one, 1), (1, other, 2), (1, other, 3), (0, both, 2), (3, STAY, 3)])];
    assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 3);
}

#[test]
fn two_steps_that_are_seen_are_not_one() {
    let (one, other, both) = (Action(4), Action(5), Action(6));
    let [one_rule, other_rule, both_rule] =
        [(one, A), (other, B), (both, C)].map(|(action, shows)| Rule { shows, ..unseen(&[(0, action)]) });
    let mut network = network(1, vec![vec![both_rule, one_rule, other_rule]], 0);
    network.machines = vec![with_edges(&[(0, one, 1), (1, other, 2), (0, both, 2)])];
    // Everything is allowed but `b`.
    assert_found(&network, &Property::Refines(&form(&[(0, A, 1), (0, C, 1)]), Model::Traces), 2);
}

#[test]
fn to_and_fro_is_not_in_vain_if_a_variable_changes() {
    let mut network = with_variable(|data, variable| {
        let [writes, reads] = [sets(data, variable), asks(data, variable, 1)];
        let read = Rule { command: reads, shows: A, ..unseen(&[(0, STAY)]) };
        vec![Rule { command: writes, ..unseen(&[(0, MOVE)]) }, read]
    });
    network.machines[0] = swing();
    assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 3);
}

#[test]
fn actions_that_do_not_commute_are_looked_at_in_both_orders() {
    let (first, second) = (Action(4), Action(5));
    // Rules in either order: the one that must come first is last among the rules, or first.
    for rules in [[second, first], [first, second]] {
        let [one, other] = rules.map(|action| unseen(&[(0, action)]));
        let mut network = network(1, vec![vec![one, other, Rule { shows: A, ..unseen(&[(0, STAY)]) }]], 0);
        network.machines =
            vec![with_edges(&[(0, first, 1), (1, second, 2), (0, second, 3), (3, first, 4), (2, STAY, 2)])];
        assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 3);
    }
}

/// Lights that three switches toggle in pairs: each switch is pressed at most once, in one order.
#[test]
fn what_commutes_and_cancels_is_found_as_quickly_as_it_can_be() {
    let presses = [[0, 1], [1, 2], [2, 3]].map(|[one, other]| unseen(&[(one, MOVE), (other, MOVE)]));
    let all_off: Vec<(u32, Action)> = (0..4).map(|light| (light, STAY)).collect();
    let mut network = network(4, vec![[&presses[..], &[Rule { shows: A, ..unseen(&all_off) }]].concat()], 0);
    network.machines = vec![swing(); 4];
    network.initial.locals = [1, 0, 0, 1].map(LocalState).to_vec();
    assert_found(&network, &Property::Refines(&form(&[]), Model::Traces), 4);
    // One light alone cannot be switched off.
    network.initial.locals[0] = LocalState(0);
    let form = form(&[]);
    let settings = Settings { depth: 40, ..Settings::default() };
    let answer = prove_by_induction(&network, &Property::Refines(&form, Model::Traces), &settings, &NoProgress);
    assert!(matches!(answer.verdict, Verdict::Holds), "{answer:?}");
    assert!(answer.depth <= 4, "{answer:?}");
}

#[test]
fn nothing_is_taken_together_with_termination() {
    // Who terminates would let the other one do something wrong.
    let rules = vec![Rule::new([(MachineId(0), MOVE)], Label::TICK), unseen(&[(1, MOVE)]), both(A)];
    let network = network(2, vec![rules], 0);
    let form = form(&[(0, Label::TICK, 1)]);
    for frequency in [Frequency::Steps(1), Frequency::Steps(4), Frequency::Auto] {
        let settings = Settings { depth: 6, frequency, ..Settings::default() };
        let answer = search_bounded(&network, &Property::Refines(&form, Model::Traces), &settings, &NoProgress);
        assert_eq!(answer.verdict, Verdict::Unknown(Reason::Depth));
    }
}
