//! What a structure shows to runs, by the rules: silent steps, ends, and the facts of positions.

use super::moment::Letter;
use crate::{Divergence, Fact, FiniteRuns, Property, Rules, Structure, View, holds_at, is_known_at};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use ltl::logic::Atom;
use lts::{StateId, Transition};

/// A structure under rules.
pub struct World<'a> {
    pub structure: &'a Structure,
    pub rules: &'a Rules,
    facts: Vec<(Atom, &'a Fact)>,
    offers: HashMap<StateId, Vec<Letter>>,
    /// States of which too little is known, as far as they matter.
    unknown: FixedBitSet,
}

impl<'a> World<'a> {
    /// Only the facts of these atoms matter.
    pub fn new(structure: &'a Structure, property: &'a Property, rules: &'a Rules, atoms: &[Atom]) -> World<'a> {
        let facts = atoms.iter().map(|&atom| (atom, &property.facts[atom.0 as usize])).collect();
        let unknown = FixedBitSet::with_capacity(structure.n_states());
        World { structure, rules, facts, offers: HashMap::new(), unknown }
    }

    /// How many states mattered of which too little is known.
    pub fn n_unknown(&self) -> usize {
        self.unknown.count_ones(..)
    }

    pub fn is_silent(&self, step: &Transition) -> bool {
        self.rules.is_silent(self.structure.action(step))
    }

    /// The states in which a position that begins in this state may be left.
    pub fn silently_reached(&self, state: StateId) -> Vec<StateId> {
        let mut reached = vec![state];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            for step in self.structure.steps(from).iter().filter(|step| self.is_silent(step)) {
                if !reached.contains(&step.target) {
                    reached.push(step.target);
                }
            }
        }
        reached
    }

    /// Silent steps from a state back to it, if there are any.
    pub fn silent_cycle(&self, state: StateId) -> Option<Vec<Transition>> {
        let mut paths: Vec<(StateId, Vec<Transition>)> = vec![(state, Vec::new())];
        let mut next = 0;
        while let Some((from, path)) = paths.get(next).cloned() {
            next += 1;
            for step in self.structure.steps(from).iter().filter(|step| self.is_silent(step)) {
                let longer: Vec<Transition> = path.iter().chain([step]).copied().collect();
                if step.target == state {
                    return Some(longer);
                }
                if paths.iter().all(|(reached, _)| *reached != step.target) {
                    paths.push((step.target, longer));
                }
            }
        }
        None
    }

    /// Whether a run that ends here counts.
    pub fn can_end(&self, state: StateId) -> bool {
        let ends_by_silence = self.rules.view == View::Trace && self.rules.divergence == Divergence::AsDeadlock;
        self.rules.finite_runs != FiniteRuns::Ignore
            && (self.structure.is_stuck(state) || ends_by_silence && self.silent_cycle(state).is_some())
    }

    /// The facts of a position that this step leaves.
    pub fn letter(&self, state: StateId, step: &Transition) -> Letter {
        let is_true = |fact: &Fact| holds_at(fact, self.structure, state, Some(step));
        Letter { atoms: self.atoms(is_true), ends: false }
    }

    /// The facts of a position where a run ends, or idles.
    pub fn last_letter(&self, state: StateId) -> Letter {
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

    /// All that the facts of a position may be that begins in this state.
    pub fn offers(&mut self, state: StateId) -> &[Letter] {
        if !self.offers.contains_key(&state) {
            let mut letters = Vec::new();
            for last in self.silently_reached(state) {
                if self.is_unknown(last) {
                    self.unknown.insert(last.index());
                } else {
                    letters.extend(self.leave(last));
                }
            }
            letters.sort_unstable();
            letters.dedup();
            self.offers.insert(state, letters);
        }
        &self.offers[&state]
    }

    /// What the facts may be where a position is left from this state.
    fn leave(&self, state: StateId) -> Vec<Letter> {
        let steps = self.structure.steps(state).iter().filter(|step| !self.is_silent(step));
        let letters = steps.map(|step| self.letter(state, step));
        letters.chain(self.can_end(state).then(|| self.last_letter(state))).collect()
    }

    /// Whether the facts of a state are not known.
    pub fn is_unknown(&self, state: StateId) -> bool {
        let is_known = |(_, fact): &(Atom, &Fact)| is_known_at(fact, self.structure, state);
        self.structure.is_open(state) || !self.facts.iter().all(is_known)
    }
}
