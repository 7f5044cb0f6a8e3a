//! Explicit transition systems.
//!
//! The steps of all states are in one array, ordered by state, label and target without duplicates; a second array has
//! the start of each state. Silent steps come first in each state. A system may be *generalized*: states then carry an
//! explicit divergence, or explicit minimal acceptances, that are not drawn as steps. An explicit divergence is
//! equivalent to a silent loop at that state.

use crate::acceptance::Acceptances;
use crate::labels::Label;
use fixedbitset::FixedBitSet;

/// A state of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The index of this state in an array.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// The label.
    pub label: Label,
    /// The target.
    pub target: StateId,
}

/// An explicit labelled transition system, possibly generalized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lts {
    pub(crate) initial: StateId,
    pub(crate) offsets: Vec<u32>,
    pub(crate) transitions: Vec<Transition>,
    /// Explicit divergences: a bit for each state, or no bits if there are none.
    pub(crate) divergent: FixedBitSet,
    pub(crate) acceptances: Option<Acceptances>,
}

impl Lts {
    /// The number of states, reachable or not; they are numbered below this.
    pub fn n_states(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of distinct steps.
    pub fn n_transitions(&self) -> usize {
        self.transitions.len()
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The system with another initial state.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn with_initial(mut self, initial: StateId) -> Lts {
        assert!(initial.index() < self.n_states(), "{initial:?} is one of {} states", self.n_states());
        self.initial = initial;
        self
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.offsets.len() as u32 - 1).map(StateId)
    }

    /// The steps of a state by label, then target.
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        let index = state.index();
        &self.transitions[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// The silent steps of a state.
    pub fn silent(&self, state: StateId) -> &[Transition] {
        let transitions = self.transitions(state);
        let n_silent = transitions.iter().take_while(|transition| transition.label == Label::TAU).count();
        &transitions[..n_silent]
    }

    /// The steps of a state that are not silent.
    pub fn visible(&self, state: StateId) -> &[Transition] {
        &self.transitions(state)[self.silent(state).len()..]
    }

    /// The steps of a state with this label.
    pub fn with_label(&self, state: StateId, label: Label) -> &[Transition] {
        let transitions = self.transitions(state);
        let start = transitions.partition_point(|transition| transition.label < label);
        let n_found = transitions[start..].iter().take_while(|transition| transition.label == label).count();
        &transitions[start..start + n_found]
    }

    /// The visible labels of a state in ascending order, each once.
    pub fn initials(&self, state: StateId) -> impl Iterator<Item = Label> + '_ {
        let visible = self.visible(state);
        let is_new = move |&place: &usize| place == 0 || visible[place - 1].label != visible[place].label;
        (0..visible.len()).filter(is_new).map(move |place| visible[place].label)
    }

    /// Whether no silent step is possible, drawn or as an explicit divergence.
    pub fn is_stable(&self, state: StateId) -> bool {
        !self.is_explicitly_divergent(state)
            && self.transitions(state).first().is_none_or(|first| first.label != Label::TAU)
    }

    /// Whether the state can terminate successfully.
    pub fn can_terminate(&self, state: StateId) -> bool {
        !self.with_label(state, Label::TICK).is_empty()
    }

    /// Whether the state is labelled divergent. Divergence by silent cycles is found by [`crate::tau::Divergences`].
    pub fn is_explicitly_divergent(&self, state: StateId) -> bool {
        self.divergent.contains(state.index())
    }

    /// The explicit acceptances of all states, if the system has them.
    pub fn acceptances(&self) -> Option<&Acceptances> {
        self.acceptances.as_ref()
    }

    /// Whether every state has at most one step for each label and none is silent, so that the system is its own normal
    /// form. Explicit acceptances and divergences are ignored.
    pub fn is_deterministic(&self) -> bool {
        self.states().all(|state| {
            let transitions = self.transitions(state);
            transitions.first().is_none_or(|first| first.label != Label::TAU)
                && transitions.windows(2).all(|pair| pair[0].label != pair[1].label)
        })
    }

    /// One more than the largest label used.
    pub(crate) fn label_bound(&self) -> usize {
        self.transitions.iter().map(|transition| transition.label.index() + 1).max().unwrap_or(0).max(2)
    }
}
