//! Networks of processes, and the way back from them.

use super::{Component, Failure, State};
use lts::{Label, NoRun, Observation, Preserves};
use model::data::ExpressionId;
use model::network::{Action, Configuration, FailedStep, LocalState, MachineId, Network, Occupied};
use model::participants::Participants;
use progress::{Limits, Progress};
use source::Diagnostic;
use std::sync::Arc;

/// A run of a process behind a run of its network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifted {
    /// The labels.
    pub labels: Vec<Label>,
    /// Where it can be repeated from, if it was a loop that was lifted.
    pub loop_start: Option<usize>,
    /// The states after each step.
    pub states: Vec<State>,
}

/// A compression that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressionReport {
    /// The process, as text that may be cut.
    pub process: String,
    /// States and steps of its operand.
    pub before: (usize, usize),
    /// States and steps of the result.
    pub after: (usize, usize),
}

/// How hard to try to make a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Give up soon: the process may have no end, and a counterexample near its beginning.
    Little,
    /// Give up soon, and compile machines lazily that would get large: they may be small in parallel with their
    /// partners.
    OnDemand,
    /// Give up only when there is no hope.
    Full,
}

/// Limits of a compilation to a network.
#[derive(Clone, Copy, Debug)]
pub struct LoweringLimits {
    /// How hard to try.
    pub effort: Effort,
    /// Limits of searches that make a part explicit.
    pub search: Limits,
}

/// Number of a network that was made of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoweredId(pub u32);

/// A network that was made of a process.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The network.
    pub network: Arc<Network>,
    /// Its number.
    pub id: LoweredId,
    /// Whether some of its machines stand for compressed processes, so that its configurations stand for no single
    /// state.
    pub is_compressed: bool,
    /// Whether compressions were given up for it, so that it is larger than the script wants.
    pub has_given_up: bool,
    /// The open states of its machines, which are not compiled yet: every step fails where one is occupied.
    pub open: Arc<[(MachineId, Vec<LocalState>)]>,
    /// Which processes take part in its rules, if that was to be known.
    pub participants: Option<Arc<Participants>>,
    /// Where each process stands: positions in nested parallel operators, from the outermost.
    pub processes: Arc<[Vec<u32>]>,
    /// Propositions of the language, by number, as conditions on its variables, and what may be measured. They have a
    /// value in each state.
    pub conditions: Arc<[(u32, ExpressionId)]>,
}

/// Compilation of processes to networks. Without it, processes are explored on the fly. Every network can be lifted.
pub trait Compile: Lift {
    /// The network of a process, if its structure is static enough.
    ///
    /// # Errors
    /// When a part of it cannot be evaluated, or a limit was reached.
    fn network(
        &mut self,
        _process: State,
        _preserves: Preserves,
        _limits: &LoweringLimits,
        _progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        Ok(None)
    }

    /// Makes open states of the network of a process that were occupied, and some near them; the network is to be asked
    /// for again. Whether that was possible.
    ///
    /// # Errors
    /// When it was stopped.
    fn grow(
        &mut self,
        _lowered: LoweredId,
        _preserves: Preserves,
        _occupied: &[Occupied],
        _progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        Ok(false)
    }

    /// The compressions that were done so far.
    fn compressions(&mut self) -> Vec<CompressionReport> {
        Vec::new()
    }
}

/// The way back from networks to processes.
pub trait Lift {
    /// The run of a process behind a run of its network, with nothing compressed. At most `max_states` states of each
    /// part are visited. None if there is such a run, but it cannot be reported, or is too long to be read.
    ///
    /// # Errors
    /// When there is no such run, or none was found.
    fn lift(
        &mut self,
        _lowered: LoweredId,
        _steps: &[(Label, Configuration)],
        _end: Observation,
        _max_states: u64,
        _progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        Err(NoRun::Absent)
    }

    /// The state that a configuration of a network stands for, if there is a single one.
    fn state_of(&mut self, _lowered: LoweredId, _configuration: &Configuration) -> Option<State> {
        None
    }

    /// Whether states are configurations of networks, and their steps those of the interpreter of networks. Otherwise
    /// they are terms of the language.
    fn has_configurations(&self) -> bool {
        false
    }

    /// The error in a failing step of a network, after a configuration if that is known. None if the process itself
    /// does not fail there, as far as is known: then it is explored on the fly.
    fn failed_step(
        &mut self,
        _lowered: LoweredId,
        _at: Option<&Configuration>,
        _failed: &FailedStep,
    ) -> Option<Box<Diagnostic>> {
        None
    }

    /// The component that a machine of a network stands for.
    fn machine(&mut self, _lowered: LoweredId, _machine: MachineId) -> Option<Component> {
        None
    }

    /// The label of an action of a machine, before others rename or hide it.
    fn action_label(&mut self, _lowered: LoweredId, _action: Action) -> Label {
        Label::TAU
    }
}
