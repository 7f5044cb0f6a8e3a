//! Networks: synchronized products of small machines, with synchronization rules.
//!
//! Rules are synchronization vectors (A. Arnold, "Finite Transition Systems", 1994), extended by modes and data. A
//! state of a network is a *mode* and one local state for each machine. A rule of the mode lists actions of machines
//! that happen together, and the label of the step; hiding and renaming only choose that label. A rule may change the
//! mode and reset machines to given states. This expresses `;`, interrupts and exceptions above a parallel operator,
//! and components that come and go, without an engine of their own. Machines that a mode does not use stay in state 0,
//! so that equal situations are equal states.
//!
//! A network may have variables ([`data`](crate::data)); then a state has a value for each of them, and a rule may have
//! a guard and an update. A step whose update faults does not happen: it is one of the network's
//! [failures](Network::failures).
//!
//! Steps may yield to others: by their labels, which is a priority order on the whole network ([`Priority`]), or
//! because a rule names inhibitors ([`Inhibitor`]), which express priorities below parallel operators, hiding and
//! renaming.

use crate::data::{Command, Data, EvaluationError, Valuation};
use crate::obstacle::is_obstructed;
pub use crate::obstacle::{Inhibitor, Way};
use lts::{Label, Lts, Transition};
use std::sync::Arc;

crate::numbers!(
    /// Number of a machine in its network.
    MachineId,
    /// Number of a mode in its network.
    ModeId,
    /// Number of a rule in its mode.
    RuleId,
    /// Number of an inhibitor in its network.
    InhibitorId,
    /// Number of a process in the sense of fairness: a component of the model that the network was compiled from.
    ProcessId,
    /// Number of a state of one machine.
    LocalState,
    /// Number of an action of a machine, to which the rules of its network refer. It has no meaning outside of the
    /// machine.
    Action
);

/// Machines with the rules that synchronize them.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The machines; equal ones are shared.
    pub machines: Vec<Arc<Machine>>,
    /// The modes.
    pub modes: Vec<Mode>,
    /// The initial state.
    pub initial: Configuration,
    /// The priority order on labels.
    pub priority: Option<Priority>,
    /// The inhibitors of rules.
    pub obstacles: Vec<Inhibitor>,
    /// The variables.
    pub data: Data,
}

/// A priority order on the steps that are enabled in a state.
///
/// Labels fall into classes. A step is disabled where one is enabled whose class its own class yields to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Priority {
    class_of: Vec<u32>,
    /// For each class the classes that it yields to.
    yields_to: Vec<Vec<u32>>,
}

impl Priority {
    /// Puts a label into a class. Labels without a class neither yield nor cause others to.
    pub fn set_class(&mut self, label: Label, class: u32) {
        if self.class_of.len() <= label.index() {
            self.class_of.resize(label.index() + 1, u32::MAX);
        }
        self.class_of[label.index()] = class;
    }

    /// Makes a class yield to another.
    pub fn add_yield(&mut self, class: u32, to: u32) {
        if self.yields_to.len() <= class as usize {
            self.yields_to.resize(class as usize + 1, Vec::new());
        }
        self.yields_to[class as usize].push(to);
    }

    /// The priority order for other labels, numbered from 0: each has the class of the label given for it.
    pub fn relabeled(&self, labels: impl Iterator<Item = Label>) -> Priority {
        let class_of = labels.map(|label| self.class_of(label).unwrap_or(u32::MAX)).collect();
        Priority { class_of, yields_to: self.yields_to.clone() }
    }

    /// The class of a label, if it has one.
    pub fn class_of(&self, label: Label) -> Option<u32> {
        self.class_of.get(label.index()).copied().filter(|&class| class != u32::MAX)
    }

    /// The labels that have a class, with it.
    pub fn classes(&self) -> impl Iterator<Item = (Label, u32)> + '_ {
        let labels = (0..self.class_of.len() as u32).map(Label);
        labels.filter_map(|label| Some((label, self.class_of(label)?)))
    }

    /// The pairs of a class and one that it yields to.
    pub fn yields(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.yields_to).flat_map(|(class, stronger)| stronger.iter().map(move |&other| (class, other)))
    }

    /// Removes the steps of a state that yield to others. `classes` is a buffer.
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
    /// The mode, which determines the rules.
    pub mode: ModeId,
    /// The local states, by machine.
    pub locals: Vec<LocalState>,
    /// The values of the variables.
    pub data: Valuation,
}

/// An explicit machine: its edges by source, sorted by action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

/// An edge of a machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The action.
    pub action: Action,
    /// The target state.
    pub target: LocalState,
}

/// The rules of a mode.
#[derive(Clone, Debug, Default)]
pub struct Mode {
    /// The rules, in no particular order.
    pub rules: Vec<Rule>,
}

/// A synchronization rule: machines take actions together, and the step has a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The participating machines with their actions, each at most once. It is empty only if there is a command.
    pub parts: Box<[(MachineId, Action)]>,
    /// The label of the step.
    pub shows: Label,
    /// The change of mode.
    pub jump: Option<Jump>,
    /// The guard and the update of variables.
    pub command: Option<Box<Command>>,
    /// The inhibitors: the rule is disabled where one of these is active.
    pub unless: Box<[InhibitorId]>,
}

/// A change of mode.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    /// The next mode.
    pub mode: ModeId,
    /// States that machines are reset to, after the actions of the step.
    pub resets: Box<[(MachineId, LocalState)]>,
}

/// A step of a network, as the interpreter computes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkStep {
    /// The number of the rule in the mode.
    pub rule: RuleId,
    /// The label.
    pub label: Label,
    /// The next state.
    pub target: Configuration,
}

/// A step of a network whose command faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedStep {
    /// The number of the rule in the mode.
    pub rule: RuleId,
    /// The label of the rule.
    pub label: Label,
    /// The fault.
    pub error: EvaluationError,
}

impl Rule {
    /// A rule that synchronizes actions of machines under a label.
    pub fn new(parts: impl Into<Box<[(MachineId, Action)]>>, shows: Label) -> Rule {
        Rule { parts: parts.into(), shows, jump: None, command: None, unless: [].into() }
    }
}

impl Machine {
    /// A machine from its edges by state. State 0 is the one in which it is unused.
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

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = LocalState> + use<> {
        (0..self.n_states() as u32).map(LocalState)
    }

    /// The edges of a state, sorted by action.
    pub fn edges(&self, state: LocalState) -> &[Edge] {
        &self.edges[self.starts[state.index()] as usize..self.starts[state.index() + 1] as usize]
    }

    /// The edges of a state with an action.
    pub fn edges_by(&self, state: LocalState, action: Action) -> &[Edge] {
        let edges = self.edges(state);
        let start = edges.partition_point(|edge| edge.action < action);
        let end = edges.partition_point(|edge| edge.action <= action);
        &edges[start..end]
    }
}

impl From<&Lts> for Machine {
    /// A transition system as a machine whose actions are the labels.
    fn from(lts: &Lts) -> Machine {
        Machine::new(lts.states().map(|state| {
            let edge = |step: &Transition| Edge { action: Action(step.label.0), target: LocalState(step.target.0) };
            lts.transitions(state).iter().map(edge).collect()
        }))
    }
}

impl Network {
    /// All steps of a configuration, computed from the definition of rules. Engines are compared with it, and
    /// counterexamples are replayed on it.
    pub fn steps(&self, from: &Configuration) -> Vec<NetworkStep> {
        self.attempts(from, |_| true).into_iter().filter_map(Result::ok).collect()
    }

    /// The steps of a configuration with a label. It skips the rules with other labels, of which large networks have
    /// many.
    pub fn steps_with(&self, from: &Configuration, label: Label) -> Vec<NetworkStep> {
        // Whether a priority order disables a step depends on all other steps.
        let is_wanted = |rule: &Rule| self.priority.is_some() || rule.shows == label;
        let steps = self.attempts(from, is_wanted).into_iter().filter_map(Result::ok);
        steps.filter(|step| step.label == label).collect()
    }

    /// The steps of a configuration whose commands fault.
    pub fn failures(&self, from: &Configuration) -> Vec<FailedStep> {
        self.attempts(from, |_| true).into_iter().filter_map(Result::err).collect()
    }

    /// Evaluates the enabled rules that pass the filter: each gives steps, or a fault.
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

    /// Whether all machines have edges with their actions.
    pub(crate) fn can_move(&self, parts: &[(MachineId, Action)], from: &Configuration) -> bool {
        let edges = |&(machine, action): &(MachineId, Action)| {
            self.machines[machine.index()].edges_by(from.locals[machine.index()], action)
        };
        parts.iter().all(|part| !edges(part).is_empty())
    }

    /// The local states after a rule: the product of the edges of its machines.
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

    /// The valuation after a rule; `None` if its guard is false.
    fn execute(&self, rule: &Rule, from: &Configuration) -> Result<Option<Valuation>, EvaluationError> {
        match &rule.command {
            Some(command) => self.data.execute(command, &from.data),
            None => Ok(Some(from.data.clone())),
        }
    }
}

impl Configuration {
    /// Applies a change of mode.
    fn after(mut self, jump: &Jump) -> Configuration {
        self.mode = jump.mode;
        for &(machine, state) in &jump.resets {
            self.locals[machine.index()] = state;
        }
        self
    }
}

/// Local states of a machine that a search has visited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupied {
    /// The machine.
    pub machine: MachineId,
    /// The visited states that are not fully expanded.
    pub open: Vec<LocalState>,
    /// The number of visited states.
    pub n_occupied: usize,
}
