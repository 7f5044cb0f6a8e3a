//! The way back from a network to the states of its process.

use super::tree::Tree;
use super::variables::Homes;
use crate::code::{ExprId, TermId};
use crate::run::System;
use model::data::ExpressionId;
use model::network::{Configuration, MachineId, Network};
use model::participants::Participants;
use model::process::State;
use smallvec::SmallVec;
use std::sync::Arc;

/// A network that was made of a process, and what its states stand for.
#[derive(Debug)]
pub struct Lowering {
    /// The network.
    pub network: Arc<Network>,
    /// Conditions on states, in the words of the network, as far as they have a value in each state.
    pub conditions: Vec<(ExprId, ExpressionId)>,
    /// Which processes take part in its rules, if that is known.
    pub participants: Option<Arc<Participants>>,
    /// Where each process stands: positions in nested compositions, from the outermost.
    pub processes: Arc<[Vec<u32>]>,
    pub(super) tree: Tree,
    /// What the states of each machine stand for.
    pub(super) terms: Vec<Vec<TermId>>,
    pub(super) homes: Homes,
    /// The messages of each buffer, by their numbers.
    pub(super) messages: Vec<Vec<SmallVec<[i32; 4]>>>,
}

impl Lowering {
    /// The process that a machine begins with.
    pub fn machine(&self, machine: MachineId) -> TermId {
        self.terms[machine.index()][0]
    }
}

impl System {
    /// The state that a configuration of a network stands for.
    pub fn state_behind(&mut self, lowering: &Lowering, configuration: &Configuration) -> State {
        let terms = configuration.locals.iter().zip(&lowering.terms);
        let leaves: Vec<TermId> = terms.map(|(local, terms)| terms[local.index()]).collect();
        let term = lowering.tree.term(self, &leaves);
        let message = |buffer: usize, number: i64| &lowering.messages[buffer][number as usize][..];
        let data = &lowering.network.data;
        let cells = lowering.homes.cells(self.code(), data, &configuration.data, message);
        self.state_of(term, &cells)
    }
}
