//! Properties of what happens infinitely often, decided by the bottom strongly connected components of a network.

use super::report::{Algorithm, Undecided};
use super::{Decider, Open, Outcome, report, violated};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::Features;
use lts::{Reason, Verdict};
use progress::Progress;
use property::{Property, Rules};
use temporal::recurrence::{BottomComponents as Components, is_decided_by_components};

/// Bottom components under fairness of every step.
pub struct BottomComponents;

impl Engine for BottomComponents {
    fn name(&self) -> &'static str {
        "bottom-components"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| {
            formula.is_network && formula.is_decided_by_components && formula.reduction.is_none()
        })
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| decider.decide_by_components())
    }
}

impl Decider<'_, '_> {
    fn decide_by_components(&mut self) -> Outcome {
        let (rules, progress) = (self.problem.rules, self.progress);
        let Some(Open { system, learned }) = &mut self.network else { return Ok(None) };
        let components = Components::of(system.actions(), self.limits, progress);
        let Some(components) = components.map_err(|why| system.not_explored(why))? else { return Ok(None) };
        learned.count_visited(components.n_met());
        for (number, property) in self.problem.properties().iter().enumerate() {
            let (found, cost) = components.decide(property, rules, progress);
            self.details.count(Algorithm::Automaton, &cost);
            let (run, visited) = match found {
                Verdict::Holds => continue,
                Verdict::Fails(found) => found,
                Verdict::Unknown(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop).into()),
                Verdict::Unknown(_) => return Ok(None),
            };
            let Some(Open { system, learned }) = &self.network else { return Ok(None) };
            let run = system.run(&run, &learned.reduction, |state| visited[state.index()].clone())?;
            let seen = self.judge(property, &run).map_err(Undecided::NotReplayed)?;
            return Ok(Some(violated(number, run, None, seen)));
        }
        Ok(Some(Verdict::Holds))
    }
}

/// Whether bottom components decide all of some properties.
pub(super) fn are_decided_by_components(properties: &[Property], rules: &Rules) -> bool {
    !properties.is_empty() && properties.iter().all(|property| is_decided_by_components(property, rules))
}
