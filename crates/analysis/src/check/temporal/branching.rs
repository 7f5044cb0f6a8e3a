//! Branching time.
//!
//! As for runs, what is near decides many formulas, so a network is labeled as a whole only when its beginning leaves the formula open.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::{Checked, Counterexample, Ending as ToldEnding, Fault, Temporal, Verdict};
use super::subject::{Form, FoundRun, MAX_ON_DEMAND, Subject, network_run};
use temporal::{Ending, Reason, Run, Structure, ctl};

/// Whether a formula holds, and if it does not, a run that shows it, if one can.
enum Decided<R> {
    Holds,
    Fails(Option<R>),
}

impl Checker<'_> {
    /// Decides a formula of branching time; nothing if too little is known of the system.
    pub(super) fn decide_branching(
        &mut self,
        subject: &mut Subject<'_>,
        property: &ctl::Property,
        report: &mut Temporal,
    ) -> Result<Option<Checked>, Failed> {
        report.engine = "labeling";
        let found = match self.label(subject, property)? {
            None => return Ok(None),
            Some(Decided::Holds) => return Ok(Some(Checked::new(Verdict::Holds, None))),
            Some(Decided::Fails(found)) => found,
        };
        let told = found.map(|found| self.tell_branching(subject, &found)).transpose()?;
        Ok(Some(Checked::new(Verdict::Fails, told)))
    }

    fn label(&self, subject: &mut Subject<'_>, property: &ctl::Property) -> Result<Option<Decided<FoundRun>>, Failed> {
        if let Form::Network { lowered, actions, reduction, n_states, explored: None } = &mut subject.form {
            let most = MAX_ON_DEMAND.min(self.options.most_states());
            let Ok(mut growing) = actions.growing(reduction.clone(), most) else { return Ok(None) };
            let near = growing.beginning();
            *n_states = near.n_states();
            let decided = self.label_structure(&near, property)?;
            let configuration = |state| growing.configuration(state);
            let found = |run: Run| network_run(&lowered.network, actions, reduction, &run, configuration);
            return decided.map(|decided| decided.try_map(found)).transpose();
        }
        let Some(structure) = subject.structure() else { return Ok(None) };
        let decided = self.label_structure(structure, property)?;
        decided.map(|decided| decided.try_map(|run| subject.run(run))).transpose()
    }

    fn label_structure(&self, structure: &Structure, property: &ctl::Property) -> Result<Option<Decided<Run>>, Failed> {
        match ctl::decide(structure, property, &*self.options.progress) {
            temporal::Verdict::Holds => Ok(Some(Decided::Holds)),
            temporal::Verdict::Fails(run) => Ok(Some(Decided::Fails(run))),
            temporal::Verdict::Unknown(Reason::Open) => Ok(None),
            temporal::Verdict::Unknown(reason) => Err(reason.into()),
        }
    }

    fn tell_branching(&mut self, subject: &Subject<'_>, found: &FoundRun) -> Result<Counterexample, Failed> {
        let mut told = match (found, &subject.form) {
            (FoundRun::Network(run), _) => self.tell_network_run(subject, run)?,
            (FoundRun::States(run), Form::States { structure, states, .. }) => {
                self.tell_states_run(subject.process, structure, states, run)?
            }
            _ => return Err(Failed::not_replayed("it is a run of something else")),
        };
        let ending = match found.ending() {
            Ending::Stuck => ToldEnding::Stuck,
            Ending::Loop(start) => ToldEnding::Loop(start),
            Ending::Silent(start) => ToldEnding::Silent(start),
            Ending::Any => ToldEnding::Any,
        };
        told.fault =
            Fault::Temporal { ending, sealed: None, positions: Vec::new(), truths: Vec::new(), served: Vec::new() };
        Ok(told)
    }
}

impl<R> Decided<R> {
    fn try_map<S>(self, change: impl FnOnce(R) -> Result<S, Failed>) -> Result<Decided<S>, Failed> {
        Ok(match self {
            Decided::Holds => Decided::Holds,
            Decided::Fails(found) => Decided::Fails(found.map(change).transpose()?),
        })
    }
}
