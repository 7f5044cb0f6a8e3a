//! Process expressions.

use super::super::code::{Choice, EventsOp, Field, Op, Prefix, ProcessOp, Replicated, ReplicatedOp, TiesOp, Timing};
use super::{Compiler, Source};
use cspm::resolve::NameId;
use cspm::syntax::{self, Expr, ExprId, ProcessOp as Infix, SetOp, Statement, Ties};
use std::collections::BTreeSet;

impl Compiler<'_, '_> {
    pub(super) fn process(&mut self, expr: ExprId) -> Op {
        let resolved = self.resolved;
        let op = match resolved.ast.expr(expr) {
            Expr::Prefix { .. } => return self.prefix(expr),
            Expr::Guard(condition, process) => {
                let condition = self.inner(*condition);
                let process = self.inner(*process);
                return Op::If(Box::new((condition, process, self.stop(expr))));
            }
            Expr::Process(op, left, right) => return self.infix(expr, *op, *left, *right),
            Expr::Hide(process, events) => ProcessOp::Hide(self.inner(*process), self.plain_events(*events)),
            Expr::Project(process, events) => ProcessOp::Project(self.inner(*process), self.plain_events(*events)),
            Expr::WithSet { op, left, events, right } => {
                let left = self.inner(*left);
                let events = match op {
                    SetOp::Exception => self.plain_events(*events),
                    _ => self.events(*events),
                };
                ProcessOp::WithSet(*op, left, events, self.inner(*right))
            }
            Expr::AlphaParallel { left, left_alphabet, right_alphabet, right } => ProcessOp::AlphaParallel(
                self.inner(*left),
                self.events(*left_alphabet),
                self.events(*right_alphabet),
                self.inner(*right),
            ),
            Expr::Link { .. } if self.section.is_some() => return Op::Damaged(expr),
            Expr::Link { left, ties, right } => {
                ProcessOp::Link(self.inner(*left), self.ties(expr, ties), self.inner(*right))
            }
            Expr::Rename { process, ties } => ProcessOp::Rename(self.inner(*process), self.ties(expr, ties)),
            Expr::Replicated { op, statements, process } => return self.replicated(expr, op, statements, *process),
            other => unreachable!("not a process expression: {other:?}"),
        };
        Op::Process(Box::new(op))
    }

    fn infix(&mut self, expr: ExprId, op: Infix, left: ExprId, right: ExprId) -> Op {
        let tock = self.section.as_ref().map(|section| section.tock);
        let just_tock = |tock| EventsOp {
            set: Op::Const(super::super::Value::set(super::super::set::Set::empty())),
            tock: Some(tock),
            site: expr,
        };
        if let (Infix::ExternalChoice, None) = (op, tock) {
            let mut operands = Vec::new();
            self.flatten_choice(expr, &mut operands);
            let operands = operands.iter().map(|&operand| self.inner(operand)).collect();
            return Op::Process(Box::new(ProcessOp::ExternalChoice(operands)));
        }
        let (left, right) = (self.inner(left), self.inner(right));
        // Time passes on both sides at once.
        let with_tock = match op {
            Infix::ExternalChoice => Some(SetOp::SyncChoice),
            Infix::Interleave => Some(SetOp::Parallel),
            Infix::Interrupt => Some(SetOp::SyncInterrupt),
            Infix::InternalChoice | Infix::Sequential | Infix::SlidingChoice => None,
        };
        Op::Process(Box::new(match with_tock.zip(tock) {
            Some((op, tock)) => ProcessOp::WithSet(op, left, just_tock(tock), right),
            None => ProcessOp::Infix(op, left, right),
        }))
    }

    /// The operands of a chain of `[]`, however it is bracketed.
    fn flatten_choice(&self, expr: ExprId, operands: &mut Vec<ExprId>) {
        let mut pending = vec![expr];
        while let Some(next) = pending.pop() {
            match self.resolved.ast.expr(self.strip(next)) {
                Expr::Process(Infix::ExternalChoice, left, right) => pending.extend([*right, *left]),
                _ => operands.push(next),
            }
        }
    }

    fn plain_events(&mut self, set: ExprId) -> EventsOp {
        EventsOp { set: self.inner(set), tock: None, site: set }
    }

    /// A set of events to synchronize on: `tock` belongs to it in a timed section.
    fn events(&mut self, set: ExprId) -> EventsOp {
        let tock = self.section.as_ref().map(|section| section.tock);
        EventsOp { tock, ..self.plain_events(set) }
    }

    fn ties(&mut self, site: ExprId, ties: &Ties) -> TiesOp {
        let steps = self.steps(&ties.statements);
        let pairs = ties.pairs.iter().map(|&(from, to)| (self.inner(from), self.inner(to), from)).collect();
        TiesOp { steps, pairs, site }
    }

    fn replicated(&mut self, site: ExprId, op: &syntax::ReplicatedOp, statements: &[Statement], process: ExprId) -> Op {
        let tock = self.section.as_ref().map(|section| section.tock);
        // The sets of these two do not see the generators.
        let outer = match op {
            syntax::ReplicatedOp::Parallel(events) => Some(ReplicatedOp::Parallel(self.events(*events))),
            syntax::ReplicatedOp::SyncChoice(events) => Some(ReplicatedOp::SyncChoice(self.events(*events))),
            _ => None,
        };
        if let (syntax::ReplicatedOp::Link(_), Some(_)) = (op, tock) {
            return Op::Damaged(site);
        }
        let steps = self.steps(statements);
        let op = outer.unwrap_or_else(|| match op {
            syntax::ReplicatedOp::ExternalChoice => ReplicatedOp::ExternalChoice,
            syntax::ReplicatedOp::InternalChoice => ReplicatedOp::InternalChoice,
            syntax::ReplicatedOp::Interleave => ReplicatedOp::Interleave,
            syntax::ReplicatedOp::Sequential => ReplicatedOp::Sequential,
            syntax::ReplicatedOp::AlphaParallel(events) => ReplicatedOp::AlphaParallel(self.events(*events)),
            syntax::ReplicatedOp::Parallel(events) => ReplicatedOp::Parallel(self.events(*events)),
            syntax::ReplicatedOp::SyncChoice(events) => ReplicatedOp::SyncChoice(self.events(*events)),
            syntax::ReplicatedOp::Link(ties) => ReplicatedOp::Link(self.ties(site, ties)),
        });
        let process = self.inner(process);
        let empty = self.empty_replicated(&op, site);
        Op::Process(Box::new(ProcessOp::Replicated(Replicated { op, steps, process, tock, empty, site })))
    }

    /// The value of a replicated operator without operands, where the operator does not define it.
    fn empty_replicated(&mut self, op: &ReplicatedOp, site: ExprId) -> Option<Op> {
        self.section.as_ref()?;
        match op {
            ReplicatedOp::Sequential => Some(self.skip(site)),
            ReplicatedOp::InternalChoice | ReplicatedOp::Link(_) => None,
            _ => Some(self.stop(site)),
        }
    }

    fn prefix(&mut self, expr: ExprId) -> Op {
        match self.section.is_some() {
            true => self.timed_prefix(expr),
            false => self.plain_prefix(expr),
        }
    }

    /// A prefix as it stands, with the delays of a timed section if there is one.
    pub(super) fn plain_prefix(&mut self, expr: ExprId) -> Op {
        let Expr::Prefix { event, fields, process } = self.resolved.ast.expr(expr) else {
            unreachable!("called for prefixes only");
        };
        let event = self.inner(*event);
        let mut bound: BTreeSet<NameId> = BTreeSet::new();
        let mut has_dependent_fields = false;
        let fields: Box<[Field]> = fields
            .iter()
            .map(|field| {
                has_dependent_fields |= self.needs(field, &bound);
                self.field(field, &mut bound)
            })
            .collect();
        let is_uniform = !self.program.free_in(*process).iter().any(|name| bound.contains(name));
        let timing = self.section.clone().map(|section| Timing {
            tock: section.tock,
            duration: section.duration.map(|duration| self.inner(duration)),
        });
        let process = match !is_uniform && self.is_branching(*process) {
            true => self.part_call(Source::Continuation(*process), *process),
            false => self.inner(*process),
        };
        let prefix = Prefix { event, fields, process, is_uniform, has_dependent_fields, timing, site: expr };
        Op::Process(Box::new(ProcessOp::Prefix(prefix)))
    }

    /// Whether a process has choices of its own before it calls others. Behind an input, these are worth opening only
    /// where a search gets: inputs in a row would multiply otherwise. Prefixes of timed sections are calls already.
    fn is_branching(&self, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match self.resolved.ast.expr(expr) {
                Expr::Prefix { .. } if self.section.is_some() => {}
                Expr::Prefix { fields, .. }
                    if fields.iter().any(|field| !matches!(field, syntax::Field::Output(_))) =>
                {
                    return true;
                }
                Expr::Replicated { .. } => return true,
                Expr::Prefix { process, .. } | Expr::Hide(process, _) | Expr::Project(process, _) => {
                    pending.push(*process);
                }
                Expr::Rename { process, .. } => pending.push(*process),
                Expr::Paren(inner) | Expr::Guard(_, inner) | Expr::Let(_, inner) => pending.push(*inner),
                Expr::If(_, left, right) | Expr::Process(_, left, right) => pending.extend([*left, *right]),
                Expr::WithSet { left, right, .. }
                | Expr::AlphaParallel { left, right, .. }
                | Expr::Link { left, right, .. } => pending.extend([*left, *right]),
                _ => {}
            }
        }
        false
    }

    /// Whether a field needs one of these names.
    fn needs(&self, field: &syntax::Field, bound: &BTreeSet<NameId>) -> bool {
        let needed = match *field {
            syntax::Field::Output(value) => Some(value),
            syntax::Field::Input(_, set) | syntax::Field::NondetInput(_, set) => set,
        };
        needed.is_some_and(|needed| self.program.free_in(needed).iter().any(|name| bound.contains(name)))
    }

    fn field(&mut self, field: &syntax::Field, bound: &mut BTreeSet<NameId>) -> Field {
        let (choice, pat, set) = match *field {
            syntax::Field::Output(value) => return Field::Output(self.inner(value), value),
            syntax::Field::Input(pat, set) => (Choice::External, pat, set),
            syntax::Field::NondetInput(pat, set) => (Choice::Internal, pat, set),
        };
        bound.extend(self.program.bound_by(pat));
        let span = self.resolved.ast.pat_span(pat);
        match set {
            Some(set) => {
                let op = self.inner(set);
                Field::From(choice, self.pattern(pat), op, set)
            }
            None => Field::Any(choice, self.field_parts(pat), span),
        }
    }
}
