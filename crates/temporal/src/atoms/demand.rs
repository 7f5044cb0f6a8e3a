//! Fairness as a list of single demands.

use super::world::World;
use crate::{Condition, Labels, Strength};
use fixedbitset::FixedBitSet;
use lts::{Label, StateId, Transition};
use model::network::ProcessId;
use std::collections::BTreeSet;

/// An action that fair runs take infinitely often, if it is enabled as the strength requires.
pub struct Demand {
    pub strength: Strength,
    wanted: DemandedStep,
    /// The states where it is enabled; events, in the trace view, also after silent steps. Unknown actions count as
    /// enabled, so that no unfair run is taken for a fair one. Unused for a single step.
    possible: FixedBitSet,
}

enum DemandedStep {
    /// A step of these labels.
    Labels(Labels),
    /// A step with participation of this process.
    Process(ProcessId),
    /// A step of this label, if one with a mark of this strength is enabled.
    Marked(Label, Strength),
    /// This step of this state.
    Step(StateId, Transition),
    /// A step that takes time.
    Time,
}

/// All demands of some conditions.
pub fn demands(world: &World, conditions: &[Condition]) -> Vec<Demand> {
    let wanted = conditions.iter().flat_map(|condition| expand(world, condition));
    wanted.map(|(strength, wanted)| Demand { strength, possible: possible(world, &wanted), wanted }).collect()
}

fn expand(world: &World, condition: &Condition) -> Vec<(Strength, DemandedStep)> {
    let structure = world.structure;
    let steps = || structure.states().flat_map(|state| structure.steps(state).iter().map(move |step| (state, *step)));
    match condition {
        Condition::Labels(strength, labels) => vec![(*strength, DemandedStep::Labels(labels.clone()))],
        Condition::EachLabel(strength) => {
            let labels = labels(world).into_iter().map(|label| DemandedStep::Labels(Labels::from_iter([label])));
            labels.map(|wanted| (*strength, wanted)).collect()
        }
        Condition::EachProcess(strength) => {
            let parts = steps().flat_map(|(_, step)| structure.action(&step).parts.iter().copied());
            let processes: BTreeSet<ProcessId> = parts.collect();
            processes.into_iter().map(|process| (*strength, DemandedStep::Process(process))).collect()
        }
        Condition::EachMark => {
            let marked =
                labels(world).into_iter().flat_map(|label| Strength::OF_MARKS.map(|strength| (label, strength)));
            marked.map(|(label, strength)| (strength, DemandedStep::Marked(label, strength))).collect()
        }
        Condition::TimePasses => vec![(Strength::Unconditional, DemandedStep::Time)],
        Condition::EachStep => {
            steps().map(|(state, step)| (Strength::Strong, DemandedStep::Step(state, step))).collect()
        }
    }
}

/// The labels of all steps that are not silent.
fn labels(world: &World) -> BTreeSet<Label> {
    let structure = world.structure;
    let steps = structure.states().flat_map(|state| structure.steps(state)).filter(|step| !world.is_silent(step));
    steps.map(|step| structure.action(step).label).collect()
}

fn possible(world: &World, wanted: &DemandedStep) -> FixedBitSet {
    let structure = world.structure;
    let here = |state: &StateId| structure.steps(*state).iter().any(|step| wanted.is_activated_by(world, *state, step));
    if matches!(wanted, DemandedStep::Step(..)) {
        return FixedBitSet::new();
    }
    let mut possible = FixedBitSet::with_capacity(structure.n_states());
    possible.extend(structure.states().filter(|state| here(state) || structure.is_open(*state)).map(StateId::index));
    // A process may wait for silent steps of others.
    if matches!(wanted, DemandedStep::Process(_)) {
        return possible;
    }
    // Silent steps exist only in the trace view.
    let leads_on = |possible: &FixedBitSet, state: StateId| {
        structure.steps(state).iter().any(|step| world.is_silent(step) && possible.contains(step.target.index()))
    };
    loop {
        let n_before = possible.count_ones(..);
        for state in structure.states() {
            if leads_on(&possible, state) {
                possible.insert(state.index());
            }
        }
        if possible.count_ones(..) == n_before {
            return possible;
        }
    }
}

impl DemandedStep {
    fn is(&self, world: &World, state: StateId, step: &Transition) -> bool {
        let action = world.structure.action(step);
        match self {
            DemandedStep::Labels(labels) => labels.contains(action.label),
            DemandedStep::Process(process) => action.parts.contains(process),
            DemandedStep::Marked(label, _) => action.label == *label,
            DemandedStep::Step(source, demanded) => *source == state && demanded == step,
            DemandedStep::Time => action.takes_time,
        }
    }

    /// Whether an enabled step activates the demand.
    fn is_activated_by(&self, world: &World, state: StateId, step: &Transition) -> bool {
        let activates = match self {
            DemandedStep::Marked(_, strength) => world.structure.action(step).is_marked(*strength),
            _ => true,
        };
        activates && self.is(world, state, step)
    }
}

impl Demand {
    /// Whether a step satisfies the demand.
    pub fn is_satisfied_by(&self, world: &World, state: StateId, step: &Transition) -> bool {
        self.wanted.is(world, state, step)
    }

    /// Whether it is enabled in a state.
    pub fn is_possible(&self, state: StateId) -> bool {
        match self.wanted {
            DemandedStep::Step(source, _) => source == state,
            _ => self.possible.contains(state.index()),
        }
    }
}
