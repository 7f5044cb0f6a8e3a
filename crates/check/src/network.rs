//! Claims about networks.
//!
//! A specification is normalized and its normal form searched together with the network, on all workers. When the normal
//! form has too many nodes to be written down, or the claim needs to compare runs with each other, the network is made
//! explicit instead.

use crate::compose::{Sight, compose};
use crate::{Answer, Claim, Composed, Counterexample, Fault, Reason, Statistics, Verdict, decide_walking};
use explore::{Limits, NotExplicit, Observer, Outcome, Violation};
use lts::normal::{self, Room, testing::TestingForm};
use lts::{Label, Lts, Model, StateId, Transition, Watch};
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
    let observer = match claim {
        Claim::Refines(spec, model) => observer_of(spec, *model, progress),
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    };
    let Some(observer) = observer else { return make_explicit(claim, network, limits, progress) };
    if method == Method::Search {
        return search(&observer, network, limits, progress);
    }
    let first = search(
        &observer,
        network,
        &Limits { max_states: limits.max_states.min(MAX_SEARCHED_FIRST), ..*limits },
        progress,
    );
    let is_beyond = match first.verdict {
        Verdict::Unknown(Reason::Stopped(Stop::MaxStates)) => limits.max_states > MAX_SEARCHED_FIRST,
        Verdict::Unknown(Reason::TooWide) => true,
        _ => false,
    };
    if !is_beyond {
        return first;
    }
    let proved = prove_composed(claim, &observer, network, limits, progress);
    proved.unwrap_or_else(|| search(&observer, network, limits, progress))
}

/// Proves a claim about a large network by smaller ones that mean the same. Nothing if that is no proof: a counterexample
/// has to be a run of the network as it is.
fn prove_composed(
    claim: &Claim,
    observer: &Observer,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<Answer<Configuration>> {
    let prove = |observer: &Observer, sight: Sight, model: Model| {
        let composed = compose(network, sight, model, progress)?;
        let limits = Limits { max_states: limits.max_states.min(MAX_COMPOSED), ..*limits };
        let mut answer = search(observer, &composed, &limits, progress);
        answer.statistics.composed = Some(Composed {
            n_before: network.machines.len(),
            n_after: composed.machines.len(),
            n_largest: composed.machines.iter().map(|machine| machine.n_states()).max().unwrap_or(0),
        });
        matches!(answer.verdict, Verdict::Holds).then_some(answer)
    };
    match claim {
        // Pieces are compared by what failures see.
        Claim::Refines(_, model) if model.sees_revivals() => None,
        Claim::Refines(_, model) => prove(observer, Sight::Events, *model),
        Claim::DivergenceFree => prove(observer, Sight::Visibility, Model::FailuresDivergences),
        Claim::DeadlockFree(model) => {
            if model.sees_divergences() {
                let freedom = Observer::divergence_freedom();
                // The rules alone often show it; then no states are met.
                let few = Limits { max_states: MAX_SEARCHED_FIRST, ..*limits };
                if search(&freedom, network, &few, progress).verdict != Verdict::Holds {
                    prove(&freedom, Sight::Visibility, Model::FailuresDivergences)?;
                }
            }
            prove(&Observer::deadlock_freedom(Model::Failures), Sight::Nothing, Model::Failures)
        }
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

/// What watches for a specification, unless its normal form gets out of hand.
fn observer_of(spec: &Lts, model: Model, progress: &dyn Progress) -> Option<Observer> {
    let most = spec.n_states().saturating_mul(MAX_NODES_PER_STATE).clamp(1 << 12, MAX_NODES);
    let mut watch = Watch::new(progress).with_max_states(most);
    if model.tests_refusals() {
        let room = Room { n_nodes: most, n_elements: usize::MAX };
        let form = TestingForm::of(spec, model, room, &mut watch).ok().flatten();
        return form.map(|form| Observer::testing(form, model));
    }
    normal::normal(spec, model, &mut watch).ok().map(|form| Observer::refinement(form, model))
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
        composed: None,
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
        Violation::Revival { node } => {
            let last = steps.last().map_or(&start, |step| &step.target);
            revival(offers(network, last), spec, node)
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

/// What is wrong with an offer in which some event should go with more.
fn revival(accepted: Vec<Label>, spec: Option<&Lts>, node: StateId) -> Fault {
    let is_allowed = |label: &Label| spec.is_some_and(|spec| !spec.with_label(node, *label).is_empty());
    let is_offered = |set: &[Label]| set.iter().all(|label| accepted.contains(label));
    let events = accepted.iter().copied().filter(is_allowed);
    let (event, demanded) =
        lts::unrevived(events, &demands(spec, node), is_offered).expect("the search found an event that lacks others");
    Fault::Revival { event, accepted, demanded }
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
