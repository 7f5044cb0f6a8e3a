//! Deadlock, reachability and determinism: states are counted when they are discovered, steps when a state is expanded.
//!
//! In timed scripts, PAT always searches for any witness, and for propositions it explores zones.

use super::{NotCounted, Tally, Walk, Witness, in_zones};
use analysis::check::is_goal;
use frontend::{Goal, State};
use hashbrown::HashSet;
use lts::Label;
use std::collections::VecDeque;

/// Counts the states and steps of PAT's search for a state.
pub(super) fn count(walk: &mut Walk<'_>, process: State, goal: Goal) -> Result<Tally, NotCounted> {
    let is_timed = walk.semantics.is_timed();
    if let (Goal::Proposition(proposition), true) = (goal, is_timed)
        && let Some(tally) = in_zones::count(walk, process, proposition)?
    {
        return Ok(tally);
    }
    let is_last_first = is_timed || walk.witness == Witness::Any;
    // States after termination count only for goals on values.
    let asks_for_values = matches!(goal, Goal::Proposition(_) | Goal::Optimum { .. });
    let mut visited: HashSet<State> = HashSet::from([process]);
    let mut open = VecDeque::from([process]);
    let mut n_steps = 0;
    while let Some(state) = if is_last_first { open.pop_back() } else { open.pop_front() } {
        walk.check_limit(visited.len())?;
        let steps = walk.steps(state)?;
        let is_found = is_goal(walk.semantics, state, &steps, goal)?;
        // A goal on values is checked before the state is expanded.
        if is_found && matches!(goal, Goal::Proposition(_)) {
            break;
        }
        n_steps += steps.len() as u64;
        // An optimum requires all states.
        if is_found && !matches!(goal, Goal::Optimum { .. }) {
            break;
        }
        for step in steps.iter().filter(|step| asks_for_values || step.label != Label::TICK) {
            if visited.insert(step.target) {
                open.push_back(step.target);
            }
        }
    }
    Ok(Tally { n_states: visited.len() as u64, n_steps })
}
