//! The outline of a script: its definitions and its assertions.

use super::script::CspmScript;
use cspm::lex::lex_piece;
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{self, Assertion as Asserted, ExprId, Property, TemporalForm, TemporalLogic};
use cspm::typecheck::TypeShape;
use frontend::formula::{Logic, Reduce};
use frontend::{Assertion, Kind, Sides, Symbol, SymbolKind};
use lts::Model;
use source::Span;

impl CspmScript {
    /// The definitions at the top of the script and in its modules, in source order.
    pub(super) fn find_symbols(&self) -> Vec<Symbol> {
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
    pub(super) fn find_processes(&self) -> Vec<String> {
        let ids = self.declarations().into_iter().flat_map(|decl| self.resolved.decl_names(decl));
        let is_process = |&&id: &&NameId| {
            let ty = self.types.of_name(id);
            ty.is_some_and(|ty| matches!(self.types.shape(ty), TypeShape::Proc))
        };
        ids.filter(is_process).map(|&id| self.resolved.name(id).qualified.to_string()).collect()
    }

    pub(super) fn describe(&self, index: usize, assertion: &Asserted) -> Assertion {
        let is_asked = matches!(assertion.property, Property::Temporal { form: TemporalForm::Outside, .. });
        let (specification, process) = processes(&assertion.property);
        let text = |expr: ExprId| self.one_line(self.resolved.ast.expr_span(expr));
        Assertion {
            index,
            span: assertion.span,
            text: self.assertion_text(assertion),
            kind: kind(&assertion.property),
            sides: Sides { specification: specification.map(text), process: process.map(text).unwrap_or_default() },
            negated: assertion.negated,
            is_asked,
            reduce: assertion.partial_order.map(|_| Reduce::PartialOrder),
        }
    }

    /// The text of an assertion. A formula keeps what looks like a comment in it, and its name in a list.
    fn assertion_text(&self, assertion: &Asserted) -> String {
        let Property::Temporal { formula, formula_span, form, .. } = &assertion.property else {
            return self.one_line(assertion.span);
        };
        let (start, end) = (assertion.span.start, assertion.span.end);
        // A pragma consists of no tokens: it is a comment for others.
        let around = |span: Span| match form {
            TemporalForm::Pragma => without_needless_blanks(self.map.text(span)),
            _ => self.one_line(span),
        };
        let before = around(Span::new(start, formula_span.start));
        let behind = around(Span::new(formula_span.end, end));
        let read = self.formulas.iter().find(|read| read.span == *formula_span);
        let name = read.and_then(|read| read.name.as_ref()).map_or(String::new(), |name| format!("{name}: "));
        format!("{name}{before}{}{behind}", without_needless_blanks(formula))
    }

    /// A part of the script on one line: its tokens, with a blank where something stands between them.
    fn one_line(&self, span: Span) -> String {
        let mut line = String::new();
        let mut end = span.start;
        for token in lex_piece(self.map.text(span), span).tokens {
            if token.span.start > end && !line.is_empty() && token.span.start < token.span.end {
                line.push(' ');
            }
            line += self.map.text(token.span);
            end = token.span.end;
        }
        line
    }
}

fn without_needless_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The processes of an assertion: the specification, if there is one, and what the assertion is about.
pub(super) fn processes(property: &Property) -> (Option<ExprId>, Option<ExprId>) {
    match property {
        Property::Error => (None, None),
        Property::Refinement { specification, implementation, .. } => (Some(*specification), Some(*implementation)),
        Property::DeadlockFree(process, _)
        | Property::DivergenceFree(process, _)
        | Property::Deterministic(process, _)
        | Property::HasTrace { process, .. }
        | Property::Temporal { process, .. } => (None, Some(*process)),
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

pub(super) fn kind(property: &Property) -> Kind {
    let named = |model: &Option<syntax::SemanticModel>| model.map(model_of);
    match property {
        Property::Error => Kind::Damaged,
        Property::Refinement { model, .. } => Kind::Refinement(model_of(*model)),
        Property::DeadlockFree(_, model) => Kind::DeadlockFree(named(model)),
        Property::DivergenceFree(_, model) => Kind::DivergenceFree(named(model)),
        Property::Deterministic(_, model) => Kind::Deterministic(named(model)),
        Property::HasTrace { model, .. } => Kind::HasTrace(named(model)),
        Property::Temporal { logic, .. } => Kind::Temporal(logic_of(*logic)),
    }
}

pub(super) fn logic_of(logic: TemporalLogic) -> Logic {
    match logic {
        TemporalLogic::Ltl => Logic::Ltl,
        TemporalLogic::Ctl => Logic::Ctl,
    }
}

fn model_of(model: syntax::SemanticModel) -> Model {
    match model {
        syntax::SemanticModel::T => Model::Traces,
        syntax::SemanticModel::F => Model::Failures,
        syntax::SemanticModel::FD => Model::FailuresDivergences,
        syntax::SemanticModel::V => Model::Revivals,
        syntax::SemanticModel::VD => Model::RevivalsDivergences,
        syntax::SemanticModel::R => Model::RefusalTesting,
        syntax::SemanticModel::RD => Model::RefusalTestingDivergences,
    }
}
