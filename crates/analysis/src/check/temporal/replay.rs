//! Runs that break a formula, done again before they are told.

use super::super::checker::{Checker, Failed};
use super::super::report::Counterexample;
use super::subject::{Form, FoundRun, Subject};
use super::tell::Seen;
use crate::temporal::Written;
use lts::Label;
use process::{Interpreter, TermId};
use temporal::{Ending, NetworkRun, Property, Rules, Run, Structure, evaluate};

impl Checker<'_> {
    /// Repeats a run where nothing was packed or searched, judges it by the definitions, and tells it.
    pub(super) fn confirm(
        &mut self,
        subject: &Subject<'_>,
        (property, written): (&Property, &Written),
        rules: &Rules,
        found: &FoundRun,
    ) -> Result<Counterexample, Failed> {
        match (found, &subject.form) {
            (FoundRun::Network(run), Form::Network { compiled, .. }) => {
                let system = (&compiled.network, compiled.crews.as_ref());
                let (structure, seen) =
                    temporal::replay(system, property, rules, run).map_err(|why| Failed::not_replayed(&why))?;
                let told = self.tell_network_run(subject, run)?;
                let scenes = self.scenes(subject.term, compiled, run);
                self.compare_crews(compiled, run, &scenes)?;
                let seen = Seen { structure: &structure, property, written, rules, run: &seen };
                let served = self.served(&seen, &compiled.roster, &scenes);
                Ok(self.with_truth(told, &seen, served))
            }
            (FoundRun::Terms(run), Form::Terms { structure, terms, roster }) => {
                evaluate::violates(structure, property, rules, run).map_err(|why| Failed::not_replayed(&why))?;
                let told = self.tell_terms_run(subject.term, structure, terms, run)?;
                let seen = Seen { structure, property, written, rules, run };
                // Termination leads to no term.
                let states = (0..=run.steps.len()).map(|place| run.state(place));
                let scenes: Vec<_> = states.filter_map(|state| terms.get(state.index()).copied()).map(Some).collect();
                let served = self.served(&seen, &roster.clone().unwrap_or_default(), &scenes);
                Ok(self.with_truth(told, &seen, served))
            }
            _ => Err(Failed::not_replayed("it is a run of something else")),
        }
    }

    /// Repeats a run on the interpreter of terms, and tells it.
    pub(super) fn tell_terms_run(
        &mut self,
        term: TermId,
        structure: &Structure,
        terms: &[TermId],
        run: &Run,
    ) -> Result<Counterexample, Failed> {
        let labels: Vec<Label> = run.steps.iter().map(|step| structure.action(step).label).collect();
        let targets = run.steps.iter().map(|step| terms.get(step.target.index()).copied());
        // Termination leads to no term.
        let path = labels.iter().zip(targets).map(|(&label, target)| (label, target.unwrap_or(term)));
        let Checker { table, terms, evaluator, .. } = self;
        let mut interpreter = Interpreter { table, terms, unfold: evaluator };
        let followed = interpreter.follow(term, path).map_err(|error| self.failed_step(&error))?;
        let followed = followed.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        Ok(self.tell_run(&followed, &labels, &ending_as_fault(run.ending)))
    }

    /// Tells a run by terms if its configurations stand for such, otherwise by machines.
    pub(super) fn tell_network_run(
        &mut self,
        subject: &Subject<'_>,
        run: &NetworkRun,
    ) -> Result<Counterexample, Failed> {
        let Form::Network { compiled, .. } = &subject.form else {
            return Err(Failed::not_replayed("it is a run of something else"));
        };
        let fault = ending_as_fault(run.ending);
        if !compiled.is_compressed() {
            let Checker { table, terms, evaluator, .. } = self;
            let mut interpreter = Interpreter { table, terms, unfold: evaluator };
            let lifted =
                interpreter.lift(subject.term, compiled, &run.steps).map_err(|error| self.failed_step(&error))?;
            if let Some(lifted) = lifted {
                let labels: Vec<Label> = run.steps.iter().map(|&(label, _)| label).collect();
                return Ok(self.tell_run(&lifted, &labels, &fault));
            }
        }
        Ok(self.tell_network(compiled, &run.start, &run.steps, &fault))
    }
}

/// The fault that is told in the same way.
fn ending_as_fault(ending: Ending) -> check::Fault {
    match ending {
        Ending::Stuck => check::Fault::Deadlock,
        Ending::Loop(start) | Ending::Silent(start) => check::Fault::Divergence(start),
        Ending::Any => check::Fault::Event(Vec::new()),
    }
}
