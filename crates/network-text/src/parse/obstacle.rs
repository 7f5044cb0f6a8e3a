//! Obstacles and their ways.

use super::{Parsed, Parser};
use crate::lex::TokenKind::*;
use crate::symbols::Ident;
use crate::syntax::{ObstacleSyntax, Tree, WaySyntax};

impl Parser<'_> {
    /// `obstacle NAME`, and the ways on the lines behind it.
    pub(super) fn obstacle(&mut self) -> Parsed<()> {
        let start = self.cursor.bump();
        let name = self.ident("the name of an obstacle")?;
        let mut obstacle = ObstacleSyntax { name, ways: Vec::new(), span: start };
        if self.end_of_line().is_err() {
            self.skip_line();
        }
        while self.cursor.peek() == LineEnd && !self.cursor.kind_at(1).begins_declaration() {
            self.cursor.bump();
            match self.way().and_then(|way| self.end_of_line().map(|()| way)) {
                Ok(way) => obstacle.ways.push(way),
                Err(_) => self.skip_line(),
            }
        }
        obstacle.span = start.to(self.cursor.previous_span());
        self.add(|network| network.obstacles.push(obstacle));
        Ok(())
    }

    /// `MACHINE:ACTION, MACHINE:ACTION when EXPRESSION unless OBSTACLES`
    fn way(&mut self) -> Parsed<WaySyntax> {
        let parts = self.list(|parser| {
            let part = parser.part()?;
            if part.action.is_none() {
                return Err(parser.unexpected("`:` and an action of the machine"));
            }
            Ok(part)
        })?;
        Ok(WaySyntax { parts, condition: self.when()?, unless: self.unless()? })
    }

    /// `when EXPRESSION`, if it is there.
    pub(super) fn when(&mut self) -> Parsed<Option<Tree>> {
        self.take(When).map(|_| self.tree()).transpose()
    }

    /// `unless OBSTACLES`, if it is there.
    pub(super) fn unless(&mut self) -> Parsed<Vec<Ident>> {
        match self.take(Unless) {
            Some(_) => self.list(|parser| parser.ident("the name of an obstacle")),
            None => Ok(Vec::new()),
        }
    }
}
