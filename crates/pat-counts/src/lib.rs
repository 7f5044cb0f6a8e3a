//! State and transition counts of PAT 3.5, for calibration.
//!
//! PAT's searches are reproduced state by state and in its order, only to be counted. They decide nothing, and the
//! product does not depend on this crate. `docs/semantics/pat-counts.md` documents each search and the evidence for it.

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
use progress::NoProgress;
use std::rc::Rc;
use std::sync::Arc;

/// Search engine of PAT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Breadth-first search, the first step first: a shortest witness.
    Nearest,
    /// Depth-first search, the last step first: any witness. PAT's default.
    Any,
}

/// Counts that PAT prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Visited states.
    pub n_states: u64,
    /// Followed transitions.
    pub n_steps: u64,
}

/// Reason for missing counts.
#[derive(Debug)]
pub enum NotCounted {
    /// The search for assertions of this kind is unknown.
    NoRule,
    /// The limit on states is exceeded.
    MaxStates,
    /// The script has an error, or is beyond the capabilities of its language.
    Failed(Failure),
}

impl From<Failure> for NotCounted {
    fn from(failure: Failure) -> NotCounted {
        NotCounted::Failed(failure)
    }
}

/// Counts the states and steps of PAT's decision of the assertion with this number, from 1. The script must have no
/// errors.
///
/// # Errors
/// When the search is unknown, or a limit is exceeded.
pub fn count(session: &Session, index: usize, witness: Witness, max_states: usize) -> Result<Tally, NotCounted> {
    let mut semantics = session.semantics(Arc::new(NoProgress));
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

/// States of a process with memoized steps.
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
    fn check_limit(&self, n_states: usize) -> Result<(), NotCounted> {
        if n_states > self.max_states { Err(NotCounted::MaxStates) } else { Ok(()) }
    }
}
