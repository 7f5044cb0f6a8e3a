//! Bounded model checking of linear-time properties: Biere, Cimatti, Clarke, Zhu (1999), *Symbolic model checking
//! without BDDs*.

use super::report::Undecided;
use super::{Decider, Open, Outcome, report, violated};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::{Features, Logic};
use explore::Reduction;
use lts::Reason;
use progress::Progress;
use symbolic::{Discovery, Settings, find_lasso};

/// Search for bad prefixes and lassos by a SAT solver. It proves nothing.
pub struct LassoSearch {
    /// Depths and encoding.
    pub settings: Settings,
}

impl Engine for LassoSearch {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| formula.logic == Logic::Linear && formula.is_network)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| decider.find_lasso(&self.settings))
    }
}

impl Decider<'_, '_> {
    fn find_lasso(&mut self, settings: &Settings) -> Outcome {
        let Some(Open { system, .. }) = &self.network else { return Err(Reason::Unsupported.into()) };
        if self.problem.properties().is_empty() {
            return Err(Reason::Unsupported.into());
        }
        // The formula is the conjunction of its properties: a violation of any of them refutes it.
        for (number, property) in self.problem.properties().iter().enumerate() {
            let found = find_lasso(system.actions(), property, self.problem.rules, settings, self.progress)?;
            let run = match found {
                None => continue,
                Some(Discovery::Failure(steps)) => return Err(system.failed_after(&steps)),
                Some(Discovery::Run(run, visited)) => {
                    system.run(&run, &Reduction::None, |state| visited[state.index()].clone())?
                }
            };
            let seen = self.judge(property, &run).map_err(Undecided::NotReplayed)?;
            return Ok(Some(violated(number, run, None, seen)));
        }
        Err(Reason::Depth.into())
    }
}
