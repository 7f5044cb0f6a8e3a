//! Semantics of expressions and statements, case by case.

use crate::support;

use model::data::*;
use support::{ORIGIN, World, world};

impl World {
    /// The value of an expression, or the kind of its fault, whose span must be that of the expression.
    fn value(&self, id: ExpressionId) -> Result<i64, ErrorKind> {
        self.data.evaluate(id, &self.valuation).map_err(|error| {
            assert_eq!(error.origin, self.data.expressions.origin(id));
            error.kind
        })
    }

    fn execute(&self, statements: impl Into<Box<[Statement]>>) -> Result<Valuation, EvaluationError> {
        let command = Command { guard: None, statements: statements.into() };
        Ok(self.data.execute(&command, &self.valuation)?.expect("there is no guard"))
    }
}

fn fails(kind: ErrorKind) -> Result<Valuation, EvaluationError> {
    Err(EvaluationError { kind, origin: ORIGIN })
}

#[test]
fn operators_on_integers() {
    use BinaryOperator::*;
    let mut world = world();
    for (operator, left, right, expected) in [
        (Add, 2, 3, Ok(5)),
        (Add, i64::MAX, 1, Err(ErrorKind::Overflow)),
        (Subtract, 2, 3, Ok(-1)),
        (Subtract, i64::MIN, 1, Err(ErrorKind::Overflow)),
        (Multiply, -2, 3, Ok(-6)),
        (Multiply, i64::MAX, 2, Err(ErrorKind::Overflow)),
        (Divide, -7, 2, Ok(-3)),
        (Divide, 7, 0, Err(ErrorKind::DivisionByZero)),
        (Divide, i64::MIN, -1, Err(ErrorKind::Overflow)),
        (Remainder, -7, 2, Ok(-1)),
        (Remainder, 7, -2, Ok(1)),
        (Remainder, 7, 0, Err(ErrorKind::DivisionByZero)),
        (Remainder, i64::MIN, -1, Err(ErrorKind::Overflow)),
        (Equal, 3, 3, Ok(1)),
        (Equal, 3, 4, Ok(0)),
        (NotEqual, 3, 3, Ok(0)),
        (NotEqual, 3, 4, Ok(1)),
        (Less, 3, 3, Ok(0)),
        (Less, 3, 4, Ok(1)),
        (LessOrEqual, 3, 3, Ok(1)),
        (LessOrEqual, 4, 3, Ok(0)),
    ] {
        let id = world.binary(operator, left, right);
        assert_eq!(world.value(id), expected, "{left} {operator:?} {right}");
    }
    for (value, expected) in [(4, Ok(-4)), (i64::MIN, Err(ErrorKind::Overflow))] {
        let operand = world.integer(value);
        let id = world.add(Expression::Unary(UnaryOperator::Negate, operand));
        assert_eq!(world.value(id), expected);
    }
}

#[test]
fn boolean_operators_short_circuit() {
    let mut world = world();
    let quotient = world.binary(BinaryOperator::Divide, 1, 0);
    let one = world.integer(1);
    let wrong = world.add(Expression::Binary(BinaryOperator::Equal, quotient, one));
    for (operator, left, right, expected) in [
        (BinaryOperator::And, true, true, 1),
        (BinaryOperator::And, true, false, 0),
        (BinaryOperator::And, false, true, 0),
        (BinaryOperator::Or, false, true, 1),
        (BinaryOperator::Or, false, false, 0),
        (BinaryOperator::Or, true, false, 1),
    ] {
        let (left_id, right_id) = (world.boolean(left), world.boolean(right));
        let id = world.add(Expression::Binary(operator, left_id, right_id));
        assert_eq!(world.value(id), Ok(expected), "{left} {operator:?} {right}");
        let id = world.add(Expression::Binary(operator, left_id, wrong));
        let is_decided = left == (operator == BinaryOperator::Or);
        assert_eq!(world.data.evaluate(id, &world.valuation).is_ok(), is_decided, "{left} {operator:?}");
    }
    for value in [false, true] {
        let operand = world.boolean(value);
        let not = world.add(Expression::Unary(UnaryOperator::Not, operand));
        assert_eq!(world.value(not), Ok(i64::from(!value)));
        let other = world.boolean(!value);
        let (then, otherwise) = if value { (other, wrong) } else { (wrong, other) };
        let id = world.add(Expression::If(operand, then, otherwise));
        assert_eq!(world.value(id), Ok(i64::from(!value)));
    }
}

#[test]
fn variables_elements_and_queues_are_read() {
    let mut world = world();
    let (x, b, a, q) = (world.x, world.b, world.a, world.q);
    let (x, b) = (world.add(Expression::Variable(x)), world.add(Expression::Variable(b)));
    assert_eq!((world.value(x), world.value(b)), (Ok(5), Ok(1)));
    for (index, expected) in [
        (0, Ok(7)),
        (2, Ok(9)),
        (3, Err(ErrorKind::Index { array: a, index: 3 })),
        (-1, Err(ErrorKind::Index { array: a, index: -1 })),
    ] {
        let index = world.integer(index);
        let id = world.add(Expression::Element(a, index));
        assert_eq!(world.value(id), expected);
    }
    let looks = [Expression::Length(q), Expression::Front(q, 0), Expression::Front(q, 1)].map(|it| world.add(it));
    assert_eq!(looks.map(|id| world.value(id)), [Ok(1), Ok(4), Ok(1)]);
    world.valuation[5] = 0;
    assert_eq!(world.value(looks[1]), Err(ErrorKind::EmptyQueue(q)));
    assert_eq!(world.value(looks[0]), Ok(0));
}

#[test]
fn assignments_stay_in_range() {
    let mut world = world();
    let (x, a) = (world.x, world.a);
    let (nine, ten, two, three) = (world.integer(9), world.integer(10), world.integer(2), world.integer(3));
    assert_eq!(world.execute([world.assign(x, nine)]).map(|after| after[0]), Ok(9));
    assert_eq!(world.execute([world.assign(x, ten)]), fails(ErrorKind::Range { variable: x, value: 10 }));
    let element = |index, value| Statement::AssignElement { array: a, index, value, origin: ORIGIN };
    assert_eq!(world.execute([element(two, two)]).map(|after| after.range(2..5)), Ok(vec![7, 8, 2]));
    assert_eq!(world.execute([element(three, nine)]), fails(ErrorKind::Index { array: a, index: 3 }));
    assert_eq!(world.execute([element(two, ten)]), fails(ErrorKind::Range { variable: a, value: 10 }));
}

#[test]
fn queues_are_fifo_and_reset_freed_cells() {
    let mut world = world();
    let q = world.q;
    let (six, ten, no) = (world.integer(6), world.integer(10), world.boolean(false));
    let enqueue = |value| Statement::Enqueue { queue: q, message: [value, no].into(), origin: ORIGIN };
    let dequeue = || Statement::Dequeue { queue: q, origin: ORIGIN };
    let queue = |result: Result<Valuation, EvaluationError>| result.map(|after| after.range(5..10));
    assert_eq!(queue(world.execute([enqueue(six)])), Ok(vec![2, 4, 1, 6, 0]));
    assert_eq!(queue(world.execute([enqueue(six), dequeue()])), Ok(vec![1, 6, 0, -2, 0]));
    assert_eq!(queue(world.execute([dequeue()])), Ok(vec![0, -2, 0, -2, 0]));
    assert_eq!(world.execute([dequeue(), dequeue()]), fails(ErrorKind::EmptyQueue(q)));
    assert_eq!(world.execute([enqueue(six), enqueue(six)]), fails(ErrorKind::FullQueue(q)));
    assert_eq!(world.execute([enqueue(ten)]), fails(ErrorKind::Range { variable: q, value: 10 }));
}

#[test]
fn branches_and_loops_execute_and_step_variables_are_reset() {
    let mut world = world();
    let (x, b, t) = (world.x, world.b, world.t);
    let (old, one, zero) = (world.add(Expression::Variable(x)), world.integer(1), world.integer(0));
    let less = world.add(Expression::Binary(BinaryOperator::Subtract, old, one));
    let is_positive = world.add(Expression::Binary(BinaryOperator::Less, zero, old));
    let count = Statement::While { condition: is_positive, body: [world.assign(x, less)].into(), origin: ORIGIN };
    assert_eq!(world.execute([count]).map(|after| after[0]), Ok(0));
    let forever = Statement::While { condition: is_positive, body: [].into(), origin: ORIGIN };
    assert_eq!(world.execute([forever]), fails(ErrorKind::Endless));
    let flag = world.add(Expression::Variable(b));
    let (then, otherwise) = ([world.assign(x, one)].into(), [world.assign(x, zero)].into());
    let choice = Statement::If { condition: flag, then, otherwise };
    assert_eq!(world.execute([choice.clone()]).map(|after| after[0]), Ok(1));
    world.valuation[1] = 0;
    assert_eq!(world.execute([choice]).map(|after| after[0]), Ok(0));
    let temporary = world.add(Expression::Variable(t));
    let after = world.execute([world.assign(t, one), world.assign(x, temporary)]).expect("all is in range");
    assert_eq!((after[0], after[10]), (1, 3));
}

#[test]
fn clearing_resets_all_state_variables() {
    let mut world = world();
    let statements = world.data.clearing();
    let mut expected = world.data.least_valuation();
    expected[10] = 3;
    assert_eq!(world.execute(statements), Ok(expected));
}

#[test]
fn a_false_guard_prevents_faults() {
    let mut world = world();
    let (no, ten) = (world.boolean(false), world.integer(10));
    let command = Command { guard: Some(no), statements: [world.assign(world.x, ten)].into() };
    assert_eq!(world.data.execute(&command, &world.valuation), Ok(None));
}

#[test]
fn access_is_the_read_and_write_set() {
    let mut world = world();
    let (x, b, a, q, t) = (world.x, world.b, world.a, world.q, world.t);
    let (old, guard, first) =
        (world.add(Expression::Variable(x)), world.add(Expression::Variable(b)), world.add(Expression::Front(q, 0)));
    let statements = [
        Statement::AssignElement { array: a, index: old, value: first, origin: ORIGIN },
        Statement::Assign { variable: t, value: old, origin: ORIGIN },
    ];
    let access = Access::of(&world.data, &Command { guard: Some(guard), statements: statements.into() });
    assert_eq!((access.reads, access.writes), (vec![x, b, a, q], vec![a, t]));
    // Shared subexpressions must be visited once: the tree has exponential size.
    let sum = (0..200).fold(old, |sum, _| world.add(Expression::Binary(BinaryOperator::Add, sum, sum)));
    assert_eq!(Access::of_expression(&world.data, sum).reads, [x]);
}
