//! Automorphisms of networks.

use super::core::Core;
use super::exact::Exact;
use super::permutation::Permutation;
use lts::Label;
use model::network::{Configuration, LocalState, ModeId, Network};

/// A permutation of the machines of a network, their states and actions, its modes and labels, that preserves the rules
/// and the initial configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Automorphism {
    /// In the order of machines; absent machines are fixed.
    pub(super) moves: Vec<Move>,
    pub(super) modes: Permutation,
    pub(super) labels: Permutation,
}

/// The image of one machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The machine.
    pub(super) from: u32,
    /// Its image.
    pub(super) to: u32,
    /// From its states to those of its image.
    pub(super) states: Permutation,
    /// From its actions to those of its image.
    pub(super) actions: Permutation,
}

impl Move {
    pub(super) fn changes_anything(&self) -> bool {
        self.from != self.to || !self.states.is_identity() || !self.actions.is_identity()
    }

    fn then(&self, next: &Automorphism) -> Move {
        let Some(after) = next.move_of(self.to) else { return self.clone() };
        let (states, actions) = (self.states.then(&after.states), self.actions.then(&after.actions));
        Move { from: self.from, to: after.to, states, actions }
    }

    fn inverse(&self) -> Move {
        Move { from: self.to, to: self.from, states: self.states.inverse(), actions: self.actions.inverse() }
    }
}

impl Automorphism {
    /// The image of a machine, unless the machine is fixed.
    #[inline]
    pub(super) fn move_of(&self, machine: u32) -> Option<&Move> {
        self.moves.binary_search_by_key(&machine, |one| one.from).ok().map(|place| &self.moves[place])
    }

    /// The number of the image of a machine.
    pub(super) fn machine(&self, machine: u32) -> u32 {
        self.move_of(machine).map_or(machine, |one| one.to)
    }

    /// The image of a configuration.
    pub fn apply(&self, configuration: &Configuration) -> Configuration {
        let mut image = configuration.clone();
        image.mode = ModeId(self.modes.image(configuration.mode.0));
        for one in &self.moves {
            let state = configuration.locals[one.from as usize];
            image.locals[one.to as usize] = LocalState(one.states.image(state.0));
        }
        image
    }

    /// The image of a label.
    pub fn label(&self, label: Label) -> Label {
        Label(self.labels.image(label.0))
    }

    /// The composition: first this one, then the next.
    pub fn then(&self, next: &Automorphism) -> Automorphism {
        let here = self.moves.iter().map(|one| one.then(next));
        let there = next.moves.iter().filter(|one| self.move_of(one.from).is_none()).cloned();
        let mut moves: Vec<Move> = here.chain(there).filter(Move::changes_anything).collect();
        moves.sort_unstable_by_key(|one| one.from);
        Automorphism { moves, modes: self.modes.then(&next.modes), labels: self.labels.then(&next.labels) }
    }

    /// The inverse.
    pub fn inverse(&self) -> Automorphism {
        let mut moves: Vec<Move> = self.moves.iter().map(Move::inverse).collect();
        moves.sort_unstable_by_key(|one| one.from);
        Automorphism { moves, modes: self.modes.inverse(), labels: self.labels.inverse() }
    }

    /// Whether it is an automorphism of the relevant part of a network and preserves the colors of labels, by the
    /// definition.
    pub fn is_of(&self, network: &Network, color_of_label: &dyn Fn(Label) -> u32) -> bool {
        let core = Core::of(network);
        core.inward(self).is_some_and(|inward| Exact::new(&core.network, color_of_label).accepts(&inward))
    }

    /// Its size in memory, in numbers.
    pub(super) fn size(&self) -> usize {
        let moves = self.moves.iter().map(|one| 16 + one.states.size() + one.actions.size());
        moves.sum::<usize>() + self.modes.size() + self.labels.size()
    }
}
