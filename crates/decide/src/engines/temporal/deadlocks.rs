//! Deadlocked runs, searched for with partial-order reduction.
//!
//! A run that deadlocks is fair whatever fairness demands of infinite runs. So under fairness the deadlocks of a
//! network may refute a property before its product is explored. Without fairness, such runs are found among others.

use super::{Decider, Open, Outcome, report, violated};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::Features;
use explore::{Observer, Reduction};
use limits::effort::trials::{PARTIAL_ORDER_GAIN, PARTIAL_ORDER_STATES};
use lts::{Fault, Model, Verdict};
use model::network::NetworkStep;
use progress::Progress;
use std::sync::Arc;

/// Search for deadlocked runs that violate a property under fairness.
pub struct DeadlockedRuns;

impl Engine for DeadlockedRuns {
    fn name(&self) -> &'static str {
        "deadlocked-runs"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| {
            formula.is_network && formula.is_fair && formula.allows_partial_order && formula.reduction.is_none()
        })
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| decider.find_deadlocked_run())
    }
}

impl Decider<'_, '_> {
    fn find_deadlocked_run(&mut self) -> Outcome {
        let Some(Open { system, learned }) = &mut self.network else { return Ok(None) };
        let (network, _) = system.original();
        let observer = Observer::deadlock_freedom(Model::Failures);
        let search = |reduction: &Reduction, budget: u64| {
            let limits = self.limits.with_budget(budget);
            explore::check_reduced(network, &observer, reduction, &limits, self.progress).ok()
        };
        let order = explore::reduction::partial_order(network, &observer);
        let order = order.map_or(Reduction::None, |order| Reduction::PartialOrder(Arc::new(order)));
        let tried = [&order, &Reduction::None].map(|reduction| search(reduction, PARTIAL_ORDER_STATES));
        let pays = match &tried {
            [Some(reduced), Some(all)] if matches!(order, Reduction::PartialOrder(_)) => {
                !is_cut_short(reduced)
                    || branching(reduced) <= branching(all) * (1.0 - 1.0 / f64::from(PARTIAL_ORDER_GAIN))
            }
            _ => true,
        };
        learned.partial_order_pays = pays;
        // Where bottom components follow, all states are visited only once or twice: they are not searched for
        // deadlocks without need.
        let components_follow = !pays && self.problem.is_decided_by_components();
        let goes_on = tried.iter().flatten().all(is_cut_short) && !components_follow;
        let further = if pays { &order } else { &Reduction::None };
        let further = if goes_on { search(further, self.budget) } else { None };
        let found = tried.into_iter().chain([further]).flatten().find_map(steps_to_deadlock);
        match found {
            Some(steps) => self.judge_deadlock(&steps),
            None => Ok(None),
        }
    }

    /// The property that a deadlocked run violates, if there is one.
    fn judge_deadlock(&self, steps: &[NetworkStep]) -> Outcome {
        let Some(Open { system, .. }) = &self.network else { return Ok(None) };
        let run = system.deadlocked_run(steps)?;
        for (number, property) in self.problem.properties().iter().enumerate() {
            if let Ok(seen) = self.judge(property, &run) {
                return Ok(Some(violated(number, run, None, seen)));
            }
        }
        Ok(None)
    }
}

/// Whether a search ended before it was known whether there is a deadlock.
fn is_cut_short(report: &explore::Report) -> bool {
    matches!(report.verdict, Verdict::Unknown(_))
}

/// Steps of an expanded state, on average.
fn branching(explore::Report { statistics, .. }: &explore::Report) -> f64 {
    let n_expanded = statistics.n_states.saturating_sub(statistics.n_waiting);
    statistics.n_transitions as f64 / n_expanded.max(1) as f64
}

/// The steps to a deadlock, if one was found.
fn steps_to_deadlock(report: explore::Report) -> Option<Vec<NetworkStep>> {
    match report.verdict {
        Verdict::Fails(found) if found.fault == Fault::Deadlock => Some(found.steps),
        _ => None,
    }
}
