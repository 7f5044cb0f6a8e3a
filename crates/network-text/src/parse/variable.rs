//! Variables: domains and initial values.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::syntax::Number as Counted;
use crate::syntax::{DomainSyntax, InitialSyntax, KindSyntax, Value, ValueKind, VariableSyntax};
use model::data::Lifetime;

impl Parser<'_> {
    /// `var NAME : TYPE = VALUE`
    pub(super) fn variable(&mut self) -> Parsed<()> {
        let lifetime = if self.cursor.peek() == Temporary { Lifetime::Step } else { Lifetime::Run };
        let start = self.cursor.bump();
        let name = self.ident("the name of a variable")?;
        self.expect(Colon, "`:` and a type")?;
        let kind = self.kind()?;
        let initial = match self.take(Equals) {
            Some(_) => Some(self.initial()?),
            None => None,
        };
        let span = start.to(self.cursor.previous_span());
        self.add(|network| network.variables.push(VariableSyntax { name, lifetime, kind, initial, span }));
        Ok(())
    }

    fn kind(&mut self) -> Parsed<KindSyntax> {
        match self.type_word() {
            "array" => {
                let length = self.size("how many elements it has")?;
                Ok(KindSyntax::Array { length, element: self.domain()? })
            }
            "queue" => {
                let capacity = self.size("how many messages it holds")?;
                Ok(KindSyntax::Queue { capacity, message: self.message_type()? })
            }
            _ => self.domain().map(KindSyntax::Scalar),
        }
    }

    fn type_word(&self) -> &str {
        if self.cursor.peek() == Name { self.cursor.text(self.cursor.span()) } else { "" }
    }

    /// `array [N] of`
    fn size(&mut self, what: &str) -> Parsed<Counted> {
        self.cursor.bump();
        let open = self.expect(BracketOpen, &format!("`[` and {what}"))?;
        let size = self.integer(what)?;
        self.close(BracketClose, "]", ("[", open))?;
        self.word("of", "`of` and a type")?;
        Ok(size)
    }

    fn message_type(&mut self) -> Parsed<Vec<DomainSyntax>> {
        let Some(open) = self.take(ParenOpen) else { return Ok(vec![self.domain()?]) };
        let message = match self.cursor.peek() {
            ParenClose => Vec::new(),
            _ => self.list(Self::domain)?,
        };
        self.close(ParenClose, ")", ("(", open))?;
        Ok(message)
    }

    /// `bool` or `0..7`
    fn domain(&mut self) -> Parsed<DomainSyntax> {
        match self.cursor.peek() {
            Name if self.type_word() == "bool" => {
                self.cursor.bump();
                Ok(DomainSyntax::Boolean)
            }
            Number | Minus => {
                let low = self.integer("a number")?;
                self.expect(DotDot, "`..` and the greatest value")?;
                let high = self.integer("the greatest value")?;
                Ok(DomainSyntax::Range { low: low.value, high: high.value, span: low.span.to(high.span) })
            }
            Name => {
                let span = self.cursor.span();
                let word = self.cursor.text(span);
                Err(self.report(errors::unknown_type(word, span)))
            }
            _ => Err(self.unexpected("a type such as `bool` or `0..7`")),
        }
    }

    fn initial(&mut self) -> Parsed<InitialSyntax> {
        match self.cursor.peek() {
            BracketOpen => {
                let open = self.cursor.bump();
                let values = match self.cursor.peek() {
                    BracketClose => Vec::new(),
                    _ => self.list(Self::value)?,
                };
                let close = self.close(BracketClose, "]", ("[", open))?;
                Ok(InitialSyntax::Elements(values, open.to(close)))
            }
            Less => {
                let open = self.cursor.bump();
                let messages = match self.cursor.peek() {
                    Greater => Vec::new(),
                    _ => self.list(Self::message)?,
                };
                let close = self.close(Greater, ">", ("<", open))?;
                Ok(InitialSyntax::Messages(messages, open.to(close)))
            }
            _ => self.value().map(InitialSyntax::One),
        }
    }

    fn message(&mut self) -> Parsed<(Vec<Value>, source::Span)> {
        let Some(open) = self.take(ParenOpen) else {
            let value = self.value()?;
            return Ok((vec![value], value.span));
        };
        let fields = match self.cursor.peek() {
            ParenClose => Vec::new(),
            _ => self.list(Self::value)?,
        };
        let close = self.close(ParenClose, ")", ("(", open))?;
        Ok((fields, open.to(close)))
    }

    fn value(&mut self) -> Parsed<Value> {
        let span = self.cursor.span();
        let kind = match self.cursor.peek() {
            True => ValueKind::Boolean(true),
            False => ValueKind::Boolean(false),
            _ => {
                let number = self.integer("a value: a number, `true` or `false`")?;
                return Ok(Value { kind: ValueKind::Integer(number.value), span: number.span });
            }
        };
        self.cursor.bump();
        Ok(Value { kind, span })
    }
}
