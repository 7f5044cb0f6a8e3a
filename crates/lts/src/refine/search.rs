//! Breadth-first search for a violation of a claim.

use super::observer::{After, Follow, Moment};
use super::pairs::{Pair, Pairs};
use super::silence::{DivergenceSearch, Lasso};
use crate::walk::{Ended, Numbered};
use crate::{Acceptance, Counterexample, Fault, Label, StateId, Transition, Watch};

/// A search of pairs of an observer node and an implementation state.
pub(super) struct Search<'a, O, I> {
    observer: O,
    implementation: &'a mut I,
    silence: DivergenceSearch,
    pairs: Pairs,
    /// The depth of the current level.
    depth: u32,
}

/// A pair that violates the claim.
pub(super) struct ViolatingPair {
    /// Its position.
    pub(super) index: usize,
    pub(super) how: Violation,
}

/// The kind of a violation.
pub(super) enum Violation {
    /// A forbidden event.
    Event(Label),
    Divergence(Lasso),
    Refusal(Fault),
}

impl<'a, O: Follow<I>, I: Numbered> Search<'a, O, I> {
    pub(super) fn new(observer: O, implementation: &'a mut I) -> Search<'a, O, I> {
        let pairs = Pairs::new(implementation.n_known());
        Search { observer, implementation, silence: DivergenceSearch::default(), pairs, depth: 0 }
    }

    /// A shortest run that violates the claim, the first in the order of the search.
    pub(super) fn run(&mut self, watch: &mut Watch<'_>) -> Result<Option<Counterexample<Transition>>, Ended<I::Error>> {
        match self.find(watch)? {
            Some(broken) => self.counterexample(broken, watch).map(Some),
            None => Ok(None),
        }
    }

    /// The first pair that violates the claim.
    ///
    /// A pair violates the claim by its refusals or divergence immediately, by an event only one step later; so all
    /// pairs of a level are checked before an event is reported.
    pub(super) fn find(&mut self, watch: &mut Watch<'_>) -> Result<Option<ViolatingPair>, Ended<I::Error>> {
        watch.start();
        let initial = Pair { node: 0, state: self.implementation.initial() };
        self.pairs.discover(initial.node, initial.state, Pairs::ROOT, 0, &self.observer);
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
                if let Some(how) = self.check(pair, watch)? {
                    return Ok(Some(ViolatingPair { index, how }));
                }
                if broken.is_none() {
                    broken =
                        self.expand(index, watch)?.map(|event| ViolatingPair { index, how: Violation::Event(event) });
                    watch.keep(self.pairs.len())?;
                }
            }
            next = level_end;
            self.depth += 1;
        }
        Ok(broken)
    }

    /// The violation of a pair without a further step.
    fn check(&mut self, pair: Pair, watch: &mut Watch<'_>) -> Result<Option<Violation>, Ended<I::Error>> {
        let Pair { node, state } = pair;
        if self.observer.forbids_divergence(node)
            && let Some(lasso) = self.silence.divergence(self.implementation, state, watch)?
        {
            return Ok(Some(Violation::Divergence(lasso)));
        }
        if !self.observer.sees_refusals() {
            return Ok(None);
        }
        let behavior = self.implementation.behavior(&state).map_err(Ended::Failed)?;
        Ok(self.observer.refusal(node, behavior)?.map(Violation::Refusal))
    }

    /// Follows the steps of a pair; returns the first forbidden event.
    fn expand(&mut self, index: usize, watch: &mut Watch<'_>) -> Result<Option<Label>, Ended<I::Error>> {
        if !self.observer.tests_refusals() {
            return self.follow(index, None, watch);
        }
        for offer in self.views(self.pairs.get(index).state)? {
            let forbidden = self.follow(index, offer.as_deref(), watch)?;
            if forbidden.is_some() {
                return Ok(forbidden);
            }
        }
        Ok(None)
    }

    /// The possible observations of offers of a state before a step, if the observer depends on them.
    fn views(&mut self, state: StateId) -> Result<Vec<Option<Vec<Label>>>, Ended<I::Error>> {
        if !self.observer.tests_refusals() {
            return Ok(vec![None]);
        }
        let behavior = self.implementation.behavior(&state).map_err(Ended::Failed)?;
        Ok(behavior.views().map(|offer| offer.map(|offer| offer.to_vec())).collect())
    }

    /// Follows the steps of a pair after the observation of an offer; returns the first forbidden event.
    ///
    /// Usually the observer has computed the successors before, and the steps are read in place; otherwise they are
    /// requested again, because the computation of a successor may change the implementation.
    #[inline]
    fn follow(
        &mut self,
        index: usize,
        offer: Option<&Acceptance>,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Label>, Ended<I::Error>> {
        let Pair { node, state } = self.pairs.get(index);
        let depth = self.depth + 1;
        let (mut place, mut n_followed) = (0, 0);
        loop {
            let steps = self.implementation.steps(&state).map_err(Ended::Failed)?;
            let mut unknown = None;
            for &step in &steps[n_followed..] {
                n_followed += 1;
                if !is_seen(step.label, offer) {
                    continue;
                }
                let moment = Moment { node, event: step.label, offer };
                let after = match step.label {
                    Label::TAU => Some(After::Node(node)),
                    _ => self.observer.known_after(moment, &mut place),
                };
                match after {
                    Some(After::Node(node)) => self.pairs.discover(node, step.target, index, depth, &self.observer),
                    Some(After::Unobserved) => {}
                    Some(After::Forbidden) => return Ok(Some(step.label)),
                    None => {
                        unknown = Some((moment, step.target));
                        break;
                    }
                }
            }
            let Some((moment, target)) = unknown else { return Ok(None) };
            match self.observer.find_after(self.implementation, moment, place, watch)? {
                After::Node(node) => self.pairs.discover(node, target, index, depth, &self.observer),
                After::Unobserved => {}
                After::Forbidden => return Ok(Some(moment.event)),
            }
        }
    }

    /// The run to a pair that violates the claim, extended by the violation.
    fn counterexample(
        &mut self,
        ViolatingPair { index, how }: ViolatingPair,
        watch: &mut Watch<'_>,
    ) -> Result<Counterexample<Transition>, Ended<I::Error>> {
        let mut steps = self.steps_to(index, watch)?;
        let Pair { node, state } = self.pairs.get(index);
        let fault = match how {
            Violation::Event(event) => {
                let mut next = self.implementation.steps(&state).map_err(Ended::Failed)?.iter();
                steps.push(*next.find(|step| step.label == event).expect("the state can do the event"));
                Fault::Event(self.observer.allowed(node))
            }
            Violation::Divergence(Lasso { silent, loop_start }) => {
                let place = steps.len() + loop_start;
                steps.extend(silent);
                Fault::Divergence(place)
            }
            Violation::Refusal(fault) => fault,
        };
        Ok(Counterexample { steps, fault })
    }

    /// The steps of the implementation that lead to a pair.
    pub(super) fn steps_to(&mut self, index: usize, watch: &mut Watch<'_>) -> Result<Vec<Transition>, Ended<I::Error>> {
        let mut steps = Vec::new();
        let mut index = index;
        while let Some(parent) = self.pairs.parent(index) {
            steps.push(self.step_between(parent, index, watch)?);
            index = parent;
        }
        steps.reverse();
        Ok(steps)
    }

    /// The step by which a pair was discovered.
    fn step_between(
        &mut self,
        parent: usize,
        index: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Transition, Ended<I::Error>> {
        let (from, to) = (self.pairs.get(parent), self.pairs.get(index));
        let views = self.views(from.state)?;
        let steps = self.implementation.steps(&from.state).map_err(Ended::Failed)?;
        let candidates: Vec<Transition> = steps.iter().copied().filter(|step| step.target == to.state).collect();
        for step in candidates {
            for offer in views.iter().map(Option::as_deref).filter(|offer| is_seen(step.label, *offer)) {
                let moment = Moment { node: from.node, event: step.label, offer };
                let leads_there = match step.label {
                    Label::TAU => from.node == to.node,
                    _ => {
                        let after = self.observer.after(self.implementation, moment, watch)?;
                        matches!(after, After::Node(node) if node == to.node)
                    }
                };
                if leads_there {
                    return Ok(step);
                }
            }
        }
        unreachable!("a pair is found by a step of its parent")
    }

    /// The discovered pairs by position.
    pub(super) fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    pub(super) fn observer(&self) -> &O {
        &self.observer
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.observer.n_nodes()
    }

    /// All events that are possible in some of these states, in ascending order.
    pub(super) fn initials(&mut self, states: &[StateId]) -> Result<Vec<Label>, Ended<I::Error>> {
        let mut initials = Vec::new();
        for &state in states {
            let steps = self.implementation.steps(&state).map_err(Ended::Failed)?;
            initials.extend(steps.iter().map(|step| step.label).filter(|label| label.is_visible()));
        }
        initials.sort_unstable();
        initials.dedup();
        Ok(initials)
    }
}

/// Whether a step with this label is possible after the observation of an offer.
fn is_seen(label: Label, offer: Option<&Acceptance>) -> bool {
    offer.is_none_or(|offer| offer.binary_search(&label).is_ok())
}
