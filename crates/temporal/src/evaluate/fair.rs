//! Whether a run is fair, by the definitions.

use crate::{Action, Condition, Ending, Fairness, Rules, Run, Strength, Structure, View};
use lts::{Label, StateId, Transition};
use model::network::MachineId;

/// What a run meets again and again.
struct Round<'a> {
    structure: &'a Structure,
    rules: &'a Rules,
    states: Vec<StateId>,
    steps: Vec<(StateId, Transition)>,
}

/// Whether a run meets all conditions of an alternative. Runs that end do.
pub fn is_fair(structure: &Structure, fairness: &Fairness, rules: &Rules, run: &Run) -> bool {
    let Ending::Loop(start) = run.ending else { return true };
    let places = start..run.steps.len();
    let round = Round {
        structure,
        rules,
        states: places.clone().map(|place| run.state(place)).collect(),
        steps: places.map(|place| (run.state(place), run.steps[place])).collect(),
    };
    let meets = |conditions: &Vec<Condition>| conditions.iter().all(|condition| round.meets(condition));
    fairness.alternatives.iter().any(meets)
}

/// Whether a system may have no fair runs that go on from some state.
pub fn may_be_impossible(fairness: &Fairness) -> bool {
    let is_unconditional = |condition: &Condition| match condition {
        Condition::Labels(strength, _) | Condition::EachLabel(strength) | Condition::EachProcess(strength) => {
            *strength == Strength::Unconditional
        }
        Condition::EachStep => false,
    };
    fairness.alternatives.iter().all(|conditions| conditions.iter().any(is_unconditional))
}

impl Round<'_> {
    fn meets(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Labels(strength, labels) => {
                self.treats(*strength, self.rules.view, |action| labels.contains(action.label))
            }
            Condition::EachLabel(strength) => {
                let is_treated = |label| self.treats(*strength, self.rules.view, |action| action.label == label);
                self.labels().into_iter().all(is_treated)
            }
            // A machine can move only if it can at once: what others do silently may be what it waits for.
            Condition::EachProcess(strength) => self
                .machines()
                .into_iter()
                .all(|machine| self.treats(*strength, View::Step, |action| action.parts.contains(&machine))),
            Condition::EachStep => self
                .states
                .iter()
                .all(|&state| self.structure.steps(state).iter().all(|step| self.steps.contains(&(state, *step)))),
        }
    }

    /// Whether actions of a kind are taken, if they are possible as the strength says.
    fn treats(&self, strength: Strength, view: View, is_meant: impl Fn(&Action) -> bool) -> bool {
        let is_taken = self.steps.iter().any(|(_, step)| is_meant(self.structure.action(step)));
        let is_possible = |state: &StateId| self.is_possible(*state, view, &is_meant);
        is_taken
            || match strength {
                Strength::Unconditional => false,
                Strength::Weak => !self.states.iter().all(is_possible),
                Strength::Strong => !self.states.iter().any(is_possible),
            }
    }

    /// Whether an action of a kind is possible, in the trace view after silent steps. What is not known counts as possible.
    fn is_possible(&self, state: StateId, view: View, is_meant: &impl Fn(&Action) -> bool) -> bool {
        let mut reached = vec![state];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            if self.structure.is_open(from) {
                return true;
            }
            for step in self.structure.steps(from) {
                let action = self.structure.action(step);
                if is_meant(action) {
                    return true;
                }
                if view == View::Trace && self.rules.is_silent(action) && !reached.contains(&step.target) {
                    reached.push(step.target);
                }
            }
        }
        false
    }

    fn actions(&self) -> impl Iterator<Item = &Action> {
        let steps = self.structure.states().flat_map(|state| self.structure.steps(state));
        steps.map(|step| self.structure.action(step))
    }

    /// The labels of the system, apart from silence.
    fn labels(&self) -> Vec<Label> {
        let mut labels: Vec<Label> =
            self.actions().filter(|action| !self.rules.is_silent(action)).map(|action| action.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    fn machines(&self) -> Vec<MachineId> {
        let mut machines: Vec<MachineId> = self.actions().flat_map(|action| action.parts.iter().copied()).collect();
        machines.sort_unstable();
        machines.dedup();
        machines
    }
}
