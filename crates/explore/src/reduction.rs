//! What may be left out of a space.

use crate::partial_order::PartialOrder;
use crate::symmetry::Symmetry;
use std::sync::Arc;

/// How a network is made smaller while it is explored.
#[derive(Clone, Debug, Default)]
pub enum Reduction {
    /// Not at all.
    #[default]
    None,
    /// By leaving out steps that commute with others.
    PartialOrder(Arc<PartialOrder>),
    /// By keeping one of the configurations that symmetries make of each other. Initial ones stay as they are in any case.
    Symmetry(Arc<Symmetry>),
}
