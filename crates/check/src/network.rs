//! Claims about networks.
//!
//! A specification is normalized and its normal form searched together with the network, on all workers. When the normal
//! form has too many nodes to be written down, or the claim needs to compare runs with each other, the network is made
//! explicit instead.

use crate::{Answer, Claim, Counterexample, Fault, Reason, Statistics, Verdict, decide_walking};
use explore::{Limits, NotExplicit, Observer, Outcome, Progress, Stop, Violation};
use lts::{Label, Lts, Model, StateId, Stats, Watch, normal};
use model::network::{Configuration, Network};
use std::ops::ControlFlow;

/// Normal forms with more nodes than this, or than states of the specification by this factor, are not written down.
const MAX_NODES: usize = 1 << 20;
const MAX_NODES_PER_STATE: usize = 8;

/// Decides a claim about a network.
pub fn decide(claim: &Claim, network: &Network, limits: &Limits, progress: &dyn Progress) -> Answer<Configuration> {
    let observer = match claim {
        Claim::Refines(spec, model) => {
            normal_form(spec, *model, progress).map(|form| Observer::refinement(form, *model))
        }
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    };
    match observer {
        Some(observer) => search(&observer, network, limits, progress),
        None => make_explicit(claim, network, limits, progress),
    }
}

/// The normal form of a specification, unless it gets out of hand.
fn normal_form(spec: &Lts, model: Model, progress: &dyn Progress) -> Option<Lts> {
    let most = spec.n_states().saturating_mul(MAX_NODES_PER_STATE).clamp(1 << 12, MAX_NODES);
    let mut report = |stats: Stats| {
        let is_large = stats.phase == lts::Phase::Construction && stats.n_done > most;
        if is_large { ControlFlow::Break(()) } else { progress.tick(&explore::Statistics::default()) }
    };
    normal::normal(spec, model, &mut Watch::new(&mut report)).ok()
}

fn search(observer: &Observer, network: &Network, limits: &Limits, progress: &dyn Progress) -> Answer<Configuration> {
    let n_spec_states = observer.specification().map(|spec| spec.n_states() as u64);
    let report = match explore::check(network, observer, limits, progress) {
        Ok(report) => report,
        Err(_) => {
            let statistics = Statistics { n_spec_states, ..Statistics::default() };
            return Answer { verdict: Verdict::Unknown(Reason::TooWide), statistics };
        }
    };
    let statistics = Statistics {
        n_states: report.statistics.n_states,
        n_transitions: report.statistics.n_transitions,
        n_spec_states,
        depth: Some(report.statistics.depth),
    };
    let verdict = match report.outcome {
        Outcome::Exhausted => Verdict::Holds,
        Outcome::Stopped(stop) => Verdict::Unknown(stop.into()),
        Outcome::Found(found) => Verdict::Fails(counterexample(observer, network, found)),
    };
    Answer { verdict, statistics }
}

fn counterexample(
    observer: &Observer,
    network: &Network,
    found: explore::Counterexample,
) -> Counterexample<Configuration> {
    let start = network.initial.clone();
    let mut steps = found.steps;
    let spec = observer.specification();
    let fault = match found.violation {
        Violation::Event { node } => Fault::Event(spec.map_or(Vec::new(), |spec| spec.initials(node).collect())),
        Violation::Refusal { node } => {
            let last = steps.last().map_or(&start, |(_, state)| state);
            Fault::Refusal { accepted: offers(network, last), demanded: demands(spec, node) }
        }
        Violation::Deadlock => Fault::Deadlock,
        Violation::Divergence { silent, loop_start, .. } => {
            let place = steps.len() + loop_start;
            steps.extend(silent.into_iter().map(|state| (Label::TAU, state)));
            Fault::Divergence(place)
        }
    };
    Counterexample { start, steps, fault }
}

/// The labels of all steps of a state.
fn offers(network: &Network, state: &Configuration) -> Vec<Label> {
    let mut labels: Vec<Label> = network.steps(state).iter().map(|step| step.label).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

fn demands(spec: Option<&Lts>, node: StateId) -> Vec<Vec<Label>> {
    let acceptances = spec.and_then(Lts::acceptances);
    acceptances.map_or(Vec::new(), |all| all.of(node).map(<[Label]>::to_vec).collect())
}

fn make_explicit(claim: &Claim, network: &Network, limits: &Limits, progress: &dyn Progress) -> Answer<Configuration> {
    let explicit = match explore::to_lts(network, limits, progress) {
        Ok(explicit) => explicit,
        Err(reason) => {
            let reason = match reason {
                NotExplicit::TooWide(_) => Reason::TooWide,
                NotExplicit::Stopped(stop) => stop.into(),
            };
            return Answer { verdict: Verdict::Unknown(reason), statistics: Statistics::default() };
        }
    };
    let mut report = |_| progress.tick(&explore::Statistics::default());
    let Ok(answer) = decide_walking(claim, &mut &explicit.lts, &mut Watch::new(&mut report));
    let statistics = answer.statistics;
    Answer { verdict: answer.verdict.map(|state| explicit.configuration(state)), statistics }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Interrupted => Reason::Interrupted,
            Stop::MaxStates => Reason::MaxStates,
            Stop::MaxMemory => Reason::MaxMemory,
        }
    }
}
