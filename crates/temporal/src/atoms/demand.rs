//! Fairness as a list of single demands.

use super::world::World;
use crate::{Condition, Labels, Strength, View};
use lts::{Label, StateId, Transition};
use model::network::MachineId;

/// Something that fair runs do again and again, if they can as the strength says.
pub struct Demand {
    pub strength: Strength,
    deed: Deed,
}

enum Deed {
    /// A step of these labels.
    Labels(Labels),
    /// A step in which this machine takes part.
    Machine(MachineId),
    /// This step of this state.
    Step(StateId, Transition),
}

/// All demands of some conditions.
pub fn demands(world: &World, conditions: &[Condition]) -> Vec<Demand> {
    conditions.iter().flat_map(|condition| expand(world, condition)).collect()
}

fn expand(world: &World, condition: &Condition) -> Vec<Demand> {
    let demand = |strength: Strength, deed: Deed| Demand { strength, deed };
    let structure = world.structure;
    match condition {
        Condition::Labels(strength, labels) => vec![demand(*strength, Deed::Labels(labels.clone()))],
        Condition::EachLabel(strength) => {
            let labels = labels(world).into_iter().map(|label| Deed::Labels(Labels::from_iter([label])));
            labels.map(|deed| demand(*strength, deed)).collect()
        }
        Condition::EachProcess(strength) => {
            let steps = structure.states().flat_map(|state| structure.steps(state));
            let mut machines: Vec<MachineId> = steps.flat_map(|step| structure.action(step).parts.to_vec()).collect();
            machines.sort_unstable();
            machines.dedup();
            machines.into_iter().map(|machine| demand(*strength, Deed::Machine(machine))).collect()
        }
        Condition::EachStep => {
            let steps =
                structure.states().flat_map(|state| structure.steps(state).iter().map(move |step| (state, *step)));
            steps.map(|(state, step)| demand(Strength::Strong, Deed::Step(state, step))).collect()
        }
    }
}

/// The labels of all steps that are not silent.
fn labels(world: &World) -> Vec<Label> {
    let structure = world.structure;
    let steps = structure.states().flat_map(|state| structure.steps(state)).filter(|step| !world.is_silent(step));
    let mut labels: Vec<Label> = steps.map(|step| structure.action(step).label).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

impl Demand {
    /// Whether a step is what is demanded.
    pub fn is_met_by(&self, world: &World, state: StateId, step: &Transition) -> bool {
        let action = world.structure.action(step);
        match &self.deed {
            Deed::Labels(labels) => labels.contains(action.label),
            Deed::Machine(machine) => action.parts.contains(machine),
            Deed::Step(source, demanded) => *source == state && demanded == step,
        }
    }

    /// Whether it is possible in a state; events, in the trace view, also after silent steps. A machine can move only if it can at
    /// once: what others do silently may be what it waits for. If that is not known, it is: then no run is
    /// taken for fair that may not be.
    pub fn is_possible(&self, world: &World, state: StateId) -> bool {
        let here = |state: StateId| {
            let steps = world.structure.steps(state);
            steps.iter().any(|step| self.is_met_by(world, state, step))
        };
        match (&self.deed, world.rules.view) {
            (Deed::Step(..) | Deed::Machine(_), _) | (_, View::Step) => here(state),
            (Deed::Labels(_), View::Trace) => {
                let reached = world.silently_reached(state);
                reached.iter().any(|&state| here(state) || world.structure.is_open(state))
            }
        }
    }
}
