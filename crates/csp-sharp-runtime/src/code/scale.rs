//! Rescaling of time.

use super::{Code, Expr, ExprId, Term, TermId, Timer, Type};
use crate::code::Binary;
use hashbrown::HashMap;
use source::Span;

/// The number of parts in a unit of time. Times in terms are multiplied by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts(pub i32);

impl Default for Parts {
    fn default() -> Self {
        Parts(1)
    }
}

impl Code {
    /// The script and some terms with each part divided further; `None` if a time would exceed the limit.
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
    let term = match term {
        Term::Wait(timer) => Term::Wait(times(code, timer, factor)?),
        Term::Expiring(expiry, timer, first, second) => {
            Term::Expiring(expiry, times(code, timer, factor)?, first, second)
        }
        Term::Bounded(bound, timer, next) => Term::Bounded(bound, times(code, timer, factor)?, next),
        // Families stay valid, because alphabets do not depend on times.
        other => other,
    };
    term.try_map(&mut |next, _| scaled(code, next, factor, done).ok_or(())).ok()
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
    /// The unscaled form of a time that is not yet a constant.
    pub(crate) fn written_time(&self, time: ExprId) -> ExprId {
        match *self.exprs.get(time) {
            Expr::Binary(Binary::Multiply, written, _) if self.parts != Parts::default() => written,
            _ => time,
        }
    }
}
