//! Precomputed moves of the automaton by actions, where letters depend on nothing else.

use super::letters::Letters;
use super::nodes::Node;
use super::{Cursor, Product, VISIBLE};
use crate::ActionNumber;
use crate::system::ActionSystem;
use limits::effort::products::MAX_TABLE;
use ltl::automaton::Automaton;
use lts::{Label, Transition};

/// For each state of the automaton and each action, the targets with their marks.
#[derive(Clone, Debug)]
pub(super) struct Table {
    n_actions: usize,
    starts: Vec<u32>,
    /// Whether some of these moves lead to another state of the automaton.
    leaves: Vec<bool>,
    moves: Vec<(u32, u64)>,
}

impl Table {
    /// The table, if letters depend on actions only and it is not too large.
    pub(super) fn new(automaton: &Automaton, letters: &Letters, n_actions: usize) -> Option<Table> {
        if letters.depends_on_states() || n_actions.saturating_mul(automaton.n_states()) > MAX_TABLE {
            return None;
        }
        let mut table = Table { n_actions, starts: vec![0], leaves: Vec::new(), moves: Vec::new() };
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
                let moves = &table.moves[table.starts[table.starts.len() - 1] as usize..];
                table.leaves.push(moves.iter().any(|&(target, _)| target != state));
                table.starts.push(u32::try_from(table.moves.len()).ok()?);
            }
        }
        Some(table)
    }

    #[inline]
    fn moves(&self, state: u32, action: ActionNumber) -> &[(u32, u64)] {
        let place = state as usize * self.n_actions + action.index();
        &self.moves[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    #[inline]
    fn leaves(&self, state: u32, action: ActionNumber) -> bool {
        self.leaves[state as usize * self.n_actions + action.index()]
    }
}

/// A move of the product in compact form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) target: u32,
    /// The target state of the automaton.
    pub(super) automaton_state: u32,
    pub(super) marks: u64,
    /// The action of the system; none after the end of a run.
    pub(super) action: Option<ActionNumber>,
}

impl<S: ActionSystem> Product<'_, S> {
    /// All moves of a node.
    pub(super) fn find_arrows(&mut self, number: u32, arrows: &mut Vec<Arrow>) {
        let is_told = self.find_in_table(number, arrows, |_, _, _| true);
        if !is_told {
            self.find_by_letters(number, arrows);
        }
    }

    /// The moves of a node by which the automaton leaves its state.
    pub(super) fn find_exits(&mut self, number: u32, arrows: &mut Vec<Arrow>) {
        let is_told = self.find_in_table(number, arrows, Table::leaves);
        if !is_told {
            self.find_by_letters(number, arrows);
        }
        let state = self.automaton_state(self.nodes.get(number));
        arrows.retain(|arrow| arrow.automaton_state != state);
    }

    /// The moves of a node by the relevant ones of its steps, if they are in the table.
    #[inline]
    fn find_in_table(
        &mut self,
        number: u32,
        arrows: &mut Vec<Arrow>,
        is_relevant: impl Fn(&Table, u32, ActionNumber) -> bool,
    ) -> bool {
        arrows.clear();
        let Node { state, observer_state } = self.nodes.get(number);
        let Some(table) = &self.table else { return false };
        let Some(steps) = self.system.steps(&state).ok().filter(|steps| !steps.is_empty()) else { return false };
        for step in steps.iter().filter(|step| is_relevant(table, observer_state, step.label)) {
            for &(observer_state, marks) in table.moves(observer_state, step.label) {
                let target = self.nodes.number(Node { state: step.target, observer_state });
                arrows.push(Arrow { target, automaton_state: observer_state, marks, action: Some(step.label) });
            }
        }
        true
    }

    fn find_by_letters(&mut self, number: u32, arrows: &mut Vec<Arrow>) {
        let node = self.nodes.get(number);
        let mut cursor = Cursor::default();
        while let Some(next) = self.next(node, &mut cursor) {
            let target = self.nodes.number(next.target);
            let automaton_state = self.automaton_state(next.target);
            arrows.push(Arrow { target, automaton_state, marks: next.marks, action: next.action });
        }
    }
}
