//! Processes as transition systems that are made on demand, for searches that may end before all of it is known.

use frontend::{Failure, Semantics, State, Step};
use hashbrown::HashMap;
use lts::refine::Implementation;
use lts::{Label, StateId, Transition};
use model::network::ProcessId;
use std::sync::Arc;

/// What a process reaches, as far as somebody asked.
pub(super) struct Walk<'a> {
    semantics: &'a mut dyn Semantics,
    states: Vec<State>,
    numbers: HashMap<State, StateId>,
    /// Where the steps of a state are, once they were asked for.
    ranges: Vec<Option<(usize, usize)>>,
    transitions: Vec<Transition>,
    /// A buffer.
    steps: Vec<Step>,
    actions: Option<Actions>,
}

/// Whether it matters which processes take a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takers {
    Ignored,
    Told,
}

/// What the labels of a walk stand for, where it matters who takes a step.
#[derive(Debug, Default)]
pub(super) struct Actions {
    /// What is seen, and the processes that take part.
    pub(super) all: Vec<(Label, Arc<[ProcessId]>)>,
    numbers: HashMap<(Label, Arc<[ProcessId]>), Label>,
    /// Where each process stands.
    pub(super) processes: Vec<Vec<u32>>,
    by_path: HashMap<Vec<u32>, ProcessId>,
}

impl Actions {
    fn number(&mut self, label: Label, takers: Vec<Vec<u32>>) -> Label {
        let mut processes: Vec<ProcessId> = takers.into_iter().map(|path| self.process(path)).collect();
        processes.sort_unstable();
        let Actions { all, numbers, .. } = self;
        *numbers.entry((label, processes.into())).or_insert_with_key(|action| {
            all.push(action.clone());
            Label(all.len() as u32 - 1)
        })
    }

    fn process(&mut self, path: Vec<u32>) -> ProcessId {
        let Actions { processes, by_path, .. } = self;
        *by_path.entry(path).or_insert_with_key(|path| {
            processes.push(path.clone());
            ProcessId(processes.len() as u32 - 1)
        })
    }
}

impl<'a> Walk<'a> {
    /// A walk that begins at a process. If takers are told, steps are different if different processes take them, and labels are
    /// numbers of [`Walk::into_actions`].
    pub(super) fn new(semantics: &'a mut dyn Semantics, root: State, takers: Takers) -> Walk<'a> {
        Walk {
            semantics,
            states: vec![root],
            numbers: HashMap::from([(root, StateId(0))]),
            ranges: Vec::new(),
            transitions: Vec::new(),
            steps: Vec::new(),
            actions: (takers == Takers::Told).then(Actions::default),
        }
    }

    /// What the labels met so far stand for; nothing if that was not to be told.
    pub(super) fn into_actions(self) -> Option<Actions> {
        self.actions
    }

    /// The states met so far, by number.
    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    fn number(&mut self, target: State) -> StateId {
        let fresh = StateId(self.states.len() as u32);
        let number = *self.numbers.entry(target).or_insert(fresh);
        if number == fresh {
            self.states.push(target);
        }
        number
    }
}

impl Implementation for Walk<'_> {
    type Error = Failure;

    const EFFORT: usize = 100;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn n_known(&self) -> usize {
        self.states.len()
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], Failure> {
        if self.ranges.len() < self.states.len() {
            self.ranges.resize(self.states.len(), None);
        }
        if self.ranges[state.index()].is_none() {
            let from = self.states[state.index()];
            let mut steps = std::mem::take(&mut self.steps);
            steps.clear();
            self.semantics.steps(from, &mut steps)?;
            let first = self.transitions.len();
            for (place, step) in steps.iter().enumerate() {
                let target = self.number(step.target);
                let label = match &mut self.actions {
                    None => step.label,
                    Some(actions) => actions.number(step.label, self.semantics.takers(from, place)),
                };
                self.transitions.push(Transition { label, target });
            }
            self.steps = steps;
            let mut found = self.transitions.split_off(first);
            found.sort_unstable();
            found.dedup();
            self.transitions.append(&mut found);
            self.ranges[state.index()] = Some((first, self.transitions.len()));
        }
        let (start, end) = self.ranges[state.index()].expect("the steps were just made");
        Ok(&self.transitions[start..end])
    }
}
