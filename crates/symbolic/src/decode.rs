//! The run that a solution stands for.

use crate::Lit;
use crate::bounded::Found;
use crate::frame::Frame;
use crate::judge::judge;
use crate::rules::RuleLits;
use crate::solver::Solver;
use crate::unrolling::Unrolling;
use crate::word::Word;
use model::network::{Configuration, LocalState, ModeId, NetworkStep, RuleId};

impl Frame {
    /// The state that a solution has here.
    pub(crate) fn state(&self, solver: &dyn Solver) -> Configuration {
        Configuration {
            mode: ModeId(true_in(solver, &self.modes)),
            locals: self.locals.iter().map(|locals| LocalState(true_in(solver, locals))).collect(),
            data: self.cells.iter().map(|cell| value(solver, cell)).collect(),
        }
    }

    /// Whether a step leaves it in a solution.
    pub(crate) fn is_left(&self, solver: &dyn Solver) -> bool {
        self.shows.values().any(|&shows| solver.is_true(shows))
    }

    /// The rule that is taken here, in the mode of the state.
    pub(crate) fn rule(&self, solver: &dyn Solver, mode: ModeId) -> RuleId {
        let is_taken = |rule: &RuleLits| solver.is_true(rule.taken);
        RuleId(self.rules[mode.index()].iter().position(is_taken).unwrap_or(0) as u32)
    }
}

/// Which one of these is true.
pub(crate) fn true_in(solver: &dyn Solver, lits: &[Lit]) -> u32 {
    lits.iter().position(|&lit| solver.is_true(lit)).unwrap_or(0) as u32
}

/// The number that a word stands for.
pub(crate) fn value(solver: &dyn Solver, word: &Word) -> i64 {
    let bits = (0..64).filter(|&place| solver.is_true(word.bit(place)));
    bits.fold(0, |value, place| value | 1 << place)
}

impl Unrolling<'_> {
    /// The run of a solution through these states that goes wrong at some place from a first one on; nothing if that only seemed to be, because
    /// a command does more than was followed.
    pub(crate) fn counterexample(&self, path: &[&Frame], first: usize) -> Option<Found> {
        let solver = &*self.clauses.solver;
        // What is behind the end is no run.
        let n_before = first.min(path.len() - 1);
        let mut steps: Vec<NetworkStep> = path.windows(2).take(n_before).map(|pair| self.step(pair)).collect();
        loop {
            if let Some(found) = judge(self.network, self.property, steps.clone()) {
                return Some(found);
            }
            let place = steps.len();
            if place + 1 == path.len() || !path[place].is_left(solver) {
                return None;
            }
            steps.push(self.step(&path[place..place + 2]));
        }
    }

    /// The step of a solution from one state to the next.
    pub(crate) fn step(&self, pair: &[&Frame]) -> NetworkStep {
        let (before, solver) = (pair[0], &*self.clauses.solver);
        let mode = before.state(solver).mode;
        let rule = before.rule(solver, mode);
        let label = self.network.modes[mode.index()].rules[rule.index()].shows;
        NetworkStep { rule, label, target: pair[1].state(solver) }
    }
}
