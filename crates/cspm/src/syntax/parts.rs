//! Children of nodes, for generic traversals.

use super::*;

/// A child of an expression.
pub enum Part {
    /// An expression.
    Expr(ExprId),
    /// A pattern.
    Pat(PatId),
}

/// Visits the children of an expression; the declarations of a `let` are not among them.
pub fn for_parts(expr: &Expr, visit: &mut dyn FnMut(Part)) {
    let mut all = |ids: &[ExprId]| ids.iter().for_each(|&id| visit(Part::Expr(id)));
    match expr {
        Expr::Error | Expr::Wildcard | Expr::Both(..) => {}
        Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_) | Expr::Name(_) => {}
        &Expr::Paren(inner) | &Expr::Unary(_, inner) | &Expr::Let(_, inner) => all(&[inner]),
        Expr::Tuple(items) | Expr::Seq(items) | Expr::Set(items) | Expr::EnumSet(items) => all(items),
        Expr::Call(function, arguments) => {
            all(&[*function]);
            all(arguments);
        }
        &Expr::Dot(left, right)
        | &Expr::Binary(_, left, right)
        | &Expr::Process(_, left, right)
        | &Expr::Guard(left, right)
        | &Expr::Hide(left, right)
        | &Expr::Project(left, right) => all(&[left, right]),
        &Expr::If(condition, yes, no) => all(&[condition, yes, no]),
        Expr::Lambda(patterns, body) => {
            all(&[*body]);
            patterns.iter().for_each(|&pat| visit(Part::Pat(pat)));
        }
        Expr::Map(pairs) => pairs.iter().for_each(|&(key, value)| all(&[key, value])),
        Expr::Range { from, to, statements, .. } => {
            all(&[*from]);
            all(to.as_slice());
            for_statements(statements, visit);
        }
        Expr::Comprehension { results, statements, .. } => {
            all(results);
            for_statements(statements, visit);
        }
        Expr::Prefix { event, fields, process } => {
            all(&[*event, *process]);
            for field in fields {
                match *field {
                    Field::Output(value) => visit(Part::Expr(value)),
                    Field::Input(pat, set) | Field::NondetInput(pat, set) => {
                        visit(Part::Pat(pat));
                        set.into_iter().for_each(|set| visit(Part::Expr(set)));
                    }
                }
            }
        }
        &Expr::WithSet { left, events, right, .. } => all(&[left, events, right]),
        &Expr::AlphaParallel { left, left_alphabet, right_alphabet, right } => {
            all(&[left, left_alphabet, right_alphabet, right]);
        }
        Expr::Link { left, ties, right } => {
            all(&[*left, *right]);
            for_ties(ties, visit);
        }
        Expr::Rename { process, ties } => {
            all(&[*process]);
            for_ties(ties, visit);
        }
        Expr::Replicated { op, statements, process } => {
            all(&[*process]);
            match &**op {
                &ReplicatedOp::AlphaParallel(set) | &ReplicatedOp::Parallel(set) | &ReplicatedOp::SyncChoice(set) => {
                    all(&[set]);
                }
                ReplicatedOp::Link(ties) => for_ties(ties, visit),
                _ => {}
            }
            for_statements(statements, visit);
        }
    }
}

fn for_ties(ties: &Ties, visit: &mut dyn FnMut(Part)) {
    for &(left, right) in &ties.pairs {
        visit(Part::Expr(left));
        visit(Part::Expr(right));
    }
    for_statements(&ties.statements, visit);
}

fn for_statements(statements: &[Statement], visit: &mut dyn FnMut(Part)) {
    for &statement in statements {
        match statement {
            Statement::Generator(pat, collection) => {
                visit(Part::Pat(pat));
                visit(Part::Expr(collection));
            }
            Statement::Filter(condition) => visit(Part::Expr(condition)),
        }
    }
}

/// Visits the children of a pattern.
pub fn for_sub_patterns(pat: &Pat, mut visit: impl FnMut(PatId)) {
    match pat {
        Pat::Paren(inner) => visit(*inner),
        Pat::Tuple(items) | Pat::Seq(items) | Pat::Set(items) => items.iter().copied().for_each(visit),
        &Pat::Concat(left, right) | &Pat::Dot(left, right) | &Pat::Both(left, right) => {
            visit(left);
            visit(right);
        }
        _ => {}
    }
}
