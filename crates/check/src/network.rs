//! Claims about networks.
//!
//! A specification is normalized and its normal form searched together with the network, on all workers. If there is no end of it
//! after a while, runs are followed depth first and machines are put together, and if that is in vain the search goes on where it was.
//!
//! Where the normal form has too many nodes to be written down, or runs are compared with each other, states are made on demand by one
//! worker: a trace, a nondeterminism or a forbidden event is often near. Only determinism is looked at on all of the network if there is
//! no end of that.

use crate::compose::{Sight, compose};
use crate::{
    Answer, Claim, Composed, Counterexample, Fault, Reason, Specification, Statistics, Verdict, decide_walking,
};
use explore::{Check, Explicit, Growing, Limits, NotExplicit, NotGrown, Observer, Reduction, Report, may_fail};
use lts::normal::{Room, testing::TestingForm};
use lts::{Model, StateId, Transition, Watch, determinism};
use model::network::{FailedStep, Network, NetworkStep};
use progress::{Progress, Stop};

/// Normal forms with more nodes than this, or than states of the specification by this factor, are not written down.
const MAX_NODES: usize = 1 << 20;
const MAX_NODES_PER_STATE: usize = 8;

/// States that are searched before machines are put together, and then among these.
const MAX_SEARCHED_FIRST: u64 = 1 << 22;
const MAX_COMPOSED: u64 = 1 << 23;

/// How many times as many states are searched after each break.
const GROWTH: u64 = 4;
/// Depth is tried where more than this part of the states met is waiting, and gets such a part of the work.
const MIN_WAITING: u64 = 8;
const DIVING_SHARE: u64 = 4;

/// Pairs of states that are compared on demand before all states of the network are written down.
const MAX_COMPARED: usize = 1 << 20;

/// What may be done to a network with many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Nothing: they are searched as they are.
    Search,
    /// Machines are put together and made smaller, if that helps to prove the claim.
    Compose,
}

/// An answer about a network.
type NetworkAnswer = Answer<NetworkStep, FailedStep>;

/// Decides a claim about a network.
pub fn decide(
    claim: &Claim,
    network: &Network,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let observer = match claim {
        Claim::Refines(specification) => observer_of(specification, progress),
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    };
    match (observer, claim) {
        (Some(observer), _) => decide_by_search(claim, &observer, network, method, limits, progress),
        (None, Claim::Deterministic(model)) => deterministic(claim, *model, network, limits, progress),
        (None, _) => on_demand(claim, network, limits.max_states, progress),
    }
}

/// Searches a network on all workers, with breaks in which other ways are tried.
fn decide_by_search(
    claim: &Claim,
    observer: &Observer,
    network: &Network,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let mut search = match Check::new(network, observer) {
        Ok(search) => search,
        Err(_) => {
            let composed =
                (method == Method::Compose).then(|| by_composition(claim, observer, network, limits, progress));
            return composed.flatten().unwrap_or_else(|| told(observer, None));
        }
    };
    let mut max_states = MAX_SEARCHED_FIRST;
    loop {
        let within = Limits { max_states: limits.max_states.min(max_states), ..*limits };
        let report = search.run(&within, progress);
        let is_stopped = report.verdict == Verdict::Unknown(Stop::MaxStates.into());
        if !is_stopped || max_states >= limits.max_states {
            return told(observer, Some(report));
        }
        if report.statistics.n_waiting > report.statistics.n_states / MIN_WAITING {
            match search.dive((max_states / DIVING_SHARE) as usize, progress) {
                Ok(None) => {}
                Ok(Some(found)) => return told(observer, Some(Report { verdict: Verdict::Fails(found), ..report })),
                Err(why) => return told(observer, Some(Report { verdict: Verdict::Unknown(why.into()), ..report })),
            }
        }
        if max_states == MAX_SEARCHED_FIRST
            && method == Method::Compose
            && let Some(answer) = by_composition(claim, observer, network, limits, progress)
        {
            return answer;
        }
        max_states = max_states.saturating_mul(GROWTH);
    }
}

/// Decides a claim about a large network by smaller ones that mean the same. A counterexample is taken apart to a run of the network as it
/// is. Nothing if that does not work.
fn by_composition(
    claim: &Claim,
    observer: &Observer,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<NetworkAnswer> {
    let decide = |observer: &Observer, sight: Sight, model: Model| {
        let composition = compose(network, sight, model, progress)?;
        let composed = &composition.network;
        let limits = Limits { max_states: limits.max_states.min(MAX_COMPOSED), ..*limits };
        let mut answer = search(observer, composed, &limits, progress);
        answer.statistics.composed = Some(Composed {
            n_before: network.machines.len(),
            n_after: composed.machines.len(),
            n_largest: composed.machines.iter().map(|machine| machine.n_states()).max().unwrap_or(0),
        });
        answer.verdict = match answer.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(found) => Verdict::Fails(composition.lift(network, &found, progress)?),
            Verdict::Unknown(_) => return None,
        };
        Some(answer)
    };
    match claim {
        // Pieces are compared by what failures see.
        Claim::Refines(specification) if specification.model().sees_revivals() => None,
        Claim::Refines(specification) => decide(observer, Sight::Events, specification.model()),
        Claim::DivergenceFree => decide(observer, Sight::Visibility, Model::FailuresDivergences),
        Claim::DeadlockFree(model) => {
            if model.sees_divergences() {
                let freedom = Observer::divergence_freedom();
                // The rules alone often show it; then no states are met.
                let few = Limits { max_states: MAX_SEARCHED_FIRST, ..*limits };
                let mut answer = search(&freedom, network, &few, progress);
                if let Verdict::Unknown(_) = answer.verdict {
                    answer = decide(&freedom, Sight::Visibility, Model::FailuresDivergences)?;
                }
                if let Verdict::Fails(_) = answer.verdict {
                    return Some(answer);
                }
            }
            decide(&Observer::deadlock_freedom(Model::Failures), Sight::Nothing, Model::Failures)
        }
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

/// The normal form of a specification as an observer, unless it gets out of hand.
fn observer_of(specification: &Specification, progress: &dyn Progress) -> Option<Observer> {
    let n_states = specification.system().n_states();
    let n_nodes = n_states.saturating_mul(MAX_NODES_PER_STATE).clamp(1 << 12, MAX_NODES);
    let room = Room { n_nodes, n_elements: usize::MAX };
    let (model, mut watch) = (specification.model(), Watch::new(progress));
    if model.tests_refusals() {
        let form = TestingForm::of(specification.system(), model, room, &mut watch).ok()??;
        return Some(Observer::testing(form, model));
    }
    let form = specification.normal_form(room, &mut watch).ok()??;
    Some(Observer::refinement(form, model))
}

fn search(observer: &Observer, network: &Network, limits: &Limits, progress: &dyn Progress) -> NetworkAnswer {
    told(observer, explore::check(network, observer, limits, progress).ok())
}

/// What a search came to; nothing means that states are too wide.
fn told(observer: &Observer, report: Option<Report>) -> NetworkAnswer {
    let n_spec_states = observer.specification().map(|spec| spec.n_states() as u64);
    let Some(report) = report else {
        let statistics = Statistics { n_spec_states, ..Statistics::default() };
        return Answer { verdict: Verdict::Unknown(Reason::TooWide), statistics };
    };
    let statistics = Statistics {
        n_states: report.statistics.n_states,
        n_transitions: report.statistics.n_transitions,
        n_spec_states,
        depth: Some(report.statistics.depth),
        composed: None,
    };
    Answer { verdict: report.verdict, statistics }
}

/// Decides a claim about a network whose states are made as they are needed.
fn on_demand(claim: &Claim, network: &Network, max_states: u64, progress: &dyn Progress) -> NetworkAnswer {
    let Ok(mut growing) = Growing::new(network, Reduction::None) else { return unknown(Reason::TooWide) };
    let max_states = usize::try_from(max_states).unwrap_or(usize::MAX);
    let mut watch = Watch::new(progress).with_max_states(max_states);
    match decide_walking(claim, &mut growing, &mut watch) {
        // What goes wrong elsewhere is an error all the same.
        Ok(Answer { verdict: Verdict::Holds, .. }) if may_fail(network) => {
            let limits = Limits { n_workers: 1, max_states: max_states as u64, max_memory: u64::MAX };
            search(&Observer::indifferent(), network, &limits, progress)
        }
        Ok(answer) => with_rules(answer, |source, step| growing.step(source, step)),
        Err(NotGrown::Stopped(stop)) => unknown(stop.into()),
        Err(NotGrown::Failed(failure)) => failed(*failure),
    }
}

/// Compares states with each other while they are made, and if there is no end of that, all of them.
fn deterministic(
    claim: &Claim,
    model: Model,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let max_compared = limits.max_states.min(MAX_COMPARED as u64);
    let first = on_demand(claim, network, max_compared, progress);
    match first.verdict {
        Verdict::Unknown(Reason::Stopped(Stop::MaxStates)) if max_compared < limits.max_states => {}
        _ => return first,
    }
    let explicit: Explicit<'_> = match explore::to_lts(network, limits, progress) {
        Ok(explicit) => explicit,
        Err(NotExplicit::TooWide(_)) => return unknown(Reason::TooWide),
        Err(NotExplicit::Stopped(stop)) => return unknown(stop.into()),
        Err(NotExplicit::Failed(failure)) => return failed(*failure),
    };
    let verdict = match determinism::nondeterminism(&explicit.lts, model, &mut Watch::new(progress)) {
        Ok(None) => Verdict::Holds,
        Ok(Some(found)) => Verdict::Fails(found),
        Err(stop) => Verdict::Unknown(stop.into()),
    };
    let statistics = Statistics {
        n_states: explicit.lts.n_states() as u64,
        n_transitions: explicit.lts.n_transitions() as u64,
        ..Statistics::default()
    };
    with_rules(Answer { verdict, statistics }, |source, step| explicit.step(source, step))
}

/// An answer with the rules by which steps are taken.
fn with_rules(answer: Answer<Transition>, step: impl Fn(StateId, Transition) -> Option<NetworkStep>) -> NetworkAnswer {
    let verdict = answer.verdict.map(|Counterexample { steps, fault }| {
        // Both number the initial state so.
        let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
        let taken = sources.zip(&steps).map(|(source, &transition)| step(source, transition));
        let steps = taken.map(|step| step.expect("what was found is a step of the network")).collect();
        Counterexample { steps, fault: fault.widened() }
    });
    Answer { verdict, statistics: answer.statistics }
}

fn unknown(reason: Reason) -> NetworkAnswer {
    Answer { verdict: Verdict::Unknown(reason), statistics: Statistics::default() }
}

/// A step that goes wrong refutes everything.
fn failed(failure: explore::Failure) -> NetworkAnswer {
    let found = Counterexample { steps: failure.steps, fault: Fault::Failure(failure.failed) };
    Answer { verdict: Verdict::Fails(found), statistics: Statistics::default() }
}
