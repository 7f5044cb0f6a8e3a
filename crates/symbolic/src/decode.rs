//! Runs decoded from satisfying assignments.

use crate::Lit;
use crate::bounded::Found;
use crate::frame::Frame;
use crate::judge::judge;
use crate::solver::Solver;
use crate::unrolling::Unrolling;
use crate::word::Word;
use model::data::Access;
use model::network::{Configuration, LocalState, ModeId, NetworkStep, Rule, RuleId};

impl Frame {
    /// The configuration of a frame in an assignment.
    pub(crate) fn state(&self, solver: &dyn Solver) -> Configuration {
        Configuration {
            mode: ModeId(true_in(solver, &self.modes)),
            locals: self.locals.iter().map(|locals| LocalState(true_in(solver, locals))).collect(),
            data: self.cells.iter().map(|cell| value(solver, cell)).collect(),
        }
    }

    /// Whether a step leaves the frame in an assignment.
    pub(crate) fn is_left(&self, solver: &dyn Solver) -> bool {
        self.shows.values().any(|&shows| solver.is_true(shows))
    }

    /// The rules that are taken in the frame, in the mode of its configuration.
    pub(crate) fn taken(&self, solver: &dyn Solver, mode: ModeId) -> impl Iterator<Item = RuleId> {
        let rules = (0..).zip(&self.rules[mode.index()]);
        rules.filter(|(_, rule)| solver.is_true(rule.taken)).map(|(number, _)| RuleId(number))
    }
}

/// The index of the literal that is true.
pub(crate) fn true_in(solver: &dyn Solver, lits: &[Lit]) -> u32 {
    lits.iter().position(|&lit| solver.is_true(lit)).unwrap_or(0) as u32
}

/// The value of a word.
pub(crate) fn value(solver: &dyn Solver, word: &Word) -> i64 {
    let bits = (0..64).filter(|&place| solver.is_true(word.bit(place)));
    bits.fold(0, |value, place| value | 1 << place)
}

impl Unrolling<'_> {
    /// The counterexample of an assignment, which violates the property in some frame from `first` on. None if the
    /// interpreter refutes it, because a loop of a command was unrolled too little.
    pub(crate) fn counterexample(&self, path: &[&Frame], first: usize) -> Option<Found> {
        let solver = &*self.clauses.solver;
        // Frames behind the end belong to no run.
        let mut place = first.min(path.len() - 1);
        let mut steps: Vec<NetworkStep> = path.windows(2).take(place).flat_map(|pair| self.steps(pair)).collect();
        loop {
            if let Some(found) = judge(self.network, self.property, steps.clone()) {
                return Some(found);
            }
            if place + 1 == path.len() || !path[place].is_left(solver) {
                return None;
            }
            steps.extend(self.steps(&path[place..place + 2]));
            place += 1;
        }
    }

    /// The steps between two frames. Several steps are independent of each other.
    pub(crate) fn steps(&self, pair: &[&Frame]) -> Vec<NetworkStep> {
        let solver = &*self.clauses.solver;
        let [before, after] = [pair[0], pair[1]].map(|frame| frame.state(solver));
        let mut taken: Vec<RuleId> = pair[0].taken(solver, before.mode).collect();
        let last = taken.pop();
        let mut at = before.clone();
        let rules = &self.network.modes[before.mode.index()].rules;
        let mut steps: Vec<NetworkStep> = taken
            .into_iter()
            .map(|rule| {
                self.change(&rules[rule.index()], &mut at, &after);
                NetworkStep { rule, label: rules[rule.index()].shows, target: at.clone() }
            })
            .collect();
        steps.extend(last.map(|rule| NetworkStep { rule, label: rules[rule.index()].shows, target: after }));
        steps
    }

    /// Gives all cells that a rule writes their values after the parallel step.
    fn change(&self, rule: &Rule, state: &mut Configuration, after: &Configuration) {
        rule.parts.iter().for_each(|(machine, _)| state.locals[machine.index()] = after.locals[machine.index()]);
        let data = &self.network.data;
        for variable in rule.command.iter().flat_map(|command| Access::of(data, command).writes) {
            let cells = data.cells(variable);
            state.data.write(cells.start, &after.data.range(cells));
        }
    }
}
