//! Automata-based LTL model checking: Vardi and Wolper (1986), *An automata-theoretic approach to automatic program
//! verification*.
//!
//! The product combines the system with the automaton of the violations, on the fly. A node is a state of the system
//! with a state of the observer. A step of the system moves the automaton by the letter of its position ([`letters`]);
//! silent steps leave the automaton unchanged. After the end of a run the automaton moves alone. Every visible move has
//! the mark [`VISIBLE`], and an accepting component has this mark and all of the automaton's own, so a divergence is
//! not a run.

mod bad_prefix;
mod component;
mod decide;
mod duties;
mod emptiness;
mod fairness;
mod lasso;
mod letters;
mod nodes;
mod pace;
mod past;
mod prefix;
mod regions;
mod shorten;
mod table;
mod whole;

pub use bad_prefix::{BadPrefix, bad_prefix, is_unsatisfiable};
pub(crate) use decide::automata;
pub use decide::{Answer, Size, Statistics, automaton_against, decide, holds, prepare};
pub use past::{Past, Values};
pub(crate) use past::{is_past, outside_the_past, replace_past};

use crate::system::ActionSystem;
use crate::{ActionNumber, FiniteRuns, Rules, Structure};
use component::Colors;
use hashbrown::HashMap;
use letters::Letters;
use ltl::automaton::Automaton;
use lts::StateId;
use nodes::{Node, Nodes};
use regions::Regions;
use table::Table;

/// The mark of visible moves.
const VISIBLE: u64 = 1 << 63;

/// The product of a system and an automaton.
struct Product<'a, S> {
    system: S,
    automaton: &'a Automaton,
    letters: Letters,
    past: Past,
    memories: Memories,
    /// The atom that is true after the end of a run.
    end: u64,
    finite_runs: FiniteRuns,
    nodes: Nodes,
    regions: Regions,
    table: Option<Table>,
    colors: Colors,
    /// Whether unknown steps were needed.
    has_reached_open: bool,
    values: Vec<bool>,
}

/// The numbering of memories of the past.
#[derive(Clone, Debug, Default)]
struct Memories {
    all: Vec<u64>,
    numbers: HashMap<u64, u32>,
}

impl Memories {
    fn number(&mut self, memory: u64) -> u32 {
        let Memories { all, numbers } = self;
        *numbers.entry(memory).or_insert_with(|| {
            all.push(memory);
            all.len() as u32 - 1
        })
    }
}

/// A cursor over the moves of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    step: u32,
    /// The edge of the automaton, counted from 1; 0 before the letter of the step is computed.
    edge: u32,
    letter: u64,
    /// The memory after this step.
    memory: u32,
}

/// A move of the product.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The action of the system; none after the end of a run.
    action: Option<ActionNumber>,
    target: Node,
    marks: u64,
}

impl<'a, S: ActionSystem> Product<'a, S> {
    fn new(system: S, automaton: &'a Automaton, letters: Letters, past: Past, rules: &Rules) -> Self {
        let n_observer_states = past.is_none().then(|| automaton.n_states());
        let end = if rules.finite_runs == FiniteRuns::Maximal { 1 << past.n_atoms() } else { 0 };
        let finite_runs = rules.finite_runs;
        let nodes = Nodes::new(n_observer_states, system.max_states());
        let table = n_observer_states.and_then(|_| Table::new(automaton, &letters, system.actions().len()));
        Product {
            system,
            automaton,
            letters,
            past,
            memories: Memories::default(),
            end,
            finite_runs,
            nodes,
            regions: Regions::new(automaton),
            table,
            colors: Colors::default(),
            has_reached_open: false,
            values: Vec::new(),
        }
    }

    /// A copy of the product for another worker, with its own numbering.
    fn copy_for_worker<'b>(&self, whole: &'b Structure) -> Product<'b, &'b Structure>
    where
        'a: 'b,
    {
        Product {
            system: whole,
            automaton: self.automaton,
            letters: self.letters.clone(),
            past: self.past.clone(),
            memories: self.memories.clone(),
            end: self.end,
            finite_runs: self.finite_runs,
            nodes: self.nodes.copy_for_worker(),
            regions: self.regions.clone(),
            table: self.table.clone(),
            colors: Colors::default(),
            has_reached_open: false,
            values: Vec::new(),
        }
    }

    /// The initial node.
    fn initial(&mut self) -> Node {
        let memory = self.memories.number(self.past.initial);
        let observer_state = memory * self.automaton.n_states() as u32 + self.automaton.initial();
        Node { state: self.system.initial(), observer_state }
    }

    /// All marks of an accepting component.
    fn all_marks(&self) -> u64 {
        VISIBLE | ((1 << self.automaton.n_sets()) - 1)
    }

    fn automaton_state(&self, node: Node) -> u32 {
        node.observer_state % self.automaton.n_states() as u32
    }

    fn is_stuck(&mut self, state: StateId) -> bool {
        self.system.steps(&state).is_ok_and(<[_]>::is_empty)
    }

    /// The next move of a node.
    #[inline]
    fn next(&mut self, node: Node, cursor: &mut Cursor) -> Option<Move> {
        loop {
            let Ok(steps) = self.system.steps(&node.state) else {
                self.has_reached_open = true;
                return None;
            };
            let Some(&step) = steps.get(cursor.step as usize) else {
                return if steps.is_empty() && cursor.step == 0 { self.next_at_end(node, cursor) } else { None };
            };
            if self.letters.is_silent(&step) {
                *cursor = Cursor { step: cursor.step + 1, ..Cursor::default() };
                return Some(Move { action: Some(step.label), target: Node { state: step.target, ..node }, marks: 0 });
            }
            if cursor.edge == 0 {
                let Some(letter) = self.letters.of_state(&mut self.system, node.state) else {
                    self.has_reached_open = true;
                    return None;
                };
                self.read(node, cursor, letter | self.letters.of_step(&step), true);
            }
            if let Some((marks, observer_state)) = self.next_edge(node, cursor) {
                return Some(Move {
                    action: Some(step.label),
                    target: Node { state: step.target, observer_state },
                    marks,
                });
            }
            *cursor = Cursor { step: cursor.step + 1, ..Cursor::default() };
        }
    }

    /// The next move after the end of a run.
    #[cold]
    fn next_at_end(&mut self, node: Node, cursor: &mut Cursor) -> Option<Move> {
        if self.finite_runs == FiniteRuns::Ignore {
            return None;
        }
        if cursor.edge == 0 {
            let letter =
                self.letters.of_end(&mut self.system, node.state).expect("all is known where nothing is possible");
            // The memory stays unchanged: there are no further positions, unless the last one is repeated.
            self.read(node, cursor, letter, self.finite_runs == FiniteRuns::Stutter);
            cursor.letter |= self.end;
        }
        let (marks, observer_state) = self.next_edge(node, cursor)?;
        Some(Move { action: None, target: Node { state: node.state, observer_state }, marks })
    }

    /// Sets the letter of a position in the cursor.
    fn read(&mut self, node: Node, cursor: &mut Cursor, letter: u64, has_next_position: bool) {
        let memory = node.observer_state / self.automaton.n_states() as u32;
        (cursor.letter, cursor.memory) = (letter, memory);
        if !self.past.is_none() {
            let (letter, next) = self.past.advance(letter, self.memories.all[memory as usize], &mut self.values);
            cursor.letter = letter;
            if has_next_position {
                cursor.memory = self.memories.number(next);
            }
        }
        cursor.edge = 1;
    }

    /// The next edge of the automaton that the letter allows: its marks, and the target state of the observer.
    #[inline]
    fn next_edge(&self, node: Node, cursor: &mut Cursor) -> Option<(u64, u32)> {
        let edges = self.automaton.edges(self.automaton_state(node));
        while let Some(edge) = edges.get(cursor.edge as usize - 1) {
            cursor.edge += 1;
            if edge.guard.matches(cursor.letter) {
                let observer_state = cursor.memory * self.automaton.n_states() as u32 + edge.target;
                return Some((edge.marks | VISIBLE, observer_state));
            }
        }
        None
    }
}
