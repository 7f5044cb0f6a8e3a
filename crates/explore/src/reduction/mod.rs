//! Reductions of a state space, and the properties that they preserve.
//!
//! [`partial_order`] and [`symmetry`] compute reductions that are invisible to an [`Observer`](crate::Observer), or
//! report why there are none. `docs/semantics/searching.md` proves that they preserve verdicts.

mod order;
mod symmetric;

pub use order::partial_order;
pub use symmetric::symmetry;
pub(crate) use symmetric::watched;

use crate::partial_order::PartialOrder;
use crate::symmetry::Symmetry;
use std::fmt;
use std::sync::Arc;

/// A reduction of a network during exploration.
#[derive(Clone, Debug, Default)]
pub enum Reduction {
    /// No reduction.
    #[default]
    None,
    /// Partial-order reduction: some interleavings of commuting steps are omitted.
    PartialOrder(Arc<PartialOrder>),
    /// Symmetry reduction: one representative of each orbit is stored. Initial configurations are fixed by every
    /// symmetry.
    Symmetry(Arc<Symmetry>),
    /// Both. A cycle of representatives need not be one of the network, so there must be no [proviso](crate::Proviso).
    Both(Arc<PartialOrder>, Arc<Symmetry>),
}

impl Reduction {
    pub(crate) fn order(&self) -> Option<&Arc<PartialOrder>> {
        match self {
            Reduction::PartialOrder(order) | Reduction::Both(order, _) => Some(order),
            Reduction::None | Reduction::Symmetry(_) => None,
        }
    }

    pub(crate) fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        match self {
            Reduction::Symmetry(symmetry) | Reduction::Both(_, symmetry) => Some(symmetry),
            Reduction::None | Reduction::PartialOrder(_) => None,
        }
    }
}

/// The reason why a check is not reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The network has priorities.
    Priority,
    /// A step may fail.
    Failures,
    /// No step is invisible.
    NothingUnseen,
    /// There are variables, whose values symmetries do not permute.
    Variables,
    /// There is no symmetry, or none that preserves the specification.
    NoSymmetry,
    /// The specification is too large to search its symmetries.
    TooLarge,
    /// The property compares runs with each other.
    Comparison,
    /// The model observes the offers before each event, not only at the end of a run.
    Revivals,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Priority => "under priority, whether a step is possible depends on the others",
            Refusal::Failures => "a step may go wrong, and which one is told depends on what is looked at",
            Refusal::NothingUnseen => "the specification sees every step",
            Refusal::Variables => "symmetries of networks with variables are not looked for",
            Refusal::NoSymmetry => "no symmetry was found that the specification has as well",
            Refusal::Comparison => "runs are compared with each other, also with those that would be left out",
            Refusal::Revivals => {
                "the model sees what is offered before steps, also before those that would be left out"
            }
            Refusal::TooLarge => "the specification is too large to look for its symmetries",
        })
    }
}
