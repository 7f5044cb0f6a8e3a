//! Assertions. A formula is only delimited here: it has readers of its own.

use super::{Parser, Read};
use crate::lex::TokenKind;
use crate::syntax::{Assertion, Optimum, Property, RefinementModel};

impl Parser<'_> {
    pub(super) fn assertion(&mut self) -> Read<Assertion> {
        let start = self.span();
        let process = self.reference()?;
        let process_span = start.to(self.last_span());
        let property = self.property()?;
        Ok(Assertion { process, property, span: start.to(self.last_span()), process_span })
    }

    fn property(&mut self) -> Read<Property> {
        if self.eat(TokenKind::Models) {
            let start = self.span();
            while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::End) {
                self.bump();
            }
            if self.last_span().end <= start.start {
                return Err(self.unexpected("a formula"));
            }
            return Ok(Property::Temporal(start.to(self.last_span())));
        }
        let wanted = "`deadlockfree`, `nonterminating`, `divergencefree`, `deterministic`, `reaches`, `refines`, \
                      `linearizable` or `|=`";
        if !self.is(TokenKind::Word) {
            return Err(self.unexpected(wanted));
        }
        let property = match self.text() {
            "deadlockfree" => Property::DeadlockFree,
            "nonterminating" => Property::Nonterminating,
            "divergencefree" => {
                self.bump();
                return self.divergence_free();
            }
            "deterministic" => Property::Deterministic,
            "reaches" => {
                self.bump();
                return self.reaches();
            }
            "refines" => {
                self.bump();
                return self.refines();
            }
            "linearizable" => {
                self.bump();
                return self.linearizable();
            }
            _ => return Err(self.unexpected(wanted)),
        };
        self.bump();
        Ok(property)
    }

    fn reaches(&mut self) -> Read<Property> {
        let goal = self.name("the name of a proposition")?;
        if !self.eat_word("with") {
            return Ok(Property::Reaches { goal, optimum: None });
        }
        let optimum = match self.text() {
            "min" => Optimum::Least,
            "max" => Optimum::Greatest,
            _ => return Err(self.unexpected("`min` or `max`")),
        };
        self.bump();
        self.expect(TokenKind::Open, "`(`")?;
        let expression = self.expression()?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(Property::Reaches { goal, optimum: Some((optimum, expression)) })
    }

    /// `divergencefree`, or `divergencefree<T>`: silent steps for ever do not count unless time passes.
    fn divergence_free(&mut self) -> Read<Property> {
        if !self.eat(TokenKind::Less) {
            return Ok(Property::DivergenceFree);
        }
        if !self.eat_word("T") {
            return Err(self.unexpected("`T`"));
        }
        self.expect(TokenKind::Greater, "`>`")?;
        Ok(Property::TimedDivergenceFree)
    }

    fn refines(&mut self) -> Read<Property> {
        let mut model = RefinementModel::Traces;
        if self.eat(TokenKind::Less) {
            model = match self.text() {
                "F" => RefinementModel::Failures,
                "FD" => RefinementModel::FailuresDivergences,
                "T" => RefinementModel::Timed,
                _ => return Err(self.unexpected("`F`, `FD` or `T`")),
            };
            self.bump();
            self.expect(TokenKind::Greater, "`>`")?;
        }
        let start = self.span();
        let specification = self.reference()?;
        Ok(Property::Refines { model, specification, specification_span: start.to(self.last_span()) })
    }
}
