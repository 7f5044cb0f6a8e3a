//! Expressions, by precedence climbing.

use super::{Parser, Read};
use crate::errors;
use crate::lex::{TokenKind, is_reserved};
use crate::syntax::{Binary, Binder, Expr, ExprKind, RecordItem, Unary, Values};
use limits::input::csp_sharp::MAX_CHAIN;
use source::Span;

/// Binary operators by precedence, loosest first. All are left-associative.
const LEVELS: &[&[(TokenKind, Binary)]] = &[
    &[(TokenKind::Bars, Binary::Or)],
    &[(TokenKind::And, Binary::And)],
    // The level of `xor`, which is lexed as a word.
    &[],
    &[(TokenKind::Ampersand, Binary::BitAnd), (TokenKind::Bar, Binary::BitOr), (TokenKind::Caret, Binary::BitXor)],
    &[(TokenKind::Equal, Binary::Equal), (TokenKind::Unequal, Binary::Unequal)],
    &[
        (TokenKind::Less, Binary::Less),
        (TokenKind::AtMost, Binary::AtMost),
        (TokenKind::Greater, Binary::Greater),
        (TokenKind::AtLeast, Binary::AtLeast),
    ],
    &[(TokenKind::Plus, Binary::Add), (TokenKind::Minus, Binary::Subtract)],
    &[(TokenKind::Star, Binary::Multiply), (TokenKind::Slash, Binary::Divide), (TokenKind::Percent, Binary::Modulo)],
];
const XOR: usize = 2;
/// The level of comparisons: operands of `|`.
const COMPARISON: usize = 4;
/// The level of sums: numeric expressions, in contexts where a comparison would be ambiguous.
const SUM: usize = 6;

impl Parser<'_> {
    /// An expression without side effects.
    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.nested(|this| this.level(0))
    }

    /// An expression at the level of sums.
    pub(super) fn sum(&mut self) -> Read<Expr> {
        self.nested(|this| this.level(SUM))
    }

    /// An expression of a program, which may be an assignment.
    pub(super) fn assignment(&mut self) -> Read<Expr> {
        let target = self.expression()?;
        let sign = match self.kind() {
            TokenKind::Becomes => {
                self.bump();
                let value = self.nested(Self::assignment)?;
                let span = target.span.to(value.span);
                return Ok(Expr { kind: ExprKind::Assign(target.into(), value.into()), span });
            }
            TokenKind::Increment => Binary::Add,
            TokenKind::Decrement => Binary::Subtract,
            _ => return Ok(target),
        };
        let span = target.span.to(self.bump().span);
        let one = Expr { kind: ExprKind::Int(1), span };
        let value = Expr { kind: ExprKind::Binary(sign, target.clone().into(), one.into()), span };
        Ok(Expr { kind: ExprKind::Assign(target.into(), value.into()), span })
    }

    fn operator(&self, level: usize) -> Option<Binary> {
        if level == XOR {
            return self.is_word("xor").then_some(Binary::Xor);
        }
        let kind = self.kind();
        LEVELS[level].iter().find(|(sign, _)| *sign == kind).map(|(_, operator)| *operator)
    }

    fn level(&mut self, level: usize) -> Read<Expr> {
        if level == LEVELS.len() {
            return self.unary();
        }
        if level <= XOR
            && let Some(operator) = self.operator(level)
        {
            return self.indexed(operator);
        }
        let mut left = self.level(level + 1)?;
        let mut n_operands = 1;
        while let Some(operator) = self.operator(level) {
            self.bump();
            let right = self.level(level + 1)?;
            n_operands += 1;
            if n_operands > MAX_CHAIN {
                return Err(errors::too_deep(right.span).into());
            }
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(operator, left.into(), right.into()), span };
        }
        Ok(left)
    }

    /// `&& i:{0..2}@(...)`.
    fn indexed(&mut self, operator: Binary) -> Read<Expr> {
        let start = self.bump().span;
        let binders = self.binders()?;
        self.expect(TokenKind::At, "`@`")?;
        let body = self.expression()?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Indexed(operator, binders, body.into()), span })
    }

    /// `i:{0..2}; j:{1, 3}`.
    pub(super) fn binders(&mut self) -> Read<Vec<Binder>> {
        self.separated(TokenKind::Semicolon, Self::binder)
    }

    /// `i:{0..2}`.
    pub(super) fn binder(&mut self) -> Read<Binder> {
        let name = self.name("the name of an index")?;
        self.expect(TokenKind::Colon, "`:`")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let first = self.sum()?;
        let values = if self.eat(TokenKind::Dots) {
            Values::Range(first, self.sum()?)
        } else {
            let mut all = vec![first];
            while self.eat(TokenKind::Comma) {
                all.push(self.sum()?);
            }
            Values::List(all)
        };
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(Binder { name, values })
    }

    /// An expression at the level of comparisons.
    pub(super) fn comparison(&mut self) -> Read<Expr> {
        self.nested(|this| this.level(COMPARISON))
    }

    /// An operand with prefix operators.
    pub(super) fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        match self.kind() {
            TokenKind::Plus => {
                self.bump();
                self.nested(Self::unary)
            }
            TokenKind::Minus => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                let span = start.to(operand.span);
                Ok(match operand.kind {
                    ExprKind::Int(number) => Expr { kind: ExprKind::Int(number.wrapping_neg()), span },
                    _ => Expr { kind: ExprKind::Unary(Unary::Minus, operand.into()), span },
                })
            }
            TokenKind::Bang => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                let span = start.to(operand.span);
                Ok(Expr { kind: ExprKind::Unary(Unary::Not, operand.into()), span })
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let span = self.span();
        match self.kind() {
            TokenKind::Number => {
                let text = self.text();
                // 2147483648 is accepted only as the operand of a minus sign.
                let number = text.parse::<i64>().ok().filter(|&number| number <= i64::from(i32::MAX) + 1);
                let number = number.ok_or_else(|| Box::new(errors::large_number(text, span)))?;
                self.bump();
                Ok(Expr { kind: ExprKind::Int(number as i32), span })
            }
            TokenKind::Open => {
                self.bump();
                let inside = self.nested(Self::assignment)?;
                let end = self.expect(TokenKind::Close, "`)`")?;
                Ok(Expr { kind: inside.kind, span: span.to(end) })
            }
            TokenKind::BracketOpen => self.record(),
            TokenKind::Word => self.word(span),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn word(&mut self, span: Span) -> Read<Expr> {
        let kind = match self.text() {
            "true" => {
                self.bump();
                ExprKind::Bool(true)
            }
            "false" => {
                self.bump();
                ExprKind::Bool(false)
            }
            "call" => {
                self.bump();
                self.expect(TokenKind::Open, "`(`")?;
                let function = if self.is(TokenKind::Word) { self.any_word() } else { self.name("a function")? };
                let mut arguments = Vec::new();
                while self.eat(TokenKind::Comma) {
                    arguments.push(self.expression()?);
                }
                self.expect(TokenKind::Close, "`,` or `)`")?;
                ExprKind::Call(function, arguments)
            }
            "new" => {
                self.bump();
                let class = self.name("the name of a class")?;
                ExprKind::New(class, self.arguments()?)
            }
            word if is_reserved(word) => return Err(self.unexpected("an expression")),
            _ => self.named()?,
        };
        Ok(Expr { kind, span: span.to(self.last_span()) })
    }

    /// An operand that begins with a name.
    fn named(&mut self) -> Read<ExprKind> {
        let name = self.any_word();
        let is_method = self.is(TokenKind::Dot)
            && self.token(1).kind == TokenKind::Word
            && self.text_at(1) != "call"
            && self.token(2).kind == TokenKind::Open;
        if is_method {
            self.bump();
            let method = self.any_word();
            return Ok(ExprKind::Method(name, method, self.arguments()?));
        }
        Ok(match self.kind() {
            TokenKind::Dollar => {
                self.bump();
                let field = self.name("the name of a field")?;
                ExprKind::Field(name, field)
            }
            TokenKind::BracketOpen => ExprKind::Index(name, self.indices()?),
            _ => ExprKind::Name(name),
        })
    }

    /// `[i][j]`, at least one.
    pub(super) fn indices(&mut self) -> Read<Vec<Expr>> {
        let mut all = Vec::new();
        while self.eat(TokenKind::BracketOpen) {
            all.push(self.expression()?);
            self.expect(TokenKind::BracketClose, "`]`")?;
        }
        Ok(all)
    }

    /// `[1, 2(3), 4..9]`.
    pub(super) fn record(&mut self) -> Read<Expr> {
        let start = self.expect(TokenKind::BracketOpen, "`[`")?;
        let items = self.separated(TokenKind::Comma, |this| {
            let first = this.expression()?;
            if this.eat(TokenKind::Dots) {
                return Ok(RecordItem::Range(first, this.expression()?));
            }
            if this.eat(TokenKind::Open) {
                let count = this.expression()?;
                this.expect(TokenKind::Close, "`)`")?;
                return Ok(RecordItem::Repeated(first, count));
            }
            Ok(RecordItem::One(first))
        })?;
        let end = self.expect(TokenKind::BracketClose, "`,` or `]`")?;
        Ok(Expr { kind: ExprKind::Record(items), span: start.to(end) })
    }
}
