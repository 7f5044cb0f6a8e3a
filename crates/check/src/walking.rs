//! Claims about systems that are walked state by state: explicit ones, or ones whose steps are made on demand.

use crate::{Answer, Claim, Statistics};
use lts::refine::{self, Ended, Implementation};
use lts::{Model, Transition, Verdict, Watch};
use std::convert::Infallible;

/// Decides a claim about a system.
///
/// # Errors
/// When the system cannot tell the steps of a state.
pub fn decide_walking<I: Implementation>(
    claim: &Claim,
    system: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer<Transition>, I::Error>
where
    I::Error: From<Infallible>,
{
    let answer = refine::check(claim, system, watch);
    told(answer, matches!(claim, Claim::Refines(_)))
}

/// Decides whether a system refines a specification of which only as much is made as runs of the system ask for.
///
/// # Errors
/// When one of the two cannot tell the steps of a state.
pub fn refine_on_demand<S: Implementation, I: Implementation<Error = S::Error>>(
    specification: &mut S,
    system: &mut I,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<Answer<Transition>, I::Error> {
    told(refine::refines_on_demand(specification, system, model, watch), true)
}

fn told<E>(answer: Result<refine::Answer, Ended<E>>, has_specification: bool) -> Result<Answer<Transition>, E> {
    match answer {
        Ok(answer) => {
            let statistics = Statistics {
                n_states: answer.n_pairs as u64,
                n_spec_states: has_specification.then_some(answer.n_nodes as u64),
                ..Statistics::default()
            };
            let verdict = answer.counterexample.map_or(Verdict::Holds, Verdict::Fails);
            Ok(Answer { verdict, statistics })
        }
        Err(Ended::Failed(error)) => Err(error),
        Err(Ended::Stopped(stop)) => {
            Ok(Answer { verdict: Verdict::Unknown(stop.into()), statistics: Statistics::default() })
        }
    }
}
