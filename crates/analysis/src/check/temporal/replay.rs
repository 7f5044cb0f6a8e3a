//! Runs that break a formula, replayed before they are told.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::judge;
use super::super::report::{Counterexample, EventReading, Fault, Finding};
use super::cut::Extent;
use super::source::Asking;
use super::tell::{self, Seen};
use decide::{FormulaProblem, FormulaSystem, FoundRun, ViolatedProperty};
use frontend::{Lowered, State, Step};
use lts::Label;
use model::network::NetworkStep;
use progress::Activity;
use temporal::{Ending, NetworkRun};

impl Checker<'_> {
    /// Replays a run that was judged to violate a property, by the states of the process where it has such, and tells it as far as its
    /// shortest bad prefix.
    pub(super) fn tell_violated(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        broken: &ViolatedProperty,
    ) -> Result<Counterexample, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let (property, written) = (&problem.properties()[broken.property], &asking.written[broken.property]);
        let (rules, reading) = (&asking.question.rules, tell::reading(asking.question));
        match (&broken.run, &broken.seen, lowered, &problem.system) {
            (FoundRun::Network(run), Some(seen), Some(lowered), _) => {
                let seen = Seen { structure: &seen.structure, property, written, rules, reading, run: &seen.run };
                let cut = seen.cut();
                let told = self.tell_found(asking, Some(lowered), problem, (&broken.run, cut.extent))?;
                let scenes = self.scenes(asking.process, lowered, run);
                self.compare_participants(lowered, run, &scenes)?;
                let served =
                    if cut.is_shortened { Vec::new() } else { self.served(&seen, &lowered.processes, &scenes) };
                Ok(self.with_truth(told, &seen, &cut, served))
            }
            (FoundRun::Explicit(run), _, _, FormulaSystem::Explicit(structure)) => {
                let seen = Seen { structure, property, written, rules, reading, run };
                let cut = seen.cut();
                let told = self.tell_found(asking, lowered, problem, (&broken.run, cut.extent))?;
                // Termination leads to no term.
                let places = (0..=run.steps.len()).map(|place| run.state(place));
                let states = asking.walked.states();
                let scenes: Vec<_> = places.filter_map(|place| states.get(place.index()).copied()).map(Some).collect();
                let processes = asking.walked.processes();
                let served = if cut.is_shortened { Vec::new() } else { self.served(&seen, processes, &scenes) };
                Ok(self.with_truth(told, &seen, &cut, served))
            }
            _ => Err(something_else()),
        }
    }

    /// Repeats a run that shows why a formula of branching time is false, and tells it.
    pub(super) fn tell_branching(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        found: &FoundRun,
    ) -> Result<Counterexample, Failed> {
        let mut told = self.tell_found(asking, lowered, problem, (found, Extent::of(found)))?;
        let ending = found.ending();
        told.fault = Fault::Failure(Finding::Temporal {
            ending,
            sealed: None,
            positions: Vec::new(),
            reading: EventReading::default(),
            truths: Vec::new(),
            served: Vec::new(),
        });
        Ok(told)
    }

    /// Replays a run, and tells its steps as far as they are wanted.
    pub(super) fn tell_found(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        (found, extent): (&FoundRun, Extent),
    ) -> Result<Counterexample, Failed> {
        match (found, lowered, &problem.system) {
            (FoundRun::Network(run), Some(lowered), _) => self.tell_network_run(asking.process, lowered, run, extent),
            (FoundRun::Explicit(run), _, FormulaSystem::Explicit(structure)) => {
                let labels = run.steps.iter().map(|step| structure.action(step).label);
                let states = asking.walked.states();
                let targets = run.steps.iter().map(|step| states.get(step.target.index()).copied());
                // Termination leads to no state that was met.
                let step =
                    |(label, target): (Label, Option<State>)| Step { label, target: target.unwrap_or(asking.process) };
                let path: Vec<Step> = labels.zip(targets).map(step).collect();
                self.tell_path(asking.process, &path, extent)
            }
            _ => Err(something_else()),
        }
    }

    /// Replays a run state by state, and tells it as far as it is wanted.
    fn tell_path(&mut self, process: State, path: &[Step], extent: Extent) -> Result<Counterexample, Failed> {
        let followed = self.follow(process, path)?;
        let mut followed = followed.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
        followed.steps.truncate(extent.n_steps);
        let labels: Vec<Label> = path.iter().take(extent.n_steps).map(|step| step.label).collect();
        self.tell_run(&followed, &labels, &ending_as_fault(extent.ending))
    }

    /// Tells a run by states of the process if its configurations stand for such, otherwise by machines.
    fn tell_network_run(
        &mut self,
        process: State,
        lowered: &Lowered,
        run: &NetworkRun,
        extent: Extent,
    ) -> Result<Counterexample, Failed> {
        if lowered.is_compressed {
            return self.tell_by_machines(lowered, run, extent);
        }
        let mut path = Vec::with_capacity(run.steps.len());
        for (label, configuration) in &run.steps {
            match self.semantics.state_of(lowered.id, configuration) {
                Some(target) => path.push(Step { label: *label, target }),
                None => return self.tell_by_machines(lowered, run, extent),
            }
        }
        self.tell_path(process, &path, extent)
    }

    fn tell_by_machines(
        &mut self,
        lowered: &Lowered,
        run: &NetworkRun,
        extent: Extent,
    ) -> Result<Counterexample, Failed> {
        let mut steps: Vec<NetworkStep> = Vec::with_capacity(run.steps.len());
        for (label, target) in &run.steps {
            let before = steps.last().map_or(&run.start, |step| &step.target);
            let mut all = lowered.network.steps_with(before, *label).into_iter();
            let step = all.find(|step| step.target == *target);
            steps.push(step.ok_or_else(|| Failed::not_replayed("its steps are none of the network"))?);
        }
        steps.truncate(extent.n_steps);
        Ok(self.tell_network(lowered, &decide::Counterexample { steps, fault: ending_as_fault(extent.ending) }))
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
