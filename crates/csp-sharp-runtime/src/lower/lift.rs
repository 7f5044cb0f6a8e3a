//! Lifting of network configurations to states of the process.

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

/// The network of a process, with the interpretation of its states.
#[derive(Debug)]
pub struct Lowering {
    /// The network.
    pub network: Arc<Network>,
    /// Conditions on states with their network expressions. Conditions that fault in some state are left out.
    pub conditions: Vec<(ExprId, ExpressionId)>,
    /// The participants of rules, if they are known.
    pub participants: Option<Arc<Participants>>,
    /// The position of each process in nested compositions, outermost first.
    pub processes: Arc<[Vec<u32>]>,
    pub(super) tree: Tree,
    /// The term of each state of each machine.
    pub(super) terms: Vec<Vec<TermId>>,
    pub(super) homes: Homes,
    /// The messages of each buffer, by number.
    pub(super) messages: Vec<Vec<SmallVec<[i32; 4]>>>,
}

impl Lowering {
    /// The initial term of a machine.
    pub fn machine(&self, machine: MachineId) -> TermId {
        self.terms[machine.index()][0]
    }
}

impl System {
    /// The state that a configuration represents.
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
