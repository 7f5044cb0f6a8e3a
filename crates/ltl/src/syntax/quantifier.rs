//! Reading quantifiers, in ProB's style and in that of CSP.

use super::cursor::{Read, closing};
use super::errors;
use super::parser::{Frame, Parser};
use super::token::Token;
use super::tree::{Domain, NodeId, Quantifier, Text};

impl Parser<'_> {
    /// `#x.` or `!x.`, which is no negation.
    pub(super) fn symbolic_quantifier(&self) -> Option<Quantifier> {
        match self.cursor.token() {
            Token::Hash => Some(Quantifier::Exists),
            Token::ForAll => Some(Quantifier::ForAll),
            Token::Not => {
                let mut ahead = self.cursor.ahead();
                while ahead.token() == Token::Word {
                    ahead.bump();
                    match ahead.token() {
                        Token::Comma => _ = ahead.bump(),
                        Token::Dot => return (ahead.second() == Token::Open).then_some(Quantifier::ForAll),
                        _ => return None,
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// `#x.({p} & f)`, up to the operator.
    pub(super) fn quantified(&mut self, quantifier: Quantifier) -> Read<Option<NodeId>> {
        let start = self.cursor.bump();
        let mut variables = vec![self.variable()?];
        while self.cursor.token() == Token::Comma {
            self.cursor.bump();
            variables.push(self.variable()?);
        }
        let is_open = self.cursor.token() == Token::Dot && self.cursor.second() == Token::Open;
        if !is_open {
            return Err(errors::quantifier_shape(quantifier, self.cursor.span()).into());
        }
        self.cursor.bump();
        self.cursor.bump();
        if self.cursor.token() != Token::BraceOpen {
            return Err(errors::quantifier_shape(quantifier, self.cursor.span()).into());
        }
        let (from, to) = self.cursor.enclosed()?;
        let domain = Domain::Predicate(self.cursor.piece(from, to));
        let wanted = if quantifier == Quantifier::Exists { Token::And } else { Token::Implies };
        let word = if quantifier == Quantifier::Exists { "and" } else { "implies" };
        if self.cursor.token() != wanted && self.cursor.word() != word {
            return Err(errors::quantifier_shape(quantifier, self.cursor.span()).into());
        }
        self.cursor.bump();
        self.stack.push(Frame::Quantifier(quantifier, variables, domain, start));
        Ok(None)
    }

    /// `forall x:T, y:T @`
    pub(super) fn typed_quantifier(&mut self, quantifier: Quantifier) -> Read<Option<NodeId>> {
        let start = self.cursor.bump();
        loop {
            let variable = self.variable()?;
            if self.cursor.token() != Token::Colon {
                return Err(errors::typed_shape(quantifier, self.cursor.span()).into());
            }
            let from = self.cursor.end();
            let to = self.end_of_type(from);
            let domain = self.cursor.piece(from, to);
            self.cursor.go_to(to);
            let is_last = self.cursor.token() == Token::At;
            if domain.text.is_empty() || !(is_last || self.cursor.token() == Token::Comma) {
                return Err(errors::typed_shape(quantifier, self.cursor.span()).into());
            }
            self.cursor.bump();
            self.stack.push(Frame::OpenQuantifier(quantifier, variable, domain, start));
            if is_last {
                return Ok(None);
            }
        }
    }

    /// Where the type that begins at `from` ends: before a comma or an at sign outside all brackets.
    fn end_of_type(&self, from: usize) -> usize {
        let text = self.cursor.text();
        let mut offset = from;
        while let Some(&byte) = text.as_bytes().get(offset) {
            match byte {
                b',' | b'@' => break,
                b'(' | b'[' | b'{' => offset = closing(text, offset).unwrap_or(text.len() - 1),
                _ => {}
            }
            offset += 1;
        }
        offset
    }

    fn variable(&mut self) -> Read<Text> {
        if self.cursor.token() != Token::Word {
            return Err(errors::missing_variable(self.cursor.span()).into());
        }
        let variable = self.cursor.piece(self.cursor.start(), self.cursor.end());
        self.cursor.bump();
        Ok(variable)
    }
}
