//! Expressions that turn out to be patterns.

use super::{Parser, errors};
use crate::stack;
use crate::syntax::{Expr, ExprId, Pat, PatId, UnaryOp};
use source::Span;

impl Parser<'_> {
    /// The pattern that an expression spells.
    pub(super) fn to_pattern(&mut self, expr: ExprId) -> PatId {
        let span = self.ast.expr_span(expr);
        let pattern = stack::grow(|| self.convert(expr, span));
        self.ast.add_pat(pattern, span)
    }

    pub(super) fn to_patterns(&mut self, exprs: &[ExprId]) -> Box<[PatId]> {
        exprs.iter().map(|&expr| self.to_pattern(expr)).collect()
    }

    fn convert(&mut self, expr: ExprId, span: Span) -> Pat {
        match self.ast.expr(expr).clone() {
            Expr::Error => Pat::Error,
            Expr::Name(path) => Pat::Name(path),
            Expr::Int(value) => Pat::Int(value),
            Expr::Bool(value) => Pat::Bool(value),
            Expr::Char(value) => Pat::Char(value),
            Expr::String(value) => Pat::String(value),
            Expr::Paren(inner) => Pat::Paren(self.to_pattern(inner)),
            Expr::Tuple(items) => Pat::Tuple(self.to_patterns(&items)),
            Expr::Seq(items) => Pat::Seq(self.to_patterns(&items)),
            Expr::Set(items) => Pat::Set(self.to_patterns(&items)),
            Expr::Binary(crate::syntax::BinaryOp::Concat, left, right) => {
                let left = self.to_pattern(left);
                Pat::Concat(left, self.to_pattern(right))
            }
            Expr::Dot(left, right) => {
                let left = self.to_pattern(left);
                Pat::Dot(left, self.to_pattern(right))
            }
            Expr::Wildcard => {
                // No longer an expression, so nobody will complain about it.
                *self.ast.expr_mut(expr) = Expr::Error;
                Pat::Wildcard
            }
            Expr::Both(left, right) => {
                *self.ast.expr_mut(expr) = Expr::Error;
                let left = self.to_pattern(left);
                Pat::Both(left, self.to_pattern(right))
            }
            Expr::Unary(UnaryOp::Negate, operand) => match *self.ast.expr(operand) {
                Expr::Int(value) => Pat::Int(-value),
                _ => self.invalid_pattern(expr, span),
            },
            _ => self.invalid_pattern(expr, span),
        }
    }

    fn invalid_pattern(&mut self, expr: ExprId, span: Span) -> Pat {
        let is_call = matches!(self.ast.expr(expr), Expr::Call(..));
        self.report(errors::invalid_pattern(is_call, span));
        // The names it should have bound are missing now.
        self.ast.incomplete = true;
        Pat::Error
    }

    /// Reports the `_` and `@@` of the declaration just read that did not become patterns.
    pub(super) fn report_pattern_forms(&mut self) {
        for expr in std::mem::take(&mut self.pattern_only) {
            let span = self.ast.expr_span(expr);
            match self.ast.expr(expr) {
                Expr::Wildcard => _ = self.report(errors::wildcard_as_value(span)),
                Expr::Both(..) => _ = self.report(errors::both_as_value(span)),
                _ => continue,
            }
            *self.ast.expr_mut(expr) = Expr::Error;
        }
    }
}
