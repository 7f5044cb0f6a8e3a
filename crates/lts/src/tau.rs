//! Silent steps: their strongly connected components, and the divergent states.
//!
//! Silent steps between components always lead to a smaller number: a single pass over the components in ascending
//! order processes all silent successors before their source.

use crate::interner::number;
use crate::{Lts, StateId, Stop, Watch};
use fixedbitset::FixedBitSet;
use graphs::Partition;

/// The strongly connected components of silent steps.
#[derive(Clone, Debug)]
pub struct Components {
    of_state: Vec<u32>,
    n_components: usize,
}

impl Components {
    /// The components of a system.
    pub fn of(lts: &Lts, watch: &mut Watch<'_>) -> Result<Components, Stop> {
        watch.start();
        let Partition { of_node, n_components } = Partition::try_of(lts.n_states(), |state, targets| {
            let silent = lts.silent(StateId(state));
            targets.extend(silent.iter().map(|step| step.target.0));
            watch.tick(1 + silent.len())
        })?;
        Ok(Components { of_state: of_node, n_components })
    }

    /// The number of components.
    pub fn n_components(&self) -> usize {
        self.n_components
    }

    /// The component of a state. A silent step never leads to a larger number.
    pub fn component(&self, state: StateId) -> u32 {
        self.of_state[state.index()]
    }

    /// The states sorted by component, and the start of each component; at last the end.
    pub(crate) fn members(&self) -> (Vec<StateId>, Vec<u32>) {
        let (places, starts) = crate::builder::counting_sort(&self.of_state, self.n_components);
        let mut members = vec![StateId(0); places.len()];
        for (state, &place) in places.iter().enumerate() {
            members[place as usize] = StateId(number(state));
        }
        (members, starts)
    }

    /// The components with a silent cycle or an explicit divergence.
    pub(crate) fn cyclic(&self, lts: &Lts) -> FixedBitSet {
        let mut cyclic = FixedBitSet::with_capacity(self.n_components);
        for state in lts.states() {
            let component = self.component(state);
            let stays = |&target: &StateId| self.component(target) == component;
            if lts.is_explicitly_divergent(state) || lts.silent(state).iter().any(|step| stays(&step.target)) {
                cyclic.insert(component as usize);
            }
        }
        cyclic
    }
}

/// The states that can diverge: by silent steps they reach a silent cycle or an explicit divergence.
#[derive(Clone, Debug)]
pub struct Divergences {
    states: FixedBitSet,
}

impl Divergences {
    /// The divergences of a system.
    pub fn of(lts: &Lts, watch: &mut Watch<'_>) -> Result<Divergences, Stop> {
        let components = Components::of(lts, watch)?;
        let mut divergent = components.cyclic(lts);
        if divergent.is_clear() {
            return Ok(Divergences { states: FixedBitSet::new() });
        }
        let (members, _) = components.members();
        let mut states = FixedBitSet::with_capacity(lts.n_states());
        for &state in &members {
            let component = components.component(state) as usize;
            let leads_there = |target| divergent.contains(components.component(target) as usize);
            if lts.silent(state).iter().any(|step| leads_there(step.target)) {
                divergent.insert(component);
            }
        }
        for state in lts.states() {
            states.set(state.index(), divergent.contains(components.component(state) as usize));
        }
        Ok(Divergences { states })
    }

    /// Whether the state can diverge.
    pub fn contains(&self, state: StateId) -> bool {
        self.states.contains(state.index())
    }

    /// Whether no state can diverge.
    pub fn is_empty(&self) -> bool {
        self.states.is_clear()
    }
}
