//! Compilation of processes to networks.
//!
//! The outermost compositions are static: their components become machines. The states of a machine are the terms that
//! its process can reach, and its moves read and write variables and buffers, which belong to the network. The values
//! of variables and the messages depend on the machines, and the other way round. So this is a fixpoint iteration from
//! the initial values ([`moves`], [`range`]), by abstract interpretation with intervals, with widening and narrowing
//! (P. Cousot and R. Cousot, 1977). The result over-approximates the reachable values.
//!
//! A step faults in the network iff it faults in the script, except for loops that exceed the limit of iterations. A
//! process that has no such form, or too large a one, is [not lowered](NotLowered) but explored on the fly.

mod atomic;
mod channels;
mod compose;
mod lift;
mod machine;
mod moves;
mod range;
mod residual;
mod rules;
mod symbolic_move;
mod timed;
mod translate;
mod tree;
mod variables;

pub use lift::Lowering;
use limits::effort::csp_sharp_lowering::{
    LONG_WIDENING_DELAY, MAX_EARLY_WIDENING, MAX_NARROWINGS, MAX_ROUNDS, WIDENING_DELAY,
};
pub use timed::TimedLowering;

use crate::code::{ExprId, ProgramId, Statement, TermId};
use crate::run::{Fault, FaultKind, System};
use hashbrown::HashMap;
use machine::ExploredMachine;
use model::data::Interval;
use model::process::State;
use moves::{Condition, Effect, Move, Sort, Symbolic};
use std::rc::Rc;
use std::sync::Arc;
use tree::Tree;

/// The reason why a process has no network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLowered {
    /// A limit is exceeded.
    Large(Limit),
    /// It uses library objects.
    Object,
    /// It changes variables that the comparison of states ignores.
    Hidden,
    /// It uses `atomic` in the timed dialect.
    Atomic,
    /// It uses an operator without a network form.
    Operator,
    /// A fault may occur where networks cannot express it.
    Failing,
    /// Its definition is erroneous, or depends on the state where it must not.
    Wrong,
    /// Cancelled.
    Stopped,
}

impl NotLowered {
    /// The reason for a fault in the computation of symbolic moves.
    fn of(fault: &Fault) -> NotLowered {
        match fault.kind {
            FaultKind::Stopped(_) => NotLowered::Stopped,
            _ => NotLowered::Wrong,
        }
    }
}

/// Limits of compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Limit {
    States,
    Moves,
    Values,
    Calls,
    Program,
    Rounds,
}

/// Partially evaluated programs, by program and arguments.
type Programs = HashMap<(ProgramId, Arc<[ExprId]>), Rc<[Statement]>>;

impl System {
    /// Compiles a process, from its initial state, to a network with machines of at most `most` states. `conditions` on
    /// its states are translated as far as they never fault. Polls `may_continue` for cancellation.
    ///
    /// # Errors
    /// The reason why there is no network.
    pub fn lower(
        &mut self,
        start: State,
        conditions: &[ExprId],
        most: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Lowering, NotLowered> {
        if self.code().is_timed {
            return self.lower_clockless(start, conditions, most, may_continue);
        }
        let Some(term) = self.started(start) else { return Err(NotLowered::Wrong) };
        let mut leaves = Vec::new();
        let tree = Tree::of(self, term, &mut leaves);
        let mut symbolic = Symbolic::new(self, may_continue);
        let mut programs = Programs::new();
        let machines = explore(&mut symbolic, &leaves, &mut programs, most)?;
        let moves: Vec<_> = machines.iter().enumerate().map(|(number, machine)| machine.moves(number)).collect();
        let moves = tree.moves(symbolic.system, &symbolic.messages, &moves)?;
        rules::network(symbolic, tree, machines, &moves, &programs, conditions)
    }
}

/// Conditions, and programs that are executed in sequence where they hold.
type Run<'a> = (&'a [Condition], Vec<Rc<[Statement]>>);

/// Computes the machines by fixpoint iteration.
fn explore(
    symbolic: &mut Symbolic<'_>,
    leaves: &[TermId],
    programs: &mut Programs,
    most: usize,
) -> Result<Vec<ExploredMachine>, NotLowered> {
    let mut thresholds: Vec<i64> = symbolic.code().exprs.values().map(i64::from).collect();
    thresholds.sort_unstable();
    let mut search =
        Search { symbolic, leaves, programs, most, thresholds, widening_delay: WIDENING_DELAY, is_widened: false };
    match search.run() {
        // Later widening may yield smaller ranges, which avoid the limit or a spurious fault.
        Err(why) if why != NotLowered::Stopped && search.is_widened => {
            search.symbolic.reset_values();
            search.symbolic.clear_messages();
            search.programs.clear();
            Search { widening_delay: LONG_WIDENING_DELAY, is_widened: false, ..search }.run()
        }
        done => done,
    }
}

/// Fixpoint iteration for machines, ranges of variables, and messages.
struct Search<'a, 's> {
    symbolic: &'a mut Symbolic<'s>,
    leaves: &'a [TermId],
    programs: &'a mut Programs,
    most: usize,
    /// Widening thresholds: the literals of the script, in ascending order, at which ranges often end.
    thresholds: Vec<i64>,
    /// The number of iterations before widening.
    widening_delay: usize,
    /// Whether a range was widened.
    is_widened: bool,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Vec<ExploredMachine>, NotLowered> {
        let mut n_narrowings = 0;
        for round in 0..MAX_ROUNDS {
            self.symbolic.clear_moves();
            let machines = self.machines()?;
            let actions = machines.iter().flat_map(|machine| &machine.actions);
            let actions: Vec<&Move<()>> = actions.filter(|action| !action.effects.is_empty()).collect();
            let Growth { has_grown, assigned } = self.grow(&actions, round)?;
            if has_grown || self.symbolic.has_grown {
                continue;
            }
            if !self.is_widened || n_narrowings == MAX_NARROWINGS || !self.symbolic.narrow(&assigned) {
                return Ok(machines);
            }
            n_narrowings += 1;
            // Programs that are no longer reachable must not contribute.
            self.programs.clear();
        }
        Err(NotLowered::Large(Limit::Rounds))
    }

    /// The machines under the current ranges and messages.
    fn machines(&mut self) -> Result<Vec<ExploredMachine>, NotLowered> {
        let mut machines = Vec::with_capacity(self.leaves.len());
        let mut n_states = 0;
        for &leaf in self.leaves {
            let machine = ExploredMachine::explore(self.symbolic, leaf, self.most)?;
            n_states += machine.terms.len();
            if n_states > self.most.saturating_mul(20) {
                return Err(NotLowered::Large(Limit::States));
            }
            machines.push(machine);
        }
        Ok(machines)
    }

    /// Propagates the effects of programs to the ranges until they are stable.
    fn grow(&mut self, actions: &[&Move<()>], round: usize) -> Result<Growth, NotLowered> {
        let runs = self.runs(actions)?;
        let mut has_grown = false;
        for step in 0_usize.. {
            self.symbolic.poll()?;
            let assigned = self.symbolic.assigned(&runs);
            let mut is_more = false;
            for (number, &found) in assigned.iter().enumerate() {
                let known = self.symbolic.variables[number];
                let Some(found) = found.filter(|&found| !known.contains(found)) else { continue };
                is_more = true;
                let mut more = known.hull(found);
                if step + round >= self.widening_delay {
                    self.is_widened = true;
                    let thresholds = if step + round < LONG_WIDENING_DELAY { &self.thresholds[..] } else { &[] };
                    more = widened(known, more, thresholds, self.symbolic.code().variables[number].range);
                    if self.widening_delay == WIDENING_DELAY && more.high - more.low > MAX_EARLY_WIDENING {
                        return Err(NotLowered::Large(Limit::Values));
                    }
                }
                self.symbolic.variables[number] = more;
            }
            has_grown |= is_more;
            if !is_more {
                return Ok(Growth { has_grown, assigned });
            }
        }
        Err(NotLowered::Large(Limit::Rounds))
    }

    /// The programs of moves, with their conditions.
    fn runs<'m>(&mut self, actions: &[&'m Move<()>]) -> Result<Vec<Run<'m>>, NotLowered> {
        let mut runs: Vec<Run<'m>> = Vec::with_capacity(actions.len());
        for action in actions {
            let mut all = Vec::new();
            for effect in &action.effects {
                let Effect::Run(program, arguments) = effect else { continue };
                let key = (*program, arguments.clone());
                if !self.programs.contains_key(&key) {
                    let left = residual::residual(self.symbolic.system.code_mut(), *program, arguments)?;
                    self.programs.insert(key.clone(), left.into());
                }
                all.push(self.programs[&key].clone());
            }
            // A receiver's program is executed after the sender's, which may have invalidated its conditions.
            let conditions = if matches!(action.sort, Sort::Input(..)) { &[][..] } else { &action.conditions };
            runs.push((conditions, all));
        }
        Ok(runs)
    }
}

/// Widens a range that grows: to the next threshold or power of two, within the declared range.
fn widened(known: Interval, more: Interval, thresholds: &[i64], declared: Option<(i32, i32)>) -> Interval {
    let power = |value: i128| (value + 1).max(1).unsigned_abs().next_power_of_two() as i128 - 1;
    let below = thresholds[..thresholds.partition_point(|&threshold| i128::from(threshold) <= more.low)].last();
    let above = thresholds.get(thresholds.partition_point(|&threshold| i128::from(threshold) < more.high));
    let low = (-power(-more.low) - 1).max(below.copied().unwrap_or(i64::MIN).into());
    let high = power(more.high).min(above.copied().unwrap_or(i64::MAX).into());
    let low = if more.low < known.low { low } else { more.low };
    let high = if more.high > known.high { high } else { more.high };
    Interval { low, high }.meet(range::declared(declared)).unwrap_or(more).hull(more)
}

/// The result of propagation.
struct Growth {
    /// Whether a range has grown.
    has_grown: bool,
    /// For each variable the hull of the assigned values.
    assigned: Vec<Option<Interval>>,
}

impl Symbolic<'_> {
    /// For each variable the hull of the values that programs assign to it.
    fn assigned(&self, runs: &[Run<'_>]) -> Vec<Option<Interval>> {
        let mut assigned: Vec<Option<Interval>> = vec![None; self.variables.len()];
        for (conditions, programs) in runs {
            let mut ranges = self.ranges();
            rules::assume(&mut ranges, conditions);
            for program in programs {
                ranges.run(program, &mut |variable, range| {
                    let known = &mut assigned[variable.0 as usize];
                    *known = Some(known.map_or(range, |known| known.hull(range)));
                });
            }
        }
        assigned
    }

    /// Narrows the ranges to the initial and assigned values; `true` if one shrinks. This is sound: the propagation is
    /// monotone, so programs assign no further values under smaller ranges.
    fn narrow(&mut self, assigned: &[Option<Interval>]) -> bool {
        let mut is_less = false;
        let needed =
            self.first_values().zip(assigned).map(|(first, found)| found.map_or(first, |found| found.hull(first)));
        let needed: Vec<Interval> = needed.collect();
        for (known, needed) in self.variables.iter_mut().zip(needed) {
            is_less |= *known != needed;
            *known = needed;
        }
        if is_less {
            self.clear_messages();
        }
        is_less
    }
}
