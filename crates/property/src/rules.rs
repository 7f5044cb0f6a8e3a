//! Which runs of a system count, and what their positions are.

use crate::Action;
use lts::Label;

/// All rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What a position is.
    pub view: View,
    /// What becomes of runs that end.
    pub finite_runs: FiniteRuns,
    /// What becomes of runs that are silent for ever, in the trace view.
    pub divergence: Divergence,
    /// What termination is in the trace view.
    pub termination: Termination,
}

/// What a position of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// A point of a visible trace. Silent steps before the next event belong to it.
    Trace,
    /// A state.
    Step,
}

/// What becomes of runs that end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FiniteRuns {
    /// They count as they are, when nothing more is possible.
    Maximal,
    /// Their last state goes on for ever by steps that are no events.
    Stutter,
    /// They do not count.
    Ignore,
}

/// What becomes of runs that are silent for ever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Divergence {
    /// They do not count, but their existence is told.
    Report,
    /// They do not count.
    Ignore,
    /// They count as if they ended where they become silent.
    AsDeadlock,
    /// If there are any, there is no verdict; so nobody is asked unless there are none.
    Error,
}

/// What termination is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// An end like any other.
    AsDeadlock,
    /// An event, after which the run ends.
    Event,
}

impl Rules {
    /// The usual rules of a view.
    pub fn of(view: View) -> Rules {
        Rules {
            view,
            finite_runs: FiniteRuns::Maximal,
            divergence: Divergence::Report,
            termination: Termination::AsDeadlock,
        }
    }

    /// Whether every finite run of every system is the beginning of one that counts. It can always go on until it ends, or for ever;
    /// then ends must count, and in the trace view silence for ever, unless there is none.
    pub fn count_all_beginnings(&self) -> bool {
        let silence_counts = match self.view {
            View::Step => true,
            View::Trace => matches!(self.divergence, Divergence::AsDeadlock | Divergence::Error),
        };
        silence_counts && self.finite_runs != FiniteRuns::Ignore
    }

    /// Whether a step belongs to the position of the next visible one.
    pub fn is_silent(&self, action: &Action) -> bool {
        self.view == View::Trace
            && (action.label == Label::TAU
                || action.is_end()
                || action.label == Label::TICK && self.termination == Termination::AsDeadlock)
    }
}
