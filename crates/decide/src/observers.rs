//! Observers: properties as automata that run in lockstep with a network.

use crate::{Claim, Specification};
use explore::Observer;
use limits::effort::normal_forms::{MAX_NODES, MAX_NODES_PER_STATE, MIN_NODES};
use lts::Watch;
use lts::normal::{Room, testing::TestingForm};
use progress::{Activity, Progress};

/// The observer of a claim. None where runs are compared with each other, or where the normal form of the specification
/// is too large.
pub(crate) fn observer_of(claim: &Claim, progress: &dyn Progress) -> Option<Observer> {
    match claim {
        Claim::Refines(specification) => {
            progress.enter(Activity::Compiling);
            let observer = refinement_observer(specification, progress);
            progress.enter(Activity::Searching);
            observer
        }
        Claim::DeadlockFree(model) => Some(Observer::deadlock_freedom(*model)),
        Claim::DivergenceFree => Some(Observer::divergence_freedom()),
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

fn refinement_observer(specification: &Specification, progress: &dyn Progress) -> Option<Observer> {
    let n_states = specification.system().n_states();
    let n_nodes = n_states.saturating_mul(MAX_NODES_PER_STATE).clamp(MIN_NODES, MAX_NODES);
    let room = Room { n_nodes, n_elements: usize::MAX };
    let (model, mut watch) = (specification.model(), Watch::new(progress));
    if model.tests_refusals() {
        let form = TestingForm::of(specification.system(), model, room, &mut watch).ok()??;
        return Some(Observer::testing(form, model));
    }
    let form = specification.normal_form(room, &mut watch).ok()??;
    Some(Observer::refinement(form, model))
}
