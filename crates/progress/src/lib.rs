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
mod recorder;

pub use activity::Activity;
pub use attempt::{Attempt, Outcome};
pub use recorder::Recorder;

use std::ops::{ControlFlow, Deref};
use std::sync::atomic::{AtomicU64, Ordering};

/// Why somebody wants a computation to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interrupt {
    /// It took too long.
    Time,
    /// There is too little memory left.
    Memory,
    /// The user is tired of waiting.
    Request,
}

/// Why a computation ended before there was a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// Somebody asked for it.
    Interrupted(Interrupt),
    /// It met more states than it was allowed to.
    MaxStates,
    /// It needed more memory than it was allowed to.
    MaxMemory,
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
    /// What was done, in steps of whatever kind: good for comparing only.
    pub effort: u64,
}

impl Statistics {
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

/// Ends work that takes longer than it is worth. What counts is how often it asks whether to go on, not the time: that is the same every
/// time.
#[derive(Debug)]
pub struct Patience<P> {
    progress: P,
    n_left: AtomicU64,
}

impl<P> Patience<P> {
    /// For work that may ask so often; all else is left to whom it would ask otherwise.
    pub fn new(progress: P, n_questions: u64) -> Patience<P> {
        Patience { progress, n_left: n_questions.into() }
    }

    /// Whether no question is left.
    pub fn is_over(&self) -> bool {
        self.n_left.load(Ordering::Relaxed) == 0
    }
}

impl<'p, P: Deref<Target = dyn Progress + 'p> + Send + Sync> Progress for Patience<P> {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.progress.tick(so_far)?;
        let one_less = |n_left: u64| n_left.checked_sub(1);
        match self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Interrupt::Request),
        }
    }

    // Nothing says that the listener lives as long as a borrow of this, so it cannot be named as one.
    fn has_room(&self) -> bool {
        self.progress.has_room()
    }

    fn enter(&self, activity: Activity) {
        self.progress.enter(activity);
    }

    fn attempt(&self, way: &'static str) {
        self.progress.attempt(way);
    }

    fn attempted(&self, attempt: Attempt) {
        self.progress.attempted(attempt);
    }
}

/// Nobody listens, and nothing is ended.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Progress for Nobody {}
