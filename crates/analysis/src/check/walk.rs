//! Processes as transition systems that are made on demand, for searches that may end before all of it is known.

use fixedbitset::FixedBitSet;
use frontend::{Failure, Passing, Semantics, State, Step, Time};
use hashbrown::HashMap;
use lts::refine::Implementation;
use lts::{Builder, Label, StateId, Transition};
use model::network::ProcessId;
use model::participants::Marks;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use temporal::{Action, Structure};

/// What a process reaches, as far as somebody asked. It does not keep hold of the language, so it can be left and gone on with.
pub(super) struct Walked {
    states: Vec<State>,
    numbers: HashMap<State, StateId>,
    /// Where the steps of a state are, once they were asked for.
    ranges: Vec<Option<(usize, usize)>>,
    transitions: Vec<Transition>,
    /// A buffer.
    steps: Vec<Step>,
    /// The state whose steps went wrong.
    failed: Option<StateId>,
    actions: Option<Actions>,
}

/// The same, with a language that tells more of it.
pub(super) struct Walk<'a> {
    semantics: &'a mut dyn Semantics,
    walked: &'a mut Walked,
}

/// Whether it matters which processes take a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takers {
    Ignored,
    Told,
}

/// What is seen, the processes that take part, what the script asks of it, and whether it takes time.
type Told = (Label, Arc<[ProcessId]>, Marks, bool);

/// What the labels of a walk stand for, where it matters who takes a step.
#[derive(Debug, Default)]
struct Actions {
    all: Vec<Told>,
    numbers: HashMap<Told, Label>,
    /// Where each process stands.
    processes: Vec<Vec<u32>>,
    by_path: HashMap<Vec<u32>, ProcessId>,
}

impl Actions {
    fn number(&mut self, label: Label, takers: Vec<Vec<u32>>, marks: Marks, takes_time: bool) -> Label {
        let mut processes: Vec<ProcessId> = takers.into_iter().map(|path| self.process(path)).collect();
        processes.sort_unstable();
        let Actions { all, numbers, .. } = self;
        *numbers.entry((label, processes.into(), marks, takes_time)).or_insert_with_key(|action| {
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

impl Walked {
    /// A walk that begins at a process. If takers are told, steps are different if different processes take them, and labels are
    /// numbers of actions.
    pub(super) fn new(root: State, takers: Takers) -> Walked {
        Walked {
            states: vec![root],
            numbers: HashMap::from([(root, StateId(0))]),
            ranges: Vec::new(),
            transitions: Vec::new(),
            steps: Vec::new(),
            failed: None,
            actions: (takers == Takers::Told).then(Actions::default),
        }
    }

    /// Goes on.
    pub(super) fn with<'a>(&'a mut self, semantics: &'a mut dyn Semantics) -> Walk<'a> {
        Walk { semantics, walked: self }
    }

    /// What is known, if it does not matter who takes a step: states whose steps nobody asked for are open.
    pub(super) fn known(&self) -> Structure {
        let mut builder = Builder::new();
        let mut open = FixedBitSet::with_capacity(self.states.len());
        for number in 0..self.states.len() {
            let state = StateId(number as u32);
            builder.add_state(state);
            match self.ranges.get(number).copied().flatten() {
                None => open.insert(number),
                Some((start, end)) => {
                    self.transitions[start..end].iter().for_each(|step| builder.add(state, step.label, step.target));
                }
            }
        }
        Structure::partly_known(&builder.finish(StateId(0)), open)
    }

    /// The states met so far, by number.
    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    /// Steps of the walk, as those of the language.
    pub(super) fn steps(&self, steps: &[Transition]) -> Vec<Step> {
        steps.iter().map(|step| Step { label: step.label, target: self.states[step.target.index()] }).collect()
    }

    /// Where the processes stand that take steps, if that was to be told.
    pub(super) fn processes(&self) -> &[Vec<u32>] {
        self.actions.as_ref().map(|actions| &actions.processes[..]).unwrap_or_default()
    }

    /// The labels on a shortest way to the state whose steps went wrong, if there is one.
    pub(super) fn way_to_failure(&self) -> Option<Vec<Label>> {
        let failed = self.failed?;
        let mut before: HashMap<StateId, (StateId, Label)> = HashMap::new();
        let mut open = VecDeque::from([StateId(0)]);
        while let Some(state) = open.pop_front() {
            if state == failed {
                break;
            }
            let Some((start, end)) = self.ranges.get(state.index()).copied().flatten() else { continue };
            for step in &self.transitions[start..end] {
                if step.target != StateId(0) && !before.contains_key(&step.target) {
                    before.insert(step.target, (state, step.label));
                    open.push_back(step.target);
                }
            }
        }
        let mut labels = Vec::new();
        let mut at = failed;
        while let Some(&(state, label)) = before.get(&at) {
            labels.push(self.actions.as_ref().map_or(label, |actions| actions.all[label.index()].0));
            at = state;
        }
        labels.reverse();
        Some(labels)
    }

    fn number(&mut self, target: State) -> StateId {
        let fresh = StateId(self.states.len() as u32);
        let number = *self.numbers.entry(target).or_insert(fresh);
        if number == fresh {
            self.states.push(target);
        }
        number
    }

    /// The steps of a state, which are asked for once.
    fn transitions(&mut self, semantics: &mut dyn Semantics, state: StateId) -> Result<&[Transition], Failure> {
        if self.ranges.len() < self.states.len() {
            self.ranges.resize(self.states.len(), None);
        }
        let (start, end) = match self.ranges[state.index()] {
            Some(range) => range,
            None => self.expand(semantics, state)?,
        };
        self.ranges[state.index()] = Some((start, end));
        Ok(&self.transitions[start..end])
    }

    /// Asks for the steps of a state, and says where they are.
    fn expand(&mut self, semantics: &mut dyn Semantics, state: StateId) -> Result<(usize, usize), Failure> {
        let from = self.states[state.index()];
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        if let Err(failure) = semantics.steps(from, &mut steps) {
            self.failed = Some(state);
            return Err(failure);
        }
        let first = self.transitions.len();
        for (place, step) in steps.iter().enumerate() {
            let target = self.number(step.target);
            let label = match &mut self.actions {
                None => step.label,
                Some(actions) => {
                    let takes_time = takes_time(semantics, from, place);
                    let takers = semantics.takers(from, place)?;
                    actions.number(step.label, takers, semantics.marks(from, place), takes_time)
                }
            };
            self.transitions.push(Transition { label, target });
        }
        self.steps = steps;
        let mut found = self.transitions.split_off(first);
        found.sort_unstable();
        found.dedup();
        self.transitions.append(&mut found);
        Ok((first, self.transitions.len()))
    }
}

impl Implementation for Walk<'_> {
    type Error = Failure;

    const EFFORT: usize = 100;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn n_known(&self) -> usize {
        self.walked.states.len()
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], Failure> {
        self.walked.transitions(&mut *self.semantics, state)
    }
}

/// A walk beside others, all of which ask one language.
pub(super) struct SharedWalk<'a> {
    semantics: &'a RefCell<&'a mut dyn Semantics>,
    walked: Walked,
}

impl<'a> SharedWalk<'a> {
    /// A walk that begins at a process.
    pub(super) fn new(semantics: &'a RefCell<&'a mut dyn Semantics>, root: State) -> SharedWalk<'a> {
        SharedWalk { semantics, walked: Walked::new(root, Takers::Ignored) }
    }

    pub(super) fn walked(&self) -> &Walked {
        &self.walked
    }

    pub(super) fn transitions(&mut self, state: StateId) -> Result<&[Transition], Failure> {
        self.walked.transitions(&mut **self.semantics.borrow_mut(), state)
    }
}

impl decide::Walk for Walk<'_> {
    fn actions(&self) -> Option<Vec<Action>> {
        let actions = self.walked.actions.as_ref()?.all.iter();
        Some(
            actions
                .map(|(label, crew, marks, takes_time)| Action {
                    label: *label,
                    parts: crew[..].into(),
                    marks: *marks,
                    takes_time: *takes_time,
                })
                .collect(),
        )
    }
}

/// Whether time passes before a step, or may, as long as one likes.
pub(super) fn takes_time(semantics: &mut dyn Semantics, state: State, step: usize) -> bool {
    if !semantics.is_timed() {
        return false;
    }
    semantics.delay(state, step) > Time::from_integer(0) || matches!(semantics.passing(state), Passing::Forever(_))
}
