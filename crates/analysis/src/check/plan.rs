//! What will be done about an assertion, and with how large things.
//!
//! A plan is made by doing what comes before the search: processes are evaluated, compressed and compiled. Nothing is done
//! twice, because the checker keeps all of it.

use super::checker::Checker;
use super::failed::Failed;
use super::temporal;
use decide::{Features, Method, PropertyKind, Row, SPECIFICATION_ROUNDS};
use frontend::{Asserted, CompressionReport, Effort, Fidelity};
use lts::Lts;
use model::network::Network;

/// How an assertion will be decided.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The specification of a refinement, its states merged where they mean the same; nothing if it is too large to be written down
    /// before it is known to be needed.
    pub specification: Option<Size>,
    /// What is searched; nothing if it came to no end. Deciding the assertion tells why.
    pub system: Option<System>,
    /// The schedule of the engines, if it is a claim about a network and the engine is not chosen by the user.
    pub schedule: Vec<Row>,
    /// What was compressed for it, in the order in which it was done. What an earlier assertion needed is not done again.
    pub compressions: Vec<CompressionReport>,
}

/// How large a transition system is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Its states.
    pub n_states: usize,
    /// Its steps.
    pub n_transitions: usize,
}

/// The form in which a process is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum System {
    /// Machines side by side.
    Network {
        /// How many machines.
        n_machines: usize,
        /// In how many ways they can move together, in all modes.
        n_rules: usize,
        /// How many arrangements of machines there are.
        n_modes: usize,
    },
    /// Its structure changes in many ways as it runs: each state is a term, unless a network is found with more effort.
    Terms,
}

impl Checker<'_> {
    /// Prepares to decide the assertion with this number, from 1.
    pub fn plan(&mut self, index: usize) -> Plan {
        let n_done = self.semantics.compressions().len();
        let prepared = self.prepare(index).ok();
        let compressions = self.semantics.compressions().split_off(n_done);
        let (specification, system, schedule) =
            prepared.map_or((None, None, Vec::new()), |(spec, system, schedule)| (spec, Some(system), schedule));
        Plan { specification, system, schedule, compressions }
    }

    fn prepare(&mut self, index: usize) -> Result<(Option<Size>, System, Vec<Row>), Failed> {
        let asserted = super::linearizable::compared(self.semantics.asserted(index)?);
        let (specification, process, fidelity, asked) = match &asserted {
            Asserted::Satisfies(process, question) => (None, *process, temporal::fidelity(question), None),
            Asserted::Refines { specification, implementation, model } => {
                let specification = self.small_specification(*specification, *model, SPECIFICATION_ROUNDS[0].0)?;
                let size = specification.map(|specification| Size::of(specification.system()));
                (size, *implementation, Fidelity::of_runs(*model), Some(PropertyKind::Refinement(*model)))
            }
            Asserted::Reaches { process, .. } => (None, *process, Fidelity::Steps, None),
            _ => {
                let (process, claim) = self.claim(&asserted)?;
                (None, process, Fidelity::of_runs(claim.decisive_model()), Some(PropertyKind::of(&claim)))
            }
        };
        let network = self.network(process, fidelity, Effort::Little)?;
        let is_auto = self.options.method == Method::Auto && self.reduces_what_pays();
        let features = asked.filter(|_| is_auto).zip(network.as_ref());
        let schedule = features.map_or_else(Vec::new, |(asked, lowered)| {
            decide::schedule(&Features::of(asked, &lowered.network, self.options.limits.n_workers))
        });
        Ok((specification, network.map_or(System::Terms, |lowered| System::of(&lowered.network)), schedule))
    }
}

impl Size {
    pub(super) fn of(lts: &Lts) -> Size {
        Size { n_states: lts.n_states(), n_transitions: lts.n_transitions() }
    }
}

impl System {
    fn of(network: &Network) -> System {
        System::Network {
            n_machines: network.machines.len(),
            n_rules: network.modes.iter().map(|mode| mode.rules.len()).sum(),
            n_modes: network.modes.len(),
        }
    }
}
