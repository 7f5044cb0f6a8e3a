//! Determinism on the fly, by comparing states with representatives.
//!
//! Each trace has one representative state: a step of the previous one leads to it, followed by silent steps to a state
//! with an acceptance, which is stable or can terminate. A run of the system is compared with the representative of its
//! trace. An event of the state that the representative does not accept is possible and can be refused; so is an event
//! that the representative accepts and an acceptance of the state lacks.
//!
//! The comparison is complete: let an event be possible after a trace, and let some state after it have an acceptance
//! without the event. Either the representative does not accept the event and is compared with the state that offers
//! it, or it does and is compared with the one that refuses it. If the system is deterministic there are few pairs, as
//! representatives of one trace are equivalent, and no subset construction is needed. There is no representative where
//! silent steps never lead to a stable state: that is a divergence, which violates determinism in failures-divergences.
//! In failures it may be no violation, and the search ends without a result.

use super::observer::{After, Follow, Moment, Observer};
use super::search::{Search, ViolatingPair, Violation};
use crate::acceptance::is_subset;
use crate::determinism::{choice_along, divergence_after, visible};
use crate::interner::number;
use crate::walk::{Behavior, Ended, Numbered};
use crate::{Counterexample, Fault, Label, Model, StateId, Transition, Watch};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// The representatives of traces.
struct Representatives {
    model: Model,
    nodes: Vec<Representative>,
    numbers: HashMap<StateId, u32, FixedState>,
    /// The representative reached from each state by silent steps, if there is one.
    behind: HashMap<StateId, Option<u32>, FixedState>,
    /// All nodes.
    sets: Vec<u32>,
    /// Set when a trace has no representative.
    is_lost: bool,
}

struct Representative {
    state: StateId,
    /// One of its acceptances, in ascending order.
    accepted: Vec<Label>,
    /// The node after each accepted event, once it is computed.
    next: Vec<Option<u32>>,
}

/// The result of the comparison.
pub(crate) enum Found {
    /// The system is deterministic.
    Nothing,
    /// The system is nondeterministic, by a choice or by a divergence.
    Choice(Counterexample<Transition>),
    /// Unknown, because there is no representative.
    Lost,
}

/// Compares all states with representatives, in failures or failures-divergences; also returns the number of pairs.
pub(crate) fn compare<I: Numbered>(
    system: &mut I,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<(Found, usize), Ended<I::Error>> {
    watch.start();
    let mut representatives = Representatives::new(model);
    let initial = system.initial();
    if representatives.behind(system, initial, watch)?.is_none() {
        return Ok((lost(system, Vec::new(), model, watch)?, 1));
    }
    let mut search = Search::new(representatives, system);
    let Some(ViolatingPair { index, how }) = search.find(watch)? else {
        return Ok((Found::Nothing, search.pairs().len()));
    };
    let mut trace = visible(&search.steps_to(index, watch)?);
    let (is_lost, n_pairs) = (search.observer().is_lost, search.pairs().len());
    let found = match how {
        Violation::Event(event) if is_lost => {
            trace.push(event);
            lost(system, trace, model, watch)?
        }
        Violation::Event(event) | Violation::Refusal(Fault::Nondeterminism(event, _)) => {
            trace.push(event);
            choice_along(system, &trace, watch)?.into()
        }
        Violation::Divergence(_) => divergence_after(system, trace, watch)?.into(),
        Violation::Refusal(_) => Found::Lost,
    };
    Ok((found, n_pairs))
}

/// The result if there is no representative after a trace.
fn lost<I: Numbered>(
    system: &mut I,
    trace: Vec<Label>,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<Found, Ended<I::Error>> {
    Ok(if model.sees_divergences() { divergence_after(system, trace, watch)?.into() } else { Found::Lost })
}

impl From<Option<Counterexample<Transition>>> for Found {
    fn from(found: Option<Counterexample<Transition>>) -> Found {
        found.map_or(Found::Lost, Found::Choice)
    }
}

impl Representatives {
    fn new(model: Model) -> Representatives {
        Representatives {
            model,
            nodes: Vec::new(),
            numbers: HashMap::with_hasher(FixedState::default()),
            behind: HashMap::with_hasher(FixedState::default()),
            sets: Vec::new(),
            is_lost: false,
        }
    }

    /// The representative that silent steps lead to from a state; none if they never lead to one.
    fn behind<I: Numbered>(
        &mut self,
        system: &mut I,
        start: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Option<u32>, Ended<I::Error>> {
        if let Some(known) = self.behind.get(&start) {
            return Ok(*known);
        }
        let mut seen: HashSet<StateId, FixedState> = HashSet::from_iter([start]);
        let mut open = vec![start];
        let mut found = None;
        while let Some(state) = open.pop() {
            watch.tick(I::EFFORT)?;
            watch.keep(seen.len())?;
            let behavior = system.behavior(&state).map_err(Ended::Failed)?;
            if let Some(offer) = behavior.acceptances().next() {
                found = Some(self.node(state, offer.to_vec()));
                break;
            }
            open.extend(behavior.silent().iter().map(|step| step.target).filter(|&target| seen.insert(target)));
        }
        self.behind.insert(start, found);
        Ok(found)
    }

    fn node(&mut self, state: StateId, accepted: Vec<Label>) -> u32 {
        let fresh = number(self.nodes.len());
        let node = *self.numbers.entry(state).or_insert(fresh);
        if node == fresh {
            self.sets.push(fresh);
            self.nodes.push(Representative { state, next: vec![None; accepted.len()], accepted });
        }
        node
    }
}

impl Observer for Representatives {
    fn sees_refusals(&self) -> bool {
        true
    }

    fn forbids_divergence(&self, _node: u32) -> bool {
        self.model.sees_divergences()
    }

    fn states(&self, node: u32) -> &[u32] {
        &self.sets[node as usize..=node as usize]
    }

    fn n_nodes(&self) -> usize {
        self.nodes.len()
    }
}

impl<I: Numbered> Follow<I> for Representatives {
    fn known_after(&self, Moment { node, event, .. }: Moment<'_>, place: &mut usize) -> Option<After> {
        let representative = &self.nodes[node as usize];
        match representative.accepted.binary_search(&event) {
            Err(_) => Some(After::Forbidden),
            Ok(_) if event == Label::TICK => Some(After::Unobserved),
            Ok(found) => {
                *place = found;
                representative.next[found].map(After::Node)
            }
        }
    }

    fn find_after(
        &mut self,
        system: &mut I,
        Moment { node, event, .. }: Moment<'_>,
        place: usize,
        watch: &mut Watch<'_>,
    ) -> Result<After, Ended<I::Error>> {
        let state = self.nodes[node as usize].state;
        let mut steps = system.steps(&state).map_err(Ended::Failed)?.iter();
        let target = steps.find(|step| step.label == event).map(|step| step.target);
        let next = match target {
            Some(target) => self.behind(system, target, watch)?,
            None => None,
        };
        self.nodes[node as usize].next[place] = next;
        self.is_lost |= next.is_none();
        Ok(next.map_or(After::Forbidden, After::Node))
    }

    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Result<Option<Fault>, Ended<I::Error>> {
        let wanted = &self.nodes[node as usize].accepted;
        for offer in behavior.acceptances() {
            let accepted = offer.to_vec();
            if !is_subset(wanted, &accepted) {
                let missing = wanted.iter().find(|label| !accepted.contains(label));
                let event = *missing.expect("something is not accepted");
                return Ok(Some(Fault::Nondeterminism(event, accepted)));
            }
        }
        Ok(None)
    }
}
