//! Collapse of silent cycles to single states.
//!
//! All states of a silent cycle silently reach one another, so they are weakly bisimilar. One state takes their place,
//! with all their steps, explicitly divergent.

use crate::acceptance::Antichain;
use crate::tau::Components;
use crate::{Builder, Lts, Reduced, StateId, StateMap, Stop, Watch};

/// The system without silent cycles: each becomes one divergent state.
pub fn tau_loop_factor(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let components = Components::of(lts, watch)?;
    let is_loop_free = |state: StateId| lts.silent(state).iter().all(|step| step.target != state);
    if components.n_components() == lts.n_states() && lts.states().all(is_loop_free) {
        return Ok(lts.reachable());
    }
    let cyclic = components.cyclic(lts);
    watch.start();
    let (members, starts) = components.members();
    let mut builder = Builder::new();
    let mut acceptances = Antichain::default();
    for (component, range) in starts.windows(2).enumerate() {
        let state = StateId(component as u32);
        builder.add_state(state);
        acceptances.clear();
        for &member in &members[range[0] as usize..range[1] as usize] {
            watch.tick(1)?;
            for step in lts.transitions(member) {
                let target = StateId(components.component(step.target));
                if step.label.is_visible() || target != state {
                    builder.add(state, step.label, target);
                }
            }
            if lts.acceptances().is_some() {
                acceptances.add_state(lts, member);
            }
        }
        if cyclic.contains(component) {
            builder.mark_divergent(state);
        }
        if lts.acceptances().is_some() {
            builder.set_antichain(state, &acceptances);
        }
    }
    let images = lts.states().map(|state| components.component(state)).collect();
    let factored = builder.finish(StateId(components.component(lts.initial())));
    Ok(factored.reachable().after(StateMap::from_images(images)))
}
