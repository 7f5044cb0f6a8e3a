//! The view of runs on a structure: silent steps, ends, and the facts of positions.

use super::moment::Letter;
use crate::{Divergence, Fact, FiniteRuns, Property, Rules, Structure, View, holds_at, is_known_at};
use fixedbitset::FixedBitSet;
use graphs::cycles;
use hashbrown::{HashMap, HashSet};
use ltl::logic::Atom;
use lts::{StateId, Transition};
use std::rc::Rc;

/// The number of a letter.
pub type LetterId = u32;

/// The facts of positions that end in a state.
pub struct Exits {
    /// The letter for each step; none if it is silent, or the facts are unknown.
    pub steps: Box<[Option<LetterId>]>,
    /// The letter of a run that ends here, if the rules admit it.
    pub end: Option<LetterId>,
}

/// A structure under rules, with cached facts of states.
pub struct World<'a> {
    pub structure: &'a Structure,
    pub rules: &'a Rules,
    facts: Vec<(Atom, &'a Fact)>,
    letters: Vec<Letter>,
    numbers: HashMap<Letter, LetterId>,
    exits: HashMap<StateId, Rc<Exits>>,
    offers: HashMap<StateId, Rc<[LetterId]>>,
    /// The states where a run ends with a divergence, if the rules admit that.
    endless: FixedBitSet,
    /// The states with unknown facts that were needed.
    unknown: FixedBitSet,
}

impl<'a> World<'a> {
    /// The view restricted to the facts of these atoms.
    pub fn new(structure: &'a Structure, property: &'a Property, rules: &'a Rules, atoms: &[Atom]) -> World<'a> {
        let mut world = World {
            structure,
            rules,
            facts: atoms.iter().map(|&atom| (atom, &property.facts[atom.0 as usize])).collect(),
            letters: Vec::new(),
            numbers: HashMap::new(),
            exits: HashMap::new(),
            offers: HashMap::new(),
            endless: FixedBitSet::with_capacity(structure.n_states()),
            unknown: FixedBitSet::with_capacity(structure.n_states()),
        };
        if rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock {
            world.endless = world.silent_cycles();
        }
        world
    }

    /// The number of states with unknown facts that were needed.
    pub fn n_unknown(&self) -> usize {
        self.unknown.count_ones(..)
    }

    pub fn letter(&self, letter: LetterId) -> &Letter {
        &self.letters[letter as usize]
    }

    pub fn is_silent(&self, step: &Transition) -> bool {
        self.rules.is_silent(self.structure.action(step))
    }

    fn silent_steps(&self, state: StateId) -> impl Iterator<Item = &'a Transition> + '_ {
        self.structure.steps(state).iter().filter(|step| self.is_silent(step))
    }

    /// The states in which a position that begins in this state may end.
    fn silently_reached(&self, state: StateId) -> Vec<StateId> {
        let mut reached = vec![state];
        let mut visited: HashSet<StateId> = HashSet::from([state]);
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            reached.extend(self.silent_steps(from).map(|step| step.target).filter(|&target| visited.insert(target)));
        }
        reached
    }

    /// The states on silent cycles.
    fn silent_cycles(&self) -> FixedBitSet {
        let n = self.structure.n_states();
        let successors = |state| self.silent_steps(StateId(state as u32)).map(|step| step.target.index());
        let mut endless = FixedBitSet::with_capacity(n);
        endless.extend(cycles(n, 0..n, successors).into_iter().flatten());
        endless
    }

    /// A silent cycle from a state, if there is one.
    pub fn silent_cycle(&self, state: StateId) -> Option<Vec<Transition>> {
        let mut parents: HashMap<StateId, (StateId, Transition)> = HashMap::new();
        let mut order = vec![state];
        let mut next = 0;
        while !parents.contains_key(&state) {
            let from = *order.get(next)?;
            next += 1;
            for step in self.silent_steps(from) {
                if !parents.contains_key(&step.target) {
                    parents.insert(step.target, (from, *step));
                    order.push(step.target);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut at = state;
        while cycle.is_empty() || at != state {
            let (before, step) = parents[&at];
            cycle.push(step);
            at = before;
        }
        cycle.reverse();
        Some(cycle)
    }

    fn number(&mut self, letter: Letter) -> LetterId {
        let World { letters, numbers, .. } = self;
        *numbers.entry(letter).or_insert_with_key(|letter| {
            letters.push(letter.clone());
            letters.len() as LetterId - 1
        })
    }

    /// The facts of positions that end in this state.
    pub fn exits(&mut self, state: StateId) -> Rc<Exits> {
        if let Some(exits) = self.exits.get(&state) {
            return exits.clone();
        }
        let structure = self.structure;
        let is_known = self.is_known(state);
        let mut steps = Vec::new();
        for step in structure.steps(state) {
            let is_left = is_known && !self.is_silent(step);
            let is_true = |fact: &Fact| holds_at(fact, structure, state, Some(step));
            steps.push(is_left.then(|| self.number(Letter { atoms: self.atoms(is_true), ends: false })));
        }
        let ends = structure.is_stuck(state) || self.endless.contains(state.index());
        let end_counts = is_known && ends && self.rules.finite_runs != FiniteRuns::Ignore;
        let end = end_counts.then(|| self.number(self.last_letter(state)));
        let exits = Rc::new(Exits { steps: steps.into(), end });
        self.exits.insert(state, exits.clone());
        exits
    }

    /// The facts of a position where a run ends, or stutters after its end.
    fn last_letter(&self, state: StateId) -> Letter {
        let is_true = |fact: &Fact| *fact == Fact::Stuck || holds_at(fact, self.structure, state, None);
        Letter { atoms: self.atoms(is_true), ends: self.rules.finite_runs == FiniteRuns::Maximal }
    }

    fn atoms(&self, is_true: impl Fn(&Fact) -> bool) -> FixedBitSet {
        let mut atoms = FixedBitSet::with_capacity(self.facts.last().map_or(0, |(atom, _)| atom.0 as usize + 1));
        for (atom, fact) in &self.facts {
            atoms.set(atom.0 as usize, is_true(fact));
        }
        atoms
    }

    /// All possible letters of a position that begins in this state, in ascending order.
    pub fn offers(&mut self, state: StateId) -> Rc<[LetterId]> {
        if let Some(offers) = self.offers.get(&state) {
            return offers.clone();
        }
        let mut letters = Vec::new();
        for last in self.silently_reached(state) {
            let exits = self.exits(last);
            letters.extend(exits.steps.iter().flatten().chain(&exits.end).copied());
            self.unknown.set(last.index(), !self.is_known(last));
        }
        letters.sort_unstable();
        letters.dedup();
        let offers: Rc<[LetterId]> = letters.into();
        self.offers.insert(state, offers.clone());
        offers
    }

    /// Whether the facts of a state are known.
    fn is_known(&self, state: StateId) -> bool {
        let is_known = |(_, fact): &(Atom, &Fact)| is_known_at(fact, self.structure, state);
        !self.structure.is_open(state) && self.facts.iter().all(is_known)
    }
}
