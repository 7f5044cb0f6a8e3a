//! The numbers of states and transitions that PAT 3.5 prints, for calibration.
//!
//! PAT's searches are repeated state by state and in its order, only to be counted. Nothing is decided here, and nothing of the product
//! depends on this crate. `docs/semantics/pat-counts.md` says what is known about each search, and how.

mod formula;
mod gastin_oddoux;
mod in_zones;
mod reach;
mod refinement;
#[cfg(test)]
#[path = "../../ltl/tests/support/mod.rs"]
mod support;
mod words;

use analysis::Session;
use frontend::{Asserted, Failure, Semantics, State, Step};
use hashbrown::HashMap;
#[cfg(test)]
use ltl::logic;
use progress::Nobody;
use std::rc::Rc;
use std::sync::Arc;

/// The engine that PAT is asked to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Breadth first, the first step first: a nearest witness.
    Nearest,
    /// Depth first, the last step first: any witness. PAT uses this one unless told otherwise.
    Any,
}

/// The numbers that PAT prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Visited states.
    pub n_states: u64,
    /// Followed transitions.
    pub n_steps: u64,
}

/// Why there are no numbers.
#[derive(Debug)]
pub enum NotCounted {
    /// No rule is known for assertions of this kind.
    NoRule,
    /// The limit on states is exceeded.
    MaxStates,
    /// The script is wrong, or beyond what its language can tell.
    Failed(Failure),
}

impl From<Failure> for NotCounted {
    fn from(failure: Failure) -> NotCounted {
        NotCounted::Failed(failure)
    }
}

/// Counts what PAT meets when it decides the assertion with this number, from 1. The script must have no errors.
///
/// # Errors
/// When no rule is known, or counting does not come to an end.
pub fn count(session: &Session, index: usize, witness: Witness, max_states: usize) -> Result<Tally, NotCounted> {
    let mut semantics = session.semantics(Arc::new(Nobody));
    let asserted = semantics.asserted(index)?;
    let is_timed = semantics.is_timed();
    let mut walk = Walk { semantics: &mut *semantics, witness, max_states, known: HashMap::new() };
    match asserted {
        Asserted::Reaches { process, goal, .. } => reach::count(&mut walk, process, goal),
        Asserted::Satisfies(process, question) if !is_timed => formula::count(&mut walk, process, &question),
        Asserted::Refines { specification, implementation, model } if !is_timed => {
            refinement::count(&mut walk, specification, implementation, model)
        }
        _ => Err(NotCounted::NoRule),
    }
}

/// The states of a process, with the steps that are known.
struct Walk<'s> {
    semantics: &'s mut dyn Semantics,
    witness: Witness,
    max_states: usize,
    known: HashMap<State, Rc<[Step]>>,
}

impl Walk<'_> {
    fn steps(&mut self, state: State) -> Result<Rc<[Step]>, NotCounted> {
        if let Some(steps) = self.known.get(&state) {
            return Ok(Rc::clone(steps));
        }
        let mut steps = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let steps: Rc<[Step]> = steps.into();
        self.known.insert(state, Rc::clone(&steps));
        Ok(steps)
    }

    /// Checks the limit on states.
    fn may_go_on(&self, n_states: usize) -> Result<(), NotCounted> {
        if n_states > self.max_states { Err(NotCounted::MaxStates) } else { Ok(()) }
    }
}
