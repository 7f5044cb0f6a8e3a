//! Timed networks.

use lts::Label;
use model::data::{BinaryOperator, Command, Domain, Expression, Kind, Lifetime, Statement, Variable};
use model::network::*;
use model::timed::{ActionTiming, Bound, Guard, LocalClock, StateTiming, TimedNetwork, Timing};
use source::Span;
use std::sync::Arc;

/// Label of the step that is enabled while two members of [`fischer`] are in their critical sections.
pub const COLLISION: Label = Label(2);
/// Label of all other steps.
pub const STEP: Label = Label(3);

/// Actions of a member.
const REQUEST: Action = Action(0);
const CLAIM: Action = Action(1);
const ENTER: Action = Action(2);
const LEAVE: Action = Action(3);
const COLLIDE: Action = Action(4);

/// Fischer's mutual exclusion protocol as a timed network (Lamport, 1987, A fast mutual exclusion algorithm): a member
/// that reads an empty variable writes its name within `delay`, and enters if the variable still has its name after
/// more than `delay`, or after at least that if `is_wrong`.
pub fn fischer(n: usize, delay: u32, is_wrong: bool) -> TimedNetwork {
    let edge = |action, target| Edge { action, target: LocalState(target) };
    // Idle, requesting, waiting, critical.
    let machine = Arc::new(Machine::new([
        vec![edge(REQUEST, 1)],
        vec![edge(CLAIM, 2)],
        vec![edge(REQUEST, 1), edge(ENTER, 3)],
        vec![edge(LEAVE, 0), edge(COLLIDE, 3)],
    ]));
    let clock = LocalClock(0);
    let starts = || ActionTiming { guards: Vec::new(), starts: vec![clock] };
    let waits = ActionTiming { guards: vec![Guard { clock, limit: delay, is_strict: !is_wrong }], starts: Vec::new() };
    let hurries = StateTiming { bounds: vec![Bound { clock, limit: delay }], is_urgent: false };
    let timing = Arc::new(Timing {
        n_clocks: 1,
        states: vec![StateTiming::default(), hurries],
        actions: vec![starts(), starts(), waits],
    });
    let mut network = Network {
        machines: vec![machine; n],
        initial: Configuration { locals: vec![LocalState(0); n], ..Configuration::default() },
        ..Network::default()
    };
    let everybody = Domain::Integers { low: 0, high: n as i64 };
    let variable = Variable { name: "board".into(), kind: Kind::Scalar(everybody), lifetime: Lifetime::Run };
    let board = network.data.add_variable(variable);
    network.initial.data = vec![0].into();
    let mut rules = Vec::new();
    for member in 0..n {
        let mut add = |expression| network.data.expressions.add(expression, Span::default());
        let (read, free) = (add(Expression::Variable(board)), add(Expression::Integer(0)));
        let own = add(Expression::Integer(member as i64 + 1));
        let is_free = add(Expression::Binary(BinaryOperator::Equal, read, free));
        let is_own = add(Expression::Binary(BinaryOperator::Equal, read, own));
        let write = |value| Statement::Assign { variable: board, value, origin: Span::default() };
        let rule = |action, guard, statements: Vec<Statement>| {
            let command = Command { guard, statements: statements.into() };
            Rule { command: Some(command.into()), ..Rule::new([(MachineId(member as u32), action)], STEP) }
        };
        rules.push(rule(REQUEST, Some(is_free), Vec::new()));
        rules.push(rule(CLAIM, None, vec![write(own)]));
        rules.push(rule(ENTER, Some(is_own), Vec::new()));
        rules.push(rule(LEAVE, None, vec![write(free)]));
        let others = (0..member).map(|other| [(MachineId(other as u32), COLLIDE), (MachineId(member as u32), COLLIDE)]);
        rules.extend(others.map(|both| Rule::new(both, COLLISION)));
    }
    network.modes = vec![Mode { rules }];
    TimedNetwork { network, timings: vec![timing; n], urgent: Vec::new() }
}
