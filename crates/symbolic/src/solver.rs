//! The interface of SAT solvers, and the solver in use.

use crate::proof::{FORGOTTEN, Proof, Record};
use crate::stopping::{Meter, stop, unless_stopped};
use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use limits::effort::sat::{PROPAGATED_PART, WORK_PER_DECISION};
use limits::intervals::polling::{SOLVER_ASSIGNMENTS, SOLVER_POLLS};
use progress::{Interrupt, Progress, Statistics};
use std::cell::Cell;
use std::ops::{ControlFlow, Not};

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The variable, without its negation.
    pub(crate) fn variable(self) -> Lit {
        Lit(self.0 & !1)
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// An incremental SAT solver.
pub trait Solver {
    /// A new variable.
    fn variable(&mut self) -> Lit;
    /// Adds a clause. Unwinds when the analysis is cancelled, like all work on formulas.
    fn add(&mut self, clause: &[Lit]);
    /// Charges work that adds no clause.
    fn count(&mut self, n_steps: usize);
    /// Whether the clauses are satisfiable under assumptions.
    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Interrupt>;
    /// Whether the clauses are satisfiable under assumptions; None if the conflict budget is exhausted.
    fn solve_within(&mut self, assumed: &[Lit], max_conflicts: u64) -> Result<Option<bool>, Interrupt>;
    /// Whether a literal is true in the last assignment.
    fn is_true(&self, lit: Lit) -> bool;
    /// Whether an assumption is in the last unsatisfiable core.
    fn is_reason(&self, assumed: Lit) -> bool;
    /// Conflicts since the solver was created.
    fn n_conflicts(&self) -> u64;
}

/// The solver `batsat` under limits. Once interrupted, it must not be used again.
pub struct Batsat<'a> {
    solver: batsat::Solver<Limits<'a>>,
    variables: Vec<batsat::Var>,
    buffer: Vec<batsat::Lit>,
    meter: Meter<'a>,
}

struct Limits<'a> {
    progress: &'a dyn Progress,
    interrupt: Cell<Option<Interrupt>>,
    /// Callbacks of the solver until the next poll.
    n_in_vain: Cell<u64>,
    n_variables: u64,
    /// The rest of the conflict budget.
    n_conflicts_left: u64,
    record: Option<Record>,
}

/// A literal in the DIMACS convention.
fn written(lit: batsat::Lit) -> i32 {
    let number = lit.var().idx() as i32 + 1;
    if lit.sign() { number } else { -number }
}

impl Limits<'_> {
    /// Whether the solver is known to be cancelled.
    fn is_interrupted(&self) -> bool {
        let n_in_vain = self.n_in_vain.get();
        self.n_in_vain.set(n_in_vain.saturating_sub(1));
        if n_in_vain == 0 {
            let n_asked = (SOLVER_ASSIGNMENTS / self.n_variables.max(1)).clamp(1, SOLVER_POLLS);
            self.n_in_vain.set(n_asked - 1);
            // Each callback is a decision or a conflict, which propagates through a part of the variables.
            let work = n_asked * (WORK_PER_DECISION + self.n_variables / PROPAGATED_PART);
            if let ControlFlow::Break(why) = self.progress.tick(&Statistics::of_work(work)) {
                self.interrupt.set(Some(why));
            }
        }
        self.interrupt.get().is_some()
    }
}

impl Callbacks for Limits<'_> {
    fn stop(&self) -> bool {
        self.n_conflicts_left == 0 || self.is_interrupted()
    }

    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.n_conflicts_left = self.n_conflicts_left.saturating_sub(1);
            // The solver calls back at decisions, and in wide networks there may be a minute of conflicts between two
            // of them.
            if self.is_interrupted()
                && let Some(why) = self.interrupt.get()
            {
                stop(why);
            }
        }
        if let Some(record) = &mut self.record {
            record.steps.extend(clause.iter().map(|&lit| written(lit)).chain([0]));
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        if let Some(record) = &mut self.record {
            record.steps.push(FORGOTTEN);
            record.steps.extend(clause.iter().map(|&lit| written(lit)).chain([0]));
        }
    }
}

impl<'a> Batsat<'a> {
    /// A solver without variables.
    pub fn new(progress: &'a dyn Progress) -> Batsat<'a> {
        Batsat::with_record(progress, None)
    }

    /// A solver without variables that records its clauses.
    pub(crate) fn recording(progress: &'a dyn Progress) -> Batsat<'a> {
        Batsat::with_record(progress, Some(Record::default()))
    }

    fn with_record(progress: &'a dyn Progress, record: Option<Record>) -> Batsat<'a> {
        let limits = Limits {
            progress,
            interrupt: Cell::new(None),
            n_in_vain: Cell::new(SOLVER_POLLS - 1),
            n_variables: 0,
            n_conflicts_left: u64::MAX,
            record,
        };
        Batsat {
            solver: batsat::Solver::new(SolverOpts::default(), limits),
            variables: Vec::new(),
            buffer: Vec::new(),
            meter: Meter::new(progress),
        }
    }

    /// The refutation of its clauses, if they were found unsatisfiable without assumptions.
    pub(crate) fn proof(mut self, name: &'static str, meaning: String) -> Proof {
        let n_variables = self.variables.len();
        let record = self.solver.cb_mut().record.take().unwrap_or_default();
        Proof { name, meaning, record: Record { n_variables, ..record } }
    }
}

/// A literal as the solver has it.
fn inner(variables: &[batsat::Var], lit: Lit) -> batsat::Lit {
    batsat::Lit::new(variables[(lit.0 >> 1) as usize], lit.0 & 1 == 0)
}

impl Solver for Batsat<'_> {
    fn variable(&mut self) -> Lit {
        self.meter.count(1);
        self.variables.push(self.solver.new_var_default());
        self.solver.cb_mut().n_variables += 1;
        Lit((self.variables.len() as u32 - 1) << 1)
    }

    fn count(&mut self, n_steps: usize) {
        self.meter.count(n_steps);
    }

    fn add(&mut self, clause: &[Lit]) {
        self.meter.count(clause.len());
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|&lit| inner(&self.variables, lit)));
        if let Some(record) = &mut self.solver.cb_mut().record {
            // Proof checkers count literals, so duplicates must go.
            self.buffer.sort_unstable();
            self.buffer.dedup();
            record.formula.extend(self.buffer.iter().map(|&lit| written(lit)).chain([0]));
        }
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Interrupt> {
        // The budget is never exhausted.
        self.solve_within(assumed, u64::MAX)?.ok_or(Interrupt::GaveUp)
    }

    fn solve_within(&mut self, assumed: &[Lit], max_conflicts: u64) -> Result<Option<bool>, Interrupt> {
        let assumed: Vec<batsat::Lit> = assumed.iter().map(|&lit| inner(&self.variables, lit)).collect();
        self.solver.cb_mut().n_conflicts_left = max_conflicts;
        let found = unless_stopped(|| Ok(self.solver.solve_limited(&assumed)))?;
        let limits = self.solver.cb();
        match limits.interrupt.get() {
            _ if found == lbool::TRUE => Ok(Some(true)),
            _ if found == lbool::FALSE => Ok(Some(false)),
            None if limits.n_conflicts_left == 0 => Ok(None),
            why => Err(why.unwrap_or(Interrupt::GaveUp)),
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.solver.value_lit(inner(&self.variables, lit)) == lbool::TRUE
    }

    fn is_reason(&self, assumed: Lit) -> bool {
        self.solver.unsat_core_contains_var(self.variables[(assumed.0 >> 1) as usize])
    }

    fn n_conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::progress::Patience;

    /// Cancels a solver at the first poll.
    struct Impatient;

    impl Progress for Impatient {
        fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
            ControlFlow::Break(Interrupt::Time)
        }
    }

    /// The pigeonhole principle: the number of conflicts is exponential.
    #[test]
    fn an_interrupted_solver_stops_at_the_next_question() {
        let mut solver = Batsat::new(&Impatient);
        let pigeons: Vec<Vec<Lit>> = (0..11).map(|_| (0..10).map(|_| solver.variable()).collect()).collect();
        pigeons.iter().for_each(|holes| solver.add(holes));
        for (place, first) in pigeons.iter().enumerate() {
            for second in &pigeons[place + 1..] {
                first.iter().zip(second).for_each(|(&one, &other)| solver.add(&[!one, !other]));
            }
        }
        assert_eq!(solver.solve(&[]), Err(Interrupt::Time));
        assert!(solver.n_conflicts() <= SOLVER_POLLS, "{} conflicts", solver.n_conflicts());
    }

    /// Where a decision may take long, polls are more frequent.
    #[test]
    fn the_more_variables_the_more_questions() {
        let n_asked = |n_variables: u64| {
            let patience = Patience::of(usize::MAX);
            let mut solver = Batsat::new(&patience);
            // All variables are free, and are decided one after the other.
            let lits: Vec<Lit> = (0..n_variables).map(|_| solver.variable()).collect();
            lits.windows(2).for_each(|pair| solver.add(pair));
            let before = patience.n_asked();
            assert_eq!(solver.solve(&[]), Ok(true));
            (patience.n_asked() - before) as u64 * SOLVER_POLLS / n_variables
        };
        assert!(n_asked(1 << 19) > 2 * n_asked(1 << 15), "{} {}", n_asked(1 << 19), n_asked(1 << 15));
    }
}
