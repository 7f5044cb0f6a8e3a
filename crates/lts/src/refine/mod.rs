//! Refinement checking by search of the product with a normal form: Roscoe (1994), *Model-checking CSP*; with
//! antichains: Abdulla, Chen, Holík, Mayr and Vojnar (2010), *When simulation meets antichains*.
//!
//! The search visits pairs of a node of the specification's normal form and a state of the implementation, breadth
//! first from the initial pair. The visible trace determines the node, so a pair that violates a condition is a
//! counterexample, and the first one is shortest, counting silent steps and the forbidden event itself:
//!
//! - the node must allow each event of the state;
//! - in failures, a stable state must offer all of some minimal acceptance of the node;
//! - in models with divergences, a divergent node allows everything; otherwise the state must not diverge;
//! - in revivals, there must be such an acceptance with each event that the state offers;
//! - in refusal testing, the trace alone does not determine the node: after an event of a stable state, the successors
//!   are those of the states of the node that are stable and offer no more. Observing all refusals is the finest
//!   observation; if the specification allows that, it allows all others. With revivals a counterexample may be one
//!   event longer than the shortest: a node that allows less may forbid the event itself.
//!
//! A pair is subsumed by an earlier pair with the same state and a node with fewer states: that one allows less, so it
//! is violated whenever the other is, and no later. The same holds for a pair on the same level of the search that is
//! not expanded yet. These antichains keep specifications with exponentially many nodes small.
//!
//! Nodes and steps are computed on demand, so the search finds counterexamples of infinite
//! [`System`](crate::walk::System)s and of infinite specifications ([`refines_on_demand`]). Deadlock freedom,
//! divergence freedom, determinism and the existence of a trace are claims without a specification.

mod claim;
mod has_trace;
mod observer;
mod pairs;
pub(crate) mod representatives;
mod search;
pub(crate) mod silence;
mod specification;

pub use claim::Claim;
pub(crate) use has_trace::obstacle;
pub use has_trace::{HasTrace, has_trace};
pub(crate) use observer::TraceGoal;
pub use specification::Specification;

use crate::normal::nodes::Nodes;
use crate::normal::prepare;
use crate::walk::{Ended, Numbered};
use crate::{Counterexample, Lts, Model, Stop, Transition, Watch, determinism};
use observer::{Follow, Freedom};
use search::Search;
use std::convert::Infallible;

/// The result of a check of all runs.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A forbidden behavior of the implementation; none if the claim holds. It is shortest, except for determinism.
    pub counterexample: Option<Counterexample<Transition>>,
    /// The number of discovered pairs of a state and a node of the specification.
    pub n_pairs: usize,
    /// The number of computed nodes of the specification's normal form.
    pub n_nodes: usize,
}

impl Answer {
    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        self.counterexample.is_none()
    }
}

/// Decides a claim about a system on the fly.
///
/// # Errors
/// When the watch ends it, or the steps of a state are unknown.
pub fn check<I: Numbered>(
    claim: &Claim,
    implementation: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer, Ended<I::Error>>
where
    I::Error: From<Infallible>,
{
    match claim {
        Claim::Refines(specification) => {
            let nodes = Nodes::new(specification.system(), specification.model(), watch).map_err(Ended::widened)?;
            observe(nodes, implementation, watch)
        }
        Claim::DeadlockFree(model) => {
            let observer = Freedom { from_deadlock: true, from_divergence: model.sees_divergences() };
            observe(observer, implementation, watch)
        }
        Claim::DivergenceFree => {
            observe(Freedom { from_deadlock: false, from_divergence: true }, implementation, watch)
        }
        Claim::Deterministic(model) => {
            let (counterexample, n_pairs) = determinism::decide(implementation, *model, watch)?;
            Ok(Answer { counterexample, n_pairs, n_nodes: 0 })
        }
        Claim::HasTrace(trace, model) => {
            let counterexample = match has_trace(implementation, trace, *model, watch)? {
                HasTrace::Yes(_) => None,
                HasTrace::No(found) => Some(found),
            };
            Ok(Answer { counterexample, n_pairs: implementation.n_known(), n_nodes: 0 })
        }
    }
}

/// Decides whether `implementation` refines `spec` in a model. The labels of both must have the same meaning.
///
/// # Errors
/// When the watch ends it.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Answer, Stop> {
    let spec = prepare(spec, model, watch)?;
    let nodes = Nodes::new(&*spec, model, watch)?;
    Ok(observe(nodes, &mut &*implementation, watch)?)
}

/// [`refines`] for systems explored on the fly: only nodes of the specification are computed that runs of the
/// implementation lead to, so both may be infinite. Explicit acceptances of the specification are not steps, and have
/// no meaning beyond failures: in finer models, it must have none.
///
/// # Errors
/// When the watch ends it, or the steps of a state are unknown.
pub fn refines_on_demand<S: Numbered, I: Numbered<Error = S::Error>>(
    spec: &mut S,
    implementation: &mut I,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<Answer, Ended<I::Error>> {
    let nodes = Nodes::new(spec, model, watch)?;
    observe(nodes, implementation, watch)
}

fn observe<O: Follow<I>, I: Numbered>(
    observer: O,
    implementation: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer, Ended<I::Error>> {
    let mut search = Search::new(observer, implementation);
    let counterexample = search.run(watch)?;
    Ok(Answer { counterexample, n_pairs: search.pairs().len(), n_nodes: search.n_nodes() })
}
