//! Assertions.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::syntax::{Assertion, Decl, Expr, ExprId, PartialOrder, Property, SemanticModel};
use source::Span;

/// A property between `:[` and `]`: its words, and the text in inner brackets.
struct Words {
    words: String,
    bracketed: Option<(String, Span)>,
    span: Span,
}

impl Parser<'_> {
    pub(super) fn parse_assert(&mut self) -> Parsed<Decl> {
        self.cursor.bump();
        let start = self.cursor.span();
        let negated = self.cursor.peek() == Not;
        if negated {
            self.cursor.bump();
        }
        let process = self.parse_expr()?;
        let property = match self.cursor.peek() {
            Refines => self.parse_refinement(process)?,
            PropertyOpen => self.parse_property(process)?,
            Satisfies => self.parse_temporal(process)?,
            // The lexer reported it.
            Unknown => return Err(self.unexpected("what to assert")),
            _ => {
                if let Some(diagnostic) = self.foreign_notation() {
                    return Err(self.report(diagnostic));
                }
                let found = self.found();
                return Err(self.report_at_cursor(|span| errors::assertion_without_property(&found, span)));
            }
        };
        let mut assertion = Assertion { negated, property, tau_priority: None, partial_order: None, span: start };
        while self.cursor.peek() == PropertyOpen {
            self.parse_option(&mut assertion)?;
        }
        assertion.span = start.to(self.cursor.previous_span());
        Ok(Decl::Assert(assertion))
    }

    fn parse_refinement(&mut self, specification: ExprId) -> Parsed<Property> {
        let span = self.cursor.bump();
        let text = self.cursor.text(span);
        let model = model_named(&text[1..text.len() - 1]).unwrap_or(SemanticModel::T);
        let implementation = self.parse_expr()?;
        Ok(Property::Refinement { specification, model, implementation })
    }

    fn parse_property(&mut self, process: ExprId) -> Parsed<Property> {
        if let Some(logic) = self.logic_in_brackets() {
            return self.parse_bracketed_temporal(process, logic);
        }
        let words = self.parse_words()?;
        let model = match &words.bracketed {
            None => None,
            Some((text, span)) => match model_named(text) {
                Some(model) => Some(model),
                None => return Err(self.report(errors::unknown_model(text, *span))),
            },
        };
        Ok(match words.words.as_str() {
            "deadlock free" => Property::DeadlockFree(process, model),
            "divergence free" | "livelock free" => Property::DivergenceFree(process, model),
            "deterministic" => Property::Deterministic(process, model),
            "has trace" => Property::HasTrace { process, model, trace: self.parse_trace()? },
            _ => return Err(self.report(errors::unknown_property(&words.words, words.span))),
        })
    }

    fn parse_trace(&mut self) -> Parsed<Box<[ExprId]>> {
        if self.cursor.peek() == EmptySeq {
            return Err(self.report_at_cursor(errors::empty_trace));
        }
        let expr = self.parse_expr()?;
        match self.ast.expr(expr) {
            Expr::Seq(events) => Ok(events.clone()),
            _ => {
                let span = self.ast.expr_span(expr);
                Err(self.report(errors::trace_not_listed(span)))
            }
        }
    }

    fn parse_option(&mut self, assertion: &mut Assertion) -> Parsed<()> {
        let words = self.parse_words()?;
        let repeated = match words.words.as_str() {
            "tau priority" | "tau priority over" => {
                let events = self.parse_expr()?;
                assertion.tau_priority.replace(events).is_some()
            }
            "partial order reduce" => {
                let mode = match words.bracketed.as_ref().map(|(text, _)| text.as_str()) {
                    None => PartialOrder::Unspecified,
                    Some("fast") => PartialOrder::Fast,
                    Some("precise") => PartialOrder::Precise,
                    Some("hybrid") => PartialOrder::Hybrid,
                    Some(_) => return Err(self.report(errors::unknown_option(&words.words, words.span))),
                };
                assertion.partial_order.replace(mode).is_some()
            }
            _ => return Err(self.report(errors::unknown_option(&words.words, words.span))),
        };
        if repeated {
            return Err(self.report(errors::repeated_option(&words.words, words.span)));
        }
        Ok(())
    }

    /// Parses `:[ words [inner] ]` and an optional `:` after it.
    fn parse_words(&mut self) -> Parsed<Words> {
        let open = self.cursor.bump();
        let mut words = Vec::new();
        let mut bracketed = None;
        loop {
            match self.cursor.peek() {
                Ident => {
                    let span = self.cursor.bump();
                    words.push(self.cursor.text(span));
                }
                // `deadlock-free` is `deadlock free`.
                Minus => _ = self.cursor.bump(),
                BracketOpen => {
                    self.cursor.bump();
                    let span = self.cursor.bump();
                    bracketed = Some((self.cursor.text(span).to_owned(), span));
                    match self.cursor.peek() {
                        BracketClose => _ = self.cursor.bump(),
                        // `[F]]` ends both the model and the property.
                        RenameClose => break,
                        _ => return Err(self.unexpected("`]`")),
                    }
                }
                BracketClose => break,
                _ => return Err(self.unexpected("`]` to end the property")),
            }
        }
        let span = open.to(self.cursor.bump());
        if self.cursor.peek() == Colon {
            self.cursor.bump();
        }
        Ok(Words { words: words.join(" "), bracketed, span })
    }
}

fn model_named(text: &str) -> Option<SemanticModel> {
    Some(match text {
        "T" => SemanticModel::T,
        "F" => SemanticModel::F,
        "FD" => SemanticModel::FD,
        "V" => SemanticModel::V,
        "VD" => SemanticModel::VD,
        "R" => SemanticModel::R,
        "RD" => SemanticModel::RD,
        _ => return None,
    })
}
