//! Divergences and acceptances drawn as steps.
//!
//! A generalized system has annotations where a plain one has silent steps. Where both differ, silent steps are added:
//!
//! - an explicit divergence becomes a silent loop, which is its meaning;
//! - a state whose minimal acceptances are not those of its steps gets a silent step for each of them, to a new state
//!   that offers exactly that acceptance. The state itself keeps its steps; being unstable now, it accepts nothing
//!   beyond termination;
//! - a state without acceptances and silent steps gets a silent loop, so that it is never stable.
//!
//! The new states have only steps of the old ones, so traces are preserved, and so are the minimal acceptances after
//! each trace. Divergences are preserved except in the last case, which is impossible in
//! [`crate::Model::FailuresDivergences`]: there, a system that cannot diverge has an acceptance.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::{Acceptances, Builder, Label, Lts, StateId, Stop, Watch};

/// The system without annotations: no explicit divergences, no explicit acceptances. Its states keep their numbers; new
/// ones follow.
///
/// Traces, failures and divergences are preserved, provided that the annotations are consistent: acceptances consist of
/// events of the state, and for divergences, a state without any acceptance must be divergent or have silent steps.
pub fn draw(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    watch.start();
    let mut drawing = Drawing { lts, builder: Builder::new(), offers: Vec::new(), n_states: number(lts.n_states()) };
    for state in lts.states() {
        watch.tick(1)?;
        drawing.copy(state);
        if let Some(acceptances) = lts.acceptances() {
            drawing.add_choices(state, acceptances);
        }
    }
    Ok(drawing.finish())
}

struct Drawing<'a> {
    lts: &'a Lts,
    builder: Builder,
    /// The new states, in order, each given by an old state and the acceptance that it offers.
    offers: Vec<(StateId, Vec<Label>)>,
    n_states: u32,
}

impl Drawing<'_> {
    fn copy(&mut self, state: StateId) {
        self.builder.add_state(state);
        for step in self.lts.transitions(state) {
            self.builder.add(state, step.label, step.target);
        }
        if self.lts.is_explicitly_divergent(state) {
            self.builder.add(state, Label::TAU, state);
        }
    }

    /// Adds the silent steps that give a state its explicit acceptances.
    fn add_choices(&mut self, state: StateId, acceptances: &Acceptances) {
        let (mut wanted, mut natural) = (Antichain::default(), Antichain::default());
        wanted.add_state_generators(self.lts, state);
        natural.add_natural(self.lts, state);
        if wanted == natural {
            return;
        }
        if self.lts.is_stable(state) && acceptances.of(state).next().is_none() {
            self.builder.add(state, Label::TAU, state);
        }
        for acceptance in wanted.sets {
            if acceptance != [Label::TICK] {
                self.builder.add(state, Label::TAU, StateId(self.n_states + number(self.offers.len())));
                self.offers.push((state, acceptance));
            }
        }
    }

    fn finish(mut self) -> Lts {
        for (place, (state, acceptance)) in self.offers.iter().enumerate() {
            let offer = StateId(self.n_states + number(place));
            self.builder.add_state(offer);
            for step in acceptance.iter().flat_map(|&label| self.lts.with_label(*state, label)) {
                self.builder.add(offer, step.label, step.target);
            }
        }
        self.builder.finish(self.lts.initial())
    }
}
