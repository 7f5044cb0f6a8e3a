//! Symbolic execution of commands to case distinctions: King (1976), *Symbolic execution and program testing*.
//!
//! A command is executed in the domain of [case sets](super::case_sets), where values depend on the initial values of
//! cells. At a branch, or where a failure is possible, the values of a cell are split, and each part is followed
//! separately. A complete path is a *case*: a set of values for each tested cell, and the final values of cells. Such a
//! case is a test and an assignment on words. If there would be too many cases, the rest becomes one case whose program
//! has to be executed.

use super::case_sets::{CaseSets, Known, Stop, Symbol, is_value};
use super::cells::{Cells, span};
use super::translate::{conjuncts, range_test};
use crate::packed::Field;
use limits::effort::instances::MAX_DECISION_WORK;
use model::data::{AbstractDomain, Arithmetic, Command, Data, Execution, ExpressionId};

/// The effect of a command for some values of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// The tested cells with the allowed values of their fields, in ascending order.
    pub(crate) tests: Vec<(u32, Vec<u32>)>,
    /// The final values that are constant.
    pub(crate) sets: Vec<(Field, u32)>,
    /// The final values that depend on initial ones.
    pub(crate) moves: Vec<Move>,
    /// The outcome.
    pub(crate) ending: CaseOutcome,
}

/// An assignment of the value of another field plus a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: Field,
    pub(crate) to: Field,
    pub(crate) more: u32,
}

/// The outcome of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CaseOutcome {
    /// The case describes the whole effect.
    #[default]
    Known,
    /// The command fails.
    Failed,
    /// The program has to be executed.
    Open,
}

/// The cases of a command, at most `most`; no two of them allow the same values.
pub(crate) fn cases(data: &Data, cells: &Cells, command: &Command, most: usize) -> Vec<Case> {
    let conditions = command.guard.map_or(Vec::new(), |guard| conjuncts(data, guard));
    let first = Path { n_true: 0, execution: Execution::new(&command.statements), known: Known::default() };
    let mut decider = Decider { data, cells, conditions, most, work: 0, open: vec![first], cases: Vec::new() };
    while let Some(path) = decider.open.pop() {
        decider.follow(path);
    }
    decider.cases
}

/// An execution path of a command.
#[derive(Clone, Debug)]
struct Path<'s> {
    /// The number of conditions of the guard that are known to be true.
    n_true: usize,
    execution: Execution<'s>,
    known: Known,
}

struct Decider<'a> {
    data: &'a Data,
    cells: &'a Cells,
    /// The conditions of the guard.
    conditions: Vec<ExpressionId>,
    most: usize,
    work: usize,
    open: Vec<Path<'a>>,
    cases: Vec<Case>,
}

impl<'a> Decider<'a> {
    /// Follows a path to its end, or to a split.
    fn follow(&mut self, mut path: Path<'a>) {
        loop {
            self.work += 1;
            if self.work > MAX_DECISION_WORK {
                return self.end(&path, CaseOutcome::Open);
            }
            let stepped = match self.conditions.get(path.n_true) {
                Some(&condition) => match self.restrict_to(condition, &mut path) {
                    Ok(false) => return,
                    Ok(true) => {
                        path.n_true += 1;
                        Ok(true)
                    }
                    Err(stop) => Err(stop),
                },
                None => path.execution.step(&mut CaseSets::new(self.data, self.cells, &mut path.known, &mut self.work)),
            };
            match stepped {
                Ok(true) => {}
                Ok(false) => return self.finish(path),
                Err(Stop::Failed) => return self.end(&path, CaseOutcome::Failed),
                Err(Stop::Open) => return self.end(&path, CaseOutcome::Open),
                Err(Stop::Split(cell, parts)) => return self.part(&path, cell, parts),
            }
        }
    }

    /// Restricts a path to the values for which a condition is true; returns whether there are any.
    fn restrict_to(&mut self, condition: ExpressionId, path: &mut Path<'a>) -> Result<bool, Stop> {
        if let Some((variable, low, high)) = range_test(self.data, condition) {
            let cell = span(self.data, variable).0;
            if low == high && path.known.is_wide(self.cells, cell) {
                // An equation for a cell with a large domain needs no enumeration.
                path.known.restrict(cell, vec![self.cells.get(cell).packed(low)]);
                return Ok(is_value(self.cells, cell, low));
            }
        }
        let mut domain = CaseSets::new(self.data, self.cells, &mut path.known, &mut self.work);
        let value = domain.expression(condition)?;
        match domain.truth(&value) {
            Symbol::Known(is_true) => Ok(is_true),
            Symbol::Of(cell, is_true) => {
                let domain = path.known.domain(cell);
                let allowed: Vec<u32> = domain.iter().copied().filter(|&packed| is_true[packed as usize]).collect();
                path.known.restrict(cell, allowed);
                Ok(true)
            }
        }
    }

    /// Enqueues a path for each part of the values of a cell.
    fn part(&mut self, path: &Path<'a>, cell: u32, parts: Vec<Vec<u32>>) {
        if parts.len() > 1 && self.cases.len() + self.open.len() + parts.len() > self.most {
            return self.end(path, CaseOutcome::Open);
        }
        // The stack is last in, first out: the first part is followed first.
        for values in parts.into_iter().rev() {
            let mut path = path.clone();
            path.known.restrict(cell, values);
            self.open.push(path);
        }
    }

    /// Adds the case of a path at its end.
    fn finish(&mut self, path: Path<'a>) {
        let mut effect = Case::default();
        for (cell, symbol) in path.known.written() {
            let known = self.cells.get(*cell);
            let Some(to) = known.field() else { continue };
            match path.known.simple(symbol.clone()) {
                Symbol::Known(value) => effect.sets.push((to, known.packed(value))),
                symbol @ Symbol::Of(source, _) => {
                    let from = self.cells.get(source).field().expect("it takes bits");
                    let more = |packed: u32| known.packed(symbol.at(packed)).wrapping_sub(packed);
                    let domain = path.known.domain(source);
                    let first = more(domain[0]);
                    if domain.iter().any(|&packed| more(packed) != first) {
                        return self.part(&path, source, path.known.parts(source, &symbol));
                    }
                    if from != to || first != 0 {
                        effect.moves.push(Move { from, to, more: first });
                    }
                }
            }
        }
        self.cases.push(Case { tests: self.tests(&path), ..effect });
    }

    fn end(&mut self, path: &Path<'a>, ending: CaseOutcome) {
        self.cases.push(Case { tests: self.tests(path), ending, ..Case::default() });
    }

    /// The cells with restricted values.
    fn tests(&self, path: &Path<'a>) -> Vec<(u32, Vec<u32>)> {
        let is_test = |(cell, values): &&(u32, Vec<u32>)| (values.len() as u64) < self.cells.get(*cell).n_values();
        let mut tests: Vec<(u32, Vec<u32>)> = path.known.domains().iter().filter(is_test).cloned().collect();
        tests.sort_unstable();
        tests
    }
}
