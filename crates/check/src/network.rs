//! Claims about networks.
//!
//! A specification is normalized and its normal form searched together with the network, on all workers. When the normal
//! form has too many nodes to be written down, or the claim needs to compare runs with each other, the network is made
//! explicit instead.

use crate::compose::{Sight, compose};
use crate::reduce::Reduced;
use crate::{Answer, Claim, Composed, Counterexample, Fault, Reason, Statistics, Verdict, decide_walking};
use explore::{Limits, NotExplicit, Observer, Outcome, Reduction, Violation};
use lts::{Label, Lts, Model, StateId, Transition, Watch, normal};
use model::network::{Configuration, Network, NetworkStep};
use progress::{Progress, Stop};

/// Normal forms with more nodes than this, or than states of the specification by this factor, are not written down.
const MAX_NODES: usize = 1 << 20;
const MAX_NODES_PER_STATE: usize = 8;

/// States that are searched before machines are put together, and then among these.
const MAX_SEARCHED_FIRST: u64 = 1 << 22;
const MAX_COMPOSED: u64 = 1 << 23;

/// What may be done to a network with many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Nothing: they are searched as they are.
    Search,
    /// Machines are put together and made smaller, if that helps to prove the claim.
    Compose,
}

/// Decides a claim about a network.
pub fn decide(
    claim: &Claim,
    network: &Network,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> Answer<Configuration> {
    match observer(claim, progress) {
        Some(observer) => decide_observed(claim, &observer, network, &Reduction::None, method, limits, progress),
        None => make_explicit(claim, network, limits, progress),
    }
}

/// What looks for a run that breaks a claim, unless that takes more than one run.
pub(crate) fn observer(claim: &Claim, progress: &dyn Progress) -> Option<Observer> {
    match claim {
        Claim::Refines(spec, model) => {
            normal_form(spec, *model, progress).map(|form| Observer::refinement(form, *model))
        }
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

/// Decides a claim by its observer, on a network that is reduced in a way that the observer cannot see.
pub(crate) fn decide_observed(
    claim: &Claim,
    observer: &Observer,
    network: &Network,
    reduction: &Reduction,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> Answer<Configuration> {
    let search = |limits: &Limits| search(observer, network, reduction, limits, progress);
    if method == Method::Search {
        return search(limits);
    }
    let first = search(&Limits { max_states: limits.max_states.min(MAX_SEARCHED_FIRST), ..*limits });
    let is_beyond = match first.verdict {
        Verdict::Unknown(Reason::Stopped(Stop::MaxStates)) => limits.max_states > MAX_SEARCHED_FIRST,
        Verdict::Unknown(Reason::TooWide) => true,
        _ => false,
    };
    if !is_beyond {
        return first;
    }
    let proved = prove_composed(claim, observer, network, limits, progress);
    proved.unwrap_or_else(|| search(limits))
}

/// Proves a claim about a large network by smaller ones that mean the same. Nothing if that is no proof: a counterexample
/// has to be a run of the network as it is.
pub(crate) fn prove_composed(
    claim: &Claim,
    observer: &Observer,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<Answer<Configuration>> {
    let prove = |observer: &Observer, sight: Sight, model: Model| {
        let composed = compose(network, sight, model, progress)?;
        let limits = Limits { max_states: limits.max_states.min(MAX_COMPOSED), ..*limits };
        let mut answer = search(observer, &composed, &Reduction::None, &limits, progress);
        answer.statistics.composed = Some(Composed {
            n_before: network.machines.len(),
            n_after: composed.machines.len(),
            n_largest: composed.machines.iter().map(|machine| machine.n_states()).max().unwrap_or(0),
        });
        matches!(answer.verdict, Verdict::Holds).then_some(answer)
    };
    match claim {
        Claim::Refines(_, model) => prove(observer, Sight::Events, *model),
        Claim::DivergenceFree => prove(observer, Sight::Visibility, Model::FailuresDivergences),
        Claim::DeadlockFree(model) => {
            if *model == Model::FailuresDivergences {
                let freedom = Observer::divergence_freedom();
                // The rules alone often show it; then no states are met.
                let few = Limits { max_states: MAX_SEARCHED_FIRST, ..*limits };
                if search(&freedom, network, &Reduction::None, &few, progress).verdict != Verdict::Holds {
                    prove(&freedom, Sight::Visibility, Model::FailuresDivergences)?;
                }
            }
            prove(&Observer::deadlock_freedom(Model::Failures), Sight::Nothing, Model::Failures)
        }
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

/// The normal form of a specification, unless it gets out of hand.
fn normal_form(spec: &Lts, model: Model, progress: &dyn Progress) -> Option<Lts> {
    let most = spec.n_states().saturating_mul(MAX_NODES_PER_STATE).clamp(1 << 12, MAX_NODES);
    normal::normal(spec, model, &mut Watch::new(progress).with_max_states(most)).ok()
}

/// Searches a network, reduced, for what an observer finds.
pub(crate) fn search(
    observer: &Observer,
    network: &Network,
    reduction: &Reduction,
    limits: &Limits,
    progress: &dyn Progress,
) -> Answer<Configuration> {
    let n_spec_states = observer.specification().map(|spec| spec.n_states() as u64);
    let report = match explore::check_reduced(network, observer, reduction, limits, progress) {
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
        reduced: Reduced::of(reduction),
        ..Statistics::default()
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
            let last = steps.last().map_or(&start, |step| &step.target);
            Fault::Refusal { accepted: offers(network, last), demanded: demands(spec, node) }
        }
        Violation::Deadlock => Fault::Deadlock,
        Violation::Divergence { silent, loop_start, .. } => {
            let place = steps.len() + loop_start;
            steps.extend(silent);
            Fault::Divergence(place)
        }
        Violation::Failure(failed) => Fault::Failure(failed),
    };
    to_counterexample(start, steps, fault)
}

/// A run of a network with what is wrong at its end.
fn to_counterexample(start: Configuration, steps: Vec<NetworkStep>, fault: Fault) -> Counterexample<Configuration> {
    let rules = steps.iter().map(|step| step.rule).collect();
    Counterexample { start, steps: steps.into_iter().map(|step| (step.label, step.target)).collect(), rules, fault }
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
            let verdict = match reason {
                NotExplicit::TooWide(_) => Verdict::Unknown(Reason::TooWide),
                NotExplicit::Stopped(stop) => Verdict::Unknown(stop.into()),
                NotExplicit::Failed(failure) => Verdict::Fails(to_counterexample(
                    network.initial.clone(),
                    failure.steps,
                    Fault::Failure(failure.failed),
                )),
            };
            return Answer { verdict, statistics: Statistics::default() };
        }
    };
    let Ok(mut answer) = decide_walking(claim, &mut &explicit.lts, &mut Watch::new(progress));
    if let Verdict::Fails(run) = &mut answer.verdict {
        let sources = [run.start].into_iter().chain(run.steps.iter().map(|&(_, state)| state));
        let rules = sources.zip(&run.steps).map(|(source, &(label, target))| {
            explicit.step(source, Transition { label, target }).map(|step| step.rule)
        });
        run.rules = rules.collect::<Option<_>>().unwrap_or_default();
    }
    let statistics = answer.statistics;
    Answer { verdict: answer.verdict.map(|found| found.map(|state| explicit.configuration(state))), statistics }
}
