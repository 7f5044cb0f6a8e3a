//! Comparison of dotted expressions with declarations.
//!
//! `c.x.y` and `c?x!y` must give the channel or constructor `c` its declared fields. Otherwise this locates the first
//! field that is superfluous, missing, or of the wrong type; fields of constructors inside fields count for their own
//! constructor.

use super::errors::{self, Declared};
use super::solve::Clash;
use super::store::{Node, Ty};
use super::{Checker, Place, Why};
use crate::resolve::{NameId, NameKind, PatName};
use crate::syntax::parts::{Part, for_parts};
use crate::syntax::*;
use source::Span;

/// An error in the fields of a dotted expression.
pub(super) enum FieldError {
    TooMany { at: Place, owner: NameId, given: usize },
    TooFew { at: Span, owner: NameId, given: usize },
    Type { at: Place, owner: NameId, position: usize, expected: Ty, actual: Ty },
}

/// The context of missing fields: a prefix can receive them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Prefix,
    Value,
}

impl Context {
    pub(super) fn of(why: Why) -> Context {
        match why {
            Why::Operator(text) if text.contains("prefix") => Context::Prefix,
            _ => Context::Value,
        }
    }
}

impl Checker<'_> {
    /// The components of `a.b.c` or `(a, b, c)`, if the text has `n` of them.
    pub(super) fn sub_exprs(&self, id: ExprId, n: usize) -> Vec<ExprId> {
        let id = self.unwrapped(id);
        let parts = match self.resolved.ast.expr(id) {
            Expr::Tuple(items) => items.to_vec(),
            Expr::Dot(..) => self.dotted_parts(id),
            _ => Vec::new(),
        };
        if parts.len() == n { parts } else { Vec::new() }
    }

    pub(super) fn dotted_parts(&self, id: ExprId) -> Vec<ExprId> {
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

    /// Reports dots that cannot be evaluated, at the offending component.
    pub(super) fn bad_dots(&mut self, place: Place, t: Ty, clash: Clash) {
        if self.report_comparison_in_dots(place) {
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

    /// The smallest dotted subexpression with wrong fields.
    fn faulty_part(&mut self, id: ExprId) -> Option<FieldError> {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.resolved.ast.expr(id) {
                Expr::Dot(..) => {
                    if let Some(fault) = self.fault_in(id)
                        && !matches!(fault, FieldError::TooFew { .. })
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
                    for_parts(self.resolved.ast.expr(id), &mut |part| {
                        if let Part::Expr(id) = part {
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

    /// Compares a dotted expression with the declaration of its head.
    pub(super) fn fault_in(&mut self, id: ExprId) -> Option<FieldError> {
        let parts: Vec<(Place, Ty)> =
            self.dotted_parts(id).into_iter().map(|part| (Place::Expr(part), self.exprs[part.index()])).collect();
        self.fault_of(&parts)
    }

    fn fault_in_pattern(&mut self, id: PatId) -> Option<FieldError> {
        let parts: Vec<(Place, Ty)> =
            self.dotted_pattern_parts(id).into_iter().map(|part| (Place::Pat(part), self.pats[part.index()])).collect();
        self.fault_of(&parts)
    }

    fn fault_of(&mut self, parts: &[(Place, Ty)]) -> Option<FieldError> {
        let (&(head, _), given) = parts.split_first()?;
        let owner = self.constructor_at(head)?;
        let n_declared = self.declared_fields(owner)?.len();
        let mut missing: Vec<(Ty, NameId, usize)> = Vec::new();
        self.push_fields(&mut missing, owner);
        let mut begins = vec![(owner, head)];
        let mut previous = head;
        for (i, &(place, t)) in given.iter().enumerate() {
            let is_last = i + 1 == given.len();
            let Some((expected, inner, position)) = missing.pop() else {
                // After a complete constructor, that one more likely has the superfluous field.
                return Some(match self.constructor_at(previous) {
                    Some(constructor) if constructor != owner => {
                        FieldError::TooMany { at: place, owner: constructor, given: given.len() - i }
                    }
                    _ => FieldError::TooMany { at: place, owner, given: given.len().max(n_declared + 1) },
                });
            };
            previous = place;
            let dotted = self.solver.dot_list(t);
            if dotted.len() > 1 || dotted.contains(&Ty::ERROR) {
                return None;
            }
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
                return Some(FieldError::Type { at: place, owner: inner, position, expected, actual: t });
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
        Some(FieldError::TooFew { at: self.span(begin).to(self.span(previous)), owner, given })
    }

    fn is_open(&mut self, t: Ty) -> bool {
        matches!(self.solver.store.node(t), Node::Var { .. } | Node::Rigid { .. } | Node::Extendable(..))
    }

    fn push_fields(&mut self, missing: &mut Vec<(Ty, NameId, usize)>, owner: NameId) {
        let fields = self.declared_fields(owner).unwrap_or_default();
        missing.extend(fields.into_iter().enumerate().map(|(position, t)| (t, owner, position)).rev());
    }

    /// The channel or constructor that an expression or pattern denotes.
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

    pub(super) fn report_fault(&mut self, fault: FieldError, context: Context) {
        let diagnostic = match fault {
            FieldError::TooMany { at, owner, given } => {
                let span = self.field_span(at);
                errors::too_many_fields(span, &self.declared(owner, true), given)
            }
            FieldError::TooFew { at, owner, given } => {
                let declared = self.declared(owner, false);
                let mark = if declared.kind == "channel" && context == Context::Prefix { "?" } else { "." };
                let example = format!("{}{}", declared.name, errors::fields(mark, declared.n_fields));
                errors::too_few_fields(at, &declared, given, &example)
            }
            FieldError::Type { at, owner, position, expected, actual } => {
                let (expected, actual) = self.show_two(expected, actual);
                errors::field_type(self.span(at), &self.declared(owner, false), position, &expected, &actual)
            }
        };
        self.report(diagnostic);
    }

    /// The span of the field including the mark before it.
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

    /// The text of a simple expression, or a placeholder.
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

    /// Reports a prefix whose event and fields do not form an event.
    pub(super) fn bad_prefix(&mut self, event: ExprId, fields: &[Field], types: &[Ty], clash: Clash) {
        if self.report_comparison_in_dots(Place::Expr(event)) {
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
        if parts.iter().any(|&(_, t)| self.solver.store.find(t) == Ty::ERROR) {
            // The error reported there may be the cause.
            self.failed = true;
            return;
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
}
