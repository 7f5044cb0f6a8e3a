//! Failing steps, such as an assignment out of range.
//!
//! Every search reports them, whatever property it checks: the behavior of a network after a failure is undefined, so
//! no verdict may ignore one. The search reports the finding with the shortest run, and among those the first one it
//! discovers. Within a state a failure takes precedence, because the other steps of that state are unknown.

use crate::network::NetworkSpace;
use crate::path::steps_along;
use model::network::{Configuration, FailedStep, Network, NetworkStep};

/// A run to a configuration with a failing step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The steps from the initial configuration.
    pub steps: Vec<NetworkStep>,
    /// The step that fails after them.
    pub failed: FailedStep,
}

impl Failure {
    /// The failure at the end of a path.
    pub(crate) fn at_end<const W: usize>(space: &NetworkSpace<'_>, path: &[[u64; W]]) -> Failure {
        let last = space.unpack(path.last().expect("a path has an end"));
        Failure { steps: steps_along(space, space, path), failed: failed_step(space.network(), &last) }
    }
}

/// The first failing step of a configuration, by the interpreter of networks.
///
/// # Panics
/// When there is none.
pub(crate) fn failed_step(network: &Network, configuration: &Configuration) -> FailedStep {
    let failure = network.failures(configuration).into_iter().next();
    failure.expect("a step that fails on packed states fails on the interpreter")
}
