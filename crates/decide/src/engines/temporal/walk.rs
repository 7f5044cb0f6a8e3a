//! Explicit systems of the states near a start.

use fixedbitset::FixedBitSet;
use limits::intervals::polling::WALKED_STATES_PER_POLL;
use lts::refine::Implementation;
use lts::{Builder, StateId, Stop};
use progress::{Limits, Progress, Statistics};
use property::Action;
use std::ops::ControlFlow;
use temporal::Structure;

/// A system whose states are explored on the fly and numbered as they are visited.
pub trait Walk: Implementation {
    /// The meaning of labels, if they are numbers of actions.
    fn actions(&self) -> Option<Vec<Action>>;
}

/// Why a system was not explored.
#[derive(Debug)]
pub enum NotWalked<E> {
    /// The steps of a state are unknown.
    Failed(E),
    /// A limit was reached, or the user cancelled.
    Stopped(Stop),
}

/// The explicit system of the states that are nearest to the start, as many as are asked for and allowed. The states that they lead to are open.
///
/// # Errors
/// If the steps of a state are unknown, or `progress` breaks.
pub fn nearest<W: Walk>(
    walk: &mut W,
    n_states: usize,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Structure, NotWalked<W::Error>> {
    let most = n_states.min(usize::try_from(limits.states()).unwrap_or(usize::MAX));
    let mut builder = Builder::new();
    let mut next = 0;
    while next < walk.n_known() && next < most {
        if next % WALKED_STATES_PER_POLL == WALKED_STATES_PER_POLL - 1
            && let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(next))
        {
            return Err(NotWalked::Stopped(why.into()));
        }
        let state = StateId(next as u32);
        builder.add_state(state);
        let steps = walk.transitions(state).map_err(NotWalked::Failed)?;
        steps.iter().for_each(|step| builder.add(state, step.label, step.target));
        next += 1;
    }
    let mut open = FixedBitSet::with_capacity(walk.n_known());
    open.insert_range(next..walk.n_known());
    let lts = builder.finish(StateId(0));
    Ok(match walk.actions() {
        None => Structure::partly_known(&lts, open),
        Some(actions) => Structure::new(&lts, actions, open),
    })
}
