//! Replay of counterexamples of networks on the interpreter.
//!
//! Neither the search nor the packed representation of states is trusted. A run is repeated by the definition of rules
//! alone. The visited part of the network, its states with all their steps, becomes a small structure, on which the run
//! is validated by the definitions ([`crate::evaluate`]).

use crate::network::true_among;
use crate::{Action, ActionNumber, Ending, Fact, Property, Rules, Run, Structure, View, evaluate};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use limits::effort::products::MAX_SILENT;
use lts::{Builder, Label, StateId, Transition};
use model::data::ExpressionId;
use model::network::{Configuration, Network, NetworkStep, ProcessId};
use model::participants::Participants;
use progress::NoProgress;

/// A run of a network that is claimed to violate a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkRun {
    /// Its first configuration.
    pub start: Configuration,
    /// The steps with their targets.
    pub steps: Vec<(Label, Configuration)>,
    /// The processes that take part in each step, in ascending order; empty if participants are not known.
    pub parts: Vec<Box<[ProcessId]>>,
    /// Its continuation.
    pub ending: Ending,
}

/// Replays a run and validates it. Returns the visited part of the network, and the run there. The participants must be
/// those with which the run was found.
///
/// # Errors
/// The reason why it is no run of the network, or does not violate the property.
pub fn replay(
    (network, participants): (&Network, Option<&Participants>),
    conditions: &[(u32, ExpressionId)],
    property: &Property,
    rules: &Rules,
    run: &NetworkRun,
) -> Result<(Structure, Run), String> {
    let mut excerpt = Excerpt::new(network, participants);
    let mut places = vec![excerpt.number(&run.start)];
    for (_, target) in &run.steps {
        places.push(excerpt.number(target));
    }
    for place in 0..excerpt.configurations.len() {
        excerpt.expand(place);
    }
    if depends_on_silent_steps(property, rules) {
        excerpt.expand_silent_targets();
    }
    let structure = excerpt.finish(conditions);
    let run = find(&structure, run, &places)?;
    evaluate::violates(&structure, property, rules, &run)?;
    Ok((structure, run))
}

/// Whether the targets of silent steps are relevant.
fn depends_on_silent_steps(property: &Property, rules: &Rules) -> bool {
    rules.view == View::Trace && !property.fairness.is_none()
        || property.facts.iter().any(|fact| matches!(fact, Fact::EnablesSilently(_)))
}

/// The run on a structure, by state numbers.
fn find(structure: &Structure, run: &NetworkRun, places: &[StateId]) -> Result<Run, String> {
    let mut found = Vec::new();
    for (((label, _), parts), pair) in run.steps.iter().zip(&run.parts).zip(places.windows(2)) {
        let is_it = |step: &&Transition| {
            let action = structure.action(step);
            action.label == *label && action.parts == *parts && (step.target == pair[1] || action.label == Label::TICK)
        };
        let step = structure.steps(pair[0]).iter().find(is_it);
        found.push(*step.ok_or("its steps are none of the network")?);
    }
    Ok(Run { start: places[0], steps: found, ending: run.ending })
}

/// The visited part of a network.
struct Excerpt<'a> {
    network: &'a Network,
    participants: Option<&'a Participants>,
    configurations: Vec<Configuration>,
    numbers: HashMap<Configuration, StateId>,
    actions: Vec<Action>,
    action_numbers: HashMap<Action, ActionNumber>,
    steps: Vec<Option<Vec<Transition>>>,
}

impl<'a> Excerpt<'a> {
    fn new(network: &'a Network, participants: Option<&'a Participants>) -> Excerpt<'a> {
        Excerpt {
            network,
            participants,
            configurations: Vec::new(),
            numbers: HashMap::new(),
            actions: Vec::new(),
            action_numbers: HashMap::new(),
            steps: Vec::new(),
        }
    }

    fn number(&mut self, configuration: &Configuration) -> StateId {
        let Excerpt { configurations, numbers, steps, .. } = self;
        *numbers.entry_ref(configuration).or_insert_with(|| {
            configurations.push(configuration.clone());
            steps.push(None);
            StateId(configurations.len() as u32 - 1)
        })
    }

    fn action(&mut self, from: &Configuration, step: &NetworkStep) -> ActionNumber {
        let parts = self.participants.map(|participants| participants.of(from.mode, step.rule)).unwrap_or_default();
        let marks = self.participants.map(|participants| participants.marks(from.mode, step.rule)).unwrap_or_default();
        let Excerpt { actions, action_numbers, .. } = self;
        let action = Action { label: step.label, parts: parts.into(), marks, takes_time: false };
        *action_numbers.entry(action).or_insert_with_key(|action| {
            actions.push(action.clone());
            Label(actions.len() as u32 - 1)
        })
    }

    /// Computes the steps of a state.
    fn expand(&mut self, place: usize) {
        let from = self.configurations[place].clone();
        // After termination there are no steps, whatever the configuration.
        let steps = if from.mode.index() < self.network.modes.len() { self.network.steps(&from) } else { Vec::new() };
        let step =
            |step: &NetworkStep| Transition { label: self.action(&from, step), target: self.number(&step.target) };
        self.steps[place] = Some(steps.iter().map(step).collect());
    }

    /// Expands the states reachable by silent steps.
    fn expand_silent_targets(&mut self) {
        let mut place = 0;
        let most = self.steps.iter().flatten().count() + MAX_SILENT;
        while place < most.min(self.steps.len()) {
            let Some(steps) = &self.steps[place] else {
                place += 1;
                continue;
            };
            let silent = steps.iter().filter(|step| self.actions[step.label.index()].label == Label::TAU);
            let next: Vec<usize> = silent.map(|step| step.target.index()).collect();
            let mut waiting: Vec<usize> = next.into_iter().filter(|&target| self.steps[target].is_none()).collect();
            place += 1;
            while let Some(target) = waiting.pop() {
                if self.steps[target].is_none() && self.steps.len() < most {
                    self.expand(target);
                    let steps = self.steps[target].iter().flatten();
                    let silent = steps.filter(|step| self.actions[step.label.index()].label == Label::TAU);
                    waiting.extend(silent.map(|step| step.target.index()));
                }
            }
        }
    }

    fn finish(self, conditions: &[(u32, ExpressionId)]) -> Structure {
        let conditions = true_among(self.network, conditions, self.configurations.iter().cloned(), &NoProgress);
        let conditions = conditions.expect("it is never cancelled");
        let mut builder = Builder::new();
        let mut open = FixedBitSet::with_capacity(self.steps.len() + 1);
        for (number, steps) in self.steps.iter().enumerate() {
            let state = StateId(number as u32);
            builder.add_state(state);
            open.set(number, steps.is_none());
            for step in steps.iter().flatten() {
                builder.add(state, step.label, step.target);
            }
        }
        Structure::new(&builder.finish(StateId(0)), self.actions, open).with_conditions(conditions)
    }
}
