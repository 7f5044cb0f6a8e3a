//! On-the-fly checking of systems that are explored state by state: explicit ones, or ones whose steps are made when
//! they are asked for. The normal form of a specification is built on the fly, too.

use crate::answer::{NetworkAnswer, failed, unknown, with_rules};
use crate::engine::{ClaimProblem, Engine, Problem, Report};
use crate::engines::search::search;
use crate::schedule::{Features, PropertyKind};
use crate::{Answer, Claim, Statistics};
use explore::{Growing, Limits, NotExplicit, NotGrown, Observer, Reduction, may_fail};
use lts::refine;
use lts::walk::{Ended, Numbered};
use lts::{Model, Reason, Transition, Verdict, Watch};
use model::network::Network;
use progress::Progress;
use std::convert::Infallible;

/// On-the-fly comparison of the states of a network, on one thread: a trace, a nondeterminism or a forbidden event is
/// often near.
pub struct OnTheFly;

impl Engine for OnTheFly {
    fn name(&self) -> &'static str {
        "on-the-fly"
    }

    fn applies(&self, features: &Features) -> bool {
        matches!(features.property, PropertyKind::Determinism | PropertyKind::OnTheFly)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some(ClaimProblem { claim, network, .. }) = problem.claim() else {
            return Report::unknown(Reason::Unsupported);
        };
        explore_on_the_fly(claim, network, problem.limits, progress).into()
    }
}

/// Decides a claim about a network whose states are explored on the fly.
pub(crate) fn explore_on_the_fly(
    claim: &Claim,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let mut growing = match Growing::within(network, Reduction::None, progress) {
        Ok(growing) => growing,
        Err(NotExplicit::Stopped(stop)) => return unknown(stop.into()),
        Err(_) => return unknown(Reason::TooWide),
    };
    let mut watch = Watch::new(progress).within(*limits);
    match decide_on_the_fly(claim, &mut growing, &mut watch) {
        // A step that fails elsewhere is an error all the same.
        Ok(Answer { verdict: Verdict::Holds, .. }) if may_fail(network) => {
            search(&Observer::indifferent(), network, &Limits { n_workers: 1, ..*limits }, progress)
        }
        Ok(answer) => with_rules(answer, |source, step| growing.step(source, step)),
        Err(NotGrown::Stopped(stop)) => unknown(stop.into()),
        Err(NotGrown::Failed(failure)) => failed(*failure),
    }
}

/// Decides a claim about a system.
///
/// # Errors
/// When the system cannot tell the steps of a state.
pub fn decide_on_the_fly<I: Numbered>(
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
pub fn refine_on_the_fly<S: Numbered, I: Numbered<Error = S::Error>>(
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
