//! Claims about a system.

use super::specification::Specification;
use crate::{Label, Model};
use std::sync::Arc;

/// A claim about one system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// It refines the specification. The labels of both must have the same meaning.
    Refines(Arc<Specification>),
    /// No reachable state is stable without an offer, except after termination. In models with divergences it must not
    /// diverge either. Traces are taken for failures.
    DeadlockFree(Model),
    /// No reachable state diverges.
    DivergenceFree,
    /// No possible event can be refused. In models with divergences it must not diverge either. Traces are taken for
    /// failures.
    Deterministic(Model),
    /// It has this trace; in finer models than traces, the trace cannot be prevented.
    HasTrace(Vec<Label>, Model),
}

impl Claim {
    /// The coarsest model that decides it, which compressions and other reductions must preserve.
    ///
    /// This is not the model of the claim. Traces determine neither deadlocks nor refusals of possible events, so
    /// deadlock freedom and determinism are judged in failures even if traces are given; and divergence freedom
    /// requires failures-divergences. Finer models matter for refinement alone.
    pub fn decisive_model(&self) -> Model {
        match self {
            Claim::Refines(specification) => specification.model(),
            Claim::HasTrace(_, model) => model.as_failures(),
            Claim::DeadlockFree(Model::Traces) | Claim::Deterministic(Model::Traces) => Model::Failures,
            Claim::DeadlockFree(model) | Claim::Deterministic(model) => model.as_failures(),
            Claim::DivergenceFree => Model::FailuresDivergences,
        }
    }
}
