//! Programs.

use super::{Parser, Read};
use crate::errors;
use crate::lex::TokenKind;
use crate::syntax::{Block, Statement};

impl Parser<'_> {
    /// `{ x = 1; y++ }`.
    pub(super) fn block(&mut self) -> Read<Block> {
        let start = self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut statements = Vec::new();
        while !self.is(TokenKind::BraceClose) {
            if self.is(TokenKind::End) {
                return Err(self.unexpected("`}`"));
            }
            statements.push(self.nested(Self::statement)?);
        }
        let end = self.bump().span;
        let span = start.to(end);
        if statements.is_empty() {
            self.diagnostics.push(errors::empty_block(span));
        }
        Ok(Block { statements, span })
    }

    fn statement(&mut self) -> Read<Statement> {
        match self.kind() {
            TokenKind::BraceOpen => return Ok(Statement::Block(self.block()?)),
            TokenKind::Semicolon => {
                self.bump();
                return Ok(Statement::Empty);
            }
            TokenKind::Word => match self.text() {
                "if" => return self.if_statement(),
                "while" => {
                    self.bump();
                    self.expect(TokenKind::Open, "`(`")?;
                    let condition = self.expression()?;
                    self.expect(TokenKind::Close, "`)`")?;
                    let body = self.nested(Self::statement)?;
                    return Ok(Statement::While(condition, body.into()));
                }
                "var" => {
                    self.bump();
                    return self.local();
                }
                _ => {}
            },
            _ => {}
        }
        let expression = self.assignment()?;
        self.end_of_statement()?;
        Ok(Statement::Expression(expression))
    }

    /// The end of a statement. The last semicolon of a block is optional.
    fn end_of_statement(&mut self) -> Read<()> {
        if self.is(TokenKind::BraceClose) {
            return Ok(());
        }
        self.expect(TokenKind::Semicolon, "`;` or `}`").map(|_| ())
    }

    fn if_statement(&mut self) -> Read<Statement> {
        self.bump();
        self.expect(TokenKind::Open, "`(`")?;
        let condition = self.expression()?;
        self.expect(TokenKind::Close, "`)`")?;
        let then = self.nested(Self::statement)?;
        let otherwise = match self.eat_word("else") {
            true => Some(Box::new(self.nested(Self::statement)?)),
            false => None,
        };
        Ok(Statement::If(condition, then.into(), otherwise))
    }

    fn local(&mut self) -> Read<Statement> {
        let name = self.name("the name of a variable")?;
        let dims = self.indices()?;
        let value = if self.eat(TokenKind::Becomes) { Some(self.assignment()?) } else { None };
        self.end_of_statement()?;
        Ok(Statement::Local { name, dims, value })
    }
}
