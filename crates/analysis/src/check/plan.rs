//! The plan for an assertion: the schedule, and the sizes of the systems.
//!
//! A plan evaluates, compresses and compiles the processes, as deciding does. The checker keeps the results, so nothing
//! is computed twice.

use super::checker::Checker;
use super::failed::Failed;
use super::temporal;
use decide::{Features, Method, PropertyKind, Row, SPECIFICATION_ROUNDS};
use frontend::{Asserted, CompressionReport, Effort, Fidelity};
use lts::Lts;
use model::network::Network;

/// The plan for an assertion.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The normal form of the specification. None if it is too large to be built before it is known to be needed.
    pub specification: Option<Size>,
    /// The form of the system. None if compilation failed; deciding the assertion reports the reason.
    pub system: Option<System>,
    /// The schedule of the engines, if it is a claim about a network and the engine is not chosen by the user.
    pub schedule: Vec<Row>,
    /// The compressions, in the order in which they were computed. Those of an earlier assertion are not listed.
    pub compressions: Vec<CompressionReport>,
}

/// The size of a transition system.
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
    /// A network of machines.
    Network {
        /// Number of machines.
        n_machines: usize,
        /// Number of rules, in all modes.
        n_rules: usize,
        /// Number of modes.
        n_modes: usize,
    },
    /// Process terms, explored on the fly: the structure changes as the process runs. A lazily compiled network may
    /// take their place.
    Terms,
}

impl Checker<'_> {
    /// Plans the assertion with this number, from 1.
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
