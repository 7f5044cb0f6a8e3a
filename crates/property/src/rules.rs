//! The runs of a system that a formula is about, and their positions.

use crate::Action;
use lts::Label;

/// The rules for runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The positions of a run.
    pub view: View,
    /// Treatment of maximal finite runs.
    pub finite_runs: FiniteRuns,
    /// Treatment of divergences, in the trace view.
    pub divergence: Divergence,
    /// Treatment of termination, in the trace view.
    pub termination: Termination,
}

/// The positions of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// Points of a visible trace. Silent steps before an event belong to its position.
    Trace,
    /// States.
    Step,
}

/// Treatment of maximal finite runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FiniteRuns {
    /// They count as they are.
    Maximal,
    /// Their last state is repeated for ever by steps that are no events.
    Stutter,
    /// They do not count.
    Ignore,
}

/// Treatment of divergences.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Divergence {
    /// They do not count, and a remark reports them.
    Report,
    /// They do not count.
    Ignore,
    /// They count as runs that end where they become silent.
    AsDeadlock,
    /// A divergent process has no verdict.
    Error,
}

/// Treatment of termination.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// As a deadlock.
    AsDeadlock,
    /// As an event, after which the run ends.
    Event,
}

impl Rules {
    /// The default rules of a view.
    pub fn of(view: View) -> Rules {
        Rules {
            view,
            finite_runs: FiniteRuns::Maximal,
            divergence: Divergence::Report,
            termination: Termination::AsDeadlock,
        }
    }

    /// Whether every finite run is a prefix of a run that counts. A finite run can be continued to a maximal one,
    /// finite or infinite; so maximal finite runs must count, and in the trace view divergences, unless there are none.
    pub fn count_all_beginnings(&self) -> bool {
        let silence_counts = match self.view {
            View::Step => true,
            View::Trace => matches!(self.divergence, Divergence::AsDeadlock | Divergence::Error),
        };
        silence_counts && self.finite_runs != FiniteRuns::Ignore
    }

    /// Whether a step is silent, and belongs to the position of the next visible one.
    pub fn is_silent(&self, action: &Action) -> bool {
        self.view == View::Trace
            && (action.label == Label::TAU
                || action.is_end()
                || action.label == Label::TICK && self.termination == Termination::AsDeadlock)
    }
}
