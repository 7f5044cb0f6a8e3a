//! Networks: small machines that move together.
//!
//! A state of a network is a *mode* and one local state for each machine. The rules of the mode say which actions of
//! which machines happen together and what the world sees of it; hiding and renaming are nothing but that. A rule may
//! end in another mode and put machines into given states, which is how `;`, interrupts and exceptions above a parallel
//! operator, and components that come and go, fit without an engine of their own. Machines that a mode does not use
//! rest in their state 0, so equal situations are equal states.
//!
//! A network may have variables ([`data`](crate::data)); then a state has a value for each of them, and a rule may ask for
//! values and change them. A step in which that goes wrong does not happen: it is one of the network's
//! [failures](Network::failures).
//!
//! Steps may give way to others: by their labels, which is a priority around the whole ([`Priority`]), or because a rule names
//! [obstacles](Obstacle), which is how priorities fit below parallel operators, hiding and renaming.

use crate::data::{Command, Data, EvaluationError, Valuation};
use crate::obstacle::is_obstructed;
pub use crate::obstacle::{Obstacle, Way};
use lts::{Label, Lts, Transition};
use std::sync::Arc;

crate::numbers!(
    /// Number of a machine in its network.
    MachineId,
    /// Number of a mode in its network.
    ModeId,
    /// Number of a rule in its mode.
    RuleId,
    /// Number of an obstacle in its network.
    ObstacleId,
    /// Number of a process in the sense of fairness: a component of what a network was made from.
    ProcessId,
    /// A state of one machine.
    LocalState,
    /// What a machine does in a step, as its network's rules call it. Means nothing outside of the machine.
    Action
);

/// Machines and the rules by which they move.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The machines; equal ones are one.
    pub machines: Vec<Arc<Machine>>,
    /// The modes.
    pub modes: Vec<Mode>,
    /// Where every run begins.
    pub initial: Configuration,
    /// Which steps give way to which.
    pub priority: Option<Priority>,
    /// What keeps rules from being taken that name it.
    pub obstacles: Vec<Obstacle>,
    /// The variables.
    pub data: Data,
}

/// Which steps give way to others that are possible in the same state.
///
/// Labels fall into classes; a step does not happen where one is possible whose class its own yields to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Priority {
    class_of: Vec<u32>,
    /// For each class those it yields to.
    yields_to: Vec<Vec<u32>>,
}

impl Priority {
    /// Labels without a class, as all are at first, neither yield nor make others yield.
    pub fn set_class(&mut self, label: Label, class: u32) {
        if self.class_of.len() <= label.index() {
            self.class_of.resize(label.index() + 1, u32::MAX);
        }
        self.class_of[label.index()] = class;
    }

    /// Lets a class yield to another.
    pub fn add_yield(&mut self, class: u32, to: u32) {
        if self.yields_to.len() <= class as usize {
            self.yields_to.resize(class as usize + 1, Vec::new());
        }
        self.yields_to[class as usize].push(to);
    }

    /// The same for other labels, numbered from 0: each has the class of the label given for it.
    pub fn relabeled(&self, labels: impl Iterator<Item = Label>) -> Priority {
        let class_of = labels.map(|label| self.class_of(label).unwrap_or(u32::MAX)).collect();
        Priority { class_of, yields_to: self.yields_to.clone() }
    }

    /// The class of a label, if it has one.
    pub fn class_of(&self, label: Label) -> Option<u32> {
        self.class_of.get(label.index()).copied().filter(|&class| class != u32::MAX)
    }

    /// The labels that have a class, each with it.
    pub fn classes(&self) -> impl Iterator<Item = (Label, u32)> + '_ {
        let labels = (0..self.class_of.len() as u32).map(Label);
        labels.filter_map(|label| Some((label, self.class_of(label)?)))
    }

    /// Which class yields to which.
    pub fn yields(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.yields_to).flat_map(|(class, stronger)| stronger.iter().map(move |&other| (class, other)))
    }

    /// Removes from the steps of a state those that yield. `classes` is a buffer.
    pub fn retain<T>(&self, steps: &mut Vec<T>, first: usize, label_of: impl Fn(&T) -> Label, classes: &mut Vec<u32>) {
        classes.clear();
        classes.extend(steps[first..].iter().filter_map(|step| self.class_of(label_of(step))));
        classes.sort_unstable();
        classes.dedup();
        let yields = |class: u32| {
            let stronger = self.yields_to.get(class as usize).map_or(&[][..], Vec::as_slice);
            stronger.iter().any(|other| classes.binary_search(other).is_ok())
        };
        let mut kept = first;
        for place in first..steps.len() {
            if !self.class_of(label_of(&steps[place])).is_some_and(yields) {
                steps.swap(kept, place);
                kept += 1;
            }
        }
        steps.truncate(kept);
    }
}

/// A state of a network.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Configuration {
    /// Which rules hold.
    pub mode: ModeId,
    /// One for each machine.
    pub locals: Vec<LocalState>,
    /// The values of the variables.
    pub data: Valuation,
}

/// An explicit machine: its edges in the order of their sources, by action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

/// A step of one machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// What it does.
    pub action: Action,
    /// Where that leads.
    pub target: LocalState,
}

/// The rules that hold in one mode.
#[derive(Clone, Debug, Default)]
pub struct Mode {
    /// In no particular order.
    pub rules: Vec<Rule>,
}

/// These machines take these actions together, and the world sees that label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Who takes part, each machine at most once; somebody does unless there is a command.
    pub parts: Box<[(MachineId, Action)]>,
    /// What is seen.
    pub shows: Label,
    /// What changes beyond the machines that take part.
    pub jump: Option<Jump>,
    /// What it asks and changes of the variables.
    pub command: Option<Box<Command>>,
    /// It is not taken where one of these is present.
    pub unless: Box<[ObstacleId]>,
}

/// A change of mode.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    /// The mode that holds afterwards.
    pub mode: ModeId,
    /// States that machines are put into, whatever they did in the step.
    pub resets: Box<[(MachineId, LocalState)]>,
}

/// A step of a network, as the interpreter finds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkStep {
    /// Which rule of the mode it is taken by.
    pub rule: RuleId,
    /// What is seen.
    pub label: Label,
    /// Where it leads.
    pub target: Configuration,
}

/// A step of a network that goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedStep {
    /// Which rule of the mode was to be taken.
    pub rule: RuleId,
    /// What would have been seen.
    pub label: Label,
    /// What is wrong.
    pub error: EvaluationError,
}

impl Rule {
    /// Machines that take actions together, and what is seen of it.
    pub fn new(parts: impl Into<Box<[(MachineId, Action)]>>, shows: Label) -> Rule {
        Rule { parts: parts.into(), shows, jump: None, command: None, unless: [].into() }
    }
}

impl Machine {
    /// A machine from its edges, state by state; state 0 is where it rests.
    pub fn new(states: impl IntoIterator<Item = Vec<Edge>>) -> Machine {
        let mut machine = Machine { starts: vec![0], edges: Vec::new() };
        for mut edges in states {
            edges.sort_unstable();
            edges.dedup();
            machine.edges.append(&mut edges);
            machine.starts.push(machine.edges.len() as u32);
        }
        machine
    }

    /// How many states it has.
    pub fn n_states(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = LocalState> + use<> {
        (0..self.n_states() as u32).map(LocalState)
    }

    /// The edges of a state, by action.
    pub fn edges(&self, state: LocalState) -> &[Edge] {
        &self.edges[self.starts[state.index()] as usize..self.starts[state.index() + 1] as usize]
    }

    /// The edges of a state with this action.
    pub fn edges_by(&self, state: LocalState, action: Action) -> &[Edge] {
        let edges = self.edges(state);
        let start = edges.partition_point(|edge| edge.action < action);
        let end = edges.partition_point(|edge| edge.action <= action);
        &edges[start..end]
    }
}

impl From<&Lts> for Machine {
    /// A system as a machine that does its labels.
    fn from(lts: &Lts) -> Machine {
        Machine::new(lts.states().map(|state| {
            let edge = |step: &Transition| Edge { action: Action(step.label.0), target: LocalState(step.target.0) };
            lts.transitions(state).iter().map(edge).collect()
        }))
    }
}

impl Network {
    /// Every step of a configuration, straight from the meaning of rules: slow, and simple enough to be trusted. Engines
    /// are compared with it, and counterexamples are replayed on it.
    pub fn steps(&self, from: &Configuration) -> Vec<NetworkStep> {
        self.attempts(from, |_| true).into_iter().filter_map(Result::ok).collect()
    }

    /// Those of them with a label. In a network of thousands of machines this is thousands of times as fast.
    pub fn steps_with(&self, from: &Configuration, label: Label) -> Vec<NetworkStep> {
        // Which steps a priority leaves depends on all the others.
        let is_wanted = |rule: &Rule| self.priority.is_some() || rule.shows == label;
        let steps = self.attempts(from, is_wanted).into_iter().filter_map(Result::ok);
        steps.filter(|step| step.label == label).collect()
    }

    /// The steps of a configuration that go wrong.
    pub fn failures(&self, from: &Configuration) -> Vec<FailedStep> {
        self.attempts(from, |_| true).into_iter().filter_map(Result::err).collect()
    }

    /// Every way to take a rule among those that are wanted, and what becomes of it.
    fn attempts(
        &self,
        from: &Configuration,
        is_wanted: impl Fn(&Rule) -> bool,
    ) -> Vec<Result<NetworkStep, FailedStep>> {
        let mut attempts = Vec::new();
        let present = self.present_obstacles(from);
        for (number, rule) in (0..).map(RuleId).zip(&self.modes[from.mode.index()].rules) {
            if !is_wanted(rule) || !self.can_move(&rule.parts, from) || is_obstructed(&rule.unless, &present) {
                continue;
            }
            let data = match self.execute(rule, from) {
                Ok(Some(data)) => data,
                Ok(None) => continue,
                Err(error) => {
                    attempts.push(Err(FailedStep { rule: number, label: rule.shows, error }));
                    continue;
                }
            };
            for locals in self.moves(rule, from) {
                let target = Configuration { mode: from.mode, locals, data: data.clone() };
                let target = rule.jump.iter().fold(target, Configuration::after);
                attempts.push(Ok(NetworkStep { rule: number, label: rule.shows, target }));
            }
        }
        if let Some(priority) = &self.priority {
            let label_of = |attempt: &Result<NetworkStep, FailedStep>| match attempt {
                Ok(step) => step.label,
                Err(failure) => failure.label,
            };
            priority.retain(&mut attempts, 0, label_of, &mut Vec::new());
        }
        attempts
    }

    /// Whether all these machines can take their actions.
    pub(crate) fn can_move(&self, parts: &[(MachineId, Action)], from: &Configuration) -> bool {
        let edges = |&(machine, action): &(MachineId, Action)| {
            self.machines[machine.index()].edges_by(from.locals[machine.index()], action)
        };
        parts.iter().all(|part| !edges(part).is_empty())
    }

    /// The local states after a rule, for each way in which its machines can take it.
    fn moves(&self, rule: &Rule, from: &Configuration) -> Vec<Vec<LocalState>> {
        let mut moves = vec![from.locals.clone()];
        for &(machine, action) in &rule.parts {
            let edges = self.machines[machine.index()].edges_by(from.locals[machine.index()], action);
            let moved = |locals: &Vec<LocalState>| {
                let locals = locals.clone();
                edges.iter().map(move |edge| {
                    let mut locals = locals.clone();
                    locals[machine.index()] = edge.target;
                    locals
                })
            };
            moves = moves.iter().flat_map(moved).collect();
        }
        moves
    }

    /// The values after a rule, if it can be taken.
    fn execute(&self, rule: &Rule, from: &Configuration) -> Result<Option<Valuation>, EvaluationError> {
        match &rule.command {
            Some(command) => self.data.execute(command, &from.data),
            None => Ok(Some(from.data.clone())),
        }
    }
}

impl Configuration {
    /// What a change of mode makes of it.
    fn after(mut self, jump: &Jump) -> Configuration {
        self.mode = jump.mode;
        for &(machine, state) in &jump.resets {
            self.locals[machine.index()] = state;
        }
        self
    }
}

/// Local states of a machine that a search has occupied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupied {
    /// The machine.
    pub machine: MachineId,
    /// Its open states that were occupied.
    pub open: Vec<LocalState>,
    /// The number of its states that were occupied.
    pub n_occupied: usize,
}
