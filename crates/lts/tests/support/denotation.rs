//! Traces, failures and divergences by their definitions, for systems with a few events.
//!
//! Sets of events are bit masks over `✓` and the visible labels; a refusal is a mask, and all refusals of a state are
//! enumerated. Both systems are explored together along all traces, as sets of states.

use lts::{Label, Lts, Model, StateId};
use std::collections::{BTreeSet, VecDeque};

pub type States = BTreeSet<StateId>;

const N_EVENTS: u32 = 4;
const TICK_BIT: u32 = 1;
const ALL_EVENTS: u32 = (1 << N_EVENTS) - 1;

fn bit(label: Label) -> u32 {
    1 << (label.0 - 1)
}

fn bit_or_none(label: Label) -> u32 {
    if label == Label::TAU { 0 } else { bit(label) }
}

pub fn close(lts: &Lts, states: impl IntoIterator<Item = StateId>) -> States {
    let mut todo: Vec<StateId> = states.into_iter().collect();
    let mut closed = States::new();
    while let Some(state) = todo.pop() {
        if closed.insert(state) {
            todo.extend(lts.silent(state).iter().map(|step| step.target));
        }
    }
    closed
}

pub fn after(lts: &Lts, states: &States, label: Label) -> States {
    close(lts, states.iter().flat_map(|&state| lts.with_label(state, label)).map(|step| step.target))
}

/// Whether some state has more consecutive silent steps than there are states.
pub fn diverges(lts: &Lts, states: &States) -> bool {
    let mut current: States = states.clone();
    for _ in 0..=lts.n_states() {
        if current.iter().any(|&state| lts.is_explicitly_divergent(state)) {
            return true;
        }
        current = current.iter().flat_map(|&state| lts.silent(state)).map(|step| step.target).collect();
    }
    !current.is_empty()
}

/// All sets of events that some of the states refuses.
pub fn refusals(lts: &Lts, states: &States) -> BTreeSet<u32> {
    states.iter().flat_map(|&state| refusals_of(lts, state)).collect()
}

/// Whether some of the states refuses the event.
pub fn refuses(lts: &Lts, states: &States, event: Label) -> bool {
    refusals(lts, states).contains(&bit(event))
}

fn refusals_of(lts: &Lts, state: StateId) -> Vec<u32> {
    let accepted = accepted_by(lts, state);
    let can_tick = lts.can_terminate(state);
    let is_refused = |set: u32| accepted.iter().any(|&accepted| set & accepted == 0) || can_tick && set & TICK_BIT == 0;
    (0..1 << N_EVENTS).filter(|&set| is_refused(set)).collect()
}

/// The acceptances of a state; a terminating state accepts termination alone.
pub fn accepted_by(lts: &Lts, state: StateId) -> Vec<u32> {
    let mask = |labels: &mut dyn Iterator<Item = Label>| labels.map(bit).fold(0, |mask, bit| mask | bit);
    match lts.acceptances() {
        Some(acceptances) => acceptances.of(state).map(|set| mask(&mut set.iter().copied())).collect(),
        None if lts.is_stable(state) => vec![mask(&mut lts.initials(state))],
        None => Vec::new(),
    }
}

/// The event sets of a state for each offer that refuses a set.
fn offers_refusing(lts: &Lts, state: StateId, refused: u32) -> Vec<u32> {
    let mut offers: Vec<u32> =
        accepted_by(lts, state).into_iter().filter(|accepted| accepted & TICK_BIT == 0).collect();
    offers.extend(lts.can_terminate(state).then_some(TICK_BIT));
    offers.retain(|accepted| accepted & refused == 0);
    offers
}

/// All refused sets of some of the states, each with an event of the same state, or none at a deadlock.
pub fn revivals(lts: &Lts, states: &States) -> BTreeSet<(u32, u32)> {
    let mut revivals = BTreeSet::new();
    for refused in 0..1 << N_EVENTS {
        for offer in states.iter().flat_map(|&state| offers_refusing(lts, state, refused)) {
            let events = (0..N_EVENTS).map(|place| 1 << place).filter(|event| offer & event != 0);
            revivals.extend(events.map(|event| (refused, event)));
            revivals.extend((offer == 0).then_some((refused, 0)));
        }
    }
    revivals
}

/// The states after an event of a state with an observed refusal; without an observation if there is none.
fn after_refusing(lts: &Lts, states: &States, refused: Option<u32>, label: Label) -> States {
    let Some(refused) = refused else { return after(lts, states, label) };
    let can_do = |&&state: &&StateId| offers_refusing(lts, state, refused).iter().any(|offer| offer & bit(label) != 0);
    let doing = states.iter().filter(can_do);
    close(lts, doing.flat_map(|&state| lts.with_label(state, label)).map(|step| step.target))
}

/// The states after an event of a state with exactly these observed offers.
pub fn after_offering(lts: &Lts, states: &States, offered: u32, label: Label) -> States {
    let refused = (offered & TICK_BIT == 0).then_some(ALL_EVENTS & !offered);
    after_refusing(lts, states, refused, label)
}

/// Whether every refusal trace of one system is one of another: all refusals are enumerated before each event.
fn refines_testing(spec: &Lts, implementation: &Lts, model: Model) -> bool {
    let start = (close(spec, [spec.initial()]), close(implementation, [implementation.initial()]));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut todo = VecDeque::from([start]);
    while let Some((left, right)) = todo.pop_front() {
        if model.sees_divergences() && diverges(spec, &left) {
            continue;
        }
        if model.sees_divergences() && diverges(implementation, &right) {
            return false;
        }
        if !refusals(implementation, &right).is_subset(&refusals(spec, &left)) {
            return false;
        }
        for event in initials(implementation, &right) {
            for refused in std::iter::once(None).chain((0..1 << N_EVENTS).map(Some)) {
                let next = after_refusing(implementation, &right, refused, event);
                if next.is_empty() {
                    continue;
                }
                let allowed = after_refusing(spec, &left, refused, event);
                if allowed.is_empty() {
                    return false;
                }
                let pair = (allowed, next);
                if event != Label::TICK && seen.insert(pair.clone()) {
                    todo.push_back(pair);
                }
            }
        }
    }
    true
}

pub fn initials(lts: &Lts, states: &States) -> BTreeSet<Label> {
    states.iter().flat_map(|&state| lts.initials(state)).collect()
}

/// Whether the behaviors of `implementation` are among those of `spec`.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model) -> bool {
    if model.tests_refusals() {
        return refines_testing(spec, implementation, model);
    }
    let start = (close(spec, [spec.initial()]), close(implementation, [implementation.initial()]));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut todo = VecDeque::from([start]);
    while let Some((left, right)) = todo.pop_front() {
        if model.sees_divergences() && diverges(spec, &left) {
            continue;
        }
        if model.sees_divergences() && diverges(implementation, &right) {
            return false;
        }
        if model.sees_failures() && !refusals(implementation, &right).is_subset(&refusals(spec, &left)) {
            return false;
        }
        if model.sees_revivals() && !revivals(implementation, &right).is_subset(&revivals(spec, &left)) {
            return false;
        }
        let events = initials(implementation, &right);
        if !events.is_subset(&initials(spec, &left)) {
            return false;
        }
        for event in events.into_iter().filter(|&event| event != Label::TICK) {
            let pair = (after(spec, &left, event), after(implementation, &right, event));
            if seen.insert(pair.clone()) {
                todo.push_back(pair);
            }
        }
    }
    true
}

/// The number of steps of a shortest counterexample: the forbidden event counts, a refusal or divergence does not.
pub fn shortest(spec: &Lts, implementation: &Lts, model: Model) -> Option<usize> {
    let start = (close(spec, [spec.initial()]), implementation.initial());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut level = vec![start];
    for length in 0.. {
        let mut next = Vec::new();
        let mut is_forbidden = false;
        for (left, state) in level {
            let here = close(implementation, [state]);
            if model.sees_divergences() && diverges(spec, &left) {
                continue;
            }
            if model.sees_divergences() && diverges(implementation, &here) {
                return Some(length);
            }
            // A termination violates the claim as an event, one step later, if at all.
            let allowed = refusals(spec, &left);
            let is_wrong = |accepted: u32| accepted & TICK_BIT == 0 && !allowed.contains(&(ALL_EVENTS & !accepted));
            if model.sees_failures() && accepted_by(implementation, state).into_iter().any(is_wrong) {
                return Some(length);
            }
            let settled: Vec<u32> =
                accepted_by(implementation, state).into_iter().filter(|accepted| accepted & TICK_BIT == 0).collect();
            let allowed = revivals(spec, &left);
            let possible = initials(spec, &left);
            let is_wrong = |&accepted: &u32| {
                let mut events = possible.iter().map(|&event| bit(event)).filter(|event| accepted & event != 0);
                events.any(|event| !allowed.contains(&(ALL_EVENTS & !accepted, event)))
            };
            if model.sees_revivals() && settled.iter().any(is_wrong) {
                return Some(length);
            }
            // Observing all refusals is the finest observation.
            let views = if model.tests_refusals() { settled } else { Vec::new() };
            for step in implementation.transitions(state) {
                let offers = views.iter().filter(|&accepted| accepted & bit_or_none(step.label) != 0);
                let refused = std::iter::once(None).chain(offers.map(|accepted| Some(ALL_EVENTS & !accepted)));
                for refused in refused {
                    let successor = match step.label {
                        Label::TAU => left.clone(),
                        label => after_refusing(spec, &left, refused, label),
                    };
                    is_forbidden |= successor.is_empty();
                    let pair = (successor, step.target);
                    if step.label != Label::TICK && seen.insert(pair.clone()) {
                        next.push(pair);
                    }
                }
            }
        }
        if is_forbidden {
            return Some(length + 1);
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    None
}
