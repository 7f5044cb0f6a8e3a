//! What a script consists of: its definitions and its assertions.

use crate::Session;
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{Assertion as Asserted, Decl, DeclId, ExprId, Property, SemanticModel, TemporalForm, TemporalLogic};
use cspm::typecheck::TypeShape;
use source::Span;

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name with its modules.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where its name stands.
    pub span: Span,
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SymbolKind {
    Channel,
    Constructor,
    Datatype,
    Subtype,
    Nametype,
    Function,
    Value,
}

/// An assertion of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Its number in the script, from 1, included files in place.
    pub index: usize,
    /// Where it stands.
    pub span: Span,
    /// Its text, blanks and line ends reduced to one blank, comments and `assert` left out.
    pub text: String,
    /// What it is about: `refinement`, `deadlock-free`, `divergence-free`, `deterministic`, `has-trace`, `ltl`, `ctl`.
    pub kind: &'static str,
    /// The semantic model it names: `T`, `F`, `FD`.
    pub model: Option<&'static str>,
    /// Whether the property is meant to fail.
    pub negated: bool,
}

impl Session {
    /// The definitions at the top of the script and in its modules, in source order.
    pub fn symbols(&self) -> Vec<Symbol> {
        let ids = self.declarations().into_iter().flat_map(|decl| self.resolved.decl_names(decl));
        let mut symbols: Vec<Symbol> = ids
            .filter_map(|&id| {
                let name = self.resolved.name(id);
                let kind = symbol_kind(name.kind)?;
                Some(Symbol { name: name.qualified.to_string(), kind, span: name.span })
            })
            .collect();
        symbols.sort_by(|a, b| (a.span, &a.name).cmp(&(b.span, &b.name)));
        symbols.dedup();
        symbols
    }

    /// The names of the processes that are defined without parameters at the top of the script, in source order.
    pub fn processes(&self) -> Vec<String> {
        let ids = self.declarations().into_iter().flat_map(|decl| self.resolved.decl_names(decl));
        let is_process = |&&id: &&NameId| {
            let ty = self.types.of_name(id);
            ty.is_some_and(|ty| matches!(self.types.shape(ty), TypeShape::Proc))
        };
        ids.filter(is_process).map(|&id| self.resolved.name(id).qualified.to_string()).collect()
    }

    /// The assertions, in source order.
    pub fn assertions(&self) -> Vec<Assertion> {
        let ast = &self.resolved.ast;
        let found = self.declarations().into_iter().filter_map(|decl| match ast.decl(decl) {
            Decl::Assert(assertion) => Some(assertion),
            _ => None,
        });
        found.enumerate().map(|(i, assertion)| self.describe(i + 1, assertion)).collect()
    }

    /// Those from outside of the script.
    pub fn asked_assertions(&self) -> Vec<Assertion> {
        let ast = &self.resolved.ast;
        let is_asked = |decl: &DeclId| match ast.decl(*decl) {
            Decl::Assert(assertion) => {
                matches!(assertion.property, Property::Temporal { form: TemporalForm::Outside, .. })
            }
            _ => false,
        };
        let n_asked = self.declarations().iter().filter(|decl| is_asked(decl)).count();
        let mut all = self.assertions();
        all.split_off(all.len() - n_asked)
    }

    /// The process that the assertion with this number, from 1, is about: the implementation of a refinement.
    pub(crate) fn asserted_process(&self, index: usize) -> Option<ExprId> {
        let ast = &self.resolved.ast;
        let mut found = self.declarations().into_iter().filter_map(|decl| match ast.decl(decl) {
            Decl::Assert(assertion) => Some(&assertion.property),
            _ => None,
        });
        match found.nth(index - 1)? {
            Property::Error => None,
            Property::Refinement { implementation: process, .. }
            | Property::DeadlockFree(process, _)
            | Property::DivergenceFree(process, _)
            | Property::Deterministic(process, _)
            | Property::HasTrace { process, .. }
            | Property::Temporal { process, .. } => Some(*process),
        }
    }

    fn describe(&self, index: usize, assertion: &Asserted) -> Assertion {
        let (kind, model) = classify(&assertion.property);
        Assertion {
            index,
            span: assertion.span,
            text: self.assertion_text(assertion),
            kind,
            model: model.map(model_name),
            negated: assertion.negated,
        }
    }

    /// The text of an assertion. A formula keeps what looks like a comment in it, and its name in a list.
    fn assertion_text(&self, assertion: &Asserted) -> String {
        let Property::Temporal { formula, formula_span, .. } = &assertion.property else {
            return squeeze(self.map.text(assertion.span));
        };
        let (start, end) = (assertion.span.start, assertion.span.end);
        let before = squeeze(self.map.text(Span::new(start, formula_span.start)));
        let behind = squeeze(self.map.text(Span::new(formula_span.end, end)));
        let read = self.formulas.iter().find(|read| read.span == *formula_span);
        let name = read.and_then(|read| read.name.as_ref()).map_or(String::new(), |name| format!("{name}: "));
        format!("{name}{before}{}{behind}", squeeze_blanks(formula))
    }

    /// The declarations of the program, those in timed sections included, in source order.
    pub(crate) fn declarations(&self) -> Vec<DeclId> {
        let mut found = Vec::new();
        let mut pending: Vec<DeclId> = self.resolved.program.iter().rev().copied().collect();
        while let Some(decl) = pending.pop() {
            found.push(decl);
            if let Decl::Timed { declarations, .. } = self.resolved.ast.decl(decl) {
                pending.extend(declarations.iter().rev());
            }
        }
        found
    }
}

fn symbol_kind(kind: NameKind) -> Option<SymbolKind> {
    Some(match kind {
        NameKind::Channel(_) => SymbolKind::Channel,
        NameKind::Constructor(_) => SymbolKind::Constructor,
        NameKind::Datatype(_) => SymbolKind::Datatype,
        NameKind::Subtype(_) => SymbolKind::Subtype,
        NameKind::Nametype(_) => SymbolKind::Nametype,
        NameKind::Function(_) => SymbolKind::Function,
        NameKind::Value(_) => SymbolKind::Value,
        NameKind::Builtin(_) | NameKind::Parameter | NameKind::TypeVariable => return None,
    })
}

fn classify(property: &Property) -> (&'static str, Option<SemanticModel>) {
    match property {
        Property::Error => ("damaged", None),
        Property::Refinement { model, .. } => ("refinement", Some(*model)),
        Property::DeadlockFree(_, model) => ("deadlock-free", *model),
        Property::DivergenceFree(_, model) => ("divergence-free", *model),
        Property::Deterministic(_, model) => ("deterministic", *model),
        Property::HasTrace { model, .. } => ("has-trace", *model),
        Property::Temporal { logic: TemporalLogic::Ltl, .. } => ("ltl", None),
        Property::Temporal { logic: TemporalLogic::Ctl, .. } => ("ctl", None),
    }
}

fn model_name(model: SemanticModel) -> &'static str {
    match model {
        SemanticModel::T => "T",
        SemanticModel::F => "F",
        SemanticModel::FD => "FD",
        SemanticModel::V => "V",
        SemanticModel::VD => "VD",
        SemanticModel::R => "R",
        SemanticModel::RD => "RD",
    }
}

/// The text on one line, without needless blanks.
fn squeeze_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text on one line, without line comments and needless blanks.
fn squeeze(text: &str) -> String {
    let without_comments = text.split(['\n', '\r']).map(|line| line.split("--").next().unwrap_or(""));
    without_comments.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
