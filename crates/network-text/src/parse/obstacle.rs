//! Inhibitors and their alternatives.

use super::{Parsed, Parser};
use crate::lex::TokenKind::*;
use crate::symbols::Ident;
use crate::syntax::{AlternativeSyntax, ObstacleSyntax, Tree};

impl Parser<'_> {
    /// `obstacle NAME`, and the alternatives on the following lines.
    pub(super) fn obstacle(&mut self) -> Parsed<()> {
        let start = self.cursor.bump();
        let name = self.ident("the name of an obstacle")?;
        let mut obstacle = ObstacleSyntax { name, ways: Vec::new(), span: start };
        if self.end_of_line().is_err() {
            self.skip_line();
        }
        while self.cursor.peek() == LineEnd && !self.cursor.kind_at(1).begins_declaration() {
            self.cursor.bump();
            match self.alternative().and_then(|alternative| self.end_of_line().map(|()| alternative)) {
                Ok(alternative) => obstacle.ways.push(alternative),
                Err(_) => self.skip_line(),
            }
        }
        obstacle.span = start.to(self.cursor.previous_span());
        self.add(|network| network.obstacles.push(obstacle));
        Ok(())
    }

    /// `MACHINE:ACTION, MACHINE:ACTION when EXPRESSION unless OBSTACLES`
    fn alternative(&mut self) -> Parsed<AlternativeSyntax> {
        let parts = self.list(|parser| {
            let part = parser.part()?;
            if part.action.is_none() {
                return Err(parser.unexpected("`:` and an action of the machine"));
            }
            Ok(part)
        })?;
        Ok(AlternativeSyntax { parts, condition: self.when()?, unless: self.unless()? })
    }

    /// `when EXPRESSION`, optional.
    pub(super) fn when(&mut self) -> Parsed<Option<Tree>> {
        self.take(When).map(|_| self.tree()).transpose()
    }

    /// `unless OBSTACLES`, optional.
    pub(super) fn unless(&mut self) -> Parsed<Vec<Ident>> {
        match self.take(Unless) {
            Some(_) => self.list(|parser| parser.ident("the name of an obstacle")),
            None => Ok(Vec::new()),
        }
    }
}
