//! Deadlock, reachability and determinism: states are counted when they are met, steps when a state is looked at.
//!
//! Where time passes, PAT always looks for any witness, and for propositions it explores zones.

use super::{NotCounted, Tally, Walk, Witness, in_zones};
use analysis::check::is_goal;
use frontend::{Goal, State};
use hashbrown::HashSet;
use lts::Label;
use std::collections::VecDeque;

/// Counts what PAT meets when it looks for a state.
pub(super) fn count(walk: &mut Walk<'_>, process: State, goal: Goal) -> Result<Tally, NotCounted> {
    let is_timed = walk.semantics.is_timed();
    if let (Goal::Proposition(proposition), true) = (goal, is_timed)
        && let Some(tally) = in_zones::count(walk, process, proposition)?
    {
        return Ok(tally);
    }
    let is_last_first = is_timed || walk.witness == Witness::Any;
    // What termination leads to counts only where values are asked for.
    let asks_for_values = matches!(goal, Goal::Proposition(_) | Goal::Optimum { .. });
    let mut met: HashSet<State> = HashSet::from([process]);
    let mut open = VecDeque::from([process]);
    let mut n_steps = 0;
    while let Some(state) = if is_last_first { open.pop_back() } else { open.pop_front() } {
        walk.may_go_on(met.len())?;
        let steps = walk.steps(state)?;
        let is_found = is_goal(walk.semantics, state, &steps, goal)?;
        // A state with the values that are looked for is found before its steps are.
        if is_found && matches!(goal, Goal::Proposition(_)) {
            break;
        }
        n_steps += steps.len() as u64;
        // The best value is known when all states are.
        if is_found && !matches!(goal, Goal::Optimum { .. }) {
            break;
        }
        for step in steps.iter().filter(|step| asks_for_values || step.label != Label::TICK) {
            if met.insert(step.target) {
                open.push_back(step.target);
            }
        }
    }
    Ok(Tally { n_states: met.len() as u64, n_steps })
}
