//! What can be claimed about a system.

use lts::{Label, Lts, Model};
use std::rc::Rc;

/// A claim about one system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Everything it does is allowed by the specification.
    Refines(Rc<Lts>, Model),
    /// It is never stable without anything to offer, unless it has terminated. Where divergences are seen it must
    /// not diverge either.
    DeadlockFree(Model),
    /// It never goes on silently for ever.
    DivergenceFree,
    /// Nothing that it may do can be refused. Where divergences are seen it must not diverge either.
    Deterministic(Model),
    /// It can do this trace; in richer models than traces, it cannot even be prevented from it.
    HasTrace(Vec<Label>, Model),
}

impl Claim {
    /// The coarsest model that decides it: what compressions and other reductions have to preserve.
    ///
    /// This is not the model in which the claim is made. Traces tell neither whether a process can be stuck nor whether it can
    /// refuse what it can also do, so freedom from deadlock and determinism are judged by failures even if traces are written;
    /// and only failures-divergences tells divergences. What is seen beyond failures matters to refinement alone.
    pub fn decisive_model(&self) -> Model {
        match self {
            Claim::Refines(_, model) => *model,
            Claim::HasTrace(_, model) => model.as_failures(),
            Claim::DeadlockFree(Model::Traces) | Claim::Deterministic(Model::Traces) => Model::Failures,
            Claim::DeadlockFree(model) | Claim::Deterministic(model) => model.as_failures(),
            Claim::DivergenceFree => Model::FailuresDivergences,
        }
    }
}
