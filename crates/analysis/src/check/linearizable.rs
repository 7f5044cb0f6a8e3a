//! Whether what threads see of an object could be operations that happen at once.
//!
//! That is a refinement in traces. If steps are given at which operations take effect, it is tried with these in sight
//! first: the specification is deterministic then, and hiding the steps again changes nothing about what refines what.
//! That it fails with them says nothing, since they may be the wrong ones.

use super::checker::Checker;
use super::decided::Decided;
use super::failed::Failed;
use frontend::{Asserted, State};
use lts::Model;

fn refinement((specification, implementation): (State, State)) -> Asserted {
    Asserted::Refines { specification, implementation, model: Model::Traces }
}

/// The comparison behind an assertion, if there is one.
pub(super) fn compared(asserted: Asserted) -> Asserted {
    match asserted {
        Asserted::Linearizable { specification, implementation, .. } => refinement((specification, implementation)),
        other => other,
    }
}

impl Checker<'_> {
    /// Decides whether a process, by what it shows, behaves like an object, by what may be seen of that.
    pub(super) fn decide_linearizable(
        &mut self,
        sides: (State, State),
        points: Option<(State, State)>,
    ) -> Result<Decided, Failed> {
        let mut notes = Vec::new();
        if let Some((specification, implementation)) = points {
            let asserted = refinement((specification, implementation));
            match self.decide_refinement(&asserted, specification, implementation, Model::Traces) {
                Ok(decided) if decided.holds => return Ok(decided),
                Err(failed @ (Failed::Error(_) | Failed::Stopped(_))) => return Err(failed),
                Ok(_) | Err(_) => notes.push("the points do not explain it; decided without them".to_owned()),
            }
        }
        let (specification, implementation) = sides;
        let decided = self.decide_refinement(&refinement(sides), specification, implementation, Model::Traces)?;
        Ok(Decided { notes, ..decided })
    }
}
