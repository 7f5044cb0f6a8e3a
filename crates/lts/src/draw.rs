//! Divergences and acceptances drawn as steps.
//!
//! A generalized system says by annotations what a plain one says by its silent steps. Where the two differ, silent
//! steps are added:
//!
//! - an explicit divergence becomes a silent loop, which is what it means;
//! - a state whose minimal acceptances are not what its steps alone say gets a silent step for each of them, to a new
//!   state that offers exactly that acceptance. The state itself keeps its steps; being unstable now, it accepts
//!   nothing beyond termination;
//! - a state that has no acceptance and could not leave by a silent step gets a silent loop, so that it is never
//!   stable.
//!
//! The new states do nothing that the old ones could not, so traces stay; the minimal acceptances after a trace are the
//! same sets as before. Divergences are the same except in the last case, which [`crate::Model::FailuresDivergences`]
//! does not know: there, a system that cannot diverge accepts something.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::{Acceptances, Builder, Label, Lts, StateId, Stop, Watch};

/// The system without annotations: no explicit divergences, no explicit acceptances. Its states keep their numbers; new
/// ones follow.
///
/// Traces, failures and divergences stay the same, provided that the annotations make sense: acceptances consist of
/// events that the state can do, and for divergences to stay, a state without any acceptance must be divergent or have
/// silent steps.
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
    /// The new states, in order, each as a state and the acceptance of it that is offered.
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
