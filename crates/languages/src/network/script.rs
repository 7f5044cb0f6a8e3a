//! A file with networks read once.

use super::errors;
use super::semantics::NetworkSemantics;
use frontend::formula::{self, AskedFormula, Choices, FormulaText, Logic, ReadFormula};
use frontend::{
    Addition, Assertion, Kind, Mention, Opening, PrintText, Script, Semantics, Sides, Symbol, SymbolKind, TypeAt,
    Visible,
};
use ltl::syntax::Dialect;
use lts::Model;
use network_text::{Definition, DefinitionId, Document, NameKind, Property};
use progress::Progress;
use source::{Diagnostic, SourceMap, Span};
use std::sync::Arc;

/// A file with all that is known about it.
#[derive(Debug)]
pub(super) struct NetworkScript {
    map: SourceMap,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) document: Document,
    pub(super) formulas: Vec<ReadFormula>,
    /// How many assertions stand in the file; the others were asked from outside.
    n_written: usize,
    /// The network that the file was opened with.
    pub(super) added: Option<usize>,
}

impl NetworkScript {
    pub(super) fn open(opening: &Opening<'_>) -> NetworkScript {
        let mut map = SourceMap::new();
        let (document, diagnostics) = network_text::parse(opening.files, opening.path, &mut map);
        let n_written = document.assertions.len();
        let mut script = NetworkScript { map, diagnostics, document, formulas: Vec::new(), n_written, added: None };
        let (mut choices, mut asked) = (Choices::default(), Vec::new());
        match opening.addition {
            Addition::Nothing => {}
            Addition::Expression(text) => {
                let span = script.map.add("<expression>", text).unwrap_or_default();
                script.diagnostics.push(errors::no_expressions(span));
            }
            Addition::Process(text) => script.added = script.find(text),
            Addition::Formulas(given) => {
                choices = given.choices;
                if !given.texts.is_empty()
                    && let Some(network) = script.find(given.process)
                {
                    let (formulas, wrong) = given.formulas(&mut script.map);
                    script.diagnostics.extend(wrong);
                    script.document.assertions.extend(formulas.iter().map(|asked| assertion(network, asked)));
                    asked = formulas;
                }
            }
        }
        script.read_formulas(choices, &asked);
        script.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        script
    }

    /// The number of the network with a name that comes from outside.
    fn find(&mut self, name: &str) -> Option<usize> {
        let networks = self.document.networks.iter();
        let found = networks.clone().position(|network| &*network.name == name.trim());
        if found.is_none() {
            let span = self.map.add("<process>", name).unwrap_or_default();
            self.diagnostics.push(errors::unknown_network(name.trim(), span, networks.map(|network| &*network.name)));
        }
        found
    }

    fn read_formulas(&mut self, forced: Choices, asked: &[AskedFormula]) {
        for (number, assertion) in self.document.assertions.iter().enumerate() {
            let Property::Temporal { logic, formula: text, formula_span, .. } = &assertion.property else { continue };
            let is_asked = number >= self.n_written;
            let name = asked.iter().find(|asked| asked.span == *formula_span).and_then(|asked| asked.name.clone());
            let text = FormulaText {
                logic: logic_of(*logic),
                text,
                span: *formula_span,
                place: *formula_span,
                dialect: if is_asked { Dialect::Csp } else { Dialect::ProB },
                settings: &[],
                reduce: None,
                name,
            };
            let (read, wrong) = formula::read(&text, forced);
            self.diagnostics.extend(wrong);
            self.formulas.push(read);
        }
    }

    /// The text of a name without its quotes.
    fn name_text(&self, definition: &Definition) -> String {
        self.map.text(definition.name).trim_matches('"').to_owned()
    }

    fn describe(&self, number: usize) -> Assertion {
        let asserted = &self.document.assertions[number];
        let name = |network: usize| self.document.networks[network].name.to_string();
        let (kind, specification, network) = match &asserted.property {
            Property::Refinement { specification, model, implementation } => {
                (Kind::Refinement(*model), Some(name(*specification)), *implementation)
            }
            Property::DeadlockFree(network, model) => (Kind::DeadlockFree(*model), None, *network),
            Property::DivergenceFree(network, model) => (Kind::DivergenceFree(*model), None, *network),
            Property::Deterministic(network, model) => (Kind::Deterministic(*model), None, *network),
            Property::HasTrace { network, model, .. } => (Kind::HasTrace(*model), None, *network),
            Property::Temporal { network, logic, .. } => (Kind::Temporal(logic_of(*logic)), None, *network),
        };
        let sides = Sides { specification, process: name(network) };
        Assertion {
            index: number + 1,
            span: asserted.span,
            text: self.text_of(&asserted.property, kind, &sides, asserted.negated),
            kind,
            sides,
            negated: asserted.negated,
            is_asked: number >= self.n_written,
            reduce: None,
        }
    }

    /// An assertion as one would write it on one line.
    fn text_of(&self, property: &Property, kind: Kind, sides: &Sides, negated: bool) -> String {
        let not = if negated { "not " } else { "" };
        let process = &sides.process;
        let model = kind.model().map_or(String::new(), |model| format!(" [{}]", model.name()));
        match property {
            Property::Refinement { .. } => {
                let specification = sides.specification.as_deref().unwrap_or_default();
                let model = kind.model().map_or("T", Model::name);
                format!("{not}{specification} [{model}= {process}")
            }
            Property::DeadlockFree(..) => format!("{not}{process} :[deadlock free{model}]"),
            Property::DivergenceFree(..) => format!("{not}{process} :[divergence free{model}]"),
            Property::Deterministic(..) => format!("{not}{process} :[deterministic{model}]"),
            Property::HasTrace { trace, .. } => {
                let events: Vec<&str> = trace.iter().map(|&event| self.document.events.text(event)).collect();
                format!("{not}{process} :[has trace{model}]: <{}>", events.join(", "))
            }
            Property::Temporal { logic, formula, .. } => {
                let formula: Vec<&str> = formula.split_whitespace().collect();
                let logic = if *logic == network_text::Logic::Ltl { "LTL" } else { "CTL" };
                format!("{not}{process} |= {logic}: \"{}\"", formula.join(" "))
            }
        }
    }

    /// Where the machines of a network are defined, in order.
    pub(super) fn machine_places(&self, network: usize) -> Vec<Span> {
        let definitions = self.document.names.definitions();
        let networks = definitions.iter().enumerate().filter(|(_, definition)| definition.kind == NameKind::Network);
        let Some((owner, _)) = networks.into_iter().nth(network) else { return Vec::new() };
        let is_inside = |definition: &&Definition| {
            definition.kind == NameKind::Machine && definition.inside.is_some_and(|id| id.0 as usize == owner)
        };
        definitions.iter().filter(is_inside).map(|definition| definition.name).collect()
    }
}

/// A formula from outside as an assertion.
fn assertion(network: usize, asked: &AskedFormula) -> network_text::Assertion {
    let logic = match asked.logic {
        Logic::Ltl => network_text::Logic::Ltl,
        Logic::Ctl => network_text::Logic::Ctl,
    };
    let property = Property::Temporal { network, logic, formula: asked.text.as_str().into(), formula_span: asked.span };
    network_text::Assertion { negated: false, property, span: asked.span }
}

fn logic_of(logic: network_text::Logic) -> Logic {
    match logic {
        network_text::Logic::Ltl => Logic::Ltl,
        network_text::Logic::Ctl => Logic::Ctl,
    }
}

impl Script for NetworkScript {
    fn source_map(&self) -> &SourceMap {
        &self.map
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn formulas(&self) -> &[ReadFormula] {
        &self.formulas
    }

    fn symbols(&self) -> Vec<Symbol> {
        let symbol = |definition: &Definition| {
            let symbol =
                Symbol { name: self.name_text(definition), kind: kind_of(definition.kind), span: definition.name };
            (symbol.kind != SymbolKind::Parameter).then_some(symbol)
        };
        self.document.names.definitions().iter().filter_map(symbol).collect()
    }

    fn processes(&self) -> Vec<String> {
        self.document.networks.iter().map(|network| network.name.to_string()).collect()
    }

    fn assertions(&self) -> Vec<Assertion> {
        (0..self.document.assertions.len()).map(|number| self.describe(number)).collect()
    }

    fn prints(&self) -> Vec<PrintText> {
        Vec::new()
    }

    fn definition_at(&self, offset: u32) -> Option<Span> {
        let names = &self.document.names;
        names.at(offset).map(|id| names.definition(id).name)
    }

    fn uses_at(&self, offset: u32) -> Vec<Span> {
        let names = &self.document.names;
        let Some(id) = names.at(offset) else { return Vec::new() };
        let mut spans: Vec<Span> = names.uses_of(id).chain([names.definition(id).name]).collect();
        spans.sort();
        spans.dedup();
        spans
    }

    fn type_at(&self, offset: u32) -> Option<TypeAt> {
        let names = &self.document.names;
        let definition = names.definition(names.at(offset)?);
        let text = match definition.kind {
            NameKind::Event => "event",
            NameKind::Network => "network",
            NameKind::Variable => "variable",
            NameKind::Expression => "expression",
            NameKind::Action => "action",
            NameKind::Machine => "machine",
            NameKind::State => "state",
            NameKind::Inhibitor => "obstacle",
            NameKind::Mode => "mode",
            NameKind::Class => "class of priority",
        };
        Some(TypeAt { span: definition.name, text: text.to_owned() })
    }

    fn mentions(&self) -> Vec<Mention> {
        let names = &self.document.names;
        let of = |id: usize, definition: &Definition| {
            let (defined, kind) = (definition.name, kind_of(definition.kind));
            let places = names.uses_of(DefinitionId(id as u32)).chain([defined]);
            places.map(|span| Mention { span, definition: Some(defined), kind }).collect::<Vec<_>>()
        };
        let all = names.definitions().iter().enumerate();
        let mut mentions: Vec<Mention> = all.flat_map(|(id, definition)| of(id, definition)).collect();
        mentions.sort();
        mentions.dedup_by_key(|mention| mention.span);
        mentions
    }

    fn visible_at(&self, _offset: u32) -> Vec<Visible> {
        let definitions = self.document.names.definitions().iter();
        let mut visible: Vec<Visible> = definitions
            .map(|definition| Visible {
                name: self.map.text(definition.name).to_owned(),
                kind: kind_of(definition.kind),
                type_text: None,
            })
            .collect();
        visible.sort();
        visible.dedup_by(|a, b| a.name == b.name);
        visible
    }

    fn semantics(&self, _progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        Box::new(NetworkSemantics::new(self))
    }
}

/// The kind of a name of a network, as others see it; names of its machines and rules are bound there.
fn kind_of(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Event => SymbolKind::Channel,
        NameKind::Network => SymbolKind::Process,
        NameKind::Variable => SymbolKind::Variable,
        NameKind::Expression => SymbolKind::Value,
        NameKind::Machine => SymbolKind::Machine,
        NameKind::Action | NameKind::State | NameKind::Inhibitor | NameKind::Mode | NameKind::Class => {
            SymbolKind::Parameter
        }
    }
}
