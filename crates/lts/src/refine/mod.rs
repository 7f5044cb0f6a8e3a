//! Refinement: whether everything an implementation does is allowed by a specification; and other claims about its runs.
//!
//! The search walks pairs of a node of the specification's normal form and a state of the implementation, breadth first
//! from the initial pair. The node is determined by the visible trace, so one pair that breaks a rule is a
//! counterexample, and the first one found is as short as any, counting silent steps and the forbidden event itself:
//!
//! - each event of the state must be allowed by the node;
//! - in failures, a stable state must offer all of some minimal acceptance of the node;
//! - where divergences are seen, a divergent node allows everything; otherwise the state must not diverge;
//! - in revivals, there must be such an acceptance with each event that the state offers;
//! - where refusals are tested, the node is not determined by the trace alone: what follows an event of a stable state are
//!   the states after those of the node that are stable and offer no more. Whatever is seen of a run, it is seen best by who
//!   looks at all refusals; the specification has to allow that, and so it allows what others see. With revivals a
//!   counterexample may be one event longer than the shortest: a node that allows less may forbid the event itself.
//!
//! A pair is left out when an earlier pair has the same state and a node with fewer states: that one allows less, so it
//! is broken whenever the other is, and no later. The same holds for a pair found on the same level of the search but not
//! yet looked at. These antichains keep specifications with exponentially many nodes small.
//!
//! Nodes and steps are made when the search asks for them, so that it finds the counterexample of an [`Implementation`]
//! that has no end. Claims that every system can be measured by need no specification: to be free of deadlock or
//! divergence, or to have a trace.

mod counterexample;
mod has_trace;
mod implementation;
mod observer;
mod pairs;
mod search;
mod silence;

pub use counterexample::{Counterexample, Violation};
pub use has_trace::{HasTrace, has_trace};
pub(crate) use has_trace::{obstacle, run_of};
pub use implementation::{Behavior, Ended, Implementation, write_down};
pub(crate) use observer::TraceGoal;

use crate::normal::nodes::Nodes;
use crate::normal::prepare;
use crate::{Lts, Model, Stop, Watch};
use observer::{Freedom, Observer};
use search::Search;

/// The answer to a question about all runs.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A shortest behavior of the implementation that is not allowed; none if the claim holds.
    pub counterexample: Option<Counterexample>,
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

/// What can be claimed of all runs of a system.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// Everything it does is allowed by the specification in the model. The labels of both must have the same meaning.
    Refines(&'a Lts, Model),
    /// It is never stable without offering anything, except after termination; in failures-divergences, it does not
    /// diverge either. Traces do not tell, and are taken for failures.
    DeadlockFree(Model),
    /// It never does silent steps without end.
    DivergenceFree,
}

/// Decides a claim about a system whose steps are made on demand.
pub fn check<I: Implementation>(
    claim: Claim<'_>,
    implementation: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer, Ended<I::Error>> {
    match claim {
        Claim::Refines(spec, model) => {
            let spec = prepare(spec, model, watch)?;
            observe(Nodes::new(&spec, model, watch)?, implementation, watch)
        }
        Claim::DeadlockFree(model) => {
            let observer = Freedom { from_deadlock: true, from_divergence: model.sees_divergences() };
            observe(observer, implementation, watch)
        }
        Claim::DivergenceFree => {
            observe(Freedom { from_deadlock: false, from_divergence: true }, implementation, watch)
        }
    }
}

/// Decides whether `implementation` refines `spec` in a model. The labels of both must have the same meaning.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Answer, Stop> {
    Ok(check(Claim::Refines(spec, model), &mut &*implementation, watch)?)
}

fn observe<O: Observer, I: Implementation>(
    observer: O,
    implementation: &mut I,
    watch: &mut Watch<'_>,
) -> Result<Answer, Ended<I::Error>> {
    let mut search = Search::new(observer, implementation);
    let counterexample = search.run(watch)?;
    Ok(Answer { counterexample, n_pairs: search.pairs().len(), n_nodes: search.n_nodes() })
}
