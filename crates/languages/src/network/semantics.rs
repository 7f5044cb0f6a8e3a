//! The meaning of networks: configurations, and the steps that the interpreter of networks finds.

use super::formula::{NetworkMeaning, NetworkVocabulary};
use super::script::NetworkScript;
use super::show::{cells, configuration_text, machine_name};
use frontend::formula::{self, Occurring, Question};
use frontend::{
    ActiveDomains, Asserted, Cell, Compile, Component, Data, Failure, Families, Formulas, Lift, Lifted, Lowered,
    LoweredId, LoweringLimits, Narrate, Participant, Participation, Semantics, State, Step, Timed, step_error,
};
use hashbrown::HashMap;
use lts::{Label, Model, NoRun, Observation, Preserves};
use model::EventTable;
use model::network::{Action, Configuration, FailedStep, MachineId, Network, NetworkStep};
use model::participants::Participants;
use network_text::{NamedNetwork, Property};
use progress::Progress;
use source::{Diagnostic, Span};
use std::sync::Arc;

/// The meaning of a file.
pub(super) struct NetworkSemantics<'a> {
    script: &'a NetworkScript,
    networks: Vec<Arc<Network>>,
    /// Which network, and where it is.
    states: Vec<(usize, Configuration)>,
    numbers: HashMap<(usize, Configuration), State>,
}

impl<'a> NetworkSemantics<'a> {
    pub(super) fn new(script: &'a NetworkScript) -> NetworkSemantics<'a> {
        let networks = script.document.networks.iter().map(|named| Arc::new(named.network.clone())).collect();
        NetworkSemantics { script, networks, states: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, network: usize, configuration: Configuration) -> State {
        let key = (network, configuration);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let state = State(self.states.len() as u32);
        self.states.push(key.clone());
        self.numbers.insert(key, state);
        state
    }

    fn initial(&mut self, network: usize) -> State {
        let initial = self.networks[network].initial.clone();
        self.number(network, initial)
    }

    fn named(&self, state: State) -> &'a NamedNetwork {
        &self.script.document.networks[self.states[state.0 as usize].0]
    }

    fn configuration(&self, state: State) -> &Configuration {
        &self.states[state.0 as usize].1
    }

    /// A step of a state as the interpreter found it.
    fn step(&self, state: State, step: usize) -> Option<NetworkStep> {
        let (network, configuration) = &self.states[state.0 as usize];
        self.networks[*network].steps(configuration).into_iter().nth(step)
    }

    fn component(&self, network: usize, machine: MachineId) -> Component {
        let named = &self.script.document.networks[network];
        let place = self.script.machine_places(network).get(machine.index()).copied();
        Component { path: vec![machine.0], name: machine_name(named, machine), place, state: None }
    }

    /// The label of an action: that of an event, or that of the rule.
    fn label_of(&self, action: Action, shown: Label) -> Label {
        let n_labels = self.script.document.events.len() as u32 + 2;
        if action.0 < n_labels { Label(action.0) } else { shown }
    }

    fn question(&mut self, formula_span: Span) -> Result<Question, Failure> {
        let read = self.script.formulas.iter().find(|read| read.span == formula_span);
        let read = read.expect("all formulas of a file were read");
        let mut meaning = NetworkMeaning { events: &self.script.document.events };
        let question = read.question(&self.script.diagnostics, &mut meaning);
        question.map_err(|mut problems| Failure::Error(Box::new(problems.swap_remove(0))))
    }
}

impl Semantics for NetworkSemantics<'_> {
    fn events(&self) -> &EventTable {
        &self.script.document.events
    }

    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure> {
        let script = self.script;
        let usual = Model::FailuresDivergences;
        Ok(match &script.document.assertions[index - 1].property {
            Property::Refinement { specification, model, implementation } => Asserted::Refines {
                specification: self.initial(*specification),
                implementation: self.initial(*implementation),
                model: *model,
            },
            Property::DeadlockFree(network, model) => {
                Asserted::DeadlockFree(self.initial(*network), model.unwrap_or(usual))
            }
            Property::DivergenceFree(network, _) => Asserted::DivergenceFree(self.initial(*network)),
            Property::Deterministic(network, model) => {
                Asserted::Deterministic(self.initial(*network), model.unwrap_or(usual))
            }
            Property::HasTrace { network, model, trace } => {
                let labels = trace.iter().map(|event| event.label()).collect();
                Asserted::HasTrace(self.initial(*network), labels, model.unwrap_or(Model::Traces))
            }
            Property::Temporal { network, formula_span, .. } => {
                let question = self.question(*formula_span)?;
                Asserted::Satisfies(self.initial(*network), Box::new(question))
            }
        })
    }

    fn asserted_process(&mut self, index: usize) -> Result<State, Failure> {
        let network = match &self.script.document.assertions[index - 1].property {
            Property::Refinement { implementation: network, .. }
            | Property::DeadlockFree(network, _)
            | Property::DivergenceFree(network, _)
            | Property::Deterministic(network, _)
            | Property::HasTrace { network, .. }
            | Property::Temporal { network, .. } => *network,
        };
        Ok(self.initial(network))
    }

    fn added_process(&mut self) -> Result<State, Failure> {
        let network = self.script.added.expect("the file was opened with a network");
        Ok(self.initial(network))
    }

    fn steps(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        let network = self.states[state.0 as usize].0;
        let system = self.networks[network].clone();
        let configuration = self.configuration(state).clone();
        if let Some(failed) = system.failures(&configuration).first() {
            return Err(Failure::Error(Box::new(step_error(&system.data, failed))));
        }
        for step in system.steps(&configuration) {
            let target = self.number(network, step.target);
            steps.push(Step { label: step.label, target });
        }
        Ok(())
    }
}

impl Timed for NetworkSemantics<'_> {}
impl Families for NetworkSemantics<'_> {}
impl ActiveDomains for NetworkSemantics<'_> {}

impl Compile for NetworkSemantics<'_> {
    fn network(
        &mut self,
        process: State,
        preserves: Preserves,
        _limits: &LoweringLimits,
        _progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        let (number, configuration) = &self.states[process.0 as usize];
        let mut network = self.networks[*number].clone();
        if network.initial != *configuration {
            Arc::make_mut(&mut network).initial = configuration.clone();
        }
        Ok(Some(Lowered {
            id: LoweredId(*number as u32),
            is_compressed: false,
            has_given_up: false,
            open: Arc::default(),
            // Who takes part makes steps different that are otherwise the same.
            participants: (preserves == Preserves::Processes).then(|| Arc::new(Participants::of_machines(&network))),
            processes: (0..network.machines.len() as u32).map(|machine| vec![machine]).collect(),
            conditions: Arc::default(),
            network,
        }))
    }
}

impl Lift for NetworkSemantics<'_> {
    fn lift(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        end: Observation,
        _max_states: u64,
        _progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        let states = steps.iter().map(|(_, configuration)| self.number(lowered.0 as usize, configuration.clone()));
        let states = states.collect();
        let loop_start = match end {
            Observation::Divergence(start) => Some(start),
            Observation::Trace | Observation::Refusal => None,
        };
        Ok(Some(Lifted { labels: steps.iter().map(|(label, _)| *label).collect(), loop_start, states }))
    }

    fn has_configurations(&self) -> bool {
        true
    }

    fn state_of(&mut self, lowered: LoweredId, configuration: &Configuration) -> Option<State> {
        Some(self.number(lowered.0 as usize, configuration.clone()))
    }

    fn failed_step(
        &mut self,
        lowered: LoweredId,
        _at: Option<&Configuration>,
        failed: &FailedStep,
    ) -> Option<Box<Diagnostic>> {
        Some(Box::new(step_error(&self.networks[lowered.0 as usize].data, failed)))
    }

    fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component> {
        Some(self.component(lowered.0 as usize, machine))
    }

    fn action_label(&mut self, _lowered: LoweredId, action: Action) -> Label {
        self.label_of(action, Label::TAU)
    }
}

impl Narrate for NetworkSemantics<'_> {
    fn text(&mut self, state: State, longest: usize) -> String {
        let text = configuration_text(self.named(state), self.configuration(state));
        match text.char_indices().nth(longest) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    fn components(&mut self, state: State, most: usize) -> Vec<Component> {
        let network = self.states[state.0 as usize].0;
        let n_machines = self.networks[network].machines.len().min(most) as u32;
        (0..n_machines).map(|machine| self.component(network, MachineId(machine))).collect()
    }

    fn component_at(&mut self, state: State, path: &[u32]) -> Option<Component> {
        let network = self.states[state.0 as usize].0;
        let &[machine] = path else { return None };
        ((machine as usize) < self.networks[network].machines.len())
            .then(|| self.component(network, MachineId(machine)))
    }

    fn participants(&mut self, state: State, step: usize, most: usize) -> Vec<Participant> {
        let Some(step) = self.step(state, step) else { return Vec::new() };
        let (network, configuration) = &self.states[state.0 as usize];
        let rule = &self.networks[*network].modes[configuration.mode.index()].rules[step.rule.index()];
        let participant = |&(machine, action): &(MachineId, Action)| Participant {
            path: vec![machine.0],
            label: self.label_of(action, rule.shows),
            process: None,
            place: None,
            written: Vec::new(),
        };
        let mut participants: Vec<Participant> = rule.parts.iter().map(participant).collect();
        participants.sort_by(|left, right| left.path.cmp(&right.path));
        participants.truncate(most);
        participants
    }
}

impl Participation for NetworkSemantics<'_> {
    fn takers(&mut self, state: State, step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        let participants = self.participants(state, step, usize::MAX);
        Ok(participants.into_iter().map(|participant| participant.path).collect())
    }
}

impl Data for NetworkSemantics<'_> {
    fn variables(&mut self, state: State) -> Vec<Cell> {
        cells(&self.named(state).network.data, self.configuration(state))
    }
}

impl Formulas for NetworkSemantics<'_> {
    fn lower_formula(
        &mut self,
        question: &Question,
        occurring: &Occurring,
        _states: &[State],
    ) -> formula::Answer<formula::Lowered> {
        question.lower(&mut NetworkVocabulary::new(&self.script.document.events, occurring))
    }

    fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String> {
        question.absent(&mut NetworkVocabulary::new(&self.script.document.events, occurring))
    }
}
