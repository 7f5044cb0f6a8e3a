//! Branching time.

use super::super::checker::{Checker, Failed};
use super::super::report::{Checked, Ending as ToldEnding, Fault, Temporal, Verdict};
use super::super::system::Asking;
use super::subject::{Form, FoundRun, Subject, progress};
use explore::Progress as _;
use std::ops::ControlFlow;
use temporal::{Ending, ctl};

impl Checker<'_> {
    /// Decides a formula of branching time; nothing if too little is known of the system.
    pub(super) fn decide_branching(
        &mut self,
        subject: &mut Subject<'_>,
        property: &ctl::Property,
        report: &mut Temporal,
    ) -> Result<Option<Checked>, Failed> {
        report.engine = "labeling";
        let Some(structure) = subject.structure() else { return Ok(None) };
        let options = self.options.clone();
        let asking = Asking::new(&options);
        let mut watch = |n_done: usize| match asking.tick(&progress(n_done)) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        };
        let run = match ctl::decide(structure, property, &mut watch) {
            ctl::Verdict::Holds => return Ok(Some(Checked::new(Verdict::Holds, None))),
            ctl::Verdict::Inconclusive { .. } => return Ok(None),
            ctl::Verdict::Stopped => return Err(Failed::Stopped(asking.why())),
            ctl::Verdict::Fails(run) => run,
        };
        let told = match run {
            None => None,
            Some(run) => {
                let ending = match run.ending {
                    Ending::Stuck => ToldEnding::Stuck,
                    Ending::Loop(start) => ToldEnding::Loop(start),
                    Ending::Silent(start) => ToldEnding::Silent(start),
                    Ending::Any => ToldEnding::Any,
                };
                let found = subject.run(run);
                let mut told = match (&found, &subject.form) {
                    (FoundRun::Network(run), _) => self.tell_network_run(subject, run)?,
                    (FoundRun::Terms(run), Form::Terms { structure, terms }) => {
                        self.tell_terms_run(subject.term, structure, terms, run)?
                    }
                    _ => return Err(Failed::not_replayed("it is a run of something else")),
                };
                told.fault = Fault::Temporal {
                    ending,
                    sealed: None,
                    positions: Vec::new(),
                    truths: Vec::new(),
                    served: Vec::new(),
                };
                Some(told)
            }
        };
        Ok(Some(Checked::new(Verdict::Fails, told)))
    }
}
