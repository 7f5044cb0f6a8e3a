//! Processes.

use super::scope::{Binding, Scope, SlotKind};
use super::{Global, Resolver};
use crate::errors;
use crate::syntax::{self, Block, ChannelUse, ExprKind, Name, Operator, Process, ProcessKind};
use csp_sharp_runtime::code::{AttachedCode, ChannelRef, EventRef, ExprId, Pattern, Term, TermId};
use model::participants::Marks;
use source::Span;
use std::sync::Arc;

/// The parts of an output prefix.
type Sending<'p> = (&'p ChannelUse, &'p [syntax::Expr], Option<&'p Block>, &'p Process);

/// The parts of an input prefix.
type Receiving<'p> = (&'p ChannelUse, Option<&'p syntax::Expr>, &'p [syntax::Expr], Option<&'p Block>, &'p Process);

impl Resolver<'_> {
    /// Translates a process to a term.
    pub(super) fn process(&mut self, process: &Process, scope: &mut Scope) -> TermId {
        if self.reading.is_stopped() {
            return self.term(Term::Stop, process.span);
        }
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.process_inside(process, scope))
    }

    fn process_inside(&mut self, process: &Process, scope: &mut Scope) -> TermId {
        let span = process.span;
        let term = match &process.kind {
            ProcessKind::Error | ProcessKind::Stop => Term::Stop,
            ProcessKind::Skip => Term::Skip,
            ProcessKind::Reference(name, arguments) => return self.reference(name, arguments, scope, span),
            ProcessKind::Prefix(events, block, next) => return self.prefix(events, block.as_ref(), next, scope, span),
            ProcessKind::Send(channel, values, block, next) => {
                let term = self.send((channel, values, block.as_ref(), next), scope);
                return self.written(term, span, message_span(channel, values));
            }
            ProcessKind::Receive(channel, guard, patterns, block, next) => {
                let term = self.receive((channel, guard.as_ref(), patterns, block.as_ref(), next), scope);
                return self.written(term, span, message_span(channel, patterns));
            }
            ProcessKind::Marked(marks, inside) => {
                self.code().has_marks = true;
                Term::Marked(*marks, self.process(inside, scope))
            }
            ProcessKind::Guard(condition, guarded) => {
                Term::Guard(self.condition(condition, scope), self.process(guarded, scope))
            }
            ProcessKind::If(kind, condition, then, otherwise) => {
                let (condition, then) = (self.condition(condition, scope), self.process(then, scope));
                Term::If(*kind, condition, then, self.branch(otherwise.as_deref(), scope, span))
            }
            ProcessKind::Case(branches, default) => {
                let mut all = Vec::new();
                for (condition, branch) in branches {
                    all.push((self.condition(condition, scope), self.process(branch, scope)));
                }
                Term::Case(all.into(), self.branch(default.as_deref(), scope, span))
            }
            ProcessKind::Sequence(parts) => return self.sequence(parts, scope, span),
            ProcessKind::Several(operator, parts) => return self.several(*operator, parts, scope, span),
            ProcessKind::Indexed(operator, binders, body) => {
                let mark = scope.mark();
                let binders = self.binders(binders, scope);
                let body = self.process(body, scope);
                scope.reset(mark);
                Term::Indexed(*operator, binders, body)
            }
            ProcessKind::Grouped(count, body) => match count {
                Some(count) => Term::Copies(self.number(count, scope), self.process(body, scope)),
                None => Term::AnyNumber(self.process(body, scope)),
            },
            ProcessKind::Interrupt(left, right) => {
                Term::Interrupt(self.process(left, scope), self.process(right, scope))
            }
            ProcessKind::Hide(inside, events) => {
                let events = self.event_sets(events, scope);
                Term::Hide(csp_sharp_runtime::code::Hiding::Events(events), self.process(inside, scope))
            }
            ProcessKind::Atomic(inside) => Term::Atomic(self.process(inside, scope)),
            ProcessKind::Assert(condition) => Term::Assert(self.condition(condition, scope)),
            ProcessKind::Wait(_) | ProcessKind::Urgent(_) | ProcessKind::Expiring(..) | ProcessKind::Bounded(..) => {
                return self.timed(process, scope);
            }
        };
        self.term(term, span)
    }

    /// Adds a prefix with the span of its event.
    fn written(&mut self, prefix: Term, span: Span, event: Span) -> TermId {
        let term = self.term(prefix, span);
        self.code().terms.write(term, event);
        term
    }

    fn send(&mut self, (channel, values, block, next): Sending<'_>, scope: &mut Scope) -> Term {
        let channel = self.channel_use(channel, scope);
        let values: Arc<[ExprId]> = values.iter().map(|value| self.argument(value, scope)).collect();
        let block = self.program(block, scope);
        let next = self.process(next, scope);
        channel.map_or(Term::Stop, |channel| Term::Send(channel, values, block, next))
    }

    fn receive(&mut self, (channel, guard, patterns, block, next): Receiving<'_>, scope: &mut Scope) -> Term {
        let channel = self.channel_use(channel, scope);
        let mark = scope.mark();
        let patterns: Arc<[Pattern]> = patterns.iter().map(|pattern| self.pattern(pattern, scope)).collect();
        let guard = guard.map(|guard| self.condition(guard, scope));
        let block = self.program(block, scope);
        let next = self.process(next, scope);
        scope.reset(mark);
        channel.map_or(Term::Stop, |channel| Term::Receive(channel, guard, patterns, block, next))
    }

    /// A branch, or `Skip` if it is absent.
    fn branch(&mut self, branch: Option<&Process>, scope: &mut Scope, span: Span) -> TermId {
        match branch {
            Some(branch) => self.process(branch, scope),
            None => self.term(Term::Skip, span),
        }
    }

    fn sequence(&mut self, parts: &[Process], scope: &mut Scope, span: Span) -> TermId {
        let mut parts: Vec<TermId> = parts.iter().map(|part| self.process(part, scope)).collect();
        let mut last = parts.pop().expect("a sequence has parts");
        while let Some(first) = parts.pop() {
            last = self.term(Term::Sequence(first, last), span);
        }
        last
    }

    fn several(&mut self, operator: Operator, parts: &[Process], scope: &mut Scope, span: Span) -> TermId {
        let parts: Arc<[TermId]> = parts.iter().map(|part| self.process(part, scope)).collect();
        let term = match operator {
            Operator::Interleave => Term::Interleave(parts),
            Operator::Parallel => {
                let csp_sharp_runtime::code::Code { exprs, terms, .. } = &mut self.out.code;
                return terms.parallel(exprs, parts, span);
            }
            Operator::Choice => Term::Choice(parts),
            Operator::Internal => Term::Internal(parts),
            Operator::External => Term::External(parts),
        };
        self.term(term, span)
    }

    /// A reference to a process.
    pub(super) fn reference(
        &mut self,
        name: &Name,
        arguments: &[syntax::Expr],
        scope: &mut Scope,
        span: Span,
    ) -> TermId {
        let arguments: Arc<[ExprId]> = arguments.iter().map(|argument| self.argument(argument, scope)).collect();
        let declared = self.declared(name);
        let id = match self.global(name) {
            Some(Global::Process(id)) => id,
            Some(other) => {
                let kind = other.kind().text();
                self.report(errors::wrong_kind(&name.text, kind, "a process", name.span, declared));
                return self.term(Term::Stop, span);
            }
            None => {
                self.unknown("process", name, scope);
                return self.term(Term::Stop, span);
            }
        };
        let wanted = self.out.code.definitions[id.0 as usize].n_parameters;
        if arguments.len() != wanted {
            self.report(errors::arity("process", &name.text, wanted, arguments.len(), span, declared));
        }
        self.term(Term::Call(id, arguments), span)
    }

    fn prefix(
        &mut self,
        events: &[syntax::Event],
        block: Option<&Block>,
        next: &Process,
        scope: &mut Scope,
        span: Span,
    ) -> TermId {
        let code = self.program(block, scope);
        let next = self.process(next, scope);
        let mut all = Vec::new();
        for event in events {
            let term = match self.event(event, scope) {
                Some(event) => Term::Event(event, code.clone(), next),
                None => Term::Silent(code.clone(), next),
            };
            let term = self.written(term, span, event.span);
            all.push(match event.marks {
                Marks::NONE => term,
                marks => {
                    self.code().has_marks = true;
                    self.term(Term::Marked(marks, term), span)
                }
            });
        }
        match all[..] {
            [one] => one,
            _ => self.term(Term::Choice(all.into()), span),
        }
    }

    /// An event; `None` for `tau`.
    pub(super) fn event(&mut self, event: &syntax::Event, scope: &mut Scope) -> Option<EventRef> {
        let name = event.name.as_ref()?;
        let fields = event.fields.iter().map(|field| self.expr(field, scope)).collect();
        let name = self.code().event_name(&name.text);
        Some(EventRef { name, fields })
    }

    fn program(&mut self, block: Option<&Block>, scope: &mut Scope) -> Option<AttachedCode> {
        let block = block?;
        let text = format!("{:?}", WithoutSpans(block));
        Some(self.attached(block, scope, text))
    }

    fn channel_use(&mut self, channel: &ChannelUse, scope: &mut Scope) -> Option<ChannelRef> {
        let index = channel.index.as_ref().map(|index| self.expr(index, scope));
        let number = self.channel(&channel.name, index.is_some(), scope)?;
        Some(ChannelRef { channel: number, index })
    }

    /// A field of an input: a new name binds the value, any other expression must equal it.
    fn pattern(&mut self, pattern: &syntax::Expr, scope: &mut Scope) -> Pattern {
        let ExprKind::Name(name) = &pattern.kind else { return Pattern::Match(self.expr(pattern, scope)) };
        if let Some((Binding::Slot(..) | Binding::Local(..) | Binding::Array(_) | Binding::Value(_), _)) =
            scope.get(&name.text)
        {
            return Pattern::Match(self.expr(pattern, scope));
        }
        let declared = self.declared(name);
        match self.globals.get(&name.text).map(|(global, _)| global.clone()) {
            Some(Global::Constant(..) | Global::Macro(_)) => Pattern::Match(self.expr(pattern, scope)),
            Some(Global::Variable(_) | Global::Object(..)) => {
                self.report(errors::input_variable(&name.text, name.span, declared));
                Pattern::Bind(self.bind(scope, name, SlotKind::Input))
            }
            Some(Global::Channel(_) | Global::Process(_) | Global::Sequential(_)) | None => {
                Pattern::Bind(self.bind(scope, name, SlotKind::Input))
            }
        }
    }
}

/// Displays a program independently of its position in the source.
struct WithoutSpans<'b>(&'b Block);

impl std::fmt::Debug for WithoutSpans<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Spans are the only numbers after `start:` and `end:` in the debug text of the tree.
        let text = format!("{:?}", self.0.statements);
        let mut rest = text.as_str();
        while let Some(at) = rest.find("Span {") {
            f.write_str(&rest[..at])?;
            rest = &rest[at..];
            let end = rest.find('}').map_or(rest.len(), |end| end + 1);
            rest = &rest[end..];
        }
        f.write_str(rest)
    }
}

/// The span of a message: the channel and the fields.
fn message_span(channel: &ChannelUse, fields: &[syntax::Expr]) -> Span {
    channel.name.span.to(fields.last().map_or(channel.name.span, |last| last.span))
}
