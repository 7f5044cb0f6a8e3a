//! What may be left out of a space, and for which question.
//!
//! [`partial_order`] and [`symmetry`] find what an [`Observer`](crate::Observer) cannot miss, or say why there is
//! nothing. Why that changes no answer is told in `docs/semantics/searching.md`.

mod order;
mod symmetric;

pub use order::partial_order;
pub use symmetric::symmetry;
pub(crate) use symmetric::watched;

use crate::partial_order::PartialOrder;
use crate::symmetry::Symmetry;
use std::fmt;
use std::sync::Arc;

/// How a network is made smaller while it is explored.
#[derive(Clone, Debug, Default)]
pub enum Reduction {
    /// Not at all.
    #[default]
    None,
    /// By leaving out steps that commute with others.
    PartialOrder(Arc<PartialOrder>),
    /// By keeping one of the configurations that symmetries make of each other. Initial ones stay as they are in any
    /// case.
    Symmetry(Arc<Symmetry>),
    /// By both. A cycle among representatives need not be one of the network, so there must be no
    /// [proviso](crate::Proviso).
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

/// Why a check is not reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Steps give way to others.
    Priority,
    /// A step may go wrong.
    Failures,
    /// No step is unseen.
    NothingUnseen,
    /// There are variables, whose values are not exchanged.
    Variables,
    /// There is no symmetry, or none that the specification has as well.
    NoSymmetry,
    /// The specification is too large to look for its symmetries.
    TooLarge,
    /// What is claimed compares runs with each other.
    Comparison,
    /// The model sees what is offered before a step, and not only at the end of a run.
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
