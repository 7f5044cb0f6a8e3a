//! Formulas: products of a process with LTL2BA's automata.
//!
//! A product state is a configuration with the event that led to it, and a state, or a set of states, of the automaton.
//! Atoms are evaluated after each step, and first in the initial configuration. There are three searches: for a bad
//! prefix, if the formula is a safety property; for a loop, if its negation is one; and for accepting strongly
//! connected components.

use super::words::Words;
use super::{NotCounted, Tally, Walk, Witness};
use crate::gastin_oddoux::{Buchi, Translated, translate};
use frontend::State;
use frontend::formula::Question;
use hashbrown::{HashMap, HashSet};
use ltl::syntax::Dialect;
use lts::Label;
use std::collections::VecDeque;

/// Configuration with the event that led to it.
type Arrival = (Option<Label>, State);

/// Counts the states and steps of PAT's decision of a formula.
pub(super) fn count(walk: &mut Walk<'_>, process: State, question: &Question) -> Result<Tally, NotCounted> {
    if question.formula.dialect != Dialect::Pat || question.choices.fairness.is_some() {
        return Err(NotCounted::NoRule);
    }
    let words = Words::new(walk, question)?;
    let automaton = |is_negated: bool| {
        let translated = translate(&question.formula, is_negated, &words.names, |atom| words.number(atom))?;
        Some(Translated { automaton: translated.automaton.as_shown(), ..translated })
    };
    let (Some(claim), Some(negation)) = (automaton(false), automaton(true)) else {
        return Err(NotCounted::NoRule);
    };
    let is_safety = claim.is_safety();
    let is_loop = !is_safety && negation.is_safety();
    let automaton = if is_safety { claim.automaton } else { negation.automaton };
    let mut product = Product { walk, words, automaton };
    let initial = (None, process);
    match (is_safety, is_loop) {
        (true, _) if product.walk.witness == Witness::Any => product.search_bad_prefix_depth_first(initial),
        (true, _) => product.search_bad_prefix_breadth_first(initial),
        (false, true) => product.search_loop(initial),
        (false, false) => product.search_component(initial),
    }
}

struct Product<'w, 's> {
    walk: &'w mut Walk<'s>,
    words: Words,
    automaton: Buchi,
}

/// Configuration with the set of possible states of the automaton, in the order of their discovery.
type Together = (Arrival, Vec<usize>);
/// Configuration with one state of the automaton.
type Pair = (Arrival, usize);

impl Product<'_, '_> {
    /// Successors of a state of the automaton.
    fn moves(&mut self, from: usize, arrival: Arrival) -> Result<Vec<usize>, NotCounted> {
        let truth = self.words.truth(self.walk, arrival.0, arrival.1)?;
        let mut to: Vec<usize> = Vec::new();
        for edge in self.automaton.states[from].edges.iter().filter(|edge| edge.is_possible(truth)) {
            if !to.contains(&edge.to) {
                to.push(edge.to);
            }
        }
        Ok(to)
    }

    fn together(&mut self, from: &[usize], arrival: Arrival) -> Result<Together, NotCounted> {
        let mut all: Vec<usize> = Vec::new();
        for &state in from {
            for to in self.moves(state, arrival)? {
                if !all.contains(&to) {
                    all.push(to);
                }
            }
        }
        Ok((arrival, all))
    }

    fn first(&mut self, initial: Arrival) -> Result<Vec<usize>, NotCounted> {
        match self.automaton.initial {
            Some(state) => self.moves(state, initial),
            None => Ok(Vec::new()),
        }
    }

    fn steps(&mut self, state: State) -> Result<Vec<Arrival>, NotCounted> {
        Ok(self.walk.steps(state)?.iter().map(|step| (Some(step.label), step.target)).collect())
    }

    /// Breadth-first search for a bad prefix, which ends when no state of the automaton is possible.
    fn search_bad_prefix_breadth_first(&mut self, initial: Arrival) -> Result<Tally, NotCounted> {
        let first = (initial, self.first(initial)?);
        let mut visited: HashSet<Together> = HashSet::from([first.clone()]);
        let mut open = VecDeque::from([first]);
        let mut n_steps = 0;
        while let Some(((_, state), within)) = open.pop_front() {
            self.walk.check_limit(visited.len())?;
            if within.is_empty() {
                break;
            }
            let steps = self.steps(state)?;
            n_steps += steps.len() as u64;
            for step in steps {
                let next = self.together(&within, step)?;
                if visited.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
        Ok(Tally { n_states: visited.len() as u64, n_steps })
    }

    /// Depth-first search for a bad prefix, the last step first. Product states are counted when they are expanded.
    fn search_bad_prefix_depth_first(&mut self, initial: Arrival) -> Result<Tally, NotCounted> {
        let mut open = vec![(initial, self.first(initial)?)];
        let mut visited: HashSet<Together> = HashSet::new();
        let mut n_steps = 0;
        while let Some(at) = open.pop() {
            self.walk.check_limit(visited.len())?;
            if at.1.is_empty() {
                break;
            }
            if !visited.insert(at.clone()) {
                continue;
            }
            let steps = self.steps(at.0.1)?;
            n_steps += steps.len() as u64;
            for step in steps {
                open.push(self.together(&at.1, step)?);
            }
        }
        Ok(Tally { n_states: visited.len() as u64, n_steps })
    }

    /// Depth-first search, the last step first, for a run that ends or closes a loop.
    fn search_loop(&mut self, initial: Arrival) -> Result<Tally, NotCounted> {
        let first = (initial, self.first(initial)?);
        let mut visited: HashSet<Together> = HashSet::new();
        let mut path: Vec<Together> = Vec::new();
        let mut on_path: HashSet<Together> = HashSet::new();
        let mut open: Vec<(Together, usize)> = vec![(first, 0)];
        let mut n_steps = 0;
        'search: while let Some((at, depth)) = open.pop() {
            self.walk.check_limit(visited.len())?;
            for left in path.drain(depth..) {
                on_path.remove(&left);
            }
            path.push(at.clone());
            on_path.insert(at.clone());
            if at.1.is_empty() || !visited.insert(at.clone()) {
                continue;
            }
            let steps = self.steps(at.0.1)?;
            if steps.is_empty() {
                break;
            }
            n_steps += steps.len() as u64;
            for step in steps {
                let next = self.together(&at.1, step)?;
                if on_path.contains(&next) {
                    break 'search;
                }
                open.push((next, depth + 1));
            }
        }
        Ok(Tally { n_states: visited.len() as u64, n_steps })
    }

    /// Search for an accepting component by Tarjan's algorithm in the variant of Nuutila and Soisalon-Soininen (1994,
    /// On finding the strongly connected components in a directed graph), the last step first.
    fn search_component(&mut self, initial: Arrival) -> Result<Tally, NotCounted> {
        let mut search = Search::default();
        for state in self.first(initial)? {
            let first = search.intern((initial, state));
            search.path.push(first);
        }
        while let Some(&at) = search.path.last() {
            self.walk.check_limit(search.pairs.len())?;
            if search.pairs[at].order.is_none() {
                search.pairs[at].order = Some(search.n_begun);
                search.n_begun += 1;
            }
            let next = match search.pairs[at].left.is_some() {
                true => search.next(at),
                false => self.expand(&mut search, at)?,
            };
            match next {
                Some(next) => search.path.push(next),
                None if self.leave(&mut search, at)? => break,
                None => {}
            }
        }
        Ok(Tally { n_states: search.pairs.len() as u64, n_steps: search.n_steps })
    }

    /// Expands a product state, and returns the successor to visit first.
    fn expand(&mut self, search: &mut Search, at: usize) -> Result<Option<usize>, NotCounted> {
        let (_, state) = search.pairs[at].pair.0;
        let within = search.pairs[at].pair.1;
        let mut next: Vec<Pair> = Vec::new();
        for step in self.steps(state)? {
            next.extend(self.moves(within, step)?.into_iter().map(|to| (step, to)));
        }
        search.n_steps += next.len() as u64;
        search.pairs[at].outgoing.clear();
        let mut left: Vec<usize> = Vec::new();
        for pair in next.into_iter().rev() {
            let to = search.intern(pair);
            search.pairs[at].outgoing.push(to);
            left.push(to);
        }
        left.reverse();
        search.pairs[at].left = Some(left);
        Ok(search.next(at))
    }

    /// Backtracks from a product state; true if its component is complete and accepting.
    fn leave(&mut self, search: &mut Search, at: usize) -> Result<bool, NotCounted> {
        search.path.pop();
        let own = search.pairs[at].order.expect("it was begun");
        let is_done = search.pairs[at].is_done;
        let mut lowest = own;
        for &to in &search.pairs[at].outgoing {
            let other = &search.pairs[to];
            if let (false, Some(order)) = (other.is_done, other.order) {
                lowest = lowest.min(if order > own { other.lowest } else { order });
            }
        }
        search.pairs[at].lowest = lowest;
        if lowest != own && !is_done {
            search.component.push(at);
            return Ok(false);
        }
        let mut component = vec![at];
        while let Some(&other) = search.component.last()
            && search.pairs[other].order > Some(own)
        {
            component.push(other);
            search.component.pop();
        }
        for &pair in &component {
            (search.pairs[pair].is_done, search.pairs[pair].left) = (true, None);
        }
        let accepts = component.iter().any(|&pair| self.automaton.states[search.pairs[pair].pair.1].is_accepting);
        let is_stuck = self.steps(search.pairs[at].pair.0.1)?.is_empty();
        Ok(accepts && (is_stuck || component.len() > 1 || search.pairs[at].outgoing.contains(&at)))
    }
}

/// Search data of a product state.
struct Known {
    pair: Pair,
    /// Depth-first number, once it is visited.
    order: Option<usize>,
    /// Low link: the smallest known depth-first number that it reaches in its component.
    lowest: usize,
    /// Whether its component is complete.
    is_done: bool,
    outgoing: Vec<usize>,
    /// Successors still to be visited; `None` before the expansion and after the completion.
    left: Option<Vec<usize>>,
}

#[derive(Default)]
struct Search {
    pairs: Vec<Known>,
    numbers: HashMap<Pair, usize>,
    path: Vec<usize>,
    /// Stack of backtracked product states whose components are incomplete.
    component: Vec<usize>,
    n_begun: usize,
    n_steps: u64,
}

impl Search {
    /// Number of a product state, which is added if it is new.
    fn intern(&mut self, pair: Pair) -> usize {
        let new = self.pairs.len();
        let number = *self.numbers.entry(pair).or_insert(new);
        if number == new {
            let (order, lowest, is_done, outgoing, left) = (None, 0, false, Vec::new(), None);
            self.pairs.push(Known { pair, order, lowest, is_done, outgoing, left });
        }
        number
    }

    /// Last unvisited successor of a product state.
    fn next(&mut self, at: usize) -> Option<usize> {
        let mut left = self.pairs[at].left.take()?;
        left.retain(|&to| self.pairs[to].order.is_none());
        let next = left.pop();
        self.pairs[at].left = Some(left);
        next
    }
}
