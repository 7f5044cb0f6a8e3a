//! Sequential objects, and the assertion that a process is linearizable with respect to one.

use super::{Parser, Read};
use crate::lex::{TokenKind, is_reserved};
use crate::syntax::{
    Action, Binder, Event, Expr, ExprKind, ObjectDefinition, OperationDefinition, Outcome, Point, Property,
};
use model::participants::Marks;

impl Parser<'_> {
    /// `Stack(i:{0..1}) { ... }`.
    pub(super) fn object(&mut self) -> Read<ObjectDefinition> {
        let name = self.name("the name of an object")?;
        self.expect(TokenKind::Open, "`(`")?;
        let thread = self.binder()?;
        self.expect(TokenKind::Close, "`)`")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut operations = vec![self.operation()?];
        while !self.is(TokenKind::BraceClose) {
            operations.push(self.operation()?);
        }
        self.bump();
        Ok(ObjectDefinition { name, thread, operations })
    }

    /// `push.i.v:{1..3} / pushed.i = doPush(v);`
    fn operation(&mut self) -> Read<OperationDefinition> {
        let mut arguments = Vec::new();
        let call = self.operation_event(&mut arguments)?;
        self.expect(TokenKind::Slash, "`/` and the event of the answer")?;
        let answer = self.fixed_moment()?;
        self.expect(TokenKind::Becomes, "`=` and what the operation does")?;
        let outcomes = self.separated(TokenKind::Bar, Self::outcome)?;
        self.expect(TokenKind::Semicolon, "`|` or `;`")?;
        Ok(OperationDefinition { call, arguments, answer, outcomes })
    }

    /// An event whose fields may be binders. As `/` separates events here, a computed field needs parentheses.
    fn operation_event(&mut self, arguments: &mut Vec<Binder>) -> Read<Event> {
        let name = self.name("an event")?;
        let mut fields = Vec::new();
        while self.eat(TokenKind::Dot) {
            if self.is(TokenKind::Word) && self.token(1).kind == TokenKind::Colon {
                let argument = self.binder()?;
                let span = argument.name.span;
                fields.push(Expr { kind: ExprKind::Name(argument.name.clone()), span });
                arguments.push(argument);
            } else {
                fields.push(self.nested(Self::unary)?);
            }
        }
        let span = name.span.to(self.last_span());
        Ok(Event { name: Some(name), fields, marks: Marks::NONE, span })
    }

    fn fixed_moment(&mut self) -> Read<Event> {
        let start = self.span();
        let mut ranges = Vec::new();
        let event = self.operation_event(&mut ranges)?;
        match ranges.first() {
            None => Ok(event),
            Some(range) => Err(crate::errors::range_here(range.name.span, start).into()),
        }
    }

    /// `[n > 0] takeFirst(i)`.
    fn outcome(&mut self) -> Read<Outcome> {
        let start = self.span();
        let guard = match self.eat(TokenKind::BracketOpen) {
            true => {
                let guard = self.expression()?;
                self.expect(TokenKind::BracketClose, "`]`")?;
                Some(guard)
            }
            false => None,
        };
        let action = match self.kind() {
            TokenKind::BraceOpen => Action::Program(self.block()?),
            TokenKind::Word if self.token(1).kind == TokenKind::Open && !is_reserved(self.text()) => {
                let (at, name) = (self.span(), self.any_word());
                let arguments = self.arguments()?;
                Action::Value(Expr { kind: ExprKind::Call(name, arguments), span: at.to(self.last_span()) })
            }
            _ => Action::Value(self.comparison()?),
        };
        Ok(Outcome { guard, action, span: start.to(self.last_span()) })
    }

    /// `Stack with points {doPush.i.r / pushed.i}`.
    pub(super) fn linearizable(&mut self) -> Read<Property> {
        let object = self.name("the name of an object")?;
        let mut points = Vec::new();
        if self.eat_word("with") {
            if !self.eat_word("points") {
                return Err(self.unexpected("`points`"));
            }
            self.expect(TokenKind::BraceOpen, "`{`")?;
            points = self.separated(TokenKind::Comma, |this| {
                let event = this.fixed_moment()?;
                this.expect(TokenKind::Slash, "`/` and the event of an answer")?;
                Ok(Point { event, answer: this.fixed_moment()? })
            })?;
            self.expect(TokenKind::BraceClose, "`,` or `}`")?;
        }
        Ok(Property::Linearizable { object, points })
    }
}
