//! A process that becomes a machine: all terms it can be, whatever variables are.

use super::moves::{Move, Sort, Symbolic};
use super::tree::Parts;
use super::{Limit, NotLowered};
use crate::code::TermId;
use hashbrown::HashMap;
use model::network::{Action, Edge, LocalState, MachineId};

/// A machine that is made.
pub(super) struct Made {
    /// What each of its states stands for.
    pub(super) terms: Vec<TermId>,
    /// The steps of each state.
    pub(super) edges: Vec<Vec<Edge>>,
    /// What each of its actions is.
    pub(super) actions: Vec<Move<()>>,
}

impl Made {
    /// All that a term can become.
    pub(super) fn explore(symbolic: &mut Symbolic<'_>, initial: TermId, most: usize) -> Result<Made, NotLowered> {
        let mut terms = vec![initial];
        let mut numbers: HashMap<TermId, u32> = HashMap::from([(initial, 0)]);
        let mut actions = Vec::new();
        let mut action_numbers: HashMap<Move<()>, u32> = HashMap::new();
        let mut states = Vec::new();
        let mut next = 0;
        while next < terms.len() {
            if terms.len() > most {
                return Err(NotLowered::Large(Limit::States));
            }
            let mut edges = Vec::new();
            for found in symbolic.moves(terms[next])?.iter() {
                let target = match found.sort {
                    Sort::Fault => next as u32,
                    _ => *numbers.entry(found.change).or_insert_with(|| {
                        terms.push(found.change);
                        terms.len() as u32 - 1
                    }),
                };
                let action = without_change(found);
                let number = *action_numbers.entry(action).or_insert_with_key(|action| {
                    actions.push(action.clone());
                    actions.len() as u32 - 1
                });
                edges.push(Edge { action: Action(number), target: LocalState(target) });
            }
            states.push(edges);
            next += 1;
        }
        Ok(Made { terms, edges: states, actions })
    }

    /// What it does as one of several machines.
    pub(super) fn moves(&self, number: usize) -> Vec<Move<Parts>> {
        let machine = MachineId(number as u32);
        let moves = (0..).zip(&self.actions);
        moves.map(|(action, next)| with_change(next, vec![(machine, Action(action))])).collect()
    }
}

fn without_change(next: &Move<TermId>) -> Move<()> {
    with_change(next, ())
}

fn with_change<T, U>(next: &Move<T>, change: U) -> Move<U> {
    Move {
        conditions: next.conditions.clone(),
        effects: next.effects.clone(),
        label: next.label,
        sort: next.sort,
        team: next.team,
        is_atomic: next.is_atomic,
        change,
    }
}
