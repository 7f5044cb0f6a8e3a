//! Progress reports and cancellation of long computations.
//!
//! A computation calls [`Progress::tick`] at regular intervals. The clock, the memory meter and the user are behind
//! that one interface, so nothing below the binary knows how time is measured, and every engine obeys every limit.
//!
//! ```
//! use progress::{NoProgress, Progress, Statistics};
//! assert!(NoProgress.tick(&Statistics::default()).is_continue());
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

/// The reason why a computation is to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interrupt {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The user cancelled the analysis.
    Cancelled,
    /// Another engine decided the same property.
    LostRace,
    /// The engine expects no verdict from further work.
    GaveUp,
    /// The evaluation restarts with more values of a channel.
    Restart,
}

/// The reason why a computation ended without a result.
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

/// Size of a search so far. Fields that do not apply are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Distinct states, pairs, nodes or terms that were visited.
    pub n_states: u64,
    /// Steps of the expanded states.
    pub n_transitions: u64,
    /// Depth of the states that are being expanded.
    pub depth: u64,
    /// Visited states that are not expanded yet.
    pub n_waiting: u64,
    /// Bytes that the states occupy.
    pub memory: u64,
    /// Work since the last report of the same computation, in units of a step of a narrow state, about 50 ns. Budgets
    /// count it.
    pub work: u64,
}

impl Statistics {
    /// An amount of work, without states.
    pub fn of_work(work: u64) -> Statistics {
        Statistics { work, ..Statistics::default() }
    }

    /// A number of states.
    pub fn of_states(n_states: usize) -> Statistics {
        Statistics { n_states: n_states as u64, ..Statistics::default() }
    }
}

/// Listener of a computation, which may cancel it. A layer between a computation and its listener names the listener,
/// and overrides only the calls that it handles.
pub trait Progress: Send + Sync {
    /// The listener of all calls that are not handled here.
    fn listener(&self) -> Option<&dyn Progress> {
        None
    }

    /// Reports the size of the search, and polls for cancellation.
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.listener().map_or(ControlFlow::Continue(()), |listener| listener.tick(so_far))
    }

    /// Polls for cancellation in the middle of a step of the computation. It counts as no work: how often it is called
    /// may depend on threads, so no result may depend on that.
    fn poll(&self) -> ControlFlow<Interrupt> {
        self.listener().map_or(ControlFlow::Continue(()), |listener| listener.poll())
    }

    /// Whether much memory is left. If not, optional work gives its memory back.
    fn has_room(&self) -> bool {
        self.listener().is_none_or(|listener| listener.has_room())
    }

    /// Reports the stage that begins.
    fn enter(&self, activity: Activity) {
        if let Some(listener) = self.listener() {
            listener.enter(activity);
        }
    }

    /// Reports that an engine starts. Several may run at once, each of another name.
    fn attempt(&self, way: &'static str) {
        if let Some(listener) = self.listener() {
            listener.attempt(way);
        }
    }

    /// Reports the outcome of an engine.
    fn attempted(&self, attempt: Attempt) {
        if let Some(listener) = self.listener() {
            listener.attempted(attempt);
        }
    }
}

/// No listener and no limits.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {}
