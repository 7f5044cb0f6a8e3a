//! Reductions of state spaces.

/// A reduction that preserves a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReductionKind {
    /// Partial-order reduction: stubborn sets of transitions.
    PartialOrder,
    /// Symmetry reduction: representatives of orbits of states.
    Symmetry,
}
