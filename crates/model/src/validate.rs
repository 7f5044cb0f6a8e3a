//! Well-formedness of networks, on which all engines rely without further checks.

use crate::data::{CommandProblem, DataProblem, Kind, Sorts, VariableId};
use crate::network::*;
use hashbrown::HashMap;
use std::sync::Arc;

/// A defect of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An edge to a state that the machine does not have.
    Edge {
        /// The first of the machines that are equal to this one.
        machine: MachineId,
        /// The source state.
        source: LocalState,
        /// The target state.
        target: LocalState,
    },
    /// A defect of a rule.
    Rule(ModeId, RuleId, RuleProblem),
    /// A defect of an alternative of an inhibitor, by its position.
    Inhibitor(InhibitorId, usize, InhibitorProblem),
    /// A defect of the initial configuration.
    Initial(InitialProblem),
    /// A defect of variables or expressions.
    Data(DataProblem),
}

/// A defect of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleProblem {
    /// A machine that does not exist.
    UnknownMachine(MachineId),
    /// A machine that participates twice.
    TakesPartTwice(MachineId),
    /// No machine participates, and there is no command.
    Empty,
    /// A mode that does not exist.
    UnknownMode(ModeId),
    /// A reset to a state that the machine does not have.
    UnknownState(MachineId, LocalState),
    /// A defect of its command.
    Command(CommandProblem),
    /// An inhibitor that does not exist.
    UnknownInhibitor(InhibitorId),
}

/// A defect of an alternative of an inhibitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InhibitorProblem {
    /// A machine that does not exist.
    UnknownMachine(MachineId),
    /// A machine that participates twice.
    TakesPartTwice(MachineId),
    /// No machine participates.
    Empty,
    /// It names an inhibitor that does not precede its own.
    NotBefore(InhibitorId),
    /// A defect of its condition.
    Condition(CommandProblem),
}

/// A defect of an initial configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialProblem {
    /// A mode that does not exist.
    UnknownMode(ModeId),
    /// The number of local states differs from that of machines.
    LocalStates {
        /// The number of local states.
        n_given: usize,
    },
    /// A state that the machine does not have.
    UnknownState(MachineId, LocalState),
    /// The number of values differs from that of cells.
    Cells {
        /// The number of values.
        n_given: usize,
    },
    /// A value outside of the domain of a cell, counted from the first cell of its variable.
    Range {
        /// The variable.
        variable: VariableId,
        /// The cell.
        cell: usize,
        /// The value.
        value: i64,
    },
}

impl Network {
    /// All defects of a network. Engines and the interpreter never panic on a network without defects.
    ///
    /// It takes time linear in the size of any network.
    pub fn validate(&self) -> Vec<Problem> {
        let (sorts, problems) = self.data.validate_with_sorts();
        let is_countable = !problems.iter().any(|problem| matches!(problem, DataProblem::Variable(..)));
        let mut problems: Vec<Problem> = problems.into_iter().map(Problem::Data).collect();
        self.check_machines(&mut problems);
        self.check_rules(&sorts, &mut problems);
        self.check_obstacles(&sorts, &mut problems);
        self.check_initial(&mut problems);
        if is_countable {
            self.check_valuation(&mut |problem| problems.push(Problem::Initial(problem)));
        }
        problems
    }

    fn has_state(&self, machine: MachineId, state: LocalState) -> bool {
        self.machines.get(machine.index()).is_some_and(|machine| state.index() < machine.n_states())
    }

    fn check_machines(&self, problems: &mut Vec<Problem>) {
        // Equal machines are shared, and checked once.
        let mut checked = HashMap::new();
        for (id, machine) in (0..).map(MachineId).zip(&self.machines) {
            if checked.insert(Arc::as_ptr(machine), ()).is_some() {
                continue;
            }
            for source in machine.states() {
                let dangling = machine.edges(source).iter().filter(|edge| edge.target.index() >= machine.n_states());
                problems.extend(dangling.map(|edge| Problem::Edge { machine: id, source, target: edge.target }));
            }
        }
    }

    fn check_rules(&self, sorts: &Sorts<'_>, problems: &mut Vec<Problem>) {
        let mut parts = Parts::of(self);
        for (mode, rules) in (0..).map(ModeId).zip(&self.modes) {
            for (id, rule) in (0..).map(RuleId).zip(&rules.rules) {
                let mut report = |problem| problems.push(Problem::Rule(mode, id, problem));
                if rule.parts.is_empty() && rule.command.is_none() {
                    report(RuleProblem::Empty);
                }
                parts.check(&rule.parts, RuleProblem::UnknownMachine, RuleProblem::TakesPartTwice, &mut report);
                let unknown = rule.unless.iter().filter(|obstacle| obstacle.index() >= self.obstacles.len());
                unknown.for_each(|&obstacle| report(RuleProblem::UnknownInhibitor(obstacle)));
                rule.jump.iter().for_each(|jump| self.check_jump(jump, &mut report));
                if let Some(command) = &rule.command {
                    sorts.check_command(command, &mut |problem| report(RuleProblem::Command(problem)));
                }
            }
        }
    }

    fn check_obstacles(&self, sorts: &Sorts<'_>, problems: &mut Vec<Problem>) {
        let mut parts = Parts::of(self);
        for (id, obstacle) in (0..).map(InhibitorId).zip(&self.obstacles) {
            for (place, alternative) in obstacle.ways.iter().enumerate() {
                let mut report = |problem| problems.push(Problem::Inhibitor(id, place, problem));
                if alternative.parts.is_empty() {
                    report(InhibitorProblem::Empty);
                }
                parts.check(
                    &alternative.parts,
                    InhibitorProblem::UnknownMachine,
                    InhibitorProblem::TakesPartTwice,
                    &mut report,
                );
                let later = alternative.unless.iter().filter(|&&other| other >= id);
                later.for_each(|&other| report(InhibitorProblem::NotBefore(other)));
                if let Some(condition) = alternative.condition {
                    sorts.check_condition(condition, &mut |problem| report(InhibitorProblem::Condition(problem)));
                }
            }
        }
    }

    fn check_jump(&self, jump: &Jump, report: &mut dyn FnMut(RuleProblem)) {
        if jump.mode.index() >= self.modes.len() {
            report(RuleProblem::UnknownMode(jump.mode));
        }
        for &(machine, state) in jump.resets.iter().filter(|reset| !self.has_state(reset.0, reset.1)) {
            let is_known = machine.index() < self.machines.len();
            report(match is_known {
                true => RuleProblem::UnknownState(machine, state),
                false => RuleProblem::UnknownMachine(machine),
            });
        }
    }

    fn check_initial(&self, problems: &mut Vec<Problem>) {
        let mut report = |problem| problems.push(Problem::Initial(problem));
        if self.initial.mode.index() >= self.modes.len() {
            report(InitialProblem::UnknownMode(self.initial.mode));
        }
        if self.initial.locals.len() != self.machines.len() {
            report(InitialProblem::LocalStates { n_given: self.initial.locals.len() });
        }
        let locals = (0..).map(MachineId).zip(&self.initial.locals).take(self.machines.len());
        for (machine, &local) in locals.filter(|&(machine, &local)| !self.has_state(machine, local)) {
            report(InitialProblem::UnknownState(machine, local));
        }
    }

    /// Checks the initial values of variables, whose number of cells is known to be within bounds.
    fn check_valuation(&self, report: &mut dyn FnMut(InitialProblem)) {
        let values = &self.initial.data;
        if values.len() != self.data.n_cells() {
            return report(InitialProblem::Cells { n_given: values.len() });
        }
        for (variable, declared) in self.data.variables() {
            let values = &values.range(self.data.cells(variable));
            let n_used = n_used(&declared.kind, values);
            for (cell, &value) in values.iter().enumerate() {
                let domain = self.data.cell_domain(variable, cell);
                let is_fine = if cell < n_used { domain.contains(value) } else { value == domain.least() };
                if !is_fine {
                    report(InitialProblem::Range { variable, cell, value });
                }
            }
        }
    }
}

/// Checks the participants of rules and alternatives, one at a time.
struct Parts {
    /// For each machine the number of the check in which it was last seen.
    last: Vec<u64>,
    n_checked: u64,
}

impl Parts {
    fn of(network: &Network) -> Parts {
        Parts { last: vec![0; network.machines.len()], n_checked: 0 }
    }

    fn check<P>(
        &mut self,
        parts: &[(MachineId, Action)],
        unknown: impl Fn(MachineId) -> P,
        twice: impl Fn(MachineId) -> P,
        report: &mut dyn FnMut(P),
    ) {
        self.n_checked += 1;
        for &(machine, _) in parts {
            match self.last.get_mut(machine.index()) {
                None => report(unknown(machine)),
                Some(last) if *last == self.n_checked => report(twice(machine)),
                Some(last) => *last = self.n_checked,
            }
        }
    }
}

/// The number of used cells: those behind the last message of a queue hold least values only.
fn n_used(kind: &Kind, values: &[i64]) -> usize {
    match kind {
        Kind::Queue { message, .. } => {
            let n_messages = usize::try_from(values[0]).unwrap_or(usize::MAX);
            n_messages.saturating_mul(message.len()).saturating_add(1).min(values.len())
        }
        _ => values.len(),
    }
}
