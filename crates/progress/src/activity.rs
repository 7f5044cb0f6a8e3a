//! What a long computation is doing.

/// A part of the way from an assertion to its verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Activity {
    /// Values and processes are computed from the script.
    #[default]
    Evaluating,
    /// Processes become a network.
    Compiling,
    /// A process is made smaller, the so-manyth one from 1.
    Compressing(usize),
    /// States are looked at.
    Searching,
    /// A counterexample is done again.
    Replaying,
}

impl Activity {
    /// Its name.
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
