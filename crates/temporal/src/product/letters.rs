//! Letters: the facts of a position as bits of one word, combined from those of its state and those of its step.

use crate::system::ActionSystem;
use crate::{Action, Fact, Rules, View};
use lts::walk::for_each_step;
use lts::{Label, StateId, Transition, Watch};

/// The bit of each fact.
#[derive(Clone, Debug)]
pub(super) struct Letters {
    facts: Vec<Fact>,
    actions: Vec<ActionFacts>,
    /// Cached facts of states; bit 63 marks known entries.
    of_state: Vec<u64>,
    depends_on_states: bool,
    depends_on_silent_steps: bool,
}

/// The facts about an action.
#[derive(Clone, Copy, Debug)]
struct ActionFacts {
    /// Those that are true where it is taken.
    taken: u64,
    /// Those that are true where it is enabled.
    possible: u64,
    /// Those that are true where it is enabled after silent steps.
    possible_later: u64,
    is_tau: bool,
    /// Whether it is silent, and belongs to the position of the next step.
    is_silent: bool,
}

/// The bit of known entries, which no fact uses.
const KNOWN: u64 = 1 << 63;

impl Letters {
    pub(super) fn new(facts: &[Fact], actions: &[Action], rules: &Rules) -> Letters {
        let facts_of = |action: &Action| {
            let among = |labels: &crate::Labels| labels.contains(action.label);
            ActionFacts {
                taken: bits(facts, |fact| matches!(fact, Fact::Takes(labels) if among(labels))),
                possible: bits(facts, |fact| matches!(fact, Fact::Enables(labels) if among(labels))),
                possible_later: bits(facts, |fact| matches!(fact, Fact::EnablesSilently(labels) if among(labels))),
                is_tau: action.label == Label::TAU,
                is_silent: rules.is_silent(action),
            }
        };
        Letters {
            facts: facts.to_vec(),
            actions: actions.iter().map(facts_of).collect(),
            of_state: Vec::new(),
            // In the trace view a position is not a state; only its end is.
            depends_on_states: rules.view == View::Step && facts.iter().any(|fact| !matches!(fact, Fact::Takes(_))),
            depends_on_silent_steps: facts.iter().any(|fact| matches!(fact, Fact::EnablesSilently(_))),
        }
    }

    /// Whether letters depend on states.
    pub(super) fn depends_on_states(&self) -> bool {
        self.depends_on_states
    }

    pub(super) fn is_silent(&self, step: &Transition) -> bool {
        self.actions[step.label.index()].is_silent
    }

    pub(super) fn of_step(&self, step: &Transition) -> u64 {
        self.actions[step.label.index()].taken
    }

    /// The facts of a state, whatever step is taken; none if they are unknown.
    pub(super) fn of_state(&mut self, system: &mut impl ActionSystem, state: StateId) -> Option<u64> {
        if !self.depends_on_states {
            return Some(0);
        }
        let index = state.index();
        if self.of_state.len() <= index {
            self.of_state.resize(index + 1, 0);
        }
        if self.of_state[index] & KNOWN == 0 {
            self.of_state[index] = self.look(system, state)? | KNOWN;
        }
        Some(self.of_state[index] & !KNOWN)
    }

    /// The facts of a state where a run ends.
    pub(super) fn of_end(&self, system: &mut impl ActionSystem, state: StateId) -> Option<u64> {
        self.look(system, state)
    }

    fn look(&self, system: &mut impl ActionSystem, state: StateId) -> Option<u64> {
        let (initial, terminated) = (system.initial(), system.terminated());
        let mut letter = if self.depends_on_silent_steps { self.look_after_silent_steps(system, state)? } else { 0 };
        let steps = system.steps(&state).ok()?;
        letter |= steps.iter().fold(0, |bits, step| bits | self.actions[step.label.index()].possible);
        let (n_steps, is_sink) = (steps.len(), steps.iter().all(|step| step.target == state));
        let others = bits(&self.facts, |fact| match fact {
            Fact::Takes(_) | Fact::Enables(_) | Fact::EnablesSilently(_) => false,
            Fact::Stuck => n_steps == 0,
            Fact::Sink => is_sink,
            Fact::Branches => n_steps >= 2,
            Fact::Terminated => terminated == Some(state),
            Fact::Initial => initial == state,
            Fact::Among(states) => states.contains(state.index()),
            Fact::Holds(condition) => system.holds(*condition, state),
        });
        Some(letter | others)
    }

    fn look_after_silent_steps(&self, system: &mut impl ActionSystem, state: StateId) -> Option<u64> {
        let mut letter = 0;
        let follows = |step: &Transition| {
            let facts = self.actions[step.label.index()];
            letter |= facts.possible_later;
            facts.is_tau
        };
        for_each_step(system, state, follows, &mut Watch::none()).ok()?;
        Some(letter)
    }
}

fn bits(facts: &[Fact], holds: impl Fn(&Fact) -> bool) -> u64 {
    facts.iter().enumerate().fold(0, |bits, (number, fact)| bits | u64::from(holds(fact)) << number)
}
