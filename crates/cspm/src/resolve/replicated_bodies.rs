//! Replicated processes whose body is larger than intended.
//!
//! The body of `[] x:S @ P(x) [] Q` is everything after the `@`, so `Q` is part of every operand. If the body consists
//! of the operator of the replication with a right operand that does not use the bound names, `([] x:S @ P(x)) [] Q`
//! was most likely intended.

use super::{NameId, PatName, Resolver, errors};
use crate::syntax::{Expr, ExprId, Pat, PatId, ProcessOp, ReplicatedOp, Statement};
use source::Span;

impl Resolver {
    /// Warns of operands inside a replicated process that do not depend on its bound names.
    pub(super) fn report_overlong_bodies(&mut self) {
        let mut uses = self.out.uses.clone();
        uses.sort_by_key(|(span, _)| span.start);
        let mut found = Vec::new();
        for index in 0..self.out.ast.n_exprs() {
            let id = ExprId(index as u32);
            let Expr::Replicated { op, statements, process } = self.out.ast.expr(id) else { continue };
            let Some((op, symbol)) = binary(op) else { continue };
            let Expr::Process(inner, left, right) = self.out.ast.expr(*process) else { continue };
            if *inner != op {
                continue;
            }
            let bound = self.bound_by(statements);
            let (left, right) = (self.out.ast.expr_span(*left), self.out.ast.expr_span(*right));
            if depends(&uses, left, &bound) && !depends(&uses, right, &bound) {
                let whole = Span::new(self.out.ast.expr_span(id).start, left.end);
                found.push(errors::swallowed_operand(symbol, right, whole));
            }
        }
        self.diagnostics.append(&mut found);
    }

    fn bound_by(&self, statements: &[Statement]) -> Vec<NameId> {
        let mut pending: Vec<PatId> = statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Generator(pat, _) => Some(*pat),
                Statement::Filter(_) => None,
            })
            .collect();
        let mut bound = Vec::new();
        while let Some(pat) = pending.pop() {
            match self.out.ast.pat(pat) {
                Pat::Name(_) => {
                    if let Some(PatName::Binds(name)) = self.out.pat_name(pat) {
                        bound.push(name);
                    }
                }
                Pat::Paren(inner) => pending.push(*inner),
                Pat::Tuple(parts) | Pat::Seq(parts) | Pat::Set(parts) => pending.extend(parts),
                Pat::Concat(left, right) | Pat::Dot(left, right) | Pat::Both(left, right) => {
                    pending.extend([*left, *right]);
                }
                _ => {}
            }
        }
        bound
    }
}

/// The binary operator that a replicated one repeats.
fn binary(op: &ReplicatedOp) -> Option<(ProcessOp, &'static str)> {
    match op {
        ReplicatedOp::ExternalChoice => Some((ProcessOp::ExternalChoice, "[]")),
        ReplicatedOp::InternalChoice => Some((ProcessOp::InternalChoice, "|~|")),
        ReplicatedOp::Interleave => Some((ProcessOp::Interleave, "|||")),
        ReplicatedOp::Sequential => Some((ProcessOp::Sequential, ";")),
        _ => None,
    }
}

/// Whether one of the names is used in a span.
fn depends(uses: &[(Span, NameId)], place: Span, names: &[NameId]) -> bool {
    let first = uses.partition_point(|(span, _)| span.start < place.start);
    uses[first..].iter().take_while(|(span, _)| span.start < place.end).any(|(_, name)| names.contains(name))
}
