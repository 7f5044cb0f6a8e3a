//! When a system may be reduced for a property, and by what.
//!
//! [`partial_order`] leaves out orders of steps, for properties that do not count what they do not name. [`symmetry()`]
//! keeps one of several states, for properties that do not name what is exchanged. Both are refused, with a reason,
//! where they might change an answer.

mod order;
mod symmetry;

pub use order::{may_diverge, partial_order};
pub use property::ReductionKind as Kind;
pub use symmetry::{needed, symmetry};

use std::fmt;

/// Why something is not reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Conditions of fairness ask for all that is possible.
    Fairness,
    /// A fact asks for more of a state than whether a run ends there.
    States,
    /// The formula sees how many steps there are.
    Counts,
    /// The formula speaks of the past.
    Past,
    /// Steps give way to others.
    Priority,
    /// The formula is too large to know what it sees.
    TooLarge,
    /// Conditions of fairness tell apart who is exchanged.
    Identities,
    /// A fact tells single states apart.
    SingleStates,
    /// There is no symmetry, or none that the formula does not see.
    NoSymmetry,
    /// There are variables, whose values are not exchanged.
    Variables,
    /// Formulas of branching time see what would be left out.
    Branching,
    /// A step may go wrong.
    Failures,
    /// There is no network, whose rules would tell what may be left out.
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
