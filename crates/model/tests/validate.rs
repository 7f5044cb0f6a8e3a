//! What is said of networks that are not well made.

use crate::support;

use lts::Label;
use model::data::*;
use model::network::*;
use model::{InitialProblem, ObstacleProblem, Problem, RuleProblem};
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
fn numbers_that_lead_nowhere_are_told() {
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
fn obstacles_that_lead_nowhere_are_told() {
    let mut world = world();
    let (number, missing) = (world.integer(1), ExpressionId(1000));
    let mut network = network(world, Command::default());
    let way = |machines: &[u32], unless: &[u32]| Way {
        parts: machines.iter().map(|&machine| (MachineId(machine), Action(0))).collect(),
        condition: None,
        unless: unless.iter().copied().map(ObstacleId).collect(),
    };
    network.obstacles.push(Obstacle { ways: vec![way(&[0], &[])] });
    network.obstacles.push(Obstacle { ways: vec![way(&[0], &[0])] });
    network.modes[0].rules[0].unless = [ObstacleId(1)].into();
    assert_eq!(network.validate(), []);
    network.modes[0].rules[0].unless = [ObstacleId(1), ObstacleId(2)].into();
    network.obstacles[0].ways.extend([way(&[], &[]), way(&[0, 3, 0], &[]), way(&[0], &[0])]);
    network.obstacles[1].ways.push(way(&[0], &[0, 5]));
    let asking = |condition| Way { condition: Some(condition), ..way(&[0], &[]) };
    network.obstacles[1].ways.extend([asking(number), asking(missing)]);
    let wrong_sort = CommandProblem::WrongSort { expression: number, expected: Sort::Boolean };
    let obstacle = |number, place, problem| Problem::Obstacle(ObstacleId(number), place, problem);
    let expected = [
        Problem::Rule(ModeId(0), RuleId(0), RuleProblem::UnknownObstacle(ObstacleId(2))),
        obstacle(0, 1, ObstacleProblem::Empty),
        obstacle(0, 2, ObstacleProblem::UnknownMachine(MachineId(3))),
        obstacle(0, 2, ObstacleProblem::TakesPartTwice(MachineId(0))),
        obstacle(0, 3, ObstacleProblem::NotBefore(ObstacleId(0))),
        obstacle(1, 1, ObstacleProblem::NotBefore(ObstacleId(5))),
        obstacle(1, 2, ObstacleProblem::Condition(wrong_sort)),
        obstacle(1, 3, ObstacleProblem::Condition(CommandProblem::MissingExpression(missing))),
    ];
    assert_eq!(network.validate(), expected);
}

/// A machine that may do one thing or another, and obstacles inside each other.
#[test]
fn what_is_obstructed_does_not_happen() {
    let mut world = world();
    let [yes, no] = [true, false].map(|value| world.boolean(value));
    // It has no value.
    let wrong = world.binary(BinaryOperator::Divide, 1, 0);
    let zero = world.integer(0);
    let wrong = world.add(Expression::Binary(BinaryOperator::Equal, wrong, zero));
    let mut network = network(world, Command::default());
    let edge = |action| Edge { action: Action(action), target: LocalState(0) };
    network.machines[0] = Arc::new(Machine::new([vec![edge(0), edge(1)]]));
    let part = |action| [(MachineId(0), Action(action))];
    let way =
        |action, unless: &[ObstacleId]| Way { parts: part(action).into(), condition: None, unless: unless.into() };
    let labels =
        |network: &Network| -> Vec<u32> { network.steps(&network.initial).iter().map(|step| step.label.0).collect() };
    network.modes[0].rules = vec![
        Rule::new(part(0), Label(2)),
        Rule { unless: [ObstacleId(0)].into(), ..Rule::new(part(1), Label(3)) },
        Rule { unless: [ObstacleId(1)].into(), ..Rule::new(part(1), Label(4)) },
        Rule { unless: [ObstacleId(2)].into(), ..Rule::new(part(1), Label(5)) },
    ];
    let never = Obstacle { ways: vec![way(2, &[])] };
    network.obstacles = vec![Obstacle { ways: vec![way(0, &[])] }, never.clone(), Obstacle::default()];
    assert_eq!(labels(&network), [2, 4, 5], "the first can move");
    network.obstacles[1].ways.push(way(1, &[ObstacleId(0)]));
    assert_eq!(labels(&network), [2, 4, 5], "that way is closed by the first");
    network.obstacles[2].ways.push(way(1, &[ObstacleId(1)]));
    assert_eq!(labels(&network), [2, 4], "and what would close this one is closed");
    network.obstacles[0] = never;
    assert_eq!(labels(&network), [2, 3, 5]);
    for (condition, expected) in [(yes, &[2, 4][..]), (no, &[2, 3, 5]), (wrong, &[2, 3, 5])] {
        network.obstacles[0] = Obstacle { ways: vec![Way { condition: Some(condition), ..way(0, &[]) }] };
        assert_eq!(labels(&network), expected, "what it asks of variables");
    }
}

#[test]
fn commands_that_are_not_well_made_are_told() {
    let mut world = world();
    let (x, b, a, q) = (world.x, world.b, world.a, world.q);
    let (one, yes, missing, nobody) = (world.integer(1), world.boolean(true), ExpressionId(1000), VariableId(50));
    let nest = |body: Box<[Statement]>| [Statement::If { condition: yes, then: body, otherwise: [].into() }].into();
    let deep = (0..MAX_DATA_DEPTH).fold(Box::from([]), |body, _| nest(body));
    let statements = [
        world.assign(x, yes),
        world.assign(b, one),
        world.assign(a, one),
        world.assign(nobody, one),
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
        CommandProblem::UnknownVariable(nobody),
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
    let told = expected.map(|problem| Problem::Rule(ModeId(0), RuleId(0), RuleProblem::Command(problem)));
    assert_eq!(network.validate(), told);
}

#[test]
fn expressions_that_are_not_well_made_are_told() {
    let mut world = world();
    let (x, a, q) = (world.x, world.a, world.q);
    let (one, yes, nobody) = (world.integer(1), world.boolean(true), VariableId(50));
    let wrong = |operand, expected| ExpressionProblem::WrongSort { operand, expected };
    let mut expected = Vec::new();
    for (expression, problem) in [
        (Expression::Variable(nobody), ExpressionProblem::UnknownVariable(nobody)),
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
fn of_expressions_that_are_too_large_the_smallest_is_told() {
    let mut world = world();
    let one = world.integer(1);
    let deepest = (0..300).fold(one, |operand, _| world.add(Expression::Unary(UnaryOperator::Negate, operand)));
    let deep = ExpressionId(deepest.0 - 300 + MAX_DATA_DEPTH);
    let largest = (0..40).fold(one, |sum, _| world.add(Expression::Binary(BinaryOperator::Add, sum, sum)));
    // After n times there are 2^(n + 1) - 1 nodes.
    let large = ExpressionId(largest.0 - 40 + MAX_SIZE.ilog2());
    let expected = [(deep, ExpressionProblem::TooDeep), (large, ExpressionProblem::TooLarge)];
    assert_eq!(world.data.validate(), expected.map(|(id, problem)| DataProblem::Expression(id, problem)));
}

#[test]
fn variables_that_are_not_well_made_are_told() {
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
    let told: Vec<_> = expected.into_iter().map(Problem::Data).collect();
    assert_eq!(network(world, Command::default()).validate(), told, "nobody counts cells that cannot be counted");
}

#[test]
fn initial_values_are_in_their_ranges() {
    for (cell, value) in [(0, 10), (1, 2), (4, -3), (5, 3), (5, -1), (6, 10), (8, 0), (10, 10)] {
        let mut network = network(world(), Command::default());
        network.initial.data[cell] = value;
        let is_told = |problem: &Problem| match problem {
            Problem::Initial(InitialProblem::Range { value: told, .. }) => *told == value,
            _ => false,
        };
        assert!(network.validate().iter().any(is_told), "cell {cell}");
    }
}

#[test]
fn a_million_machines_are_looked_at_in_a_moment() {
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
