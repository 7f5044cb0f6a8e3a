//! Properties that terminal components decide.

use super::Decider;
use super::answer::{Broken, Engine, Outcome, Undecided};
use super::source::{Asked, Source};
use super::subject::Subject;
use crate::recurrence::is_decided_by_components;
use crate::{Property, Reason, Rules, Verdict};

impl<S: Source> Decider<'_, '_, S> {
    /// Tries to decide properties by the terminal components of a network.
    pub(super) fn try_components(&mut self, asked: &Asked) -> Result<Option<Outcome>, Undecided<S::Error>> {
        let (setting, rules) = (self.setting, self.setting.rules);
        let is_all_open = setting.finder.is_none() && setting.reduction.is_none() && self.subject.structure().is_none();
        let (Asked::Linear(properties), Subject::Network(network)) = (asked, &mut *self.subject) else {
            return Ok(None);
        };
        if !is_all_open || !are_decided_by_components(properties, rules) {
            return Ok(None);
        }
        let Some(components) = network.components(setting)? else { return Ok(None) };
        for (number, property) in properties.iter().enumerate() {
            let (found, cost) = components.decide(property, rules, setting.progress);
            self.decision.count(Engine::Automaton, &cost);
            let (run, met) = match found {
                Verdict::Holds => continue,
                Verdict::Fails(found) => found,
                Verdict::Unknown(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop).into()),
                Verdict::Unknown(_) => return Ok(None),
            };
            let Subject::Network(network) = &*self.subject else { return Ok(None) };
            let run = network.run(&run, |state| met[state.index()].clone())?;
            let seen = self.judge(property, &run).map_err(Undecided::NotReplayed)?;
            return Ok(Some(Outcome::Broken(Box::new(Broken { property: number, run, sealed: None, seen }))));
        }
        Ok(Some(Outcome::Holds))
    }
}

/// Whether terminal components decide all of some properties.
pub(super) fn are_decided_by_components(properties: &[Property], rules: &Rules) -> bool {
    properties.iter().all(|property| is_decided_by_components(property, rules))
}
