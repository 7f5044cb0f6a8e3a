//! Runs that somebody else finds, without exploring a network.

use crate::{ActionNetwork, Property, Reason, Rules, Run};
use model::network::{Configuration, NetworkStep};
use progress::Progress;

/// Looks for runs of networks that break properties. What it finds is done again and judged before it is an answer.
pub trait Finder {
    /// A run that breaks a property; nothing if none of those that were looked at does.
    ///
    /// # Errors
    /// Why that is not known.
    fn find(
        &self,
        network: &ActionNetwork,
        property: &Property,
        rules: &Rules,
        progress: &dyn Progress,
    ) -> Result<Option<Discovery>, Reason>;
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Discovery {
    /// A run, its states numbered by their places among these configurations.
    Run(Run, Vec<Configuration>),
    /// Steps, labelled by actions, to a configuration in which one goes wrong.
    Failure(Vec<NetworkStep>),
}
