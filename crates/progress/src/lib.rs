//! The one way in which long computations say how far they are, and are told to stop.
//!
//! Whoever computes asks [`Progress::tick`] from time to time. The clock, the memory and the user are behind it, in one place; so
//! nothing below the binary knows how time is measured, and every engine obeys every limit.
//!
//! ```
//! use progress::{Nobody, Progress, Statistics};
//! assert!(Nobody.tick(&Statistics::default()).is_continue());
//! ```

mod activity;
mod attempt;
mod limits;
mod recorder;

pub use activity::Activity;
pub use attempt::{Attempt, Outcome};
pub use limits::Limits;
pub use recorder::Recorder;

use std::ops::ControlFlow;

/// Why somebody wants a computation to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interrupt {
    /// It took too long.
    Time,
    /// There is too little memory left.
    Memory,
    /// The user cancelled it.
    Cancelled,
    /// Another engine decided the same property.
    LostRace,
    /// The engine itself saw no sense in going on.
    GaveUp,
    /// The evaluation has to start anew with more values of a channel.
    Restart,
}

/// Why a computation ended before there was a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// It was interrupted.
    Interrupted(Interrupt),
    /// The user's limit on states was reached.
    MaxStates,
    /// The user's limit on memory was reached.
    MaxMemory,
    /// The states that the scheduler granted were used up: another attempt may decide.
    Budget,
    /// There are more states, or longer runs, than the data structures can number.
    Capacity,
}

impl From<Interrupt> for Stop {
    fn from(why: Interrupt) -> Stop {
        Stop::Interrupted(why)
    }
}

/// How far a computation is. What does not apply is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Different states, pairs, nodes or terms met.
    pub n_states: u64,
    /// Steps of the states looked at.
    pub n_transitions: u64,
    /// The number of steps to the states being looked at.
    pub depth: u64,
    /// States met and not looked at yet.
    pub n_waiting: u64,
    /// Bytes taken by the states.
    pub memory: u64,
    /// Work since the last report of the same computation, in units of a step of a narrow state, about 50 ns. Budgets count it.
    pub work: u64,
}

impl Statistics {
    /// So much work, without states.
    pub fn of_work(work: u64) -> Statistics {
        Statistics { work, ..Statistics::default() }
    }

    /// So many states.
    pub fn of_states(n_states: usize) -> Statistics {
        Statistics { n_states: n_states as u64, ..Statistics::default() }
    }
}

/// Listens to a computation, and may end it. Who stands between a computation and its listener names the listener, and hears only what
/// it cares for.
pub trait Progress: Send + Sync {
    /// Who is told all that is not heard here.
    fn listener(&self) -> Option<&dyn Progress> {
        None
    }

    /// Told from time to time how far it is; says whether to go on.
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.listener().map_or(ControlFlow::Continue(()), |listener| listener.tick(so_far))
    }

    /// Polls for cancellation in the middle of a step of the computation: says whether to go on, and counts for nothing. How often it
    /// is called may depend on threads, so nothing else may depend on that.
    fn poll(&self) -> ControlFlow<Interrupt> {
        self.listener().map_or(ControlFlow::Continue(()), |listener| listener.poll())
    }

    /// Whether there is much memory left. Who could do without what it holds gives it back if not.
    fn has_room(&self) -> bool {
        self.listener().is_none_or(|listener| listener.has_room())
    }

    /// Told what is done from now on.
    fn enter(&self, activity: Activity) {
        if let Some(listener) = self.listener() {
            listener.enter(activity);
        }
    }

    /// Told when a way to decide something is tried. Several may be tried at once, each of another name.
    fn attempt(&self, way: &'static str) {
        if let Some(listener) = self.listener() {
            listener.attempt(way);
        }
    }

    /// Told what came of it.
    fn attempted(&self, attempt: Attempt) {
        if let Some(listener) = self.listener() {
            listener.attempted(attempt);
        }
    }
}

/// Nobody listens, and nothing is ended.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Progress for Nobody {}
