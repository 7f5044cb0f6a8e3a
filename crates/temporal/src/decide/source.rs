//! What only those can tell who know the language of a system.

use super::{Occurring, Setting, Undecided};
use crate::{Action, Property, Reason, Structure, ctl};
use fixedbitset::FixedBitSet;
use lts::refine::Implementation;
use lts::{Builder, StateId};
use progress::Statistics;
use std::ops::ControlFlow;

/// States that are walked at first.
const FIRST_STATES: usize = 5_000;

/// What is asked of a system.
#[derive(Debug)]
pub enum Asked {
    /// That all its runs satisfy some properties.
    Linear(Vec<Property>),
    /// A formula of branching time.
    Branching(ctl::Property),
}

/// Where the question comes from, and the system, if that is walked.
pub trait Source {
    /// Why something cannot be told.
    type Error;

    /// What is asked, if these labels occur.
    ///
    /// # Errors
    /// If it has no meaning for them.
    fn asked(&mut self, occurring: &Occurring) -> Result<Asked, Self::Error>;

    /// The states of the system. What was told once is kept.
    fn walk(&mut self) -> impl Walk<Error = Self::Error>;

    /// The same system, of about so many states, with the processes that take its steps; nothing if these are not known.
    fn with_processes(&mut self, n_states: usize) -> Option<Structure>;
}

/// States that are told one by one, numbered as they are met.
pub trait Walk: Implementation {
    /// What labels stand for, if they are numbers of actions.
    fn actions(&self) -> Option<Vec<Action>>;
}

/// The states of a walk that are nearest to its beginning: so many, or those that are walked at first, or as many as are allowed. The
/// others that they lead to are open.
///
/// # Errors
/// If the steps of a state cannot be told, or somebody asks to stop.
pub fn nearest<W: Walk>(
    walk: &mut W,
    n_states: usize,
    setting: &Setting<'_>,
) -> Result<Structure, Undecided<W::Error>> {
    let most = n_states.max(FIRST_STATES).min(setting.most_states());
    let mut builder = Builder::new();
    let mut next = 0;
    while next < walk.n_known() && next < most {
        if next % 256 == 255
            && let ControlFlow::Break(why) = setting.progress.tick(&Statistics::of_states(next))
        {
            return Err(Reason::Stopped(why.into()).into());
        }
        let state = StateId(next as u32);
        builder.add_state(state);
        let steps = walk.transitions(state).map_err(Undecided::Source)?;
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
