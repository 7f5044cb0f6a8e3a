//! Partially explored systems: Bruns and Godefroid (1999), *Model checking partial state spaces with 3-valued temporal
//! logics*.

use crate::Action;
use fixedbitset::FixedBitSet;
use lts::{Builder, Label, Lts, StateId, Transition};

/// The number of an action, in the place of the label of an [`Lts`] or a network. It is not a label: the numbers of
/// silence and termination have no special meaning here, so functions that interpret labels do not apply to such a
/// system.
pub(crate) type ActionNumber = Label;

/// A system, explored completely or in part.
///
/// The steps of a state are those of an [`Lts`] whose labels are numbers of actions. Termination always leads to a
/// state of its own, which has no steps.
#[derive(Clone, Debug)]
pub struct Structure {
    lts: Lts,
    actions: Vec<Action>,
    open: FixedBitSet,
    terminated: Option<StateId>,
    is_reachable: bool,
    n_workers: usize,
    /// The states in which conditions on variables are true, by number.
    conditions: Vec<(u32, FixedBitSet)>,
}

impl Structure {
    /// A system of actions and steps, whose labels are numbers of actions. The steps of `open` states are unknown; they
    /// must have none here.
    pub fn new(lts: &Lts, actions: Vec<Action>, open: FixedBitSet) -> Structure {
        let ends = |step: &Transition| actions[step.label.index()].label == Label::TICK;
        let can_end = lts.states().any(|state| lts.transitions(state).iter().any(ends));
        let terminated = can_end.then(|| StateId(lts.n_states() as u32));
        let mut builder = Builder::new();
        for state in lts.states().chain(terminated) {
            builder.add_state(state);
        }
        for state in lts.states() {
            for step in lts.transitions(state) {
                let target = terminated.filter(|_| ends(step)).unwrap_or(step.target);
                builder.add(state, step.label, target);
            }
        }
        let (lts, conditions) = (builder.finish(lts.initial()), Vec::new());
        Structure { lts, actions, open, terminated, is_reachable: false, n_workers: 1, conditions }
    }

    /// A system in which all states are reachable, and all termination leads to one state, which has no other incoming
    /// steps.
    pub(crate) fn with_one_end(lts: Lts, actions: Vec<Action>, open: FixedBitSet) -> Structure {
        let end = actions.iter().position(|action| action.label == Label::TICK);
        let is_end = |step: &&Transition| actions[step.label.index()].label == Label::TICK;
        let terminated = end.and_then(|_| lts.states().find_map(|state| lts.transitions(state).iter().find(is_end)));
        let terminated = terminated.map(|step| step.target);
        let is_reachable = open.is_clear();
        Structure { lts, actions, open, terminated, is_reachable, n_workers: 1, conditions: Vec::new() }
    }

    /// A system whose actions are labels, without participants.
    pub fn from_lts(lts: &Lts) -> Structure {
        Structure::partly_known(lts, FixedBitSet::new())
    }

    /// [`Structure::from_lts`] with some open states.
    pub fn partly_known(lts: &Lts, open: FixedBitSet) -> Structure {
        let n_labels = lts.states().flat_map(|state| lts.transitions(state)).map(|step| step.label.0 + 1).max();
        let action = |label| Action::of(Label(label));
        Structure::new(lts, (0..n_labels.unwrap_or(0)).map(action).collect(), open)
    }

    /// The system with one more action, by which runs may end in some states.
    pub(crate) fn with_ends(&self, states: &[StateId]) -> Structure {
        let mut builder = Builder::new();
        let end = StateId(self.n_states() as u32);
        let ends = Label(self.actions.len() as u32);
        self.states().chain([end]).for_each(|state| builder.add_state(state));
        for state in self.states() {
            self.steps(state).iter().for_each(|step| builder.add(state, step.label, step.target));
        }
        states.iter().for_each(|&state| builder.add(state, ends, end));
        let actions = self.actions.iter().cloned().chain([Action::end()]).collect();
        Structure {
            lts: builder.finish(self.initial()),
            actions,
            open: self.open.clone(),
            terminated: self.terminated,
            // Without these states the new one is unreachable.
            is_reachable: self.is_reachable && !states.is_empty(),
            n_workers: self.n_workers,
            conditions: self.conditions.clone(),
        }
    }

    /// The system with variables: the states in which conditions on them are true, by number.
    #[must_use]
    pub fn with_conditions(self, conditions: Vec<(u32, FixedBitSet)>) -> Structure {
        Structure { conditions, ..self }
    }

    /// Whether a condition on variables, by its number, is true in a state.
    pub fn holds(&self, condition: u32, state: StateId) -> bool {
        let found = self.conditions.iter().find(|(number, _)| *number == condition);
        found.is_some_and(|(_, states)| states.contains(state.index()))
    }

    /// The system, to be explored by this number of workers. No result depends on it.
    #[must_use]
    pub fn with_workers(self, n_workers: usize) -> Structure {
        Structure { n_workers, ..self }
    }

    /// The number of workers that explore it.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_workers
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.lts.initial()
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.lts.n_states()
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.lts.n_transitions()
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        self.lts.states()
    }

    /// The steps of a state. Their labels are numbers of actions.
    pub fn steps(&self, state: StateId) -> &[Transition] {
        self.lts.transitions(state)
    }

    /// The steps as an explicit system, in which open states have none.
    pub(crate) fn lts(&self) -> &Lts {
        &self.lts
    }

    /// All actions, by number.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The action of a step.
    pub fn action(&self, step: &Transition) -> &Action {
        &self.actions[step.label.index()]
    }

    /// Whether the steps of a state are unknown.
    pub fn is_open(&self, state: StateId) -> bool {
        self.open.contains(state.index())
    }

    /// Whether all states are known to be reachable and none is open.
    pub(crate) fn is_reachable(&self) -> bool {
        self.is_reachable
    }

    /// The number of open states.
    pub fn n_open(&self) -> usize {
        self.open.count_ones(..)
    }

    /// Whether a state certainly has no step.
    pub fn is_stuck(&self, state: StateId) -> bool {
        self.steps(state).is_empty() && !self.is_open(state)
    }

    /// The target of termination, if there is any.
    pub fn terminated(&self) -> Option<StateId> {
        self.terminated
    }
}
