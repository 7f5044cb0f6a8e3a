//! Timed operators, and static checks of timed scripts.

use super::Resolver;
use super::scope::Scope;
use crate::syntax::{Bound, Expiry, Expr, IfKind, Interval, Process, ProcessKind};
use crate::timed::errors;
use csp_sharp_runtime::code::{Code, DefinitionId, EventName, ExprId, Term, TermId, Timer};
use hashbrown::HashSet;
use source::{Diagnostic, Span};

impl Resolver<'_> {
    /// Translates a timed operator to a term.
    pub(super) fn timed(&mut self, process: &Process, scope: &mut Scope) -> TermId {
        let term = match &process.kind {
            ProcessKind::Wait(interval) => Term::Wait(self.exact(interval, scope)),
            ProcessKind::Urgent(prefix) => return self.urgent(prefix, scope),
            ProcessKind::Expiring(expiry, first, interval, second) => {
                let timer = self.exact(interval, scope);
                Term::Expiring(*expiry, timer, self.process(first, scope), self.process(second, scope))
            }
            ProcessKind::Bounded(bound, inside, interval) => {
                let timer = self.bound(*bound, interval, scope);
                Term::Bounded(*bound, timer, self.process(inside, scope))
            }
            _ => unreachable!("all others have no time"),
        };
        self.term(term, process.span)
    }

    /// Translates `e ->> P` to `(e -> P) within[0]`; silent steps are urgent anyway.
    fn urgent(&mut self, prefix: &Process, scope: &mut Scope) -> TermId {
        let prefix_term = self.process(prefix, scope);
        if matches!(self.out.code.terms.get(prefix_term), Term::Silent(..)) {
            return prefix_term;
        }
        let zero = self.code().exprs.int(0);
        let timer = Timer { low: zero, high: zero, clock: None };
        self.term(Term::Bounded(Bound::Within, timer, prefix_term), prefix.span)
    }

    /// `[d]` for an exact time, or `[a,b]` for an interval.
    fn exact(&mut self, interval: &Interval, scope: &mut Scope) -> Timer {
        let low = self.time(&interval.low, scope);
        let high = match &interval.high {
            Some(high) => self.time(high, scope),
            None => low,
        };
        self.check_order(low, high, interval.span);
        Timer { low, high, clock: None }
    }

    fn bound(&mut self, bound: Bound, interval: &Interval, scope: &mut Scope) -> Timer {
        let zero = self.code().exprs.int(0);
        let only = self.time(&interval.low, scope);
        match (&interval.high, bound) {
            (Some(high), _) => {
                let high = self.time(high, scope);
                self.check_order(only, high, interval.span);
                Timer { low: only, high, clock: None }
            }
            (None, Bound::WaitUntil) => Timer { low: only, high: zero, clock: None },
            (None, Bound::Within | Bound::Deadline) => Timer { low: zero, high: only, clock: None },
        }
    }

    fn check_order(&mut self, low: ExprId, high: ExprId, span: Span) {
        let exprs = &self.out.code.exprs;
        if let (Some(low), Some(high)) = (exprs.value(low), exprs.value(high))
            && low > high
        {
            self.report(errors::empty_interval(low, high, span));
        }
    }

    /// A time, which may depend on parameters and inputs only.
    fn time(&mut self, expr: &Expr, scope: &mut Scope) -> ExprId {
        let time = self.number(expr, scope);
        let exprs = &self.out.code.exprs;
        if !exprs.is_static(time) {
            self.report(errors::variable_time(expr.span));
        } else if let Some(value) = exprs.value(time) {
            if value < 0 {
                self.report(errors::negative_time(value, expr.span));
            } else if value > Timer::MAX {
                self.report(errors::huge_time(value, expr.span));
            }
        }
        time
    }

    /// Checks the definitions of a timed script.
    pub(super) fn check_timed(&mut self) {
        let mut found = Vec::new();
        let code = &self.out.code;
        let bodies = code.definitions.iter().map(|definition| definition.body);
        for term in reachable(code, bodies.collect()) {
            match code.terms.get(term) {
                Term::Guard(_, inside) => found.extend(timed_guard(code, term, &[*inside])),
                Term::If(IfKind::Atomic, _, then, otherwise) => {
                    found.extend(timed_guard(code, term, &[*then, *otherwise]));
                }
                Term::Parallel(_, members) => found.extend(urgent_shared(code, members)),
                Term::AnyNumber(_) | Term::Copies(..) => found.push(errors::any_number_timed(code.terms.span(term))),
                _ => {}
            }
        }
        found.extend(growing(code));
        found.extend(atomic_in_time(code));
        self.diagnostics.extend(found);
        self.refuse_macro_events();
    }

    /// Refuses events with the name of a macro.
    fn refuse_macro_events(&mut self) {
        let code = &self.out.code;
        let mut found = Vec::new();
        for term in reachable(code, code.definitions.iter().map(|definition| definition.body).collect()) {
            let Term::Event(event, ..) = code.terms.get(term) else { continue };
            let name = &code.names[event.name.0 as usize];
            if let Some((super::Global::Macro(_), declared)) = self.globals.get(name) {
                found.push(errors::macro_event(name, code.terms.span(term), *declared));
            }
        }
        found.dedup_by(|one, other| one.title == other.title);
        self.diagnostics.extend(found);
    }
}

/// All subterms of some terms without entering calls, in the order of their numbers.
fn reachable(code: &Code, roots: Vec<TermId>) -> Vec<TermId> {
    let mut seen = HashSet::new();
    let mut open = roots;
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend(code.terms.get(term).operands());
        }
    }
    let mut all: Vec<TermId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// Whether an operator only states urgency, `within[0]`.
fn is_urgent(code: &Code, bound: Bound, timer: Timer) -> bool {
    bound == Bound::Within && code.exprs.value(timer.high) == Some(0)
}

/// A timed operator below a guard whose clock would start at once.
fn timed_guard(code: &Code, guard: TermId, inside: &[TermId]) -> Option<Diagnostic> {
    let mut seen = HashSet::new();
    let mut open = inside.to_vec();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match code.terms.get(term) {
            Term::Bounded(bound, timer, inside) if is_urgent(code, *bound, *timer) => open.push(*inside),
            Term::Wait(_) | Term::Expiring(..) | Term::Bounded(..) => {
                return Some(errors::timed_guard(code.terms.span(guard), code.terms.span(term)));
            }
            _ => open.extend(active(code, term)),
        }
    }
    None
}

/// The active subterms: those whose clocks start with the term.
fn active(code: &Code, term: TermId) -> Vec<TermId> {
    match code.terms.get(term) {
        Term::Call(definition, _) => vec![code.definitions[definition.0 as usize].body],
        Term::Guard(_, next)
        | Term::Hide(_, next)
        | Term::Atomic(next)
        | Term::Bounded(_, _, next)
        | Term::Sequence(next, _)
        | Term::Expiring(_, _, next, _)
        | Term::Marked(_, next) => vec![*next],
        Term::If(IfKind::Atomic, _, then, otherwise) => vec![*then, *otherwise],
        Term::Interrupt(left, right) => vec![*left, *right],
        Term::Choice(all) | Term::External(all) | Term::Interleave(all) | Term::Parallel(_, all) => all.to_vec(),
        Term::Indexed(crate::syntax::Operator::Internal, ..) => Vec::new(),
        Term::Indexed(_, _, body) => vec![*body],
        _ => Vec::new(),
    }
}

/// Refuses combinations of `atomic` and time. A step with priority that a delay enables would disable others, and the
/// correctness of exploration in whole units requires that delays never disable a step.
fn atomic_in_time(code: &Code) -> Vec<Diagnostic> {
    let bodies: Vec<TermId> = code.definitions.iter().map(|definition| definition.body).collect();
    let all = reachable(code, bodies);
    let mut found = Vec::new();
    let mut atomics = all.iter().filter(|&&term| matches!(code.terms.get(term), Term::Atomic(_))).peekable();
    let Some(&&first) = atomics.peek() else { return found };
    for &atomic in atomics {
        let timed = with_calls(code, atomic).into_iter().find(|&term| takes_time(code, term));
        found.extend(timed.map(|timed| errors::timed_atomic(code.terms.span(atomic), code.terms.span(timed))));
    }
    for &term in &all {
        if let Term::Bounded(bound @ (Bound::Within | Bound::WaitUntil), timer, _) = code.terms.get(term)
            && code.exprs.value(timer.low) != Some(0)
        {
            found.push(errors::atomic_bound(bound.word(), code.terms.span(term), code.terms.span(first)));
        }
    }
    found
}

fn takes_time(code: &Code, term: TermId) -> bool {
    match code.terms.get(term) {
        Term::Wait(_) | Term::Expiring(..) => true,
        Term::Bounded(bound, timer, _) => !is_urgent(code, *bound, *timer),
        _ => false,
    }
}

/// All subterms of a term, calls included.
fn with_calls(code: &Code, root: TermId) -> Vec<TermId> {
    let (mut seen, mut open) = (HashSet::new(), vec![root]);
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            match code.terms.get(term) {
                Term::Call(definition, _) => open.push(code.definitions[definition.0 as usize].body),
                other => open.extend(other.operands()),
            }
        }
    }
    let mut all: Vec<TermId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// Urgent events of a parallel composition on which several components synchronize.
fn urgent_shared(code: &Code, members: &[TermId]) -> Vec<Diagnostic> {
    let all: Vec<Vec<(EventName, TermId, bool)>> = members.iter().map(|&member| plain_events(code, member)).collect();
    let mut found = Vec::new();
    for (place, events) in all.iter().enumerate() {
        for (name, term, _) in events.iter().filter(|(_, _, is_urgent)| *is_urgent) {
            let others = all.iter().enumerate().filter(|(other, _)| *other != place);
            if others.flat_map(|(_, events)| events).any(|(other, ..)| other == name) {
                found.push(errors::urgent_shared(&code.names[name.0 as usize], code.terms.span(*term)));
            }
        }
    }
    found.dedup_by(|one, other| one.primary.span == other.primary.span);
    found
}

/// The events without programs in a process, with their terms, and whether they are urgent there.
fn plain_events(code: &Code, root: TermId) -> Vec<(EventName, TermId, bool)> {
    let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![root]);
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match code.terms.get(term) {
            Term::Event(event, None, next) => {
                found.push((event.name, term, false));
                open.push(*next);
            }
            Term::Bounded(bound, timer, inside) if is_urgent(code, *bound, *timer) => {
                if let Term::Event(event, None, _) = code.terms.get(*inside) {
                    found.push((event.name, *inside, true));
                }
                open.push(*inside);
            }
            Term::Call(definition, _) => open.push(code.definitions[definition.0 as usize].body),
            other => open.extend(other.operands()),
        }
    }
    found
}

/// Definitions that call themselves below a static operator, so that the term grows with each recursion.
fn growing(code: &Code) -> Vec<Diagnostic> {
    let calls: Vec<Vec<(DefinitionId, Option<&'static str>)>> =
        code.definitions.iter().map(|definition| calls_below(code, definition.body)).collect();
    let mut found = Vec::new();
    for (number, definition) in code.definitions.iter().enumerate() {
        let kept = calls[number].iter().filter_map(|&(called, below)| Some((called, below?)));
        let back = kept.filter(|(called, _)| reaches(&calls, *called, number)).map(|(_, below)| below).next();
        if let Some(below) = back {
            found.push(errors::growing(&definition.name, below, definition.span));
        }
    }
    found
}

fn reaches(calls: &[Vec<(DefinitionId, Option<&'static str>)>], from: DefinitionId, wanted: usize) -> bool {
    let mut seen = vec![false; calls.len()];
    let mut open = vec![from.0 as usize];
    while let Some(at) = open.pop() {
        if at == wanted {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(calls[at].iter().map(|(called, _)| called.0 as usize));
        }
    }
    false
}

/// The definitions that a term calls, with a static operator above the call, if there is one.
fn calls_below(code: &Code, root: TermId) -> Vec<(DefinitionId, Option<&'static str>)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut open: Vec<(TermId, Option<&'static str>)> = vec![(root, None)];
    while let Some((term, below)) = open.pop() {
        if !seen.insert((term, below)) {
            continue;
        }
        match code.terms.get(term) {
            Term::Call(definition, _) => found.push((*definition, below)),
            // Nested deadlines do not grow: redundant ones are removed.
            Term::Bounded(bound @ Bound::WaitUntil, _, inside) => open.push((*inside, Some(bound.word()))),
            Term::Expiring(Expiry::Interrupt, _, first, second) => {
                open.extend([(*first, Some("interrupt")), (*second, below)]);
            }
            Term::Interleave(all) => open.extend(all.iter().map(|&member| (member, Some("|||")))),
            Term::Parallel(_, all) => open.extend(all.iter().map(|&member| (member, Some("||")))),
            other => open.extend(other.operands().into_iter().map(|operand| (operand, below))),
        }
    }
    found.sort_unstable();
    found
}
