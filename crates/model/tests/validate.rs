//! Defects that validation reports.

use crate::support;

use lts::Label;
use model::data::*;
use model::network::*;
use model::{InhibitorProblem, InitialProblem, Problem, RuleProblem};
use std::sync::Arc;
use support::{ORIGIN, World, world};

fn network(world: World, command: Command) -> Network {
    let machine = Arc::new(Machine::new([vec![Edge { action: Action(0), target: LocalState(0) }]]));
    let rule = Rule { command: Some(Box::new(command)), ..Rule::new([(MachineId(0), Action(0))], Label(2)) };
    let initial = Configuration { mode: ModeId(0), locals: vec![LocalState(0)], data: world.valuation };
    let modes = vec![Mode { rules: vec![rule] }];
    Network { machines: vec![machine], modes, initial, data: world.data, ..Network::default() }
}

#[test]
fn dangling_numbers_are_reported() {
    let mut network = network(world(), Command::default());
    assert_eq!(network.validate(), []);
    let edge = Edge { action: Action(0), target: LocalState(7) };
    network.machines.push(Arc::new(Machine::new([vec![edge]])));
    network.machines.push(network.machines[1].clone());
    let parts = [(MachineId(9), Action(0)), (MachineId(0), Action(0)), (MachineId(0), Action(1))];
    let resets = [(MachineId(0), LocalState(1)), (MachineId(8), LocalState(0))].into();
    let jump = Some(Jump { mode: ModeId(3), resets });
    network.modes[0].rules.push(Rule { jump, ..Rule::new(parts, Label(2)) });
    network.modes[0].rules.push(Rule::new([], Label(2)));
    network.initial = Configuration { mode: ModeId(2), locals: vec![LocalState(4)], data: vec![0; 10].into() };
    let rule = |number, problem| Problem::Rule(ModeId(0), RuleId(number), problem);
    let expected = [
        Problem::Edge { machine: MachineId(1), source: LocalState(0), target: LocalState(7) },
        rule(1, RuleProblem::UnknownMachine(MachineId(9))),
        rule(1, RuleProblem::TakesPartTwice(MachineId(0))),
        rule(1, RuleProblem::UnknownMode(ModeId(3))),
        rule(1, RuleProblem::UnknownState(MachineId(0), LocalState(1))),
        rule(1, RuleProblem::UnknownMachine(MachineId(8))),
        rule(2, RuleProblem::Empty),
        Problem::Initial(InitialProblem::UnknownMode(ModeId(2))),
        Problem::Initial(InitialProblem::LocalStates { n_given: 1 }),
        Problem::Initial(InitialProblem::UnknownState(MachineId(0), LocalState(4))),
        Problem::Initial(InitialProblem::Cells { n_given: 10 }),
    ];
    assert_eq!(network.validate(), expected);
}

#[test]
fn dangling_numbers_of_inhibitors_are_reported() {
    let mut world = world();
    let (number, missing) = (world.integer(1), ExpressionId(1000));
    let mut network = network(world, Command::default());
    let alternative = |machines: &[u32], unless: &[u32]| Way {
        parts: machines.iter().map(|&machine| (MachineId(machine), Action(0))).collect(),
        condition: None,
        unless: unless.iter().copied().map(InhibitorId).collect(),
    };
    network.obstacles.push(Inhibitor { ways: vec![alternative(&[0], &[])] });
    network.obstacles.push(Inhibitor { ways: vec![alternative(&[0], &[0])] });
    network.modes[0].rules[0].unless = [InhibitorId(1)].into();
    assert_eq!(network.validate(), []);
    network.modes[0].rules[0].unless = [InhibitorId(1), InhibitorId(2)].into();
    network.obstacles[0].ways.extend([alternative(&[], &[]), alternative(&[0, 3, 0], &[]), alternative(&[0], &[0])]);
    network.obstacles[1].ways.push(alternative(&[0], &[0, 5]));
    let conditional = |condition| Way { condition: Some(condition), ..alternative(&[0], &[]) };
    network.obstacles[1].ways.extend([conditional(number), conditional(missing)]);
    let wrong_sort = CommandProblem::WrongSort { expression: number, expected: Sort::Boolean };
    let obstacle = |number, place, problem| Problem::Inhibitor(InhibitorId(number), place, problem);
    let expected = [
        Problem::Rule(ModeId(0), RuleId(0), RuleProblem::UnknownInhibitor(InhibitorId(2))),
        obstacle(0, 1, InhibitorProblem::Empty),
        obstacle(0, 2, InhibitorProblem::UnknownMachine(MachineId(3))),
        obstacle(0, 2, InhibitorProblem::TakesPartTwice(MachineId(0))),
        obstacle(0, 3, InhibitorProblem::NotBefore(InhibitorId(0))),
        obstacle(1, 1, InhibitorProblem::NotBefore(InhibitorId(5))),
        obstacle(1, 2, InhibitorProblem::Condition(wrong_sort)),
        obstacle(1, 3, InhibitorProblem::Condition(CommandProblem::MissingExpression(missing))),
    ];
    assert_eq!(network.validate(), expected);
}

/// A machine with a choice, and nested inhibitors.
#[test]
fn inhibited_rules_are_disabled() {
    let mut world = world();
    let [yes, no] = [true, false].map(|value| world.boolean(value));
    // It faults.
    let wrong = world.binary(BinaryOperator::Divide, 1, 0);
    let zero = world.integer(0);
    let wrong = world.add(Expression::Binary(BinaryOperator::Equal, wrong, zero));
    let mut network = network(world, Command::default());
    let edge = |action| Edge { action: Action(action), target: LocalState(0) };
    network.machines[0] = Arc::new(Machine::new([vec![edge(0), edge(1)]]));
    let part = |action| [(MachineId(0), Action(action))];
    let alternative =
        |action, unless: &[InhibitorId]| Way { parts: part(action).into(), condition: None, unless: unless.into() };
    let labels =
        |network: &Network| -> Vec<u32> { network.steps(&network.initial).iter().map(|step| step.label.0).collect() };
    network.modes[0].rules = vec![
        Rule::new(part(0), Label(2)),
        Rule { unless: [InhibitorId(0)].into(), ..Rule::new(part(1), Label(3)) },
        Rule { unless: [InhibitorId(1)].into(), ..Rule::new(part(1), Label(4)) },
        Rule { unless: [InhibitorId(2)].into(), ..Rule::new(part(1), Label(5)) },
    ];
    let never = Inhibitor { ways: vec![alternative(2, &[])] };
    network.obstacles = vec![Inhibitor { ways: vec![alternative(0, &[])] }, never.clone(), Inhibitor::default()];
    assert_eq!(labels(&network), [2, 4, 5], "the first inhibitor is active");
    network.obstacles[1].ways.push(alternative(1, &[InhibitorId(0)]));
    assert_eq!(labels(&network), [2, 4, 5], "the first inhibitor disables the alternative");
    network.obstacles[2].ways.push(alternative(1, &[InhibitorId(1)]));
    assert_eq!(labels(&network), [2, 4], "the inhibitor of the third is inactive");
    network.obstacles[0] = never;
    assert_eq!(labels(&network), [2, 3, 5]);
    for (condition, expected) in [(yes, &[2, 4][..]), (no, &[2, 3, 5]), (wrong, &[2, 3, 5])] {
        network.obstacles[0] = Inhibitor { ways: vec![Way { condition: Some(condition), ..alternative(0, &[]) }] };
        assert_eq!(labels(&network), expected, "condition of the alternative");
    }
}

#[test]
fn malformed_commands_are_reported() {
    let mut world = world();
    let (x, b, a, q) = (world.x, world.b, world.a, world.q);
    let (one, yes, missing, undeclared) = (world.integer(1), world.boolean(true), ExpressionId(1000), VariableId(50));
    let nest = |body: Box<[Statement]>| [Statement::If { condition: yes, then: body, otherwise: [].into() }].into();
    let deep = (0..MAX_DATA_DEPTH).fold(Box::from([]), |body, _| nest(body));
    let statements = [
        world.assign(x, yes),
        world.assign(b, one),
        world.assign(a, one),
        world.assign(undeclared, one),
        world.assign(x, missing),
        Statement::AssignElement { array: a, index: yes, value: yes, origin: ORIGIN },
        Statement::AssignElement { array: x, index: one, value: one, origin: ORIGIN },
        Statement::Enqueue { queue: q, message: [one].into(), origin: ORIGIN },
        Statement::Enqueue { queue: q, message: [yes, yes].into(), origin: ORIGIN },
        Statement::Dequeue { queue: x, origin: ORIGIN },
        Statement::While { condition: one, body: deep, origin: ORIGIN },
    ];
    let network = network(world, Command { guard: Some(one), statements: statements.into() });
    let wrong = |expression, expected| CommandProblem::WrongSort { expression, expected };
    let expected = [
        wrong(one, Sort::Boolean),
        wrong(yes, Sort::Integer),
        wrong(one, Sort::Boolean),
        CommandProblem::WrongKind(a),
        CommandProblem::UnknownVariable(undeclared),
        CommandProblem::MissingExpression(missing),
        wrong(yes, Sort::Integer),
        wrong(yes, Sort::Integer),
        CommandProblem::WrongKind(x),
        CommandProblem::WrongArity { queue: q, n_fields: 1 },
        wrong(yes, Sort::Integer),
        CommandProblem::WrongKind(x),
        wrong(one, Sort::Boolean),
        CommandProblem::TooDeep,
    ];
    let reported = expected.map(|problem| Problem::Rule(ModeId(0), RuleId(0), RuleProblem::Command(problem)));
    assert_eq!(network.validate(), reported);
}

#[test]
fn malformed_expressions_are_reported() {
    let mut world = world();
    let (x, a, q) = (world.x, world.a, world.q);
    let (one, yes, undeclared) = (world.integer(1), world.boolean(true), VariableId(50));
    let wrong = |operand, expected| ExpressionProblem::WrongSort { operand, expected };
    let mut expected = Vec::new();
    for (expression, problem) in [
        (Expression::Variable(undeclared), ExpressionProblem::UnknownVariable(undeclared)),
        (Expression::Variable(a), ExpressionProblem::WrongKind(a)),
        (Expression::Element(x, one), ExpressionProblem::WrongKind(x)),
        (Expression::Element(a, yes), wrong(yes, Sort::Integer)),
        (Expression::Length(x), ExpressionProblem::WrongKind(x)),
        (Expression::Front(q, 2), ExpressionProblem::UnknownField(q, 2)),
        (Expression::Unary(UnaryOperator::Not, one), wrong(one, Sort::Boolean)),
        (Expression::Binary(BinaryOperator::And, yes, one), wrong(one, Sort::Boolean)),
        (Expression::Binary(BinaryOperator::Equal, yes, one), wrong(one, Sort::Boolean)),
        (Expression::Binary(BinaryOperator::Less, yes, one), wrong(yes, Sort::Integer)),
        (Expression::If(yes, yes, one), wrong(one, Sort::Boolean)),
        (Expression::If(one, yes, yes), wrong(one, Sort::Boolean)),
    ] {
        expected.push(DataProblem::Expression(world.add(expression), problem));
    }
    assert_eq!(world.data.validate(), expected);
}

#[test]
fn the_smallest_oversized_expression_is_reported() {
    let mut world = world();
    let one = world.integer(1);
    let deepest = (0..300).fold(one, |operand, _| world.add(Expression::Unary(UnaryOperator::Negate, operand)));
    let deep = ExpressionId(deepest.0 - 300 + MAX_DATA_DEPTH);
    let largest = (0..40).fold(one, |sum, _| world.add(Expression::Binary(BinaryOperator::Add, sum, sum)));
    // After n doublings there are 2^(n + 1) - 1 nodes.
    let large = ExpressionId(largest.0 - 40 + MAX_SIZE.ilog2());
    let expected = [(deep, ExpressionProblem::TooDeep), (large, ExpressionProblem::TooLarge)];
    assert_eq!(world.data.validate(), expected.map(|(id, problem)| DataProblem::Expression(id, problem)));
}

#[test]
fn malformed_variables_are_reported() {
    let mut world = world();
    let everything = Domain::Integers { low: i64::MIN, high: i64::MAX };
    let message: Box<[Domain]> = [Domain::Boolean, Domain::Boolean].into();
    let mut expected = Vec::new();
    for (kind, lifetime, problem) in [
        (Kind::Scalar(Domain::Integers { low: 1, high: 0 }), Lifetime::Step, Some(VariableProblem::EmptyDomain)),
        (Kind::Scalar(Domain::Integers { low: 1, high: 1 << 32 }), Lifetime::Run, None),
        (Kind::Scalar(Domain::Integers { low: 0, high: 1 << 32 }), Lifetime::Run, Some(VariableProblem::TooManyValues)),
        (Kind::Scalar(everything), Lifetime::Run, Some(VariableProblem::TooManyValues)),
        (Kind::Scalar(everything), Lifetime::Step, None),
        (Kind::Queue { message, capacity: u32::MAX }, Lifetime::Run, Some(VariableProblem::TooManyCells)),
        (Kind::Array { element: Domain::Boolean, length: 1 }, Lifetime::Run, None),
    ] {
        let id = world.data.add_variable(Variable { name: "v".into(), kind, lifetime });
        expected.extend(problem.map(|problem| DataProblem::Variable(id, problem)));
    }
    assert_eq!(world.data.validate(), expected);
    let reported: Vec<_> = expected.into_iter().map(Problem::Data).collect();
    assert_eq!(network(world, Command::default()).validate(), reported, "uncountable cells are not validated");
}

#[test]
fn initial_values_are_in_their_ranges() {
    for (cell, value) in [(0, 10), (1, 2), (4, -3), (5, 3), (5, -1), (6, 10), (8, 0), (10, 10)] {
        let mut network = network(world(), Command::default());
        network.initial.data[cell] = value;
        let is_reported = |problem: &Problem| match problem {
            Problem::Initial(InitialProblem::Range { value: reported, .. }) => *reported == value,
            _ => false,
        };
        assert!(network.validate().iter().any(is_reported), "cell {cell}");
    }
}

#[test]
fn a_million_machines_are_validated() {
    let states = (0..1000).map(|state| vec![Edge { action: Action(0), target: LocalState(state) }]);
    let machine = Arc::new(Machine::new(states));
    let n = 1_000_000;
    let rule = |i: u32| Rule::new([(MachineId(i), Action(0)), (MachineId((i + 1) % n), Action(0))], Label(2));
    let network = Network {
        machines: vec![machine; n as usize],
        modes: vec![Mode { rules: (0..n).map(rule).collect() }],
        initial: Configuration { locals: vec![LocalState(999); n as usize], ..Configuration::default() },
        ..Network::default()
    };
    assert_eq!(network.validate(), []);
}
