//! Stages of a long computation.

/// A stage between an assertion and its verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Activity {
    /// Evaluation of the script to values and process terms.
    #[default]
    Evaluating,
    /// Compilation of process terms to a network.
    Compiling,
    /// Compression of a process, by its number from 1.
    Compressing(usize),
    /// Search of a state space.
    Searching,
    /// Replay of a counterexample.
    Replaying,
}

impl Activity {
    /// Stable name, used in progress reports and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Evaluating => "evaluating",
            Activity::Compiling => "compiling",
            Activity::Compressing(_) => "compressing",
            Activity::Searching => "searching",
            Activity::Replaying => "replaying",
        }
    }
}
