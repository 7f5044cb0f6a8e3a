//! The denotational models in which systems are compared.
//!
//! Each sees more than the ones before it: what a system does; what it may refuse afterwards; which of the events it
//! offers then it goes on with; and what it refused all along. All but the first come in two kinds, of which the second
//! also sees divergences, and nothing that comes after one.

/// What of a system's behavior counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces, and what stable states refuse after them.
    Failures,
    /// Failures and divergences; after a divergence everything is possible.
    FailuresDivergences,
    /// Failures, with an event that the stable state can do; and traces after which nothing is offered.
    Revivals,
    /// Revivals and divergences.
    RevivalsDivergences,
    /// What stable states refuse before each event and at the end.
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

    /// What it is called in assertions.
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

    /// Whether refusals are seen.
    pub fn sees_failures(self) -> bool {
        self != Model::Traces
    }

    /// Whether divergences are seen.
    pub fn sees_divergences(self) -> bool {
        matches!(self, Model::FailuresDivergences | Model::RevivalsDivergences | Model::RefusalTestingDivergences)
    }

    /// Whether it is seen that one state refuses something and can do something else.
    pub fn sees_revivals(self) -> bool {
        matches!(self, Model::Revivals | Model::RevivalsDivergences) || self.tests_refusals()
    }

    /// Whether it is seen what was refused before each event.
    pub fn tests_refusals(self) -> bool {
        matches!(self, Model::RefusalTesting | Model::RefusalTestingDivergences)
    }

    /// The model without what is seen beyond failures. Deadlock, determinism and the like are the same there.
    pub fn as_failures(self) -> Model {
        match self {
            Model::Revivals | Model::RefusalTesting => Model::Failures,
            Model::RevivalsDivergences | Model::RefusalTestingDivergences => Model::FailuresDivergences,
            Model::Traces | Model::Failures | Model::FailuresDivergences => self,
        }
    }
}
