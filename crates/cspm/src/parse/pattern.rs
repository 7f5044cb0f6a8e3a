//! Conversion of expressions to patterns.

use super::{Parser, errors};
use crate::stack;
use crate::syntax::{Expr, ExprId, Pat, PatId, UnaryOp};
use source::Span;

impl Parser<'_> {
    /// Converts an expression to a pattern.
    pub(super) fn pattern_of(&mut self, expr: ExprId) -> PatId {
        let pattern = self.convert_nested(expr);
        self.check_lengths(pattern);
        pattern
    }

    fn convert_nested(&mut self, expr: ExprId) -> PatId {
        let span = self.ast.expr_span(expr);
        let pattern = stack::grow(|| self.convert(expr, span));
        self.ast.add_pat(pattern, span)
    }

    pub(super) fn patterns_of(&mut self, exprs: &[ExprId]) -> Box<[PatId]> {
        exprs.iter().map(|&expr| self.pattern_of(expr)).collect()
    }

    fn convert_all(&mut self, exprs: &[ExprId]) -> Box<[PatId]> {
        exprs.iter().map(|&expr| self.convert_nested(expr)).collect()
    }

    fn convert(&mut self, expr: ExprId, span: Span) -> Pat {
        match self.ast.expr(expr).clone() {
            Expr::Error => Pat::Error,
            Expr::Name(path) => Pat::Name(path),
            Expr::Int(value) => Pat::Int(value),
            Expr::Bool(value) => Pat::Bool(value),
            Expr::Char(value) => Pat::Char(value),
            Expr::String(value) => Pat::String(value),
            Expr::Paren(inner) => Pat::Paren(self.convert_nested(inner)),
            Expr::Tuple(items) => Pat::Tuple(self.convert_all(&items)),
            Expr::Seq(items) => Pat::Seq(self.convert_all(&items)),
            Expr::Set(items) => Pat::Set(self.convert_all(&items)),
            Expr::Binary(crate::syntax::BinaryOp::Concat, left, right) => {
                let left = self.convert_nested(left);
                Pat::Concat(left, self.convert_nested(right))
            }
            Expr::Dot(left, right) => {
                let left = self.convert_nested(left);
                Pat::Dot(left, self.convert_nested(right))
            }
            Expr::Wildcard => {
                // The expression is no longer used, and `Error` nodes are not reported.
                *self.ast.expr_mut(expr) = Expr::Error;
                Pat::Wildcard
            }
            Expr::Both(left, right) => {
                *self.ast.expr_mut(expr) = Expr::Error;
                let left = self.convert_nested(left);
                Pat::Both(left, self.convert_nested(right))
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
        // The names that it would bind are unknown.
        self.ast.incomplete = true;
        Pat::Error
    }

    /// Checks that matching is deterministic: at most one part of a sequence pattern has variable length. Sets are
    /// unordered, so a set pattern is empty or a singleton.
    fn check_lengths(&mut self, pattern: PatId) {
        let mut open = vec![pattern];
        while let Some(id) = open.pop() {
            match self.ast.pat(id) {
                Pat::Set(items) if items.len() > 1 => {
                    self.report(errors::large_set_pattern(self.ast.pat_span(id)));
                }
                Pat::Concat(..) => {
                    let mut flexible = Vec::new();
                    self.collect_parts(id, &mut flexible, &mut open);
                    if let [first, second, ..] = flexible[..] {
                        let (first, second) = (self.ast.pat_span(first), self.ast.pat_span(second));
                        self.report(errors::two_flexible_parts(second, first));
                    }
                }
                Pat::Paren(inner) => open.push(*inner),
                Pat::Tuple(items) | Pat::Seq(items) | Pat::Set(items) => open.extend(items),
                Pat::Dot(left, right) | Pat::Both(left, right) => open.extend([*left, *right]),
                _ => {}
            }
        }
    }

    /// Splits a concatenation into parts of variable length, and the patterns inside the others.
    fn collect_parts(&self, concat: PatId, flexible: &mut Vec<PatId>, inside: &mut Vec<PatId>) {
        let mut open = vec![concat];
        while let Some(id) = open.pop() {
            match self.ast.pat(id) {
                Pat::Concat(left, right) => open.extend([*right, *left]),
                Pat::Paren(inner) => open.push(*inner),
                Pat::Seq(items) => inside.extend(items),
                Pat::String(_) | Pat::Error => {}
                _ => flexible.push(id),
            }
        }
    }

    /// Whether `@@` occurs in a pattern.
    pub(super) fn contains_both(&self, pattern: PatId) -> bool {
        let mut open = vec![pattern];
        while let Some(id) = open.pop() {
            match self.ast.pat(id) {
                Pat::Both(..) => return true,
                Pat::Paren(inner) => open.push(*inner),
                Pat::Tuple(items) | Pat::Seq(items) | Pat::Set(items) => open.extend(items),
                Pat::Dot(left, right) | Pat::Concat(left, right) => open.extend([*left, *right]),
                _ => {}
            }
        }
        false
    }

    /// Reports the `_` and `@@` of the current declaration that are not in patterns.
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
