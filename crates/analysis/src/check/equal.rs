//! Equivalence of two processes in a model: refinement in both directions.
//!
//! The process of the assertion is the implementation in the first direction. A note says which process has the run of
//! a counterexample.

use super::checker::Checker;
use super::decided::Decided;
use super::failed::Failed;
use frontend::{Asserted, State};
use lts::Model;

impl Checker<'_> {
    /// Decides whether two processes refine each other.
    pub(super) fn decide_equal(
        &mut self,
        index: usize,
        (process, other): (State, State),
        model: Model,
    ) -> Result<Decided, Failed> {
        let refines = |implementation, specification| Asserted::Refines { specification, implementation, model };
        let there = self.decide_asserted(&refines(process, other))?;
        if !there.holds {
            return Ok(self.with_side(there, index, false));
        }
        let mut back = self.decide_asserted(&refines(other, process))?;
        back.statistics.n_states += there.statistics.n_states;
        back.statistics.n_transitions += there.statistics.n_transitions;
        Ok(self.with_side(back, index, true))
    }

    /// Adds a note on which process has the run of the counterexample.
    fn with_side(&self, mut decided: Decided, index: usize, is_other: bool) -> Decided {
        if let (false, Some(assertion)) = (decided.holds, self.session.assertion(index)) {
            let (process, other) =
                (&assertion.sides.process[..], assertion.sides.specification.as_deref().unwrap_or_default());
            let (does, does_not) = if is_other { (other, process) } else { (process, other) };
            decided.notes.push(format!("this is what {does} does, and {does_not} does not"));
        }
        decided
    }
}
