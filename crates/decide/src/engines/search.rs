//! Explicit breadth-first search of the product of a network and an observer, with partial-order and symmetry
//! reduction.

use crate::answer::{NetworkAnswer, Reduced, told};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::Features;
use explore::reduction::{partial_order, symmetry};
use explore::{Check, Limits, Observer, Proviso, Reduction, Refusal};
use limits::effort::symmetry::SPECULATIVE_BUDGET;
use limits::effort::trials::MIN_SYMMETRIES;
use lts::Reason;
use model::network::Network;
use progress::Progress;
use std::sync::Arc;

/// Reductions of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reduce {
    Nothing,
    PartialOrder,
    Symmetry,
    Both,
}

/// Breadth-first search on all workers.
pub struct ExplicitSearch {
    reduce: Reduce,
    /// A group with fewer elements is not used.
    min_symmetries: f64,
}

impl ExplicitSearch {
    /// Without reduction.
    pub const PLAIN: ExplicitSearch = ExplicitSearch::with(Reduce::Nothing, 1.0);
    /// With stubborn sets.
    pub const PARTIAL_ORDER: ExplicitSearch = ExplicitSearch::with(Reduce::PartialOrder, 1.0);
    /// With orbit representatives, if there are enough symmetries to pay for them.
    pub const SYMMETRY: ExplicitSearch = ExplicitSearch::with(Reduce::Symmetry, MIN_SYMMETRIES);
    /// With orbit representatives.
    pub const ANY_SYMMETRY: ExplicitSearch = ExplicitSearch::with(Reduce::Symmetry, 1.0);
    /// With both.
    pub const PARTIAL_ORDER_AND_SYMMETRY: ExplicitSearch = ExplicitSearch::with(Reduce::Both, 1.0);

    const fn with(reduce: Reduce, min_symmetries: f64) -> ExplicitSearch {
        ExplicitSearch { reduce, min_symmetries }
    }

    /// The reduction that preserves what the observer sees.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn reduction(
        &self,
        network: &Network,
        observer: &Observer,
        budget: u64,
        progress: &dyn Progress,
    ) -> Result<Reduction, Refusal> {
        let order = || partial_order(network, observer).map(Arc::new);
        let group = || symmetry(network, observer, budget, progress).map(Arc::new);
        match self.reduce {
            Reduce::Nothing => Ok(Reduction::None),
            Reduce::PartialOrder => Ok(Reduction::PartialOrder(order()?)),
            Reduce::Symmetry => Ok(Reduction::Symmetry(group()?)),
            Reduce::Both => {
                let order = order()?;
                // Representatives of orbits hide cycles that the cycle proviso would have to see.
                if order.proviso() == Proviso::None {
                    Ok(Reduction::Both(order, group()?))
                } else {
                    Err(Refusal::Comparison)
                }
            }
        }
    }
}

impl Engine for ExplicitSearch {
    fn name(&self) -> &'static str {
        match self.reduce {
            Reduce::Nothing => "search",
            Reduce::PartialOrder => "partial-order",
            Reduce::Symmetry => "symmetry",
            Reduce::Both => "partial-order-and-symmetry",
        }
    }

    fn applies(&self, features: &Features) -> bool {
        // One machine has neither independent steps nor a machine to be exchanged with.
        features.property.has_observer() && (self.reduce == Reduce::Nothing || features.n_machines > 1)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some((network, observer)) = problem.observed() else { return Report::unknown(Reason::Unsupported) };
        match self.reduction(network, observer, SPECULATIVE_BUDGET, progress) {
            // Few symmetries save less than representatives cost.
            Ok(Reduction::Symmetry(group)) if group.order() < self.min_symmetries => {
                Report::unknown(Reason::Unsupported)
            }
            Ok(reduction) => search_reduced(observer, network, &reduction, &problem.search_limits(), progress).into(),
            Err(_) => Report::unknown(Reason::Unsupported),
        }
    }
}

/// Searches a network with a reduction.
pub(crate) fn search_reduced(
    observer: &Observer,
    network: &Network,
    reduction: &Reduction,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let report =
        Check::within(network, observer, reduction, progress).ok().map(|mut search| search.run(limits, progress));
    let mut answer = told(observer, report);
    answer.statistics.reduced = Reduced::of(reduction);
    answer
}

/// Searches a network without reduction.
pub(crate) fn search(
    observer: &Observer,
    network: &Network,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    search_reduced(observer, network, &Reduction::None, limits, progress)
}
