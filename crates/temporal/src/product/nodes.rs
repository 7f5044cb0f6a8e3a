//! Pairs of a state of the system and what is remembered of the run, numbered in the order in which they are met.

use hashbrown::HashMap;
use lts::StateId;

/// A state of the system, and what the formula has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) state: StateId,
    /// The state of the automaton, and which memory of the past.
    pub(super) mind: u32,
}

/// All nodes met.
#[derive(Debug)]
pub(super) struct Nodes {
    all: Vec<Node>,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    /// One place for each state and each mind, counted from 1.
    Dense(Vec<u32>, usize),
    Sparse(HashMap<u64, u32>),
}

/// Automata with more states do not get a place for each pair.
const MAX_DENSE: usize = 16;

impl Nodes {
    /// For minds below `n_minds`, if that is known.
    pub(super) fn new(n_minds: Option<usize>) -> Nodes {
        let numbers = match n_minds {
            Some(n_minds) if n_minds <= MAX_DENSE => Numbers::Dense(Vec::new(), n_minds),
            _ => Numbers::Sparse(HashMap::new()),
        };
        Nodes { all: Vec::new(), numbers }
    }

    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        match &mut self.numbers {
            Numbers::Dense(places, _) => places.clear(),
            Numbers::Sparse(numbers) => numbers.clear(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, number: u32) -> Node {
        self.all[number as usize]
    }

    /// The number of a node, and whether it is met for the first time.
    #[inline]
    pub(super) fn number(&mut self, node: Node) -> (u32, bool) {
        let fresh = self.all.len() as u32;
        let number = match &mut self.numbers {
            Numbers::Dense(places, n_minds) => {
                let place = node.state.index() * *n_minds + node.mind as usize;
                if places.len() <= place {
                    places.resize((place + 1).max(2 * places.len()), 0);
                }
                if places[place] == 0 {
                    places[place] = fresh + 1;
                }
                places[place] - 1
            }
            Numbers::Sparse(numbers) => {
                *numbers.entry(u64::from(node.state.0) << 32 | u64::from(node.mind)).or_insert(fresh)
            }
        };
        if number == fresh {
            self.all.push(node);
        }
        (number, number == fresh)
    }

    /// The number of a node that was met.
    pub(super) fn find(&self, node: Node) -> Option<u32> {
        match &self.numbers {
            Numbers::Dense(places, n_minds) => {
                let place = places.get(node.state.index() * *n_minds + node.mind as usize);
                place.and_then(|number| number.checked_sub(1))
            }
            Numbers::Sparse(numbers) => numbers.get(&(u64::from(node.state.0) << 32 | u64::from(node.mind))).copied(),
        }
    }
}
