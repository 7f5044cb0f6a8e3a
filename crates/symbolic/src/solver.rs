//! What is asked of a SAT solver, and the one we use.

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
    /// The variable of it, which is true where it is false if it is negated.
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

/// A solver to which clauses are added between questions.
pub trait Solver {
    /// A new variable.
    fn variable(&mut self) -> Lit;
    /// One of these is true, from now on. Like all work on formulas it ends, by unwinding, when somebody wants it to stop.
    fn add(&mut self, clause: &[Lit]);
    /// Counts work on formulas in which nothing is added.
    fn count(&mut self, n_steps: usize);
    /// Whether all that was added can be true together with these; or why that is not known.
    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Interrupt>;
    /// The same; nothing if it was wrong so often about what it tried that it gave up.
    fn solve_within(&mut self, assumed: &[Lit], max_conflicts: u64) -> Result<Option<bool>, Interrupt>;
    /// Whether a literal is true in the solution found last.
    fn is_true(&self, lit: Lit) -> bool;
    /// Whether something that was assumed is among the reasons why there is no solution.
    fn is_reason(&self, assumed: Lit) -> bool;
    /// How often it was wrong about what it tried, since it was made.
    fn n_conflicts(&self) -> u64;
}

/// The solver `batsat`, which obeys limits. Once interrupted, it is not to be asked again.
pub struct Batsat<'a> {
    solver: batsat::Solver<Limits<'a>>,
    variables: Vec<batsat::Var>,
    buffer: Vec<batsat::Lit>,
    meter: Meter<'a>,
}

struct Limits<'a> {
    progress: &'a dyn Progress,
    interrupt: Cell<Option<Interrupt>>,
    /// How often it asks in vain before the clock is looked at again.
    n_in_vain: Cell<u64>,
    n_variables: u64,
    /// How often it may still be wrong.
    n_conflicts_left: u64,
    record: Option<Record>,
}

/// A literal as files have it.
fn written(lit: batsat::Lit) -> i32 {
    let number = lit.var().idx() as i32 + 1;
    if lit.sign() { number } else { -number }
}

impl Limits<'_> {
    /// Whether somebody wants it to stop, as far as is known.
    fn is_interrupted(&self) -> bool {
        let n_in_vain = self.n_in_vain.get();
        self.n_in_vain.set(n_in_vain.saturating_sub(1));
        if n_in_vain == 0 {
            let n_asked = (SOLVER_ASSIGNMENTS / self.n_variables.max(1)).clamp(1, SOLVER_POLLS);
            self.n_in_vain.set(n_asked - 1);
            // Each question is a decision or a conflict, which propagates through a part of the variables.
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
            // It asks whether to stop where it decides something, and in wide networks one conflict may follow another for a minute.
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

    /// A solver without variables that writes down what it is told and what it learns.
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

    /// Why what it was told has no solution, if it was found to have none without anything assumed.
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
            // Checkers count literals to see what is left of a clause.
            self.buffer.sort_unstable();
            self.buffer.dedup();
            record.formula.extend(self.buffer.iter().map(|&lit| written(lit)).chain([0]));
        }
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    fn solve(&mut self, assumed: &[Lit]) -> Result<bool, Interrupt> {
        // Nobody is wrong that often.
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

    /// Wants a solver to stop from the beginning.
    struct Impatient;

    impl Progress for Impatient {
        fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
            ControlFlow::Break(Interrupt::Time)
        }
    }

    /// More pigeons than holes: there is no end to conflicts.
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

    /// Where a decision may take long, the clock is looked at more often.
    #[test]
    fn the_more_variables_the_more_questions() {
        let n_asked = |n_variables: u64| {
            let patience = Patience::of(usize::MAX);
            let mut solver = Batsat::new(&patience);
            // All are free, and are decided one after the other.
            let lits: Vec<Lit> = (0..n_variables).map(|_| solver.variable()).collect();
            lits.windows(2).for_each(|pair| solver.add(pair));
            let before = patience.n_asked();
            assert_eq!(solver.solve(&[]), Ok(true));
            (patience.n_asked() - before) as u64 * SOLVER_POLLS / n_variables
        };
        assert!(n_asked(1 << 19) > 2 * n_asked(1 << 15), "{} {}", n_asked(1 << 19), n_asked(1 << 15));
    }
}
