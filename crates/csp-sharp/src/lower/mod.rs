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
mod timed;
mod translate;
mod tree;
mod variables;

pub use back::Lowering;
pub use timed::TimedLowering;

use crate::code::{ExprId, ProgramId, Statement, TermId};
use crate::run::{StateId, System};
use hashbrown::HashMap;
use machine::Made;
use moves::{Condition, Effect, Move, Sort, Symbolic};
use range::Range;
use std::rc::Rc;
use std::sync::Arc;
use tree::Tree;

/// How often values and messages are looked for that nobody knew of.
const MAX_ROUNDS: usize = 100;
/// Rounds after which what is still growing is given room.
const MAX_EXACT: usize = 24;

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
        start: StateId,
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
    for round in 0..MAX_ROUNDS {
        symbolic.begin_again();
        let mut made = Vec::with_capacity(leaves.len());
        let mut n_states = 0;
        for &leaf in leaves {
            let machine = Made::explore(symbolic, leaf, most)?;
            n_states += machine.terms.len();
            if n_states > most.saturating_mul(20) {
                return Err(NotLowered::Large(Limit::States));
            }
            made.push(machine);
        }
        let actions = made.iter().flat_map(|made| &made.actions);
        let actions: Vec<&Move<()>> = actions.filter(|action| !action.effects.is_empty()).collect();
        let has_grown = grow(symbolic, &actions, programs, round)?;
        if !has_grown && !symbolic.has_grown {
            return Ok(made);
        }
    }
    Err(NotLowered::Large(Limit::Rounds))
}

/// Follows what programs do to variables until no more values are found. Whether there were any.
fn grow(
    symbolic: &mut Symbolic<'_>,
    actions: &[&Move<()>],
    programs: &mut Programs,
    round: usize,
) -> Result<bool, NotLowered> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for action in actions {
        let mut all = Vec::new();
        for effect in &action.effects {
            let Effect::Run(program, arguments) = effect else { continue };
            let key = (*program, arguments.clone());
            if !programs.contains_key(&key) {
                let left = residual::residual(symbolic.system.code_mut(), *program, arguments)?;
                programs.insert(key.clone(), left.into());
            }
            all.push(programs[&key].clone());
        }
        // Who takes a message runs its program behind another one, when its conditions may not be true any more.
        let conditions = if matches!(action.sort, Sort::Taker(..)) { &[][..] } else { &action.conditions };
        runs.push((conditions, all));
    }
    let mut has_grown = false;
    for step in 0_usize.. {
        symbolic.check_on()?;
        let mut found: Vec<Option<Range>> = vec![None; symbolic.variables.len()];
        for (conditions, programs) in &runs {
            let mut ranges = symbolic.ranges();
            rules::assume(&mut ranges, conditions);
            for program in programs {
                ranges.run(program, &mut |variable, range| {
                    let found = &mut found[variable.0 as usize];
                    *found = Some(found.map_or(range, |known| known.hull(range)));
                });
            }
        }
        let mut is_more = false;
        for (number, found) in found.into_iter().enumerate() {
            let known = symbolic.variables[number];
            let Some(found) = found.filter(|&found| !known.contains(found)) else { continue };
            is_more = true;
            let more = known.hull(found);
            let declared = symbolic.code().variables[number].range;
            symbolic.variables[number] = if step + round < MAX_EXACT { more } else { widened(known, more, declared) };
        }
        has_grown |= is_more;
        if !is_more {
            break;
        }
    }
    Ok(has_grown)
}

/// More than was found, so that there is an end: up to the next power of two, within what was declared.
fn widened(known: Range, more: Range, declared: Option<(i32, i32)>) -> Range {
    let up = |value: i64| (value + 1).max(1).unsigned_abs().next_power_of_two() as i64 - 1;
    let low = if more.low < known.low { -up(-more.low) - 1 } else { more.low };
    let high = if more.high > known.high { up(more.high) } else { more.high };
    let declared = declared.map_or(Range::ALL, |(low, high)| Range { low: low.into(), high: high.into() });
    Range { low, high }.meet(declared).unwrap_or(more).hull(more)
}
