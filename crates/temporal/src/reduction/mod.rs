//! Reductions of a system that preserve temporal properties.
//!
//! [`partial_order`] applies to properties that are insensitive to events that they do not name, [`symmetry()`] to
//! properties that do not distinguish symmetric states. Both are refused, with a reason, where they might change a
//! verdict.

mod order;
mod symmetry;

pub use order::{may_diverge, partial_order};
pub use property::ReductionKind as Kind;
pub use symmetry::{needed, symmetry};

use std::fmt;

/// The reason why a reduction is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Fairness conditions depend on all enabled steps.
    Fairness,
    /// A fact depends on more of a state than whether a run ends there.
    States,
    /// The formula depends on the number of steps.
    Counts,
    /// The formula has past operators.
    Past,
    /// The network has priorities.
    Priority,
    /// The formula is too large for the analysis.
    TooLarge,
    /// Fairness conditions distinguish symmetric processes.
    Identities,
    /// A fact distinguishes single states.
    SingleStates,
    /// There is no symmetry, or none that preserves the formula.
    NoSymmetry,
    /// There are variables, whose values symmetries do not permute.
    Variables,
    /// Branching-time formulas are not preserved.
    Branching,
    /// A step may fail.
    Failures,
    /// There is no network with rules to analyze.
    NoNetwork,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Fairness => "fairness looks at everything that is possible, also at what would be left out",
            Refusal::States => "the formula looks into states, where something would be missing",
            Refusal::Counts => "the formula can tell how many steps there are that it does not name",
            Refusal::Past => "the formula speaks of the past",
            Refusal::Priority => "under priority, whether a step is possible depends on the others",
            Refusal::TooLarge => "the formula is too large to find out what it can see",
            Refusal::Identities => "fairness to each event or process tells apart what symmetry exchanges",
            Refusal::SingleStates => "the formula tells single states apart",
            Refusal::NoSymmetry => "no symmetry was found that keeps what the formula names",
            Refusal::Variables => "symmetries of networks with variables are not looked for",
            Refusal::Branching => "branching time sees every choice",
            Refusal::Failures => "a step may go wrong, and which one is told depends on what is looked at",
            Refusal::NoNetwork => "the process is no network of components",
        })
    }
}
