//! Steps that go wrong.
//!
//! Every search looks for them, whatever else it looks for: what a network does beyond an error has no meaning, so no
//! answer that ignores one is an answer. Of all findings the one that fewer steps lead to is reported, and of those the
//! first that the search meets. In one state an error comes first: what else is offered there is not known.

use crate::network::NetworkSpace;
use crate::path::steps_along;
use model::network::{Configuration, FailedStep, Network, NetworkStep};

/// A run to a configuration in which a step goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The steps from the initial configuration.
    pub steps: Vec<NetworkStep>,
    /// What goes wrong after them.
    pub failed: FailedStep,
}

impl Failure {
    /// What goes wrong at the end of a path.
    pub(crate) fn at_end<const W: usize>(space: &NetworkSpace<'_>, path: &[[u64; W]]) -> Failure {
        let last = space.unpack(path.last().expect("a path has an end"));
        Failure { steps: steps_along(space, space, path), failed: failed_step(space.network(), &last) }
    }
}

/// The first step of a configuration that goes wrong, by the interpreter of networks.
///
/// # Panics
/// When there is none.
pub(crate) fn failed_step(network: &Network, configuration: &Configuration) -> FailedStep {
    let failure = network.failures(configuration).into_iter().next();
    failure.expect("what goes wrong on packed states goes wrong on the interpreter")
}
