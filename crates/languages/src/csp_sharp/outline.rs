//! What a script consists of: its declarations and its assertions.

use super::script::SharpScript;
use csp_sharp::resolve::{self, Property};
use csp_sharp::syntax::RefinementModel;
use frontend::formula::Logic;
use frontend::{Assertion, Kind, Sides, Symbol, SymbolKind, TypeAt};
use lts::Model;
use source::Span;

impl SharpScript {
    pub(super) fn find_symbols(&self) -> Vec<Symbol> {
        let symbol = |symbol: &resolve::Symbol| Symbol {
            name: symbol.name.to_string(),
            kind: match symbol.kind {
                resolve::SymbolKind::Constant | resolve::SymbolKind::Macro => SymbolKind::Value,
                resolve::SymbolKind::Variable => SymbolKind::Variable,
                resolve::SymbolKind::Channel => SymbolKind::Channel,
                resolve::SymbolKind::Process | resolve::SymbolKind::Object => SymbolKind::Process,
            },
            span: symbol.span,
        };
        self.resolved.symbols.iter().map(symbol).collect()
    }

    pub(super) fn describe(&self, number: usize) -> Assertion {
        let asserted = &self.resolved.assertions[number];
        let (kind, specification) = match &asserted.property {
            Property::DeadlockFree => (Kind::NeverStuck, None),
            Property::Nonterminating => (Kind::Nonterminating, None),
            Property::DivergenceFree => (Kind::DivergenceFree(None), None),
            Property::TimedDivergenceFree => (Kind::TimedDivergenceFree, None),
            Property::Deterministic => (Kind::Unambiguous, None),
            Property::Reaches(..) => (Kind::Reachable, None),
            Property::Refines(model, _, span) => {
                let kind = untimed(*model).map_or(Kind::TimedRefinement, Kind::Refinement);
                (kind, Some(self.one_line(*span)))
            }
            Property::Equals(model, _, span) => {
                let kind = untimed(*model).map_or(Kind::TimedRefinement, Kind::Equivalence);
                (kind, Some(self.one_line(*span)))
            }
            Property::Linearizable(claim) => (Kind::Linearizable, Some(self.one_line(claim.object_span))),
            Property::Temporal(span) => {
                let read = self.formulas.iter().find(|read| read.span == *span);
                (Kind::Temporal(read.map_or(Logic::Ltl, |read| read.logic)), None)
            }
        };
        let is_asked = number >= self.n_written;
        let process = self.one_line(asserted.process_span);
        let text = match is_asked {
            true => format!("{process} |= {}", self.one_line(asserted.span)),
            false => self.one_line(asserted.span),
        };
        let (span, sides) = (asserted.span, Sides { specification, process });
        Assertion { index: number + 1, span, text, kind, sides, negated: false, is_asked, reduce: None }
    }

    fn one_line(&self, span: Span) -> String {
        self.map.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The name at a place, and where what it names is declared.
    pub(super) fn name_at(&self, offset: u32) -> Option<(Span, Span)> {
        let used = self.resolved.uses.iter().find(|(span, _)| span.touches(offset)).copied();
        used.or_else(|| {
            let declared = self.resolved.symbols.iter().find(|symbol| symbol.span.touches(offset));
            declared.map(|symbol| (symbol.span, symbol.span))
        })
    }

    pub(super) fn find_type(&self, offset: u32) -> Option<TypeAt> {
        let (span, declared) = self.name_at(offset)?;
        let symbol = self.resolved.symbols.iter().find(|symbol| symbol.span == declared)?;
        let text = symbol.kind.text();
        Some(TypeAt { span, text: text.split_once(' ').map_or(text, |(_, word)| word).to_owned() })
    }
}

/// The model of CSP in which processes are compared, unless it is that with times.
pub(super) fn untimed(model: RefinementModel) -> Option<Model> {
    match model {
        RefinementModel::Traces => Some(Model::Traces),
        RefinementModel::Failures => Some(Model::Failures),
        RefinementModel::FailuresDivergences => Some(Model::FailuresDivergences),
        RefinementModel::Timed => None,
    }
}
