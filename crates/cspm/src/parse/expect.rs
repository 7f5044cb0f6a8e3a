//! Diagnostics for unexpected tokens.

use super::{Damage, Parsed, Parser, errors};
use crate::lex::TokenKind::{self, *};
use source::{Diagnostic, Span};

impl Parser<'_> {
    /// Consumes a token of a kind, or reports that `what` was expected.
    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Span> {
        if self.cursor.peek() == kind { Ok(self.cursor.bump()) } else { Err(self.unexpected(what)) }
    }

    /// Consumes a closing bracket, or reports that the opening one at `open_span` is not closed.
    pub(super) fn close(&mut self, kind: TokenKind, close: &str, open: &str, open_span: Span) -> Parsed<()> {
        if self.cursor.peek() == kind {
            self.cursor.bump();
            return Ok(());
        }
        if self.explains_greater() || self.begins_comparison_mistake() || self.cursor.peek() == Unknown {
            return Err(self.unexpected(close));
        }
        if let Some(diagnostic) = self.foreign_notation_within(open) {
            return Err(self.report(diagnostic));
        }
        let found = self.found();
        Err(self.report_at_cursor(|span| errors::unclosed(open, close, open_span, &found, span)))
    }

    /// Reports that `what` was expected here.
    pub(super) fn unexpected(&mut self, what: &str) -> Damage {
        let found = self.found();
        if self.cursor.peek() == Unknown {
            // The lexer reported it.
            self.ast.incomplete = true;
            return Damage;
        }
        if self.explains_greater() {
            let close = self.cursor.previous_span();
            return self.report(errors::greater_in_sequence(close, &found, self.cursor.span()));
        }
        if let Some(diagnostic) = self.foreign_notation() {
            // The names that it would define are unknown.
            self.ast.incomplete = true;
            return self.report(diagnostic);
        }
        if self.begins_comparison_mistake() {
            return self.report_at_cursor(errors::single_equals);
        }
        if matches!(
            self.cursor.peek(),
            ParenClose | BraceClose | BracketClose | EnumClose | RenameClose | ParallelClose
        ) {
            let text = self.cursor.text(self.cursor.span());
            return self.report_at_cursor(|span| errors::unexpected_close(text, what, span));
        }
        self.report_at_cursor(|span| errors::unexpected(&found, what, span))
    }

    /// Whether the cause is a `>` that was intended as a comparison but closed a sequence.
    pub(super) fn explains_greater(&self) -> bool {
        self.last_close.wrapping_add(1) == self.cursor.index()
            && self.cursor.peek().begins_operand()
            && !self.cursor.separated()
    }

    /// Whether the cause is a `=` inside an expression.
    pub(super) fn begins_comparison_mistake(&self) -> bool {
        self.cursor.peek() == Equals
    }

    /// The token at the cursor, for messages.
    pub(super) fn found(&self) -> String {
        match self.cursor.peek() {
            End | Boundary => "the end of the file".to_owned(),
            _ if self.cursor.separated() => "a new line".to_owned(),
            _ => {
                let text = self.cursor.text(self.cursor.span());
                let short: String = text.chars().take(30).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
            }
        }
    }

    /// Reports an error at the cursor; at the end of a line, at its last token.
    pub(super) fn report_at_cursor(&mut self, message: impl FnOnce(Span) -> Diagnostic) -> Damage {
        let at_end = self.cursor.separated() || matches!(self.cursor.peek(), End | Boundary);
        let span = if at_end { self.cursor.previous_span().at_end() } else { self.cursor.span() };
        self.report(message(span))
    }
}
