//! Accepting components of the automaton.
//!
//! A component of the product projects into a component of the automaton. If that lacks a mark, the product is only
//! traversed there, without a search for components.

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

    /// Whether a state of the automaton is left only by nondeterministic choice: it has a loop for every letter and is
    /// in no accepting component.
    pub(super) fn is_idle(&self, automaton: &Automaton, state: u32) -> bool {
        let stays = |edge: &Edge| edge.target == state && edge.guard == Guard::default();
        !self.is_accepting(state) && automaton.edges(state).iter().any(stays)
    }

    /// Whether two states of the automaton are in the same component.
    #[inline]
    pub(super) fn are_together(&self, one: u32, two: u32) -> bool {
        self.of[one as usize] == self.of[two as usize]
    }

    /// Whether the component of a state is accepting.
    #[inline]
    pub(super) fn is_accepting(&self, state: u32) -> bool {
        self.is_accepting[state as usize]
    }
}

/// For each state, the states reachable by one edge or more.
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
