//! Declarations, a group of mutually recursive ones at a time.

use super::annotation::Annotated;
use super::constraint::Constraint;
use super::store::{Node, Ty};
use super::{Checker, NameType, Place, Why, errors, graph};
use crate::resolve::{NameId, NameKind};
use crate::syntax::*;
use source::Span;

impl<'a> Checker<'a> {
    /// Checks the declarations of the script or of a module's body and makes them general.
    pub(super) fn check_top(&mut self, block: &[DeclId]) {
        for group in self.groups(block) {
            self.check_top_group(&group);
        }
    }

    /// Checks the declarations of a `let`. Only annotated ones become general.
    pub(super) fn check_let(&mut self, block: &[DeclId]) {
        for group in self.groups(block) {
            self.check_local_group(&group);
        }
    }

    fn groups(&mut self, block: &[DeclId]) -> Vec<Vec<DeclId>> {
        let flat = graph::flatten(&self.resolved.ast, block);
        for &decl in &flat {
            if let Decl::Annotation { .. } = self.resolved.ast.decl(decl) {
                for &name in self.resolved.decl_names(decl) {
                    // A second annotation was reported when it was read.
                    self.annotations.entry(name).or_insert(decl);
                }
            }
        }
        self.uses.components(&flat, &mut self.scratch)
    }

    fn check_top_group(&mut self, group: &[DeclId]) {
        let ast = &self.resolved.ast;
        let (datatypes, others): (Vec<DeclId>, Vec<DeclId>) =
            group.iter().partition(|&&decl| matches!(ast.decl(decl), Decl::Datatype { .. }));
        let n_diagnostics = self.diagnostics.len();
        let failed = self.check_general_group(&datatypes, &others);
        if !failed.is_empty() {
            // Some field cannot be compared, so no datatype of the group can: what relied on it is checked again.
            for datatype in failed {
                self.solver.set_incomparable(datatype);
            }
            for dropped in self.diagnostics.drain(n_diagnostics..) {
                self.reported.remove(&(dropped.primary.span, dropped.code));
            }
            self.check_general_group(&datatypes, &others);
        }
        for &decl in group {
            self.check_ambiguity(decl);
        }
    }

    /// Checks a group and makes it general. Returns the datatypes when some turned out to hold incomparable fields.
    fn check_general_group(&mut self, datatypes: &[DeclId], others: &[DeclId]) -> Vec<NameId> {
        self.solver.level += 1;
        let group = || datatypes.iter().chain(others).copied();
        group().for_each(|decl| self.bind_names(decl));
        group().for_each(|decl| self.check_decl(decl));
        let incomparable = self.incomparable(datatypes);
        self.solver.level -= 1;
        for decl in group() {
            for &name in self.bound_names(decl) {
                self.generalize(name);
            }
        }
        incomparable
    }

    fn check_local_group(&mut self, group: &[DeclId]) {
        let annotated: Vec<NameId> = group
            .iter()
            .flat_map(|&decl| self.bound_names(decl))
            .copied()
            .filter(|name| self.annotations.contains_key(name))
            .collect();
        self.solver.level += u32::from(!annotated.is_empty());
        group.iter().for_each(|&decl| self.bind_names(decl));
        group.iter().for_each(|&decl| self.check_decl(decl));
        if annotated.is_empty() {
            return;
        }
        self.solver.level -= 1;
        for &decl in group {
            for name in self.bound_names(decl) {
                if !annotated.contains(name) {
                    self.solver.keep_monomorphic(self.names[name.index()].ty);
                }
            }
        }
        for name in annotated {
            self.generalize(name);
        }
    }

    /// The names a declaration defines.
    fn bound_names(&self, decl: DeclId) -> &'a [NameId] {
        let names = self.resolved.decl_names(decl);
        match self.resolved.ast.decl(decl) {
            Decl::Annotation { .. } | Decl::Import { .. } | Decl::Timed { .. } => &[],
            Decl::Subtype { .. } => names.get(..1).unwrap_or(&[]),
            _ => names,
        }
    }

    fn bind_names(&mut self, decl: DeclId) {
        for name in self.bound_names(decl) {
            let ty = self.solver.any();
            self.names[name.index()] = NameType { ty, quantified: (0, 0) };
        }
    }

    fn generalize(&mut self, name: NameId) {
        let ty = self.names[name.index()].ty;
        let variables = self.solver.generalizable(ty);
        self.set_scheme(name, ty, &variables);
    }

    /// Makes a name agree with everything: its definition has been complained about.
    fn forget(&mut self, name: NameId) {
        self.names[name.index()] = NameType { ty: Ty::ERROR, quantified: (0, 0) };
    }

    fn check_decl(&mut self, id: DeclId) {
        self.failed = false;
        let resolved = self.resolved;
        match resolved.ast.decl(id) {
            Decl::Function { equations, .. } => self.check_function(id, equations),
            Decl::Pattern(pat, value) => self.check_binding(id, *pat, *value),
            Decl::Channel { fields, .. } => self.check_channel(id, *fields),
            Decl::Datatype { clauses, .. } => self.check_datatype(id, clauses),
            Decl::Subtype { clauses, .. } => self.check_subtype(id, clauses),
            Decl::Nametype(_, value) => self.check_nametype(id, *value),
            Decl::Assert(assertion) => self.check_assertion(assertion),
            Decl::Timed { function, .. } => self.check_timed(id, *function),
            Decl::Print(value, _) => {
                self.infer(*value);
                self.settle_expr(*value);
            }
            Decl::Error => {
                for &name in self.bound_names(id) {
                    self.forget(name);
                }
            }
            Decl::Annotation { .. } | Decl::Import { .. } | Decl::Module { .. } | Decl::Instance { .. } => {}
        }
        if self.failed {
            for &name in self.bound_names(id) {
                match self.annotations.get(&name) {
                    Some(_) if matches!(resolved.ast.decl(id), Decl::Function { .. } | Decl::Pattern(..)) => {}
                    _ => self.forget(name),
                }
            }
        }
        self.failed = false;
    }

    /// The annotation of a name: the type it gives, and where it stands.
    fn annotation(&mut self, name: NameId) -> Option<(Annotated, Span)> {
        let decl = *self.annotations.get(&name)?;
        let Decl::Annotation { scheme, .. } = self.resolved.ast.decl(decl) else { return None };
        Some((self.annotated_type(scheme), self.resolved.ast.decl_span(decl)))
    }

    fn check_function(&mut self, id: DeclId, equations: &[Equation]) {
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

    /// Complains about equations of one function that take different numbers of arguments.
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
            // The body may have decided dots in the patterns.
            let arguments: Vec<Ty> = group.iter().map(|&pat| self.settle_pat(pat)).collect();
            self.solver.store.function(&arguments, result)
        })
    }

    /// The common type of two equations. They have the same number of arguments, so that each pair can be compared (and
    /// complained about) alone.
    fn join_equations(&mut self, earlier: Ty, first: &Equation, later: Ty, equation: &Equation) -> Ty {
        let (mut earlier, mut later) = (earlier, later);
        let mut groups: Vec<Vec<Ty>> = Vec::new();
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
                arguments.push(self.join(Place::Pat(pat), expected, actual, why));
            }
            groups.push(arguments);
            (earlier, later) = (before_result, now_result);
        }
        let why = Why::Equation { earlier: self.resolved.ast.expr_span(first.body) };
        let result = self.join(Place::Expr(equation.body), earlier, later, why);
        groups.into_iter().rev().fold(result, |result, arguments| self.solver.store.function(&arguments, result))
    }

    fn join(&mut self, place: Place, expected: Ty, actual: Ty, why: Why) -> Ty {
        match self.solver.equate(expected, actual) {
            Ok(t) => t,
            Err(clash) => {
                self.mismatch(place, expected, actual, why, clash);
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
        // The pattern is what takes the value apart, so it comes first.
        let result = self.solver.settle(argument).and_then(|argument| self.solver.match_pattern(actual, argument));
        match result.and_then(|t| self.solver.settle(t)) {
            Ok(t) => self.pats[pat.index()] = t,
            Err(clash) => self.mismatch(Place::Pat(pat), argument, actual, Why::Annotation(span), clash),
        }
    }

    fn check_binding(&mut self, id: DeclId, pat: PatId, value: ExprId) {
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
        if let Err(clash) = self.solver.match_pattern(expected, actual) {
            self.mismatch(Place::Pat(pat), expected, actual, Why::Binding(value), clash);
        }
        if self.failed && single.is_none() {
            return;
        }
        // The settled type is the one to show and to make general.
        if let Some(name) = single {
            let bound = self.names[name.index()].ty;
            if let Ok(settled) = self.solver.settle(bound) {
                self.names[name.index()].ty = settled;
            }
        }
    }

    fn check_channel(&mut self, id: DeclId, fields: Option<ExprId>) {
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

    /// The sets that an annotation `a => b => Event` asks the fields to be.
    fn annotated_fields(&mut self, annotated: Ty) -> Option<Ty> {
        let (fields, _) = self.solver.fields_and_result(annotated);
        let sets: Vec<Ty> = fields.into_iter().map(|field| self.solver.store.add(Node::Set(field))).collect();
        (!sets.is_empty()).then(|| self.solver.store.dots(&sets))
    }

    /// The types of the fields that a type expression `A.B` declares; `None` if they are unknown because of an error.
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

    /// The values that a set, or a dot or tuple of sets, ranges over.
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

    /// Gives a name its type; it may have been used before in its group.
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

    fn check_datatype(&mut self, id: DeclId, clauses: &[Clause]) {
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

    /// All datatypes of a group if the fields of one cannot be compared although they were taken to be comparable.
    fn incomparable(&mut self, datatypes: &[DeclId]) -> Vec<NameId> {
        let resolved = self.resolved;
        let names: Vec<NameId> =
            datatypes.iter().filter_map(|&decl| resolved.decl_names(decl).first().copied()).collect();
        let assumed = names.iter().any(|&name| self.solver.is_comparable(name));
        let constructors = datatypes.iter().flat_map(|&decl| resolved.decl_names(decl).iter().skip(1));
        for &constructor in constructors {
            let (fields, _) = self.solver.fields_and_result(self.names[constructor.index()].ty);
            for field in fields {
                if assumed && self.solver.require(Constraint::Eq, field).is_err() {
                    return names;
                }
            }
        }
        Vec::new()
    }

    fn check_subtype(&mut self, id: DeclId, clauses: &[Clause]) {
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

    fn check_nametype(&mut self, id: DeclId, value: ExprId) {
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

    fn check_assertion(&mut self, assertion: &Assertion) {
        if let Some(events) = assertion.tau_priority {
            self.expect_events(events, "`tau priority` is over a set of events");
        }
        match &assertion.property {
            Property::Error => {}
            &Property::Refinement { specification, implementation, .. } => {
                self.expect_process(specification, "refinement compares processes");
                self.expect_process(implementation, "refinement compares processes");
            }
            &Property::DeadlockFree(process, _)
            | &Property::DivergenceFree(process, _)
            | &Property::Deterministic(process, _)
            | &Property::Temporal { process, .. } => {
                self.expect_process(process, "an assertion is about a process");
            }
            Property::HasTrace { process, trace, .. } => {
                self.expect_process(*process, "an assertion is about a process");
                for &event in trace {
                    self.expect(event, Ty::EVENT, Why::Operator("a trace consists of events"));
                }
            }
        }
    }

    fn check_timed(&mut self, id: DeclId, function: Option<ExprId>) {
        if let Some(&tock) = self.resolved.decl_names(id).first() {
            let t = self.type_of_use(tock);
            if self.solver.equate(Ty::EVENT, t).is_err() {
                let text = self.show(t);
                let section = self.resolved.ast.decl_span(id);
                let span = Span::new(section.start, section.start + "Timed".len() as u32);
                let diagnostic = errors::tock_type(self.resolved.name(tock).span, &text, span);
                self.report(diagnostic);
            }
        }
        if let Some(function) = function {
            let needed = self.solver.store.function(&[Ty::EVENT], Ty::INT);
            self.expect(function, needed, Why::Operator("`Timed` takes the duration of each event"));
        }
    }

    /// Channels and constructors cannot be general: their fields must be known sets.
    fn check_ambiguity(&mut self, decl: DeclId) {
        if self.in_template || !matches!(self.resolved.ast.decl(decl), Decl::Channel { .. } | Decl::Datatype { .. }) {
            return;
        }
        for &name in self.bound_names(decl) {
            if self.is_general(name) {
                let text = self.show(self.names[name.index()].ty);
                let kind = match self.resolved.name(name).kind {
                    NameKind::Channel(_) => "channel",
                    _ => "constructor",
                };
                let (span, subject) = (self.resolved.name(name).span, self.resolved.text(name));
                let diagnostic = errors::ambiguous(span, kind, subject, &text);
                self.report(diagnostic);
                self.forget(name);
            }
        }
    }
}
