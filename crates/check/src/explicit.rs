//! Claims about systems that are walked state by state: explicit ones, or ones whose steps are made on demand.

use crate::{Answer, Claim, Counterexample, Fault, Statistics, Verdict};
use lts::determinism::{Nondeterminism, nondeterminism};
use lts::refine::{self, Ended, HasTrace, Implementation, Violation};
use lts::{Label, Model, StateId, Transition, Watch};

/// Decides a claim about a system.
///
/// # Errors
/// When the system cannot tell the steps of a state.
pub fn decide_walking<I: Implementation>(
    claim: &Claim,
    system: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer<StateId>, I::Error> {
    let answer = match claim {
        Claim::Refines(spec, model) => check(refine::Claim::Refines(spec, *model), system, watch),
        Claim::DeadlockFree(model) => check(refine::Claim::DeadlockFree(*model), system, watch),
        Claim::DivergenceFree => check(refine::Claim::DivergenceFree, system, watch),
        Claim::Deterministic(model) => deterministic(system, *model, watch),
        Claim::HasTrace(trace, model) => has_trace(system, trace, *model, watch),
    };
    match answer {
        Ok(answer) => Ok(answer),
        Err(Ended::Failed(error)) => Err(error),
        Err(Ended::Stopped(stop)) => {
            Ok(Answer { verdict: Verdict::Unknown(stop.into()), statistics: Statistics::default() })
        }
    }
}

type Decided<I> = Result<Answer<StateId>, Ended<<I as Implementation>::Error>>;

fn check<I: Implementation>(claim: refine::Claim<'_>, system: &mut I, watch: &mut Watch<'_>) -> Decided<I> {
    let answer = refine::check(claim, system, watch)?;
    let is_refinement = matches!(claim, refine::Claim::Refines(..));
    let statistics = Statistics {
        n_states: answer.n_pairs as u64,
        n_spec_states: is_refinement.then_some(answer.n_nodes as u64),
        ..Statistics::default()
    };
    let verdict = match answer.counterexample {
        None => Verdict::Holds,
        Some(found) => Verdict::Fails(to_counterexample(system, found, is_refinement)?),
    };
    Ok(Answer { verdict, statistics })
}

/// A counterexample in the words of this crate.
fn to_counterexample<I: Implementation>(
    system: &mut I,
    found: refine::Counterexample,
    is_refinement: bool,
) -> Result<Counterexample<StateId>, Ended<I::Error>> {
    let start = system.initial();
    let mut steps = pairs(&found.steps);
    let fault = match found.violation {
        Violation::Event { event, allowed } => {
            let last = steps.last().map_or(start, |&(_, state)| state);
            let mut next = system.transitions(last).map_err(Ended::Failed)?.iter();
            let step = next.find(|step| step.label == event).expect("the state can do the event");
            steps.push((event, step.target));
            Fault::Event(allowed)
        }
        Violation::Refusal { accepted, demanded } if is_refinement => Fault::Refusal { accepted, demanded },
        Violation::Refusal { .. } => Fault::Deadlock,
        Violation::Revival { event, accepted, demanded } => Fault::Revival { event, accepted, demanded },
        Violation::Divergence { silent, loop_start } => {
            let place = steps.len() + loop_start;
            steps.extend(pairs(&silent));
            Fault::Divergence(place)
        }
    };
    Ok(Counterexample { start, steps, rules: Vec::new(), fault })
}

fn pairs(steps: &[Transition]) -> Vec<(Label, StateId)> {
    steps.iter().map(|step| (step.label, step.target)).collect()
}

fn has_trace<I: Implementation>(system: &mut I, trace: &[Label], model: Model, watch: &mut Watch<'_>) -> Decided<I> {
    let start = system.initial();
    let verdict = match refine::has_trace(system, trace, model, watch)? {
        HasTrace::Yes(_) => Verdict::Holds,
        HasTrace::No { longest, missing, possible } => {
            let fault = Fault::Missing { event: missing, possible };
            Verdict::Fails(Counterexample { start, steps: pairs(&longest), rules: Vec::new(), fault })
        }
        HasTrace::Prevented(found) => Verdict::Fails(to_counterexample(system, found, true)?),
    };
    Ok(Answer { verdict, statistics: Statistics { n_states: system.n_known() as u64, ..Statistics::default() } })
}

/// Determinism compares runs with each other, so all of the system is needed.
fn deterministic<I: Implementation>(system: &mut I, model: Model, watch: &mut Watch<'_>) -> Decided<I> {
    let lts = refine::write_down(system, watch)?;
    let statistics = Statistics {
        n_states: lts.n_states() as u64,
        n_transitions: lts.n_transitions() as u64,
        ..Statistics::default()
    };
    let verdict = match nondeterminism(&lts, model, watch)? {
        None => Verdict::Holds,
        Some(found) => {
            let (steps, fault) = match found {
                Nondeterminism::Choice { event, refusing, accepted, .. } => {
                    (pairs(&refusing), Fault::Nondeterminism(event, accepted))
                }
                Nondeterminism::Divergence { steps, silent, loop_start } => {
                    let place = steps.len() + loop_start;
                    (pairs(&[steps, silent].concat()), Fault::Divergence(place))
                }
            };
            Verdict::Fails(Counterexample { start: lts.initial(), steps, rules: Vec::new(), fault })
        }
    };
    Ok(Answer { verdict, statistics })
}
