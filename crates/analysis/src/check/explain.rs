//! Counterexamples in the words of the script: components, their steps with source locations, and the violation.

use super::checker::{Checker, Prepared};
use super::failed::Failed;
use super::judge::{Fault as Found, Seen};
use super::reach::ambiguous;
use super::replay::{Replayed, ReplayedRun, Shown};
use super::report::{Family, Finding};
use super::{Component, Counterexample, Events, Fault, Part, Replay, Step};
use crate::Session;
use crate::label::label_text;
use frontend::{Asserted, Goal, Lowered, Run, State};
use limits::display::components::MAX_COMPONENTS;
use lts::{Label, Words};
use model::EventId;
use model::network::{Configuration, MachineId, NetworkStep, RuleId};
use source::Span;
use std::collections::HashMap;

/// The components of a run.
#[derive(Default)]
struct Components {
    told: Vec<Component>,
    by_path: HashMap<Vec<u32>, usize>,
}

impl Component {
    fn new(found: frontend::Component) -> Component {
        Component { name: found.name, place: found.place, wants: Events::default(), waits_for: Vec::new() }
    }
}

impl Components {
    fn add(&mut self, found: frontend::Component) -> usize {
        self.by_path.insert(found.path.clone(), self.told.len());
        self.told.push(Component::new(found));
        self.told.len() - 1
    }
}

/// Source locations of components.
struct Places {
    /// Offsets at which definitions begin, in source order.
    definitions: Vec<u32>,
    /// The definition that each component is in, if it is known.
    inside: Vec<Option<Span>>,
}

impl Places {
    fn new(session: &Session, components: &Components) -> Places {
        let mut definitions: Vec<u32> = session.symbols().iter().map(|symbol| symbol.span.start).collect();
        definitions.sort_unstable();
        Places { definitions, inside: components.told.iter().map(|component| component.place).collect() }
    }

    /// Of several locations of an event, the one in the definition that the component has entered. None if it is
    /// ambiguous.
    fn taken(&mut self, component: usize, entered: Option<Span>, written: &[Span]) -> Option<Span> {
        if self.inside.len() <= component {
            self.inside.resize(component + 1, None);
        }
        let inside = entered.or(self.inside[component]);
        self.inside[component] = inside;
        if let [only] = written {
            return Some(*only);
        }
        let start = inside?.start;
        let end = self.definitions.iter().copied().find(|&next| next > start).unwrap_or(u32::MAX);
        let mut near = written.iter().filter(|span| (start..end).contains(&span.start));
        near.next().filter(|_| near.next().is_none()).copied()
    }
}

impl Checker<'_> {
    /// Reports a replayed counterexample.
    ///
    /// # Errors
    /// When a limit is reached before all of it is described.
    pub(super) fn report(
        &mut self,
        prepared: &Prepared,
        families: Vec<Family>,
        replayed: Replayed,
    ) -> Result<Counterexample, Failed> {
        let mut reported = self.report_run(&replayed.run, &replayed.fault)?;
        match replayed.shows {
            Shown::Claim(asserted, seen) => {
                reported = self.with_allowed(reported, &asserted, &replayed.run.labels());
                reported = self.with_offers(reported, &seen);
            }
            Shown::Goal(goal, optimum) => self.report_goal(&mut reported, &replayed.run, goal, optimum)?,
            Shown::Finding(finding) => reported.fault = Fault::Failure(finding),
            Shown::Fault => {}
        }
        if let Asserted::Linearizable { specification, .. } = prepared.asserted
            && let Fault::Event(allowed) = &reported.fault
        {
            let history = self.history(prepared.index, specification, &reported.steps, allowed.clone());
            reported.fault = Fault::Failure(Finding::History(Box::new(history)));
        }
        Ok(Counterexample { families, ..reported })
    }

    /// Reports the steps of a replayed run, and the violation at its end.
    ///
    /// # Errors
    /// When a limit is reached before all of it is described.
    pub(super) fn report_run(&mut self, run: &ReplayedRun, fault: &Found) -> Result<Counterexample, Failed> {
        match run {
            ReplayedRun::Process(run, labels) => self.report_process_run(run, labels, fault),
            ReplayedRun::Timed(run, labels, delays) => {
                let mut reported = self.report_process_run(run, labels, fault)?;
                reported.steps.iter_mut().zip(delays).for_each(|(step, &delay)| step.delay = Some(delay));
                Ok(reported)
            }
            ReplayedRun::Network(lowered, steps) => Ok(self.report_network_run(lowered, steps, fault)),
        }
    }

    /// Reports the state with the goal at the end of a run.
    fn report_goal(
        &mut self,
        reported: &mut Counterexample,
        run: &ReplayedRun,
        goal: Goal,
        optimum: Option<i64>,
    ) -> Result<(), Failed> {
        let ReplayedRun::Process(run, _) = run else { return Err(Failed::not_replayed("it has no states")) };
        let mut steps = Vec::new();
        self.semantics.steps(run.end(), &mut steps)?;
        reported.fault = match goal {
            Goal::Deadlock => Fault::Deadlock,
            Goal::End if steps.is_empty() => Fault::Deadlock,
            Goal::Ambiguity => {
                let label = ambiguous(&mut *self.semantics, run.end(), &steps);
                let label = label.ok_or_else(|| Failed::not_replayed("its end is not as it was said"))?;
                Fault::Failure(Finding::Ambiguity(self.label_text(label)))
            }
            Goal::End | Goal::Proposition(_) | Goal::Optimum { .. } => {
                let cells = self.semantics.variables(run.end());
                let variables = cells.into_iter().map(|cell| (cell.name, cell.value)).collect();
                Fault::Failure(Finding::State { variables, optimum })
            }
        };
        Ok(())
    }

    fn report_process_run(&mut self, run: &Run, labels: &[Label], fault: &Found) -> Result<Counterexample, Failed> {
        let mut components = Components::default();
        for component in self.semantics.components(run.start, MAX_COMPONENTS) {
            components.add(component);
        }
        let mut places = Places::new(self.session, &components);
        let mut steps = Vec::new();
        for (place, &label) in labels.iter().enumerate() {
            self.poll_at(place)?;
            let (before, (index, _)) = (run.state(place), run.steps[place]);
            let mut parts = Vec::new();
            for participant in self.semantics.participants(before, index, MAX_COMPONENTS) {
                let component = match components.by_path.get(&participant.path) {
                    Some(&known) => known,
                    None => self.add_late(&mut components, before, participant.path),
                };
                let event = self.label_text(participant.label);
                let taken = places.taken(component, participant.place, &participant.written);
                let (process, place) = (participant.process, participant.place);
                parts.push(Part { component, event, process, place, taken });
            }
            let is_followed = label == Label::TAU && self.semantics.is_followed(before, index);
            steps.push(Step { is_followed, ..self.step(label, parts) });
        }
        if matches!(fault, Found::Deadlock | Found::Refusal { .. } | Found::Revival { .. } | Found::Nondeterminism(..))
        {
            self.add_wants(&mut components, run.end());
        }
        let repeated = match fault {
            Found::Divergence(start) => Some(*start),
            _ => None,
        };
        let time = self.time_at_end(run, repeated);
        if self.semantics.is_timed() {
            let delays = self.delays(run, repeated);
            steps.iter_mut().zip(delays).for_each(|(step, delay)| step.delay = Some(delay));
        }
        let replayed = if self.semantics.has_configurations() { Replay::Network } else { Replay::Terms };
        Ok(Counterexample {
            replayed,
            components: components.told,
            steps,
            fault: self.fault_text(fault),
            allowed: Vec::new(),
            families: Vec::new(),
            time,
        })
    }

    /// Adds the offers that were observed before the steps of a run.
    fn with_offers(&mut self, mut told: Counterexample, seen: &Seen) -> Counterexample {
        for (step, offered) in told.steps.iter_mut().zip(seen) {
            step.offered = offered.as_ref().map(|labels| self.events_text(labels));
        }
        told
    }

    /// Adds the events that each component could do by itself, and the components that it waits for.
    fn add_wants(&mut self, components: &mut Components, end: State) {
        for component in self.semantics.components(end, MAX_COMPONENTS) {
            let Some(&number) = components.by_path.get(&component.path) else { continue };
            let labels = component.state.and_then(|state| self.offered(state).ok()).unwrap_or_default();
            components.told[number].wants = self.events_text(&labels);
        }
        for waiting in self.semantics.waiting(end) {
            let Some(&number) = components.by_path.get(&waiting.path) else { continue };
            let others = waiting.others.iter().filter_map(|path| components.by_path.get(path).copied());
            let waits_for = &mut components.told[number].waits_for;
            waits_for.extend(others);
            waits_for.sort_unstable();
            waits_for.dedup();
        }
    }

    /// Adds a component that did not exist at the start of the run.
    fn add_late(&mut self, components: &mut Components, whole: State, path: Vec<u32>) -> usize {
        let all = self.semantics.components(whole, MAX_COMPONENTS);
        let found = all.into_iter().find(|component| component.path == path);
        let unnamed = frontend::Component { path, name: "a process".to_owned(), place: None, state: None };
        components.add(found.unwrap_or(unnamed))
    }

    /// Reports a run of a network whose machines stand for compressed processes.
    fn report_network_run(&mut self, lowered: &Lowered, run: &[NetworkStep], fault: &Found) -> Counterexample {
        let mut components: Vec<Component> = Vec::new();
        let mut numbers: HashMap<MachineId, Option<usize>> = HashMap::new();
        let mut steps = Vec::new();
        let mut before = &lowered.network.initial;
        for NetworkStep { rule, label, target: after } in run {
            let mut parts = Vec::new();
            for (machine, event) in self.movers(lowered, before, *rule) {
                let known = *numbers.entry(machine).or_insert_with(|| {
                    let found = self.semantics.machine(lowered.id, machine)?;
                    components.push(Component::new(found));
                    Some(components.len() - 1)
                });
                if let Some(component) = known {
                    let event = self.label_text(event);
                    parts.push(Part { component, event, process: None, place: None, taken: None });
                }
            }
            steps.push(self.step(*label, parts));
            before = after;
        }
        let fault = self.fault_text(fault);
        Counterexample {
            replayed: Replay::Network,
            components,
            steps,
            fault,
            allowed: Vec::new(),
            families: Vec::new(),
            time: None,
        }
    }

    /// The machines that take part in a rule, each with its own event.
    fn movers(&mut self, lowered: &Lowered, before: &Configuration, rule: RuleId) -> Vec<(MachineId, Label)> {
        let rules = &lowered.network.modes[before.mode.index()].rules;
        rules[rule.index()]
            .parts
            .iter()
            .map(|&(machine, action)| (machine, self.semantics.action_label(lowered.id, action)))
            .collect()
    }

    fn step(&self, label: Label, parts: Vec<Part>) -> Step {
        Step {
            event: self.label_text(label),
            event_id: EventId::of(label),
            is_visible: label != Label::TAU,
            is_followed: false,
            parts,
            offered: None,
            delay: None,
        }
    }

    fn fault_text(&mut self, fault: &Found) -> Fault {
        tell_fault(fault, self)
    }

    pub(super) fn events_text(&mut self, labels: &[Label]) -> Events {
        let all: Vec<String> = labels.iter().map(|&label| self.label_text(label)).collect();
        let folded = self.semantics.fold_events(labels).unwrap_or_else(|| all.clone());
        Events { all, folded }
    }

    pub(super) fn label_text(&self, label: Label) -> String {
        label_text(self.semantics.events(), label)
    }
}

impl Words for Checker<'_> {
    type Event = String;
    type Events = Events;

    fn event(&mut self, label: Label) -> String {
        self.label_text(label)
    }

    fn events(&mut self, labels: &[Label]) -> Events {
        self.events_text(labels)
    }
}

/// The violation, with names for labels.
pub(super) fn tell_fault(fault: &Found, words: &mut impl Words<Event = String, Events = Events>) -> Fault {
    fault.told(words, |_| unreachable!("told as an error of the script"))
}
