//! From a failed unification to a message.
//!
//! Inference only knows that two types disagree. Here the expression is taken apart again: brackets and `let`s are
//! looked through, literals are entered down to the element that is wrong, and a dotted expression is laid beside the
//! declaration of its channel or constructor to see which field does not fit. Nothing here decides whether a script is
//! accepted.

use super::constraint::Constraint;
use super::display::Printer;
use super::errors::{self, Also, Declared};
use super::expr::is_comparison;
use super::solve::Clash;
use super::store::{Node, Ty};
use super::{Checker, Place, Sameness, Why};
use crate::resolve::{NameId, NameKind, PatName};
use crate::syntax::*;
use source::Span;

/// A place where two types were compared.
#[derive(Clone, Copy)]
struct Dispute {
    place: Place,
    expected: Ty,
    actual: Ty,
    why: Why,
}

/// What is wrong with the fields of a dotted expression.
enum Fault {
    TooMany { at: Place, owner: NameId, given: usize },
    TooFew { at: Span, owner: NameId, given: usize },
    Type { at: Place, owner: NameId, position: usize, expected: Ty, actual: Ty },
}

/// Where fields are missing: a prefix can receive them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Prefix,
    Value,
}

impl Context {
    fn of(why: Why) -> Context {
        match why {
            Why::Operator(text) if text.contains("prefix") => Context::Prefix,
            _ => Context::Value,
        }
    }
}

impl Checker<'_> {
    pub(super) fn show(&self, t: Ty) -> String {
        Printer::new(&self.solver.store, self.resolved).show(t)
    }

    fn show_two(&self, a: Ty, b: Ty) -> (String, String) {
        let mut printer = Printer::new(&self.solver.store, self.resolved);
        (printer.show_short(a, 120), printer.show_short(b, 120))
    }

    /// How to speak of an expression: by its name if it has one.
    pub(super) fn subject(&self, id: ExprId) -> String {
        match self.named(id) {
            Some(name) => format!("`{}`", self.resolved.text(name)),
            None => "this".to_owned(),
        }
    }

    fn subject_at(&self, place: Place) -> String {
        match place {
            Place::Expr(id) => self.subject(id),
            _ => "this".to_owned(),
        }
    }

    fn named(&self, id: ExprId) -> Option<NameId> {
        match self.resolved.ast.expr(self.unwrapped(id)) {
            Expr::Name(_) => self.resolved.expr_name(self.unwrapped(id)),
            _ => None,
        }
    }

    fn unwrapped(&self, mut id: ExprId) -> ExprId {
        while let &Expr::Paren(inner) = self.resolved.ast.expr(id) {
            id = inner;
        }
        id
    }

    /// Where the name that an expression consists of is defined.
    pub(super) fn definition_of(&self, id: ExprId) -> Also {
        let name = self.named(id)?;
        let info = self.resolved.name(name);
        match info.kind {
            NameKind::Builtin(_) => None,
            _ => Some((info.span, format!("`{}` is defined here", self.resolved.text(name)))),
        }
    }

    /// Where the name at a place gets its value: for the parameter of a module that is the argument of the instance.
    fn value_at(&self, place: Place, t: &str) -> Also {
        let Place::Expr(id) = place else { return None };
        let name = self.named(id)?;
        let info = self.resolved.name(name);
        let value = match info.kind {
            NameKind::Value(decl) => match self.resolved.ast.decl(decl) {
                Decl::Pattern(_, value) => Some(self.resolved.ast.expr_span(*value)),
                _ => None,
            },
            _ => None,
        };
        let is_instance = value.is_some_and(|value| value.start < info.span.start || value.start > info.span.end + 80);
        match info.kind {
            NameKind::Builtin(_) | NameKind::Parameter => None,
            _ if is_instance => value.map(|span| (span, format!("`{}` is `{t}` here", self.resolved.text(name)))),
            _ => Some((info.span, format!("`{}` is `{t}`", self.resolved.text(name)))),
        }
    }

    fn definition_at(&self, place: Place) -> Also {
        match place {
            Place::Expr(id) => self.definition_of(id),
            _ => None,
        }
    }

    /// The parts of `a.b.c` or `(a, b, c)`, if there are `n` of them in the text.
    pub(super) fn sub_exprs(&self, id: ExprId, n: usize) -> Vec<ExprId> {
        let id = self.unwrapped(id);
        let parts = match self.resolved.ast.expr(id) {
            Expr::Tuple(items) => items.to_vec(),
            Expr::Dot(..) => self.dotted_parts(id),
            _ => Vec::new(),
        };
        if parts.len() == n { parts } else { Vec::new() }
    }

    fn dotted_parts(&self, id: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let inner = self.unwrapped(id);
            match self.resolved.ast.expr(inner) {
                &Expr::Dot(left, right) => pending.extend([right, left]),
                _ => parts.push(id),
            }
        }
        parts
    }

    fn dotted_pattern_parts(&self, id: PatId) -> Vec<PatId> {
        let mut parts = Vec::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match *self.resolved.ast.pat(id) {
                Pat::Dot(left, right) => pending.extend([right, left]),
                Pat::Paren(inner) => pending.push(inner),
                _ => parts.push(id),
            }
        }
        parts
    }

    /// Reports that `actual` at `place` is not the `expected` type.
    pub(super) fn mismatch(&mut self, place: Place, expected: Ty, actual: Ty, why: Why, clash: Clash) {
        if self.swallowed_comparison(place) {
            return;
        }
        let dispute = Dispute { place, expected, actual, why };
        match clash {
            // What uses a type that is too large is too large as well, and once exhausted nothing is checked any more.
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

    /// A parameter that was complained about agrees with everything from now on.
    fn silence(&mut self, place: Place) {
        let Place::Expr(id) = place else { return };
        if let Some(name) = self.named(id)
            && self.resolved.name(name).kind == NameKind::Parameter
        {
            self.names[name.index()].ty = Ty::ERROR;
        }
    }

    /// `a.b == c.d` without parentheses explains everything that is wrong around it.
    fn swallowed_comparison(&mut self, place: Place) -> bool {
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

    /// Why something is expected, in words, and the other place involved.
    fn reason(&self, why: Why) -> (String, Also) {
        let ast = &self.resolved.ast;
        match why {
            Why::Operator(text) => (text.to_owned(), None),
            Why::Argument { call, index } => {
                let function = match ast.expr(call) {
                    Expr::Call(function, _) => *function,
                    _ => call,
                };
                let text = format!("the {} argument of {}", errors::ordinal(index + 1), self.subject(function));
                (text, self.definition_of(function))
            }
            Why::Same(other, sameness) => {
                let t = self.show(self.exprs[other.index()]);
                let (here, there) = match sameness {
                    Sameness::Elements => ("all elements must have one type", "the first element is"),
                    Sameness::Branches => ("both branches must have one type", "the `then` branch is"),
                    Sameness::Operands => ("both sides must have one type", "the left side is"),
                    Sameness::Keys => ("all keys must have one type", "the first key is"),
                    Sameness::Values => ("all values must have one type", "the first value is"),
                };
                (here.to_owned(), Some((ast.expr_span(other), format!("{there} `{t}`"))))
            }
            Why::SamePattern(other) => {
                let t = self.show(self.pats[other.index()]);
                let other = (ast.pat_span(other), format!("this pattern matches `{t}`"));
                ("both patterns must match one type".to_owned(), Some(other))
            }
            Why::Annotation(span) => {
                ("the annotation says otherwise".to_owned(), Some((span, "annotated here".to_owned())))
            }
            Why::Equation { earlier } => {
                let text = "all equations must have one type".to_owned();
                (text, Some((earlier, "the first equation has another type here".to_owned())))
            }
            Why::Binding(value) => {
                let t = self.show(self.exprs[value.index()]);
                ("the pattern does not match".to_owned(), Some((ast.expr_span(value), format!("the value is `{t}`"))))
            }
            Why::Generator(kind) => (format!("this generator draws from a {kind}"), None),
            Why::InputSet(pat) => {
                let text = "an input is restricted by a set of what it receives".to_owned();
                (text, Some((ast.pat_span(pat), "the input".to_owned())))
            }
            Why::Tie(left) => ("both sides must miss the same fields".to_owned(), self.definition_of(left)),
            Why::SubtypeField(name) => {
                let place = (self.resolved.name(name).span, "the constructor is declared here".to_owned());
                ("a subtype restricts the fields of its constructor".to_owned(), Some(place))
            }
        }
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
                errors::argument(span, texts, &self.subject(function), index, signature.as_deref(), definition)
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

    /// The type of the function that is called, if it has a name.
    fn signature(&self, function: ExprId) -> Option<String> {
        let name = self.named(function)?;
        let known = self.names[name.index()].ty;
        (known != Ty::NONE && known != Ty::ERROR)
            .then(|| Printer::new(&self.solver.store, self.resolved).show_scheme(known))
    }

    /// Reports an annotation whose variable would have to be something in particular.
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

    /// Enters the expression as long as one part of it is to blame.
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
            // The reason spoke of the whole; of an element it is true only if it is an operator's.
            let why = match dispute.why {
                Why::Argument { .. } if self.unwrapped(id) == id => Why::Operator("this does not fit the argument"),
                why => why,
            };
            dispute = Dispute { place: Place::Expr(item), expected: t, actual, why };
        }
        dispute
    }

    /// Whether two types may agree; only a certain "no" is `false`.
    fn could_be(&self, a: Ty, b: Ty) -> bool {
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

    /// Reports the confusions that newcomers meet, each with its own remedy.
    fn known_confusion(&mut self, dispute: Dispute) -> bool {
        let Dispute { place, expected, actual, why } = dispute;
        let wants_value = matches!(self.solver.store.node(expected), Node::Event | Node::Datatype(_));
        let is_dotted = matches!(self.solver.store.node(actual), Node::Dot(..));
        if let Place::Expr(id) = place
            && let Some(fault) = self.fault_in(id)
            && (!matches!(fault, Fault::TooFew { .. }) || (wants_value && is_dotted))
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

    /// A channel or constructor that misses fields where a complete value is expected.
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

    /// Reports dots that cannot be simplified, at the part that is wrong.
    pub(super) fn bad_dots(&mut self, place: Place, t: Ty, clash: Clash) {
        if self.swallowed_comparison(place) {
            return;
        }
        if let Place::Expr(id) = place
            && let Some(fault) = self.faulty_part(id)
        {
            return self.report_fault(fault, Context::Value);
        }
        if let Place::Pat(id) = place
            && let Some(fault) = self.fault_in_pattern(id)
        {
            return self.report_fault(fault, Context::Value);
        }
        let (expected, actual) = match clash {
            Clash::Types { expected, actual } => (expected, actual),
            _ => (t, t),
        };
        self.mismatch(place, expected, actual, Why::Operator("a dotted value must fit its declaration"), clash);
    }

    /// The smallest dotted part of an expression whose fields are wrong.
    fn faulty_part(&mut self, id: ExprId) -> Option<Fault> {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.resolved.ast.expr(id) {
                Expr::Dot(..) => {
                    if let Some(fault) = self.fault_in(id)
                        && !matches!(fault, Fault::TooFew { .. })
                    {
                        return Some(fault);
                    }
                }
                Expr::Paren(_)
                | Expr::Tuple(_)
                | Expr::Set(_)
                | Expr::Seq(_)
                | Expr::If(..)
                | Expr::Let(..)
                | Expr::Comprehension { .. } => {
                    let start = pending.len();
                    super::graph::for_parts(self.resolved.ast.expr(id), &mut |part| {
                        if let super::graph::Part::Expr(id) = part {
                            pending.push(id);
                        }
                    });
                    pending[start..].reverse();
                }
                _ => {}
            }
        }
        None
    }

    /// Lays a dotted expression beside the declaration of what it begins with.
    fn fault_in(&mut self, id: ExprId) -> Option<Fault> {
        let parts: Vec<(Place, Ty)> =
            self.dotted_parts(id).into_iter().map(|part| (Place::Expr(part), self.exprs[part.index()])).collect();
        self.fault_of(&parts)
    }

    fn fault_in_pattern(&mut self, id: PatId) -> Option<Fault> {
        let parts: Vec<(Place, Ty)> =
            self.dotted_pattern_parts(id).into_iter().map(|part| (Place::Pat(part), self.pats[part.index()])).collect();
        self.fault_of(&parts)
    }

    fn fault_of(&mut self, parts: &[(Place, Ty)]) -> Option<Fault> {
        let (&(head, _), given) = parts.split_first()?;
        let owner = self.constructor_at(head)?;
        let n_declared = self.declared_fields(owner)?.len();
        let mut missing: Vec<(Ty, NameId, usize)> = Vec::new();
        self.push_fields(&mut missing, owner);
        let mut begins = vec![(owner, head)];
        let mut previous = head;
        for (i, &(place, t)) in given.iter().enumerate() {
            let is_last = i + 1 == given.len();
            let dotted = self.solver.dot_list(t);
            if dotted.len() > 1 || dotted.contains(&Ty::ERROR) {
                return None;
            }
            let Some((expected, inner, position)) = missing.pop() else {
                // Behind a constructor that is complete, that one is the more likely to be mistaken.
                return Some(match self.constructor_at(previous) {
                    Some(constructor) if constructor != owner => {
                        Fault::TooMany { at: place, owner: constructor, given: given.len() - i }
                    }
                    _ => Fault::TooMany { at: place, owner, given: given.len().max(n_declared + 1) },
                });
            };
            previous = place;
            if self.is_open(t) {
                if is_last {
                    return None;
                }
                continue;
            }
            let constructor = self.constructor_at(place);
            let (own_fields, result) = self.solver.fields_and_result(t);
            if matches!(self.solver.store.node(expected), Node::Dotable(..)) {
                return None;
            }
            if !self.could_be(expected, result) {
                return Some(Fault::Type { at: place, owner: inner, position, expected, actual: t });
            }
            match constructor {
                Some(constructor) if !own_fields.is_empty() => {
                    begins.push((constructor, place));
                    self.push_fields(&mut missing, constructor);
                }
                _ if !own_fields.is_empty() => return None,
                _ => {}
            }
        }
        let &(_, owner, given) = missing.last()?;
        let begin = begins.iter().rev().find(|(name, _)| *name == owner).map_or(head, |&(_, place)| place);
        Some(Fault::TooFew { at: self.span(begin).to(self.span(previous)), owner, given })
    }

    fn is_open(&mut self, t: Ty) -> bool {
        matches!(self.solver.store.node(t), Node::Var { .. } | Node::Rigid { .. } | Node::Extendable(..))
    }

    fn push_fields(&mut self, missing: &mut Vec<(Ty, NameId, usize)>, owner: NameId) {
        let fields = self.declared_fields(owner).unwrap_or_default();
        missing.extend(fields.into_iter().enumerate().map(|(position, t)| (t, owner, position)).rev());
    }

    /// The channel or constructor that an expression or pattern is.
    fn constructor_at(&self, place: Place) -> Option<NameId> {
        let name = match place {
            Place::Expr(id) => self.named(id)?,
            Place::Pat(id) => match self.resolved.pat_name(id)? {
                PatName::Matches(name) => name,
                PatName::Binds(_) => return None,
            },
            Place::Span(_) => return None,
        };
        matches!(self.resolved.name(name).kind, NameKind::Channel(_) | NameKind::Constructor(_)).then_some(name)
    }

    fn declared_fields(&mut self, name: NameId) -> Option<Vec<Ty>> {
        let t = self.names[name.index()].ty;
        if t == Ty::NONE {
            return None;
        }
        let (fields, result) = self.solver.fields_and_result(t);
        matches!(self.solver.store.node(result), Node::Event | Node::Datatype(_)).then_some(fields)
    }

    fn report_fault(&mut self, fault: Fault, context: Context) {
        let diagnostic = match fault {
            Fault::TooMany { at, owner, given } => {
                let span = self.field_span(at);
                errors::too_many_fields(span, &self.declared(owner, true), given)
            }
            Fault::TooFew { at, owner, given } => {
                let declared = self.declared(owner, false);
                let mark = if declared.kind == "channel" && context == Context::Prefix { "?" } else { "." };
                let example = format!("{}{}", declared.name, errors::fields(mark, declared.n_fields));
                errors::too_few_fields(at, &declared, given, &example)
            }
            Fault::Type { at, owner, position, expected, actual } => {
                let (expected, actual) = self.show_two(expected, actual);
                errors::field_type(self.span(at), &self.declared(owner, false), position, &expected, &actual)
            }
        };
        self.report(diagnostic);
    }

    /// The field with the mark before it.
    fn field_span(&self, at: Place) -> Span {
        let span = self.span(at);
        Span::new(span.start.saturating_sub(1), span.end)
    }

    fn declared(&mut self, name: NameId, with_another: bool) -> Declared<'_> {
        let n_fields = self.declared_fields(name).map_or(0, |fields| fields.len());
        let resolved = self.resolved;
        let info = resolved.name(name);
        let (kind, fields) = match info.kind {
            NameKind::Channel(decl) => match resolved.ast.decl(decl) {
                Decl::Channel { fields, .. } => ("channel", *fields),
                _ => ("channel", None),
            },
            NameKind::Constructor(decl) => match resolved.ast.decl(decl) {
                Decl::Datatype { clauses, .. } => {
                    let clause = clauses.iter().find(|clause| clause.name.span == info.span);
                    ("constructor", clause.and_then(|clause| clause.fields))
                }
                _ => ("constructor", None),
            },
            _ => ("channel", None),
        };
        let name = resolved.text(name);
        let mut sets: Vec<String> = fields.map_or_else(Vec::new, |fields| {
            self.dotted_parts(fields).into_iter().map(|part| self.short_text(part)).collect()
        });
        if with_another {
            sets.push("…".to_owned());
        }
        let line = match (kind, sets.is_empty()) {
            ("channel", true) => format!("channel {name}"),
            ("channel", false) => format!("channel {name} : {}", sets.join(".")),
            (_, true) => name.to_owned(),
            (_, false) => format!("{name}.{}", sets.join(".")),
        };
        Declared { name, kind, n_fields, span: Some(info.span), line }
    }

    /// The text of a simple expression; of others only that they are there.
    fn short_text(&self, id: ExprId) -> String {
        match self.resolved.ast.expr(id) {
            Expr::Name(path) => {
                let parts: Vec<&str> = path.iter().map(|part| self.resolved.ast.symbols.text(part.symbol)).collect();
                parts.join("::")
            }
            Expr::Int(value) => value.to_string(),
            Expr::Paren(inner) => format!("({})", self.short_text(*inner)),
            Expr::Range { from, to: Some(to), statements, .. } if statements.is_empty() => {
                format!("{{{}..{}}}", self.short_text(*from), self.short_text(*to))
            }
            Expr::Set(_) | Expr::Comprehension { .. } => "{…}".to_owned(),
            _ => "…".to_owned(),
        }
    }

    /// Reports a prefix whose event and fields do not make an event.
    pub(super) fn bad_prefix(&mut self, event: ExprId, fields: &[Field], types: &[Ty], clash: Clash) {
        if self.swallowed_comparison(Place::Expr(event)) {
            return;
        }
        let mut parts: Vec<(Place, Ty)> =
            self.dotted_parts(event).into_iter().map(|part| (Place::Expr(part), self.exprs[part.index()])).collect();
        for (&field, &t) in fields.iter().zip(types) {
            match field {
                Field::Output(value) => {
                    let values = self.dotted_parts(value);
                    parts.extend(values.into_iter().map(|part| (Place::Expr(part), self.exprs[part.index()])));
                }
                Field::Input(pat, None) | Field::NondetInput(pat, None) => {
                    let pats = self.dotted_pattern_parts(pat);
                    parts.extend(pats.into_iter().map(|part| (Place::Pat(part), self.pats[part.index()])));
                }
                Field::Input(pat, Some(_)) | Field::NondetInput(pat, Some(_)) => parts.push((Place::Pat(pat), t)),
            }
        }
        let end = fields.last().map(|field| match *field {
            Field::Output(value) => self.span(Place::Expr(value)),
            Field::Input(pat, set) | Field::NondetInput(pat, set) => {
                set.map_or(self.span(Place::Pat(pat)), |set| self.span(Place::Expr(set)))
            }
        });
        let whole = self.span(Place::Expr(event));
        let whole = end.map_or(whole, |end| whole.to(end));
        if let Some(fault) = self.fault_of(&parts) {
            return self.report_fault(fault, Context::Prefix);
        }
        let head = self.exprs[event.index()];
        let is_channel = {
            let (_, result) = self.solver.fields_and_result(head);
            self.could_be(Ty::EVENT, result)
        };
        if !is_channel {
            let (subject, text) = (self.subject(event), self.show(head));
            let definition = self.definition_of(event);
            self.report(errors::not_a_channel(self.span(Place::Expr(event)), &subject, &text, definition));
            return;
        }
        let why = Why::Operator("the event and its fields must make an event");
        let (expected, actual) = match clash {
            Clash::Types { expected, actual } => (expected, actual),
            _ => (Ty::EVENT, head),
        };
        self.mismatch(Place::Span(whole), expected, actual, why, clash);
    }

    /// Reports a generator whose pattern and collection do not fit.
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
            return self.mismatch(Place::Expr(collection), expected, actual, why, clash);
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
            return;
        }
        self.mismatch(Place::Pat(pat), value, pattern, Why::Binding(collection), clash);
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
