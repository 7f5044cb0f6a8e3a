//! Binding groups: mutually recursive declarations, and their generalisation.
//!
//! All names of a group first get a variable, then each declaration is checked once, then the group is generalised.
//! Datatypes are assumed to be comparable; if a field is not, the group is checked again without that assumption.

use super::constraint::Constraint;
use super::store::Ty;
use super::{Checker, NameType, errors, graph};
use crate::resolve::{NameId, NameKind};
use crate::syntax::{Decl, DeclId};
use limits::input::cspm::MAX_TYPE_VARIABLES;
use source::Span;

impl<'a> Checker<'a> {
    /// Checks and generalises the declarations of the script or of a module.
    pub(super) fn check_top(&mut self, block: &[DeclId]) {
        for group in self.groups(block) {
            self.check_top_group(&group);
        }
    }

    /// Checks the declarations of a `let`. Only annotated ones are generalised.
    pub(super) fn check_let(&mut self, block: &[DeclId]) {
        for group in self.groups(block) {
            self.check_local_group(&group);
        }
    }

    /// Checks that a module parameter has the same type in all instances.
    pub(super) fn check_parameter(&mut self, bindings: &[DeclId]) {
        let Some((&first, others)) = bindings.split_first() else { return };
        for &other in others {
            let names = self.resolved.decl_names(first).iter().zip(self.resolved.decl_names(other));
            for (&name, &again) in names {
                if self.names[name.index()].ty == Ty::NONE || self.names[again.index()].ty == Ty::NONE {
                    continue;
                }
                let (expected, found) = (self.type_of_use(name), self.type_of_use(again));
                self.solver.refuel();
                if self.solver.equate(expected, found).is_err() {
                    let (expected, found) = self.show_two(expected, found);
                    let (value, other) = (self.value_span(other), self.value_span(first));
                    let text = self.resolved.text(name);
                    self.report(errors::parameter_of_two_types(text, value, &found, other, &expected));
                }
            }
        }
    }

    /// The span of the value of a declaration.
    fn value_span(&self, decl: DeclId) -> Span {
        match self.resolved.ast.decl(decl) {
            Decl::Pattern(_, value) => self.resolved.ast.expr_span(*value),
            _ => self.resolved.ast.decl_span(decl),
        }
    }

    fn groups(&mut self, block: &[DeclId]) -> Vec<Vec<DeclId>> {
        let flat = graph::flatten(&self.resolved.ast, block);
        for &decl in &flat {
            if let Decl::Annotation { .. } = self.resolved.ast.decl(decl) {
                for &name in self.resolved.decl_names(decl) {
                    // A duplicate annotation was reported by the parser.
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
            // With an incomparable field, no datatype of the group is comparable: the uses of that are checked again.
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

    /// Checks and generalises a group. Returns its datatypes if some have incomparable fields.
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
    pub(super) fn bound_names(&self, decl: DeclId) -> &'a [NameId] {
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
        if variables.len() > MAX_TYPE_VARIABLES {
            self.report(errors::type_too_large(self.resolved.name(name).span));
            return self.forget(name);
        }
        self.set_scheme(name, ty, &variables);
    }

    /// Gives a name with a reported error the error type.
    pub(super) fn forget(&mut self, name: NameId) {
        self.names[name.index()] = NameType { ty: Ty::ERROR, quantified: (0, 0) };
    }

    /// All datatypes of a group, if one has an incomparable field against the assumption.
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

    /// Channels and constructors are not generalised: their fields must be determined.
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
