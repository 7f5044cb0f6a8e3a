//! Refinement: pairs of an implementation configuration and a set of specification configurations, as an antichain of
//! minimal sets (Wang et al., 2012, More anti-chain based refinement checking).
//!
//! The search is breadth first, or depth first for any witness. With divergences it is always depth first, whatever PAT
//! calls it.

use super::{NotCounted, Tally, Walk, Witness};
use frontend::State;
use hashbrown::{HashMap, HashSet};
use lts::{Label, Model};
use std::collections::VecDeque;
use std::rc::Rc;

/// Specification configurations after a trace, in ascending order.
type Within = Rc<[State]>;

/// Counts the states and steps of PAT's refinement check.
pub(super) fn count(
    walk: &mut Walk<'_>,
    specification: State,
    implementation: State,
    model: Model,
) -> Result<Tally, NotCounted> {
    if !matches!(model, Model::Traces | Model::Failures | Model::FailuresDivergences) {
        return Err(NotCounted::NoRule);
    }
    let mut comparison = Comparison { walk, model, chains: HashMap::new(), n_sets: 0, diverges: HashMap::new() };
    let within = comparison.closed(vec![specification])?;
    comparison.search(implementation, within)
}

struct Comparison<'w, 's> {
    walk: &'w mut Walk<'s>,
    model: Model,
    /// Antichain of sets for each implementation configuration.
    chains: HashMap<State, Vec<Within>>,
    n_sets: u64,
    diverges: HashMap<State, bool>,
}

impl Comparison<'_, '_> {
    fn search(&mut self, implementation: State, within: Within) -> Result<Tally, NotCounted> {
        let sees_divergences = self.model == Model::FailuresDivergences;
        let is_any = self.walk.witness == Witness::Any;
        let is_last_first = sees_divergences || is_any;
        // This search detects a forbidden trace when it expands the pair after it.
        let is_seen_late = is_any && self.model == Model::Traces;
        self.add_pair(implementation, &within);
        let mut open = VecDeque::from([(implementation, within)]);
        let mut n_steps = 0;
        while let Some((state, within)) = if is_last_first { open.pop_back() } else { open.pop_front() } {
            self.walk.check_limit(self.chains.len())?;
            if within.is_empty() || sees_divergences && (self.any_diverges(&within)? || self.diverges(state)?) {
                break;
            }
            let steps = self.walk.steps(state)?;
            n_steps += steps.len() as u64;
            let mut is_broken = false;
            for step in steps.iter() {
                let next = if step.label == Label::TAU { Rc::clone(&within) } else { self.after(&within, step.label)? };
                if next.is_empty() && !is_seen_late {
                    is_broken = true;
                    break;
                }
                if self.add_pair(step.target, &next) {
                    open.push_back((step.target, next));
                }
            }
            let offers: HashSet<Label> = steps.iter().map(|step| step.label).collect();
            let is_stable = !offers.contains(&Label::TAU);
            if is_broken || (self.model != Model::Traces && is_stable && !self.may_refuse(&within, &offers)?) {
                break;
            }
        }
        Ok(Tally { n_states: self.n_sets, n_steps })
    }

    /// Adds a pair, unless a subset was added for the configuration. Pairs with supersets are removed.
    fn add_pair(&mut self, state: State, within: &Within) -> bool {
        let contains = |large: &Within, small: &Within| small.iter().all(|one| large.binary_search(one).is_ok());
        let chain = self.chains.entry(state).or_default();
        if chain.iter().any(|known| contains(within, known)) {
            return false;
        }
        let n_before = chain.len() as u64;
        chain.retain(|known| !contains(known, within));
        chain.push(Rc::clone(within));
        self.n_sets = self.n_sets + chain.len() as u64 - n_before;
        true
    }

    /// Closure under internal steps.
    fn closed(&mut self, mut open: Vec<State>) -> Result<Within, NotCounted> {
        let mut visited: HashSet<State> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for step in self.walk.steps(state)?.iter().filter(|step| step.label == Label::TAU) {
                if visited.insert(step.target) {
                    open.push(step.target);
                }
            }
        }
        let mut all: Vec<State> = visited.into_iter().collect();
        all.sort_unstable();
        Ok(all.into())
    }

    /// Closed set of configurations after an event.
    fn after(&mut self, within: &Within, label: Label) -> Result<Within, NotCounted> {
        let mut to: HashSet<State> = HashSet::new();
        for &state in within.iter() {
            to.extend(self.walk.steps(state)?.iter().filter(|step| step.label == label).map(|step| step.target));
        }
        self.closed(to.into_iter().collect())
    }

    /// Whether a stable configuration of the specification offers a subset of these labels.
    fn may_refuse(&mut self, within: &Within, offers: &HashSet<Label>) -> Result<bool, NotCounted> {
        for &state in within.iter() {
            if self.walk.steps(state)?.iter().all(|step| offers.contains(&step.label)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn any_diverges(&mut self, within: &Within) -> Result<bool, NotCounted> {
        for &state in within.iter() {
            if self.diverges(state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a configuration diverges.
    fn diverges(&mut self, state: State) -> Result<bool, NotCounted> {
        if let Some(&known) = self.diverges.get(&state) {
            return Ok(known);
        }
        // Depth-first search; a configuration that recurs on the current path is on a cycle.
        let mut path: Vec<(State, usize)> = vec![(state, 0)];
        let mut on_path: HashSet<State> = HashSet::from([state]);
        while let Some((at, n_taken)) = path.last_mut() {
            let at = *at;
            let steps = self.walk.steps(at)?;
            let next = steps.iter().enumerate().skip(*n_taken).find(|(_, step)| step.label == Label::TAU);
            let Some((place, step)) = next else {
                self.diverges.insert(at, false);
                on_path.remove(&at);
                path.pop();
                continue;
            };
            *n_taken = place + 1;
            let known = self.diverges.get(&step.target).copied();
            if known == Some(true) || on_path.contains(&step.target) {
                self.diverges.extend(path.iter().map(|&(at, _)| (at, true)));
                return Ok(true);
            }
            if known.is_none() {
                on_path.insert(step.target);
                path.push((step.target, 0));
            }
        }
        Ok(false)
    }
}
