//! Judgment of replayed runs by the definitions of the properties.

use super::checker::Checker;
use super::walk::Process;
use decide::Counterexample;
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use limits::effort::replay::{MAX_JUDGED_STATES, MAX_SHRUNK_OFFERS};
use lts::walk::{StatesAfter, System};
use lts::{Label, Lts, Model, StateId, Transition, Watch};
use model::InterpretedNetwork;
use model::network::FailedStep;
use progress::Limits;

/// A violation at the end of a run of a network.
pub(super) type Fault = decide::Fault<FailedStep>;

/// The end of a run.
pub(super) struct End<'a> {
    /// The labels of the run.
    pub(super) labels: &'a [Label],
    /// The labels of all enabled steps, in ascending order.
    pub(super) offered: Vec<Label>,
    /// Whether the claimed loop returns to the state where it begins.
    pub(super) comes_back: bool,
    /// The offers of the states before each step.
    pub(super) seen: Seen,
}

/// The offers of stable states before each step of a run; none where the state is unstable or the offer is not
/// observed. Empty if the model does not test refusals.
pub(super) type Seen = Vec<Option<Vec<Label>>>;

/// Observes the offers before each visible step of a run, if the model tests refusals.
pub(super) fn look<E>(
    model: Model,
    labels: &[Label],
    mut offered: impl FnMut(usize) -> Result<Vec<Label>, E>,
) -> Result<Seen, E> {
    if !model.tests_refusals() {
        return Ok(Vec::new());
    }
    let look = |(place, &label): (usize, &Label)| match label {
        Label::TAU | Label::TICK => Ok(None),
        _ => Ok(Some(offered(place)?).filter(|offered| offered.iter().all(|&label| label > Label::TICK))),
    };
    labels.iter().enumerate().map(look).collect()
}

/// The judgment on a run.
pub(super) enum Judged {
    /// It violates the property, and these observations are necessary for that.
    Wrong(Seen),
    /// It does not violate the property, for this reason.
    NotSo(&'static str),
    /// A limit was reached.
    Unclear,
}

impl Checker<'_> {
    /// Judges whether a run ends with the claimed violation, and whether that violates the property.
    pub(super) fn judge(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: Option<&Lowered>,
        end: &End<'_>,
        fault: &Fault,
    ) -> Judged {
        if !end.is_so(fault) {
            return Judged::NotSo("its end is not as it was said");
        }
        match self.compares_so(process, lowered, end.labels, fault) {
            Some(true) => {}
            Some(false) => return Judged::NotSo("other runs are not as it was said"),
            None => return Judged::Unclear,
        }
        match self.is_forbidden(asserted, end.labels, &end.seen, fault) {
            Some(true) => Judged::Wrong(self.needed(asserted, end, fault)),
            Some(false) => Judged::NotSo("it is allowed"),
            None => Judged::Unclear,
        }
    }

    /// The observations without which the run would be allowed.
    fn needed(&mut self, asserted: &Asserted, end: &End<'_>, fault: &Fault) -> Seen {
        let mut seen = end.seen.clone();
        let looks: Vec<usize> =
            (0..seen.len()).filter(|&place| seen[place].is_some()).take(MAX_SHRUNK_OFFERS).collect();
        for place in looks {
            let look = seen[place].take();
            if self.is_forbidden(asserted, end.labels, &seen, fault) != Some(true) {
                seen[place] = look;
            }
        }
        seen
    }

    /// Whether other runs with the same trace are as the violation claims.
    fn compares_so(
        &mut self,
        process: State,
        lowered: Option<&Lowered>,
        labels: &[Label],
        fault: &Fault,
    ) -> Option<bool> {
        match fault {
            Fault::Nondeterminism(event, _) => self.can_do(process, lowered, &visible(labels), *event),
            Fault::Missing { event, .. } => self.can_do(process, lowered, &visible(labels), *event).map(|can| !can),
            _ => Some(true),
        }
    }

    /// Whether a process can perform an event after a trace. Its network has the same traces.
    fn can_do(&mut self, process: State, lowered: Option<&Lowered>, trace: &[Label], event: Label) -> Option<bool> {
        let progress = self.options.progress.clone();
        let watch = |most: u64| Watch::unmetered(&*progress).within(Limits::of_workers(1).with_max_states(most));
        let most = self.options.limits.states();
        let system = Process::new(&mut *self.semantics, process);
        can_do(system, watch(MAX_JUDGED_STATES), trace, event).or_else(|| {
            let system = InterpretedNetwork::new(&lowered?.network);
            can_do(system, watch(most), trace, event)
        })
    }

    /// Whether the end of a run violates the property.
    fn is_forbidden(&mut self, asserted: &Asserted, labels: &[Label], seen: &Seen, fault: &Fault) -> Option<bool> {
        let diverges = |model: Model| model.sees_divergences() && matches!(fault, Fault::Divergence(_));
        match asserted {
            Asserted::Refines { specification, model, .. } => {
                self.is_no_behavior(*specification, *model, (labels, seen), fault)
            }
            Asserted::DeadlockFree(_, model) => Some(*fault == Fault::Deadlock || diverges(*model)),
            Asserted::DivergenceFree(_) | Asserted::DivergenceFreeInTime(_) => {
                Some(matches!(fault, Fault::Divergence(_)))
            }
            Asserted::Deterministic(_, model) => Some(matches!(fault, Fault::Nondeterminism(..)) || diverges(*model)),
            Asserted::HasTrace(_, trace, model) => Some(prevents(trace, *model, labels, fault)),
            Asserted::Satisfies(..)
            | Asserted::Reaches { .. }
            | Asserted::AnyNumber(_)
            | Asserted::RefinesInTime { .. }
            | Asserted::Equals { .. }
            | Asserted::Linearizable { .. }
            | Asserted::Unsupported(_) => Some(false),
        }
    }

    /// Whether a specification lacks the behavior at the end of a run. Its states are followed on terms; beyond the
    /// limit, on its transition system before normalization, or on its network if there is none.
    fn is_no_behavior(
        &mut self,
        specification: State,
        model: Model,
        run: (&[Label], &Seen),
        fault: &Fault,
    ) -> Option<bool> {
        let progress = self.options.progress.clone();
        let watch = |most: u64| Watch::unmetered(&*progress).within(Limits::of_workers(1).with_max_states(most));
        let system = Process::new(&mut *self.semantics, specification);
        let judged = forbids(system, watch(MAX_JUDGED_STATES), model, run, fault);
        judged.or_else(|| {
            if let Some(known) = self.specifications.get(&(specification, model)) {
                return forbids(known.system(), watch(u64::MAX), model, run, fault);
            }
            let lowered = self.network(specification, Fidelity::Model(model), Effort::Little).ok()??;
            let system = InterpretedNetwork::new(&lowered.network);
            let most = self.options.limits.states();
            forbids(system, watch(most), model, run, fault)
        })
    }
}

/// Judges a counterexample to refinement between explicit systems.
pub(super) fn judge_explicit(
    spec: &Lts,
    system: &Lts,
    model: Model,
    found: &Counterexample<Transition, FailedStep>,
) -> Judged {
    let mut states = vec![system.initial()];
    for step in &found.steps {
        let from = states[states.len() - 1];
        if !system.transitions(from).contains(step) {
            return Judged::NotSo("its steps are none of the system");
        }
        states.push(step.target);
    }
    let labels: Vec<Label> = found.steps.iter().map(|step| step.label).collect();
    let last = states[states.len() - 1];
    let comes_back = matches!(found.fault, Fault::Divergence(start) if states.get(start) == Some(&last));
    let seen = look(model, &labels, |place| Ok::<_, std::convert::Infallible>(offered_by(system, states[place])));
    let Ok(seen) = seen;
    if !(End { labels: &labels, offered: offered_by(system, last), comes_back, seen: seen.clone() }).is_so(&found.fault)
    {
        return Judged::NotSo("its end is not as it was said");
    }
    match forbids(spec, Watch::none(), model, (&labels, &seen), &found.fault) {
        Some(true) => Judged::Wrong(seen),
        Some(false) => Judged::NotSo("it is allowed"),
        None => Judged::Unclear,
    }
}

fn offered_by(system: &Lts, state: StateId) -> Vec<Label> {
    let mut offered: Vec<Label> = system.transitions(state).iter().map(|step| step.label).collect();
    offered.dedup();
    offered
}

impl End<'_> {
    fn is_so(&self, fault: &Fault) -> bool {
        let is_stable = !self.offered.contains(&Label::TAU);
        // A process that can terminate may refuse everything else.
        let accepts = |accepted: &[Label]| {
            accepted == [Label::TICK] && self.offered.contains(&Label::TICK) || is_stable && self.offered == accepted
        };
        match fault {
            Fault::Event(_) => !self.labels.is_empty(),
            Fault::Refusal { accepted, .. } => accepts(accepted),
            Fault::Revival { event, accepted, .. } => {
                is_stable && self.offered == *accepted && !accepted.contains(&Label::TICK) && accepted.contains(event)
            }
            Fault::Deadlock => self.offered.is_empty() && !self.labels.contains(&Label::TICK),
            Fault::Divergence(start) => {
                let silent = self.labels.get(*start..).unwrap_or_default();
                self.comes_back && !silent.is_empty() && silent.iter().all(|&label| label == Label::TAU)
            }
            Fault::Nondeterminism(event, accepted) => accepts(accepted) && !accepted.contains(event),
            Fault::Missing { .. } => true,
            // Failing steps are errors of the script, never counterexamples.
            Fault::Failure(_) => false,
        }
    }
}

/// Whether a system can do an event after a trace; none if the watch ends it or the system fails.
fn can_do<S: System>(system: S, watch: Watch<'_>, trace: &[Label], event: Label) -> Option<bool> {
    let mut after = StatesAfter::new(system, watch).ok()?;
    trace.iter().try_for_each(|&label| after.step(label)).ok()?;
    after.can_do(event).ok()
}

/// Whether a specification lacks the behavior at the end of a run, given the offers observed on the way.
fn forbids<S: System>(
    specification: S,
    watch: Watch<'_>,
    model: Model,
    (labels, seen): (&[Label], &Seen),
    fault: &Fault,
) -> Option<bool> {
    let mut after = StatesAfter::new(specification, watch).ok()?;
    let (n_before, event) = match fault {
        Fault::Event(_) => (labels.len().checked_sub(1)?, labels.last().copied()),
        Fault::Divergence(start) => (*start, None),
        _ => (labels.len(), None),
    };
    // After a divergence everything is allowed.
    let is_chaos = |after: &mut StatesAfter<'_, S>| Some(model.sees_divergences() && after.can_diverge().ok()?);
    if is_chaos(&mut after)? {
        return Some(false);
    }
    for (place, &label) in labels[..n_before].iter().enumerate().filter(|(_, label)| **label != Label::TAU) {
        if let Some(Some(offered)) = seen.get(place) {
            after.offer_only(offered).ok()?;
        }
        after.step(label).ok()?;
        if is_chaos(&mut after)? {
            return Some(false);
        }
    }
    match (fault, event) {
        (Fault::Event(_), Some(event)) => after.can_do(event).ok().map(|can| !can),
        (Fault::Refusal { accepted, .. }, _) if model.sees_failures() => {
            after.may_accept_only(accepted).ok().map(|may| !may)
        }
        (Fault::Revival { event, accepted, .. }, _) if model.sees_revivals() => {
            after.may_revive(accepted, *event).ok().map(|may| !may)
        }
        (Fault::Divergence(_), _) => Some(model.sees_divergences()),
        _ => Some(false),
    }
}

/// Whether the end of a run prevents a process from performing a trace.
fn prevents(trace: &[Label], model: Model, labels: &[Label], fault: &Fault) -> bool {
    let done = visible(labels);
    let Some(next) = trace.get(done.len()).filter(|_| trace.starts_with(&done)) else { return false };
    match fault {
        Fault::Missing { event, .. } => event == next,
        Fault::Refusal { accepted, .. } => model.sees_failures() && !accepted.contains(next),
        Fault::Divergence(_) => model.sees_divergences(),
        Fault::Event(_) | Fault::Revival { .. } | Fault::Deadlock | Fault::Nondeterminism(..) | Fault::Failure(_) => {
            false
        }
    }
}

fn visible(labels: &[Label]) -> Vec<Label> {
    labels.iter().copied().filter(|&label| label != Label::TAU).collect()
}
