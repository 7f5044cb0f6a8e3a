//! Traces, failures and divergences straight from their definitions, for systems with a few events.
//!
//! Sets of events are bit masks over `✓` and the visible labels; a refusal is a mask, and all refusals of a state are
//! listed. Both systems are followed together through all traces, as the sets of states they can be in.

use lts::{Label, Lts, Model, StateId};
use std::collections::{BTreeSet, VecDeque};

pub type States = BTreeSet<StateId>;

const N_EVENTS: u32 = 4;
const TICK_BIT: u32 = 1;
const ALL_EVENTS: u32 = (1 << N_EVENTS) - 1;

fn bit(label: Label) -> u32 {
    1 << (label.0 - 1)
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

/// Whether some state can do silent steps for ever: more of them than there are states.
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

/// The acceptances of a state, except that it accepts termination alone if it can terminate.
pub fn accepted_by(lts: &Lts, state: StateId) -> Vec<u32> {
    let mask = |labels: &mut dyn Iterator<Item = Label>| labels.map(bit).fold(0, |mask, bit| mask | bit);
    match lts.acceptances() {
        Some(acceptances) => acceptances.of(state).map(|set| mask(&mut set.iter().copied())).collect(),
        None if lts.is_stable(state) => vec![mask(&mut lts.initials(state))],
        None => Vec::new(),
    }
}

pub fn initials(lts: &Lts, states: &States) -> BTreeSet<Label> {
    states.iter().flat_map(|&state| lts.initials(state)).collect()
}

/// Whether the behaviors of `implementation` are among those of `spec`.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model) -> bool {
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
            // That a state can tick breaks a rule by the event, one step later, if at all.
            let allowed = refusals(spec, &left);
            let is_wrong = |accepted: u32| accepted & TICK_BIT == 0 && !allowed.contains(&(ALL_EVENTS & !accepted));
            if model.sees_failures() && accepted_by(implementation, state).into_iter().any(is_wrong) {
                return Some(length);
            }
            for step in implementation.transitions(state) {
                let successor = if step.label == Label::TAU { left.clone() } else { after(spec, &left, step.label) };
                is_forbidden |= successor.is_empty();
                let pair = (successor, step.target);
                if step.label != Label::TICK && seen.insert(pair.clone()) {
                    next.push(pair);
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
