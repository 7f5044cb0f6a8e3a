//! The smallest available system with the same behavior in one model.
//!
//! First everything is removed that the model does not distinguish:
//!
//! - in traces, divergences and acceptances;
//! - in failures, the divergence of a state with silent steps to others, which is unstable anyway;
//! - in models with divergences, the steps of divergent states, because a divergence allows everything.
//!
//! The result is reduced in three ways: by weak bisimulation; by elimination of silent steps; and by the normal form.
//! The last two are abandoned when they become far larger than their input. In models finer than failures, silent steps
//! are kept, and in refusal testing there is no normal form. Annotations are drawn as steps before the sizes of the
//! results are compared, because callers need plain systems.

use super::diamond::diamond_within;
use super::tau_loop_factor;
use crate::acceptance::Antichain;
use crate::normal::{Room, normal_within};
use crate::tau::Divergences;
use crate::{Builder, Lts, Model, StateId, Stop, Watch, bisimulation, draw};
use fixedbitset::FixedBitSet;
use limits::effort::normal_forms::SILENT_PER_STEP;

/// A plain system with the same behavior in the model; not larger than the original after drawing, counting states and
/// steps.
pub fn model_compress(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let drawn;
    let lts = if model.sees_revivals() && lts.acceptances().is_some() {
        drawn = draw(lts, watch)?;
        &drawn
    } else {
        lts
    };
    let seen = forget(tau_loop_factor(lts, watch)?.lts, model, watch)?;
    let merged = bisimulation::weak(&bisimulation::delay(&seen, watch)?.lts, watch)?.lts;
    let eliminated = match model.sees_revivals() {
        true => None,
        false => diamond_within(&merged, SILENT_PER_STEP * size(&merged), watch)?,
    };
    let eliminated = match eliminated {
        Some(reduced) => Some(bisimulation::strong(&forget(reduced.lts, model, watch)?, watch)?.lts),
        None => None,
    };
    let room = Room { n_nodes: size(&merged), n_elements: SILENT_PER_STEP * size(&merged) };
    let form = if model.tests_refusals() { None } else { normal_within(&merged, model, room, watch)? };
    let mut smallest = draw(&lts.reachable().lts, watch)?;
    for candidate in [Some(merged), eliminated, form].into_iter().flatten() {
        let candidate = draw(&candidate, watch)?;
        if size(&candidate) < size(&smallest) {
            smallest = candidate;
        }
    }
    Ok(smallest)
}

fn size(lts: &Lts) -> usize {
    lts.n_states() + lts.n_transitions()
}

/// A system without silent cycles and without the details that the model does not distinguish.
fn forget(mut lts: Lts, model: Model, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    match model {
        Model::Traces => {
            lts.divergent = FixedBitSet::new();
            lts.acceptances = None;
            Ok(lts)
        }
        Model::Failures | Model::Revivals | Model::RefusalTesting => {
            let is_unstable =
                |&state: &usize| lts.acceptances.is_some() || !lts.silent(StateId(state as u32)).is_empty();
            let superfluous: Vec<usize> = lts.divergent.ones().filter(is_unstable).collect();
            superfluous.into_iter().for_each(|state| lts.divergent.set(state, false));
            Ok(lts)
        }
        Model::FailuresDivergences | Model::RevivalsDivergences | Model::RefusalTestingDivergences => {
            forget_after_divergence(&lts, watch)
        }
    }
}

fn forget_after_divergence(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let divergences = Divergences::of(lts, watch)?;
    let mut builder = Builder::new();
    for state in lts.states() {
        builder.add_state(state);
        let mut acceptances = Antichain::default();
        if divergences.contains(state) {
            builder.mark_divergent(state);
        } else {
            acceptances.add_state(lts, state);
            lts.transitions(state).iter().for_each(|step| builder.add(state, step.label, step.target));
        }
        if lts.acceptances.is_some() {
            builder.set_antichain(state, &acceptances);
        }
    }
    Ok(builder.finish(lts.initial()).reachable().lts)
}
