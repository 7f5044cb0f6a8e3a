//! The search for a run that breaks a claim.

use super::counterexample::{Counterexample, Violation};
use super::implementation::{Ended, Implementation, Offer};
use super::observer::{After, Observer};
use super::pairs::{Pair, Pairs};
use super::silence::{Lasso, Silence};
use crate::{Label, StateId, Transition, Watch};

/// Walks pairs of a node of an observer and a state of an implementation, breadth first.
pub(super) struct Search<'a, O, I> {
    observer: O,
    implementation: &'a mut I,
    silence: Silence,
    pairs: Pairs,
    /// How many steps lead to the pairs that are being looked at.
    depth: u32,
}

impl<'a, O: Observer, I: Implementation> Search<'a, O, I> {
    pub(super) fn new(observer: O, implementation: &'a mut I) -> Search<'a, O, I> {
        let pairs = Pairs::new(implementation.n_known());
        Search { observer, implementation, silence: Silence::default(), pairs, depth: 0 }
    }

    /// The first and shortest run that breaks the claim.
    ///
    /// A pair is broken by its refusals or by diverging as it is, by an event only one step later; so all pairs of a level
    /// are looked at before an event is reported.
    pub(super) fn run(&mut self, watch: &mut Watch<'_>) -> Result<Option<Counterexample>, Ended<I::Error>> {
        watch.start();
        let initial = Pair { node: 0, state: self.implementation.initial() };
        if !self.observer.is_settled(initial.node) {
            self.pairs.insert(initial, Pairs::ROOT, 0, &self.observer);
        }
        let mut next = 0;
        let mut broken = None;
        while broken.is_none() && next < self.pairs.len() {
            let level_end = self.pairs.len();
            for index in next..level_end {
                watch.tick(I::EFFORT)?;
                let pair = self.pairs.get(index);
                if self.pairs.is_superseded(pair, self.depth, &self.observer) {
                    continue;
                }
                if let Some(violation) = self.check(pair, watch)? {
                    return self.counterexample(index, violation).map(Some);
                }
                if broken.is_none() {
                    broken = self.expand(index)?.map(|event| (index, event));
                    watch.keep(self.pairs.len())?;
                }
            }
            next = level_end;
            self.depth += 1;
        }
        let Some((index, event)) = broken else { return Ok(None) };
        let allowed = self.observer.allowed(self.pairs.get(index).node);
        self.counterexample(index, Violation::Event { event, allowed }).map(Some)
    }

    /// What is wrong with a pair without any further step.
    fn check(&mut self, pair: Pair, watch: &mut Watch<'_>) -> Result<Option<Violation>, Ended<I::Error>> {
        let Pair { node, state } = pair;
        if self.observer.forbids_divergence(node)
            && let Some(Lasso { silent, loop_start }) = self.silence.divergence(self.implementation, state, watch)?
        {
            return Ok(Some(Violation::Divergence { silent, loop_start }));
        }
        if !self.observer.sees_refusals() {
            return Ok(None);
        }
        let behavior = self.implementation.behavior(state).map_err(Ended::Failed)?;
        Ok(self.observer.refusal(node, behavior))
    }

    /// Follows the steps of a pair; returns the first event that is not allowed.
    fn expand(&mut self, index: usize) -> Result<Option<Label>, Ended<I::Error>> {
        let Pair { node, state } = self.pairs.get(index);
        let behavior = self.implementation.behavior(state).map_err(Ended::Failed)?;
        for offer in behavior.views(self.observer.tests_refusals()) {
            let mut place = 0;
            for step in behavior.transitions {
                let successor = match step.label {
                    event if offer.is_some_and(|offer| !offer.has(event)) => continue,
                    Label::TAU => node,
                    event => match self.observer.after(node, event, offer, &mut place) {
                        After::Forbidden => return Ok(Some(event)),
                        After::Unobserved => continue,
                        After::Node(successor) => successor,
                    },
                };
                if !self.observer.is_settled(successor) {
                    let pair = Pair { node: successor, state: step.target };
                    self.pairs.insert(pair, index, self.depth + 1, &self.observer);
                }
            }
        }
        Ok(None)
    }

    fn counterexample(&mut self, index: usize, violation: Violation) -> Result<Counterexample, Ended<I::Error>> {
        Ok(Counterexample { steps: self.steps_to(index)?, violation })
    }

    /// The steps of the implementation that lead to a pair.
    pub(super) fn steps_to(&mut self, index: usize) -> Result<Vec<Transition>, Ended<I::Error>> {
        let mut steps = Vec::new();
        let mut index = index;
        while let Some(parent) = self.pairs.parent(index) {
            let (from, to) = (self.pairs.get(parent), self.pairs.get(index));
            let observer = &mut self.observer;
            let behavior = self.implementation.behavior(from.state).map_err(Ended::Failed)?;
            let views: Vec<Option<Offer<'_>>> = behavior.views(observer.tests_refusals()).collect();
            let mut leads_there = |step: &Transition| {
                let mut is_next = |offer: &Option<Offer<'_>>| match (step.label, offer) {
                    (event, Some(offer)) if !offer.has(event) => false,
                    (Label::TAU, _) => from.node == to.node,
                    (event, offer) => {
                        let after = observer.after(from.node, event, *offer, &mut 0);
                        matches!(after, After::Node(node) if node == to.node)
                    }
                };
                step.target == to.state && views.iter().any(&mut is_next)
            };
            let mut candidates = behavior.transitions.iter();
            steps.push(*candidates.find(|step| leads_there(step)).expect("a pair is found by a step of its parent"));
            index = parent;
        }
        steps.reverse();
        Ok(steps)
    }

    /// The pairs that were found, by their places.
    pub(super) fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.observer.n_nodes()
    }

    /// All events that are possible in some of these states, in ascending order.
    pub(super) fn initials(&mut self, states: &[StateId]) -> Result<Vec<Label>, Ended<I::Error>> {
        let mut initials = Vec::new();
        for &state in states {
            let steps = self.implementation.transitions(state).map_err(Ended::Failed)?;
            initials.extend(steps.iter().map(|step| step.label).filter(|label| label.is_visible()));
        }
        initials.sort_unstable();
        initials.dedup();
        Ok(initials)
    }
}
