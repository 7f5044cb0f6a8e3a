//! Networks as action systems.

use crate::{Action, ActionNumber, ActionSystem, Structure};
use explore::{GraphStates, Growing, Limits, NotExplicit, Reduction, TooWide};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use limits::intervals::polling::STATES_PER_POLL;
use limits::intervals::slices::EVALUATED_SHARED;
use lts::walk::{Part, System, Unknown, part_of};
use lts::{Label, StateId, Transition, Watch};
use model::data::ExpressionId;
use model::network::{Configuration, Jump, LocalState, MachineId, Mode, ModeId, Network, Priority, RuleId};
use model::participants::Participants;
use progress::{Interrupt, NoProgress, Progress};
use std::ops::ControlFlow;

/// A network whose labels are numbers of actions, and in which all termination leads to one configuration.
pub struct ActionNetwork {
    network: Network,
    actions: Vec<Action>,
    conditions: Conditions,
}

/// Conditions on the variables of a network, by number. They have a truth value in each state.
pub type Conditions = Vec<(u32, ExpressionId)>;

/// Computes the states, from an enumeration, in which conditions are true.
///
/// # Errors
/// If it is cancelled.
pub(crate) fn true_among(
    network: &Network,
    conditions: &[(u32, ExpressionId)],
    states: impl Iterator<Item = Configuration>,
    progress: &dyn Progress,
) -> Result<Vec<(u32, FixedBitSet)>, Interrupt> {
    let mut among: Vec<_> = conditions.iter().map(|&(number, _)| (number, FixedBitSet::new())).collect();
    if conditions.is_empty() {
        return Ok(among);
    }
    for (state, configuration) in states.enumerate() {
        if state.is_multiple_of(STATES_PER_POLL)
            && let ControlFlow::Break(why) = progress.poll()
        {
            return Err(why);
        }
        for (&(_, condition), (_, among)) in conditions.iter().zip(&mut among) {
            if network.data.evaluate(condition, &configuration.data) == Ok(1) {
                among.grow_and_insert(state);
            }
        }
    }
    Ok(among)
}

impl ActionNetwork {
    /// The action network of a network. Participants are optional, because they distinguish steps that are otherwise
    /// equal.
    pub fn new(network: &Network, participants: Option<&Participants>) -> ActionNetwork {
        let mut numbering = Numbering::default();
        let mut network = network.clone();
        let end = ModeId(network.modes.len() as u32);
        let all_rest: Box<[_]> =
            (0..network.machines.len() as u32).map(|machine| (MachineId(machine), LocalState(0))).collect();
        // Final values of variables are irrelevant.
        let clearing = network.data.clearing();
        for (mode, Mode { rules }) in network.modes.iter_mut().enumerate() {
            for (number, rule) in rules.iter_mut().enumerate() {
                let (mode, number) = (ModeId(mode as u32), RuleId(number as u32));
                let taking_part = participants.map(|participants| participants.of(mode, number));
                let marks = participants.map(|participants| participants.marks(mode, number));
                if rule.shows == Label::TICK {
                    rule.jump = Some(Jump { mode: end, resets: all_rest.clone() });
                    if !clearing.is_empty() {
                        let command = rule.command.get_or_insert_default();
                        command.statements = command.statements.iter().chain(&clearing).cloned().collect();
                    }
                }
                let (parts, marks) = (taking_part.unwrap_or_default().into(), marks.unwrap_or_default());
                rule.shows = numbering.number(Action { label: rule.shows, parts, marks, takes_time: false });
            }
        }
        network.modes.push(Mode::default());
        let actions = numbering.actions;
        network.priority = network.priority.map(|priority| spread(&priority, &actions));
        ActionNetwork { network, actions, conditions: Vec::new() }
    }

    /// The network with conditions on variables for properties.
    #[must_use]
    pub fn with_conditions(self, conditions: Conditions) -> ActionNetwork {
        ActionNetwork { conditions, ..self }
    }

    /// The conditions on variables for properties.
    pub fn conditions(&self) -> &[(u32, ExpressionId)] {
        &self.conditions
    }

    /// The network with actions for labels.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// All actions.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The network as a system explored on the fly, with a bound of its states.
    pub fn growing(&self, reduction: Reduction, max_states: usize) -> Result<GrowingSystem<'_>, TooWide> {
        Growing::new(&self.network, reduction).map(|growing| self.grown(growing, max_states))
    }

    /// [`ActionNetwork::growing`] with cancellation.
    ///
    /// # Errors
    /// If its states are too wide, or it is cancelled.
    pub fn growing_within(
        &self,
        reduction: Reduction,
        max_states: usize,
        progress: &dyn Progress,
    ) -> Result<GrowingSystem<'_>, NotExplicit> {
        Growing::within(&self.network, reduction, progress).map(|growing| self.grown(growing, max_states))
    }

    fn grown<'a>(&'a self, growing: Growing<'a>, max_states: usize) -> GrowingSystem<'a> {
        let can_end = self.actions.iter().any(|action| action.label == Label::TICK);
        GrowingSystem { growing, network: self, actions: &self.actions, can_end, terminated: None, max_states }
    }

    /// Explores all states.
    pub fn explore(
        &self,
        reduction: Reduction,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Explored<'_>, NotExplicit> {
        let (lts, states) = explore::to_graph(&self.network, reduction, limits, progress)?;
        let n_workers = if lts.n_states() < EVALUATED_SHARED { 1 } else { limits.n_workers };
        let visited = lts.states().map(|state| states.configuration(state));
        let conditions = true_among(&self.network, &self.conditions, visited, progress);
        let conditions = conditions.map_err(|why| NotExplicit::Stopped(why.into()))?;
        let structure = Structure::with_one_end(lts, self.actions.clone(), FixedBitSet::new());
        let structure = structure.with_conditions(conditions);
        Ok(Explored { structure: structure.with_workers(n_workers), states })
    }
}

/// The priority classes of actions: those of their labels.
fn spread(priority: &Priority, actions: &[Action]) -> Priority {
    priority.relabeled(actions.iter().map(|action| action.label))
}

#[derive(Default)]
struct Numbering {
    actions: Vec<Action>,
    numbers: HashMap<Action, ActionNumber>,
}

impl Numbering {
    fn number(&mut self, action: Action) -> ActionNumber {
        let Numbering { actions, numbers } = self;
        *numbers.entry(action).or_insert_with_key(|action| {
            actions.push(action.clone());
            Label(actions.len() as u32 - 1)
        })
    }
}

/// A completely explored network.
pub struct Explored<'a> {
    /// Its states.
    pub structure: Structure,
    states: GraphStates<'a>,
}

impl Explored<'_> {
    /// The configuration of a state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.states.configuration(state)
    }
}

/// A network explored on the fly.
pub struct GrowingSystem<'a> {
    growing: Growing<'a>,
    network: &'a ActionNetwork,
    actions: &'a [Action],
    can_end: bool,
    terminated: Option<StateId>,
    max_states: usize,
}

impl GrowingSystem<'_> {
    /// The configuration of a discovered state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.growing.configuration(state)
    }

    /// The number of discovered states.
    pub fn n_states(&self) -> usize {
        self.growing.n_states()
    }

    /// Changes the bound of the number of states.
    pub fn set_max_states(&mut self, max_states: usize) {
        self.max_states = max_states;
    }

    /// The structure of the states of least depth, as many as are allowed. Their unexplored successors are open.
    pub fn beginning(&mut self) -> Structure {
        let part = part_of(self, usize::MAX, |Unknown| true, &mut Watch::none());
        let Part { lts, open } = part.expect("nothing ends the exploration");
        let visited = lts.states().map(|state| self.configuration(state));
        let conditions = true_among(&self.network.network, &self.network.conditions, visited, &NoProgress);
        let conditions = conditions.expect("it is never cancelled");
        let structure = Structure::with_one_end(lts, self.actions.to_vec(), open);
        structure.with_conditions(conditions)
    }
}

impl System for GrowingSystem<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = Unknown;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], Unknown> {
        if self.growing.n_states() > self.max_states {
            return self.growing.known_steps(state).ok_or(Unknown);
        }
        let actions = self.actions;
        let steps = self.growing.steps(state).ok_or(Unknown)?;
        if self.can_end
            && let Some(end) = steps.iter().find(|step| actions[step.label.index()].label == Label::TICK)
        {
            self.terminated = Some(end.target);
        }
        Ok(steps)
    }

    fn n_known(&self) -> usize {
        self.growing.n_states()
    }
}

impl ActionSystem for GrowingSystem<'_> {
    fn actions(&self) -> &[Action] {
        self.actions
    }

    fn max_states(&self) -> usize {
        explore::Growing::MAX_STATES
    }

    fn terminated(&self) -> Option<StateId> {
        self.terminated
    }

    fn holds(&self, condition: u32, state: StateId) -> bool {
        let ActionNetwork { network, conditions, .. } = self.network;
        let known = conditions.iter().find(|(number, _)| *number == condition);
        known.is_some_and(|(_, known)| network.data.evaluate(*known, &self.configuration(state).data) == Ok(1))
    }
}
