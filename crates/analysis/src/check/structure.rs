//! The structure of a process: operators and machines, with sizes.

use super::checker::Checker;
use super::failed::Failed;
use super::plan::Size;
use frontend::{Asserted, CompressionReport, Effort, Fidelity, Operator, State};
use limits::display::components::MAX_LISTED;
use lts::Model;
use model::network::MachineId;
use source::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// The structure of a process.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its operators, from the outermost, operands below their operators, each with the number of its machine.
    pub operators: Vec<(Operator, Option<usize>)>,
    /// Its machines. None if it is explored on the fly.
    pub machines: Option<Vec<MachineSize>>,
    /// Machines that are not listed.
    pub n_more: usize,
    /// Number of rules, in all modes.
    pub n_rules: usize,
    /// Number of modes.
    pub n_modes: usize,
    /// Number of variables.
    pub n_variables: usize,
    /// The normal form of the specification, if it is small.
    pub specification: Option<Size>,
    /// The compressions.
    pub compressions: Vec<CompressionReport>,
}

/// A machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineSize {
    /// Its process as written, if it is a single component.
    pub name: Option<String>,
    /// The definition of that process.
    pub place: Option<Span>,
    /// Its states and transitions.
    pub size: Size,
    /// Number of distinct actions.
    pub n_actions: usize,
    /// Whether it is compiled lazily.
    pub is_open: bool,
}

impl Checker<'_> {
    /// The structure of the process of an assertion, by its number from 1, or of the session's process.
    ///
    /// # Errors
    /// When it cannot be evaluated, or a limit is reached.
    pub fn structure(&mut self, assertion: Option<usize>) -> Result<Structure, Box<Diagnostic>> {
        let span = match assertion {
            Some(index) => self.session.assertions()[index - 1].span,
            None => self.session.script.prints().last().map_or(Span::default(), |print| print.span),
        };
        self.find_structure(assertion).map_err(|failed| self.diagnose(failed, span))
    }

    fn find_structure(&mut self, assertion: Option<usize>) -> Result<Structure, Failed> {
        let n_done = self.semantics.compressions().len();
        let (process, model, specification) = match assertion.map(|index| self.semantics.asserted(index)).transpose()? {
            None => (self.semantics.added_process()?, Model::FailuresDivergences, None),
            Some(Asserted::Refines { specification, implementation, model }) => {
                let known = self.small_specification(specification, model, decide::SPECIFICATION_ROUNDS[0].0)?;
                (implementation, model, known.map(|known| Size::of(known.system())))
            }
            Some(_) => {
                let index = assertion.unwrap_or(1);
                (self.semantics.asserted_process(index)?, Model::FailuresDivergences, None)
            }
        };
        let operators = self.operators(process)?;
        let lowered = self.network(process, Fidelity::of_runs(model), Effort::Little)?;
        let compressions = self.semantics.compressions().split_off(n_done);
        let Some(lowered) = lowered else {
            return Ok(Structure {
                operators: operators.into_iter().map(|operator| (operator, None)).collect(),
                machines: None,
                n_more: 0,
                n_rules: 0,
                n_modes: 0,
                n_variables: 0,
                specification,
                compressions,
            });
        };
        let network = &lowered.network;
        let mut machines = Vec::new();
        let mut by_name: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (number, machine) in network.machines.iter().enumerate().take(MAX_LISTED) {
            let id = MachineId(number as u32);
            let edges = || machine.states().flat_map(|state| machine.edges(state).iter());
            let component = self.semantics.machine(lowered.id, id);
            if let Some(component) = &component {
                by_name.entry(component.name.clone()).or_default().push_back(number);
            }
            machines.push(MachineSize {
                place: component.as_ref().and_then(|component| component.place),
                name: component.map(|component| component.name),
                size: Size { n_states: machine.n_states(), n_transitions: edges().count() },
                n_actions: edges().map(|edge| edge.action).collect::<BTreeSet<_>>().len(),
                is_open: lowered.open.iter().any(|(open, states)| *open == id && !states.is_empty()),
            });
        }
        let operators = operators.into_iter().map(|operator| {
            // Machines come in the order of their components; copies of one process share a name.
            let machine = operator.name.as_ref().and_then(|name| by_name.get_mut(name)?.pop_front());
            (operator, machine)
        });
        Ok(Structure {
            operators: operators.collect(),
            n_more: network.machines.len().saturating_sub(MAX_LISTED),
            machines: Some(machines),
            n_rules: network.modes.iter().map(|mode| mode.rules.len()).sum(),
            n_modes: network.modes.len(),
            n_variables: network.data.n_variables(),
            specification,
            compressions,
        })
    }

    /// The operators of a process. Operands of a call are known once its steps are.
    fn operators(&mut self, process: State) -> Result<Vec<Operator>, Failed> {
        self.semantics.steps(process, &mut Vec::new())?;
        Ok(self.semantics.operators(process, MAX_LISTED))
    }
}
