//! Branching time.
//!
//! As for runs, what is near decides many formulas, so a network is labeled as a whole only when its beginning leaves the formula open.

use super::Decider;
use super::answer::{Engine, Outcome, Undecided};
use super::source::Source;
use super::subject::Subject;
use crate::{Reason, Run, Structure, Verdict, ctl};

impl<S: Source> Decider<'_, '_, S> {
    /// Decides a formula of branching time; nothing if too little is known of the system.
    pub(super) fn decide_branching(
        &mut self,
        property: &ctl::Property,
    ) -> Result<Option<Outcome>, Undecided<S::Error>> {
        self.decision.engine = Engine::Labeling;
        if self.subject.structure().is_none()
            && let Subject::Network(network) = &mut *self.subject
        {
            let Some(mut growing) = network.on_demand(self.setting) else { return Ok(None) };
            let near = growing.beginning();
            let Some(labeled) = self.label(&near, property)? else { return Ok(None) };
            let Subject::Network(network) = &mut *self.subject else { return Ok(None) };
            let told = outcome(labeled, |run| network.run(&run, |state| growing.configuration(state)));
            network.keep(growing);
            return told;
        }
        let Some(structure) = self.subject.structure() else { return Ok(None) };
        let Some(labeled) = self.label(structure, property)? else { return Ok(None) };
        outcome(labeled, |run| self.subject.run(run))
    }

    fn label(&self, structure: &Structure, property: &ctl::Property) -> Result<Option<Labeled>, Undecided<S::Error>> {
        match ctl::decide(structure, property, self.setting.progress) {
            Verdict::Holds => Ok(Some(Labeled::Holds)),
            Verdict::Fails(run) => Ok(Some(Labeled::Fails(run))),
            Verdict::Unknown(Reason::Open) => Ok(None),
            Verdict::Unknown(reason) => Err(reason.into()),
        }
    }
}

/// Whether a formula holds, and if it does not, a run that shows it, if one can.
enum Labeled {
    Holds,
    Fails(Option<Run>),
}

fn outcome<E>(
    labeled: Labeled,
    found: impl FnOnce(Run) -> Result<super::FoundRun, Undecided<E>>,
) -> Result<Option<Outcome>, Undecided<E>> {
    Ok(Some(match labeled {
        Labeled::Holds => Outcome::Holds,
        Labeled::Fails(run) => Outcome::Refuted(run.map(found).transpose()?),
    }))
}
