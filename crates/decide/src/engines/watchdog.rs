//! Refinement as a question about one event and about getting stuck.
//!
//! The watchdog of a specification ([`lts::watchdog`]) becomes one more machine of the network. Every rule that shows
//! something has it as a partner and shows nothing any more, so that the only label left is the alarm. In traces the
//! claim holds iff the alarm is never given. In failures the watchdog also refuses now and then, and the claim holds
//! iff the alarm is never given and no state is stuck. Since nothing else is seen, that is itself a refinement, of a
//! process that does nothing: in traces of `STOP`, and in failures of one that is never stable. So all ways to decide a
//! refinement are open to it, and more: what the original specification saw of the machines is the affair of the
//! watchdog now, and all of it is silent as soon as its partners are put together with it.
//!
//! The alarm is told apart from being stuck. So, unlike in CSP, no interrupt is needed to keep an implementation that
//! diverges from hiding what it did wrong.
//!
//! A run of the watched network without the steps of the watchdog is a run of the network, which breaks the original
//! claim. Divergences are looked for without a watchdog, where the model sees them. Only priorities between labels are
//! out of reach, because here labels are gone.

use crate::answer::NetworkAnswer;
use crate::decide::{Method, Reduce, decide};
use crate::engine::{ClaimProblem, Engine, Evidence, Problem, Report};
use crate::engines::composition::by_composition;
use crate::engines::search::search;
use crate::observers::observer_of;
use crate::schedule::{Features, PropertyKind};
use crate::{Claim, Counterexample, Fault, Reason, Specification, Verdict};
use explore::Limits;
use limits::effort::watchdogs::{MAX_EDGES, MAX_NODES, MAX_OFFERS};
use lts::normal::Room;
use lts::watchdog::watchdog_within;
use lts::{Builder, Label, Lts, Model, StateId, Stop, Watch};
use model::network::{Action, FailedStep, LocalState, Machine, MachineId, Network, NetworkStep, Rule, RuleId};
use progress::Progress;
use std::sync::Arc;

/// A network with a watchdog for a specification.
#[derive(Debug)]
pub struct Watched {
    /// The machines, the last of which is the watchdog; it has the last rules of each mode. All that is seen is the
    /// alarm.
    pub network: Network,
    /// What is to be decided about it.
    pub claim: Claim,
    /// What the watchdog does after something that is not allowed.
    pub alarm: Label,
    form: Arc<Lts>,
}

/// The watchdog of a specification.
#[derive(Debug)]
pub struct Watchdog {
    /// What it does, with no annotations.
    pub system: Lts,
    /// What the network shows that it watches, in ascending order.
    pub alphabet: Vec<Label>,
    /// What it does after something that is not allowed.
    pub alarm: Label,
    form: Arc<Lts>,
}

impl Watchdog {
    /// The watchdog for all that a network shows.
    ///
    /// # Errors
    /// When there is none, or it gets too large.
    pub fn new(network: &Network, specification: &Specification, progress: &dyn Progress) -> Result<Watchdog, Reason> {
        if specification.model().sees_revivals() {
            return Err(Reason::Unsupported);
        }
        let alphabet = shown(network);
        let room = Room { n_nodes: MAX_NODES.min(MAX_EDGES / (alphabet.len() + 1)), n_elements: usize::MAX };
        let watch = &mut Watch::new(progress);
        let form = specification.normal_form(room, watch)?.ok_or(Reason::TooLarge)?;
        let alarm = fresh(&alphabet, &form);
        let system = watchdog_within(&form, &alphabet, alarm, MAX_OFFERS, watch)?.ok_or(Reason::TooLarge)?;
        Ok(Watchdog { system, alphabet, alarm, form })
    }
}

/// Puts the watchdog of a specification into a network.
///
/// # Errors
/// When there is none, or it gets too large.
pub fn watched(network: &Network, specification: &Specification, progress: &dyn Progress) -> Result<Watched, Reason> {
    if network.priority.is_some() {
        return Err(Reason::Unsupported);
    }
    let Watchdog { system, alarm, form, .. } = Watchdog::new(network, specification, progress)?;
    let claim = silence(specification.model(), progress)?;
    let watches = |label: Label| label.is_visible() && !is_ignored(&form, label);
    Ok(Watched { network: with_partner(network, &system, alarm, watches), claim, alarm, form })
}

/// What a network shows, in ascending order.
fn shown(network: &Network) -> Vec<Label> {
    let rules = network.modes.iter().flat_map(|mode| &mode.rules);
    let mut shown: Vec<Label> = rules.map(|rule| rule.shows).filter(|label| label.is_visible()).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// A label that has no meaning yet.
fn fresh(alphabet: &[Label], form: &Lts) -> Label {
    let steps = form.states().flat_map(|node| form.transitions(node));
    let largest = steps.map(|step| step.label).chain(alphabet.iter().copied()).max();
    Label(largest.map_or(Label::TICK.0, |label| label.0.max(Label::TICK.0)) + 1)
}

/// That nothing is seen and, if refusals count, that nobody is stuck.
fn silence(model: Model, progress: &dyn Progress) -> Result<Claim, Stop> {
    let (start, mut builder) = (StateId(0), Builder::new());
    builder.add_state(start);
    if model.sees_failures() {
        builder.add(start, Label::TAU, start);
    }
    // Divergences are another affair: the watchdog may have some of its own.
    let model = if model.sees_failures() { Model::Failures } else { Model::Traces };
    let specification = Specification::new(builder.finish(start), model, &mut Watch::new(progress))?;
    Ok(Claim::Refines(specification.into()))
}

/// Whether an event makes no difference, whenever it happens. What is refused may make one.
fn is_ignored(form: &Lts, label: Label) -> bool {
    let stays = |node: StateId| form.with_label(node, label).first().is_some_and(|step| step.target == node);
    form.acceptances().is_none() && label != Label::TICK && form.states().all(stays)
}

/// The network with one more machine, which takes part in what it watches; nothing else is seen.
fn with_partner(network: &Network, partner: &Lts, alarm: Label, watches: impl Fn(Label) -> bool) -> Network {
    let id = MachineId(network.machines.len() as u32);
    let mut joined = network.clone();
    joined.machines.push(Arc::new(Machine::from(partner)));
    joined.initial.locals.push(LocalState(partner.initial().0));
    for mode in &mut joined.modes {
        for rule in &mut mode.rules {
            if watches(rule.shows) {
                let action = Action(rule.shows.0);
                rule.parts = rule.parts.iter().copied().chain([(id, action)]).collect();
            }
            rule.shows = Label::TAU;
        }
        mode.rules.extend([Label::TAU, alarm].map(|label| Rule::new([(id, Action(label.0))], label)));
    }
    joined
}

impl Watched {
    /// The run of the original network behind a run of this one that breaks the claim.
    pub fn lift(
        &self,
        original: &Network,
        found: Counterexample<NetworkStep, FailedStep>,
    ) -> Counterexample<NetworkStep, FailedStep> {
        let mut mode = original.initial.mode;
        let mut steps: Vec<NetworkStep> = Vec::with_capacity(found.steps.len());
        for NetworkStep { rule, mut target, .. } in found.steps {
            target.locals.pop();
            let next = target.mode;
            if let Some(label) = shows(original, mode, rule) {
                steps.push(NetworkStep { rule, label, target });
            }
            mode = next;
        }
        let fault = match found.fault {
            Fault::Failure(failed) => {
                let label = shows(original, mode, failed.rule).unwrap_or(failed.label);
                Fault::Failure(FailedStep { label, ..failed })
            }
            Fault::Event(_) | Fault::Refusal { .. } => self.judged(original, &mut steps),
            other => other,
        };
        Counterexample { steps, fault }
    }

    /// What is wrong with a run. Where the last steps come after a deed that is not allowed, they are no part of it.
    fn judged(&self, original: &Network, steps: &mut Vec<NetworkStep>) -> Fault<FailedStep> {
        let mut node = self.form.initial();
        for place in 0..steps.len() {
            if !steps[place].label.is_visible() {
                continue;
            }
            let Some(edge) = self.form.with_label(node, steps[place].label).first() else {
                steps.truncate(place + 1);
                return Fault::Event(self.form.initials(node).collect());
            };
            node = edge.target;
        }
        let last = steps.last().map_or(&original.initial, |step| &step.target);
        let mut accepted: Vec<Label> = original.steps(last).iter().map(|step| step.label).collect();
        accepted.sort_unstable();
        accepted.dedup();
        let acceptances = self.form.acceptances();
        let demanded = acceptances.map_or(Vec::new(), |all| all.of(node).map(<[Label]>::to_vec).collect());
        Fault::Refusal { accepted, demanded }
    }

    /// The node of the specification after some steps, if it allows them.
    fn node_after(&self, steps: &[NetworkStep]) -> Option<StateId> {
        let mut events = steps.iter().map(|step| step.label).filter(|label| label.is_visible());
        events.try_fold(self.form.initial(), |node, label| Some(self.form.with_label(node, label).first()?.target))
    }
}

/// What a rule of a network shows, unless there is no such rule.
fn shows(network: &Network, mode: model::network::ModeId, rule: RuleId) -> Option<Label> {
    network.modes[mode.index()].rules.get(rule.index()).map(|rule| rule.shows)
}

/// Refinement by a watchdog that is composed with the components it observes.
pub struct WatchdogComposition;

impl Engine for WatchdogComposition {
    fn name(&self) -> &'static str {
        "watchdog"
    }

    fn applies(&self, features: &Features) -> bool {
        matches!(features.property, PropertyKind::Refinement(model) if !model.sees_revivals())
            && features.can_compose
            && features.n_machines > 1
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some(ClaimProblem { claim, network, .. }) = problem.claim() else {
            return Report::unknown(Reason::Unsupported);
        };
        let limits = problem.limits;
        decide_by(claim, network, limits, progress, |watched| by_composition(watched, limits, progress))
    }
}

/// Decides a refinement by a watchdog: by composition if that works, or else by search.
pub(crate) fn decide_watched(
    claim: &Claim,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let decide = |watched: ClaimProblem<'_>| {
        let searched = || Some(search(watched.observer?, watched.network, limits, progress).into());
        by_composition(watched, limits, progress).or_else(searched)
    };
    decide_by(claim, network, limits, progress, decide).into_answer()
}

/// Decides a refinement by an answer about the network with its watchdog.
fn decide_by(
    claim: &Claim,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
    decide: impl FnOnce(ClaimProblem<'_>) -> Option<Report>,
) -> Report {
    let Claim::Refines(specification) = claim else { return Report::unknown(Reason::Unsupported) };
    let watched = match watched(network, specification, progress) {
        Ok(watched) => watched,
        Err(reason) => return Report::unknown(reason),
    };
    let Some(observer) = observer_of(&watched.claim, progress) else { return Report::unknown(Reason::TooLarge) };
    let problem = ClaimProblem { claim: &watched.claim, observer: Some(&observer), network: &watched.network };
    let Some(mut report) = decide(problem) else { return Report::unknown(Reason::Unsupported) };
    report.statistics.n_spec_states = Some(watched.form.n_states() as u64);
    report.verdict = match report.verdict {
        Verdict::Holds if specification.model().sees_divergences() => {
            watched.divergences(network, limits, progress).map(Evidence::Run)
        }
        Verdict::Fails(Evidence::Run(found)) => Verdict::Fails(Evidence::Run(watched.lift(network, found))),
        verdict => verdict,
    };
    report
}

impl Watched {
    /// Whether the network diverges only where the specification may as well.
    fn divergences(
        &self,
        network: &Network,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Verdict<Counterexample<NetworkStep, FailedStep>> {
        match decide(&Claim::DivergenceFree, network, Method::Auto, Reduce::None, limits, progress).verdict {
            Verdict::Fails(found) if matches!(found.fault, Fault::Divergence(_)) => {
                let is_forbidden =
                    self.node_after(&found.steps).is_some_and(|node| !self.form.is_explicitly_divergent(node));
                // There may be others, which are not allowed.
                if is_forbidden { Verdict::Fails(found) } else { Verdict::Unknown(Reason::Unsupported) }
            }
            verdict => verdict,
        }
    }
}
