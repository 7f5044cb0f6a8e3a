//! Declarations of sets of values: channels, datatypes, subtypes and nametypes.

use super::constraint::Constraint;
use super::store::{Node, Ty};
use super::{Checker, Place, Why, errors};
use crate::resolve::NameId;
use crate::syntax::*;
use source::Span;

impl Checker<'_> {
    pub(super) fn check_channel(&mut self, id: DeclId, fields: Option<ExprId>) {
        let names = self.resolved.decl_names(id);
        let annotation = names.first().and_then(|&name| self.annotation(name));
        let annotation = annotation.map(|(annotated, span)| (annotated.ty, span));
        let t = match fields {
            None => Ty::EVENT,
            Some(fields) => {
                let expected = annotation.map(|(annotated, span)| (self.annotated_fields(annotated), span));
                match self.field_types(fields, &[Constraint::Eq, Constraint::Complete], expected, "a channel") {
                    Some(types) => self.solver.store.dotable(&types, Ty::EVENT),
                    None => Ty::ERROR,
                }
            }
        };
        if let Some((annotated, span)) = annotation
            && let Err(clash) = self.solver.equate(annotated, t)
        {
            self.mismatch(Place::Span(span), t, annotated, Why::Operator("the declaration says otherwise"), clash);
        }
        for &name in names {
            self.define(name, t);
        }
    }

    /// The types of fields that an annotation `a => b => Event` requires.
    fn annotated_fields(&mut self, annotated: Ty) -> Option<Ty> {
        let (fields, _) = self.solver.fields_and_result(annotated);
        let sets: Vec<Ty> = fields.into_iter().map(|field| self.solver.store.add(Node::Set(field))).collect();
        (!sets.is_empty()).then(|| self.solver.store.dots(&sets))
    }

    /// The types of the fields that a type expression `A.B` declares; `None` after an error.
    fn field_types(
        &mut self,
        fields: ExprId,
        constraints: &[Constraint],
        annotated: Option<(Option<Ty>, Span)>,
        whose: &'static str,
    ) -> Option<Vec<Ty>> {
        match annotated {
            Some((Some(sets), span)) => self.expect(fields, sets, Why::Annotation(span)),
            _ => self.infer(fields),
        };
        let t = self.settle_expr(fields);
        let values = self.values_of(fields, t, whose)?;
        for &constraint in constraints {
            if let Err(clash) = self.solver.require(constraint, values) {
                self.bad_field(fields, values, constraint, whose, clash);
                return None;
            }
        }
        let types = self.solver.dot_list(values);
        (!types.contains(&Ty::ERROR)).then_some(types)
    }

    /// The type of the elements of a set, or of a dot or tuple of sets.
    fn values_of(&mut self, id: ExprId, t: Ty, whose: &'static str) -> Option<Ty> {
        let t = self.solver.store.find(t);
        match self.solver.store.node_at(t) {
            Node::Error => None,
            Node::Set(values) => Some(self.solver.store.find(values)),
            Node::Tuple(items) => {
                let parts = self.sub_exprs(id, items.len());
                let values: Option<Vec<Ty>> = (0..items.len())
                    .map(|i| {
                        self.values_of(parts.get(i).copied().unwrap_or(id), self.solver.store.list(items)[i], whose)
                    })
                    .collect();
                Some(self.solver.store.tuple(&values?))
            }
            Node::Dot(..) => {
                let items = self.solver.dot_list(t);
                let parts = self.sub_exprs(id, items.len());
                let values: Option<Vec<Ty>> = items
                    .iter()
                    .enumerate()
                    .map(|(i, &item)| self.values_of(parts.get(i).copied().unwrap_or(id), item, whose))
                    .collect();
                Some(self.solver.store.dots(&values?))
            }
            _ => {
                let values = self.solver.any();
                let set = self.solver.store.add(Node::Set(values));
                match self.solver.equate(t, set) {
                    Ok(_) => Some(self.solver.store.find(values)),
                    Err(_) => {
                        let text = self.show(t);
                        let diagnostic = errors::not_a_set_of_values(self.resolved.ast.expr_span(id), &text, whose);
                        self.report(diagnostic);
                        None
                    }
                }
            }
        }
    }

    /// Sets the type of a name, which may have been used in its group before.
    fn define(&mut self, name: NameId, t: Ty) {
        let used_as = self.names[name.index()].ty;
        if let Err(clash) = self.solver.equate(t, used_as) {
            let place = Place::Span(self.resolved.name(name).span);
            self.mismatch(place, t, used_as, Why::Operator("it is declared this way"), clash);
        }
        if self.solver.store.find(t) == Ty::ERROR {
            self.forget(name);
        }
    }

    pub(super) fn check_datatype(&mut self, id: DeclId, clauses: &[Clause]) {
        let Some((&name, constructors)) = self.resolved.decl_names(id).split_first() else { return };
        let datatype = self.solver.store.add(Node::Datatype(name));
        let set = self.solver.store.add(Node::Set(datatype));
        self.define(name, set);
        for (clause, &constructor) in clauses.iter().zip(constructors) {
            let types = match clause.fields {
                None => Some(Vec::new()),
                Some(fields) => self.field_types(fields, &[Constraint::Complete], None, "a constructor"),
            };
            let t = types.map_or(Ty::ERROR, |types| self.solver.store.dotable(&types, datatype));
            if let Some((annotated, span)) = self.annotation(constructor)
                && let Err(clash) = self.solver.equate(annotated.ty, t)
            {
                self.mismatch(
                    Place::Span(span),
                    t,
                    annotated.ty,
                    Why::Operator("the declaration says otherwise"),
                    clash,
                );
            }
            self.define(constructor, t);
        }
    }

    pub(super) fn check_subtype(&mut self, id: DeclId, clauses: &[Clause]) {
        let Some((&name, constructors)) = self.resolved.decl_names(id).split_first() else { return };
        let parent = self.solver.any();
        for (clause, &constructor) in clauses.iter().zip(constructors) {
            let types = match clause.fields {
                None => Some(Vec::new()),
                Some(fields) => self.field_types(fields, &[Constraint::Complete], None, "a constructor"),
            };
            let declared = self.type_of_use(constructor);
            let Some(types) = types else { continue };
            if self.solver.store.find(declared) == Ty::ERROR {
                continue;
            }
            let (fields, datatype) = self.solver.fields_and_result(declared);
            let constructor_span = self.resolved.name(constructor).span;
            if types.len() > fields.len() {
                let span = clause.fields.map_or(clause.name.span, |fields| self.resolved.ast.expr_span(fields));
                let text = self.resolved.text(constructor);
                let diagnostic = errors::subtype_fields(span, text, fields.len(), types.len(), constructor_span);
                self.report(diagnostic);
                continue;
            }
            let expected = self.solver.extendable(parent);
            if self.solver.equate(expected, datatype).is_err() {
                let (parent, datatype) = (self.show(parent), self.show(datatype));
                let text = self.resolved.text(constructor);
                let diagnostic =
                    errors::subtype_of_another(clause.name.span, text, &datatype, &parent, constructor_span);
                self.report(diagnostic);
                continue;
            }
            for (field, given) in fields.into_iter().zip(types) {
                if let Err(clash) = self.solver.equate(field, given) {
                    let place = clause.fields.map_or(Place::Span(clause.name.span), Place::Expr);
                    self.mismatch(place, field, given, Why::SubtypeField(constructor), clash);
                }
            }
        }
        let set = self.solver.store.add(Node::Set(parent));
        self.define(name, set);
    }

    pub(super) fn check_nametype(&mut self, id: DeclId, value: ExprId) {
        let Some(&name) = self.resolved.decl_names(id).first() else { return };
        match self.annotation(name) {
            Some((annotated, span)) => self.expect(value, annotated.ty, Why::Annotation(span)),
            None => self.infer(value),
        };
        let t = self.settle_expr(value);
        let Some(values) = self.values_of(value, t, "a nametype") else {
            self.forget(name);
            return;
        };
        if let Err(clash) = self.solver.require(Constraint::Complete, values) {
            self.bad_field(value, values, Constraint::Complete, "a nametype", clash);
        }
        let set = self.solver.store.add(Node::Set(values));
        self.define(name, set);
    }
}
