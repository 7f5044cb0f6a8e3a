//! Expressions, by precedence climbing (K. Clarke, "The Top-Down Parsing of Expressions", 1986).
//!
//! The right operand of an operator of level `n` contains operators of higher levels only. Forms that begin with their
//! operator (`if`, `let`, `\ x @ e`, replicated processes) extend as far right as possible in any context. Hiding is an
//! exception: `P \ A [] Q` means `(P \ A) [] Q` although `\` is the loosest operator; the hidden set is parsed as an
//! operand of a tighter level.

use super::{Parsed, Parser, errors, literal};
use crate::lex::TokenKind::{self, *};
use crate::stack;
use crate::syntax::{BinaryOp, Collection, Expr, ExprId, Statement, UnaryOp};
use source::Span;

/// Precedence levels, from loosest to tightest.
pub(super) mod level {
    pub const LOOSEST: u8 = 1;
    pub const BOTH: u8 = 2;
    pub const HIDE: u8 = 3;
    pub const INTERLEAVE: u8 = 4;
    pub const PARALLEL: u8 = 5;
    pub const INTERNAL_CHOICE: u8 = 6;
    pub const EXTERNAL_CHOICE: u8 = 7;
    pub const INTERRUPT: u8 = 8;
    pub const SLIDING_CHOICE: u8 = 9;
    pub const SEQUENTIAL: u8 = 10;
    pub const PREFIX: u8 = 11;
    pub const FIELD: u8 = 12;
    pub const DOT: u8 = 14;
    pub const OR: u8 = 16;
    pub const AND: u8 = 17;
    pub const NOT: u8 = 18;
    pub const COMPARE: u8 = 19;
    pub const SUM: u8 = 20;
    pub const PRODUCT: u8 = 21;
    pub const LENGTH: u8 = 22;
    pub const CONCAT: u8 = 23;
    pub const POSTFIX: u8 = 24;
}

impl TokenKind {
    /// Whether an expression can begin with this token.
    pub(super) fn begins_operand(self) -> bool {
        matches!(
            self,
            Ident
                | Int
                | Char
                | Text
                | Wildcard
                | Not
                | If
                | Let
                | True
                | False
                | ExternalChoice
                | InternalChoice
                | Interleave
                | DoubleBar
                | Semicolon
                | Backslash
                | ParallelOpen
                | BracketOpen
                | SyncChoiceOpen
                | Less
                | EmptySeq
                | Minus
                | Hash
                | ParenOpen
                | BraceOpen
                | EnumOpen
                | MapOpen
        )
    }

    /// The functional infix operators with their level.
    fn binary(self) -> Option<(BinaryOp, u8)> {
        Some(match self {
            Or => (BinaryOp::Or, level::OR),
            And => (BinaryOp::And, level::AND),
            Equal => (BinaryOp::Equal, level::COMPARE),
            NotEqual => (BinaryOp::NotEqual, level::COMPARE),
            Less => (BinaryOp::Less, level::COMPARE),
            LessEqual => (BinaryOp::LessEqual, level::COMPARE),
            Greater => (BinaryOp::Greater, level::COMPARE),
            GreaterEqual => (BinaryOp::GreaterEqual, level::COMPARE),
            Plus => (BinaryOp::Add, level::SUM),
            Minus => (BinaryOp::Subtract, level::SUM),
            Times => (BinaryOp::Multiply, level::PRODUCT),
            Divide => (BinaryOp::Divide, level::PRODUCT),
            Modulo => (BinaryOp::Modulo, level::PRODUCT),
            Concat => (BinaryOp::Concat, level::CONCAT),
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// An expression of any level.
    pub(super) fn parse_expr(&mut self) -> Parsed<ExprId> {
        self.parse_level(level::LOOSEST)
    }

    /// An expression whose operators have at least the level `minimum`.
    pub(super) fn parse_level(&mut self, minimum: u8) -> Parsed<ExprId> {
        self.nested(|parser| {
            let mut left = parser.parse_operand()?;
            let mut links = 0;
            // The level of the last operator if it is not associative: another one of that level needs parentheses.
            let mut alone: Option<(u8, Span)> = None;
            loop {
                let operator = parser.cursor.span();
                let Some((level, next, associates)) = parser.parse_operator(left, minimum, alone)? else {
                    return Ok(left);
                };
                left = next;
                alone = (!associates).then_some((level, operator));
                links += 1;
                if parser.nesting + links > super::MAX_NESTING {
                    return Err(parser.report(errors::too_deep(operator)));
                }
            }
        })
    }

    /// Parses a nested construct; refuses excessive depth, and grows the stack if needed.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= super::MAX_NESTING {
            return Err(self.report(errors::too_deep(self.cursor.span())));
        }
        self.nesting += 1;
        let result = stack::grow(|| parse(self));
        self.nesting -= 1;
        result
    }

    /// Inside brackets a `>` is a comparison, until a sequence is opened there.
    pub(super) fn inside_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::take(&mut self.open_sequences);
        let result = parse(self);
        self.open_sequences = outside;
        result
    }

    /// Applies the operator at the cursor to `left`, if its level is at least `minimum`. Returns its level, the
    /// application, and whether it may be repeated without parentheses.
    fn parse_operator(
        &mut self,
        left: ExprId,
        minimum: u8,
        alone: Option<(u8, Span)>,
    ) -> Parsed<Option<(u8, ExprId, bool)>> {
        let kind = self.cursor.peek();
        if self.cursor.separated() || kind == Greater && self.open_sequences > 0 {
            return Ok(None);
        }
        let Some(level) = operator_level(kind) else { return Ok(None) };
        if level < minimum {
            return Ok(None);
        }
        if let Some((_, first)) = alone.filter(|&(previous, _)| previous == level) {
            let span = self.cursor.span();
            let text = self.cursor.text(span);
            return Err(self.report(errors::chained_operators(text, span, first)));
        }
        let expr = match kind {
            ParenOpen => self.parse_call(left),
            Dot => self.parse_dot(left),
            DoubleAt => self.parse_both(left),
            _ => match kind.binary() {
                Some((op, level)) => self.parse_binary(left, op, level),
                None => self.parse_process_operator(left, kind, level),
            },
        }?;
        let associates = !matches!(level, level::COMPARE | level::PARALLEL | level::BOTH);
        Ok(Some((level, expr, associates)))
    }

    fn parse_binary(&mut self, left: ExprId, op: BinaryOp, level: u8) -> Parsed<ExprId> {
        self.cursor.bump();
        let right = self.parse_level(level + 1)?;
        Ok(self.join(left, right, Expr::Binary(op, left, right)))
    }

    /// Dots are right-associative, and parentheses around a dot on the left do not change its value.
    fn parse_dot(&mut self, left: ExprId) -> Parsed<ExprId> {
        self.cursor.bump();
        let right = self.parse_level(level::DOT)?;
        Ok(self.join(left, right, Expr::Dot(left, right)))
    }

    fn parse_both(&mut self, left: ExprId) -> Parsed<ExprId> {
        self.cursor.bump();
        let right = self.parse_level(level::BOTH + 1)?;
        let expr = self.join(left, right, Expr::Both(left, right));
        self.pattern_only.push(expr);
        Ok(expr)
    }

    fn parse_call(&mut self, callee: ExprId) -> Parsed<ExprId> {
        let arguments = self.parse_arguments()?;
        let span = self.ast.expr_span(callee).to(self.cursor.previous_span());
        Ok(self.ast.add_expr(Expr::Call(callee, arguments), span))
    }

    /// `(a, b)`, possibly empty.
    pub(super) fn parse_arguments(&mut self) -> Parsed<Box<[ExprId]>> {
        let open = self.cursor.bump();
        let arguments = self.inside_brackets(|parser| parser.parse_list(ParenClose))?;
        self.close(ParenClose, ")", "(", open)?;
        Ok(arguments)
    }

    /// Expressions separated by commas, up to `close`, which is not consumed.
    fn parse_list(&mut self, close: TokenKind) -> Parsed<Box<[ExprId]>> {
        if self.cursor.peek() == close {
            return Ok(Box::default());
        }
        let mut items = vec![self.parse_expr()?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            items.push(self.parse_expr()?);
        }
        Ok(items.into())
    }

    fn parse_operand(&mut self) -> Parsed<ExprId> {
        let kind = self.cursor.peek();
        let start = self.cursor.span();
        match kind {
            Ident => {
                let path = self.parse_path("a name")?;
                Ok(self.finish(start, Expr::Name(path)))
            }
            Int | Char | Text | True | False => self.parse_literal(),
            Wildcard => {
                self.cursor.bump();
                let expr = self.finish(start, Expr::Wildcard);
                self.pattern_only.push(expr);
                Ok(expr)
            }
            ParenOpen => self.parse_parenthesized(),
            EmptySeq => {
                self.cursor.bump();
                Ok(self.finish(start, Expr::Seq(Box::default())))
            }
            Less => self.parse_sequence(),
            BraceOpen => self.parse_collection(Collection::Set, BraceClose, "}", "{"),
            EnumOpen => self.parse_collection(Collection::EnumSet, EnumClose, "|}", "{|"),
            MapOpen => self.parse_map(),
            Minus => self.parse_unary(UnaryOp::Negate, level::SUM + 1),
            Not => self.parse_unary(UnaryOp::Not, level::NOT),
            Hash => self.parse_unary(UnaryOp::Length, level::LENGTH + 1),
            If => self.parse_if(),
            Let => self.parse_let(),
            Backslash => self.parse_lambda(),
            _ if kind.begins_operand() => self.parse_replicated(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn parse_literal(&mut self) -> Parsed<ExprId> {
        let kind = self.cursor.peek();
        let span = self.cursor.bump();
        let text = self.cursor.text(span);
        let expr = match kind {
            Int => match text.parse() {
                Ok(value) => Expr::Int(value),
                Err(_) => {
                    self.report(errors::integer_too_large(span));
                    Expr::Error
                }
            },
            Char => Expr::Char(literal::unescape(text).chars().next().unwrap_or(' ')),
            Text => Expr::String(literal::unescape(text).into()),
            kind => Expr::Bool(kind == True),
        };
        Ok(self.ast.add_expr(expr, span))
    }

    fn parse_unary(&mut self, op: UnaryOp, level: u8) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let operand = self.parse_level(level)?;
        Ok(self.finish(start, Expr::Unary(op, operand)))
    }

    /// `(e)` or `(e, f)`.
    fn parse_parenthesized(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let items = self.inside_brackets(|parser| match parser.cursor.peek() {
            ParenClose => Err(parser.unexpected("an expression")),
            _ => parser.parse_list(ParenClose),
        })?;
        self.close(ParenClose, ")", "(", open)?;
        let expr = if let [item] = *items { Expr::Paren(item) } else { Expr::Tuple(items) };
        Ok(self.finish(open, expr))
    }

    fn parse_sequence(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        self.open_sequences += 1;
        let items = self.parse_items(Collection::Seq, Greater);
        // The `>` that closed this sequence must not close the enclosing one.
        self.open_sequences -= 1;
        let expr = items?;
        let close = self.cursor.index();
        self.close(Greater, ">", "<", open)?;
        self.last_close = close;
        Ok(self.finish(open, expr))
    }

    fn parse_collection(&mut self, kind: Collection, close: TokenKind, text: &str, open: &str) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let expr = self.inside_brackets(|parser| parser.parse_items(kind, close))?;
        self.close(close, text, open, start)?;
        Ok(self.finish(start, expr))
    }

    /// The items between the brackets of a set or sequence.
    fn parse_items(&mut self, kind: Collection, close: TokenKind) -> Parsed<Expr> {
        let items = self.parse_list(close)?;
        if self.cursor.peek() == DotDot && items.len() == 1 && kind != Collection::EnumSet {
            self.cursor.bump();
            let ends = self.cursor.peek() == close || self.cursor.peek() == Bar;
            let to = if ends { None } else { Some(self.parse_expr()?) };
            let statements = self.parse_optional_statements()?;
            return Ok(Expr::Range { kind, from: items[0], to, statements });
        }
        if self.cursor.peek() == Bar {
            let statements = self.parse_optional_statements()?;
            return Ok(Expr::Comprehension { kind, results: items, statements });
        }
        Ok(match kind {
            Collection::Set => Expr::Set(items),
            Collection::Seq => Expr::Seq(items),
            Collection::EnumSet => Expr::EnumSet(items),
        })
    }

    /// `| statements`, optional.
    pub(super) fn parse_optional_statements(&mut self) -> Parsed<Box<[Statement]>> {
        if self.cursor.peek() != Bar {
            return Ok(Box::default());
        }
        self.cursor.bump();
        self.parse_statements()
    }

    pub(super) fn parse_statements(&mut self) -> Parsed<Box<[Statement]>> {
        let mut statements = vec![self.parse_statement()?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            statements.push(self.parse_statement()?);
        }
        Ok(statements.into())
    }

    fn parse_statement(&mut self) -> Parsed<Statement> {
        let expr = self.parse_expr()?;
        if !matches!(self.cursor.peek(), LeftArrow | Colon) {
            return Ok(Statement::Filter(expr));
        }
        self.cursor.bump();
        let pattern = self.pattern_of(expr);
        Ok(Statement::Generator(pattern, self.parse_expr()?))
    }

    /// `(| k => v, ... |)`.
    fn parse_map(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let pairs = self.inside_brackets(|parser| {
            let mut pairs = Vec::new();
            while parser.cursor.peek() != MapClose {
                let key = parser.parse_expr()?;
                parser.expect(FatArrow, "`=>` and a value")?;
                pairs.push((key, parser.parse_expr()?));
                if parser.cursor.peek() != Comma {
                    break;
                }
                parser.cursor.bump();
            }
            Ok(pairs)
        })?;
        self.close(MapClose, "|)", "(|", open)?;
        Ok(self.finish(open, Expr::Map(pairs.into())))
    }

    fn parse_if(&mut self) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let condition = self.parse_expr()?;
        self.expect_part_of_if(Then, start)?;
        let yes = self.parse_expr()?;
        self.expect_part_of_if(Else, start)?;
        let no = self.parse_expr()?;
        Ok(self.finish(start, Expr::If(condition, yes, no)))
    }

    fn expect_part_of_if(&mut self, kind: TokenKind, start: Span) -> Parsed<()> {
        if self.cursor.peek() == kind {
            self.cursor.bump();
            return Ok(());
        }
        let word = if kind == Then { "then" } else { "else" };
        if self.explains_greater() || self.begins_comparison_mistake() {
            return Err(self.unexpected(word));
        }
        let found = self.found();
        Err(self.report_at_cursor(|span| errors::incomplete_if(word, start, &found, span)))
    }

    fn parse_lambda(&mut self) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let mut parameters = vec![self.parse_expr()?];
        while self.cursor.peek() == Comma {
            self.cursor.bump();
            parameters.push(self.parse_expr()?);
        }
        let parameters = self.patterns_of(&parameters);
        self.expect(At, "`@` and the body of the function")?;
        let body = self.parse_expr()?;
        Ok(self.finish(start, Expr::Lambda(parameters, body)))
    }

    fn parse_let(&mut self) -> Parsed<ExprId> {
        use super::declaration::{Block, Place};
        let start = self.cursor.bump();
        let (at, n_reported) = (self.cursor.index(), self.diagnostics.len());
        let block = Block { place: Place::Let, timed: false };
        let open_sequences = std::mem::take(&mut self.open_sequences);
        let pattern_only = std::mem::take(&mut self.pattern_only);
        let mut decls = self.parse_block(block);
        if self.cursor.peek() != Within && !self.margin_ends_let {
            // The `let` consumed the declarations after it. It is parsed again, and ends at the first line at the
            // margin.
            self.margin_ends_let = true;
            self.diagnostics.truncate(n_reported);
            self.cursor.rewind(at);
            decls = self.parse_block(block);
        }
        self.open_sequences = open_sequences;
        self.pattern_only = pattern_only;
        if self.cursor.peek() != Within {
            if self.diagnostics.len() > n_reported {
                return Err(super::Damage);
            }
            let found = self.found();
            return Err(self.report_at_cursor(|span| errors::let_without_within(start, &found, span)));
        }
        self.cursor.bump();
        let body = self.parse_expr()?;
        Ok(self.finish(start, Expr::Let(decls.into(), body)))
    }

    pub(super) fn finish(&mut self, start: Span, expr: Expr) -> ExprId {
        let span = start.to(self.cursor.previous_span());
        self.ast.add_expr(expr, span)
    }

    pub(super) fn join(&mut self, left: ExprId, right: ExprId, expr: Expr) -> ExprId {
        let span = self.ast.expr_span(left).to(self.ast.expr_span(right));
        self.ast.add_expr(expr, span)
    }

    pub(super) fn error_expr(&mut self, span: Span) -> ExprId {
        self.ast.add_expr(Expr::Error, span)
    }
}

/// The level of an infix or postfix operator.
fn operator_level(kind: TokenKind) -> Option<u8> {
    Some(match kind {
        DoubleAt => level::BOTH,
        Backslash | Project => level::HIDE,
        Interleave => level::INTERLEAVE,
        ParallelOpen | BracketOpen => level::PARALLEL,
        InternalChoice => level::INTERNAL_CHOICE,
        ExternalChoice | SyncChoiceOpen => level::EXTERNAL_CHOICE,
        Interrupt | SyncInterruptOpen => level::INTERRUPT,
        SlidingChoice => level::SLIDING_CHOICE,
        Semicolon => level::SEQUENTIAL,
        Guard | Arrow => level::PREFIX,
        Question | Exclamation | Dollar => level::FIELD,
        Dot => level::DOT,
        ParenOpen | RenameOpen => level::POSTFIX,
        kind => kind.binary()?.1,
    })
}
