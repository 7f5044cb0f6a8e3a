//! Timed processes: detection of the timed dialect, and its syntax.
//!
//! The dialect is detected by the operators that a script uses. It has more reserved words, and `<>` binds looser than
//! `[]` in it.

use super::{Parser, Read};
use crate::lex::{Token, TokenKind};
use crate::syntax::{Bound, Expiry, Expr, Interval, Process, ProcessKind};
use crate::timed::errors;
use source::{SourceMap, Span};

/// Postfix operators, whose times follow in brackets.
const SUFFIXES: &[&str] = &["timeout", "deadline", "within", "waituntil", "interrupt"];

/// Words that are reserved in the timed dialect.
const RESERVED: &[&str] = &["Wait", "timeout", "deadline", "within", "waituntil", "tock"];

/// Whether a word is reserved in the timed dialect.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Whether a script uses timed operators.
pub(super) fn is_timed(tokens: &[Token], map: &SourceMap) -> bool {
    let is_word = |token: &Token, word: &str| token.kind == TokenKind::Word && map.text(token.span) == word;
    let is_channel = |word: &str| tokens.windows(2).any(|pair| is_word(&pair[0], "channel") && is_word(&pair[1], word));
    (0..tokens.len()).any(|place| match tokens[place].kind {
        TokenKind::UrgentArrow => true,
        TokenKind::Word if tokens.get(place + 1).is_some_and(|next| next.kind == TokenKind::BracketOpen) => {
            let word = map.text(tokens[place].span);
            let follows_process = place > 0 && ends_process(tokens[place - 1].kind);
            (word == "Wait" || SUFFIXES.contains(&word) && follows_process) && !is_channel(word)
        }
        TokenKind::Less => {
            let about = place.checked_sub(1).map(|before| &tokens[before]);
            let is_about = about.is_some_and(|about| is_word(about, "refines") || is_word(about, "divergencefree"));
            is_about && tokens.get(place + 1).is_some_and(|next| is_word(next, "T"))
        }
        _ => false,
    })
}

fn ends_process(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Word | TokenKind::Close | TokenKind::BraceClose | TokenKind::BracketClose)
}

impl Parser<'_> {
    /// `P timeout[3] Q timeout[5] R`, or a process of higher precedence.
    pub(super) fn timeouts(&mut self) -> Read<Process> {
        let mut left = self.bounded()?;
        while self.is_suffix("timeout") {
            self.warn_of_brackets(&left);
            self.bump();
            let time = self.time()?;
            let right = self.bounded()?;
            let span = left.span.to(right.span);
            left = Process { kind: ProcessKind::Expiring(Expiry::Timeout, left.into(), time, right.into()), span };
        }
        Ok(left)
    }

    /// `P waituntil[1] deadline[2] within[3]`: each optional and at most once, in this order.
    fn bounded(&mut self) -> Read<Process> {
        let mut process = self.prefix()?;
        for bound in [Bound::WaitUntil, Bound::Deadline, Bound::Within] {
            if !self.is_suffix(bound.word()) {
                continue;
            }
            self.warn_of_brackets(&process);
            self.bump();
            let time = if bound == Bound::Within { self.interval()? } else { self.time()? };
            let span = process.span.to(self.last_span());
            process = Process { kind: ProcessKind::Bounded(bound, process.into(), time), span };
        }
        if let Some(bound) =
            [Bound::WaitUntil, Bound::Deadline, Bound::Within].iter().find(|b| self.is_suffix(b.word()))
        {
            return Err(errors::suffix_order(bound.word(), self.span(), process.span).into());
        }
        Ok(process)
    }

    /// Whether a postfix operator follows.
    pub(super) fn is_suffix(&self, word: &str) -> bool {
        self.is_word(word) && self.token(1).kind == TokenKind::BracketOpen
    }

    /// `[d]`.
    pub(super) fn time(&mut self) -> Read<Interval> {
        let interval = self.interval()?;
        match interval.high {
            Some(high) => Err(errors::one_time(high.span).into()),
            None => Ok(interval),
        }
    }

    /// `[d]` or `[a,b]`.
    pub(super) fn interval(&mut self) -> Read<Interval> {
        let start = self.expect(TokenKind::BracketOpen, "`[` and a time")?;
        let low: Expr = self.expression()?;
        let high = if self.eat(TokenKind::Comma) { Some(self.expression()?) } else { None };
        let end = self.expect(TokenKind::BracketClose, "`]`")?;
        Ok(Interval { low, high, span: start.to(end) })
    }

    /// `Wait[d]`.
    pub(super) fn wait(&mut self) -> Read<ProcessKind> {
        self.bump();
        let interval = self.interval()?;
        if matches!(self.kind(), TokenKind::Arrow | TokenKind::UrgentArrow) {
            return Err(errors::wait_arrow(self.span()).into());
        }
        Ok(ProcessKind::Wait(interval))
    }

    /// Warns that `a -> (P) within[3]` is parsed as `(a -> P) within[3]`, which is seldom intended.
    fn warn_of_brackets(&mut self, process: &Process) {
        if let Some(inner) = self.bracketed_end(process) {
            let word = self.text().to_owned();
            self.diagnostics.push(errors::suffix_reach(&word, self.span(), process.span, inner));
        }
    }

    /// The last process of a chain of prefixes that is not in parentheses itself, if the last one is.
    fn bracketed_end(&self, process: &Process) -> Option<Span> {
        let is_bracketed = |process: &Process| {
            let is_list = matches!(&process.kind, ProcessKind::Prefix(events, ..) if events.len() > 1);
            !is_list && self.map.text(process.span).starts_with('(')
        };
        let mut at = process;
        let mut is_chain = false;
        loop {
            if is_bracketed(at) {
                return is_chain.then_some(at.span);
            }
            at = match &at.kind {
                ProcessKind::Prefix(_, _, next)
                | ProcessKind::Send(_, _, _, next)
                | ProcessKind::Receive(_, _, _, _, next) => next,
                ProcessKind::Urgent(inside) => inside,
                _ => return None,
            };
            is_chain = true;
        }
    }
}
