//! A network with one variable of each kind.
#![allow(dead_code, reason = "each test file uses a part of it")]

use model::data::*;
use source::Span;

/// The source span of statements.
pub const ORIGIN: Span = Span { start: 900, end: 901 };
const RANGE: Domain = Domain::Integers { low: -2, high: 9 };

/// An integer `x`, a boolean `b`, an array `a` of three, a queue `q` of two messages with two fields, and a step-local
/// `t`.
pub struct World {
    pub data: Data,
    pub x: VariableId,
    pub b: VariableId,
    pub a: VariableId,
    pub q: VariableId,
    pub t: VariableId,
    pub valuation: Valuation,
}

pub fn world() -> World {
    let mut data = Data::default();
    let mut add =
        |name: &str, kind: Kind, lifetime: Lifetime| data.add_variable(Variable { name: name.into(), kind, lifetime });
    let x = add("x", Kind::Scalar(RANGE), Lifetime::Run);
    let b = add("b", Kind::Scalar(Domain::Boolean), Lifetime::Run);
    let a = add("a", Kind::Array { element: RANGE, length: 3 }, Lifetime::Run);
    let q = add("q", Kind::Queue { message: [RANGE, Domain::Boolean].into(), capacity: 2 }, Lifetime::Run);
    let t = add("t", Kind::Scalar(RANGE), Lifetime::Step);
    // x, b, a, the length of q and its two messages, t
    let valuation = vec![5, 1, 7, 8, 9, 1, 4, 1, -2, 0, 3];
    assert_eq!(valuation.len(), data.n_cells());
    World { data, x, b, a, q, t, valuation: valuation.into() }
}

impl World {
    pub fn add(&mut self, expression: Expression) -> ExpressionId {
        let start = self.data.expressions.len() as u32;
        self.data.expressions.add(expression, Span::new(start, start + 1))
    }

    pub fn integer(&mut self, value: i64) -> ExpressionId {
        self.add(Expression::Integer(value))
    }

    pub fn boolean(&mut self, value: bool) -> ExpressionId {
        self.add(Expression::Boolean(value))
    }

    pub fn binary(&mut self, operator: BinaryOperator, left: i64, right: i64) -> ExpressionId {
        let (left, right) = (self.integer(left), self.integer(right));
        self.add(Expression::Binary(operator, left, right))
    }

    pub fn assign(&self, variable: VariableId, value: ExpressionId) -> Statement {
        Statement::Assign { variable, value, origin: ORIGIN }
    }
}
