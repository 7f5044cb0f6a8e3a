//! Refinement between two transition systems, decided by walking pairs of sets of states.

use super::observe::{after, divergent_states, tau_closure};
use process::{Label, Lts};
use std::collections::BTreeSet;

/// In which sense one process refines another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Model {
    /// Traces.
    Traces,
    /// Stable failures.
    Failures,
    /// Failures and divergences.
    FailuresDivergences,
}

/// All three.
pub const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

/// A trace after which the implementation does what the specification does not, and what that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What was done before.
    pub trace: Vec<Label>,
    /// The labels accepted by a state that refuses too much, or nothing for a divergence or a wrong event.
    pub acceptance: Option<BTreeSet<Label>>,
}

/// Finds out whether every behavior of `implementation` is one of `spec`.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model) -> Result<(), Violation> {
    let walk = Walk { spec: Side::new(spec), implementation: Side::new(implementation), model };
    let start = (tau_closure(spec, BTreeSet::from([0])), tau_closure(implementation, BTreeSet::from([0])));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![(Vec::new(), start)];
    while let Some((trace, (spec_states, states))) = open.pop() {
        if model == Model::FailuresDivergences && walk.spec.diverges(&spec_states) {
            continue;
        }
        walk.compare(&trace, &spec_states, &states)?;
        for label in walk.implementation.labels(&states) {
            let pair = (after(spec, &spec_states, label), after(implementation, &states, label));
            if seen.insert(pair.clone()) {
                let mut trace = trace.clone();
                trace.push(label);
                open.push((trace, pair));
            }
        }
    }
    Ok(())
}

struct Walk<'a> {
    spec: Side<'a>,
    implementation: Side<'a>,
    model: Model,
}

impl Walk<'_> {
    fn compare(&self, trace: &[Label], spec: &BTreeSet<usize>, states: &BTreeSet<usize>) -> Result<(), Violation> {
        if self.model == Model::FailuresDivergences && self.implementation.diverges(states) {
            return Err(Violation { trace: trace.to_vec(), acceptance: None });
        }
        let allowed = self.spec.labels(spec);
        if let Some(&wrong) = self.implementation.labels(states).difference(&allowed).next() {
            return Err(Violation { trace: [trace, &[wrong]].concat(), acceptance: None });
        }
        if self.model == Model::Traces {
            return Ok(());
        }
        let promised = self.spec.acceptances(spec);
        let is_kept = |acceptance: &BTreeSet<Label>| promised.iter().any(|promise| promise.is_subset(acceptance));
        match self.implementation.acceptances(states).into_iter().find(|acceptance| !is_kept(acceptance)) {
            Some(acceptance) => Err(Violation { trace: trace.to_vec(), acceptance: Some(acceptance) }),
            None => Ok(()),
        }
    }
}

struct Side<'a> {
    lts: &'a Lts,
    divergent: Vec<bool>,
}

impl Side<'_> {
    fn new(lts: &Lts) -> Side<'_> {
        Side { lts, divergent: divergent_states(lts) }
    }

    fn diverges(&self, states: &BTreeSet<usize>) -> bool {
        states.iter().any(|&state| self.divergent[state])
    }

    fn labels(&self, states: &BTreeSet<usize>) -> BTreeSet<Label> {
        states.iter().flat_map(|&state| self.offered(state)).collect()
    }

    fn offered(&self, state: usize) -> BTreeSet<Label> {
        self.lts.edges(state).iter().map(|edge| edge.label).filter(|&label| label != Label::Tau).collect()
    }

    /// What stable states offer, and termination alone for every state that may terminate.
    fn acceptances(&self, states: &BTreeSet<usize>) -> Vec<BTreeSet<Label>> {
        let mut acceptances = Vec::new();
        for &state in states {
            let offered = self.offered(state);
            let is_stable = self.lts.edges(state).iter().all(|edge| edge.label != Label::Tau);
            if offered.contains(&Label::Tick) {
                acceptances.push(BTreeSet::from([Label::Tick]));
            } else if is_stable {
                acceptances.push(offered);
            }
        }
        acceptances
    }
}
