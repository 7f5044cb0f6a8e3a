//! Replay of runs that violate a formula.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::judge;
use super::super::replay::{Replayed, ReplayedRun, Shown, not_of_process};
use super::super::report::{EventReading, Finding};
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
    /// Replays a run that was judged to violate a property, up to its shortest bad prefix, on states of the process
    /// where configurations stand for such.
    pub(super) fn replay_violated(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        broken: &ViolatedProperty,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let (property, written) = (&problem.properties()[broken.property], &asking.written[broken.property]);
        let (rules, reading) = (&asking.question.rules, tell::reading(asking.question));
        match (&broken.run, &broken.seen, lowered, &problem.system) {
            (FoundRun::Network(run), Some(seen), Some(lowered), _) => {
                let seen = Seen { structure: &seen.structure, property, written, rules, reading, run: &seen.run };
                let cut = seen.cut();
                let replayed = self.replay_found(asking, Some(lowered), problem, (&broken.run, cut.extent))?;
                let scenes = self.scenes(asking.process, lowered, run);
                self.compare_participants(lowered, run, &scenes)?;
                let served =
                    if cut.is_shortened { Vec::new() } else { self.served(&seen, &lowered.processes, &scenes) };
                Ok(self.shown_in_formula(replayed, &seen, &cut, served))
            }
            (FoundRun::Explicit(run), _, _, FormulaSystem::Explicit(structure)) => {
                let seen = Seen { structure, property, written, rules, reading, run };
                let cut = seen.cut();
                let replayed = self.replay_found(asking, lowered, problem, (&broken.run, cut.extent))?;
                // The state after termination has no term.
                let places = (0..=run.steps.len()).map(|place| run.state(place));
                let states = asking.walked.states();
                let scenes: Vec<_> = places.filter_map(|place| states.get(place.index()).copied()).map(Some).collect();
                let processes = asking.walked.processes();
                let served = if cut.is_shortened { Vec::new() } else { self.served(&seen, processes, &scenes) };
                Ok(self.shown_in_formula(replayed, &seen, &cut, served))
            }
            _ => Err(something_else()),
        }
    }

    /// Replays a run that refutes a formula of branching time.
    pub(super) fn replay_branching(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        found: &FoundRun,
    ) -> Result<Replayed, Failed> {
        let run = self.replay_found(asking, lowered, problem, (found, Extent::of(found)))?;
        let ending = found.ending();
        let shows = Shown::Finding(Finding::Temporal {
            ending,
            sealed: None,
            positions: Vec::new(),
            reading: EventReading::default(),
            truths: Vec::new(),
            served: Vec::new(),
        });
        Ok(Replayed { run, fault: ending_as_fault(ending), shows })
    }

    /// Replays a run, and keeps the reported part.
    pub(super) fn replay_found(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        (found, extent): (&FoundRun, Extent),
    ) -> Result<ReplayedRun, Failed> {
        match (found, lowered, &problem.system) {
            (FoundRun::Network(run), Some(lowered), _) => self.replay_network_run(asking.process, lowered, run, extent),
            (FoundRun::Explicit(run), _, FormulaSystem::Explicit(structure)) => {
                let labels = run.steps.iter().map(|step| structure.action(step).label);
                let states = asking.walked.states();
                let targets = run.steps.iter().map(|step| states.get(step.target.index()).copied());
                // The state after termination was not visited.
                let step =
                    |(label, target): (Label, Option<State>)| Step { label, target: target.unwrap_or(asking.process) };
                let path: Vec<Step> = labels.zip(targets).map(step).collect();
                self.replay_steps(asking.process, &path, extent)
            }
            _ => Err(something_else()),
        }
    }

    /// Replays a run on the definition of the language, and keeps the reported part.
    fn replay_steps(&mut self, process: State, path: &[Step], extent: Extent) -> Result<ReplayedRun, Failed> {
        let mut run = self.follow(process, path)?.ok_or_else(not_of_process)?;
        run.steps.truncate(extent.n_steps);
        let labels = path.iter().take(extent.n_steps).map(|step| step.label).collect();
        Ok(ReplayedRun::Process(run, labels))
    }

    /// Replays a run on states of the process if its configurations stand for such, and on the interpreter of networks
    /// otherwise.
    fn replay_network_run(
        &mut self,
        process: State,
        lowered: &Lowered,
        run: &NetworkRun,
        extent: Extent,
    ) -> Result<ReplayedRun, Failed> {
        if lowered.is_compressed {
            return replay_by_machines(lowered, run, extent);
        }
        let mut path = Vec::with_capacity(run.steps.len());
        for (label, configuration) in &run.steps {
            match self.semantics.state_of(lowered.id, configuration) {
                Some(target) => path.push(Step { label: *label, target }),
                None => return replay_by_machines(lowered, run, extent),
            }
        }
        self.replay_steps(process, &path, extent)
    }
}

/// Replays a run on the interpreter of networks.
fn replay_by_machines(lowered: &Lowered, run: &NetworkRun, extent: Extent) -> Result<ReplayedRun, Failed> {
    let mut steps: Vec<NetworkStep> = Vec::with_capacity(run.steps.len());
    for (label, target) in &run.steps {
        let before = steps.last().map_or(&run.start, |step| &step.target);
        let mut all = lowered.network.steps_with(before, *label).into_iter();
        let step = all.find(|step| step.target == *target);
        steps.push(step.ok_or_else(|| Failed::not_replayed("its steps are none of the network"))?);
    }
    steps.truncate(extent.n_steps);
    Ok(ReplayedRun::Network(lowered.clone(), steps))
}

/// The violation of a claim that is reported in the same way.
pub(super) fn ending_as_fault(ending: Ending) -> judge::Fault {
    match ending {
        Ending::Stuck => judge::Fault::Deadlock,
        Ending::Loop(start) | Ending::Silent(start) => judge::Fault::Divergence(start),
        Ending::Any => judge::Fault::Event(Vec::new()),
    }
}

fn something_else() -> Failed {
    Failed::not_replayed("it is a run of something else")
}
