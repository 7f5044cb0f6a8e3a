//! Statements: updates of variables.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::symbols::Ident;
use crate::syntax::StatementSyntax;

impl Parser<'_> {
    /// Statements separated by `;`.
    pub(super) fn statements(&mut self) -> Parsed<Vec<StatementSyntax>> {
        let mut statements = vec![self.statement()?];
        while self.take(Semicolon).is_some() {
            if matches!(self.cursor.peek(), BraceClose) {
                break;
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<StatementSyntax> {
        match self.cursor.peek() {
            If => self.conditional(),
            While => {
                let start = self.cursor.bump();
                let condition = self.tree()?;
                let span = start.to(self.cursor.previous_span());
                Ok(StatementSyntax::While { condition, body: self.block()?, span })
            }
            _ => {
                let variable = self.ident("a statement such as `x := 1`")?;
                self.change(variable)
            }
        }
    }

    /// `if CONDITION { ... } else { ... }`, or `else if`
    fn conditional(&mut self) -> Parsed<StatementSyntax> {
        self.cursor.bump();
        let condition = self.tree()?;
        let then = self.block()?;
        let otherwise = match self.take(Else) {
            Some(_) if self.cursor.peek() == If => vec![self.nested(Self::conditional)?],
            Some(_) => self.block()?,
            None => Vec::new(),
        };
        Ok(StatementSyntax::If { condition, then, otherwise })
    }

    fn block(&mut self) -> Parsed<Vec<StatementSyntax>> {
        let open = self.expect(BraceOpen, "`{` and statements")?;
        let statements = match self.cursor.peek() {
            BraceClose => Vec::new(),
            _ => self.nested(Self::statements)?,
        };
        self.close(BraceClose, "}", ("{", open))?;
        Ok(statements)
    }

    /// The rest of an update after the name of a variable.
    fn change(&mut self, variable: Ident) -> Parsed<StatementSyntax> {
        let span = |parser: &Self| variable.span.to(parser.cursor.previous_span());
        match self.cursor.peek() {
            Question => {
                self.cursor.bump();
                Ok(StatementSyntax::Dequeue { queue: variable, span: span(self) })
            }
            Exclamation => {
                self.cursor.bump();
                let message = if self.begins_expression() { self.list(Self::tree)? } else { Vec::new() };
                Ok(StatementSyntax::Enqueue { queue: variable, message, span: span(self) })
            }
            _ => {
                let index = match self.take(BracketOpen) {
                    Some(open) => {
                        let index = self.tree()?;
                        self.close(BracketClose, "]", ("[", open))?;
                        Some(index)
                    }
                    None => None,
                };
                if self.cursor.peek() == Equals {
                    let span = self.cursor.span();
                    return Err(self.report(errors::single_equals(span)));
                }
                self.expect(Assign, "`:=` and a value, `!` and a message, or `?`")?;
                let value = self.tree()?;
                Ok(StatementSyntax::Assign { variable, index, value, span: span(self) })
            }
        }
    }
}
