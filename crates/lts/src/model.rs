//! The denotational models in which systems are compared.

/// What of a system's behavior counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces, and what stable states refuse after them.
    Failures,
    /// Failures and divergences; after a divergence everything is possible.
    FailuresDivergences,
}

impl Model {
    /// Whether refusals are seen.
    pub fn sees_failures(self) -> bool {
        self != Model::Traces
    }

    /// Whether divergences are seen.
    pub fn sees_divergences(self) -> bool {
        self == Model::FailuresDivergences
    }
}
