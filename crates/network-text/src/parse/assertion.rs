//! Assertions.

use super::{Parsed, Parser, errors};
use crate::Logic;
use crate::lex::TokenKind::*;
use crate::symbols::Ident;
use crate::syntax::{AssertionSyntax, LabelSyntax, PropertySyntax};
use lts::Model;
use source::Span;

/// A property between `:[` and `]`.
struct Words {
    words: String,
    model: Option<Model>,
    span: Span,
}

impl Parser<'_> {
    pub(super) fn assertion(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let start = self.cursor.span();
        let negated = self.take(Not).is_some();
        let network = self.ident("the name of a network")?;
        let property = match self.cursor.peek() {
            Refines => self.refinement(network)?,
            PropertyOpen => self.property(network)?,
            Satisfies => self.temporal(network)?,
            _ => {
                let (found, span) = (self.found(), self.cursor.span());
                return Err(self.report(errors::incomplete_assertion(&found, span)));
            }
        };
        let span = start.to(self.cursor.previous_span());
        self.file.assertions.push(AssertionSyntax { negated, property, span });
        Ok(())
    }

    fn refinement(&mut self, specification: Ident) -> Parsed<PropertySyntax> {
        let span = self.cursor.bump();
        let text = self.cursor.text(span);
        let model = self.model(&text[1..text.len() - 1], span)?;
        let implementation = self.ident("the name of a network")?;
        Ok(PropertySyntax::Refinement { specification, model, implementation })
    }

    fn model(&mut self, text: &str, span: Span) -> Parsed<Model> {
        Model::named(text).ok_or_else(|| self.report(errors::unknown_model(text, span)))
    }

    fn property(&mut self, network: Ident) -> Parsed<PropertySyntax> {
        let Words { words, model, span } = self.words()?;
        Ok(match words.as_str() {
            "deadlock free" => PropertySyntax::DeadlockFree(network, model),
            "divergence free" | "livelock free" => PropertySyntax::DivergenceFree(network, model),
            "deterministic" => PropertySyntax::Deterministic(network, model),
            "has trace" => PropertySyntax::HasTrace { network, model, trace: self.trace()? },
            _ => return Err(self.report(errors::unknown_property(&words, span))),
        })
    }

    /// `:[ words [model] ]`
    fn words(&mut self) -> Parsed<Words> {
        let open = self.cursor.bump();
        let (mut words, mut model) = (Vec::new(), None);
        loop {
            match self.cursor.peek() {
                Name => {
                    let span = self.cursor.bump();
                    words.push(self.cursor.text(span));
                }
                // `deadlock-free` is `deadlock free`.
                Minus => _ = self.cursor.bump(),
                BracketOpen => {
                    let inner = self.cursor.bump();
                    let span = self.expect(Name, "a model such as `T`, `F` or `FD`")?;
                    model = Some(self.model(self.cursor.text(span), span)?);
                    self.close(BracketClose, "]", ("[", inner))?;
                }
                _ => {
                    let close = self.close(BracketClose, "]", (":[", open))?;
                    return Ok(Words { words: words.join(" "), model, span: open.to(close) });
                }
            }
        }
    }

    fn trace(&mut self) -> Parsed<Vec<LabelSyntax>> {
        self.expect(Colon, "`:` and a trace such as `<a, b>`")?;
        let open = self.expect(Less, "a trace such as `<a, b>`")?;
        if let Some(close) = self.take(Greater) {
            return Err(self.report(errors::empty_trace(open.to(close))));
        }
        let trace = self.list(|parser| parser.label("an event"))?;
        self.close(Greater, ">", ("<", open))?;
        Ok(trace)
    }

    /// `|= LTL: "formula"`
    fn temporal(&mut self, network: Ident) -> Parsed<PropertySyntax> {
        self.cursor.bump();
        let name = self.expect(Name, "`LTL` or `CTL`")?;
        let logic = match self.cursor.text(name) {
            "LTL" => Logic::Ltl,
            "CTL" => Logic::Ctl,
            other => return Err(self.report(errors::unknown_logic(other, name))),
        };
        self.expect(Colon, "`:` and a formula in quotes")?;
        let quoted = self.expect(Text, "a formula in quotes")?;
        let span = Span::new(quoted.start + 1, quoted.end - 1);
        Ok(PropertySyntax::Temporal { network, logic, formula: self.cursor.text(span).into(), span })
    }
}
