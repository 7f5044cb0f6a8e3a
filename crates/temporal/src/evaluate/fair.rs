//! Fairness of a single run, by the definitions.

use crate::{Action, Condition, Ending, Fairness, Labels, Rules, Run, Strength, Structure, View};
use lts::{Label, StateId, Transition};
use model::network::ProcessId;

/// The item of a fairness condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A step of these labels.
    Labels(Labels),
    /// A step with participation of this process.
    Process(ProcessId),
    /// A step of this label, if steps of it with a mark of this strength are enabled.
    Marked(Strength, Label),
    /// A step that takes time.
    Time,
}

/// The way in which a loop is fair to an item. Numbers are positions of steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Service {
    /// It is taken, first at this step.
    Taken(usize),
    /// It is enabled, and first disabled at this step.
    Impossible(usize),
    /// It is never enabled.
    NeverPossible,
}

/// The loop of a run.
struct Round<'a> {
    structure: &'a Structure,
    rules: &'a Rules,
    /// The position of its start.
    start: usize,
    states: Vec<StateId>,
    steps: Vec<(StateId, Transition)>,
}

/// How the loop of a fair run satisfies each condition of the first alternative that it satisfies, item by item. The
/// condition of fairness to every step has no items. Runs without a loop satisfy every condition.
pub fn services(
    structure: &Structure,
    fairness: &Fairness,
    rules: &Rules,
    run: &Run,
) -> Vec<(Condition, Vec<(Item, Service)>)> {
    let Some(round) = Round::new(structure, rules, run) else { return Vec::new() };
    let satisfies = |conditions: &&Vec<Condition>| conditions.iter().all(|condition| round.satisfies(condition));
    let satisfied = fairness.alternatives.iter().find(satisfies).into_iter().flatten();
    satisfied.map(|condition| (condition.clone(), round.services(condition))).collect()
}

/// Whether a run satisfies all conditions of an alternative. Finite runs do.
pub fn is_fair(structure: &Structure, fairness: &Fairness, rules: &Rules, run: &Run) -> bool {
    let Some(round) = Round::new(structure, rules, run) else { return true };
    let satisfies = |conditions: &Vec<Condition>| conditions.iter().all(|condition| round.satisfies(condition));
    fairness.alternatives.iter().any(satisfies)
}

/// Whether some states of a system may have no fair continuation.
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

    fn satisfies(&self, condition: &Condition) -> bool {
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

    /// How the loop is fair to an item; none if the item is always enabled and never taken.
    fn service(&self, item: &Item) -> Option<Service> {
        match item {
            Item::Labels(labels) => {
                let is_meant = |action: &Action| labels.contains(action.label);
                self.treatment(self.rules.view, is_meant, is_meant)
            }
            // A process must be enabled itself: silent steps of others may be what it waits for.
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

    /// How the loop is fair to actions of a kind, if some that require it are enabled.
    fn treatment(
        &self,
        view: View,
        is_meant: impl Fn(&Action) -> bool,
        activates: impl Fn(&Action) -> bool,
    ) -> Option<Service> {
        let taken = self.steps.iter().position(|(_, step)| is_meant(self.structure.action(step)));
        if let Some(place) = taken {
            return Some(Service::Taken(self.start + place));
        }
        let is_possible = |state: &StateId| self.is_possible(*state, view, &activates);
        let place = self.states.iter().position(|state| !is_possible(state))?;
        let is_ever_possible = self.states.iter().any(is_possible);
        Some(if is_ever_possible { Service::Impossible(self.start + place) } else { Service::NeverPossible })
    }

    /// Whether an action of a kind is enabled, in the trace view after silent steps. Unknown actions count as enabled.
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

    /// The labels of the system except silence.
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
