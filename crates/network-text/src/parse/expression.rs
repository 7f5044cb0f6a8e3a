//! Expressions, by precedence climbing.

use super::{Parsed, Parser, errors};
use crate::lex::TokenKind::*;
use crate::operators::{self, Binary, Level};
use crate::symbols::Ident;
use crate::syntax::{Node, NodeId, NodeKind, Operator, Tree};
use model::data::UnaryOperator;
use source::Span;

impl Parser<'_> {
    /// An expression of any level.
    pub(super) fn tree(&mut self) -> Parsed<Tree> {
        let first = self.file.expressions.len() as NodeId;
        let root = self.expression(Level::Anything)?;
        if self.cursor.peek() == Equals {
            let span = self.cursor.span();
            return Err(self.report(errors::single_equals(span)));
        }
        Ok(Tree { first, root })
    }

    pub(super) fn begins_expression(&self) -> bool {
        matches!(self.cursor.peek(), Number | True | False | Name | Text | Hash | Raw | Not | Minus | If | ParenOpen)
    }

    fn node(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.file.expressions.push(Node { kind, span });
        self.file.expressions.len() as NodeId - 1
    }

    fn span_of(&self, node: NodeId) -> Span {
        self.file.expressions[node as usize].span
    }

    /// An expression whose operators have at least a level.
    fn expression(&mut self, least: Level) -> Parsed<NodeId> {
        let mut left = self.operand(least)?;
        let mut compared: Option<Span> = None;
        while let Some(&Binary { level, meaning, is_turned, text, .. }) = operators::read(self.cursor.peek()) {
            if level < least {
                break;
            }
            let span = self.cursor.bump();
            if level == Level::Compare
                && let Some(first) = compared.replace(span)
            {
                return Err(self.report(errors::chained_comparison(text, span, first)));
            }
            let right = self.expression(level.tighter())?;
            let whole = self.span_of(left).to(self.span_of(right));
            left = self.node(NodeKind::Binary(Operator { meaning, is_turned, text, span }, left, right), whole);
            if level < Level::Compare {
                compared = None;
            }
        }
        Ok(left)
    }

    fn operand(&mut self, least: Level) -> Parsed<NodeId> {
        let start = self.cursor.span();
        match self.cursor.peek() {
            True | False => {
                let value = self.cursor.peek() == True;
                self.cursor.bump();
                Ok(self.node(NodeKind::Boolean(value), start))
            }
            Number => self.number(),
            Minus if self.cursor.kind_at(1) == Number => self.number(),
            Minus => self.prefix(UnaryOperator::Negate),
            Not if least > Level::Not => Err(self.report(errors::not_as_operand(start))),
            Not => self.prefix(UnaryOperator::Not),
            If => self.nested(Self::conditional_expression),
            ParenOpen => self.nested(|parser| {
                let open = parser.cursor.bump();
                let inner = parser.expression(Level::Anything)?;
                parser.close(ParenClose, ")", ("(", open))?;
                Ok(inner)
            }),
            Hash => {
                self.cursor.bump();
                let queue = self.ident("the name of a queue")?;
                Ok(self.node(NodeKind::Length(queue), start.to(queue.span)))
            }
            _ => {
                let name = self.ident("an expression")?;
                self.named(name)
            }
        }
    }

    fn number(&mut self) -> Parsed<NodeId> {
        let number = self.integer("a number")?;
        Ok(self.node(NodeKind::Integer(number.value), number.span))
    }

    fn prefix(&mut self, operator: UnaryOperator) -> Parsed<NodeId> {
        let start = self.cursor.bump();
        let operand = self.nested(|parser| parser.expression(operators::prefix(operator).1))?;
        let span = start.to(self.span_of(operand));
        Ok(self.node(NodeKind::Unary(operator, operand), span))
    }

    fn conditional_expression(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.bump();
        let condition = self.expression(Level::Anything)?;
        self.expect(Then, "`then`")?;
        let then = self.expression(Level::Anything)?;
        self.expect(Else, "`else`")?;
        let otherwise = self.expression(Level::Anything)?;
        let span = start.to(self.span_of(otherwise));
        Ok(self.node(NodeKind::If(condition, then, otherwise), span))
    }

    /// An operand that begins with a name: a variable, an element `a[i]`, or `head(q)`.
    fn named(&mut self, name: Ident) -> Parsed<NodeId> {
        match self.cursor.peek() {
            BracketOpen => {
                let open = self.cursor.bump();
                let index = self.nested(|parser| parser.expression(Level::Anything))?;
                let close = self.close(BracketClose, "]", ("[", open))?;
                Ok(self.node(NodeKind::Element(name, index), name.span.to(close)))
            }
            ParenOpen if self.cursor.text(name.span) == "head" => self.head(name.span),
            ParenOpen => {
                let text = self.cursor.text(name.span);
                Err(self.report(errors::unknown_function(text, name.span)))
            }
            _ => Ok(self.node(NodeKind::Name(name), name.span)),
        }
    }

    /// `head(q)` or `head(q).1`
    fn head(&mut self, start: Span) -> Parsed<NodeId> {
        let open = self.cursor.bump();
        let queue = self.ident("the name of a queue")?;
        self.close(ParenClose, ")", ("(", open))?;
        let field = match self.take(Dot) {
            Some(_) => Some(self.integer("the number of a field, counted from 0")?),
            None => None,
        };
        let span = start.to(self.cursor.previous_span());
        Ok(self.node(NodeKind::Head(queue, field), span))
    }
}
