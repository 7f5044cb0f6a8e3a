//! The outline of a script: its declarations and its assertions.

use super::script::SharpScript;
use csp_sharp::resolve::{self, Property};
use csp_sharp::syntax::RefinementModel;
use frontend::formula::Logic;
use frontend::{Assertion, Kind, Mention, Sides, Symbol, SymbolKind, TypeAt, Visible};
use lts::Model;
use source::Span;

impl SharpScript {
    pub(super) fn find_symbols(&self) -> Vec<Symbol> {
        let symbol = |symbol: &resolve::Symbol| Symbol {
            name: symbol.name.to_string(),
            kind: kind_of(symbol.kind),
            span: symbol.span,
        };
        self.resolved.symbols.iter().map(symbol).collect()
    }

    /// Every place of every name. In formulas, words are the declarations of that name.
    pub(super) fn find_mentions(&self) -> Vec<Mention> {
        let symbols = &self.resolved.symbols;
        let kind = |declared: Span| {
            let found = symbols.iter().find(|symbol| symbol.span == declared);
            found.map_or(SymbolKind::Parameter, |symbol| kind_of(symbol.kind))
        };
        let mention = |span: Span, declared: Span| Mention { span, definition: Some(declared), kind: kind(declared) };
        let used = self.resolved.uses.iter().map(|&(span, declared)| mention(span, declared));
        // What is used and is no declaration at the top is bound where it stands.
        let bound = self.resolved.uses.iter().map(|&(_, declared)| mention(declared, declared));
        let declared = symbols.iter().map(|symbol| mention(symbol.span, symbol.span));
        let formulas = self.resolved.assertions.iter().filter_map(|assertion| match assertion.property {
            Property::Temporal(span) => Some(span),
            _ => None,
        });
        let in_formulas = formulas.flat_map(|formula| self.words_of(formula)).filter_map(|(span, word)| {
            let found = symbols.iter().find(|symbol| &*symbol.name == word)?;
            Some(mention(span, found.span))
        });
        let mut mentions: Vec<Mention> = used.chain(bound).chain(declared).chain(in_formulas).collect();
        mentions.sort();
        mentions.dedup_by_key(|mention| mention.span);
        mentions
    }

    fn words_of(&self, span: Span) -> Vec<(Span, &str)> {
        let text = self.map.text(span);
        let word = |range: std::ops::Range<usize>| {
            let word = &text[range.clone()];
            let place = Span::new(span.start + range.start as u32, span.start + range.end as u32);
            word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some((place, word))
        };
        csp_sharp::lex_alone(text).into_iter().filter_map(word).collect()
    }

    /// The declarations, and the names bound between the declarations around a place.
    pub(super) fn find_visible(&self, offset: u32) -> Vec<Visible> {
        let symbols = &self.resolved.symbols;
        let file = self.map.file_of(Span::new(offset, offset)).span();
        let is_top = |span: Span| symbols.iter().any(|symbol| symbol.span == span);
        let starts = symbols.iter().map(|symbol| symbol.span.start).filter(|start| file.touches(*start));
        let around = starts.fold(file, |around, start| match start <= offset {
            true => Span::new(around.start.max(start), around.end),
            false => Span::new(around.start, around.end.min(start)),
        });
        let named = symbols.iter().map(|symbol| Visible {
            name: symbol.name.to_string(),
            kind: kind_of(symbol.kind),
            type_text: None,
        });
        let locals = self.resolved.uses.iter().map(|(_, declared)| *declared);
        let locals = locals.filter(|&span| around.start <= span.start && span.end <= around.end && !is_top(span));
        let locals = locals.map(|span| Visible {
            name: self.map.text(span).to_owned(),
            kind: SymbolKind::Parameter,
            type_text: None,
        });
        let mut visible: Vec<Visible> = named.chain(locals).collect();
        visible.sort();
        visible.dedup_by(|a, b| a.name == b.name);
        visible
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

fn kind_of(kind: resolve::SymbolKind) -> SymbolKind {
    match kind {
        resolve::SymbolKind::Constant | resolve::SymbolKind::Macro => SymbolKind::Value,
        resolve::SymbolKind::Variable => SymbolKind::Variable,
        resolve::SymbolKind::Channel => SymbolKind::Channel,
        resolve::SymbolKind::Process | resolve::SymbolKind::Object => SymbolKind::Process,
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
