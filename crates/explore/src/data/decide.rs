//! What a command does, told beforehand.
//!
//! A command is executed in the domain of [case sets](super::case_sets), where values depend on what cells had at the
//! beginning. Where the way parts, or something may go wrong, the values of a cell are parted, and each part is
//! followed by itself. So a way from the beginning to an end is a *case*: a set of values for each cell that mattered,
//! and what becomes of the cells. Such a case is a test and an assignment on words. If there would be too many of them,
//! the rest is one case whose program has to be executed.

use super::case_sets::{CaseSets, Known, Stop, Symbol, is_value};
use super::cells::{Cells, span};
use super::translate::{conjuncts, range_test};
use crate::packed::Field;
use limits::effort::instances::MAX_DECISION_WORK;
use model::data::{AbstractDomain, Arithmetic, Command, Data, Execution, ExpressionId};

/// What a command does for some values of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    /// Cells with what their fields may have, in ascending order.
    pub(crate) tests: Vec<(u32, Vec<u32>)>,
    /// The values afterwards, where they are known.
    pub(crate) sets: Vec<(Field, u32)>,
    /// Values that depend on those before.
    pub(crate) moves: Vec<Move>,
    /// How it ends.
    pub(crate) ending: CaseOutcome,
}

/// A field gets what another one had, and so much more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: Field,
    pub(crate) to: Field,
    pub(crate) more: u32,
}

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CaseOutcome {
    /// Everything it does is known.
    #[default]
    Known,
    /// It goes wrong.
    Failed,
    /// Its program tells.
    Open,
}

/// The cases in which a command does something, at most so many; no two of them allow the same values.
pub(crate) fn cases(data: &Data, cells: &Cells, command: &Command, most: usize) -> Vec<Case> {
    let conditions = command.guard.map_or(Vec::new(), |guard| conjuncts(data, guard));
    let first = Path { n_true: 0, execution: Execution::new(&command.statements), known: Known::default() };
    let mut decider = Decider { data, cells, conditions, most, work: 0, open: vec![first], cases: Vec::new() };
    while let Some(path) = decider.open.pop() {
        decider.follow(path);
    }
    decider.cases
}

/// A way through a command.
#[derive(Clone, Debug)]
struct Path<'s> {
    /// How many conditions of the guard are known to be true.
    n_true: usize,
    execution: Execution<'s>,
    known: Known,
}

struct Decider<'a> {
    data: &'a Data,
    cells: &'a Cells,
    /// The guard.
    conditions: Vec<ExpressionId>,
    most: usize,
    work: usize,
    open: Vec<Path<'a>>,
    cases: Vec<Case>,
}

impl<'a> Decider<'a> {
    /// Follows a way to its end, or to where it parts.
    fn follow(&mut self, mut path: Path<'a>) {
        loop {
            self.work += 1;
            if self.work > MAX_DECISION_WORK {
                return self.end(&path, CaseOutcome::Open);
            }
            let stepped = match self.conditions.get(path.n_true) {
                Some(&condition) => match self.is_met(condition, &mut path) {
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

    /// Goes on with the values for which a condition is true, if there are any.
    fn is_met(&mut self, condition: ExpressionId, path: &mut Path<'a>) -> Result<bool, Stop> {
        if let Some((variable, low, high)) = range_test(self.data, condition) {
            let cell = span(self.data, variable).0;
            if low == high && path.known.is_wide(self.cells, cell) {
                // One of very many values.
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
                let left: Vec<u32> = domain.iter().copied().filter(|&packed| is_true[packed as usize]).collect();
                path.known.restrict(cell, left);
                Ok(true)
            }
        }
    }

    /// Goes on with each part of the values of a cell.
    fn part(&mut self, path: &Path<'a>, cell: u32, parts: Vec<Vec<u32>>) {
        if parts.len() > 1 && self.cases.len() + self.open.len() + parts.len() > self.most {
            return self.end(path, CaseOutcome::Open);
        }
        // The first part is followed first.
        for values in parts.into_iter().rev() {
            let mut path = path.clone();
            path.known.restrict(cell, values);
            self.open.push(path);
        }
    }

    /// Everything was executed: what becomes of the cells.
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

    /// The cells that may not have all their values.
    fn tests(&self, path: &Path<'a>) -> Vec<(u32, Vec<u32>)> {
        let is_test = |(cell, values): &&(u32, Vec<u32>)| (values.len() as u64) < self.cells.get(*cell).n_values();
        let mut tests: Vec<(u32, Vec<u32>)> = path.known.domains().iter().filter(is_test).cloned().collect();
        tests.sort_unstable();
        tests
    }
}
