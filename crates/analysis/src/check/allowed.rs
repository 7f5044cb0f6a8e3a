//! What a specification allows along a run.

use super::checker::Checker;
use super::{Counterexample, Events};
use fixedbitset::FixedBitSet;
use frontend::Asserted;
use limits::effort::replay::MAX_STEPS;
use lts::{Label, Lts, StateId};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Adds what the specification allows before each step of a run with these labels, if that can be told: a specification that was
    /// not written down as a whole is not asked again.
    pub(super) fn with_allowed(
        &mut self,
        mut told: Counterexample,
        asserted: &Asserted,
        labels: &[Label],
    ) -> Counterexample {
        let &Asserted::Refines { specification, model, .. } = asserted else { return told };
        if labels.len() > MAX_STEPS || model.tests_refusals() {
            return told;
        }
        let Some(known) = self.specifications.get(&(specification, model)).cloned() else { return told };
        let allowed = allowed_along(known.system(), labels);
        told.allowed = allowed.iter().map(|labels| self.events_text(labels)).collect::<Vec<Events>>();
        told
    }
}

/// What a system can do before each of these steps, and after the last one; nothing more after one that it cannot take.
fn allowed_along(system: &Lts, labels: &[Label]) -> Vec<Vec<Label>> {
    let mut states = closed(system, [system.initial()]);
    let mut allowed = vec![initials(system, &states)];
    for &label in labels {
        if label.is_visible() {
            let targets = states.iter().flat_map(|&state| system.with_label(state, label)).map(|step| step.target);
            states = closed(system, targets.collect::<Vec<_>>());
            if states.is_empty() {
                break;
            }
        }
        allowed.push(initials(system, &states));
    }
    allowed
}

/// States with all that silent steps lead to.
fn closed(system: &Lts, states: impl IntoIterator<Item = StateId>) -> Vec<StateId> {
    let mut met = FixedBitSet::with_capacity(system.n_states());
    let mut found: Vec<StateId> = states.into_iter().filter(|state| !met.put(state.index())).collect();
    let mut n_done = 0;
    while let Some(&state) = found.get(n_done) {
        n_done += 1;
        found.extend(system.silent(state).iter().map(|step| step.target).filter(|target| !met.put(target.index())));
    }
    found
}

fn initials(system: &Lts, states: &[StateId]) -> Vec<Label> {
    states.iter().flat_map(|&state| system.initials(state)).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Builder;

    #[test]
    fn what_is_allowed_ends_where_the_run_is_not() {
        let (a, b) = (Label(2), Label(3));
        let mut builder = Builder::new();
        for (source, label, target) in [(0, a, 1), (0, a, 2), (1, Label::TAU, 3), (2, a, 2), (3, b, 0)] {
            builder.add(StateId(source), label, StateId(target));
        }
        let system = builder.finish(StateId(0));
        let along = allowed_along(&system, &[a, Label::TAU, b, b]);
        assert_eq!(along, [vec![a], vec![a, b], vec![a, b], vec![a]], "the last step is not allowed");
    }
}
