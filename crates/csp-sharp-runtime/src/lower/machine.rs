//! Exploration of a component as a machine: all terms that it can reach under any valuation.

use super::moves::{Move, Sort, Symbolic};
use super::tree::Parts;
use super::{Limit, NotLowered};
use crate::code::{ClockId, TermId};
use crate::run::GuardId;
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::MAX_EDGES_EACH;
use model::network::{Action, Edge, LocalState, MachineId};

/// A machine under construction.
pub(super) struct ExploredMachine {
    /// The term of each state.
    pub(super) terms: Vec<TermId>,
    /// The edges of each state.
    pub(super) edges: Vec<Vec<Edge>>,
    /// The move of each action.
    pub(super) actions: Vec<Move<()>>,
    /// The clock that each action resets.
    pub(super) starts: Vec<Option<ClockId>>,
}

impl ExploredMachine {
    /// Explores the terms that are reachable from an initial one.
    pub(super) fn explore(
        symbolic: &mut Symbolic<'_>,
        initial: TermId,
        most: usize,
    ) -> Result<ExploredMachine, NotLowered> {
        let (initial, _) = symbolic.activated(initial)?;
        let mut terms = vec![initial];
        let mut numbers: HashMap<TermId, u32> = HashMap::from([(initial, 0)]);
        let (mut actions, mut starts) = (Vec::new(), Vec::new());
        let mut action_numbers: HashMap<(Move<()>, Option<ClockId>), u32> = HashMap::new();
        let mut states = Vec::new();
        let (mut next, mut n_edges) = (0, 0);
        while next < terms.len() {
            if terms.len() > most {
                return Err(NotLowered::Large(Limit::States));
            }
            if n_edges > most.saturating_mul(MAX_EDGES_EACH) {
                return Err(NotLowered::Large(Limit::Moves));
            }
            if next % 64 == 0 {
                symbolic.poll()?;
            }
            let mut edges = Vec::new();
            for found in symbolic.moves(terms[next])?.iter() {
                let (target, started) = match found.sort {
                    Sort::Fault => (terms[next], None),
                    _ => symbolic.activated(found.change)?,
                };
                let target = *numbers.entry(target).or_insert_with(|| {
                    terms.push(target);
                    terms.len() as u32 - 1
                });
                let action = (with_change(found, ()), started);
                let number = *action_numbers.entry(action).or_insert_with_key(|(action, started)| {
                    actions.push(action.clone());
                    starts.push(*started);
                    actions.len() as u32 - 1
                });
                edges.push(Edge { action: Action(number), target: LocalState(target) });
            }
            n_edges += edges.len();
            states.push(edges);
            next += 1;
        }
        Ok(ExploredMachine { terms, edges: states, actions, starts })
    }

    /// Its moves as one of several machines. Clock guards are checked for each machine separately.
    pub(super) fn moves(&self, number: usize) -> Vec<Move<Parts>> {
        let machine = MachineId(number as u32);
        let moves = (0..).zip(&self.actions);
        moves
            .map(|(action, next)| {
                let parts = vec![(machine, Action(action))];
                Move { guard: GuardId::NONE, ..with_change(next, parts) }
            })
            .collect()
    }
}

fn with_change<T, U>(next: &Move<T>, change: U) -> Move<U> {
    Move {
        conditions: next.conditions.clone(),
        effects: next.effects.clone(),
        label: next.label,
        sort: next.sort,
        participants: next.participants,
        is_atomic: next.is_atomic,
        guard: next.guard,
        is_urgent: next.is_urgent,
        change,
    }
}
