//! Assertions. Formulas are only delimited here; they have parsers of their own.

use super::{Parser, Read};
use crate::errors;
use crate::lex::TokenKind;
use crate::syntax::{Assertion, Optimum, Property, RefinementModel};
use source::Diagnostic;

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
                let is_measured = self.is_word("with") && matches!(self.text_at(1), "prob" | "pmin" | "pmax");
                if is_measured {
                    return Err(errors::probability(self.text_at(1), self.token(1).span).into());
                }
                self.bump();
            }
            if self.last_span().end <= start.start {
                return Err(self.unexpected("a formula"));
            }
            return Ok(Property::Temporal(start.to(self.last_span())));
        }
        if !self.is(TokenKind::Word) {
            return Err(self.no_property());
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
                return self.refines(false);
            }
            "equals" => {
                self.bump();
                return self.refines(true);
            }
            "linearizable" => {
                self.bump();
                return self.linearizable();
            }
            _ => return Err(self.no_property()),
        };
        self.bump();
        Ok(property)
    }

    fn no_property(&self) -> Box<Diagnostic> {
        errors::no_property(self.found(), self.span(), self.last_span()).into()
    }

    fn reaches(&mut self) -> Read<Property> {
        let goal = self.name("the name of a proposition")?;
        if !self.eat_word("with") {
            if !self.is(TokenKind::Semicolon) && !self.is(TokenKind::End) && !self.is(TokenKind::Hash) {
                return Err(errors::unnamed_goal(self.span()).into());
            }
            return Ok(Property::Reaches { goal, optimum: None });
        }
        let optimum = match self.text() {
            word @ ("prob" | "pmin" | "pmax") => return Err(errors::probability(word, self.span()).into()),
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

    /// `divergencefree`, or `divergencefree<T>`, for which only divergences count that let time pass without bound.
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

    /// `refines`, or `equals`, which is refinement in both directions.
    fn refines(&mut self, is_mutual: bool) -> Read<Property> {
        let mut model = RefinementModel::Traces;
        if self.eat(TokenKind::Less) {
            model = match self.text() {
                "F" => RefinementModel::Failures,
                "FD" => RefinementModel::FailuresDivergences,
                "T" if !is_mutual => RefinementModel::Timed,
                _ if is_mutual => return Err(self.unexpected("`F` or `FD`")),
                _ => return Err(self.unexpected("`F`, `FD` or `T`")),
            };
            self.bump();
            self.expect(TokenKind::Greater, "`>`")?;
        }
        let start = self.span();
        let specification = self.reference()?;
        Ok(Property::Refines { model, specification, specification_span: start.to(self.last_span()), is_mutual })
    }
}
