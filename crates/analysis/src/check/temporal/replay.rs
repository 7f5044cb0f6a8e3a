//! Runs that break a formula, done again before they are told.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Counterexample;
use super::subject::{Form, FoundRun, Subject};
use super::tell::Seen;
use frontend::formula::Written;
use lts::Label;
use frontend::State;
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
            (FoundRun::Network(run), Form::Network { lowered, .. }) => {
                let system = (&*lowered.network, lowered.participants.as_deref());
                let (structure, seen) =
                    temporal::replay(system, property, rules, run).map_err(|why| Failed::not_replayed(&why))?;
                let told = self.tell_network_run(subject, run)?;
                let scenes = self.scenes(subject.process, lowered, run);
                self.compare_participants(lowered, run, &scenes)?;
                let seen = Seen { structure: &structure, property, written, rules, run: &seen };
                let served = self.served(&seen, &lowered.processes, &scenes);
                Ok(self.with_truth(told, &seen, served))
            }
            (FoundRun::States(run), Form::States { structure, states, processes }) => {
                evaluate::violates(structure, property, rules, run).map_err(|why| Failed::not_replayed(&why))?;
                let told = self.tell_states_run(subject.process, structure, states, run)?;
                let seen = Seen { structure, property, written, rules, run };
                // Termination leads to no term.
                let places = (0..=run.steps.len()).map(|place| run.state(place));
                let scenes: Vec<_> = places.filter_map(|place| states.get(place.index()).copied()).map(Some).collect();
                let served = self.served(&seen, processes.as_deref().unwrap_or_default(), &scenes);
                Ok(self.with_truth(told, &seen, served))
            }
            _ => Err(Failed::not_replayed("it is a run of something else")),
        }
    }

    /// Repeats a run state by state, and tells it.
    pub(super) fn tell_states_run(
        &mut self,
        process: State,
        structure: &Structure,
        states: &[State],
        run: &Run,
    ) -> Result<Counterexample, Failed> {
        let labels: Vec<Label> = run.steps.iter().map(|step| structure.action(step).label).collect();
        let targets = run.steps.iter().map(|step| states.get(step.target.index()).copied());
        // Termination leads to no state that was met.
        let path: Vec<(Label, State)> =
            labels.iter().zip(targets).map(|(&label, target)| (label, target.unwrap_or(process))).collect();
        let followed = self.follow(process, &path)?;
        let followed = followed.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        Ok(self.tell_run(&followed, &labels, &ending_as_fault(run.ending)))
    }

    /// Tells a run by states of the process if its configurations stand for such, otherwise by machines.
    pub(super) fn tell_network_run(
        &mut self,
        subject: &Subject<'_>,
        run: &NetworkRun,
    ) -> Result<Counterexample, Failed> {
        let Form::Network { lowered, .. } = &subject.form else {
            return Err(Failed::not_replayed("it is a run of something else"));
        };
        let fault = ending_as_fault(run.ending);
        if lowered.is_compressed {
            return Ok(self.tell_network(lowered, &run.start, &run.steps, &[], &fault));
        }
        let mut path = Vec::with_capacity(run.steps.len());
        for (label, configuration) in &run.steps {
            match self.semantics.state_of(lowered.id, configuration) {
                Some(state) => path.push((*label, state)),
                None => return Ok(self.tell_network(lowered, &run.start, &run.steps, &[], &fault)),
            }
        }
        let lifted = self.follow(subject.process, &path)?;
        let lifted = lifted.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        let labels: Vec<Label> = run.steps.iter().map(|&(label, _)| label).collect();
        Ok(self.tell_run(&lifted, &labels, &fault))
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
