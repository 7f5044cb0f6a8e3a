//! Expressions of the functional language.

use super::super::code::{Arg, Arithmetic, Compare, Comprehension, Delay, LazyComprehension, Op, PrependAgain};
use super::super::code::{Condition, RangeOp, SeqBody, Step, Yield};
use super::super::map::Map;
use super::super::seq;
use super::super::set::{Form, Set};
use super::super::speculation::Profile;
use super::super::value::Value;
use super::{Asked, Compiler, Frame, STACK_CHECK_DEPTH, Var, closures, last_use};
use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind};
use cspm::stack;
use cspm::syntax::{BinaryOp, Collection, Expr, ExprId, Statement, UnaryOp};
use std::rc::Rc;

/// Whether the result of an operation is the result of the whole function.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub is_tail: bool,
    /// How much of the result is forced.
    pub asked: Asked,
}

impl Position {
    pub const TAIL: Position = Position { is_tail: true, asked: Asked::Whole };
    pub const INNER: Position = Position { is_tail: false, asked: Asked::Whole };
}

impl Compiler<'_, '_> {
    /// An expression whose value is the function's value.
    pub(super) fn tail(&mut self, expr: ExprId) -> Op {
        self.expr(expr, Position::TAIL)
    }

    /// An expression inside another.
    pub(super) fn inner(&mut self, expr: ExprId) -> Op {
        self.expr(expr, Position::INNER)
    }

    pub(super) fn inners(&mut self, exprs: &[ExprId]) -> Box<[Op]> {
        exprs.iter().map(|&expr| self.inner(expr)).collect()
    }

    pub(super) fn expr(&mut self, expr: ExprId, position: Position) -> Op {
        self.depth += 1;
        let deep = self.depth.is_multiple_of(STACK_CHECK_DEPTH);
        let op = stack::grow(|| self.expr_here(expr, position));
        self.depth -= 1;
        if deep { Op::Grow(Box::new(op)) } else { op }
    }

    fn expr_here(&mut self, expr: ExprId, position: Position) -> Op {
        let resolved = self.resolved;
        match resolved.ast.expr(expr) {
            Expr::Error | Expr::Wildcard | Expr::Both(..) => Op::Damaged(expr),
            Expr::Int(number) => Op::Int(*number),
            Expr::Bool(truth) => Op::Const(Value::bool(*truth)),
            Expr::Char(char) => Op::Const(Value::char(*char)),
            Expr::String(text) => Op::Const(seq::from_text(text)),
            Expr::Name(_) => self.name(expr, position),
            Expr::Paren(inner) => self.expr(*inner, position),
            Expr::Tuple(parts) if position.asked == Asked::Parts => {
                Op::Tuple(parts.iter().map(|&part| self.strict_arg(part)).collect())
            }
            Expr::Tuple(parts) => Op::Tuple(self.lazy_args(parts)),
            Expr::Dot(..) => self.dots(expr),
            Expr::Call(..) => self.call(expr, position),
            Expr::Lambda(patterns, body) => self.lambda(expr, patterns, *body),
            Expr::Let(decls, body) => self.lets(decls, *body, position),
            Expr::If(condition, then, otherwise) => {
                let condition = self.inner(*condition);
                Op::If(Box::new((condition, self.expr(*then, position), self.expr(*otherwise, position))))
            }
            Expr::Unary(UnaryOp::Negate, inner) => match self.inner(*inner) {
                Op::Int(number) if number != i64::MIN => Op::Int(-number),
                op => Op::Negate(Box::new(op), expr),
            },
            Expr::Unary(UnaryOp::Not, inner) => Op::Not(Box::new(self.inner(*inner))),
            Expr::Unary(UnaryOp::Length, inner) => Op::Length(Box::new(self.inner(*inner)), expr),
            // In tail position a choice, so that the right side may go on with the function itself.
            Expr::Binary(BinaryOp::And, left, right) if position.is_tail => {
                let (left, right) = (self.inner(*left), self.expr(*right, position));
                Op::If(Box::new((left, right, Op::Const(Value::bool(false)))))
            }
            Expr::Binary(BinaryOp::Or, left, right) if position.is_tail => {
                let (left, right) = (self.inner(*left), self.expr(*right, position));
                Op::If(Box::new((left, Op::Const(Value::bool(true)), right)))
            }
            Expr::Binary(BinaryOp::Concat, left, right) => self.concat(*left, *right, position),
            Expr::Binary(op, left, right) => self.binary(expr, *op, *left, *right),
            Expr::Seq(parts) if parts.is_empty() => Op::Const(Value::EmptySeq),
            Expr::Seq(parts) => Op::Seq(self.lazy_args(parts)),
            Expr::Set(parts) => self.set(expr, parts),
            Expr::EnumSet(parts) => Op::EnumSet(self.inners(parts), expr),
            Expr::Map(entries) if entries.is_empty() => Op::Const(Value::Map(Rc::new(Map::default()))),
            Expr::Map(entries) => {
                let entries = entries.iter().map(|&(key, value)| (self.deep(key), self.lazy_arg(value)));
                Op::Map(entries.collect())
            }
            Expr::Range { kind, from, to, statements } => self.range(expr, *kind, (*from, *to), statements),
            Expr::Comprehension { kind, results, statements } => {
                let yields = match kind {
                    Collection::EnumSet => Yield::Completions,
                    Collection::Set | Collection::Seq => Yield::Element,
                };
                self.comprehension(expr, *kind, results, statements, yields)
            }
            _ => self.process(expr),
        }
    }

    fn name(&mut self, expr: ExprId, position: Position) -> Op {
        match self.resolved.expr_name(expr) {
            Some(name) => self.named(name, expr, position),
            None => Op::Damaged(expr),
        }
    }

    fn named(&mut self, name: NameId, site: ExprId, position: Position) -> Op {
        match self.resolved.name(name).kind {
            NameKind::Builtin(builtin) => self.builtin_name(builtin, site),
            NameKind::Channel(_) | NameKind::Constructor(_) => Op::Const(Value::bare(name)),
            NameKind::Datatype(_) | NameKind::Subtype(_) | NameKind::Nametype(_) => Op::Global(name, site),
            NameKind::Function(_) => self.function_value(name, site),
            NameKind::Value(_) => match self.program.function_id(name) {
                Some(function) => self.known_call(function, &[], site, position),
                None if self.program.is_global(name) => Op::Global(name, site),
                None => Op::Local(self.slot(Var::Name(name))),
            },
            NameKind::Parameter => Op::Local(self.slot(Var::Name(name))),
            NameKind::TypeVariable => Op::Damaged(site),
        }
    }

    fn builtin_name(&mut self, builtin: Builtin, site: ExprId) -> Op {
        let set = |form| Op::Const(Value::set(Set::new(form)));
        match builtin {
            Builtin::True => Op::Const(Value::bool(true)),
            Builtin::False => Op::Const(Value::bool(false)),
            Builtin::BoolSet => set(Form::Sorted(vec![Value::bool(false), Value::bool(true)])),
            Builtin::IntSet => set(Form::Integers),
            Builtin::CharSet => set(Form::Characters),
            Builtin::ProcSet => set(Form::Processes),
            Builtin::EmptyMap => Op::Const(Value::Map(Rc::new(Map::default()))),
            Builtin::Stop => self.stop(site),
            Builtin::Skip => self.skip(site),
            Builtin::Events | Builtin::Div => self.builtin_call(builtin, &[], site),
            _ => Op::Const(Value::builtin(builtin)),
        }
    }

    /// `a.b.c` as one operation, from left to right.
    fn dots(&mut self, expr: ExprId) -> Op {
        let mut parts = Vec::new();
        let mut rest = expr;
        while let Expr::Dot(left, right) = self.resolved.ast.expr(self.strip(rest)) {
            parts.push(self.inner(*left));
            rest = *right;
        }
        parts.push(self.inner(rest));
        Op::Dots(parts.into(), expr)
    }

    fn binary(&mut self, site: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Op {
        match op {
            BinaryOp::And => Op::And(Box::new((self.inner(left), self.inner(right)))),
            BinaryOp::Or => Op::Or(Box::new((self.inner(left), self.inner(right)))),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
                let (left, right) = (self.inner(left), self.inner(right));
                Op::Arithmetic(Box::new(Arithmetic { op, left, right, site }))
            }
            _ => {
                let of_numbers = self.program.is_number(left) && self.program.is_number(right);
                let (left, right) = (self.inner(left), self.inner(right));
                Op::Compare(Box::new(Compare { op, left, right, of_numbers, site }))
            }
        }
    }

    fn concat(&mut self, left: ExprId, right: ExprId, position: Position) -> Op {
        if let Expr::Seq(parts) = self.resolved.ast.expr(self.strip(left))
            && let [only] = **parts
        {
            if let Some(whole) = self.whole_again(only, right) {
                return Op::Local(whole);
            }
            let (head, tail) = (self.lazy_arg(only), self.lazy_arg(right));
            return self.prepend(head, tail, right, position);
        }
        let left = self.inner(left);
        Op::Concat(Box::new((left, self.lazy_arg(right))))
    }

    /// `<head>^tail`; if the tail is the function itself once more, it can start over instead of being called.
    fn prepend(&mut self, head: Arg, tail: Arg, tail_expr: ExprId, position: Position) -> Op {
        let tail = match tail {
            Arg::Delay(delay) => delay,
            tail => return Op::Prepend(Box::new((head, tail))),
        };
        if let Some(Op::Call(call)) = &tail.at_once
            && position.is_tail
            && Some(call.function) == self.current
            && let site = call.site
            && let Op::Repeat(again) = self.expr(tail_expr, position)
        {
            let tail = Delay { at_once: None, ..*tail };
            return Op::PrependAgain(Box::new(PrependAgain { head, tail, again: *again, site }));
        }
        Op::Prepend(Box::new((head, Arg::Delay(tail))))
    }

    /// The argument of the current equation that `<head>^tail` was matched with.
    fn whole_again(&mut self, head: ExprId, tail: ExprId) -> Option<u32> {
        let (head, tail) = (self.parameter_slot(head)?, self.parameter_slot(tail)?);
        let at = self.wholes.iter().position(|whole| (whole.head, whole.tail) == (head, tail))?;
        self.wholes[at].is_used = true;
        Some(self.slot(Var::Argument(self.wholes[at].argument)))
    }

    /// The slot of an argument of the function itself, or of a part of one.
    fn parameter_slot(&self, expr: ExprId) -> Option<u32> {
        let name = self.resolved.expr_name(self.strip(expr))?;
        match self.resolved.name(name).kind {
            NameKind::Parameter => self.frames[0].slots.get(&Var::Name(name)).copied(),
            _ => None,
        }
    }

    fn set(&mut self, site: ExprId, parts: &[ExprId]) -> Op {
        let parts: Box<[Op]> = parts.iter().map(|&part| self.deep(part)).collect();
        let constants: Option<Vec<Value>> = parts.iter().map(simple_constant).collect();
        match constants {
            Some(constants) => Op::Const(Value::set(Set::from_elements(constants))),
            None => Op::Set(parts, site),
        }
    }

    /// An expression whose parts are all needed at once, such as an element of a set.
    pub(super) fn deep(&mut self, expr: ExprId) -> Op {
        match self.resolved.ast.expr(expr) {
            Expr::Paren(inner) => self.deep(*inner),
            Expr::Tuple(parts) => Op::Tuple(parts.iter().map(|&part| Arg::Now(self.deep(part))).collect()),
            Expr::Seq(parts) if !parts.is_empty() => {
                Op::Seq(parts.iter().map(|&part| Arg::Now(self.deep(part))).collect())
            }
            _ => self.inner(expr),
        }
    }

    fn range(
        &mut self,
        site: ExprId,
        kind: Collection,
        (from, to): (ExprId, Option<ExprId>),
        statements: &[Statement],
    ) -> Op {
        if statements.is_empty() {
            return self.plain_range(kind, from, to);
        }
        if kind == Collection::Seq {
            return self.lazy_comprehension(statements, Yield::Collection, |compiler| {
                let range = compiler.plain_range(kind, from, to);
                Box::new([Arg::Now(range)])
            });
        }
        let steps = self.steps(statements);
        let results = Box::new([self.plain_range(kind, from, to)]);
        Op::Comprehension(Box::new(Comprehension { steps, results, yields: Yield::Collection, site }))
    }

    fn plain_range(&mut self, kind: Collection, from: ExprId, to: Option<ExprId>) -> Op {
        let site = from;
        let (from, to) = (self.inner(from), to.map(|to| self.inner(to)));
        if let (Op::Int(from), Some(Op::Int(to)), Collection::Set) = (&from, &to, kind) {
            return Op::Const(Value::set(Set::range(*from, *to)));
        }
        Op::Range(Box::new(RangeOp { from, to, is_set: kind != Collection::Seq, site }))
    }

    fn comprehension(
        &mut self,
        site: ExprId,
        kind: Collection,
        results: &[ExprId],
        statements: &[Statement],
        yields: Yield,
    ) -> Op {
        if kind == Collection::Seq {
            return self.lazy_comprehension(statements, yields, |compiler| compiler.lazy_args(results));
        }
        let steps = self.steps(statements);
        let results = results.iter().map(|&result| self.deep(result)).collect();
        Op::Comprehension(Box::new(Comprehension { steps, results, yields, site }))
    }

    /// Statements in the current frame.
    pub(super) fn steps(&mut self, statements: &[Statement]) -> Box<[Step]> {
        let step = |statement: &Statement| match *statement {
            Statement::Generator(pat, source) => {
                let op = self.inner(source);
                Step::Generator { source: op, at_hand: None, pattern: self.pattern(pat), site: source }
            }
            Statement::Filter(condition) => Step::Filter(Condition::new(self.inner(condition))),
        };
        statements.iter().map(step).collect()
    }

    fn lazy_comprehension(
        &mut self,
        statements: &[Statement],
        yields: Yield,
        results: impl FnOnce(&mut Self) -> Box<[Arg]>,
    ) -> Op {
        self.frames.push(Frame::default());
        let mut steps = self.steps(statements);
        let mut results = results(self);
        let frame = self.frames.pop().unwrap_or_default();
        last_use::mark_comprehension(&mut steps, &mut results, frame.n_slots);
        let n_slots = closures::comprehension(&mut steps, &mut results, frame.n_slots);
        let captures = Self::captures(&frame);
        let is_generator = |(at, step): (usize, &Step)| matches!(step, Step::Generator { .. }).then_some(at);
        let body = SeqBody {
            generators: steps.iter().enumerate().filter_map(is_generator).collect(),
            captures: frame.captures.iter().map(|&(_, slot, _)| slot).collect(),
            n_slots: n_slots as usize,
            n_variables: frame.n_slots as usize,
            steps,
            results,
            yields,
            profile: Profile::promising(),
        };
        Op::LazyComprehension(Box::new(LazyComprehension { body: Rc::new(body), captures }))
    }
}

/// A constant that can stand in a set without further ado.
fn simple_constant(op: &Op) -> Option<Value> {
    match op {
        Op::Int(number) => Some(Value::Int(*number)),
        Op::Const(value @ (Value::Bool(_) | Value::Char(_))) => Some(value.clone()),
        _ => None,
    }
}
