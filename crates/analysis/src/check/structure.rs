//! What a process is made of, with sizes: where the states come from.

use super::checker::Checker;
use super::failed::Failed;
use super::plan::Size;
use frontend::{Asserted, CompressionReport, Effort, Fidelity, Operator, State};
use lts::Model;
use model::network::MachineId;
use source::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Machines that are told one by one.
const MOST_MACHINES: usize = 2000;
/// Operators that are told.
const MOST_OPERATORS: usize = 2000;

/// What a process is made of.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its operators, from the outermost, operands below their operators, with the number of the machine that stands for it.
    pub operators: Vec<(Operator, Option<usize>)>,
    /// Its machines; nothing if each of its states is a term.
    pub machines: Option<Vec<MachineSize>>,
    /// Machines that are left out, because there are so many.
    pub n_more: usize,
    /// In how many ways they can move together, in all modes.
    pub n_rules: usize,
    /// How many arrangements of machines there are.
    pub n_modes: usize,
    /// How many variables there are beside them.
    pub n_variables: usize,
    /// The specification of a refinement, normalized, if it is small.
    pub specification: Option<Size>,
    /// What was compressed for it.
    pub compressions: Vec<CompressionReport>,
}

/// One machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineSize {
    /// What it is as written, if it is one component.
    pub name: Option<String>,
    /// Where that is defined.
    pub place: Option<Span>,
    /// Its states and steps.
    pub size: Size,
    /// How many different things it can do.
    pub n_actions: usize,
    /// Whether it is made only as far as it is needed.
    pub is_open: bool,
}

impl Checker<'_> {
    /// What the process is made of that an assertion is about, by its number from 1, or that the session was opened with.
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
        for (number, machine) in network.machines.iter().enumerate().take(MOST_MACHINES) {
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
            // Machines come in the order of the components that they stand for; those that are alike have one name.
            let machine = operator.name.as_ref().and_then(|name| by_name.get_mut(name)?.pop_front());
            (operator, machine)
        });
        Ok(Structure {
            operators: operators.collect(),
            n_more: network.machines.len().saturating_sub(MOST_MACHINES),
            machines: Some(machines),
            n_rules: network.modes.iter().map(|mode| mode.rules.len()).sum(),
            n_modes: network.modes.len(),
            n_variables: network.data.n_variables(),
            specification,
            compressions,
        })
    }

    /// The operators of a process; what is behind a call is known once its steps are.
    fn operators(&mut self, process: State) -> Result<Vec<Operator>, Failed> {
        self.semantics.steps(process, &mut Vec::new())?;
        Ok(self.semantics.operators(process, MOST_OPERATORS))
    }
}
