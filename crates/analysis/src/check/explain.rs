//! A counterexample in the words of the script: who did what, where it is defined, and what is wrong.

use super::checker::Checker;
use super::judge::Seen;
use super::{Component, Counterexample, Fault, Part, Replay, Step};
use crate::label::{event_of, label_text};
use check::Fault as Found;
use frontend::{Lowered, Run, State};
use lts::Label;
use model::network::{Configuration, MachineId, RuleId};
use std::collections::HashMap;

/// Components that are told by name.
const MAX_COMPONENTS: usize = 1000;

/// The components met so far.
#[derive(Default)]
struct Components {
    told: Vec<Component>,
    by_path: HashMap<Vec<u32>, usize>,
}

impl Components {
    fn add(&mut self, found: frontend::Component) -> usize {
        self.told.push(Component { name: found.name, place: found.place, wants: Vec::new() });
        self.by_path.insert(found.path, self.told.len() - 1);
        self.told.len() - 1
    }
}

impl Checker<'_> {
    /// Tells a run of a process.
    pub(super) fn tell_run(&mut self, run: &Run, labels: &[Label], fault: &Found) -> Counterexample {
        let mut components = Components::default();
        for component in self.semantics.components(run.start, MAX_COMPONENTS) {
            components.add(component);
        }
        let mut steps = Vec::new();
        for (place, &label) in labels.iter().enumerate() {
            let (before, (index, _)) = (run.state(place), run.steps[place]);
            let mut parts = Vec::new();
            for participant in self.semantics.participants(before, index) {
                let component = match components.by_path.get(&participant.path) {
                    Some(&known) => known,
                    None => self.add_late(&mut components, before, participant.path),
                };
                let event = self.label_text(participant.label);
                parts.push(Part { component, event, process: participant.process, place: participant.place });
            }
            steps.push(self.step(label, parts));
        }
        if matches!(fault, Found::Deadlock | Found::Refusal { .. } | Found::Revival { .. } | Found::Nondeterminism(..))
        {
            self.add_wants(&mut components, run.end());
        }
        Counterexample { replayed: Replay::Terms, components: components.told, steps, fault: self.fault_text(fault) }
    }

    /// Adds what was seen to be offered before the steps of a run.
    pub(super) fn with_offers(&self, mut told: Counterexample, seen: &Seen) -> Counterexample {
        for (step, offered) in told.steps.iter_mut().zip(seen) {
            let names = |labels: &Vec<Label>| labels.iter().map(|&label| self.label_text(label)).collect();
            step.offered = offered.as_ref().map(names);
        }
        told
    }

    /// What each component could do by itself.
    fn add_wants(&mut self, components: &mut Components, end: State) {
        for component in self.semantics.components(end, MAX_COMPONENTS) {
            let Some(&number) = components.by_path.get(&component.path) else { continue };
            let labels = component.state.and_then(|state| self.offered(state).ok()).unwrap_or_default();
            components.told[number].wants = labels.into_iter().map(|label| self.label_text(label)).collect();
        }
    }

    /// A component that was not there at the start.
    fn add_late(&mut self, components: &mut Components, whole: State, path: Vec<u32>) -> usize {
        let all = self.semantics.components(whole, MAX_COMPONENTS);
        let found = all.into_iter().find(|component| component.path == path);
        let unnamed = frontend::Component { path, name: "a process".to_owned(), place: None, state: None };
        components.add(found.unwrap_or(unnamed))
    }

    /// Tells a run of a network whose machines stand for no single states.
    pub(super) fn tell_network(
        &mut self,
        lowered: &Lowered,
        start: &Configuration,
        path: &[(Label, Configuration)],
        rules: &[RuleId],
        fault: &Found,
    ) -> Counterexample {
        let mut components: Vec<Component> = Vec::new();
        let mut numbers: HashMap<MachineId, Option<usize>> = HashMap::new();
        let mut steps = Vec::new();
        let mut before = start;
        for (place, (label, after)) in path.iter().enumerate() {
            let mut parts = Vec::new();
            let rule = rules.get(place).copied().or_else(|| rule_of(lowered, before, *label, after));
            for (machine, event) in self.movers(lowered, before, rule) {
                let known = *numbers.entry(machine).or_insert_with(|| {
                    let found = self.semantics.machine(lowered.id, machine)?;
                    components.push(Component { name: found.name, place: found.place, wants: Vec::new() });
                    Some(components.len() - 1)
                });
                if let Some(component) = known {
                    parts.push(Part { component, event: self.label_text(event), process: None, place: None });
                }
            }
            steps.push(self.step(*label, parts));
            before = after;
        }
        Counterexample { replayed: Replay::Network, components, steps, fault: self.fault_text(fault) }
    }

    /// The machines that take part in a rule, each with what it does.
    fn movers(&mut self, lowered: &Lowered, before: &Configuration, rule: Option<RuleId>) -> Vec<(MachineId, Label)> {
        let rules = &lowered.network.modes[before.mode.index()].rules;
        let parts = rule.map_or(&[][..], |rule| &rules[rule.index()].parts);
        parts.iter().map(|&(machine, action)| (machine, self.semantics.action_label(lowered.id, action))).collect()
    }

    fn step(&self, label: Label, parts: Vec<Part>) -> Step {
        Step {
            event: self.label_text(label),
            event_id: event_of(label),
            is_visible: label != Label::TAU,
            parts,
            offered: None,
        }
    }

    fn fault_text(&self, fault: &Found) -> Fault {
        tell_fault(fault, |label| self.label_text(label))
    }

    pub(super) fn label_text(&self, label: Label) -> String {
        label_text(self.semantics.events(), label)
    }
}

/// A rule by which a network takes a step.
fn rule_of(lowered: &Lowered, before: &Configuration, label: Label, after: &Configuration) -> Option<RuleId> {
    let steps = lowered.network.steps(before);
    steps.iter().find(|step| step.label == label && step.target == *after).map(|step| step.rule)
}

/// What is wrong, with names for labels.
pub(super) fn tell_fault(fault: &Found, name: impl Fn(Label) -> String) -> Fault {
    let all = |labels: &[Label]| labels.iter().map(|&label| name(label)).collect::<Vec<_>>();
    match fault {
        Found::Event(allowed) => Fault::Event(all(allowed)),
        Found::Refusal { accepted, demanded } => {
            Fault::Refusal(all(accepted), demanded.iter().map(|set| all(set)).collect())
        }
        Found::Revival { event, accepted, demanded } => {
            Fault::Revival(name(*event), all(accepted), demanded.iter().map(|set| all(set)).collect())
        }
        Found::Deadlock => Fault::Deadlock,
        Found::Divergence(start) => Fault::Divergence(*start),
        Found::Missing { event, possible } => Fault::Missing(name(*event), all(possible)),
        Found::Nondeterminism(event, accepted) => Fault::Nondeterminism(name(*event), all(accepted)),
        Found::Failure(_) => unreachable!("told as an error of the script"),
    }
}
