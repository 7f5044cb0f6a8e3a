//! Properties of runs.

use super::answer::{Broken, Engine, Found, FoundRun, Outcome, Searched, Seen, Undecided};
use super::source::Source;
use super::subject::Subject;
use super::{Decider, Discovery};
use crate::product::{self, Answer};
use crate::{Divergence, Ending, Property, Reason, Rules, Structure, Verdict, View, atoms, evaluate, replay, silence};
use progress::Progress;

impl<S: Source> Decider<'_, '_, S> {
    /// Decides properties, the first of which has this number; nothing if too little is known of the system.
    pub(super) fn decide_linear(
        &mut self,
        properties: &[Property],
        first: usize,
    ) -> Result<Option<Outcome>, Undecided<S::Error>> {
        for (number, property) in (first..).zip(properties) {
            let Searched { found, sealed } = self.search(property)?;
            let run = match found {
                Found::Nothing => continue,
                Found::TooLittle => return Ok(None),
                Found::Run(run) => run,
            };
            return match self.judge(property, &run) {
                Ok(seen) => Ok(Some(Outcome::Broken(Box::new(Broken { property: number, run, sealed, seen })))),
                // That all is lost however a run goes on cannot always be seen from its beginning.
                Err(_) if run.ending() == Ending::Any && !self.subject.is_whole() && self.setting.finder.is_none() => {
                    Ok(None)
                }
                Err(why) => Err(Undecided::NotReplayed(why)),
            };
        }
        Ok(Some(Outcome::Holds))
    }

    /// Looks for a run that breaks a property.
    fn search(&mut self, property: &Property) -> Result<Searched, Undecided<S::Error>> {
        let (rules, progress) = (self.setting.rules, self.setting.progress);
        if let (Some(finder), Subject::Network(network)) = (self.setting.finder, &*self.subject) {
            let found = match finder.find(network.actions(), property, rules, progress)? {
                None => return Err(Reason::Depth.into()),
                Some(Discovery::Failure(steps)) => return Err(network.failed_after(&steps)),
                Some(Discovery::Run(run, met)) => network.run(&run, |state| met[state.index()].clone())?,
            };
            return Ok(Searched { found: Found::Run(found), sealed: None });
        }
        if self.subject.structure().is_none()
            && !needs_whole(rules)
            && let Subject::Network(network) = &mut *self.subject
        {
            let Some(mut growing) = network.on_demand(self.setting) else { return Ok(Searched::too_little()) };
            let answer = product::decide(&mut growing, property, rules, progress);
            self.decision.count(Engine::Automaton, &answer.statistics);
            let found = match &answer.verdict {
                Verdict::Holds => Found::Nothing,
                Verdict::Fails(run) => Found::Run(network.run(run, |state| growing.configuration(state))?),
                Verdict::Unknown(Reason::Open | Reason::MixedPast | Reason::TooLarge) => Found::TooLittle,
                Verdict::Unknown(reason) => return Err((*reason).into()),
            };
            network.keep(growing);
            return Ok(Searched::new(found, &answer));
        }
        let Some(structure) = self.subject.structure() else { return Ok(Searched::too_little()) };
        let (answer, engine) = decide_whole(structure, property, rules, progress);
        self.decision.count(engine, &answer.statistics);
        let found = match &answer.verdict {
            Verdict::Holds => Found::Nothing,
            Verdict::Fails(run) => Found::Run(self.subject.run(run.clone())?),
            Verdict::Unknown(Reason::Open) => Found::TooLittle,
            Verdict::Unknown(reason) => return Err((*reason).into()),
        };
        Ok(Searched::new(found, &answer))
    }

    /// Judges a run by the definitions; where nothing was packed or searched, if it is one of a network.
    pub(super) fn judge(&self, property: &Property, run: &FoundRun) -> Result<Option<Seen>, String> {
        let rules = self.setting.rules;
        match (run, &*self.subject) {
            (FoundRun::Network(run), Subject::Network(network)) => {
                let (structure, run) =
                    replay(network.original(), network.actions().conditions(), property, rules, run)?;
                Ok(Some(Seen { structure, run }))
            }
            (FoundRun::Walk(run), Subject::Walk(structure)) => {
                evaluate::violates(structure, property, rules, run).map(|_| None)
            }
            _ => Err("it is a run of something else".to_owned()),
        }
    }
}

/// Whether a property is decided only when all silence is known.
fn needs_whole(rules: &Rules) -> bool {
    rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock
}

/// Decides a property of what is known of a system, by whichever engine can, and says which did.
fn decide_whole(
    structure: &Structure,
    property: &Property,
    rules: &Rules,
    progress: &dyn Progress,
) -> (Answer, Engine) {
    let answer = silence::decide(structure, property, rules, progress);
    if !matches!(answer.verdict, Verdict::Unknown(Reason::MixedPast | Reason::TooLarge)) {
        return (answer, Engine::Automaton);
    }
    let verdict = atoms::decide(structure, property, rules, progress);
    (Answer { verdict, ..answer }, Engine::Tableau)
}
