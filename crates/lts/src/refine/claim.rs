//! What can be claimed about a system.

use super::specification::Specification;
use crate::{Label, Model};
use std::sync::Arc;

/// A claim about one system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Everything it does is allowed by the specification. The labels of both must have the same meaning.
    Refines(Arc<Specification>),
    /// It is never stable without anything to offer, unless it has terminated. Where divergences are seen it must not
    /// diverge either. Traces do not tell, and are taken for failures.
    DeadlockFree(Model),
    /// It never goes on silently for ever.
    DivergenceFree,
    /// Nothing that it may do can be refused. Where divergences are seen it must not diverge either. Traces do not
    /// tell, and are taken for failures.
    Deterministic(Model),
    /// It can do this trace; in richer models than traces, it cannot even be prevented from it.
    HasTrace(Vec<Label>, Model),
}

impl Claim {
    /// The coarsest model that decides it: what compressions and other reductions have to preserve.
    ///
    /// This is not the model in which the claim is made. Traces tell neither whether a process can be stuck nor whether
    /// it can refuse what it can also do, so freedom from deadlock and determinism are judged by failures even if
    /// traces are written; and only failures-divergences tells divergences. What is seen beyond failures matters to
    /// refinement alone.
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
