//! Process operators.

use super::expression::level;
use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::{self, *};
use crate::syntax::{Expr, ExprId, Field, ProcessOp, ReplicatedOp, SetOp, Statement, Ties};
use source::Span;

impl Parser<'_> {
    /// The process operator at the cursor, applied to `left`.
    pub(super) fn parse_process_operator(&mut self, left: ExprId, kind: TokenKind, level: u8) -> Parsed<ExprId> {
        match kind {
            ExternalChoice => self.parse_plain(left, ProcessOp::ExternalChoice, level),
            InternalChoice => self.parse_plain(left, ProcessOp::InternalChoice, level),
            Interleave => self.parse_plain(left, ProcessOp::Interleave, level),
            Semicolon => self.parse_plain(left, ProcessOp::Sequential, level),
            Interrupt => self.parse_plain(left, ProcessOp::Interrupt, level),
            SlidingChoice => self.parse_plain(left, ProcessOp::SlidingChoice, level),
            Backslash | Project => self.parse_hiding(left, kind),
            Guard => self.parse_guard(left),
            Arrow | Question | Exclamation | Dollar => self.parse_prefix(left),
            ParallelOpen => self.parse_parallel(left),
            BracketOpen => self.parse_bracketed(left),
            SyncChoiceOpen => self.parse_synchronizing(left, SetOp::SyncChoice, SyncChoiceClose, level),
            SyncInterruptOpen => self.parse_synchronizing(left, SetOp::SyncInterrupt, SyncInterruptClose, level),
            RenameOpen => self.parse_renaming(left),
            kind => unreachable!("{kind:?} has a level but is no operator"),
        }
    }

    fn parse_plain(&mut self, left: ExprId, op: ProcessOp, level: u8) -> Parsed<ExprId> {
        self.cursor.bump();
        let right = self.parse_level(level + 1)?;
        Ok(self.join(left, right, Expr::Process(op, left, right)))
    }

    /// The set binds tighter than every process operator; see the head of the expression module.
    fn parse_hiding(&mut self, left: ExprId, kind: TokenKind) -> Parsed<ExprId> {
        self.cursor.bump();
        let events = self.parse_level(level::PREFIX)?;
        let expr = if kind == Backslash { Expr::Hide(left, events) } else { Expr::Project(left, events) };
        Ok(self.join(left, events, expr))
    }

    fn parse_guard(&mut self, left: ExprId) -> Parsed<ExprId> {
        self.cursor.bump();
        let right = self.parse_level(level::PREFIX)?;
        Ok(self.join(left, right, Expr::Guard(left, right)))
    }

    /// `event ?x !y $z -> process`.
    fn parse_prefix(&mut self, event: ExprId) -> Parsed<ExprId> {
        let mut fields = Vec::new();
        while matches!(self.cursor.peek(), Question | Exclamation | Dollar) {
            fields.push(self.parse_field()?);
        }
        if self.cursor.peek() != Arrow {
            let found = self.found();
            let fields = self.ast.expr_span(event).to(self.cursor.previous_span());
            return Err(self.report_at_cursor(|span| errors::prefix_without_arrow(fields, &found, span)));
        }
        self.cursor.bump();
        let process = self.parse_level(level::PREFIX)?;
        Ok(self.join(event, process, Expr::Prefix { event, fields: fields.into(), process }))
    }

    fn parse_field(&mut self) -> Parsed<Field> {
        let kind = self.cursor.peek();
        self.cursor.bump();
        let value = self.parse_level(level::FIELD + 1)?;
        if kind == Exclamation {
            return Ok(Field::Output(value));
        }
        let pattern = self.pattern_of(value);
        if self.contains_both(pattern) {
            self.report(errors::both_in_field(self.ast.pat_span(pattern)));
        }
        if kind == Dollar && self.timed {
            self.report(errors::not_in_timed("an internal choice by `$`", self.ast.pat_span(pattern)));
        }
        let mut set = None;
        if self.cursor.peek() == Colon {
            self.cursor.bump();
            set = Some(self.parse_level(level::FIELD + 1)?);
        }
        Ok(if kind == Question { Field::Input(pattern, set) } else { Field::NondetInput(pattern, set) })
    }

    /// `left [| events |] right` or `left [| events |> right`.
    fn parse_parallel(&mut self, left: ExprId) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let events = self.inside_brackets(|parser| parser.parse_expr())?;
        if self.cursor.peek() == ExceptionClose {
            self.cursor.bump();
            let right = self.parse_level(level::PARALLEL + 1)?;
            return Ok(self.join(left, right, Expr::WithSet { op: SetOp::Exception, left, events, right }));
        }
        if self.cursor.peek() == Comma {
            return Err(self.report_listed_events(events));
        }
        self.close(ParallelClose, "|]", "[|", open)?;
        let right = self.parse_level(level::PARALLEL + 1)?;
        Ok(self.join(left, right, Expr::WithSet { op: SetOp::Parallel, left, events, right }))
    }

    /// `left [a || b] right` or `left [a <-> b] right`.
    fn parse_bracketed(&mut self, left: ExprId) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let inside = self.inside_brackets(|parser| parser.parse_alphabets_or_ties())?;
        self.close(BracketClose, "]", "[", open)?;
        let right = self.parse_level(level::PARALLEL + 1)?;
        let expr = match inside {
            Bracketed::Alphabets(left_alphabet, right_alphabet) => {
                Expr::AlphaParallel { left, left_alphabet, right_alphabet, right }
            }
            Bracketed::Ties(ties) => Expr::Link { left, ties, right },
        };
        Ok(self.join(left, right, expr))
    }

    fn parse_alphabets_or_ties(&mut self) -> Parsed<Bracketed> {
        let first = self.parse_expr()?;
        match self.cursor.peek() {
            DoubleBar => {
                self.cursor.bump();
                Ok(Bracketed::Alphabets(first, self.parse_expr()?))
            }
            Tie => {
                self.check_link_allowed();
                Ok(Bracketed::Ties(self.parse_ties(first, Tie)?))
            }
            LeftArrow => Err(self.report_single_brackets(first)),
            _ if self.names_property(first) => Err(self.report_property_without_colon(first)),
            _ => Err(self.unexpected("`||` and an alphabet, or `<->` and an event")),
        }
    }

    /// `first <- b, c <- d | statements`, where `first` is parsed already.
    fn parse_ties(&mut self, first: ExprId, arrow: TokenKind) -> Parsed<Ties> {
        let mut left = first;
        let mut pairs = Vec::new();
        loop {
            if arrow == LeftArrow
                && self.cursor.peek() != arrow
                && let Some(damage) = self.report_foreign_renaming(left)
            {
                return Err(damage);
            }
            self.expect(arrow, if arrow == Tie { "`<->` and an event" } else { "`<-` and an event" })?;
            pairs.push((left, self.parse_expr()?));
            if self.cursor.peek() != Comma {
                break;
            }
            self.cursor.bump();
            left = self.parse_expr()?;
        }
        Ok(Ties { pairs: pairs.into(), statements: self.parse_optional_statements()? })
    }

    fn parse_synchronizing(&mut self, left: ExprId, op: SetOp, close: TokenKind, level: u8) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let events = self.inside_brackets(|parser| parser.parse_expr())?;
        let (open_text, close_text) = op.brackets();
        self.close(close, close_text, open_text, open)?;
        let right = self.parse_level(level + 1)?;
        Ok(self.join(left, right, Expr::WithSet { op, left, events, right }))
    }

    fn parse_renaming(&mut self, process: ExprId) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let ties = self.inside_brackets(|parser| {
            if parser.cursor.peek() == RenameClose {
                return Ok(Ties { pairs: Box::default(), statements: Box::default() });
            }
            let first = parser.parse_expr()?;
            parser.parse_ties(first, LeftArrow)
        })?;
        self.close(RenameClose, "]]", "[[", open)?;
        let span = self.ast.expr_span(process);
        Ok(self.finish(span, Expr::Rename { process, ties }))
    }

    /// A replicated process, which begins with its operator.
    pub(super) fn parse_replicated(&mut self) -> Parsed<ExprId> {
        let kind = self.cursor.peek();
        let start = self.cursor.bump();
        let op = match kind {
            ExternalChoice => ReplicatedOp::ExternalChoice,
            InternalChoice => ReplicatedOp::InternalChoice,
            Interleave => ReplicatedOp::Interleave,
            Semicolon => ReplicatedOp::Sequential,
            DoubleBar => return self.parse_replicated_alphabetized(start),
            ParallelOpen => ReplicatedOp::Parallel(self.parse_replicated_set(start, ParallelClose, "|]", "[|")?),
            SyncChoiceOpen => {
                ReplicatedOp::SyncChoice(self.parse_replicated_set(start, SyncChoiceClose, "+]", "[+")?)
            }
            _ => ReplicatedOp::Link(self.parse_replicated_ties(start)?),
        };
        let statements = self.parse_replicated_statements(start)?;
        let process = self.parse_expr()?;
        Ok(self.finish(start, Expr::Replicated { op: op.into(), statements, process }))
    }

    fn parse_replicated_set(&mut self, open: Span, close: TokenKind, text: &str, open_text: &str) -> Parsed<ExprId> {
        let events = self.inside_brackets(|parser| parser.parse_expr())?;
        self.close(close, text, open_text, open)?;
        Ok(events)
    }

    fn check_link_allowed(&mut self) {
        if self.timed {
            self.report(errors::not_in_timed("linked parallel", self.cursor.span()));
        }
    }

    fn parse_replicated_ties(&mut self, open: Span) -> Parsed<Ties> {
        self.check_link_allowed();
        let ties = self.inside_brackets(|parser| {
            let first = parser.parse_expr()?;
            parser.parse_ties(first, Tie)
        })?;
        self.close(BracketClose, "]", "[", open)?;
        Ok(ties)
    }

    /// `|| statements @ [alphabet] process`.
    fn parse_replicated_alphabetized(&mut self, start: Span) -> Parsed<ExprId> {
        let statements = self.parse_replicated_statements(start)?;
        let open = self.cursor.span();
        self.expect(BracketOpen, "`[` and the alphabet of the process")?;
        let alphabet = self.inside_brackets(|parser| parser.parse_expr())?;
        self.close(BracketClose, "]", "[", open)?;
        let process = self.parse_expr()?;
        let op = ReplicatedOp::AlphaParallel(alphabet).into();
        Ok(self.finish(start, Expr::Replicated { op, statements, process }))
    }

    fn parse_replicated_statements(&mut self, start: Span) -> Parsed<Box<[Statement]>> {
        let statements = self.parse_statements()?;
        if self.cursor.peek() != At {
            let found = self.found();
            let operator = self.cursor.text(start);
            return Err(self.report_at_cursor(|span| errors::replicated_without_at(operator, start, &found, span)));
        }
        self.cursor.bump();
        Ok(statements)
    }
}

enum Bracketed {
    Alphabets(ExprId, ExprId),
    Ties(Ties),
}
