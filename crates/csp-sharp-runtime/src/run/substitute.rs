//! Substitution of values for parameters, indices and inputs.
//!
//! The result of a substitution is hash-consed like all terms. Indexed operators are expanded as soon as the values of
//! their indices are constant.

use super::counts::Count;
use super::evaluate::Context;
use super::fault::{Answer, Fault, FaultKind};
use crate::code::Operator;
use crate::code::{
    AttachedCode, Binder, BinderValues, ChannelRef, Code, EventPattern, EventRef, Expr, ExprId, Hiding, MANY,
    OPEN_FAMILY, Pattern, SetId, Slot, Term, TermId, Timer, Type, UNEXPANDED,
};
use limits::input::csp_sharp::MAX_OPERANDS;
use source::Span;
use std::convert::Infallible;
use std::sync::Arc;

/// A substitution: slots with their values.
pub(crate) type Environment<'e> = &'e [(Slot, ExprId)];

fn mask(environment: Environment<'_>) -> u64 {
    environment.iter().fold(0, |mask, (slot, _)| mask | slot.bit())
}

/// Substitutes in an expression.
pub(crate) fn expression(code: &mut Code, id: ExprId, environment: Environment<'_>) -> ExprId {
    if code.exprs.free(id) & mask(environment) == 0 {
        return id;
    }
    let replaced = match code.exprs.get(id).clone() {
        Expr::Parameter(slot) => {
            let known = environment.iter().find(|(known, _)| *known == slot);
            return known.map_or(id, |(_, value)| *value);
        }
        other => other.map(|operand| expression(code, operand, environment)),
    };
    let (span, ty) = (code.exprs.span(id), code.exprs.ty(id));
    code.exprs.add(replaced, span, ty)
}

/// Substitutes in a term.
pub(crate) fn term(code: &mut Code, id: TermId, environment: Environment<'_>) -> TermId {
    if code.terms.free(id) & (mask(environment) | UNEXPANDED) == 0 {
        return id;
    }
    stacker::maybe_grow(128 * 1024, 1024 * 1024, || inside(code, id, environment))
}

fn matched(code: &mut Code, pattern: Pattern, env: Environment<'_>) -> Pattern {
    match pattern {
        Pattern::Bind(slot) => Pattern::Bind(slot),
        Pattern::Match(expr) => Pattern::Match(expression(code, expr, env)),
    }
}

fn counts(code: &mut Code, members: &[(TermId, u32)], env: Environment<'_>) -> Vec<(TermId, u32)> {
    members.iter().map(|&(member, count)| (term(code, member, env), count)).collect()
}

fn inside(code: &mut Code, id: TermId, env: Environment<'_>) -> TermId {
    let span = code.terms.span(id);
    let replaced = match code.terms.get(id).clone() {
        Term::Event(found, attached, next) => {
            Term::Event(event(code, &found, env), program(code, attached, env), term(code, next, env))
        }
        Term::Silent(attached, next) => Term::Silent(program(code, attached, env), term(code, next, env)),
        Term::Send(to, values, attached, next) => Term::Send(
            channel(code, to, env),
            expressions(code, &values, env),
            program(code, attached, env),
            term(code, next, env),
        ),
        Term::Receive(from, guard, patterns, attached, next) => Term::Receive(
            channel(code, from, env),
            guard.map(|guard| expression(code, guard, env)),
            patterns.iter().map(|&pattern| matched(code, pattern, env)).collect(),
            program(code, attached, env),
            term(code, next, env),
        ),
        Term::Guard(condition, next) => Term::Guard(expression(code, condition, env), term(code, next, env)),
        Term::If(kind, condition, then, otherwise) => {
            Term::If(kind, expression(code, condition, env), term(code, then, env), term(code, otherwise, env))
        }
        Term::Case(branches, default) => {
            let branches = branches
                .iter()
                .map(|(condition, next)| (expression(code, *condition, env), term(code, *next, env)))
                .collect();
            Term::Case(branches, term(code, default, env))
        }
        Term::Parallel(OPEN_FAMILY, all) => {
            let all = all.iter().map(|&one| term(code, one, env)).collect();
            let Code { exprs, terms, .. } = code;
            return terms.parallel(exprs, all, span);
        }
        Term::Group(members) => {
            let members = counts(code, &members, env);
            return group(code, members, span);
        }
        Term::Crowd(most, members) => {
            let members = counts(code, &members, env);
            return counted(code, Some(most), members, span);
        }
        Term::Hide(hiding, next) => {
            let hiding = match hiding {
                Hiding::Events(set) => Hiding::Events(events(code, set, env)),
                all_but @ Hiding::AllBut(_) => all_but,
            };
            Term::Hide(hiding, term(code, next, env))
        }
        Term::Wait(wait) => Term::Wait(timer(code, wait, env)),
        Term::Expiring(expiry, time, first, second) => {
            Term::Expiring(expiry, timer(code, time, env), term(code, first, env), term(code, second, env))
        }
        Term::Bounded(bound, time, next) => Term::Bounded(bound, timer(code, time, env), term(code, next, env)),
        Term::AnyNumber(next) => Term::AnyNumber(term(code, next, env)),
        Term::Assert(condition) => Term::Assert(expression(code, condition, env)),
        Term::Call(definition, arguments) => Term::Call(definition, expressions(code, &arguments, env)),
        Term::Indexed(operator, binders, body) => return indexed(code, operator, &binders, body, env, span),
        Term::Copies(count, body) => {
            let count = expression(code, count, env);
            let body = term(code, body, env);
            match code.exprs.value(count).and_then(|count| usize::try_from(count).ok()) {
                Some(count) if count <= MAX_OPERANDS => return group(code, vec![(body, count as u32)], span),
                _ => Term::Copies(count, body),
            }
        }
        // All operands are terms.
        other => {
            let Ok(replaced) = other.try_map(&mut |next, _| Ok::<_, Infallible>(term(code, next, env)));
            replaced
        }
    };
    let Code { exprs, terms, .. } = code;
    let made = terms.add(exprs, replaced, span);
    terms.inherit(made, id);
    made
}

fn expressions(code: &mut Code, all: &[ExprId], env: Environment<'_>) -> Arc<[ExprId]> {
    all.iter().map(|&one| expression(code, one, env)).collect()
}

fn program(code: &mut Code, attached: Option<AttachedCode>, env: Environment<'_>) -> Option<AttachedCode> {
    let attached = attached?;
    Some(AttachedCode { program: attached.program, arguments: expressions(code, &attached.arguments, env) })
}

fn timer(code: &mut Code, timer: Timer, env: Environment<'_>) -> Timer {
    Timer { low: expression(code, timer.low, env), high: expression(code, timer.high, env), clock: timer.clock }
}

fn channel(code: &mut Code, channel: ChannelRef, env: Environment<'_>) -> ChannelRef {
    ChannelRef { channel: channel.channel, index: channel.index.map(|index| expression(code, index, env)) }
}

fn event(code: &mut Code, event: &EventRef, env: Environment<'_>) -> EventRef {
    EventRef { name: event.name, fields: expressions(code, &event.fields, env) }
}

/// Substitutes in a set of events, and expands it as far as indices are constant.
pub(crate) fn events(code: &mut Code, set: SetId, env: Environment<'_>) -> SetId {
    let patterns = code.terms.set(set).to_vec();
    let mut all = Vec::new();
    for pattern in patterns {
        match valuations(code, &pattern.binders, env) {
            Ok(found) => {
                for environment in found {
                    let event = event(code, &pattern.event, &environment);
                    all.push(EventPattern { binders: Arc::new([]), event });
                }
            }
            Err(_) => all.push(pattern),
        }
    }
    code.terms.add_set(all.into())
}

/// Interleaving of counted copies. Nested copies are multiplied, and interleavings are flattened.
pub(crate) fn group(code: &mut Code, members: Vec<(TermId, u32)>, span: Span) -> TermId {
    counted(code, None, members, span)
}

/// Interleaving of counted copies, with an optional limit of counter abstraction.
pub(crate) fn counted(code: &mut Code, most: Option<u32>, members: Vec<(TermId, u32)>, span: Span) -> TermId {
    let cut = |count: u32| if most.is_some_and(|most| count > most) { MANY } else { count };
    let mut all: Vec<(TermId, u32)> = Vec::new();
    let mut open = members;
    while let Some((member, count)) = open.pop() {
        if count == 0 {
            continue;
        }
        match code.terms.get(member) {
            Term::Group(inner) => open.extend(inner.iter().map(|(inner, times)| (*inner, times.saturating_mul(count)))),
            Term::Interleave(inner) => open.extend(inner.iter().map(|inner| (*inner, count))),
            _ => all.push((member, count)),
        }
    }
    all.sort_unstable();
    all.dedup_by(|next, known| {
        let is_same = next.0 == known.0;
        if is_same {
            known.1 = known.1.saturating_add(next.1);
        }
        is_same
    });
    all.iter_mut().for_each(|(_, count)| *count = cut(*count));
    let term = match most {
        _ if all.is_empty() => Term::Skip,
        Some(most) => Term::Crowd(most, all.into()),
        None => Term::Group(all.into()),
    };
    let Code { exprs, terms, .. } = code;
    terms.add(exprs, term, span)
}

fn indexed(
    code: &mut Code,
    operator: Operator,
    binders: &[Binder],
    body: TermId,
    env: Environment<'_>,
    span: Span,
) -> TermId {
    let Ok(found) = valuations(code, binders, env) else {
        return unexpanded(code, operator, binders, body, env, span);
    };
    let mut all: Vec<TermId> = Vec::with_capacity(found.len());
    for environment in &found {
        // An unexpanded term is equivalent, and the caller detects the cancellation before it needs more.
        if code.poll.spend(1).is_some() {
            return unexpanded(code, operator, binders, body, env, span);
        }
        all.push(term(code, body, environment));
    }
    let Code { exprs, terms, .. } = code;
    let term = match (operator, all.len()) {
        (Operator::Interleave | Operator::Parallel, 0) => Term::Skip,
        (Operator::Choice | Operator::Internal | Operator::External, 0) => Term::Stop,
        (_, 1) => return all.remove(0),
        (Operator::Interleave, _) => Term::Interleave(all.into()),
        (Operator::Parallel, _) => return terms.parallel(exprs, all.into(), span),
        (Operator::Choice, _) => Term::Choice(all.into()),
        (Operator::Internal, _) => Term::Internal(all.into()),
        (Operator::External, _) => Term::External(all.into()),
    };
    terms.add(exprs, term, span)
}

/// Substitutes in an indexed operator whose indices are not all constant.
fn unexpanded(
    code: &mut Code,
    operator: Operator,
    binders: &[Binder],
    body: TermId,
    env: Environment<'_>,
    span: Span,
) -> TermId {
    let binders = binders.iter().map(|binder| bound(code, binder, env)).collect();
    let body = term(code, body, env);
    let Code { exprs, terms, .. } = code;
    terms.add(exprs, Term::Indexed(operator, binders, body), span)
}

fn bound(code: &mut Code, binder: &Binder, env: Environment<'_>) -> Binder {
    let values = match &binder.values {
        BinderValues::Range(low, high) => {
            BinderValues::Range(expression(code, *low, env), expression(code, *high, env))
        }
        BinderValues::List(all) => BinderValues::List(expressions(code, all, env)),
    };
    Binder { slot: binder.slot, values }
}

/// All valuations of some indices, in lexicographic order.
fn valuations(code: &mut Code, binders: &[Binder], env: Environment<'_>) -> Result<Vec<Vec<(Slot, ExprId)>>, ()> {
    let mut all = vec![env.to_vec()];
    for binder in binders {
        let mut longer = Vec::new();
        for environment in all {
            let binder = bound(code, binder, &environment);
            let values: Vec<ExprId> = match &binder.values {
                BinderValues::Range(low, high) => {
                    let (low, high) = (code.exprs.value(*low).ok_or(())?, code.exprs.value(*high).ok_or(())?);
                    if i64::from(high) - i64::from(low) >= MAX_OPERANDS as i64 {
                        return Err(());
                    }
                    (low..=high).map(|value| code.exprs.int(value)).collect()
                }
                BinderValues::List(all) => all
                    .iter()
                    .map(|&value| code.exprs.value(value).map(|_| value).ok_or(()))
                    .collect::<Result<_, ()>>()?,
            };
            for value in values {
                let mut environment = environment.clone();
                environment.push((binder.slot, value));
                longer.push(environment);
                if longer.len() > MAX_OPERANDS {
                    return Err(());
                }
            }
        }
        all = longer;
    }
    Ok(all)
}

/// Evaluates the arguments of a call, under the valuation of a state.
pub(crate) fn arguments(
    code: &mut Code,
    arguments: &[ExprId],
    cells: &[i32],
    counts: &[Count],
) -> Answer<Arc<[ExprId]>> {
    let mut all = Vec::with_capacity(arguments.len());
    for &argument in arguments {
        if code.exprs.is_value(argument) {
            all.push(argument);
            continue;
        }
        let context = Context { code, cells: cells.into(), locals: &[], counts };
        let values: Option<Arc<[i32]>> = match code.exprs.get(argument) {
            Expr::Contents(array) => {
                let array = &code.variables[array.0 as usize];
                Some(cells[array.offset..array.offset + array.n_cells()].into())
            }
            Expr::Record(items) => Some(items.iter().map(|&item| context.value(item)).collect::<Answer<_>>()?),
            _ => None,
        };
        if let Some(values) = values {
            all.push(code.exprs.add(Expr::Array(values), Span::default(), Type::Unknown));
            continue;
        }
        let value = Context { code, cells: cells.into(), locals: &[], counts }.value(argument)?;
        all.push(match code.exprs.ty(argument) {
            Type::Boolean => code.exprs.bool(value != 0),
            _ => code.exprs.int(value),
        });
    }
    Ok(all.into())
}

/// The fault of an indexed operator whose range is not constant.
pub(crate) fn no_count(code: &Code, id: TermId) -> Box<Fault> {
    let kind = code.poll.stopped().map_or(FaultKind::Count, FaultKind::Stopped);
    Fault::new(code.terms.span(id), kind)
}
