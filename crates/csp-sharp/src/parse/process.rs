//! Processes, by precedence climbing.

use super::{Parser, Read};
use crate::errors;
use crate::lex::TokenKind;
use crate::syntax::{ChannelUse, Event, EventSet, Expiry, Expr, IfKind, Name, Operator, Process, ProcessKind};
use model::participants::Marks;
use source::Span;

/// Operators by precedence, loosest first.
const LEVELS: &[(TokenKind, Operator)] = &[
    (TokenKind::Interleave, Operator::Interleave),
    (TokenKind::Bars, Operator::Parallel),
    (TokenKind::Box, Operator::Choice),
    (TokenKind::Diamond, Operator::Internal),
    (TokenKind::External, Operator::External),
];

/// Operators by precedence in the timed dialect, loosest first.
const TIMED_LEVELS: &[(TokenKind, Operator)] = &[
    (TokenKind::Interleave, Operator::Interleave),
    (TokenKind::Bars, Operator::Parallel),
    (TokenKind::Diamond, Operator::Internal),
    (TokenKind::Box, Operator::Choice),
    (TokenKind::External, Operator::External),
];

fn boxed(kind: ProcessKind, span: Span) -> Process {
    Process { kind, span }
}

impl Parser<'_> {
    /// A process of any precedence.
    pub(super) fn process(&mut self) -> Read<Process> {
        self.nested(|this| this.several(0))
    }

    fn several(&mut self, level: usize) -> Read<Process> {
        let levels = if self.is_timed { TIMED_LEVELS } else { LEVELS };
        let Some(&(sign, operator)) = levels.get(level) else { return self.interrupt() };
        if self.is(sign) {
            return self.indexed_process(operator);
        }
        let first = self.several(level + 1)?;
        if !self.is(sign) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat(sign) {
            // `P ||| ||| i:{0..2}@Q(i)`: the infix operator precedes the one of the indexed form.
            all.push(self.several(level + 1)?);
        }
        let span = all[0].span.to(self.last_span());
        Ok(boxed(ProcessKind::Several(operator, all), span))
    }

    /// `||| i:{0..2} @ P(i)`, `|||{3} @ P`, `|||{..} @ P`. The body extends as far right as possible.
    fn indexed_process(&mut self, operator: Operator) -> Read<Process> {
        let start = self.bump().span;
        if operator == Operator::Interleave && self.is(TokenKind::BraceOpen) {
            self.bump();
            let count = if self.eat(TokenKind::Dots) { None } else { Some(self.sum()?) };
            self.expect(TokenKind::BraceClose, "`}`")?;
            self.expect(TokenKind::At, "`@`")?;
            let body = self.process()?;
            let span = start.to(body.span);
            return Ok(boxed(ProcessKind::Grouped(count, body.into()), span));
        }
        let binders = self.binders()?;
        self.expect(TokenKind::At, "`@`")?;
        let body = self.process()?;
        let span = start.to(body.span);
        Ok(boxed(ProcessKind::Indexed(operator, binders, body.into()), span))
    }

    fn is_indexed(&self) -> bool {
        LEVELS.iter().any(|(sign, _)| self.is(*sign))
    }

    fn interrupt(&mut self) -> Read<Process> {
        // An indexed form may be the right operand of a tighter operator; it then extends to the end.
        if self.is_indexed() {
            return self.process();
        }
        let mut left = self.hiding()?;
        while self.eat_word("interrupt") {
            let time = if self.is(TokenKind::BracketOpen) { Some(self.time()?) } else { None };
            let right = self.hiding()?;
            let span = left.span.to(right.span);
            let kind = match time {
                Some(time) => ProcessKind::Expiring(Expiry::Interrupt, left.into(), time, right.into()),
                None => ProcessKind::Interrupt(left.into(), right.into()),
            };
            left = boxed(kind, span);
        }
        Ok(left)
    }

    fn hiding(&mut self) -> Read<Process> {
        let process = self.sequence()?;
        if !self.eat(TokenKind::Backslash) {
            return Ok(process);
        }
        let events = self.event_sets()?;
        let span = process.span.to(self.last_span());
        Ok(boxed(ProcessKind::Hide(process.into(), events), span))
    }

    /// `{a, b.1, i:{0..3}@c.i}`.
    pub(super) fn event_sets(&mut self) -> Read<Vec<EventSet>> {
        self.expect(TokenKind::BraceOpen, "`{`")?;
        if self.eat(TokenKind::BraceClose) {
            return Ok(Vec::new());
        }
        let all = self.separated(TokenKind::Comma, |this| {
            let has_index = this.token(1).kind == TokenKind::Colon;
            let binders = if has_index { this.binders()? } else { Vec::new() };
            if has_index {
                this.expect(TokenKind::At, "`@`")?;
            }
            Ok(EventSet { binders, event: this.event()? })
        })?;
        self.expect(TokenKind::BraceClose, "`,` or `}`")?;
        Ok(all)
    }

    fn sequence(&mut self) -> Read<Process> {
        let first = self.guarded()?;
        if !self.continues_sequence() {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.continues_sequence() {
            self.bump();
            // `P ; ||| i:{0..2}@Q(i)`: the rest of the sequence belongs to the indexed form.
            all.push(if self.is_indexed() { self.process()? } else { self.guarded()? });
        }
        let span = all[0].span.to(self.last_span());
        Ok(boxed(ProcessKind::Sequence(all), span))
    }

    /// Whether a semicolon is sequential composition. It also ends a definition, before a declaration or the end of
    /// input.
    fn continues_sequence(&self) -> bool {
        if !self.is(TokenKind::Semicolon) {
            return false;
        }
        let next = self.token(1);
        match next.kind {
            TokenKind::End | TokenKind::Hash | TokenKind::BraceClose => false,
            TokenKind::Word => !self.begins_declaration(1),
            _ => true,
        }
    }

    fn guarded(&mut self) -> Read<Process> {
        let start = self.span();
        if !self.eat(TokenKind::BracketOpen) {
            return self.timeouts();
        }
        let condition = self.expression()?;
        self.expect(TokenKind::BracketClose, "`]`")?;
        let process = self.nested(Self::guarded)?;
        let span = start.to(process.span);
        Ok(boxed(ProcessKind::Guard(condition, process.into()), span))
    }

    /// An arrow, and whether it is urgent.
    fn arrow(&mut self) -> Read<bool> {
        if self.eat(TokenKind::UrgentArrow) {
            return Ok(true);
        }
        self.expect(TokenKind::Arrow, "`->`").map(|_| false)
    }

    /// A prefix without its continuation, before an arrow.
    fn before_arrow(&mut self, start: Span, kind: impl FnOnce(Box<Process>) -> ProcessKind) -> Read<Process> {
        let is_urgent = self.arrow()?;
        let next = self.continuation()?;
        let span = start.to(next.span);
        let process = boxed(kind(next), span);
        Ok(if is_urgent { boxed(ProcessKind::Urgent(process.into()), span) } else { process })
    }

    /// The continuation of a prefix: another prefix, or a process in parentheses.
    fn continuation(&mut self) -> Read<Box<Process>> {
        if self.is(TokenKind::BracketOpen) {
            return Err(errors::guard_behind_arrow(self.span()).into());
        }
        Ok(self.nested(Self::prefix)?.into())
    }

    pub(super) fn prefix(&mut self) -> Read<Process> {
        let start = self.span();
        match self.kind() {
            TokenKind::BraceOpen => {
                let block = self.block()?;
                let event = Event { name: None, fields: Vec::new(), marks: Marks::NONE, span: start };
                self.before_arrow(start, |next| ProcessKind::Prefix(vec![event], Some(block), next))
            }
            TokenKind::Open if self.is_event_list() => {
                self.bump();
                let events = self.separated(TokenKind::Comma, Self::marked_event)?;
                self.expect(TokenKind::Close, "`,` or `)`")?;
                self.before_arrow(start, |next| ProcessKind::Prefix(events, None, next))
            }
            TokenKind::Word if self.is_probabilistic() => Err(errors::probability("pcase", start).into()),
            TokenKind::Word => self.named_process(start),
            _ => self.primary_process(),
        }
    }

    /// Whether this is `pcase { 1: P 2: Q }` or `pcase { [0.5]: P default: Q }`, as opposed to an event `pcase` with a
    /// program.
    fn is_probabilistic(&self) -> bool {
        let weighs = |token: TokenKind| matches!(token, TokenKind::Number | TokenKind::BracketOpen);
        self.text() == "pcase" && self.token(1).kind == TokenKind::BraceOpen && weighs(self.token(2).kind)
    }

    /// Whether parentheses enclose a list of events, as in `(a, b.1) -> P`.
    fn is_event_list(&self) -> bool {
        let mut depth = 0_usize;
        let mut has_comma = false;
        for ahead in 0.. {
            match self.token(ahead).kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 1 => {
                    let after = self.token(ahead + 1).kind;
                    return has_comma && matches!(after, TokenKind::Arrow | TokenKind::UrgentArrow);
                }
                TokenKind::Close => depth -= 1,
                TokenKind::Comma if depth == 1 => has_comma = true,
                TokenKind::Arrow | TokenKind::Semicolon | TokenKind::End | TokenKind::BraceOpen => return false,
                _ => {}
            }
        }
        false
    }

    fn named_process(&mut self, start: Span) -> Read<Process> {
        if self.is_mark()
            && matches!(self.token(3).kind, TokenKind::Bang | TokenKind::Question | TokenKind::BracketOpen)
        {
            let marks = self.mark();
            let process = self.channel_prefix(start, true)?;
            let span = process.span;
            return Ok(boxed(ProcessKind::Marked(marks, process.into()), span));
        }
        if self.is_word("tau") || self.is_mark() {
            return self.event_prefix(start);
        }
        if crate::lex::is_reserved(self.text()) || self.is_timed && self.is_word("Wait") {
            return self.primary_process();
        }
        match self.token(1).kind {
            TokenKind::Dot | TokenKind::BraceOpen | TokenKind::Arrow | TokenKind::UrgentArrow => {
                self.event_prefix(start)
            }
            TokenKind::Bang | TokenKind::Question | TokenKind::BracketOpen => self.channel_prefix(start, false),
            _ => self.primary_process(),
        }
    }

    fn event_prefix(&mut self, start: Span) -> Read<Process> {
        let event = self.marked_event()?;
        let block = if self.is(TokenKind::BraceOpen) { Some(self.block()?) } else { None };
        self.before_arrow(start, |next| ProcessKind::Prefix(vec![event], block, next))
    }

    fn is_mark(&self) -> bool {
        matches!(self.text(), "wl" | "sl" | "wf" | "sf") && self.token(1).kind == TokenKind::Open
    }

    /// `wf(e)`, or an event without a fairness annotation. PAT also has keywords for live events, without a semantics.
    fn marked_event(&mut self) -> Read<Event> {
        if !self.is_mark() {
            return self.event();
        }
        let marks = self.mark();
        if self.is_word("tau") {
            return Err(self.unexpected("the name of an event"));
        }
        let event = self.event()?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(Event { marks, ..event })
    }

    /// A fairness annotation, such as `wf(`.
    fn mark(&mut self) -> Marks {
        let is_weak = self.bump_text().starts_with('w');
        self.bump();
        Marks { weak: is_weak, strong: !is_weak }
    }

    /// `e.1.x`, or `tau`.
    pub(super) fn event(&mut self) -> Read<Event> {
        let start = self.span();
        if self.eat_word("tau") {
            return Ok(Event { name: None, fields: Vec::new(), marks: Marks::NONE, span: start });
        }
        let name = self.name("an event")?;
        let mut fields = Vec::new();
        while self.eat(TokenKind::Dot) {
            fields.push(self.sum()?);
        }
        Ok(Event { name: Some(name), fields, marks: Marks::NONE, span: start.to(self.last_span()) })
    }

    /// `c!1 -> P`, or the rest of `wf(c!1) -> P` after `wf(`.
    fn channel_prefix(&mut self, start: Span, is_marked: bool) -> Read<Process> {
        let name = self.name("a channel")?;
        let index = match self.eat(TokenKind::BracketOpen) {
            true => {
                let index = self.expression()?;
                self.expect(TokenKind::BracketClose, "`]`")?;
                Some(index)
            }
            false => None,
        };
        let channel = ChannelUse { name, index };
        let sends = match self.kind() {
            TokenKind::Bang => true,
            TokenKind::Question => false,
            _ => return Err(self.unexpected("`!` or `?`")),
        };
        self.bump();
        let mut guard = None;
        if !sends && self.eat(TokenKind::BracketOpen) {
            guard = Some(self.expression()?);
            self.expect(TokenKind::BracketClose, "`]`")?;
        }
        let values = self.separated(TokenKind::Dot, Self::expression)?;
        if is_marked {
            self.expect(TokenKind::Close, "`)`")?;
        }
        let block = if self.is(TokenKind::BraceOpen) { Some(self.block()?) } else { None };
        self.before_arrow(start, |next| match sends {
            true => ProcessKind::Send(channel, values, block, next),
            false => ProcessKind::Receive(channel, guard, values, block, next),
        })
    }

    fn primary_process(&mut self) -> Read<Process> {
        let start = self.span();
        if self.eat(TokenKind::Open) {
            let process = self.process()?;
            let end = self.expect(TokenKind::Close, "`)`")?;
            return Ok(boxed(process.kind, start.to(end)));
        }
        if !self.is(TokenKind::Word) {
            return Err(self.unexpected("a process"));
        }
        let kind = match self.text() {
            "Stop" | "Skip" => {
                let is_stop = self.bump_text() == "Stop";
                if self.is(TokenKind::Open) && self.token(1).kind == TokenKind::Close {
                    self.bump();
                    self.bump();
                }
                if is_stop { ProcessKind::Stop } else { ProcessKind::Skip }
            }
            "if" => self.conditional(IfKind::Step)?,
            "ifa" => self.conditional(IfKind::Atomic)?,
            "ifb" => self.conditional(IfKind::Blocking)?,
            "case" => self.case()?,
            "atomic" => {
                self.bump();
                ProcessKind::Atomic(self.braced()?)
            }
            "assert" => {
                self.bump();
                self.expect(TokenKind::Open, "`(`")?;
                let condition = self.expression()?;
                self.expect(TokenKind::Close, "`)`")?;
                ProcessKind::Assert(condition)
            }
            "Wait" if self.is_timed && self.token(1).kind == TokenKind::BracketOpen => self.wait()?,
            _ => {
                let (name, arguments): (Name, Vec<Expr>) = self.reference()?;
                ProcessKind::Reference(name, arguments)
            }
        };
        Ok(boxed(kind, start.to(self.last_span())))
    }

    fn bump_text(&mut self) -> &str {
        let text = self.text();
        self.bump();
        text
    }

    fn braced(&mut self) -> Read<Box<Process>> {
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let process = self.process()?;
        self.eat(TokenKind::Semicolon);
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(process.into())
    }

    fn conditional(&mut self, kind: IfKind) -> Read<ProcessKind> {
        self.bump();
        self.expect(TokenKind::Open, "`(`")?;
        let condition = self.expression()?;
        self.expect(TokenKind::Close, "`)`")?;
        let then = self.branch()?;
        let otherwise = match self.is_word("else") {
            true if kind == IfKind::Blocking => return Err(errors::else_of_ifb(self.span()).into()),
            true => {
                self.bump();
                Some(self.branch()?)
            }
            false => None,
        };
        Ok(ProcessKind::If(kind, condition, then, otherwise))
    }

    /// A branch in braces, or a nested conditional.
    fn branch(&mut self) -> Read<Box<Process>> {
        if self.is(TokenKind::BraceOpen) {
            return self.braced();
        }
        Ok(self.nested(Self::primary_process)?.into())
    }

    fn case(&mut self) -> Read<ProcessKind> {
        self.bump();
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut branches = Vec::new();
        let mut default = None;
        while !self.is(TokenKind::BraceClose) {
            if self.eat_word("default") {
                self.expect(TokenKind::Colon, "`:`")?;
                default = Some(Box::new(self.process()?));
                break;
            }
            let condition = self.expression()?;
            self.expect(TokenKind::Colon, "`:`")?;
            branches.push((condition, self.process()?));
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(ProcessKind::Case(branches, default))
    }
}
