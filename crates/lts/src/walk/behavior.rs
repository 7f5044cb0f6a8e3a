//! The steps and the offers of a state.

use super::Step;
use crate::{Acceptances, Label, Lts, StateId, Transition};

/// The steps of a state, in ascending order of labels, and its annotations.
#[derive(Clone, Copy, Debug)]
pub struct Behavior<'a, T = Transition> {
    pub(crate) steps: &'a [T],
    /// Whether the state is labelled divergent.
    pub(crate) is_divergent: bool,
    /// The table of its explicit acceptances, if it has any.
    acceptances: Option<(&'a Acceptances, StateId)>,
}

impl<'a> Behavior<'a> {
    /// The steps and annotations of a state of an explicit system.
    pub(super) fn annotated(lts: &'a Lts, state: StateId) -> Behavior<'a> {
        Behavior {
            steps: lts.transitions(state),
            is_divergent: lts.is_explicitly_divergent(state),
            acceptances: lts.acceptances().map(|acceptances| (acceptances, state)),
        }
    }
}

impl<'a, T: Step> Behavior<'a, T> {
    /// The behavior of a state without annotations.
    pub(super) fn of_steps(steps: &'a [T]) -> Behavior<'a, T> {
        Behavior { steps, is_divergent: false, acceptances: None }
    }
}

impl<'a, T: Step + Copy> Behavior<'a, T> {
    pub(crate) fn silent(self) -> &'a [T] {
        let n_silent = self.steps.iter().take_while(|step| !step.label().is_visible()).count();
        &self.steps[..n_silent]
    }

    fn can_terminate(self) -> bool {
        self.steps.get(self.silent().len()).is_some_and(|step| step.label() == Label::TICK)
    }

    /// The sets of events that the state may offer exactly. Termination, which a terminating state may offer alone, is
    /// not among them.
    pub(crate) fn offers(self) -> impl Iterator<Item = Offer<'a, T>> {
        let explicit = self.acceptances.into_iter().flat_map(|(acceptances, state)| acceptances.of(state));
        self.natural_offer().into_iter().chain(explicit.map(Offer::Labels))
    }

    /// Whether there may be [offers](Behavior::offers); if not, there are none.
    #[inline]
    pub(crate) fn has_offers(self) -> bool {
        self.acceptances.is_some() || self.natural_offer().is_some()
    }

    /// The offer of a stable state by its steps alone: it has no silent step and cannot terminate.
    pub(crate) fn natural_offer(self) -> Option<Offer<'a, T>> {
        // Labels are sorted: silent steps first, then termination.
        let is_stable = !self.is_divergent && self.steps.first().is_none_or(|first| first.label() > Label::TICK);
        (self.acceptances.is_none() && is_stable).then_some(Offer::Steps(self.steps))
    }

    /// The offers that may be observed before a step; none for a state that is not stable. The state of a generalized
    /// system has several.
    pub(crate) fn views(self) -> impl Iterator<Item = Option<Offer<'a, T>>> {
        let unseen = self.natural_offer().is_none().then_some(None);
        unseen.into_iter().chain(self.offers().map(Some))
    }

    /// The steps with a label.
    pub(crate) fn with_label(self, label: Label) -> &'a [T] {
        let steps = &self.steps[self.steps.partition_point(|step| step.label() < label)..];
        &steps[..steps.partition_point(|step| step.label() == label)]
    }

    /// The offers and termination.
    pub(crate) fn acceptances(self) -> impl Iterator<Item = Offer<'a, T>> {
        self.offers().chain(self.can_terminate().then_some(Offer::Labels(TERMINATION)))
    }
}

/// The offer of a state that can terminate.
const TERMINATION: &[Label] = &[Label::TICK];

/// The labels that a state offers, in ascending order.
#[derive(Clone, Copy)]
pub(crate) enum Offer<'a, T = Transition> {
    /// Those of its steps.
    Steps(&'a [T]),
    /// An explicit acceptance.
    Labels(&'a [Label]),
}

impl<T: Step> Offer<'_, T> {
    /// Whether all of a set is offered.
    pub(crate) fn includes(&self, set: &[Label]) -> bool {
        match self {
            Offer::Labels(labels) => crate::acceptance::is_subset(set, labels),
            Offer::Steps(steps) => {
                let mut rest = steps.iter();
                set.iter()
                    .all(|&label| rest.by_ref().find(|step| step.label() >= label).is_some_and(|s| s.label() == label))
            }
        }
    }

    pub(crate) fn has(&self, label: Label) -> bool {
        match self {
            Offer::Labels(labels) => labels.binary_search(&label).is_ok(),
            Offer::Steps(steps) => steps.binary_search_by_key(&label, |step| step.label()).is_ok(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Offer::Labels(labels) => labels.is_empty(),
            Offer::Steps(steps) => steps.is_empty(),
        }
    }

    pub(crate) fn to_vec(&self) -> Vec<Label> {
        match self {
            Offer::Labels(labels) => labels.to_vec(),
            Offer::Steps(steps) => {
                let mut labels: Vec<Label> = steps.iter().map(|step| step.label()).collect();
                labels.dedup();
                labels
            }
        }
    }
}
