//! Deadlock freedom by place invariants: linear combinations of local states that no rule changes. If no combination of
//! local states that satisfies all of them is a deadlock, there is none.

use crate::engine::{ClaimProblem, Engine, Problem, Report};
use crate::engines::search::search;
use crate::schedule::{Features, PropertyKind};
use crate::{Claim, Verdict};
use explore::Observer;
use limits::effort::place_invariants::MAX_STATES;
use lts::Reason;
use progress::Progress;

/// Place invariants.
pub struct PlaceInvariants;

impl Engine for PlaceInvariants {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn applies(&self, features: &Features) -> bool {
        matches!(features.property, PropertyKind::DeadlockFreedom(_)) && features.can_encode && features.n_machines > 1
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some(ClaimProblem { claim: Claim::DeadlockFree(model), network, .. }) = problem.claim() else {
            return Report::unknown(Reason::Unsupported);
        };
        match symbolic::prove_deadlock_free(network, progress) {
            Err(why) => return Report::unknown(why.into()),
            Ok(false) => return Report::unknown(Reason::Unsupported),
            Ok(true) => {}
        }
        if model.sees_divergences() {
            let limits = problem.limits.with_budget(MAX_STATES);
            let answer = search(&Observer::divergence_freedom(), network, &limits, progress);
            // A divergence is a counterexample of its own, but the plain search finds a shorter one.
            if answer.verdict != Verdict::Holds {
                return Report::unknown(Reason::Unsupported);
            }
        }
        Report::of(Verdict::Holds)
    }
}
