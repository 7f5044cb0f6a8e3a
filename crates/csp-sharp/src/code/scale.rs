//! The same script with its units of time cut into parts.

use super::{Code, Expr, ExprId, Term, TermId, Timer, Type};
use crate::syntax::Binary;
use hashbrown::HashMap;
use source::Span;
use std::sync::Arc;

/// Into how many parts units of time are cut: times in terms are so many times as long as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts(pub i32);

impl Default for Parts {
    fn default() -> Self {
        Parts(1)
    }
}

impl Code {
    /// The same with each part of a unit cut into so many, and some terms with their times told in these; nothing if times would be too long.
    pub(crate) fn with_finer_parts(&self, factor: i32, terms: &[TermId]) -> Option<(Code, Vec<TermId>)> {
        let mut code = self.clone();
        let mut done = HashMap::new();
        for number in 0..code.definitions.len() {
            let body = code.definitions[number].body;
            code.definitions[number].body = scaled(&mut code, body, factor, &mut done)?;
        }
        let terms = terms.iter().map(|&term| scaled(&mut code, term, factor, &mut done));
        let terms = terms.collect::<Option<Vec<_>>>()?;
        code.parts = Parts(self.parts.0.checked_mul(factor)?);
        Some((code, terms))
    }
}

fn scaled(code: &mut Code, id: TermId, factor: i32, done: &mut HashMap<TermId, TermId>) -> Option<TermId> {
    if let Some(&known) = done.get(&id) {
        return Some(known);
    }
    let term = code.terms.get(id).clone();
    let made = stacker::maybe_grow(128 * 1024, 1024 * 1024, || inside(code, term, factor, done))?;
    let span = code.terms.span(id);
    let Code { exprs, terms, .. } = code;
    let made = terms.add(exprs, made, span);
    terms.inherit(made, id);
    done.insert(id, made);
    Some(made)
}

fn inside(code: &mut Code, term: Term, factor: i32, done: &mut HashMap<TermId, TermId>) -> Option<Term> {
    let mut each = |code: &mut Code, next: TermId| scaled(code, next, factor, done);
    let mut all = |code: &mut Code, members: &[TermId]| -> Option<Arc<[TermId]>> {
        members.iter().map(|&member| each(code, member)).collect()
    };
    Some(match term {
        Term::Wait(timer) => Term::Wait(times(code, timer, factor)?),
        Term::Expiring(expiry, timer, first, second) => {
            Term::Expiring(expiry, times(code, timer, factor)?, each(code, first)?, each(code, second)?)
        }
        Term::Bounded(bound, timer, next) => Term::Bounded(bound, times(code, timer, factor)?, each(code, next)?),
        Term::Event(event, attached, next) => Term::Event(event, attached, each(code, next)?),
        Term::Silent(attached, next) => Term::Silent(attached, each(code, next)?),
        Term::Send(to, values, attached, next) => Term::Send(to, values, attached, each(code, next)?),
        Term::Receive(from, guard, patterns, attached, next) => {
            Term::Receive(from, guard, patterns, attached, each(code, next)?)
        }
        Term::Guard(condition, next) => Term::Guard(condition, each(code, next)?),
        Term::If(kind, condition, then, otherwise) => {
            Term::If(kind, condition, each(code, then)?, each(code, otherwise)?)
        }
        Term::Case(branches, default) => {
            let branches: Option<Vec<(ExprId, TermId)>> =
                branches.iter().map(|&(condition, next)| Some((condition, each(code, next)?))).collect();
            Term::Case(branches?.into(), each(code, default)?)
        }
        Term::Sequence(first, second) => Term::Sequence(each(code, first)?, each(code, second)?),
        Term::Interrupt(left, right) => Term::Interrupt(each(code, left)?, each(code, right)?),
        Term::Choice(members) => Term::Choice(all(code, &members)?),
        Term::External(members) => Term::External(all(code, &members)?),
        Term::Internal(members) => Term::Internal(all(code, &members)?),
        Term::Interleave(members) => Term::Interleave(all(code, &members)?),
        // Times are no part of alphabets, so the family stays.
        Term::Parallel(family, members) => Term::Parallel(family, all(code, &members)?),
        Term::Hide(hiding, next) => Term::Hide(hiding, each(code, next)?),
        Term::Atomic(next) => Term::Atomic(each(code, next)?),
        Term::Active(next) => Term::Active(each(code, next)?),
        Term::Watched(next) => Term::Watched(each(code, next)?),
        Term::Marked(marks, next) => Term::Marked(marks, each(code, next)?),
        Term::Indexed(operator, binders, body) => Term::Indexed(operator, binders, each(code, body)?),
        other => other,
    })
}

fn times(code: &mut Code, timer: Timer, factor: i32) -> Option<Timer> {
    let mut time = |expr: ExprId| {
        if let Some(value) = code.exprs.value(expr) {
            let value = value.checked_mul(factor).filter(|&value| value <= Timer::MAX)?;
            return Some(code.exprs.int(value));
        }
        let (written, parts) = (code.written_time(expr), code.parts.0.checked_mul(factor)?);
        let factor = code.exprs.int(parts);
        Some(code.exprs.add(Expr::Binary(Binary::Multiply, written, factor), Span::default(), Type::Number))
    };
    Some(Timer { low: time(timer.low)?, high: time(timer.high)?, ..timer })
}

impl Code {
    /// A time that has no value yet, as it is written.
    pub(crate) fn written_time(&self, time: ExprId) -> ExprId {
        match *self.exprs.get(time) {
            Expr::Binary(Binary::Multiply, written, _) if self.parts != Parts::default() => written,
            _ => time,
        }
    }
}
