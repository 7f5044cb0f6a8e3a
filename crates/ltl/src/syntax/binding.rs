//! Variables bound by matched events.
//!
//! In `[c?x] => F [d!x]` the event at a position fixes `x`, since a position has one event only; the right operand
//! speaks of that value, at whatever position. So a binder must be an event that certainly occurs here where its
//! variable is used: it stands on the left of `=>` or `&`, with nothing but `&` between. Everything else needs a
//! quantifier.

use super::errors;
use super::event::{Event, EventPattern, Mark};
use super::piece::{names_in, texts};
use super::tree::{Atom, Binary, Form, Formula, Named, NodeId, Text, Unary};
use source::{Diagnostic, Span};

/// A variable bound by `?x`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The variable, where it is bound.
    pub variable: Text,
    /// The atom that binds it.
    pub binder: NodeId,
    /// The subformulas that may use it; a variable that is used in none of them stands for anything.
    pub scopes: Vec<NodeId>,
}

/// Variables that an event binds, where their values make instances of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    /// The atom that binds them.
    pub atom: NodeId,
    /// The `=>`, `~>` or `&` to instantiate: it holds the atom and all uses.
    pub at: NodeId,
    /// The variables that are used.
    pub variables: Vec<String>,
}

impl Formula {
    /// The events whose variables are used elsewhere, in the order they are written. Needs a formula without named
    /// patterns.
    pub fn binders(&self) -> Vec<Binder> {
        let (parents, firsts) = (self.parents(), self.firsts());
        let mut binders: Vec<Binder> = Vec::new();
        for Binding { variable, binder, scopes } in self.bindings() {
            let is_used = |scope: &NodeId| {
                (firsts[scope.index()].index()..=scope.index())
                    .flat_map(|index| texts(self.form(NodeId::new(index))))
                    .any(|(text, _)| names_in(&text.text).any(|name| name == variable.text))
            };
            let Some(at) = scopes.iter().rfind(|scope| is_used(scope)).and_then(|last| parents[last.index()]) else {
                continue;
            };
            match binders.last_mut().filter(|last| last.atom == binder) {
                Some(last) => {
                    last.variables.push(variable.text);
                    last.at = last.at.max(at);
                }
                None => binders.push(Binder { atom: binder, at, variables: vec![variable.text] }),
            }
        }
        binders
    }

    /// All variables bound by events, in the order they are written.
    pub fn bindings(&self) -> Vec<Binding> {
        let parents = self.parents();
        let mut bindings = Vec::new();
        for binder in self.ids() {
            for pattern in self.form(binder).patterns() {
                for variable in pattern.events().iter().flat_map(Event::variables) {
                    let scopes = self.scopes(&parents, binder, pattern);
                    bindings.push(Binding { variable: variable.clone(), binder, scopes });
                }
            }
        }
        bindings
    }

    fn parents(&self) -> Vec<Option<NodeId>> {
        let mut parents = vec![None; self.nodes.len()];
        for id in self.ids() {
            self.form(id).operands().iter().for_each(|operand| parents[operand.index()] = Some(id));
        }
        parents
    }

    /// Where the variables of a binder may be used.
    fn scopes(&self, parents: &[Option<NodeId>], binder: NodeId, pattern: &EventPattern) -> Vec<NodeId> {
        let mut scopes = Vec::new();
        let is_step = matches!(self.form(binder), Form::Atom(Atom::Step(_) | Atom::Bare(_)));
        let mut here = Some(binder).filter(|_| is_step && matches!(pattern, EventPattern::Event(_)));
        while let Some(child) = here {
            let Some(parent) = parents[child.index()] else { break };
            here = None;
            match self.form(parent) {
                Form::Binary(Binary::And, left, right) => {
                    scopes.extend((*left == child).then_some(*right));
                    here = Some(parent);
                }
                // A position has one event, and so has the one before.
                Form::Unary(Unary::Yesterday, _) => here = Some(parent),
                Form::Binary(Binary::Implies | Binary::LeadsTo, left, right) if *left == child => scopes.push(*right),
                Form::Named(Named::Response, arguments) if arguments[1] == child => scopes.push(arguments[0]),
                _ => {}
            }
        }
        scopes
    }

    /// For each node the first one of those below it: they all lie between the two.
    pub(crate) fn firsts(&self) -> Vec<NodeId> {
        let mut firsts: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for id in self.ids() {
            let below = self.form(id).operands().into_iter().map(|operand| firsts[operand.index()]).min();
            firsts.push(below.unwrap_or(id));
        }
        firsts
    }
}

/// Errors in the variables of a formula.
pub(crate) fn check(formula: &Formula) -> Vec<Diagnostic> {
    let bindings = formula.bindings();
    if bindings.is_empty() {
        return Vec::new();
    }
    let scopes = Scopes { firsts: formula.firsts(), bindings: &bindings, quantified: quantified(formula) };
    let mut diagnostics = Vec::new();
    for id in formula.ids() {
        for event in formula.form(id).patterns().iter().flat_map(EventPattern::events) {
            diagnostics.extend(bound_twice(event));
            diagnostics.extend(event.variables().filter_map(|variable| scopes.bound_again(id, variable)));
            diagnostics.extend(uses(event).filter_map(|(name, span)| scopes.unbound(id, name, span)));
        }
    }
    diagnostics
}

/// Which variables have a value at each node.
pub(crate) struct Visible {
    firsts: Vec<NodeId>,
    bindings: Vec<Binding>,
    quantified: Vec<(Text, NodeId)>,
}

impl Visible {
    pub fn of(formula: &Formula) -> Visible {
        let quantified = quantified(formula).into_iter().map(|(variable, body)| (variable.clone(), body)).collect();
        Visible { firsts: formula.firsts(), bindings: formula.bindings(), quantified }
    }

    /// The variable of this name at a node.
    pub fn find(&self, id: NodeId, name: &str) -> Option<&Text> {
        let contains = |scope: NodeId| self.firsts[scope.index()] <= id && id <= scope;
        let is_bound = |binding: &&Binding| {
            binding.variable.text == name
                && (binding.binder == id || binding.scopes.iter().any(|&scope| contains(scope)))
        };
        let bound = self.bindings.iter().rfind(is_bound).map(|binding| &binding.variable);
        let quantified = self.quantified.iter().find(|(variable, body)| variable.text == name && contains(*body));
        bound.or(quantified.map(|(variable, _)| variable))
    }
}

/// Quantified variables with the formulas that may use them.
fn quantified(formula: &Formula) -> Vec<(&Text, NodeId)> {
    let mut quantified = Vec::new();
    for node in &formula.nodes {
        if let Form::Quantified { variables, body, .. } = &node.form {
            quantified.extend(variables.iter().map(|variable| (variable, *body)));
        }
    }
    quantified
}

struct Scopes<'a> {
    firsts: Vec<NodeId>,
    bindings: &'a [Binding],
    quantified: Vec<(&'a Text, NodeId)>,
}

impl Scopes<'_> {
    fn contains(&self, scope: NodeId, id: NodeId) -> bool {
        self.firsts[scope.index()] <= id && id <= scope
    }

    fn of<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b Binding> {
        self.bindings.iter().filter(move |binding| binding.variable.text == name)
    }

    fn is_quantified(&self, id: NodeId, name: &str) -> bool {
        self.quantified.iter().any(|(variable, body)| variable.text == name && self.contains(*body, id))
    }

    fn in_scope(&self, id: NodeId, binding: &Binding) -> bool {
        binding.scopes.iter().any(|&scope| self.contains(scope, id))
    }

    /// A name that is bound elsewhere but not here. Names bound nowhere belong to the model.
    fn unbound(&self, id: NodeId, name: &str, span: Span) -> Option<Diagnostic> {
        let binding = self.of(name).next()?;
        let is_bound = self.of(name).any(|binding| binding.binder == id || self.in_scope(id, binding));
        let is_fine = is_bound || self.is_quantified(id, name);
        (!is_fine).then(|| errors::unbound(name, span, binding.variable.span))
    }

    /// `?x` where `x` has a value already.
    fn bound_again(&self, id: NodeId, variable: &Text) -> Option<Diagnostic> {
        let outer = self.of(&variable.text).find(|binding| binding.binder != id && self.in_scope(id, binding))?;
        Some(errors::bound_again(&variable.text, variable.span, outer.variable.span))
    }
}

fn bound_twice(event: &Event) -> Option<Diagnostic> {
    let variables: Vec<&Text> = event.variables().collect();
    let twice = (1..variables.len()).find(|&index| variables[..index].contains(&variables[index]))?;
    Some(errors::bound_twice(&variables[twice].text, variables[twice].span))
}

/// The names in the values of an event, with the place of the value.
fn uses(event: &Event) -> impl Iterator<Item = (&str, Span)> {
    let values = event.fields.iter().filter(|field| field.mark != Mark::Input).filter_map(|field| field.value.text());
    let values = values.chain(event.fields.iter().filter_map(|field| field.within.as_ref()));
    values.flat_map(move |value| names_in(&value.text).map(move |name| (name, value.span)))
}
