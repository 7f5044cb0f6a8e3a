//! Terms as lazily explored transition systems, for on-the-fly searches.

use lts::walk::System;
use lts::{Label, StateId, Transition};
use model::network::ProcessId;
use process::{ProcessTable, StepError, StepTable, TeamId, Teams, TermId, Terms, Unfold};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// Term whose steps cannot be computed, and the reason.
#[derive(Debug)]
pub struct NoSteps(pub TermId, pub StepError);

impl From<Infallible> for NoSteps {
    fn from(never: Infallible) -> NoSteps {
        match never {}
    }
}

/// Explored part of the transition system of a term.
pub struct Walk<'a> {
    table: &'a mut StepTable,
    terms: &'a mut Terms,
    unfold: &'a mut dyn Unfold,
    states: Vec<TermId>,
    numbers: HashMap<TermId, StateId>,
    /// Range of the steps of each expanded state.
    ranges: Vec<Option<(usize, usize)>>,
    transitions: Vec<Transition>,
    actions: Option<Actions>,
}

/// Meanings of labels, if participants distinguish steps.
#[derive(Debug, Default)]
struct Actions {
    process_table: ProcessTable,
    actions: Vec<(Label, Arc<[ProcessId]>)>,
    numbers: HashMap<(Label, Arc<[ProcessId]>), Label>,
}

impl Actions {
    fn number(&mut self, teams: &Teams, label: Label, team: TeamId) -> Label {
        let Actions { process_table, actions, numbers } = self;
        *numbers
            .entry((label, process_table.processes(teams, team).expect("random terms are small")))
            .or_insert_with_key(|action| {
                actions.push(action.clone());
                Label(actions.len() as u32 - 1)
            })
    }
}

impl<'a> Walk<'a> {
    /// System whose initial state is a term.
    pub fn new(table: &'a mut StepTable, terms: &'a mut Terms, unfold: &'a mut dyn Unfold, root: TermId) -> Walk<'a> {
        let numbers = HashMap::from([(root, StateId(0))]);
        let (ranges, transitions) = (Vec::new(), Vec::new());
        Walk { table, terms, unfold, states: vec![root], numbers, ranges, transitions, actions: None }
    }

    /// System in which participants distinguish steps: labels are indices into [`Walk::actions`].
    #[must_use]
    pub fn telling_processes(self) -> Walk<'a> {
        Walk { actions: Some(Actions::default()), ..self }
    }

    /// Observable label and participants of each label so far; empty if participants do not distinguish steps.
    pub fn actions(&self) -> &[(Label, Arc<[ProcessId]>)] {
        self.actions.as_ref().map_or(&[], |actions| &actions.actions)
    }

    /// Processes that participate in actions.
    pub fn into_process_table(self) -> ProcessTable {
        self.actions.map(|actions| actions.process_table).unwrap_or_default()
    }

    /// Term of a state.
    pub fn term(&self, state: StateId) -> TermId {
        self.states[state.index()]
    }
}

impl System for Walk<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = NoSteps;

    const EFFORT: usize = 100;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn n_known(&self) -> usize {
        self.states.len()
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], NoSteps> {
        if self.ranges.len() < self.states.len() {
            self.ranges.resize(self.states.len(), None);
        }
        if self.ranges[state.index()].is_none() {
            let term = self.states[state.index()];
            let steps = self.table.steps(self.terms, self.unfold, term).map_err(|error| NoSteps(term, error))?.to_vec();
            let mut found = Vec::with_capacity(steps.len());
            for step in steps {
                let fresh = StateId(self.states.len() as u32);
                let target = *self.numbers.entry(step.target).or_insert(fresh);
                if target == fresh {
                    self.states.push(step.target);
                }
                let label = match &mut self.actions {
                    None => step.label,
                    Some(actions) => actions.number(self.table.teams(), step.label, step.team),
                };
                found.push(Transition { label, target });
            }
            found.sort_unstable();
            found.dedup();
            self.ranges[state.index()] = Some((self.transitions.len(), self.transitions.len() + found.len()));
            self.transitions.append(&mut found);
        }
        let (start, end) = self.ranges[state.index()].expect("the steps were just made");
        Ok(&self.transitions[start..end])
    }
}
