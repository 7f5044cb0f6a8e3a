//! Formulas: products of a process with automata that LTL2BA makes.
//!
//! A state of a product is a configuration together with the event that led to it, and a state, or a set of states, of the automaton.
//! Words are looked at after each step, and first where the process begins. There are three searches: for a run after which nothing
//! can mend the formula, if all runs that break it are such; for a loop, if that is true of its negation; and for components that
//! accept.

use super::words::Words;
use super::{NotCounted, Tally, Walk, Witness};
use crate::gastin_oddoux::{Buchi, Translated, translate};
use frontend::State;
use frontend::formula::Question;
use hashbrown::{HashMap, HashSet};
use ltl::syntax::Dialect;
use lts::Label;
use std::collections::VecDeque;

/// A configuration after the event that led to it.
type Met = (Option<Label>, State);

/// Counts what PAT meets when it decides a question.
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
        (true, _) if product.walk.witness == Witness::Any => product.look_deep_for_prefix(initial),
        (true, _) => product.look_for_prefix(initial),
        (false, true) => product.look_for_loop(initial),
        (false, false) => product.look_for_component(initial),
    }
}

struct Product<'w, 's> {
    walk: &'w mut Walk<'s>,
    words: Words,
    automaton: Buchi,
}

/// A configuration with all states that the automaton may be in, in the order in which they were met.
type Together = (Met, Vec<usize>);
/// A configuration with one state of the automaton.
type Pair = (Met, usize);

impl Product<'_, '_> {
    /// Where an edge leads from a state of the automaton.
    fn moves(&mut self, from: usize, met: Met) -> Result<Vec<usize>, NotCounted> {
        let truth = self.words.truth(self.walk, met.0, met.1)?;
        let mut to: Vec<usize> = Vec::new();
        for edge in self.automaton.states[from].edges.iter().filter(|edge| edge.is_possible(truth)) {
            if !to.contains(&edge.to) {
                to.push(edge.to);
            }
        }
        Ok(to)
    }

    fn together(&mut self, from: &[usize], met: Met) -> Result<Together, NotCounted> {
        let mut all: Vec<usize> = Vec::new();
        for &state in from {
            for to in self.moves(state, met)? {
                if !all.contains(&to) {
                    all.push(to);
                }
            }
        }
        Ok((met, all))
    }

    fn first(&mut self, initial: Met) -> Result<Vec<usize>, NotCounted> {
        match self.automaton.initial {
            Some(state) => self.moves(state, initial),
            None => Ok(Vec::new()),
        }
    }

    fn steps(&mut self, state: State) -> Result<Vec<Met>, NotCounted> {
        Ok(self.walk.steps(state)?.iter().map(|step| (Some(step.label), step.target)).collect())
    }

    /// Nearest first, until the automaton is in no state any more.
    fn look_for_prefix(&mut self, initial: Met) -> Result<Tally, NotCounted> {
        let first = (initial, self.first(initial)?);
        let mut met: HashSet<Together> = HashSet::from([first.clone()]);
        let mut open = VecDeque::from([first]);
        let mut n_steps = 0;
        while let Some(((_, state), within)) = open.pop_front() {
            self.walk.may_go_on(met.len())?;
            if within.is_empty() {
                break;
            }
            let steps = self.steps(state)?;
            n_steps += steps.len() as u64;
            for step in steps {
                let next = self.together(&within, step)?;
                if met.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
        Ok(Tally { n_states: met.len() as u64, n_steps })
    }

    /// Depth first, the last step first. Pairs are met when they are gone to.
    fn look_deep_for_prefix(&mut self, initial: Met) -> Result<Tally, NotCounted> {
        let mut open = vec![(initial, self.first(initial)?)];
        let mut met: HashSet<Together> = HashSet::new();
        let mut n_steps = 0;
        while let Some(at) = open.pop() {
            self.walk.may_go_on(met.len())?;
            if at.1.is_empty() {
                break;
            }
            if !met.insert(at.clone()) {
                continue;
            }
            let steps = self.steps(at.0.1)?;
            n_steps += steps.len() as u64;
            for step in steps {
                open.push(self.together(&at.1, step)?);
            }
        }
        Ok(Tally { n_states: met.len() as u64, n_steps })
    }

    /// Depth first, the last step first, until a run ends, or comes back to where it was.
    fn look_for_loop(&mut self, initial: Met) -> Result<Tally, NotCounted> {
        let first = (initial, self.first(initial)?);
        let mut met: HashSet<Together> = HashSet::new();
        let mut way: Vec<Together> = Vec::new();
        let mut on_the_way: HashSet<Together> = HashSet::new();
        let mut open: Vec<(Together, usize)> = vec![(first, 0)];
        let mut n_steps = 0;
        'search: while let Some((at, depth)) = open.pop() {
            self.walk.may_go_on(met.len())?;
            for left in way.drain(depth..) {
                on_the_way.remove(&left);
            }
            way.push(at.clone());
            on_the_way.insert(at.clone());
            if at.1.is_empty() || !met.insert(at.clone()) {
                continue;
            }
            let steps = self.steps(at.0.1)?;
            if steps.is_empty() {
                break;
            }
            n_steps += steps.len() as u64;
            for step in steps {
                let next = self.together(&at.1, step)?;
                if on_the_way.contains(&next) {
                    break 'search;
                }
                open.push((next, depth + 1));
            }
        }
        Ok(Tally { n_states: met.len() as u64, n_steps })
    }

    /// Components by Tarjan's algorithm as Nuutila and Soisalon-Soininen wrote it, the last step first, until one accepts.
    fn look_for_component(&mut self, initial: Met) -> Result<Tally, NotCounted> {
        let mut search = Search::default();
        for state in self.first(initial)? {
            let first = search.meet((initial, state));
            search.way.push(first);
        }
        while let Some(&at) = search.way.last() {
            self.walk.may_go_on(search.pairs.len())?;
            if search.pairs[at].order.is_none() {
                search.pairs[at].order = Some(search.n_begun);
                search.n_begun += 1;
            }
            let next = match search.pairs[at].left.is_some() {
                true => search.next(at),
                false => self.expand(&mut search, at)?,
            };
            match next {
                Some(next) => search.way.push(next),
                None if self.leave(&mut search, at)? => break,
                None => {}
            }
        }
        Ok(Tally { n_states: search.pairs.len() as u64, n_steps: search.n_steps })
    }

    /// Finds out where a pair leads; the first one to go to.
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
            let to = search.meet(pair);
            search.pairs[at].outgoing.push(to);
            left.push(to);
        }
        left.reverse();
        search.pairs[at].left = Some(left);
        Ok(search.next(at))
    }

    /// Comes back from a pair; whether its component accepts.
    fn leave(&mut self, search: &mut Search, at: usize) -> Result<bool, NotCounted> {
        search.way.pop();
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

/// What is known of a pair.
struct Known {
    pair: Pair,
    /// When it was begun.
    order: Option<usize>,
    /// The first that was begun of those that it leads back to, as far as known.
    lowest: usize,
    /// Whether its component is known.
    is_done: bool,
    outgoing: Vec<usize>,
    /// Where it leads and was not gone to; nothing before that is known, and after its component is.
    left: Option<Vec<usize>>,
}

#[derive(Default)]
struct Search {
    pairs: Vec<Known>,
    numbers: HashMap<Pair, usize>,
    way: Vec<usize>,
    /// Pairs that were left, and whose components are not known.
    component: Vec<usize>,
    n_begun: usize,
    n_steps: u64,
}

impl Search {
    /// The number of a pair.
    fn meet(&mut self, pair: Pair) -> usize {
        let new = self.pairs.len();
        let number = *self.numbers.entry(pair).or_insert(new);
        if number == new {
            let (order, lowest, is_done, outgoing, left) = (None, 0, false, Vec::new(), None);
            self.pairs.push(Known { pair, order, lowest, is_done, outgoing, left });
        }
        number
    }

    /// The last one of those that a pair leads to and that were not begun.
    fn next(&mut self, at: usize) -> Option<usize> {
        let mut left = self.pairs[at].left.take()?;
        left.retain(|&to| self.pairs[to].order.is_none());
        let next = left.pop();
        self.pairs[at].left = Some(left);
        next
    }
}
