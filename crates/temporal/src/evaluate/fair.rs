//! Whether a run is fair, by the definitions, and how.

use crate::{Action, Condition, Ending, Fairness, Labels, Rules, Run, Strength, Structure, View};
use lts::{Label, StateId, Transition};
use model::network::ProcessId;

/// What a condition asks to be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A step of these labels.
    Labels(Labels),
    /// A step in which this process takes part.
    Process(ProcessId),
    /// A step of this label, if steps of it that are marked with this strength are possible.
    Marked(Strength, Label),
    /// A step that takes time.
    Time,
}

/// How a loop does justice to an item. Places are those of steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Service {
    /// It is taken, here for the first time.
    Taken(usize),
    /// It is possible, but not before this step.
    Impossible(usize),
    /// It is not possible anywhere.
    NeverPossible,
}

/// What a run meets again and again.
struct Round<'a> {
    structure: &'a Structure,
    rules: &'a Rules,
    /// Where it begins.
    start: usize,
    states: Vec<StateId>,
    steps: Vec<(StateId, Transition)>,
}

/// How the loop of a fair run meets each condition of the first alternative that it meets: what becomes of the items of
/// the condition. The one that asks for each single step has no items. Runs without a loop need not meet anything.
pub fn services(
    structure: &Structure,
    fairness: &Fairness,
    rules: &Rules,
    run: &Run,
) -> Vec<(Condition, Vec<(Item, Service)>)> {
    let Some(round) = Round::new(structure, rules, run) else { return Vec::new() };
    let meets = |conditions: &&Vec<Condition>| conditions.iter().all(|condition| round.meets(condition));
    let met = fairness.alternatives.iter().find(meets).into_iter().flatten();
    met.map(|condition| (condition.clone(), round.services(condition))).collect()
}

/// Whether a run meets all conditions of an alternative. Runs that end do.
pub fn is_fair(structure: &Structure, fairness: &Fairness, rules: &Rules, run: &Run) -> bool {
    let Some(round) = Round::new(structure, rules, run) else { return true };
    let meets = |conditions: &Vec<Condition>| conditions.iter().all(|condition| round.meets(condition));
    fairness.alternatives.iter().any(meets)
}

/// Whether a system may have no fair runs that go on from some state.
pub fn may_be_impossible(fairness: &Fairness) -> bool {
    let is_unconditional = |condition: &Condition| condition.strength() == Some(Strength::Unconditional);
    fairness.alternatives.iter().all(|conditions| conditions.iter().any(is_unconditional))
}

impl<'a> Round<'a> {
    fn new(structure: &'a Structure, rules: &'a Rules, run: &Run) -> Option<Round<'a>> {
        let Ending::Loop(start) = run.ending else { return None };
        let places = start..run.steps.len();
        let states = places.clone().map(|place| run.state(place)).collect();
        let steps = places.map(|place| (run.state(place), run.steps[place])).collect();
        Some(Round { structure, rules, start, states, steps })
    }

    fn meets(&self, condition: &Condition) -> bool {
        if *condition == Condition::EachStep {
            return self.takes_all();
        }
        self.items(condition).iter().all(|item| {
            let marked = if let Item::Marked(strength, _) = item { Some(*strength) } else { None };
            let strength = condition.strength().or(marked).expect("items are wanted with some strength");
            match (strength, self.service(item)) {
                (_, Some(Service::Taken(_))) => true,
                (Strength::Unconditional, _) | (_, None) => false,
                (Strength::Weak, Some(_)) => true,
                (Strength::Strong, Some(service)) => service == Service::NeverPossible,
            }
        })
    }

    fn takes_all(&self) -> bool {
        let is_taken = |state: StateId, step: &Transition| self.steps.contains(&(state, *step));
        self.states.iter().all(|&state| self.structure.steps(state).iter().all(|step| is_taken(state, step)))
    }

    fn items(&self, condition: &Condition) -> Vec<Item> {
        match condition {
            Condition::Labels(_, labels) => vec![Item::Labels(labels.clone())],
            Condition::EachLabel(_) => {
                self.labels().into_iter().map(|label| Item::Labels([label].into_iter().collect())).collect()
            }
            Condition::EachProcess(_) => self.processes().into_iter().map(Item::Process).collect(),
            Condition::EachMark => self.marked(),
            Condition::TimePasses => vec![Item::Time],
            Condition::EachStep => Vec::new(),
        }
    }

    fn services(&self, condition: &Condition) -> Vec<(Item, Service)> {
        let served = |item: Item| self.service(&item).map(|service| (item, service));
        self.items(condition).into_iter().filter_map(served).collect()
    }

    /// What becomes of an item; nothing if it is always possible and never taken.
    fn service(&self, item: &Item) -> Option<Service> {
        match item {
            Item::Labels(labels) => {
                let is_meant = |action: &Action| labels.contains(action.label);
                self.treatment(self.rules.view, is_meant, is_meant)
            }
            // A process can move only if it can at once: what others do silently may be what it waits for.
            Item::Process(process) => {
                let is_meant = |action: &Action| action.parts.contains(process);
                self.treatment(View::Step, is_meant, is_meant)
            }
            Item::Time => {
                let is_meant = |action: &Action| action.takes_time;
                self.treatment(View::Step, is_meant, is_meant)
            }
            Item::Marked(strength, label) => {
                let is_meant = |action: &Action| action.label == *label;
                self.treatment(self.rules.view, is_meant, |action| is_meant(action) && action.is_marked(*strength))
            }
        }
    }

    /// What becomes of actions of a kind, if some are possible that ask for it.
    fn treatment(
        &self,
        view: View,
        is_meant: impl Fn(&Action) -> bool,
        asks: impl Fn(&Action) -> bool,
    ) -> Option<Service> {
        let taken = self.steps.iter().position(|(_, step)| is_meant(self.structure.action(step)));
        if let Some(place) = taken {
            return Some(Service::Taken(self.start + place));
        }
        let is_possible = |state: &StateId| self.is_possible(*state, view, &asks);
        let place = self.states.iter().position(|state| !is_possible(state))?;
        let is_ever_possible = self.states.iter().any(is_possible);
        Some(if is_ever_possible { Service::Impossible(self.start + place) } else { Service::NeverPossible })
    }

    /// Whether an action of a kind is possible, in the trace view after silent steps. What is not known counts as
    /// possible.
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

    fn marked(&self) -> Vec<Item> {
        let labels = self.labels().into_iter();
        let is_marked = |strength: Strength, label: Label| {
            self.actions().any(|action| action.label == label && action.is_marked(strength))
        };
        let items = labels.flat_map(|label| Strength::OF_MARKS.map(|strength| (strength, label)));
        let items = items.filter(|&(strength, label)| is_marked(strength, label));
        items.map(|(strength, label)| Item::Marked(strength, label)).collect()
    }

    fn processes(&self) -> Vec<ProcessId> {
        let mut processes: Vec<ProcessId> = self.actions().flat_map(|action| action.parts.iter().copied()).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }
}
