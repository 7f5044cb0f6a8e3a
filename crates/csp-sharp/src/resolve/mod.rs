//! Name resolution: macros are expanded, types and ranges checked.
//!
//! Declarations may be in any order: constants are resolved first, then variables and channels, then conditions, then
//! processes.

mod declare;
mod expression;
mod families;
mod fields;
mod object;
mod process;
mod program;
mod scope;
mod sharing;
mod timed;
mod wildcard;

use crate::errors;
use crate::reading::Reading;
use crate::syntax::{self, Declaration, MacroBody, Name, Optimum, RefinementModel};
use csp_sharp_runtime::code::{
    Class, Code, DefinitionId, DynamicId, EventName, ExprId, SetId, Slot, Term, TermId, Type, VariableId,
};
use hashbrown::{HashMap, HashSet};
use limits::display::diagnostics::MAX_SUGGESTIONS;
use scope::Scope;
use source::{Diagnostic, Phase, Span};
use std::sync::Arc;

/// A resolved script.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The definitions, variables and terms.
    pub code: Code,
    /// The assertions, in source order.
    pub assertions: Vec<Assertion>,
    /// The declarations, in source order.
    pub symbols: Vec<Symbol>,
    /// The spans of uses, with the spans of the names' declarations.
    pub uses: Vec<(Span, Span)>,
    /// The constants, in source order.
    pub constants: Vec<(Arc<str>, i32, Type)>,
    /// The additional process, from outside of the script.
    pub added: Option<TermId>,
    /// The additional expression, from outside of the script.
    pub expression: Option<ExprId>,
}

/// An assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The process, as a call.
    pub process: TermId,
    /// The span of the process.
    pub process_span: Span,
    /// The asserted property.
    pub property: Property,
    /// The span of the assertion.
    pub span: Span,
}

/// A property of a process.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Property {
    DeadlockFree,
    Nonterminating,
    DivergenceFree,
    TimedDivergenceFree,
    Deterministic,
    Reaches(ExprId, Option<(Optimum, ExprId)>),
    Refines(RefinementModel, TermId, Span),
    /// Refinement in both directions.
    Equals(RefinementModel, TermId, Span),
    Linearizable(Linearizable),
    Temporal(Span),
}

/// Linearizability with respect to a sequential object (M. Herlihy and J. Wing, "Linearizability: A Correctness
/// Condition for Concurrent Objects", 1990).
#[derive(Clone, Debug)]
pub struct Linearizable {
    /// The number of the object.
    pub object: usize,
    /// The span of its name.
    pub object_span: Span,
    /// The linearization points, if they are given.
    pub points: Option<Points>,
}

/// Linearization points of the operations of an object.
#[derive(Clone, Debug)]
pub struct Points {
    /// The linearizable specification of the object, in which these steps are visible.
    pub explanation: TermId,
    /// The names of calls, responses and linearization points.
    pub shown: Arc<[EventName]>,
}

/// A declaration, for navigation.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The declared name.
    pub name: Arc<str>,
    /// The span of the name.
    pub span: Span,
    /// The kind of declaration.
    pub kind: SymbolKind,
}

/// Kinds of declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SymbolKind {
    Constant,
    Macro,
    Variable,
    Channel,
    Process,
    Object,
}

impl SymbolKind {
    /// The kind, with an article, for messages.
    pub fn text(self) -> &'static str {
        match self {
            SymbolKind::Constant => "a constant",
            SymbolKind::Macro => "a macro",
            SymbolKind::Variable => "a variable",
            SymbolKind::Channel => "a channel",
            SymbolKind::Process => "a process",
            SymbolKind::Object => "an object",
        }
    }
}

/// The meaning of a global name.
#[derive(Clone, Debug)]
enum Global {
    Constant(i32, Type),
    Macro(usize),
    Variable(VariableId),
    Object(DynamicId, Class),
    Channel(u32),
    Process(DefinitionId),
    /// The number of a sequential object.
    Sequential(usize),
}

impl Global {
    fn kind(&self) -> SymbolKind {
        match self {
            Global::Constant(..) => SymbolKind::Constant,
            Global::Macro(_) => SymbolKind::Macro,
            Global::Variable(_) | Global::Object(..) => SymbolKind::Variable,
            Global::Channel(_) => SymbolKind::Channel,
            Global::Process(_) => SymbolKind::Process,
            Global::Sequential(_) => SymbolKind::Object,
        }
    }
}

/// The syntax of a macro.
struct Macro<'s> {
    name: &'s Name,
    parameters: &'s [Name],
    body: &'s MacroBody,
}

/// Macros whose expansion is in progress.
#[derive(Default)]
struct OpenMacros {
    numbers: HashSet<usize>,
    /// The number of recursive expansions that were refused.
    n_recursive: usize,
    /// The number of expansions of programs within the outermost one.
    n_nested: usize,
}

/// Additions to a script that are not part of its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside<'a> {
    /// An additional process.
    pub process: Option<&'a syntax::Process>,
    /// An additional expression.
    pub expression: Option<&'a syntax::Expr>,
    /// Additional assertions of temporal formulas.
    pub temporal: &'a [syntax::Assertion],
}

/// Resolves the names of a script.
pub fn resolve(script: &syntax::Script, outside: Outside<'_>, reading: &Reading<'_>) -> (Resolved, Vec<Diagnostic>) {
    let declarations = &script.declarations[..];
    let mut resolver = Resolver {
        out: Resolved::default(),
        globals: HashMap::new(),
        macros: Vec::new(),
        objects: Vec::new(),
        open_macros: OpenMacros::default(),
        expansions: HashMap::new(),
        programs: HashMap::new(),
        diagnostics: Vec::new(),
        wildcards: Vec::new(),
        n_initial_valuations: 1,
        damaged: damaged(declarations),
        n_unknown: 0,
        reading,
    };
    resolver.code().is_timed = script.is_timed;
    resolver.declare(declarations);
    resolver.define(declarations);
    let assertions = declarations.iter().filter_map(|declaration| match declaration {
        Declaration::Assertion(assertion) => Some(assertion),
        _ => None,
    });
    for assertion in assertions.take_while(|_| !reading.is_stopped()) {
        resolver.assertion(assertion, declarations);
    }
    outside.temporal.iter().for_each(|assertion| resolver.assertion(assertion, declarations));
    if let Some(process) = outside.process {
        let term = resolver.process(process, &mut Scope::default());
        resolver.check_families(process);
        resolver.out.added = Some(resolver.with_initial_choice(term, process.span));
    }
    if let Some(expression) = outside.expression {
        let expression = resolver.expr(expression, &mut Scope::default());
        resolver.out.expression = Some(expression);
    }
    let Resolver { mut out, mut diagnostics, .. } = resolver;
    out.symbols.sort_by_key(|symbol| symbol.span);
    out.uses.sort();
    out.uses.dedup();
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    diagnostics.dedup();
    (out, reading.end(Phase::Names, diagnostics))
}

/// The names of malformed declarations.
fn damaged(declarations: &[Declaration]) -> HashSet<Arc<str>> {
    let name = |declaration: &Declaration| match declaration {
        Declaration::Damaged(name) => Some(name.text.clone()),
        _ => None,
    };
    declarations.iter().filter_map(name).collect()
}

struct Resolver<'s> {
    out: Resolved,
    globals: HashMap<Arc<str>, (Global, Span)>,
    macros: Vec<Macro<'s>>,
    objects: Vec<&'s syntax::ObjectDefinition>,
    open_macros: OpenMacros,
    /// Cache of expansions, by macro and arguments.
    expansions: HashMap<(usize, Vec<ExprId>), ExprId>,
    /// Cache of programs, by text and by the names of the definition that they capture.
    programs: HashMap<(String, Vec<Arc<str>>), csp_sharp_runtime::code::ProgramId>,
    diagnostics: Vec<Diagnostic>,
    /// Variables with an arbitrary initial value, and the number of initial valuations.
    wildcards: Vec<VariableId>,
    n_initial_valuations: u64,
    /// Names of malformed declarations, which were reported.
    damaged: HashSet<Arc<str>>,
    /// The number of unknown names.
    n_unknown: usize,
    reading: &'s Reading<'s>,
}

impl<'s> Resolver<'s> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn code(&mut self) -> &mut Code {
        &mut self.out.code
    }

    fn term(&mut self, term: Term, span: Span) -> TermId {
        let Code { exprs, terms, .. } = &mut self.out.code;
        terms.add(exprs, term, span)
    }

    /// Looks up a global name.
    fn global(&mut self, name: &Name) -> Option<Global> {
        let (global, declared) = self.globals.get(&name.text)?.clone();
        self.out.uses.push((name.span, declared));
        Some(global)
    }

    fn declared(&self, name: &Name) -> Span {
        self.globals.get(&name.text).map_or(name.span, |(_, span)| *span)
    }

    fn known_names(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.globals.keys().cloned().collect();
        names.sort();
        names
    }

    fn unknown(&mut self, what: &str, name: &Name, scope: &Scope) {
        if self.damaged.contains(&name.text) {
            return;
        }
        self.n_unknown += 1;
        // Comparing many unknown names with all known ones would take quadratic time.
        let mut known = if self.n_unknown > MAX_SUGGESTIONS { Vec::new() } else { self.known_names() };
        known.extend(scope.names());
        if what == "process" {
            known.extend(["Skip", "Stop"].map(Arc::from));
        }
        let diagnostic = errors::unknown(what, &name.text, name.span, known.iter().map(|name| &**name));
        self.report(diagnostic);
    }

    /// Resolves the bodies of definitions, alphabets and conditions.
    fn define(&mut self, declarations: &'s [Declaration]) {
        for number in 0..self.macros.len() {
            self.proposition(number);
        }
        let mut by_name: HashMap<&str, &'s syntax::ProcessDefinition> = HashMap::new();
        for declaration in declarations {
            if let Declaration::Process(definition) = declaration {
                by_name.entry(&definition.name.text).or_insert(definition);
            }
        }
        for declaration in declarations {
            if self.reading.is_stopped() {
                return;
            }
            match declaration {
                Declaration::Process(definition) => self.define_process(definition),
                Declaration::Alphabet(name, sets) => {
                    self.define_alphabet(name, sets, by_name.get(&*name.text).copied());
                }
                _ => {}
            }
        }
        for number in 0..self.objects.len() {
            self.define_object(self.objects[number]);
        }
        self.refuse_unguarded();
        self.warn_of_fields();
        if self.out.code.is_timed {
            self.check_timed();
        }
        self.find_families(declarations);
    }

    /// Expands a macro without parameters.
    fn expand_closed(&mut self, number: usize, body: &syntax::Expr) -> ExprId {
        if let Some(&known) = self.expansions.get(&(number, Vec::new())) {
            return known;
        }
        self.expand_body(number, body, &[], &mut Scope::default())
    }

    /// Classifies a macro without parameters: a condition is a proposition, and a constant number is a constant.
    fn proposition(&mut self, number: usize) {
        let (name, parameters, body) =
            (self.macros[number].name, self.macros[number].parameters, self.macros[number].body);
        let body = match body {
            MacroBody::Expression(body) => body,
            MacroBody::Counter(process, arguments) => {
                self.counter(process, arguments);
                return;
            }
            MacroBody::Block(_) => return,
        };
        if !parameters.is_empty() {
            return;
        }
        let condition = self.expand_closed(number, body);
        if self.out.code.exprs.ty(condition) != Type::Number {
            let proposition =
                csp_sharp_runtime::code::Proposition { name: name.text.clone(), condition, span: name.span };
            self.code().propositions.push(proposition);
        } else if let Some(value) = self.out.code.exprs.value(condition) {
            self.out.constants.push((name.text.clone(), value, Type::Number));
        }
    }

    fn define_process(&mut self, definition: &'s syntax::ProcessDefinition) {
        let Some((Global::Process(id), declared)) = self.globals.get(&definition.name.text).cloned() else { return };
        if declared != definition.name.span {
            return;
        }
        let mut scope = Scope::default();
        for (parameter, range) in &definition.parameters {
            self.bind(&mut scope, parameter, scope::SlotKind::Parameter);
            if let Some(range) = range {
                self.bounds(range);
            }
        }
        let body = self.process(&definition.body, &mut scope);
        self.code().definitions[id.0 as usize].body = body;
    }

    /// Binds a name to a new slot.
    fn bind(&mut self, scope: &mut Scope, name: &Name, kind: scope::SlotKind) -> Slot {
        match scope.bind(name, kind) {
            Some(slot) => slot,
            None => {
                self.report(errors::too_many_variables(&name.text, name.span));
                Slot(0)
            }
        }
    }

    fn define_alphabet(
        &mut self,
        name: &Name,
        sets: &[syntax::EventSet],
        definition: Option<&'s syntax::ProcessDefinition>,
    ) {
        let Some(Global::Process(id)) = self.global(name) else {
            self.unknown("process", name, &Scope::default());
            return;
        };
        let mut scope = Scope::default();
        for (parameter, _) in definition.map_or(&[][..], |definition| &definition.parameters) {
            self.bind(&mut scope, parameter, scope::SlotKind::Parameter);
        }
        let set = self.event_sets(sets, &mut scope);
        self.code().definitions[id.0 as usize].alphabet = Some(set);
    }

    fn event_sets(&mut self, sets: &[syntax::EventSet], scope: &mut Scope) -> SetId {
        let mut patterns = Vec::new();
        for set in sets {
            let mark = scope.mark();
            let binders = self.binders(&set.binders, scope);
            if let Some(event) = self.event(&set.event, scope) {
                patterns.push(csp_sharp_runtime::code::EventPattern { binders, event });
            }
            scope.reset(mark);
        }
        self.code().terms.add_set(patterns.into())
    }

    fn assertion(&mut self, assertion: &syntax::Assertion, declarations: &[Declaration]) {
        let (name, arguments) = &assertion.process;
        let mut scope = Scope::default();
        let process = self.reference(name, arguments, &mut scope, assertion.process_span);
        let process = self.with_initial_choice(process, assertion.process_span);
        let property = match &assertion.property {
            syntax::Property::DeadlockFree => Property::DeadlockFree,
            syntax::Property::Nonterminating => Property::Nonterminating,
            syntax::Property::DivergenceFree => Property::DivergenceFree,
            syntax::Property::TimedDivergenceFree => Property::TimedDivergenceFree,
            syntax::Property::Deterministic => Property::Deterministic,
            syntax::Property::Reaches { goal, optimum } => {
                let condition = self.goal(goal);
                let optimum = optimum.as_ref().map(|(optimum, expr)| (*optimum, self.number(expr, &mut scope)));
                Property::Reaches(condition, optimum)
            }
            syntax::Property::Refines { model, specification: (other, arguments), specification_span, is_mutual } => {
                let specification = self.reference(other, arguments, &mut scope, *specification_span);
                self.refuse_family(other, *specification_span);
                let specification = self.with_initial_choice(specification, *specification_span);
                if *is_mutual {
                    self.refuse_family(name, assertion.process_span);
                    Property::Equals(*model, specification, *specification_span)
                } else {
                    Property::Refines(*model, specification, *specification_span)
                }
            }
            syntax::Property::Linearizable { object, points } => {
                match self.linearizable(object, points, (name, process), declarations) {
                    Some(found) => Property::Linearizable(found),
                    // An error was reported.
                    None => Property::Nonterminating,
                }
            }
            syntax::Property::Temporal(span) => Property::Temporal(*span),
        };
        let (process_span, span) = (assertion.process_span, assertion.span);
        self.out.assertions.push(Assertion { process, process_span, property, span });
    }

    fn goal(&mut self, name: &Name) -> ExprId {
        let declared = self.declared(name);
        match self.global(name) {
            Some(Global::Macro(_)) => {
                let known = self.out.code.propositions.iter().find(|known| known.name == name.text);
                match known.map(|known| known.condition) {
                    Some(condition) => condition,
                    None => {
                        self.report(errors::not_a_proposition(&name.text, name.span, declared));
                        self.code().exprs.bool(false)
                    }
                }
            }
            Some(Global::Constant(value, Type::Boolean)) => self.code().exprs.bool(value != 0),
            Some(_) => {
                self.report(errors::not_a_proposition(&name.text, name.span, declared));
                self.code().exprs.bool(false)
            }
            None => {
                self.unknown("proposition", name, &Scope::default());
                self.code().exprs.bool(false)
            }
        }
    }

    /// Refuses unguarded recursion: definitions whose first steps depend on themselves.
    fn refuse_unguarded(&mut self) {
        let code = &self.out.code;
        let heads: Vec<Vec<u32>> = code
            .definitions
            .iter()
            .map(|definition| heads(code, definition.body).into_iter().map(|head| head.0).collect())
            .collect();
        // These are the nodes on cycles of the graph of unguarded calls.
        let mut is_cyclic = vec![false; heads.len()];
        let all = 0..heads.len() as u32;
        let calls = |number: u32| heads[number as usize].iter().copied();
        graphs::for_components(heads.len(), all, calls, |component| {
            component.nodes.iter().for_each(|&node| is_cyclic[node as usize] = component.is_cycle);
        });
        let definitions = code.definitions.iter().zip(is_cyclic).filter(|(_, is_cyclic)| *is_cyclic);
        let found: Vec<Diagnostic> =
            definitions.map(|(definition, _)| errors::unguarded(&definition.name, definition.span)).collect();
        self.diagnostics.extend(found);
    }
}

/// The definitions that a term calls before its first event.
fn heads(code: &Code, term: TermId) -> Vec<DefinitionId> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match code.terms.get(term) {
            Term::Call(definition, _) => found.push(*definition),
            Term::Guard(_, next)
            | Term::Hide(_, next)
            | Term::Atomic(next)
            | Term::Copies(_, next)
            | Term::Bounded(_, _, next)
            | Term::Expiring(_, _, next, _)
            | Term::AnyNumber(next) => open.push(*next),
            Term::If(syntax::IfKind::Atomic, _, then, otherwise) => open.extend([*then, *otherwise]),
            Term::Sequence(first, _) => open.push(*first),
            Term::Interrupt(left, right) => open.extend([*left, *right]),
            Term::Choice(terms) | Term::External(terms) | Term::Interleave(terms) | Term::Parallel(_, terms) => {
                open.extend(terms.iter());
            }
            Term::Indexed(operator, _, body) if *operator != syntax::Operator::Internal => open.push(*body),
            _ => {}
        }
    }
    found
}
