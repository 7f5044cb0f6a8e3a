//! Where in an automaton a run can stay for ever and be accepted.
//!
//! A component of the product stays within a component of the automaton. Where that lacks a mark, no component has to
//! be looked for: it is enough to walk through.

use ltl::automaton::{Automaton, Edge, Guard};

/// The components of an automaton.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    of: Vec<u32>,
    is_accepting: Vec<bool>,
}

impl Regions {
    pub(super) fn new(automaton: &Automaton) -> Regions {
        let n = automaton.n_states();
        let reaches = reachability(automaton);
        let together = |one: usize, two: usize| one == two || reaches[one][two] && reaches[two][one];
        let of: Vec<u32> =
            (0..n).map(|state| (0..n).position(|other| together(state, other)).unwrap_or(state) as u32).collect();
        let all_marks = (1u64 << automaton.n_sets()) - 1;
        let accepts = |region: u32| {
            let inside = |state: &u32| of[*state as usize] == region;
            let edges = (0..n as u32).filter(inside).flat_map(|state| automaton.edges(state));
            let mut edges = edges.filter(|edge| inside(&edge.target)).peekable();
            edges.peek().is_some() && edges.fold(0, |marks, edge| marks | edge.marks) & all_marks == all_marks
        };
        let is_accepting = of.iter().map(|&region| accepts(region)).collect();
        Regions { of, is_accepting }
    }

    /// Whether a state of the automaton is left only by choice: it can always stay, and nothing is accepted there.
    pub(super) fn is_idle(&self, automaton: &Automaton, state: u32) -> bool {
        let stays = |edge: &Edge| edge.target == state && edge.guard == Guard::default();
        !self.is_accepting(state) && automaton.edges(state).iter().any(stays)
    }

    /// Whether two states of the automaton are in the same component.
    #[inline]
    pub(super) fn are_together(&self, one: u32, two: u32) -> bool {
        self.of[one as usize] == self.of[two as usize]
    }

    /// Whether a run can stay in the component of a state and be accepted.
    #[inline]
    pub(super) fn is_accepting(&self, state: u32) -> bool {
        self.is_accepting[state as usize]
    }
}

/// For each state, which states can be reached by one edge or more.
fn reachability(automaton: &Automaton) -> Vec<Vec<bool>> {
    let n = automaton.n_states();
    let from = |start: usize| {
        let mut is_reached = vec![false; n];
        let mut open = vec![start as u32];
        while let Some(state) = open.pop() {
            for edge in automaton.edges(state) {
                if !std::mem::replace(&mut is_reached[edge.target as usize], true) {
                    open.push(edge.target);
                }
            }
        }
        is_reached
    };
    (0..n).map(from).collect()
}
