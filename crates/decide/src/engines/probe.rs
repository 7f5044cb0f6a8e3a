//! Randomised depth-first probes, after Holzmann, Joshi and Groce (2008), *Swarm verification techniques*, with
//! restarts in the proportions of Luby, Sinclair and Zuckerman (1993).
//!
//! Where every level of a breadth-first search is larger than all before, counterexamples far from the start are out of
//! its reach. A probe proves nothing, so it goes on with larger and larger bounds until another engine decides the
//! claim.

use crate::Verdict;
use crate::answer::told;
use crate::engine::{Engine, Problem, Report};
use crate::schedule::{Features, PropertyKind};
use explore::{Check, Reduction};
use limits::effort::probes::{FIRST_STATES, GROWTH};
use lts::Reason;
use progress::Progress;

/// Depth-first probes.
pub struct DepthFirstProbe;

impl Engine for DepthFirstProbe {
    fn name(&self) -> &'static str {
        "dive"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.has_observer()
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some((network, observer)) = problem.observed() else { return Report::unknown(Reason::Unsupported) };
        let Ok(check) = Check::within(network, observer, &Reduction::None, progress) else {
            return Report::unknown(Reason::TooWide);
        };
        // Divergence freedom that follows from the rules alone leaves nothing to probe.
        if problem.features.property == PropertyKind::DivergenceFreedom && check.is_trivial() {
            return Report::unknown(Reason::Unsupported);
        }
        let budget = usize::try_from(problem.budget.min(problem.limits.states())).unwrap_or(usize::MAX);
        // A probe with a budget is a stage of its own, which ends.
        let mut max_states = if problem.budget == u64::MAX { FIRST_STATES } else { budget };
        loop {
            match check.probe(max_states.min(budget), progress) {
                Ok(None) if max_states >= budget => return Report::unknown(Reason::BUDGET),
                Ok(None) => max_states = max_states.saturating_mul(GROWTH),
                Ok(Some(found)) => {
                    let mut answer = told(observer, None);
                    answer.verdict = Verdict::Fails(found);
                    return answer.into();
                }
                Err(why) => return Report::unknown(why.into()),
            }
        }
    }
}
