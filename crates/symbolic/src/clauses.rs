//! Clause encodings of formulas.

use crate::gates::Gate;
use crate::{Lit, Solver};
use hashbrown::HashMap;
use limits::effort::sat::MAX_PAIRWISE;

/// Adds clauses to a solver, and reuses gates.
pub(crate) struct Clauses<'s> {
    pub(crate) solver: &'s mut dyn Solver,
    /// The literal that is always true.
    pub(crate) yes: Lit,
    /// Gates that exist already.
    pub(crate) gates: HashMap<Gate, Lit>,
    encoding: Encoding,
}

/// The encoding of the local state of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// One-hot: a variable for each state.
    #[default]
    OneHot,
    /// The number of the state, in binary.
    Binary,
}

impl<'s> Clauses<'s> {
    pub(crate) fn new(solver: &'s mut dyn Solver, encoding: Encoding) -> Clauses<'s> {
        let yes = solver.variable();
        solver.add(&[yes]);
        Clauses { solver, yes, gates: HashMap::new(), encoding }
    }

    pub(crate) fn add(&mut self, clause: &[Lit]) {
        self.solver.add(clause);
    }

    /// Charges work that adds no clause.
    pub(crate) fn count(&mut self, n_steps: usize) {
        self.solver.count(n_steps);
    }

    /// The conjunction of the premises implies `then`.
    pub(crate) fn imply(&mut self, premises: &[Lit], then: Lit) {
        let clause: Vec<Lit> = premises.iter().map(|&lit| !lit).chain([then]).collect();
        self.add(&clause);
    }

    /// Not all of these are true.
    pub(crate) fn exclude(&mut self, all: &[Lit]) {
        let clause: Vec<Lit> = all.iter().map(|&lit| !lit).collect();
        self.add(&clause);
    }

    /// The disjunction of these literals.
    pub(crate) fn any(&mut self, of: &[Lit]) -> Lit {
        if of.contains(&self.yes) {
            return self.yes;
        }
        let mut clause: Vec<Lit> = of.iter().copied().filter(|&lit| lit != !self.yes).collect();
        match clause[..] {
            [] => !self.yes,
            [only] => only,
            _ => {
                let any = self.solver.variable();
                clause.iter().for_each(|&lit| self.solver.add(&[!lit, any]));
                clause.push(!any);
                self.add(&clause);
                any
            }
        }
    }

    /// The conjunction of these literals.
    pub(crate) fn all(&mut self, of: &[Lit]) -> Lit {
        let negated: Vec<Lit> = of.iter().map(|&lit| !lit).collect();
        !self.any(&negated)
    }

    /// New literals of which exactly one is true.
    pub(crate) fn one_of(&mut self, n: usize) -> Vec<Lit> {
        if n == 1 {
            return vec![self.yes];
        }
        match self.encoding {
            Encoding::OneHot => {
                let lits: Vec<Lit> = (0..n).map(|_| self.solver.variable()).collect();
                self.add(&lits);
                self.at_most_one(&lits);
                lits
            }
            Encoding::Binary => {
                let number = self.any_number(0, n as i128 - 1);
                (0..n as i128).map(|value| self.is_number(&number, value)).collect()
            }
        }
    }

    /// At most one of these is true.
    pub(crate) fn at_most_one(&mut self, lits: &[Lit]) {
        if lits.len() <= MAX_PAIRWISE {
            for (place, &left) in lits.iter().enumerate() {
                lits[place + 1..].iter().for_each(|&right| self.exclude(&[left, right]));
            }
            return;
        }
        // Sequential encoding: each auxiliary variable says that one of the literals up to there is true.
        let mut before: Option<Lit> = None;
        for (place, &lit) in lits.iter().enumerate() {
            if let Some(before) = before {
                self.exclude(&[before, lit]);
            }
            if place + 1 < lits.len() {
                let up_to_here = self.solver.variable();
                self.imply(&[lit], up_to_here);
                if let Some(before) = before {
                    self.imply(&[before], up_to_here);
                }
                before = Some(up_to_here);
            }
        }
    }
}
