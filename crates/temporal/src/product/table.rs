//! What the automaton does at each action, where that depends on nothing else.

use super::letters::Letters;
use super::{Product, VISIBLE};
use crate::system::System;
use ltl::automaton::Automaton;
use lts::{Label, Transition};

/// For each state of the automaton and each action, where it may go, and the marks of that.
#[derive(Debug)]
pub(super) struct Table {
    n_actions: usize,
    starts: Vec<u32>,
    moves: Vec<(u32, u64)>,
}

/// Larger tables are not worth their place in the cache.
const MAX_MOVES: usize = 1 << 20;

impl Table {
    /// The table, if letters depend on actions only and it is not too large.
    pub(super) fn new(automaton: &Automaton, letters: &Letters, n_actions: usize) -> Option<Table> {
        if letters.speak_of_states() || n_actions.saturating_mul(automaton.n_states()) > MAX_MOVES {
            return None;
        }
        let mut table = Table { n_actions, starts: vec![0], moves: Vec::new() };
        for state in 0..automaton.n_states() as u32 {
            for action in 0..n_actions as u32 {
                let step = Transition { label: Label(action), target: lts::StateId(0) };
                if letters.is_silent(&step) {
                    table.moves.push((state, 0));
                } else {
                    let letter = letters.of_step(&step);
                    let edges = automaton.edges(state).iter().filter(|edge| edge.guard.matches(letter));
                    table.moves.extend(edges.map(|edge| (edge.target, edge.marks | VISIBLE)));
                }
                table.starts.push(u32::try_from(table.moves.len()).ok()?);
            }
        }
        Some(table)
    }

    #[inline]
    fn moves(&self, state: u32, action: Label) -> &[(u32, u64)] {
        let place = state as usize * self.n_actions + action.index();
        &self.moves[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// A move by numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) target: u32,
    /// The state of the automaton there.
    pub(super) automaton_state: u32,
    pub(super) marks: u64,
    /// Whether the run has ended.
    pub(super) has_ended: bool,
}

impl<S: System> Product<'_, S> {
    /// All moves of a node.
    pub(super) fn find_arrows(&mut self, number: u32, arrows: &mut Vec<Arrow>) {
        arrows.clear();
        let node = self.nodes.get(number);
        if let Some(table) = &self.table
            && let Some(steps) = self.system.steps(node.state)
            && !steps.is_empty()
        {
            for step in steps {
                for &(mind, marks) in table.moves(node.mind, step.label) {
                    let target = self.nodes.number(super::Node { state: step.target, mind });
                    arrows.push(Arrow { target, automaton_state: mind, marks, has_ended: false });
                }
            }
            return;
        }
        let mut cursor = super::Cursor::default();
        while let Some(next) = self.next(node, &mut cursor) {
            let target = self.nodes.number(next.target);
            let automaton_state = self.automaton_state(next.target);
            arrows.push(Arrow { target, automaton_state, marks: next.marks, has_ended: next.action.is_none() });
        }
    }
}
