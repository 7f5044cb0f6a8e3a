//! Denotational models of CSP: Roscoe (2010), *Understanding Concurrent Systems*.
//!
//! The models are traces, stable failures, stable revivals and refusal testing, each finer than the ones before it. All
//! but the first also have a version with divergences, in which behavior after a divergence is irrelevant.

/// A semantic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces with the refusals of stable states after them.
    Failures,
    /// Failures and divergences; a divergence allows every continuation.
    FailuresDivergences,
    /// Failures with an event that the stable state offers; and traces to deadlocks.
    Revivals,
    /// Revivals and divergences.
    RevivalsDivergences,
    /// The refusals of stable states before each event and at the end.
    RefusalTesting,
    /// Refusal testing and divergences.
    RefusalTestingDivergences,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 7] = [
        Model::Traces,
        Model::Failures,
        Model::FailuresDivergences,
        Model::Revivals,
        Model::RevivalsDivergences,
        Model::RefusalTesting,
        Model::RefusalTestingDivergences,
    ];

    /// Its name in assertions.
    pub fn name(self) -> &'static str {
        match self {
            Model::Traces => "T",
            Model::Failures => "F",
            Model::FailuresDivergences => "FD",
            Model::Revivals => "V",
            Model::RevivalsDivergences => "VD",
            Model::RefusalTesting => "R",
            Model::RefusalTestingDivergences => "RD",
        }
    }

    /// The model of this name.
    pub fn named(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Whether it distinguishes refusals.
    pub fn sees_failures(self) -> bool {
        self != Model::Traces
    }

    /// Whether it distinguishes divergences.
    pub fn sees_divergences(self) -> bool {
        matches!(self, Model::FailuresDivergences | Model::RevivalsDivergences | Model::RefusalTestingDivergences)
    }

    /// Whether it distinguishes which events a state offers together with a refusal.
    pub fn sees_revivals(self) -> bool {
        matches!(self, Model::Revivals | Model::RevivalsDivergences) || self.tests_refusals()
    }

    /// Whether it distinguishes refusals before each event.
    pub fn tests_refusals(self) -> bool {
        matches!(self, Model::RefusalTesting | Model::RefusalTestingDivergences)
    }

    /// The coarsest model of failures below it. Deadlock, determinism and similar properties are equal in both.
    pub fn as_failures(self) -> Model {
        match self {
            Model::Revivals | Model::RefusalTesting => Model::Failures,
            Model::RevivalsDivergences | Model::RefusalTestingDivergences => Model::FailuresDivergences,
            Model::Traces | Model::Failures | Model::FailuresDivergences => self,
        }
    }
}
