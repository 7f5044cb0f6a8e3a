//! Translation of LTL to Büchi automata as in LTL2BA (Gastin and Oddoux, 2001, Fast LTL to Büchi automata translation).
//!
//! The stages are a very weak alternating automaton, a generalized Büchi automaton whose states are sets of its states,
//! and a Büchi automaton, each simplified. Tools based on LTL2BA report the number of visited product states, so the
//! automaton must be equal to LTL2BA's, edge by edge and in the same order; for deciding formulas, [`ltl::automaton`]
//! builds smaller ones.

mod alternating;
mod buchi;
mod generalized;
mod places;
mod reduced;
#[cfg(test)]
mod tests;

use ltl::syntax::{self, Binary, Form, Unary};
use reduced::{Operator, Reducer, Tree};
use std::rc::Rc;

/// Limit on the nodes of a formula.
const MAX_FORMULA: usize = 400;
/// Limit on the number of atoms.
const MAX_ATOMS: u32 = 64;
/// Limit on the states of an alternating automaton.
const MAX_NODES: u32 = 64;
/// Limit on the states of the other automata, before simplification.
const MAX_STATES: usize = 2_000;
/// Limit on the number of joint transitions.
const MAX_MOVES: usize = 500_000;

/// Büchi automaton: a run is accepted if it visits accepting states infinitely often. The first edge reads the first
/// position of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi {
    /// All states.
    pub states: Vec<State>,
    /// Initial state; none if the language is empty.
    pub initial: Option<usize>,
}

/// State of a Büchi automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Number by which LTL2BA shows it, together with its acceptance; none for the initial state. Numbers are not
    /// unique.
    pub shown: Option<u32>,
    /// Whether it accepts.
    pub is_accepting: bool,
    /// Outgoing edges, first those to accepting states.
    pub edges: Vec<Edge>,
}

impl Buchi {
    /// Quotient by the shown number and acceptance: the automaton read from LTL2BA's output. With several acceptance
    /// sets, it may accept a larger language.
    pub fn as_shown(&self) -> Buchi {
        let name = |state: &State| (state.shown, state.is_accepting);
        let mut names: Vec<(Option<u32>, bool)> = Vec::new();
        for state in &self.states {
            if !names.contains(&name(state)) {
                names.push(name(state));
            }
        }
        let number = |state: usize| names.iter().position(|&known| known == name(&self.states[state]));
        let number = |state: usize| number(state).expect("all have a name");
        let states = names.iter().map(|&own| {
            let same = self.states.iter().filter(|state| name(state) == own);
            let edges = same.flat_map(|state| &state.edges).map(|edge| Edge { to: number(edge.to), ..*edge });
            State { shown: own.0, is_accepting: own.1, edges: edges.collect() }
        });
        Buchi { states: states.collect(), initial: self.initial.map(number) }.accepting_first()
    }

    /// Reorders edges such that those to accepting states come first.
    fn accepting_first(mut self) -> Buchi {
        let accepts: Vec<bool> = self.states.iter().map(|state| state.is_accepting).collect();
        self.states.iter_mut().for_each(|state| state.edges.sort_by_key(|edge| !accepts[edge.to]));
        self
    }
}

/// Edge of a Büchi automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Target state.
    pub to: usize,
    positive: Set,
    negative: Set,
}

impl Edge {
    /// Whether the edge is enabled when exactly these atoms are true.
    pub fn is_possible(&self, atoms: u64) -> bool {
        Set::allows(self.positive, self.negative, atoms)
    }
}

/// Result of a translation.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Automaton of the words that satisfy the formula.
    pub automaton: Buchi,
    /// Whether the simplified formula has no eventuality.
    pub is_safe_by_syntax: bool,
}

impl Translated {
    /// Whether LTL2BA's users classify the formula as a safety property: by its operators, or because all states
    /// accept.
    pub fn is_safety(&self) -> bool {
        self.is_safe_by_syntax || self.automaton.states.iter().all(|state| state.is_accepting)
    }
}

/// Translates a formula, or its negation. Atoms have numbers and names; names determine the order of operands. `None`
/// if LTL2BA does not support an operator, or a limit is exceeded.
pub fn translate(
    formula: &syntax::Formula,
    is_negated: bool,
    names: &[String],
    atom: impl Fn(&syntax::Atom) -> Option<u32>,
) -> Option<Translated> {
    let reducer = Reducer { names };
    let tree = reduce(formula, &reducer, atom)?;
    let tree = if is_negated { reducer.not(&reducer.simpler(&tree)) } else { tree };
    let automaton = buchi::build(&generalized::build(&alternating::build(&tree)?)?)?;
    Some(Translated { automaton, is_safe_by_syntax: !tree.has_until() })
}

/// Simplifies a formula bottom-up.
fn reduce(
    formula: &syntax::Formula,
    reducer: &Reducer<'_>,
    atom: impl Fn(&syntax::Atom) -> Option<u32>,
) -> Option<Rc<Tree>> {
    if formula.nodes.len() > MAX_FORMULA || formula.premise.is_some() {
        return None;
    }
    let mut done: Vec<Rc<Tree>> = Vec::with_capacity(formula.nodes.len());
    for node in &formula.nodes {
        let tree = match &node.form {
            Form::Constant(true) => Rc::new(Tree::True),
            Form::Constant(false) => Rc::new(Tree::False),
            Form::Atom(own) => Rc::new(Tree::Literal(atom(own)?, true)),
            Form::Unary(operator, operand) => unary(reducer, *operator, &done[operand.index()])?,
            Form::Binary(operator, left, right) => {
                binary(reducer, *operator, &done[left.index()], &done[right.index()])?
            }
            _ => return None,
        };
        done.push(tree);
    }
    Some(Rc::clone(&done[formula.body.index()]))
}

fn unary(reducer: &Reducer<'_>, operator: Unary, operand: &Rc<Tree>) -> Option<Rc<Tree>> {
    // Operands of conjunctions and disjunctions are simplified as if they were parenthesized.
    let operand = &reducer.simpler(operand);
    match operator {
        Unary::Not => Some(reducer.not(operand)),
        Unary::Next => Some(reducer.next(operand)),
        Unary::Finally => Some(reducer.eventually(operand)),
        Unary::Globally => Some(reducer.always(operand)),
        _ => None,
    }
}

fn binary(reducer: &Reducer<'_>, operator: Binary, left: &Rc<Tree>, right: &Rc<Tree>) -> Option<Rc<Tree>> {
    match operator {
        Binary::And => Some(reducer.join(Operator::And, left, right)),
        Binary::Or => Some(reducer.join(Operator::Or, left, right)),
        Binary::Until => Some(reducer.join(Operator::Until, left, right)),
        Binary::Release => Some(reducer.join(Operator::Release, left, right)),
        Binary::Implies => Some(reducer.implication(left, right)),
        Binary::Equivalent => Some(reducer.equivalence(left, right)),
        _ => None,
    }
}

/// Set of small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Set(u64);

impl Set {
    const EMPTY: Set = Set(0);

    fn of(number: u32) -> Set {
        Set(1 << number)
    }

    fn has(self, number: u32) -> bool {
        self.0 >> number & 1 == 1
    }

    fn with(self, number: u32) -> Set {
        self.union(Set::of(number))
    }

    fn without(self, number: u32) -> Set {
        Set(self.0 & !Set::of(number).0)
    }

    fn union(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    fn is_within(self, other: Set) -> bool {
        self.0 & !other.0 == 0
    }

    fn is_disjoint(self, other: Set) -> bool {
        self.0 & other.0 == 0
    }

    /// Elements in ascending order.
    fn iter(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |&number| self.has(number))
    }
}
