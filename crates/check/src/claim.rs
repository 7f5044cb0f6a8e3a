//! What can be claimed about a system.

use lts::{Label, Lts, Model};
use std::rc::Rc;

/// A claim about one system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Everything it does is allowed by the specification.
    Refines(Rc<Lts>, Model),
    /// It is never stable without anything to offer, unless it has terminated. In failures-divergences it must not
    /// diverge either.
    DeadlockFree(Model),
    /// It never goes on silently for ever.
    DivergenceFree,
    /// Nothing that it may do can be refused. In failures-divergences it must not diverge either.
    Deterministic(Model),
    /// It can do this trace; in richer models than traces, it cannot even be prevented from it.
    HasTrace(Vec<Label>, Model),
}

impl Claim {
    /// The model in which it is made, as far as that matters.
    pub fn model(&self) -> Model {
        match self {
            Claim::Refines(_, model)
            | Claim::DeadlockFree(model)
            | Claim::Deterministic(model)
            | Claim::HasTrace(_, model) => *model,
            Claim::DivergenceFree => Model::FailuresDivergences,
        }
    }
}
