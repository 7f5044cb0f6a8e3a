//! Facts by their definitions.

use crate::{Fact, Structure};
use lts::{Label, StateId, Transition};

/// Whether a fact holds at a position: in a state, with the step taken there, if any.
pub fn holds_at(fact: &Fact, structure: &Structure, state: StateId, taken: Option<&Transition>) -> bool {
    let steps = structure.steps(state);
    match fact {
        Fact::Takes(labels) => taken.is_some_and(|step| labels.contains(structure.action(step).label)),
        Fact::Enables(labels) => steps.iter().any(|step| labels.contains(structure.action(step).label)),
        Fact::EnablesSilently(labels) => silently_reached(structure, state)
            .iter()
            .flat_map(|&state| structure.steps(state))
            .any(|step| labels.contains(structure.action(step).label)),
        Fact::Stuck => structure.is_stuck(state),
        Fact::Sink => steps.iter().all(|step| step.target == state) && !structure.is_open(state),
        Fact::Branches => steps.len() >= 2,
        Fact::Terminated => structure.terminated() == Some(state),
        Fact::Initial => state == structure.initial(),
        Fact::Among(states) => states.contains(state.index()),
        Fact::Holds(condition) => structure.holds(*condition, state),
    }
}

/// Whether enough of the structure is known to evaluate a fact in a state. Facts about the step taken there are always
/// known.
pub fn is_known_at(fact: &Fact, structure: &Structure, state: StateId) -> bool {
    match fact {
        Fact::Takes(_) | Fact::Terminated | Fact::Initial | Fact::Among(_) | Fact::Holds(_) => true,
        Fact::Enables(_) | Fact::Stuck | Fact::Sink | Fact::Branches => !structure.is_open(state),
        Fact::EnablesSilently(_) => {
            let is_open = |&state: &StateId| structure.is_open(state);
            structure.n_open() == 0
                || holds_at(fact, structure, state, None)
                || !silently_reached(structure, state).iter().any(is_open)
        }
    }
}

/// All states reachable by silent steps, this one included.
fn silently_reached(structure: &Structure, state: StateId) -> Vec<StateId> {
    let mut reached = vec![state];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        for step in structure.steps(from) {
            if structure.action(step).label == Label::TAU && !reached.contains(&step.target) {
                reached.push(step.target);
            }
        }
    }
    reached
}
