//! Reports from long computations, and the way to end them.

use std::ops::ControlFlow;

/// What a computation is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding components of silent steps.
    Components,
    /// Splitting blocks of states that behave differently.
    Refinement,
    /// Building a smaller system or a normal form.
    Construction,
    /// Walking pairs of a specification and an implementation.
    Search,
}

/// How far a computation is.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// What is being done.
    pub phase: Phase,
    /// Steps of this phase so far: states, blocks, elements of signatures or pairs looked at.
    pub n_done: usize,
}

/// The computation was ended by its watch before there was a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Receives the reports of a computation and may end it.
pub struct Watch<'a> {
    report: Option<&'a mut dyn FnMut(Stats) -> ControlFlow<()>>,
    phase: Phase,
    n_done: usize,
    n_reported: usize,
    max_states: usize,
    is_full: bool,
}

const REPORT_EVERY: usize = 4096;

impl<'a> Watch<'a> {
    /// Calls `report` every few thousand steps, and ends the computation when it breaks.
    pub fn new(report: &'a mut dyn FnMut(Stats) -> ControlFlow<()>) -> Watch<'a> {
        Watch { report: Some(report), ..Watch::none() }
    }

    /// Lets the computation run to its end.
    pub fn none() -> Watch<'a> {
        Watch {
            report: None,
            phase: Phase::Construction,
            n_done: 0,
            n_reported: 0,
            max_states: usize::MAX,
            is_full: false,
        }
    }

    /// Also ends the computation when it has found more than this many states, nodes or pairs.
    pub fn with_max_states(mut self, max_states: usize) -> Watch<'a> {
        self.max_states = max_states;
        self
    }

    /// Whether the computation was ended because it found too many states.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    pub(crate) fn start(&mut self, phase: Phase) {
        (self.phase, self.n_done, self.n_reported) = (phase, 0, 0);
    }

    /// Counts `n` more steps. Cheap enough for innermost loops.
    pub(crate) fn tick(&mut self, n: usize) -> Result<(), Stopped> {
        self.n_done += n;
        if self.n_done - self.n_reported < REPORT_EVERY { Ok(()) } else { self.report() }
    }

    /// Tells how many states have been found in this phase.
    pub(crate) fn keep(&mut self, n_states: usize) -> Result<(), Stopped> {
        self.is_full |= n_states > self.max_states;
        if self.is_full { Err(Stopped) } else { Ok(()) }
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stopped> {
        self.n_reported = self.n_done;
        let stats = Stats { phase: self.phase, n_done: self.n_done };
        match self.report.as_mut().map(|report| report(stats)) {
            Some(ControlFlow::Break(())) => Err(Stopped),
            _ => Ok(()),
        }
    }
}
