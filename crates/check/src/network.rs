//! Claims about networks.
//!
//! A specification is normalized and its normal form searched together with the network, on all workers. If there is no end of it
//! after a while, runs are followed depth first and machines are put together, and if that is in vain the search goes on where it was.
//!
//! Where the normal form has too many nodes to be written down, or runs are compared with each other, states are made on demand by one
//! worker: a trace, a nondeterminism or a forbidden event is often near.

use crate::compose::{Sight, Strategy, compose, strategies};
use crate::determinism::{MAX_COMPARED, deterministic};
use crate::formulas::{Formulas, decide_by_formulas};
use crate::reduce::Reduced;
use crate::watchdog::{compose_watched, decide_watched};
use crate::{
    Answer, Claim, Composed, Counterexample, Fault, Reason, Specification, Statistics, Verdict, decide_walking,
};
use explore::{Check, Growing, Limits, NotGrown, Observer, Reduction, Report, TooWide, may_fail};
use lts::normal::{Room, testing::TestingForm};
use lts::{Model, StateId, Transition, Watch};
use model::network::{FailedStep, Network, NetworkStep};
use progress::{Activity, Attempt, Outcome, Progress, Stop};

/// Normal forms with more nodes than this, or than states of the specification by this factor, are not written down.
const MAX_NODES: usize = 1 << 20;
const MAX_NODES_PER_STATE: usize = 8;

/// States that are searched before machines are put together, and then among these.
const MAX_SEARCHED_FIRST: u64 = 1 << 22;
const MAX_COMPOSED: u64 = 1 << 23;

/// Orders in which machines are put together before that is given up, and what it is called.
pub(crate) const MAX_STRATEGIES: usize = 3;
pub(crate) const COMPOSITION: &str = "composition";
const WATCHDOG: &str = "watchdog";

/// How many times as many states are searched after each break.
const GROWTH: u64 = 4;
/// Depth is tried where more than this part of the states met is waiting, and gets such a part of the work.
const MIN_WAITING: u64 = 8;
const DIVING_SHARE: u64 = 4;

/// What may be done to a network with many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Nothing: they are searched as they are.
    Search,
    /// Machines are put together and made smaller, if that helps to prove the claim.
    Compose,
    /// They are not searched: a SAT solver is asked about runs.
    Formulas(Formulas),
    /// A refinement becomes the question whether a watchdog gives an alarm or is left alone, which machines put together answer.
    Watchdog,
    /// Processes in which time passes are explored by zones of clock values.
    Zones,
}

impl Method {
    /// Whether states are searched one by one, at first at least.
    pub fn searches(self) -> bool {
        matches!(self, Method::Search | Method::Compose | Method::Zones)
    }
}

/// An answer about a network.
pub(crate) type NetworkAnswer = Answer<NetworkStep, FailedStep>;

/// Decides a claim about a network.
pub fn decide(
    claim: &Claim,
    network: &Network,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    match method {
        Method::Formulas(how) => return decide_by_formulas(claim, network, how, limits, progress).0,
        Method::Watchdog => return decide_watched(claim, network, limits, progress),
        Method::Search | Method::Compose | Method::Zones => {}
    }
    match observer_of(claim, progress) {
        Some(observer) => {
            Question { claim, observer: &observer, network, method, limits, progress }.decide(&Reduction::None)
        }
        None => decide_unobserved(claim, network, method, limits, progress),
    }
}

/// What looks for a run that breaks a claim, unless that takes more than one run, or more than can be written down.
pub(crate) fn observer_of(claim: &Claim, progress: &dyn Progress) -> Option<Observer> {
    match claim {
        Claim::Refines(specification) => {
            progress.enter(Activity::Compiling);
            let observer = refinement_observer(specification, progress);
            progress.enter(Activity::Searching);
            observer
        }
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

/// Decides a claim that no observer can decide.
pub(crate) fn decide_unobserved(
    claim: &Claim,
    network: &Network,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    match claim {
        Claim::Deterministic(model) => deterministic(MAX_COMPARED, claim, *model, network, method, limits, progress),
        _ => on_demand(claim, network, limits.max_states, progress),
    }
}

/// A claim about a network, the observer that decides it, and how far that may go.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub claim: &'a Claim,
    pub observer: &'a Observer,
    pub network: &'a Network,
    pub method: Method,
    pub limits: &'a Limits,
    pub progress: &'a dyn Progress,
}

impl<'a> Question<'a> {
    /// A search that has not begun, reduced in a way that the observer cannot see.
    pub fn search(&self, reduction: &Reduction) -> Result<Check<'a>, TooWide> {
        Check::new(self.network, self.observer, reduction)
    }

    /// Searches on, until so many states were met.
    pub fn run(&self, search: &mut Check<'_>, max_states: u64) -> Report {
        let within = Limits { max_states: self.limits.max_states.min(max_states), ..*self.limits };
        search.run(&within, self.progress)
    }

    /// Whether a search was ended at so many states, though those who asked allow more.
    pub fn is_cut_short(&self, report: &Report, max_states: u64) -> bool {
        report.verdict == Verdict::Unknown(Stop::MaxStates.into()) && max_states < self.limits.max_states
    }

    /// What a search came to.
    pub fn told(&self, report: Report, reduction: &Reduction) -> NetworkAnswer {
        let mut answer = told(self.observer, Some(report));
        answer.statistics.reduced = Reduced::of(reduction);
        answer
    }

    /// Searches a network on all workers.
    pub fn decide(&self, reduction: &Reduction) -> NetworkAnswer {
        match self.search(reduction) {
            Ok(mut search) => self.go_on(&mut search, reduction, 0),
            Err(_) => self.by_composition().unwrap_or_else(|| told(self.observer, None)),
        }
    }

    /// Goes on with a search, with breaks in which other ways are tried; not again in those that came before so many states.
    pub fn go_on(&self, search: &mut Check<'_>, reduction: &Reduction, n_searched: u64) -> NetworkAnswer {
        let mut max_states = MAX_SEARCHED_FIRST;
        while max_states <= n_searched {
            max_states = max_states.saturating_mul(GROWTH);
        }
        loop {
            let report = self.run(search, max_states);
            if !self.is_cut_short(&report, max_states) {
                return self.told(report, reduction);
            }
            if report.statistics.n_waiting > report.statistics.n_states / MIN_WAITING {
                match search.dive((max_states / DIVING_SHARE) as usize, self.progress) {
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        return self.told(Report { verdict: Verdict::Fails(found), ..report }, reduction);
                    }
                    Err(why) => {
                        return self.told(Report { verdict: Verdict::Unknown(why.into()), ..report }, reduction);
                    }
                }
            }
            if max_states == MAX_SEARCHED_FIRST
                && let Some(answer) = self.by_watchdog().or_else(|| self.by_composition())
            {
                return answer;
            }
            max_states = max_states.saturating_mul(GROWTH);
        }
    }

    /// Whether no more than so many states show that nothing is silent for ever; often the rules alone do.
    pub fn is_free_of_divergence(&self, max_states: u64) -> bool {
        let few = Limits { max_states: self.limits.max_states.min(max_states), ..*self.limits };
        let answer = search(&Observer::divergence_freedom(), self.network, &few, self.progress);
        answer.verdict == Verdict::Holds
    }

    /// Decides a claim about a large network by smaller ones that mean the same, if machines may be put together. A counterexample is
    /// taken apart to a run of the network as it is. Nothing if that does not work.
    pub fn by_composition(&self) -> Option<NetworkAnswer> {
        match self.claim {
            _ if self.method != Method::Compose => None,
            // Pieces are compared by what failures see.
            Claim::Refines(specification) if specification.model().sees_revivals() => None,
            Claim::Refines(specification) => self.composed(self.observer, Sight::Events, specification.model()),
            Claim::DivergenceFree => self.composed(self.observer, Sight::Visibility, Model::FailuresDivergences),
            Claim::DeadlockFree(model) => {
                if model.sees_divergences() {
                    let freedom = Observer::divergence_freedom();
                    // The rules alone often show it; then no states are met.
                    let few = Limits { max_states: MAX_SEARCHED_FIRST, ..*self.limits };
                    let mut answer = search(&freedom, self.network, &few, self.progress);
                    if let Verdict::Unknown(_) = answer.verdict {
                        answer = self.composed(&freedom, Sight::Visibility, Model::FailuresDivergences)?;
                    }
                    if let Verdict::Fails(_) = answer.verdict {
                        let n_states = answer.statistics.n_states;
                        self.progress.attempted(Attempt::new(COMPOSITION, Outcome::Decided, n_states));
                        return Some(answer);
                    }
                }
                self.composed(&Observer::deadlock_freedom(Model::Failures), Sight::Nothing, Model::Failures)
            }
            Claim::Deterministic(_) | Claim::HasTrace(..) => None,
        }
    }

    /// Decides a refinement by a watchdog put together with its partners; nothing if that does not work.
    pub fn by_watchdog(&self) -> Option<NetworkAnswer> {
        if self.method != Method::Compose || !matches!(self.claim, Claim::Refines(_)) {
            return None;
        }
        self.progress.attempt(WATCHDOG);
        let answer = compose_watched(self.claim, self.network, self.limits, self.progress);
        let outcome = if answer.is_some() { Outcome::Decided } else { Outcome::InVain };
        let n_states = answer.as_ref().map_or(0, |answer| answer.statistics.n_states);
        self.progress.attempted(Attempt::new(WATCHDOG, outcome, n_states));
        answer
    }

    /// Searches fewer machines that mean the same to an observer with such a sight.
    fn composed(&self, observer: &Observer, sight: Sight, model: Model) -> Option<NetworkAnswer> {
        let strategies = strategies(self.network);
        strategies.into_iter().take(MAX_STRATEGIES).find_map(|strategy| {
            self.progress.attempt(COMPOSITION);
            let mut sizes = Vec::new();
            let answer = self.composed_by(strategy, observer, sight, model, &mut sizes);
            let outcome = if answer.is_some() { Outcome::Decided } else { Outcome::InVain };
            let n_states = answer.as_ref().map_or(0, |answer| answer.statistics.n_states);
            let how = strategy.name().to_owned();
            self.progress.attempted(Attempt { way: COMPOSITION, how, outcome, n_states, pieces: sizes });
            answer
        })
    }

    fn composed_by(
        &self,
        strategy: Strategy,
        observer: &Observer,
        sight: Sight,
        model: Model,
        sizes: &mut Vec<(u64, u64)>,
    ) -> Option<NetworkAnswer> {
        let composition = compose(self.network, sight, model, strategy, self.progress)?;
        sizes.clone_from(&composition.sizes);
        let composed = &composition.network;
        let limits = Limits { max_states: self.limits.max_states.min(MAX_COMPOSED), ..*self.limits };
        let mut answer = search(observer, composed, &limits, self.progress);
        answer.statistics.composed = Some(Composed::of(self.network, composed));
        answer.verdict = match answer.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(found) => Verdict::Fails(composition.lift(self.network, &found, self.progress)?),
            Verdict::Unknown(_) => return None,
        };
        Some(answer)
    }
}

/// The normal form of a specification as an observer, unless it gets out of hand.
fn refinement_observer(specification: &Specification, progress: &dyn Progress) -> Option<Observer> {
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
        ..Statistics::default()
    };
    Answer { verdict: report.verdict, statistics }
}

/// Decides a claim about a network whose states are made as they are needed.
pub(crate) fn on_demand(claim: &Claim, network: &Network, max_states: u64, progress: &dyn Progress) -> NetworkAnswer {
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

/// An answer with the rules by which steps are taken.
pub(crate) fn with_rules(
    answer: Answer<Transition>,
    step: impl Fn(StateId, Transition) -> Option<NetworkStep>,
) -> NetworkAnswer {
    let verdict = answer.verdict.map(|Counterexample { steps, fault }| {
        // Both number the initial state so.
        let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
        let taken = sources.zip(&steps).map(|(source, &transition)| step(source, transition));
        let steps = taken.map(|step| step.expect("what was found is a step of the network")).collect();
        Counterexample { steps, fault: fault.widened() }
    });
    Answer { verdict, statistics: answer.statistics }
}

pub(crate) fn unknown(reason: Reason) -> NetworkAnswer {
    Answer { verdict: Verdict::Unknown(reason), statistics: Statistics::default() }
}

/// A step that goes wrong refutes everything.
pub(crate) fn failed(failure: explore::Failure) -> NetworkAnswer {
    let found = Counterexample { steps: failure.steps, fault: Fault::Failure(failure.failed) };
    Answer { verdict: Verdict::Fails(found), statistics: Statistics::default() }
}
