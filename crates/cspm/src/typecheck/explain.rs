//! Explanation of failed unifications.
//!
//! Unification only yields two types that disagree. To locate the error, the expression is decomposed: parentheses and
//! `let`s are skipped, literals are entered down to the offending element, and a dotted expression is compared with the
//! declaration of its channel or constructor. This does not affect whether a script is accepted.

use super::constraint::Constraint;
use super::errors;
use super::expr::is_comparison;
use super::fields::{Context, FieldError};
use super::solve::Clash;
use super::store::{Node, Ty};
use super::{Checker, Place, Sameness, Why};
use crate::resolve::NameKind;
use crate::syntax::*;

/// An expression or pattern whose type was compared.
#[derive(Clone, Copy)]
struct Dispute {
    place: Place,
    expected: Ty,
    actual: Ty,
    why: Why,
}

impl Checker<'_> {
    /// Reports that the type `actual` at `place` differs from the `expected` one.
    pub(super) fn mismatch(&mut self, place: Place, expected: Ty, actual: Ty, why: Why, clash: Clash) {
        if self.report_comparison_in_dots(place) {
            return;
        }
        let dispute = Dispute { place, expected, actual, why };
        match clash {
            // Uses of a type that is too large are too large as well, and once exhausted nothing is checked any more.
            Clash::TooLarge if self.failed || self.exhausted => self.failed = true,
            Clash::TooLarge => {
                self.exhausted = self.solver.is_exhausted();
                self.report(errors::type_too_large(self.span(place)));
            }
            Clash::Infinite { variable, t } => self.infinite(place, variable, t, why),
            Clash::Constraint { constraint, t } => self.unmet(dispute, constraint, t),
            Clash::Types { expected, actual } => self.different(dispute, expected, actual),
        }
        self.silence(place);
    }

    /// Gives a parameter with a reported error the error type, which suppresses further ones.
    fn silence(&mut self, place: Place) {
        let Place::Expr(id) = place else { return };
        if let Some(name) = self.named(id)
            && self.resolved.name(name).kind == NameKind::Parameter
        {
            self.names[name.index()].ty = Ty::ERROR;
        }
    }

    /// Reports `a.b == c.d` without parentheses, as the cause of all errors around it.
    pub(super) fn report_comparison_in_dots(&mut self, place: Place) -> bool {
        let span = self.span(place);
        let ast = &self.resolved.ast;
        let Some(&comparison) = self.loose_comparisons.iter().find(|&&comparison| {
            let inner = ast.expr_span(comparison);
            (span.start <= inner.start && inner.end <= span.end) || (inner.start <= span.start && span.end <= inner.end)
        }) else {
            return false;
        };
        if let &Expr::Binary(op, ..) = ast.expr(comparison) {
            self.report(errors::dot_comparison(ast.expr_span(comparison), comparison_text(op)));
        }
        true
    }

    fn infinite(&mut self, place: Place, variable: Ty, t: Ty, why: Why) {
        let (variable, t) = self.show_two(variable, t);
        let (reason, _) = self.reason(why);
        self.report(errors::infinite_type(self.span(place), &variable, &t, &reason));
    }

    fn unmet(&mut self, dispute: Dispute, constraint: Constraint, t: Ty) {
        if let Place::Expr(id) = dispute.place
            && matches!(constraint, Constraint::Complete | Constraint::Yieldable)
            && let Some(fault) = self.fault_in(id)
        {
            return self.report_fault(fault, Context::Value);
        }
        let span = self.span(dispute.place);
        let (mut reason, other) = self.reason(dispute.why);
        if matches!((constraint, dispute.why), (Constraint::Set, Why::Same(_, Sameness::Elements))) {
            reason = "put into a set here".to_owned();
        }
        let (whole, part) = self.show_two(dispute.actual, t);
        if let Node::Rigid { name, .. } = self.solver.store.node(t) {
            let annotation = self.resolved.name(name).span;
            let variable = self.resolved.text(name).to_owned();
            self.report(errors::missing_constraint(span, constraint.name(), &variable, &reason, annotation));
            return;
        }
        let diagnostic = match (constraint, self.solver.store.node(t)) {
            (Constraint::Eq, Node::Proc) => errors::compare_processes(span, &whole, &reason, other),
            (Constraint::Eq, _) => errors::not_comparable(span, &part, &reason, other),
            (Constraint::Ord, _) => errors::not_ordered(span, &part, &reason, other),
            (Constraint::Set, _) => errors::not_in_sets(span, &part, &reason, other),
            (Constraint::Complete, _) => errors::incomplete(span, &part, &reason, other),
            (Constraint::Yieldable, _) => errors::not_productive(span, &part, &reason, other),
        };
        self.report(diagnostic);
    }

    fn different(&mut self, dispute: Dispute, inner_expected: Ty, inner_actual: Ty) {
        if self.too_general(dispute, inner_expected, inner_actual) {
            return;
        }
        let whole = self.show(dispute.expected);
        let dispute = self.narrowed(dispute);
        if self.known_confusion(dispute) {
            return;
        }
        let Dispute { place, expected, actual, why } = dispute;
        let span = self.span(place);
        let (expected_text, actual_text) = self.show_two(expected, actual);
        let diagnostic = match why {
            Why::Argument { call, index } => {
                let &Expr::Call(function, _) = self.resolved.ast.expr(call) else { return };
                let signature = self.signature(function);
                let texts = (&*expected_text, &*actual_text);
                let definition = self.definition_of(function);
                let subject = self.subject(function);
                errors::argument(span, texts, (&subject, index, &whole), signature.as_deref(), definition)
            }
            Why::Tie(left) => errors::tie_mismatch(span, &expected_text, &actual_text, self.span(Place::Expr(left))),
            _ => {
                let (reason, other) = self.reason(why);
                let other = other.or_else(|| self.value_at(place, &actual_text));
                errors::mismatch(span, &expected_text, &actual_text, &reason, other)
            }
        };
        self.report(diagnostic);
    }

    /// Reports an annotation whose variable would have to be a specific type.
    fn too_general(&mut self, dispute: Dispute, inner_expected: Ty, inner_actual: Ty) -> bool {
        let (expected, actual) = (self.solver.store.node(inner_expected), self.solver.store.node(inner_actual));
        let (name, other) = match (expected, actual) {
            (Node::Rigid { name, .. }, _) => (name, inner_actual),
            (_, Node::Rigid { name, .. }) => (name, inner_expected),
            _ => return false,
        };
        if !self.blamed.insert(name) {
            self.failed = true;
            return true;
        }
        let dispute = self.narrowed(dispute);
        let (reason, _) = self.reason(dispute.why);
        let variable = self.resolved.text(name).to_owned();
        let (annotation, found) = (self.resolved.name(name).span, self.show(other));
        let span = self.span(dispute.place);
        self.report(errors::annotation_too_general(span, &variable, &found, &reason, annotation));
        true
    }

    /// Narrows the error to a subexpression, as long as one alone causes it.
    fn narrowed(&mut self, mut dispute: Dispute) -> Dispute {
        while let Place::Expr(id) = dispute.place {
            let (item, t) = match (self.resolved.ast.expr(id), self.solver.store.node(dispute.expected)) {
                (&Expr::Paren(inner) | &Expr::Let(_, inner), _) => (inner, dispute.expected),
                (Expr::Set(items), Node::Set(t)) | (Expr::Seq(items), Node::Seq(t)) => {
                    match items.iter().find(|item| !self.could_be(t, self.exprs[item.index()])) {
                        Some(&item) => (item, t),
                        None => break,
                    }
                }
                (Expr::Comprehension { kind: Collection::Set, results, .. }, Node::Set(t))
                | (Expr::Comprehension { kind: Collection::Seq, results, .. }, Node::Seq(t)) => match **results {
                    [result] => (result, t),
                    _ => break,
                },
                (Expr::Tuple(items), Node::Tuple(types)) if items.len() == types.len() => {
                    let types = self.solver.store.list(types).to_vec();
                    let wrong = (0..items.len()).find(|&i| !self.could_be(types[i], self.exprs[items[i].index()]));
                    match wrong {
                        Some(i) => (items[i], types[i]),
                        None => break,
                    }
                }
                _ => break,
            };
            let actual = self.exprs[item.index()];
            if actual == Ty::NONE || actual == Ty::ERROR {
                break;
            }
            dispute = Dispute { place: Place::Expr(item), expected: t, actual, ..dispute };
        }
        dispute
    }

    /// Whether two types may be unifiable; `false` is certain.
    pub(super) fn could_be(&self, a: Ty, b: Ty) -> bool {
        self.could_be_within(a, b, 20)
    }

    fn could_be_within(&self, a: Ty, b: Ty, depth: u32) -> bool {
        let store = &self.solver.store;
        if depth == 0 || a == b || a == Ty::NONE || b == Ty::NONE {
            return true;
        }
        match (store.view(a), store.view(b)) {
            (Node::Var { .. } | Node::Rigid { .. } | Node::Error | Node::Extendable(..) | Node::Dot(..), _)
            | (_, Node::Var { .. } | Node::Rigid { .. } | Node::Error | Node::Extendable(..) | Node::Dot(..)) => true,
            (Node::Set(x), Node::Set(y)) | (Node::Seq(x), Node::Seq(y)) => self.could_be_within(x, y, depth - 1),
            (Node::Map(k, v), Node::Map(l, w)) => {
                self.could_be_within(k, l, depth - 1) && self.could_be_within(v, w, depth - 1)
            }
            (Node::Tuple(x), Node::Tuple(y)) => {
                x.len() == y.len()
                    && (0..x.len()).all(|i| self.could_be_within(store.list(x)[i], store.list(y)[i], depth - 1))
            }
            (Node::Function(x, r), Node::Function(y, s)) => x.len() == y.len() && self.could_be_within(r, s, depth - 1),
            (Node::Dotable(..), Node::Dotable(..)) => true,
            (x, y) => x == y,
        }
    }

    /// Reports common mistakes, each with its fix.
    fn known_confusion(&mut self, dispute: Dispute) -> bool {
        let Dispute { place, expected, actual, why } = dispute;
        let wants_value = matches!(self.solver.store.node(expected), Node::Event | Node::Datatype(_));
        let is_dotted = matches!(self.solver.store.node(actual), Node::Dot(..));
        if let Place::Expr(id) = place
            && let Some(fault) = self.fault_in(id)
            && (!matches!(fault, FieldError::TooFew { .. }) || (wants_value && is_dotted))
        {
            self.report_fault(fault, Context::of(why));
            return true;
        }
        let span = self.span(place);
        let (expected_text, actual_text) = self.show_two(expected, actual);
        let (reason, other) = self.reason(why);
        let subject = self.subject_at(place);
        let makes_event = |checker: &mut Self, t: Ty| checker.solver.fields_and_result(t).1 == Ty::EVENT;
        let diagnostic = match (self.solver.store.node(expected), self.solver.store.node(actual)) {
            (Node::Function(..), _) | (_, Node::Var { .. }) => return false,
            (Node::Event | Node::Datatype(_), Node::Dot(..)) if matches!(place, Place::Pat(_)) => {
                errors::split_value(span, &expected_text, other)
            }
            _ if matches!(place, Place::Pat(_)) => return false,
            (Node::Extendable(..), Node::Int | Node::Bool | Node::Char | Node::Proc) => {
                errors::not_productive(span, &actual_text, &reason, other)
            }
            (_, Node::Function(arguments, _)) => {
                let definition = self.definition_at(place);
                errors::missing_arguments(span, &subject, arguments.len(), &expected_text, &reason, definition)
            }
            (Node::Proc, Node::Event | Node::Dotable(..)) if makes_event(self, actual) => {
                let n_missing = self.solver.fields_and_result(actual).0.len();
                errors::event_as_process(span, &subject, n_missing, &reason, self.definition_at(place))
            }
            (Node::Event, Node::Proc) => errors::process_as_event(span, &subject, &reason, self.definition_at(place)),
            (Node::Set(item), Node::Event | Node::Dotable(..))
                if self.solver.store.find(item) == Ty::EVENT && makes_event(self, actual) =>
            {
                let is_event = self.solver.store.find(actual) == Ty::EVENT;
                errors::channel_as_set(span, &subject, &reason, is_event)
            }
            (Node::Set(_), Node::Seq(_)) => {
                errors::sequence_for_set(span, &expected_text, &actual_text, &reason, other)
            }
            (Node::Seq(_), Node::Set(_)) => {
                errors::set_for_sequence(span, &expected_text, &actual_text, &reason, other)
            }
            (Node::Event | Node::Datatype(_), Node::Dotable(..)) => return self.unfinished(dispute, &reason),
            (Node::Dot(..), Node::Event | Node::Datatype(_)) => errors::split_value(span, &actual_text, other),
            _ => return false,
        };
        self.report(diagnostic);
        true
    }

    /// Reports a channel or constructor with missing fields where a complete value is required.
    fn unfinished(&mut self, dispute: Dispute, reason: &str) -> bool {
        let Dispute { place, expected, actual, why } = dispute;
        let (_, result) = self.solver.fields_and_result(actual);
        if !self.could_be(expected, result) {
            return false;
        }
        let Place::Expr(id) = place else { return false };
        if result == Ty::EVENT && reason.contains("set of events") {
            let subject = self.subject(id);
            self.report(errors::channel_in_set(self.span(place), &subject, reason));
            return true;
        }
        match self.fault_in(id) {
            Some(fault) => {
                self.report_fault(fault, Context::of(why));
                true
            }
            None => false,
        }
    }

    /// Reports a generator whose pattern does not match its collection.
    pub(super) fn bad_generator(
        &mut self,
        pat: PatId,
        collection: ExprId,
        expected: Ty,
        actual: Ty,
        why: Why,
        clash: Clash,
    ) {
        let same_kind = matches!(
            (self.solver.store.node(expected), self.solver.store.node(actual)),
            (Node::Set(_), Node::Set(_)) | (Node::Seq(_), Node::Seq(_))
        );
        if !same_kind {
            self.mismatch(Place::Expr(collection), expected, actual, why, clash);
            self.silence_pat(pat);
            return;
        }
        let items = |checker: &mut Self, t: Ty| match checker.solver.store.node(t) {
            Node::Set(item) | Node::Seq(item) => item,
            _ => t,
        };
        let (pattern, value) = (items(self, expected), items(self, actual));
        if let (Node::Dot(..), Node::Event | Node::Datatype(_)) =
            (self.solver.store.node(pattern), self.solver.store.node(value))
        {
            let text = self.show(value);
            let span = self.span(Place::Expr(collection));
            let other = Some((span, format!("the elements are `{text}`")));
            self.report(errors::split_value(self.span(Place::Pat(pat)), &text, other));
            self.silence_pat(pat);
            return;
        }
        self.mismatch(Place::Pat(pat), value, pattern, Why::Binding(collection), clash);
        self.silence_pat(pat);
    }

    /// Gives the variables of a pattern with a reported error the error type.
    pub(super) fn silence_pat(&mut self, pat: PatId) {
        // Only variables remain to be solved, and they unify with the error type.
        let _ = self.solver.equate(self.pats[pat.index()], Ty::ERROR);
    }

    /// Reports a field type that channels, constructors or nametypes cannot have.
    pub(super) fn bad_field(&mut self, id: ExprId, t: Ty, constraint: Constraint, whose: &str, clash: Clash) {
        let Clash::Constraint { t: part, .. } = clash else {
            return self.mismatch(Place::Expr(id), t, t, Why::Operator("a field needs complete values"), clash);
        };
        let text = self.show(part);
        let reason = match constraint {
            Constraint::Eq => "events must be comparable, so their fields must be too",
            _ => "a field must be a complete value",
        };
        self.report(errors::bad_field(self.span(Place::Expr(id)), &text, whose, reason));
    }
}

fn comparison_text(op: BinaryOp) -> &'static str {
    debug_assert!(is_comparison(op));
    match op {
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        _ => ">=",
    }
}
