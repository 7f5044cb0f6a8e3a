//! Systems whose steps are made when they are asked for.

use crate::{Acceptances, Builder, Label, Lts, StateId, Stop, Transition, Watch};
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;
use std::convert::Infallible;

/// A system about which something is claimed. It need not be finite: a search asks for the steps of the states it meets,
/// and ends with the first state that breaks the claim.
pub trait Implementation {
    /// Why the steps of a state cannot be told.
    type Error;

    /// How much work it is to make a state, compared with looking one up.
    const EFFORT: usize = 1;

    /// The state in which every run begins.
    fn initial(&self) -> StateId;

    /// The steps of a state, in ascending order of labels: of the initial state, or of one that a step told earlier leads
    /// to. New states are numbered one after the other, as memory is taken for all numbers up to the largest. The answer
    /// for a state never changes.
    fn transitions(&mut self, state: StateId) -> Result<&[Transition], Self::Error>;

    /// How many states are known already.
    fn n_known(&self) -> usize {
        0
    }

    /// The steps of a state, and its annotations if the system is generalized.
    fn behavior(&mut self, state: StateId) -> Result<Behavior<'_>, Self::Error> {
        Ok(Behavior { transitions: self.transitions(state)?, is_divergent: false, acceptances: None })
    }
}

impl<I: Implementation> Implementation for &mut I {
    type Error = I::Error;

    const EFFORT: usize = I::EFFORT;

    fn initial(&self) -> StateId {
        I::initial(self)
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], I::Error> {
        I::transitions(self, state)
    }

    fn n_known(&self) -> usize {
        I::n_known(self)
    }

    fn behavior(&mut self, state: StateId) -> Result<Behavior<'_>, I::Error> {
        I::behavior(self, state)
    }
}

/// All of a system, with the numbers its states have.
pub fn write_down<I: Implementation>(system: &mut I, watch: &mut Watch<'_>) -> Result<Lts, Ended<I::Error>> {
    watch.start();
    let mut builder = Builder::new();
    let mut is_met = FixedBitSet::with_capacity(system.n_known());
    is_met.grow_and_insert(system.initial().index());
    // Nearest first: if there is no end, terms far away are large.
    let mut open = VecDeque::from([system.initial()]);
    let mut n_met = 1;
    while let Some(state) = open.pop_front() {
        watch.tick(I::EFFORT)?;
        watch.keep(n_met)?;
        builder.add_state(state);
        for step in system.transitions(state).map_err(Ended::Failed)? {
            builder.add(state, step.label, step.target);
            is_met.grow(step.target.index() + 1);
            if !is_met.put(step.target.index()) {
                n_met += 1;
                open.push_back(step.target);
            }
        }
    }
    Ok(builder.finish(system.initial()))
}

impl Implementation for &Lts {
    type Error = Infallible;

    fn initial(&self) -> StateId {
        Lts::initial(self)
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], Infallible> {
        Ok(Lts::transitions(self, state))
    }

    fn n_known(&self) -> usize {
        self.n_states()
    }

    fn behavior(&mut self, state: StateId) -> Result<Behavior<'_>, Infallible> {
        Ok(Behavior {
            transitions: Lts::transitions(self, state),
            is_divergent: self.is_explicitly_divergent(state),
            acceptances: self.acceptances().map(|acceptances| (acceptances, state)),
        })
    }
}

/// What a state does.
#[derive(Clone, Copy, Debug)]
pub struct Behavior<'a> {
    pub(crate) transitions: &'a [Transition],
    /// Whether it is labelled divergent.
    pub(crate) is_divergent: bool,
    /// Where its explicit acceptances are, if it has them.
    acceptances: Option<(&'a Acceptances, StateId)>,
}

impl<'a> Behavior<'a> {
    pub(crate) fn silent(self) -> &'a [Transition] {
        let n_silent = self.transitions.iter().take_while(|step| !step.label.is_visible()).count();
        &self.transitions[..n_silent]
    }

    fn can_terminate(self) -> bool {
        self.transitions.get(self.silent().len()).is_some_and(|step| step.label == Label::TICK)
    }

    /// What the state may offer and no more. Termination, which it may offer alone if it can terminate, is not among it.
    pub(super) fn offers(self) -> impl Iterator<Item = Offer<'a>> {
        let explicit = self.acceptances.into_iter().flat_map(|(acceptances, state)| acceptances.of(state));
        self.natural_offer().into_iter().chain(explicit.map(Offer::Labels))
    }

    /// Whether there may be [offers](Behavior::offers); if not, there are none.
    #[inline]
    pub(super) fn has_offers(self) -> bool {
        self.acceptances.is_some() || self.natural_offer().is_some()
    }

    /// What the state offers by its steps alone, if it waits for its environment: nothing silent is possible, and it cannot
    /// terminate.
    pub(crate) fn natural_offer(self) -> Option<Offer<'a>> {
        // Labels are in order: silent steps first, then termination.
        let is_stable = !self.is_divergent && self.transitions.first().is_none_or(|first| first.label > Label::TICK);
        (self.acceptances.is_none() && is_stable).then_some(Offer::Steps(self.transitions))
    }

    /// What may be seen to be offered before a step: a stable state offers what it does, others nothing that could be seen.
    /// The state of a generalized system has several offers.
    pub(super) fn views(self) -> impl Iterator<Item = Option<Offer<'a>>> {
        let unseen = self.natural_offer().is_none().then_some(None);
        unseen.into_iter().chain(self.offers().map(Some))
    }

    /// The steps with a label.
    pub(crate) fn with_label(self, label: Label) -> &'a [Transition] {
        let steps = &self.transitions[self.transitions.partition_point(|step| step.label < label)..];
        &steps[..steps.partition_point(|step| step.label == label)]
    }

    /// The same, and termination.
    pub(crate) fn acceptances(self) -> impl Iterator<Item = Offer<'a>> {
        self.offers().chain(self.can_terminate().then_some(TERMINATION))
    }
}

/// What a state that can terminate may offer and no more.
const TERMINATION: Offer<'static> = Offer::Labels(&[Label::TICK]);

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended<E> {
    /// Its watch ended it.
    Stopped(Stop),
    /// The implementation could not tell the steps of a state.
    Failed(E),
}

impl<E> From<Stop> for Ended<E> {
    fn from(stop: Stop) -> Ended<E> {
        Ended::Stopped(stop)
    }
}

impl<E> Ended<E> {
    /// The same among other reasons.
    pub(crate) fn widened<Other: From<E>>(self) -> Ended<Other> {
        match self {
            Ended::Stopped(stop) => Ended::Stopped(stop),
            Ended::Failed(error) => Ended::Failed(error.into()),
        }
    }
}

impl From<Ended<Infallible>> for Stop {
    fn from(ended: Ended<Infallible>) -> Stop {
        match ended {
            Ended::Stopped(stop) => stop,
            Ended::Failed(never) => match never {},
        }
    }
}

/// The labels that a state offers, in ascending order.
#[derive(Clone, Copy)]
pub(crate) enum Offer<'a> {
    /// Those of its steps.
    Steps(&'a [Transition]),
    /// These.
    Labels(&'a [Label]),
}

impl Offer<'_> {
    /// Whether all of a set is offered.
    pub(super) fn includes(self, set: &[Label]) -> bool {
        match self {
            Offer::Labels(labels) => crate::acceptance::is_subset(set, labels),
            Offer::Steps(steps) => {
                let mut rest = steps.iter();
                set.iter()
                    .all(|&label| rest.by_ref().find(|step| step.label >= label).is_some_and(|s| s.label == label))
            }
        }
    }

    pub(super) fn has(self, label: Label) -> bool {
        match self {
            Offer::Labels(labels) => labels.binary_search(&label).is_ok(),
            Offer::Steps(steps) => steps.binary_search_by_key(&label, |step| step.label).is_ok(),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        match self {
            Offer::Labels(labels) => labels.is_empty(),
            Offer::Steps(steps) => steps.is_empty(),
        }
    }

    pub(crate) fn to_vec(self) -> Vec<Label> {
        match self {
            Offer::Labels(labels) => labels.to_vec(),
            Offer::Steps(steps) => {
                let mut labels: Vec<Label> = steps.iter().map(|step| step.label).collect();
                labels.dedup();
                labels
            }
        }
    }
}
