//! Explicit systems of all reachable states, or of those of least depth.

use super::{Ended, Numbered};
use crate::interner::number;
use crate::{Builder, Lts, StateId, Watch};
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// The explicit system of all reachable states, with their numbers.
///
/// # Errors
/// If the watch ends it, or the steps of a state are unknown.
pub fn to_lts<S: Numbered>(system: &mut S, watch: &mut Watch<'_>) -> Result<Lts, Ended<S::Error>> {
    watch.start();
    let initial = system.initial();
    let mut builder = Builder::new();
    let mut is_discovered = FixedBitSet::with_capacity(system.n_known());
    is_discovered.grow_and_insert(initial.index());
    // Breadth first, because in infinite systems of terms distant states are large.
    let mut open = VecDeque::from([initial]);
    let mut n_discovered = 1;
    while let Some(state) = open.pop_front() {
        watch.tick(S::EFFORT)?;
        watch.keep(n_discovered)?;
        builder.add_state(state);
        for step in system.steps(&state).map_err(Ended::Failed)? {
            builder.add(state, step.label, step.target);
            is_discovered.grow(step.target.index() + 1);
            if !is_discovered.put(step.target.index()) {
                n_discovered += 1;
                open.push_back(step.target);
            }
        }
    }
    Ok(builder.finish(initial))
}

/// An explicit system in which the steps of some states are unknown.
#[derive(Clone, Debug)]
pub struct Part {
    /// The system. Open states have no steps in it.
    pub lts: Lts,
    /// The states whose steps are unknown.
    pub open: FixedBitSet,
}

/// The explicit system of the first `n_states` states of a system that numbers states in the order of their discovery.
/// Other discovered states are open, and those whose error `is_open` accepts.
///
/// # Errors
/// If the watch ends it, or the steps of a state are unknown for another reason.
pub fn part_of<S: Numbered>(
    system: &mut S,
    n_states: usize,
    is_open: impl Fn(&S::Error) -> bool,
    watch: &mut Watch<'_>,
) -> Result<Part, Ended<S::Error>> {
    watch.start();
    let mut builder = Builder::new();
    let mut open = FixedBitSet::new();
    let mut next = 0;
    while next < system.n_known() {
        let state = StateId(number(next));
        builder.add_state(state);
        open.grow(next + 1);
        if next < n_states {
            watch.tick(S::EFFORT)?;
            match system.steps(&state) {
                Ok(steps) => steps.iter().for_each(|step| builder.add(state, step.label, step.target)),
                Err(error) if is_open(&error) => open.insert(next),
                Err(error) => return Err(Ended::Failed(error)),
            }
        } else {
            open.insert(next);
        }
        next += 1;
    }
    Ok(Part { lts: builder.finish(system.initial()), open })
}
