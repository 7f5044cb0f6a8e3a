//! Functions and values.

use super::annotation::Annotated;
use super::store::{Node, Ty};
use super::{Checker, Place, Why, errors};
use crate::resolve::NameId;
use crate::syntax::*;
use source::Span;

impl Checker<'_> {
    /// The annotation of a name, with its span.
    pub(super) fn annotation(&mut self, name: NameId) -> Option<(Annotated, Span)> {
        let decl = *self.annotations.get(&name)?;
        let Decl::Annotation { scheme, .. } = self.resolved.ast.decl(decl) else { return None };
        Some((self.annotated_type(scheme), self.resolved.ast.decl_span(decl)))
    }

    pub(super) fn check_function(&mut self, id: DeclId, equations: &[Equation]) {
        let Some(&name) = self.resolved.decl_names(id).first() else { return };
        if self.differing_groups(name, equations) {
            for equation in equations {
                self.infer_equation(equation);
            }
            return;
        }
        if let Some((annotated, span)) = self.annotation(name) {
            let n_outer = self.rigid_scope.len();
            self.rigid_scope.extend(annotated.variables);
            self.check_annotated_function(name, equations, annotated.ty, span);
            self.rigid_scope.truncate(n_outer);
            return;
        }
        let mut whole: Option<Ty> = None;
        for equation in equations {
            let t = self.infer_equation(equation);
            whole = Some(match whole {
                None => t,
                Some(earlier) => self.join_equations(earlier, &equations[0], t, equation),
            });
        }
        if let Some(whole) = whole {
            let used_as = self.names[name.index()].ty;
            if let Err(clash) = self.solver.equate(used_as, whole) {
                let place = Place::Span(self.resolved.name(name).span);
                self.mismatch(place, used_as, whole, Why::Operator("the definition calls itself this way"), clash);
            }
        }
    }

    /// Reports equations of one function with different numbers of arguments.
    fn differing_groups(&mut self, name: NameId, equations: &[Equation]) -> bool {
        let Some((first, others)) = equations.split_first() else { return false };
        let shape = |equation: &Equation| equation.groups.iter().map(|group| group.len()).collect::<Vec<_>>();
        let expected = shape(first);
        let Some(other) = others.iter().find(|equation| shape(equation) != expected) else { return false };
        let diagnostic =
            errors::equation_arity(other.span, self.resolved.text(name), &expected, &shape(other), first.span);
        self.report(diagnostic);
        true
    }

    fn infer_equation(&mut self, equation: &Equation) -> Ty {
        for &pat in equation.groups.iter().flatten() {
            self.infer_pat(pat);
            self.settle_pat(pat);
        }
        self.infer(equation.body);
        let result = self.settle_expr(equation.body);
        self.equation_type(equation, result)
    }

    fn equation_type(&mut self, equation: &Equation, result: Ty) -> Ty {
        equation.groups.iter().rev().fold(result, |result, group| {
            // The body may have determined dots in the patterns.
            let arguments: Vec<Ty> = group.iter().map(|&pat| self.settle_pat(pat)).collect();
            self.solver.store.function(&arguments, result)
        })
    }

    /// Unifies the types of two equations. They have the same number of arguments, so each pair is unified (and
    /// reported) separately.
    fn join_equations(&mut self, earlier: Ty, first: &Equation, later: Ty, equation: &Equation) -> Ty {
        let (mut earlier, mut later) = (earlier, later);
        let mut groups: Vec<Vec<Ty>> = Vec::new();
        // At most one error is reported for each equation.
        let mut agrees = true;
        for (g, group) in equation.groups.iter().enumerate() {
            let (Node::Function(before, before_result), Node::Function(now, now_result)) =
                (self.solver.store.node(earlier), self.solver.store.node(later))
            else {
                return Ty::ERROR;
            };
            let mut arguments = Vec::new();
            for (i, &pat) in group.iter().enumerate() {
                let expected = self.solver.store.list(before)[i];
                let actual = self.solver.store.list(now)[i];
                let why = Why::Equation { earlier: self.resolved.ast.pat_span(first.groups[g][i]) };
                arguments.push(self.join(Place::Pat(pat), expected, actual, why, &mut agrees));
            }
            groups.push(arguments);
            (earlier, later) = (before_result, now_result);
        }
        let why = Why::Equation { earlier: self.resolved.ast.expr_span(first.body) };
        let result = self.join(Place::Expr(equation.body), earlier, later, why, &mut agrees);
        groups.into_iter().rev().fold(result, |result, arguments| self.solver.store.function(&arguments, result))
    }

    fn join(&mut self, place: Place, expected: Ty, actual: Ty, why: Why, agrees: &mut bool) -> Ty {
        match self.solver.equate(expected, actual) {
            Ok(t) => t,
            Err(clash) => {
                if std::mem::take(agrees) {
                    self.mismatch(place, expected, actual, why, clash);
                }
                Ty::ERROR
            }
        }
    }

    fn check_annotated_function(&mut self, name: NameId, equations: &[Equation], annotated: Ty, span: Span) {
        self.names[name.index()].ty = annotated;
        for equation in equations {
            let mut t = annotated;
            for group in &equation.groups {
                match self.solver.store.node(t) {
                    Node::Function(arguments, result) if arguments.len() == group.len() => {
                        for (i, &pat) in group.iter().enumerate() {
                            let argument = self.solver.store.list(arguments)[i];
                            self.check_annotated_argument(pat, argument, span);
                        }
                        t = result;
                    }
                    Node::Error => {
                        for &pat in group {
                            self.infer_pat(pat);
                        }
                    }
                    _ => {
                        let text = self.show(annotated);
                        let n = equation.groups.len();
                        let diagnostic = errors::annotation_shape(
                            span,
                            self.resolved.text(name),
                            &text,
                            group.len(),
                            n,
                            equation.span,
                        );
                        self.report(diagnostic);
                        self.infer_equation(equation);
                        return;
                    }
                }
            }
            self.expect(equation.body, t, Why::Annotation(span));
            self.settle_expr(equation.body);
            for &pat in equation.groups.iter().flatten() {
                self.settle_pat(pat);
            }
        }
    }

    fn check_annotated_argument(&mut self, pat: PatId, argument: Ty, span: Span) {
        self.infer_pat(pat);
        let actual = self.settle_pat(pat);
        // The pattern decomposes the value, so its type is the expected one.
        let result = self.solver.settle(argument).and_then(|argument| self.solver.match_pattern(actual, argument));
        match result.and_then(|t| self.solver.settle(t)) {
            Ok(t) => self.pats[pat.index()] = t,
            Err(clash) => self.mismatch(Place::Pat(pat), argument, actual, Why::Annotation(span), clash),
        }
    }

    pub(super) fn check_binding(&mut self, id: DeclId, pat: PatId, value: ExprId) {
        let single = match self.resolved.decl_names(id) {
            [name] if matches!(self.resolved.ast.pat(pat), Pat::Name(_)) => Some(*name),
            _ => None,
        };
        if let Some((annotated, span)) = single.and_then(|name| self.annotation(name)) {
            let pattern = self.infer_pat(pat);
            let _ = self.solver.equate(annotated.ty, pattern);
            let n_outer = self.rigid_scope.len();
            self.rigid_scope.extend(annotated.variables);
            self.expect(value, annotated.ty, Why::Annotation(span));
            self.rigid_scope.truncate(n_outer);
        } else {
            self.infer_pat(pat);
            self.infer(value);
        }
        let expected = self.settle_expr(value);
        let actual = self.settle_pat(pat);
        if let Err(clash) = self.solver.match_pattern(actual, expected) {
            self.mismatch(Place::Pat(pat), expected, actual, Why::Binding(value), clash);
        }
        if self.failed && single.is_none() {
            return;
        }
        // The type with evaluated dots is displayed and generalised.
        if let Some(name) = single {
            let bound = self.names[name.index()].ty;
            if let Ok(settled) = self.solver.settle(bound) {
                self.names[name.index()].ty = settled;
            }
        }
    }
}
