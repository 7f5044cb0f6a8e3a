//! Runs that break a formula, done again before they are told.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::judge;
use super::super::report::{Counterexample, Fault, Finding};
use super::source::Asking;
use super::tell::{self, Seen};
use frontend::{Lowered, State, Step};
use lts::Label;
use model::network::NetworkStep;
use progress::Activity;
use temporal::decide::{Broken, Decision, FoundRun, Subject};
use temporal::{Ending, NetworkRun, Run, Structure};

impl Checker<'_> {
    /// Repeats a run that was judged to break a property, by the states of the process where it has such, and tells it.
    pub(super) fn tell_broken(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        (subject, decision): (&Subject<'_>, &Decision),
        broken: &Broken,
    ) -> Result<Counterexample, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let told = self.tell_found(asking, lowered, subject, &broken.run)?;
        let (property, written) = (&decision.properties[broken.property], &asking.written[broken.property]);
        let rules = &asking.question.rules;
        let mut told = match (&broken.run, &broken.seen, lowered, subject) {
            (FoundRun::Network(run), Some(seen), Some(lowered), _) => {
                let scenes = self.scenes(asking.process, lowered, run);
                self.compare_participants(lowered, run, &scenes)?;
                let seen = Seen { structure: &seen.structure, property, written, rules, run: &seen.run };
                let served = self.served(&seen, &lowered.processes, &scenes);
                self.with_truth(told, &seen, served)
            }
            (FoundRun::Walk(run), _, _, Subject::Walk(structure)) => {
                let seen = Seen { structure, property, written, rules, run };
                // Termination leads to no term.
                let places = (0..=run.steps.len()).map(|place| run.state(place));
                let states = asking.walked.states();
                let scenes: Vec<_> = places.filter_map(|place| states.get(place.index()).copied()).map(Some).collect();
                let served = self.served(&seen, asking.walked.processes(), &scenes);
                self.with_truth(told, &seen, served)
            }
            _ => return Err(something_else()),
        };
        tell::seal(&mut told, broken.sealed);
        Ok(told)
    }

    /// Repeats a run that shows why a formula of branching time is false, and tells it.
    pub(super) fn tell_branching(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        subject: &Subject<'_>,
        found: &FoundRun,
    ) -> Result<Counterexample, Failed> {
        let mut told = self.tell_found(asking, lowered, subject, found)?;
        let ending = found.ending();
        told.fault = Fault::Failure(Finding::Temporal {
            ending,
            sealed: None,
            positions: Vec::new(),
            truths: Vec::new(),
            served: Vec::new(),
        });
        Ok(told)
    }

    /// Repeats a run, and tells its steps.
    pub(super) fn tell_found(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        subject: &Subject<'_>,
        found: &FoundRun,
    ) -> Result<Counterexample, Failed> {
        match (found, lowered, subject) {
            (FoundRun::Network(run), Some(lowered), _) => self.tell_network_run(asking.process, lowered, run),
            (FoundRun::Walk(run), _, Subject::Walk(structure)) => {
                self.tell_states_run(asking.process, structure, asking.walked.states(), run)
            }
            _ => Err(something_else()),
        }
    }

    /// Repeats a run state by state, and tells it.
    fn tell_states_run(
        &mut self,
        process: State,
        structure: &Structure,
        states: &[State],
        run: &Run,
    ) -> Result<Counterexample, Failed> {
        let labels: Vec<Label> = run.steps.iter().map(|step| structure.action(step).label).collect();
        let targets = run.steps.iter().map(|step| states.get(step.target.index()).copied());
        // Termination leads to no state that was met.
        let step = |(&label, target): (&Label, Option<State>)| Step { label, target: target.unwrap_or(process) };
        let path: Vec<Step> = labels.iter().zip(targets).map(step).collect();
        let followed = self.follow(process, &path)?;
        let followed = followed.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        Ok(self.tell_run(&followed, &labels, &ending_as_fault(run.ending)))
    }

    /// Tells a run by states of the process if its configurations stand for such, otherwise by machines.
    fn tell_network_run(
        &mut self,
        process: State,
        lowered: &Lowered,
        run: &NetworkRun,
    ) -> Result<Counterexample, Failed> {
        let fault = ending_as_fault(run.ending);
        if lowered.is_compressed {
            return self.tell_by_machines(lowered, run);
        }
        let mut path = Vec::with_capacity(run.steps.len());
        for (label, configuration) in &run.steps {
            match self.semantics.state_of(lowered.id, configuration) {
                Some(target) => path.push(Step { label: *label, target }),
                None => return self.tell_by_machines(lowered, run),
            }
        }
        let lifted = self.follow(process, &path)?;
        let lifted = lifted.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        let labels: Vec<Label> = run.steps.iter().map(|&(label, _)| label).collect();
        Ok(self.tell_run(&lifted, &labels, &fault))
    }

    fn tell_by_machines(&mut self, lowered: &Lowered, run: &NetworkRun) -> Result<Counterexample, Failed> {
        let mut steps: Vec<NetworkStep> = Vec::with_capacity(run.steps.len());
        for (label, target) in &run.steps {
            let before = steps.last().map_or(&run.start, |step| &step.target);
            let mut all = lowered.network.steps_with(before, *label).into_iter();
            let step = all.find(|step| step.target == *target);
            steps.push(step.ok_or_else(|| Failed::not_replayed("its steps are none of the network"))?);
        }
        Ok(self.tell_network(lowered, &check::Counterexample { steps, fault: ending_as_fault(run.ending) }))
    }
}

/// The fault that is told in the same way.
fn ending_as_fault(ending: Ending) -> judge::Fault {
    match ending {
        Ending::Stuck => judge::Fault::Deadlock,
        Ending::Loop(start) | Ending::Silent(start) => judge::Fault::Divergence(start),
        Ending::Any => judge::Fault::Event(Vec::new()),
    }
}

fn something_else() -> Failed {
    Failed::not_replayed("it is a run of something else")
}
