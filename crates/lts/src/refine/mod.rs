//! Refinement: whether everything an implementation does is allowed by a specification; and other claims about its
//! runs.
//!
//! The search walks pairs of a node of the specification's normal form and a state of the implementation, breadth first
//! from the initial pair. The node is determined by the visible trace, so one pair that breaks a rule is a
//! counterexample, and the first one found is as short as any, counting silent steps and the forbidden event itself:
//!
//! - each event of the state must be allowed by the node;
//! - in failures, a stable state must offer all of some minimal acceptance of the node;
//! - where divergences are seen, a divergent node allows everything; otherwise the state must not diverge;
//! - in revivals, there must be such an acceptance with each event that the state offers;
//! - where refusals are tested, the node is not determined by the trace alone: what follows an event of a stable state
//!   are the states after those of the node that are stable and offer no more. Whatever is seen of a run, it is seen
//!   best by who looks at all refusals; the specification has to allow that, and so it allows what others see. With
//!   revivals a counterexample may be one event longer than the shortest: a node that allows less may forbid the event
//!   itself.
//!
//! A pair is left out when an earlier pair has the same state and a node with fewer states: that one allows less, so it
//! is broken whenever the other is, and no later. The same holds for a pair found on the same level of the search but
//! not yet looked at. These antichains keep specifications with exponentially many nodes small.
//!
//! Nodes and steps are made when the search asks for them, so that it finds the counterexample of a
//! [`System`](crate::walk::System) that has no end, and answers for a specification that has none
//! ([`refines_on_demand`]). Claims that every system can be measured by need no specification: to be free of deadlock
//! or divergence, to be deterministic, or to have a trace.

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

/// The answer to a question about all runs.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A behavior of the implementation that is not allowed; none if the claim holds. There is no shorter one, unless
    /// determinism is claimed.
    pub counterexample: Option<Counterexample<Transition>>,
    /// How many pairs of a state and a node of the specification were found.
    pub n_pairs: usize,
    /// How many nodes of the specification's normal form were needed.
    pub n_nodes: usize,
}

impl Answer {
    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        self.counterexample.is_none()
    }
}

/// Decides a claim about a system whose steps are made on demand.
///
/// # Errors
/// When the watch ends it, or the steps of a state cannot be told.
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

/// The same for systems whose steps are made on demand: only those nodes of the specification are made that runs of the
/// implementation lead to, so neither of the two need be finite. Explicit acceptances of the specification are no
/// steps, and tell nothing beyond failures: in models that see more, it must have none.
///
/// # Errors
/// When the watch ends it, or the steps of a state cannot be told.
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
