//! Refinement between two transition systems, by exploring pairs of sets of states.

use super::observe::{after, divergent_states, tau_closure};
use lts::Model;
use process::{Label, Lts};
use std::collections::BTreeSet;

/// Violation of refinement: a trace after which the implementation has a behavior that the specification lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Trace before the violation.
    pub trace: Vec<Label>,
    /// Acceptance of a state that refuses too much; `None` for a divergence or a forbidden event.
    pub acceptance: Option<BTreeSet<Label>>,
}

/// Decides whether every behavior of `implementation` is one of `spec`.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model) -> Result<(), Violation> {
    let walk = Walk { spec: Side::new(spec), implementation: Side::new(implementation), model };
    let start = (tau_closure(spec, BTreeSet::from([0])), tau_closure(implementation, BTreeSet::from([0])));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![(Vec::new(), start)];
    while let Some((trace, (spec_states, states))) = open.pop() {
        if model.sees_divergences() && walk.spec.diverges(&spec_states) {
            continue;
        }
        walk.compare(&trace, &spec_states, &states)?;
        for label in walk.implementation.labels(&states) {
            for (spec_next, next) in walk.next(&spec_states, &states, label) {
                let longer = [&trace[..], &[label]].concat();
                if spec_next.is_empty() {
                    return Err(Violation { trace: longer, acceptance: None });
                }
                if seen.insert((spec_next.clone(), next.clone())) {
                    open.push((longer, (spec_next, next)));
                }
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
        if self.model.sees_divergences() && self.implementation.diverges(states) {
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
        // Revivals: an event after a refusal must be possible in the specification after the same refusal.
        let is_revived = |acceptance: &BTreeSet<Label>| {
            let with =
                |label: &Label| promised.iter().any(|promise| promise.contains(label) && promise.is_subset(acceptance));
            !self.model.sees_revivals() || acceptance.iter().all(with)
        };
        let is_fine = |acceptance: &BTreeSet<Label>| is_kept(acceptance) && is_revived(acceptance);
        match self.implementation.acceptances(states).into_iter().find(|acceptance| !is_fine(acceptance)) {
            Some(acceptance) => Err(Violation { trace: trace.to_vec(), acceptance: Some(acceptance) }),
            None => Ok(()),
        }
    }

    /// Pairs after a label, one for each refusal that may have been observed before it, in models with refusal
    /// histories.
    fn next(&self, spec: &BTreeSet<usize>, states: &BTreeSet<usize>, label: Label) -> Vec<Pair> {
        let both = |refused: Option<&BTreeSet<Label>>| {
            (self.spec.after_refusing(spec, refused, label), self.implementation.after_refusing(states, refused, label))
        };
        let mut pairs = vec![both(None)];
        if self.model.tests_refusals() && label != Label::TICK {
            // Refusing a label that neither side offers is always possible, and gives no information.
            let letters: Vec<Label> =
                self.spec.labels(spec).union(&self.implementation.labels(states)).copied().collect();
            for bits in 0..1_usize << letters.len() {
                let is_in = |place: &usize| bits >> place & 1 == 1;
                let refused = (0..letters.len()).filter(is_in).map(|place| letters[place]).collect();
                pairs.push(both(Some(&refused)));
            }
        }
        pairs.retain(|(_, next)| !next.is_empty());
        pairs
    }
}

/// States of the specification and of the implementation.
type Pair = (BTreeSet<usize>, BTreeSet<usize>);

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
        self.lts.edges(state).iter().map(|edge| edge.label).filter(|&label| label != Label::TAU).collect()
    }

    /// States after a label from those that are stable and refuse a set; without a set, from all.
    fn after_refusing(
        &self,
        states: &BTreeSet<usize>,
        refused: Option<&BTreeSet<Label>>,
        label: Label,
    ) -> BTreeSet<usize> {
        let Some(refused) = refused else { return after(self.lts, states, label) };
        let waits = |state: usize| {
            self.lts.edges(state).iter().all(|edge| edge.label != Label::TAU && edge.label != Label::TICK)
                && self.offered(state).is_disjoint(refused)
        };
        after(self.lts, &states.iter().copied().filter(|&state| waits(state)).collect(), label)
    }

    /// Acceptances of stable states, and termination alone for every state that may terminate.
    fn acceptances(&self, states: &BTreeSet<usize>) -> Vec<BTreeSet<Label>> {
        let mut acceptances = Vec::new();
        for &state in states {
            let offered = self.offered(state);
            let is_stable = self.lts.edges(state).iter().all(|edge| edge.label != Label::TAU);
            if offered.contains(&Label::TICK) {
                acceptances.push(BTreeSet::from([Label::TICK]));
            } else if is_stable {
                acceptances.push(offered);
            }
        }
        acceptances
    }
}
