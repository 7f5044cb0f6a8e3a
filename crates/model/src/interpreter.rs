//! Networks as transition systems explored on the fly, by the semantics of their rules alone.

use crate::network::{Configuration, Network, NetworkStep};
use lts::Label;
use lts::walk::{Step, System};
use std::convert::Infallible;

impl Step for NetworkStep {
    type State = Configuration;

    fn label(&self) -> Label {
        self.label
    }

    fn target(&self) -> &Configuration {
        &self.target
    }
}

/// A network as a transition system over configurations, with the steps that [`Network::steps`] defines.
#[derive(Clone, Debug)]
pub struct InterpretedNetwork<'a> {
    network: &'a Network,
    steps: Vec<NetworkStep>,
}

impl<'a> InterpretedNetwork<'a> {
    /// The transition system of a network.
    pub fn new(network: &'a Network) -> InterpretedNetwork<'a> {
        InterpretedNetwork { network, steps: Vec::new() }
    }
}

impl System for InterpretedNetwork<'_> {
    type State = Configuration;
    type Step = NetworkStep;
    type Error = Infallible;

    const EFFORT: usize = 16;

    fn initial(&self) -> Configuration {
        self.network.initial.clone()
    }

    fn steps(&mut self, configuration: &Configuration) -> Result<&[NetworkStep], Infallible> {
        self.steps = self.network.steps(configuration);
        Ok(&self.steps)
    }
}
