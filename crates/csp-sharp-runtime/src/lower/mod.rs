//! Processes as networks.
//!
//! Compositions at the outside of a process never change: what they put side by side becomes machines. A machine has the terms that
//! its process can be for states, and its steps ask and change variables and buffers, which are those of the network. Since neither
//! is known which values variables have nor which messages are sent before machines are made, this begins with those at the start, and
//! is done again while more are found ([`moves`], [`range`]). Whatever is found possible in the end is all that can be.
//!
//! A step that goes wrong in the script goes wrong in the network, and the other way round, but for loops that take very long. What has
//! no such form, or too large a one, is [not lowered](NotLowered): then the states of the process are made one by one.

mod atomic;
mod back;
mod channels;
mod compose;
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

pub use back::Lowering;
use limits::effort::csp_sharp_lowering::{
    LONG_WIDENING_DELAY, MAX_EARLY_WIDENING, MAX_NARROWINGS, MAX_ROUNDS, WIDENING_DELAY,
};
pub use timed::TimedLowering;

use crate::code::{ExprId, ProgramId, Statement, TermId};
use crate::run::{Fault, FaultKind, System};
use hashbrown::HashMap;
use machine::Made;
use model::data::Interval;
use model::process::State;
use moves::{Condition, Effect, Move, Sort, Symbolic};
use std::rc::Rc;
use std::sync::Arc;
use tree::Tree;

/// Why a process has no network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLowered {
    /// There would be too many of these.
    Large(Limit),
    /// Objects of libraries are used.
    Object,
    /// Variables change that tell no states apart.
    Hidden,
    /// `atomic` is used where time passes.
    Atomic,
    /// An operator that networks do not have.
    Operator,
    /// Something may go wrong at a moment that networks do not have.
    Failing,
    /// Something is wrong, or depends on the state, that should not.
    Wrong,
    /// Somebody asked to stop.
    Stopped,
}

impl NotLowered {
    /// What keeps a step from being looked at keeps a process from being lowered.
    fn of(fault: &Fault) -> NotLowered {
        match fault.kind {
            FaultKind::Stopped(_) => NotLowered::Stopped,
            _ => NotLowered::Wrong,
        }
    }
}

/// What there can be too many of.
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

/// Programs with their arguments put in.
type Programs = HashMap<(ProgramId, Arc<[ExprId]>), Rc<[Statement]>>;

impl System {
    /// The network of a process at its start, with machines of up to so many states. Some conditions on its states are wanted, as far as
    /// they have a value in each of them. Somebody is asked now and then whether to go on.
    ///
    /// # Errors
    /// Why there is none.
    pub fn lower(
        &mut self,
        start: State,
        conditions: &[ExprId],
        most: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Lowering, NotLowered> {
        if self.code().is_timed {
            return self.lower_clockless(start, conditions, most, goes_on);
        }
        let Some(term) = self.started(start) else { return Err(NotLowered::Wrong) };
        let mut leaves = Vec::new();
        let tree = Tree::of(self, term, &mut leaves);
        let mut symbolic = Symbolic::new(self, goes_on);
        let mut programs = Programs::new();
        let made = explore(&mut symbolic, &leaves, &mut programs, most)?;
        let moves: Vec<_> = made.iter().enumerate().map(|(number, made)| made.moves(number)).collect();
        let moves = tree.moves(symbolic.system, &symbolic.messages, &moves)?;
        rules::network(symbolic, tree, made, &moves, &programs, conditions)
    }
}

/// Conditions, and programs that run one after the other where they are true.
type Run<'a> = (&'a [Condition], Vec<Rc<[Statement]>>);

/// Makes machines until nothing new is found.
fn explore(
    symbolic: &mut Symbolic<'_>,
    leaves: &[TermId],
    programs: &mut Programs,
    most: usize,
) -> Result<Vec<Made>, NotLowered> {
    let mut marks: Vec<i64> = symbolic.code().exprs.values().map(i64::from).collect();
    marks.sort_unstable();
    let mut search = Search { symbolic, leaves, programs, most, marks, patience: WIDENING_DELAY, is_roomy: false };
    match search.run() {
        // With less room it may not be too large, or not seem to go wrong.
        Err(why) if why != NotLowered::Stopped && search.is_roomy => {
            search.symbolic.forget_values();
            search.symbolic.forget_messages();
            search.programs.clear();
            Search { patience: LONG_WIDENING_DELAY, is_roomy: false, ..search }.run()
        }
        done => done,
    }
}

/// The search for machines and for all values that there are.
struct Search<'a, 's> {
    symbolic: &'a mut Symbolic<'s>,
    leaves: &'a [TermId],
    programs: &'a mut Programs,
    most: usize,
    /// Numbers that the script has, in order: something often ends there.
    marks: Vec<i64>,
    /// So many rounds give exactly as much room as is needed.
    patience: usize,
    /// Whether more room was given than is known to be needed.
    is_roomy: bool,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Vec<Made>, NotLowered> {
        let mut n_narrowings = 0;
        for round in 0..MAX_ROUNDS {
            self.symbolic.begin_again();
            let made = self.machines()?;
            let actions = made.iter().flat_map(|made| &made.actions);
            let actions: Vec<&Move<()>> = actions.filter(|action| !action.effects.is_empty()).collect();
            let Growth { has_grown, assigned } = self.grow(&actions, round)?;
            if has_grown || self.symbolic.has_grown {
                continue;
            }
            if !self.is_roomy || n_narrowings == MAX_NARROWINGS || !self.symbolic.narrow(&assigned) {
                return Ok(made);
            }
            n_narrowings += 1;
            // Some may not be run any more.
            self.programs.clear();
        }
        Err(NotLowered::Large(Limit::Rounds))
    }

    /// The machines by the values that are known so far.
    fn machines(&mut self) -> Result<Vec<Made>, NotLowered> {
        let mut made = Vec::with_capacity(self.leaves.len());
        let mut n_states = 0;
        for &leaf in self.leaves {
            let machine = Made::explore(self.symbolic, leaf, self.most)?;
            n_states += machine.terms.len();
            if n_states > self.most.saturating_mul(20) {
                return Err(NotLowered::Large(Limit::States));
            }
            made.push(machine);
        }
        Ok(made)
    }

    /// Follows what programs do to variables until no more values are found.
    fn grow(&mut self, actions: &[&Move<()>], round: usize) -> Result<Growth, NotLowered> {
        let runs = self.runs(actions)?;
        let mut has_grown = false;
        for step in 0_usize.. {
            self.symbolic.check_on()?;
            let assigned = self.symbolic.assigned(&runs);
            let mut is_more = false;
            for (number, &found) in assigned.iter().enumerate() {
                let known = self.symbolic.variables[number];
                let Some(found) = found.filter(|&found| !known.contains(found)) else { continue };
                is_more = true;
                let mut more = known.hull(found);
                if step + round >= self.patience {
                    self.is_roomy = true;
                    let marks = if step + round < LONG_WIDENING_DELAY { &self.marks[..] } else { &[] };
                    more = widened(known, more, marks, self.symbolic.code().variables[number].range);
                    if self.patience == WIDENING_DELAY && more.high - more.low > MAX_EARLY_WIDENING {
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

    /// What moves run, and when.
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
            // Who takes a message runs its program behind another one, when its conditions may not be true any more.
            let conditions = if matches!(action.sort, Sort::Taker(..)) { &[][..] } else { &action.conditions };
            runs.push((conditions, all));
        }
        Ok(runs)
    }
}

/// More than was found, so that there is an end: up to the next of some numbers, given in order, or power of two, within what was declared.
fn widened(known: Interval, more: Interval, marks: &[i64], declared: Option<(i32, i32)>) -> Interval {
    let power = |value: i128| (value + 1).max(1).unsigned_abs().next_power_of_two() as i128 - 1;
    let below = marks[..marks.partition_point(|&mark| i128::from(mark) <= more.low)].last();
    let above = marks.get(marks.partition_point(|&mark| i128::from(mark) < more.high));
    let low = (-power(-more.low) - 1).max(below.copied().unwrap_or(i64::MIN).into());
    let high = power(more.high).min(above.copied().unwrap_or(i64::MAX).into());
    let low = if more.low < known.low { low } else { more.low };
    let high = if more.high > known.high { high } else { more.high };
    Interval { low, high }.meet(range::declared(declared)).unwrap_or(more).hull(more)
}

/// What following programs has come to.
struct Growth {
    /// Whether there were values that nobody knew of.
    has_grown: bool,
    /// What each variable is given, if anything.
    assigned: Vec<Option<Interval>>,
}

impl Symbolic<'_> {
    /// What each variable is given by programs, if anything.
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

    /// Takes back room that is not needed, where programs give variables nothing but some values; whether there is any. With less room they give them
    /// no more than before.
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
            self.forget_messages();
        }
        is_less
    }
}
