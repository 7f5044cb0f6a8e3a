//! The end of a run, judged by the definitions.

use super::after::{After, Steps, TermSteps};
use super::assertion::Claimed;
use super::checker::Checker;
use check::Fault;
use lts::{Label, Model};
use model::EventId;
use process::TermId;
use process::compile::Compiled;

/// How many terms of a specification, or of a process after a trace, are followed at once. Then their networks are asked.
const MAX_TERMS: usize = 50_000;

/// The end of a run.
pub(super) struct End<'a> {
    /// What has happened.
    pub(super) labels: &'a [Label],
    /// The labels of all steps that are possible now, in ascending order.
    pub(super) offered: Vec<Label>,
    /// Whether a loop that is said to be there ends where it begins.
    pub(super) comes_back: bool,
}

/// What is to be said of a run.
pub(super) enum Judged {
    /// It breaks the claim.
    Wrong,
    /// It does not, for this reason.
    NotSo(&'static str),
    /// There is too much to be looked at.
    Unclear,
}

impl Checker<'_> {
    /// Whether a run of a term, which may have a network, ends as the fault says, and breaks the claim by that.
    pub(super) fn judge(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        compiled: Option<&Compiled>,
        end: &End<'_>,
        fault: &Fault,
    ) -> Judged {
        if !end.is_so(fault) {
            return Judged::NotSo("its end is not as it was said");
        }
        match self.compares_so(term, compiled, end.labels, fault) {
            Some(true) => {}
            Some(false) => return Judged::NotSo("other runs are not as it was said"),
            None => return Judged::Unclear,
        }
        match self.is_forbidden(claimed, end.labels, fault) {
            Some(true) => Judged::Wrong,
            Some(false) => Judged::NotSo("it is allowed"),
            None => Judged::Unclear,
        }
    }

    /// Whether other runs with the same trace are as the fault says.
    fn compares_so(
        &mut self,
        term: TermId,
        compiled: Option<&Compiled>,
        labels: &[Label],
        fault: &Fault,
    ) -> Option<bool> {
        match fault {
            Fault::Nondeterminism(event, _) => self.can_do(term, compiled, &visible(labels), *event),
            Fault::Missing { event, .. } => self.can_do(term, compiled, &visible(labels), *event).map(|can| !can),
            _ => Some(true),
        }
    }

    /// Whether a term can do an event after a trace. Its network has the same traces.
    fn can_do(&mut self, term: TermId, compiled: Option<&Compiled>, trace: &[Label], event: Label) -> Option<bool> {
        let Checker { table, terms, evaluator, options, .. } = self;
        let control = options.control.clone();
        let goes_on = || control.stop().is_none();
        let steps = TermSteps { table, terms, unfold: evaluator };
        can_do(After::new(steps, term, MAX_TERMS, &goes_on), trace, event).or_else(|| {
            let network = &compiled?.network;
            let most = usize::try_from(options.max_states).unwrap_or(usize::MAX);
            can_do(After::new(network, network.initial.clone(), most, &goes_on), trace, event)
        })
    }

    /// Whether what happens at the end of a run breaks the claim.
    fn is_forbidden(&mut self, claimed: &Claimed, labels: &[Label], fault: &Fault) -> Option<bool> {
        let diverges = |model: Model| model == Model::FailuresDivergences && matches!(fault, Fault::Divergence(_));
        match claimed {
            Claimed::Refines { spec, model, .. } => self.is_no_behavior(*spec, *model, labels, fault),
            Claimed::DeadlockFree(_, model) => Some(*fault == Fault::Deadlock || diverges(*model)),
            Claimed::DivergenceFree(_) => Some(matches!(fault, Fault::Divergence(_))),
            Claimed::Deterministic(_, model) => Some(matches!(fault, Fault::Nondeterminism(..)) || diverges(*model)),
            Claimed::HasTrace(_, trace, model) => Some(prevents(trace, *model, labels, fault)),
            Claimed::Temporal(..) | Claimed::Unsupported(_) => Some(false),
        }
    }

    /// Whether a specification does not have what happens at the end of a run. Its terms are followed, and where these are too
    /// many, its states as they are before there is a normal form.
    fn is_no_behavior(&mut self, spec: TermId, model: Model, labels: &[Label], fault: &Fault) -> Option<bool> {
        let control = self.options.control.clone();
        let goes_on = || control.stop().is_none();
        let Checker { table, terms, evaluator, .. } = self;
        let steps = TermSteps { table, terms, unfold: evaluator };
        let judged = forbids(After::new(steps, spec, MAX_TERMS, &goes_on), model, labels, fault);
        judged.or_else(|| {
            let lts = self.specification(spec, model).ok()?;
            forbids(After::new(&*lts, lts.initial(), usize::MAX, &goes_on), model, labels, fault)
        })
    }
}

impl End<'_> {
    fn is_so(&self, fault: &Fault) -> bool {
        let is_stable = !self.offered.contains(&Label::TAU);
        // What can terminate may refuse everything else.
        let accepts = |accepted: &[Label]| {
            accepted == [Label::TICK] && self.offered.contains(&Label::TICK) || is_stable && self.offered == accepted
        };
        match fault {
            Fault::Event(_) => !self.labels.is_empty(),
            Fault::Refusal { accepted, .. } => accepts(accepted),
            Fault::Deadlock => self.offered.is_empty() && !self.labels.contains(&Label::TICK),
            Fault::Divergence(start) => {
                let silent = self.labels.get(*start..).unwrap_or_default();
                self.comes_back && !silent.is_empty() && silent.iter().all(|&label| label == Label::TAU)
            }
            Fault::Nondeterminism(event, accepted) => accepts(accepted) && !accepted.contains(event),
            Fault::Missing { .. } => true,
        }
    }
}

fn can_do<S: Steps>(after: Option<After<'_, S>>, trace: &[Label], event: Label) -> Option<bool> {
    let mut after = after?;
    trace.iter().try_for_each(|&label| after.step(label))?;
    after.may_do(event)
}

/// Whether a specification, from the start on, does not allow what a run does at its end.
fn forbids<S: Steps>(after: Option<After<'_, S>>, model: Model, labels: &[Label], fault: &Fault) -> Option<bool> {
    let mut after = after?;
    let (trace, event) = match fault {
        Fault::Event(_) => {
            let (last, before) = labels.split_last()?;
            (visible(before), Some(*last))
        }
        Fault::Divergence(start) => (visible(&labels[..*start]), None),
        _ => (visible(labels), None),
    };
    for place in 0..=trace.len() {
        if place > 0 {
            after.step(trace[place - 1])?;
        }
        // After a divergence everything is allowed.
        if model == Model::FailuresDivergences && after.diverges()? {
            return Some(false);
        }
    }
    match (fault, event) {
        (Fault::Event(_), Some(event)) => after.may_do(event).map(|can| !can),
        (Fault::Refusal { accepted, .. }, _) if model.sees_failures() => {
            after.may_accept_only(accepted).map(|may| !may)
        }
        (Fault::Divergence(_), _) => Some(model.sees_divergences()),
        _ => Some(false),
    }
}

/// Whether the end of a run keeps a process from a trace.
fn prevents(trace: &[EventId], model: Model, labels: &[Label], fault: &Fault) -> bool {
    let trace: Vec<Label> = trace.iter().map(|&event| process::compile::seen(process::Label::Event(event))).collect();
    let done = visible(labels);
    let Some(next) = trace.get(done.len()).filter(|_| trace.starts_with(&done)) else { return false };
    match fault {
        Fault::Missing { event, .. } => event == next,
        Fault::Refusal { accepted, .. } => model.sees_failures() && !accepted.contains(next),
        Fault::Divergence(_) => model.sees_divergences(),
        Fault::Event(_) | Fault::Deadlock | Fault::Nondeterminism(..) => false,
    }
}

fn visible(labels: &[Label]) -> Vec<Label> {
    labels.iter().copied().filter(|&label| label != Label::TAU).collect()
}
