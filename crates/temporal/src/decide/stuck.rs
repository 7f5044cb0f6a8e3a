//! Runs that get stuck, looked for with few orders of steps.

use super::Decider;
use super::answer::{Broken, Outcome, Undecided};
use super::recurrence::are_decided_by_components;
use super::source::Source;
use super::subject::Subject;
use crate::Property;
use explore::{Observer, Reduction, Report};
use lts::{Fault, Model, Verdict};
use model::network::NetworkStep;
use std::sync::Arc;

/// So many states are looked at to find out whether it pays to leave out orders of steps.
const N_TRIED: u64 = 4_000;
/// So many states are searched for one that is stuck, before all states are looked at.
const MAX_STUCK: u64 = 250_000;
/// Of so many steps, at least one must be left out.
const ONE_IN: u32 = 5;

/// What was found.
pub(super) struct Stuck {
    /// A run that gets stuck breaks a property.
    pub(super) outcome: Option<Outcome>,
    /// Whether enough steps were left out, as far as that was tried. To find out which can be takes longer than to take them.
    pub(super) orders_pay: bool,
}

impl<S: Source> Decider<'_, '_, S> {
    /// A run that gets stuck and breaks a property of fair runs: whatever is asked of those that go on for ever, it is fair. Without fairness,
    /// such runs are found among others.
    pub(super) fn find_stuck(&mut self, properties: &[Property]) -> Result<Stuck, Undecided<S::Error>> {
        let nothing = Stuck { outcome: None, orders_pay: true };
        let Subject::Network(subject) = &*self.subject else { return Ok(nothing) };
        if properties.iter().all(|property| property.fairness.is_none()) {
            return Ok(nothing);
        }
        let (network, _) = subject.original();
        let observer = Observer::deadlock_freedom(Model::Failures);
        let search = |reduction: &Reduction, most: u64| {
            let limits = self.setting.limits.with_budget(most);
            explore::check_reduced(network, &observer, reduction, &limits, self.setting.progress).ok()
        };
        let order = explore::reduction::partial_order(network, &observer);
        let order = order.map_or(Reduction::None, |order| Reduction::PartialOrder(Arc::new(order)));
        let tried = [&order, &Reduction::None].map(|reduction| search(reduction, N_TRIED));
        let orders_pay = match &tried {
            [Some(few), Some(all)] if matches!(order, Reduction::PartialOrder(_)) => {
                !is_cut_short(few) || branching(few) <= branching(all) * (1.0 - 1.0 / f64::from(ONE_IN))
            }
            _ => true,
        };
        // Where all states are looked at only once or twice later on, they are not searched now without need.
        let is_short = !orders_pay && are_decided_by_components(properties, self.setting.rules);
        let goes_on = tried.iter().flatten().all(is_cut_short) && !is_short;
        let further = if orders_pay { &order } else { &Reduction::None };
        let further = if goes_on { search(further, MAX_STUCK) } else { None };
        let found = tried.into_iter().chain([further]).flatten().find_map(steps_to_deadlock);
        let outcome = found.map(|steps| self.judge_stuck(properties, &steps)).transpose()?.flatten();
        Ok(Stuck { outcome, orders_pay })
    }

    /// What a run that gets stuck breaks, if anything.
    fn judge_stuck(
        &self,
        properties: &[Property],
        steps: &[NetworkStep],
    ) -> Result<Option<Outcome>, Undecided<S::Error>> {
        let Subject::Network(subject) = &*self.subject else { return Ok(None) };
        let run = subject.stuck_run(steps)?;
        for (number, property) in properties.iter().enumerate() {
            if let Ok(seen) = self.judge(property, &run) {
                return Ok(Some(Outcome::Broken(Box::new(Broken { property: number, run, sealed: None, seen }))));
            }
        }
        Ok(None)
    }
}

/// Whether a search ended before it was known whether there is a deadlock.
fn is_cut_short(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Unknown(_))
}

/// How many steps a state has that was looked at, on average.
fn branching(Report { statistics, .. }: &Report) -> f64 {
    let n_expanded = statistics.n_states.saturating_sub(statistics.n_waiting);
    statistics.n_transitions as f64 / n_expanded.max(1) as f64
}

/// The steps to a deadlock, if one was found.
fn steps_to_deadlock(report: Report) -> Option<Vec<NetworkStep>> {
    match report.verdict {
        Verdict::Fails(found) if found.fault == Fault::Deadlock => Some(found.steps),
        _ => None,
    }
}
