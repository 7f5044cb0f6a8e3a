//! Machines: states, edges, and machines declared to be like others.

use super::{MAX_MACHINES, NetworkLowering, errors};
use crate::origins::StateNames;
use crate::sharing::Sharing;
use crate::symbols::Ident;
use crate::syntax::MachineSyntax;
use crate::{Definition, DefinitionId, NameKind, Origin};
use model::network::{Action, Edge, LocalState, Machine, MachineId};
use std::rc::Rc;
use std::sync::Arc;

/// The attributes of a machine apart from its edges; machines that are alike share them.
#[derive(Clone)]
pub struct Form {
    machine: Arc<Machine>,
    states: Rc<super::Scope>,
    names: Option<StateNames>,
    /// The actions, sorted.
    alphabet: Rc<[Action]>,
}

impl Form {
    pub fn does(&self, action: Action) -> bool {
        self.alphabet.binary_search(&action).is_ok()
    }
}

impl NetworkLowering<'_, '_> {
    pub(super) fn machines(&mut self) {
        let syntax = self.syntax;
        if let Some(first) = syntax.machines.get(MAX_MACHINES) {
            self.report(errors::too_many_machines(MAX_MACHINES, first.name.span));
        }
        let machines = &syntax.machines[..syntax.machines.len().min(MAX_MACHINES)];
        let mut known = Sharing::default();
        for machine in machines {
            let definition =
                self.declare(NameKind::Machine, machine.name, machine.span, |lowering| &mut lowering.machines);
            let form = match machine.like {
                Some(other) => self.form_like(machine, other),
                None => self.form_of(machine, definition, &mut known),
            };
            let form = form.unwrap_or_else(|| resting(&mut known));
            self.add_machine(machine, form);
        }
    }

    fn add_machine(&mut self, syntax: &MachineSyntax, form: Form) {
        let id = MachineId(self.network.machines.len() as u32);
        self.network.machines.push(form.machine.clone());
        if let Some(names) = &form.names {
            self.origins.states.insert(id, names.clone());
        }
        self.forms.push(form);
        let initial = syntax.at.and_then(|state| self.local_state(id, state));
        self.network.initial.locals.push(initial.unwrap_or_default());
        let name = self.lowering.symbols.shared(syntax.name.symbol);
        self.origins.machines.push(Origin { name: Some(name), place: self.place(syntax.place) });
    }

    /// The form of a machine that is declared to be like an earlier one.
    fn form_like(&mut self, machine: &MachineSyntax, other: Ident) -> Option<Form> {
        if let Some(state) = machine.states.first() {
            self.report(errors::states_of_copy(self.text(other), state.name.span, other.span));
        }
        let number = self.find(other, |lowering| &lowering.machines)?;
        let form = self.forms.get(number).cloned();
        if form.is_none() {
            self.report(errors::like_itself(self.text(other), other.span));
        }
        form
    }

    fn form_of(&mut self, syntax: &MachineSyntax, definition: DefinitionId, known: &mut Sharing) -> Option<Form> {
        if syntax.states.is_empty() {
            if !syntax.is_damaged {
                self.report(errors::no_states(self.text(syntax.name), syntax.name.span));
            }
            return None;
        }
        let states = self.declare_states(syntax, definition);
        let mut start = 0;
        let mut all = Vec::with_capacity(syntax.states.len());
        for state in &syntax.states {
            let mut edges = Vec::with_capacity(state.end - start);
            for edge in &syntax.edges[start..state.end] {
                let action = self.action(edge.action);
                let target = self.state_in(&states, syntax, edge.target);
                if let (Some(action), Some(target)) = (action, target) {
                    edges.push(Edge { action, target });
                }
            }
            start = state.end;
            all.push(edges);
        }
        let mut alphabet: Vec<Action> = all.iter().flatten().map(|edge| edge.action).collect();
        alphabet.sort_unstable();
        alphabet.dedup();
        let names = self.state_names(syntax);
        let machine = known.share(Machine::new(all));
        Some(Form { machine, states: Rc::new(states), names, alphabet: alphabet.into() })
    }

    fn declare_states(&mut self, syntax: &MachineSyntax, machine: DefinitionId) -> super::Scope {
        let mut states = super::Scope::new("state");
        for (number, state) in syntax.states.iter().enumerate() {
            let text = self.text(state.name);
            if state.is_number && text != number.to_string() {
                self.report(errors::state_number(text, number, state.name.span));
            }
            let inside = Some(machine);
            let span = state.name.span;
            let definition = Definition { kind: NameKind::State, name: span, span, inside };
            let definition = self.lowering.document.names.define(definition);
            if let Err(first) = states.declare(state.name, definition) {
                self.report(errors::duplicate("state", text, span, first));
            }
        }
        states
    }

    /// The names of states, unless all are numbers.
    fn state_names(&self, syntax: &MachineSyntax) -> Option<StateNames> {
        let name = |state: &crate::syntax::StateSyntax| {
            (!state.is_number).then(|| self.lowering.symbols.shared(state.name.symbol))
        };
        let is_named = syntax.states.iter().any(|state| !state.is_number);
        is_named.then(|| syntax.states.iter().map(name).collect())
    }

    fn state_in(&mut self, states: &super::Scope, syntax: &MachineSyntax, state: Ident) -> Option<LocalState> {
        match states.find(state.symbol) {
            Some((number, definition)) => {
                self.lowering.document.names.refer(state.span, definition);
                Some(LocalState(number as u32))
            }
            None => {
                if !syntax.is_damaged {
                    let near = states.nearest(self.text(state), self.lowering.symbols);
                    let (machine, text) = (self.text(syntax.name), self.text(state));
                    self.report(errors::unknown_state(machine, text, near.as_deref(), state.span));
                }
                None
            }
        }
    }

    /// Looks up a state of a machine.
    pub(super) fn local_state(&mut self, machine: MachineId, state: Ident) -> Option<LocalState> {
        let form = self.forms.get(machine.index())?.clone();
        let syntax = self.syntax;
        self.state_in(&form.states, &syntax.machines[machine.index()], state)
    }
}

/// A placeholder for a malformed machine.
fn resting(known: &mut Sharing) -> Form {
    let machine = known.share(Machine::new([vec![]]));
    Form { machine, states: Rc::new(super::Scope::new("state")), names: None, alphabet: Rc::new([]) }
}
