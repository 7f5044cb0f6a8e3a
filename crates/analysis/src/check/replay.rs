//! Replay of counterexamples.
//!
//! A search may be wrong, and so may a compression or the packing of states. So every run that an engine found is
//! replayed on the interpreter of networks, lifted to a run without compressions, and replayed state by state on the
//! definition of the language. The violation at its end is judged by the definition of the property ([`super::judge`]).

use super::checker::Checker;
use super::decided::{Evidence, FoundRun};
use super::failed::Failed;
use super::judge::{End, Fault, Judged, Seen, look};
use super::report::{Finding, Reason};
use frontend::{Asserted, Goal, Lifted, Lowered, Run, State, Step, Time};
use limits::intervals::polling::REPLAYED_STEPS_PER_POLL;
use lts::{Label, Model, NoRun, Observation};
use model::network::{Configuration, FailedStep, NetworkStep};
use progress::{Activity, Progress, Statistics};
use std::ops::ControlFlow;

/// A replayed counterexample.
pub(super) struct Replayed {
    /// The run.
    pub(super) run: ReplayedRun,
    /// The violation at its end.
    pub(super) fault: Fault,
    /// The property that it violates.
    pub(super) shows: Shown,
}

/// A run of the system on which it was replayed.
pub(super) enum ReplayedRun {
    /// A run of the process, with its labels.
    Process(Run, Vec<Label>),
    /// A run of the process with the delays before its steps.
    Timed(Run, Vec<Label>, Vec<Time>),
    /// A run of the network, and of the network of each compressed operand: its configurations stand for no single
    /// states, or for too many components.
    Network(Lowered, Vec<NetworkStep>),
}

impl ReplayedRun {
    /// The labels of its steps.
    pub(super) fn labels(&self) -> Vec<Label> {
        match self {
            ReplayedRun::Process(_, labels) | ReplayedRun::Timed(_, labels, _) => labels.clone(),
            ReplayedRun::Network(_, steps) => steps.iter().map(|step| step.label).collect(),
        }
    }
}

/// The property that a replayed run violates or witnesses.
pub(super) enum Shown {
    /// It refutes a claim, given the offers observed on the way.
    Claim(Asserted, Seen),
    /// It ends in a state with the goal; for an optimum, with this value.
    Goal(Goal, Option<i64>),
    /// A finding in the words of the script.
    Finding(Finding),
    /// The violation at its end says all.
    Fault,
}

/// A run that is said to refute a claim.
pub(super) type Counterexample<Step> = decide::Counterexample<Step, FailedStep>;

impl Checker<'_> {
    /// Replays the evidence of a verdict.
    ///
    /// # Errors
    /// When the replay refutes the evidence, or a limit ends it.
    pub(super) fn replay(&mut self, evidence: Evidence) -> Result<Replayed, Failed> {
        match evidence {
            Evidence::Claim { asserted, process, run } => match run {
                FoundRun::Network(lowered, run) => self.replay_network(asserted, process, &lowered, run),
                FoundRun::States(run) => self.replay_states(asserted, process, run),
                FoundRun::Zones(moves, fault) => self.replay_moves(&asserted, process, &moves, &fault),
            },
            Evidence::Reached { process, goal, optimum, path } => self.replay_path(process, goal, optimum, path),
            Evidence::Untimely { process, path, allowed } => self.replay_untimely(process, &path, allowed),
            Evidence::Replayed(replayed) => Ok(*replayed),
        }
    }

    /// Replays a counterexample of the network of a process.
    fn replay_network(
        &mut self,
        asserted: Asserted,
        process: State,
        lowered: &Lowered,
        found: Counterexample<NetworkStep>,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        match follow_network(lowered, &found, &*self.options.progress) {
            Ok(()) => {}
            Err(NoRun::Absent) => return Err(Failed::not_replayed("its steps are none of the network")),
            Err(NoRun::Stopped(_)) => return Err(self.not_confirmed()),
        }
        let lifted = match self.lifted(lowered, &found) {
            Ok(Some(lifted)) => lifted,
            Ok(None) => return self.judge_on_network(asserted, process, lowered, found),
            Err(NoRun::Absent) => return Err(Failed::not_replayed("without compressions there is no such run")),
            Err(NoRun::Stopped(_)) => return Err(self.not_confirmed()),
        };
        let pairs = lifted.labels.iter().zip(&lifted.states);
        let steps: Vec<Step> = pairs.map(|(&label, &target)| Step { label, target }).collect();
        let Some(run) = self.follow(process, &steps)? else {
            return Err(not_of_process());
        };
        let fault = self.fault_after(&run, &lifted, &found.fault)?;
        self.judge_run(asserted, run, lifted.labels, fault, Some(lowered))
    }

    /// The run without compressions. None if the configurations stand for no single states.
    fn lifted(&mut self, lowered: &Lowered, found: &Counterexample<NetworkStep>) -> Result<Option<Lifted>, NoRun> {
        let ending = match &found.fault {
            Fault::Event(_) | Fault::Missing { .. } | Fault::Failure(_) => Observation::Trace,
            Fault::Divergence(start) => Observation::Divergence(*start),
            Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) if accepted[..] == [Label::TICK] => {
                return self.lifted_to_termination(lowered, found);
            }
            Fault::Refusal { .. } | Fault::Revival { .. } | Fault::Nondeterminism(..) | Fault::Deadlock => {
                Observation::Refusal
            }
        };
        let progress = self.options.progress.clone();
        self.semantics.lift(lowered.id, &pairs(&found.steps), ending, self.options.limits.max_states, &*progress)
    }

    /// The lifted run to a state in which termination is possible. Such a state may refuse all else, so nothing more is
    /// demanded of it.
    fn lifted_to_termination(
        &mut self,
        lowered: &Lowered,
        found: &Counterexample<NetworkStep>,
    ) -> Result<Option<Lifted>, NoRun> {
        let end = found.steps.last().map_or(&lowered.network.initial, |step| &step.target);
        let last = lowered.network.steps_with(end, Label::TICK).into_iter().next().ok_or(NoRun::Absent)?;
        let steps = [pairs(&found.steps), vec![(last.label, last.target)]].concat();
        let progress = self.options.progress.clone();
        let lifted =
            self.semantics.lift(lowered.id, &steps, Observation::Trace, self.options.limits.max_states, &*progress)?;
        Ok(lifted.map(|mut lifted| {
            lifted.labels.pop();
            lifted.states.pop();
            lifted
        }))
    }

    /// The run of a process along these labels and states. None if it is no run.
    pub(super) fn follow(&mut self, start: State, path: &[Step]) -> Result<Option<Run>, Failed> {
        let mut run = Run { start, steps: Vec::new() };
        let mut steps: Vec<Step> = Vec::new();
        for (place, &Step { label, target: expected }) in path.iter().enumerate() {
            self.poll_at(place)?;
            steps.clear();
            self.semantics.steps(run.end(), &mut steps)?;
            let fits = |(place, step): (usize, &Step)| (step.label == label).then_some((place, step.target));
            let candidates: Vec<(usize, State)> = steps.iter().enumerate().filter_map(fits).collect();
            let exact = candidates.iter().copied().find(|&(_, target)| target == expected);
            let alike = || candidates.iter().copied().find(|&(_, target)| self.semantics.is_same(target, expected));
            // The state after termination is not observed.
            let any = || candidates.first().copied().filter(|_| label == Label::TICK);
            match exact.or_else(alike).or_else(any) {
                Some(step) => run.steps.push(step),
                None => return Ok(None),
            }
        }
        let delays = self.delays(&run, None);
        let is_run = self.semantics.repeat_in_time(&run, &delays)?;
        Ok(is_run.then_some(run))
    }

    /// Polls for cancellation at intervals along a run.
    pub(super) fn poll_at(&self, place: usize) -> Result<(), Failed> {
        match place.is_multiple_of(REPLAYED_STEPS_PER_POLL).then(|| self.options.progress.poll()) {
            Some(ControlFlow::Break(why)) => Err(Failed::Stopped(why.into())),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// The labels of all enabled steps, in ascending order.
    pub(super) fn offered(&mut self, state: State) -> Result<Vec<Label>, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let mut labels: Vec<Label> = steps.iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        Ok(labels)
    }

    /// The violation at the end of a lifted run, which may offer less and close its loop elsewhere.
    fn fault_after(&mut self, run: &Run, lifted: &Lifted, fault: &Fault) -> Result<Fault, Failed> {
        let offered = self.offered(run.end())?;
        let accepts = |before: &[Label]| {
            let terminates = offered.contains(&Label::TICK);
            let is_less = offered.iter().all(|label| before.contains(label));
            if terminates && (before == [Label::TICK] || !is_less) { vec![Label::TICK] } else { offered.clone() }
        };
        Ok(match fault {
            Fault::Divergence(start) => Fault::Divergence(lifted.loop_start.unwrap_or(*start)),
            Fault::Refusal { accepted, demanded } => {
                Fault::Refusal { accepted: accepts(accepted), demanded: demanded.clone() }
            }
            Fault::Revival { event, demanded, .. } => {
                Fault::Revival { event: *event, accepted: offered, demanded: demanded.clone() }
            }
            Fault::Nondeterminism(event, accepted) => Fault::Nondeterminism(*event, accepts(accepted)),
            Fault::Event(_) | Fault::Deadlock | Fault::Missing { .. } | Fault::Failure(_) => fault.clone(),
        })
    }

    /// Replays a counterexample of an on-the-fly exploration.
    pub(super) fn replay_states(
        &mut self,
        asserted: Asserted,
        process: State,
        found: Counterexample<Step>,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let run = self.follow(process, &found.steps)?.ok_or_else(not_of_process)?;
        let labels = found.steps.iter().map(|step| step.label).collect();
        self.judge_run(asserted, run, labels, found.fault, None)
    }

    fn judge_run(
        &mut self,
        asserted: Asserted,
        run: Run,
        labels: Vec<Label>,
        fault: Fault,
        lowered: Option<&Lowered>,
    ) -> Result<Replayed, Failed> {
        let comes_back = match fault {
            Fault::Divergence(start) if start <= run.steps.len() => self.semantics.is_same(run.state(start), run.end()),
            _ => false,
        };
        if let (Asserted::DivergenceFreeInTime(_), Fault::Divergence(start)) = (&asserted, &fault)
            && self.delays(&run, Some(*start))[*start..].iter().sum::<Time>() == Time::from_integer(0)
        {
            return Err(Failed::not_replayed("no time passes in its loop"));
        }
        let seen = look(model_of(&asserted), &labels, |place| self.offered(run.state(place)))?;
        let end = End { labels: &labels, offered: self.offered(run.end())?, comes_back, seen };
        let seen = self.judged(&asserted, run.start, lowered, &end, &fault)?;
        Ok(Replayed { run: ReplayedRun::Process(run, labels), fault, shows: Shown::Claim(asserted, seen) })
    }

    /// The observations that the violation depends on.
    fn judged(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: Option<&Lowered>,
        end: &End<'_>,
        fault: &Fault,
    ) -> Result<Seen, Failed> {
        match self.judge(asserted, process, lowered, end, fault) {
            Judged::Wrong(seen) => Ok(seen),
            Judged::NotSo(why) => Err(Failed::not_replayed(why)),
            Judged::Unclear => Err(self.not_confirmed()),
        }
    }

    fn judge_on_network(
        &mut self,
        asserted: Asserted,
        process: State,
        lowered: &Lowered,
        found: Counterexample<NetworkStep>,
    ) -> Result<Replayed, Failed> {
        let start = &lowered.network.initial;
        let state = |place: usize| if place == 0 { start } else { &found.steps[place - 1].target };
        let last = state(found.steps.len());
        let offered = |state: &Configuration| {
            let mut offered: Vec<Label> = lowered.network.steps(state).iter().map(|step| step.label).collect();
            offered.sort_unstable();
            offered.dedup();
            offered
        };
        let comes_back = match found.fault {
            Fault::Divergence(start) => start <= found.steps.len() && state(start) == last,
            _ => false,
        };
        let labels: Vec<Label> = found.steps.iter().map(|step| step.label).collect();
        let seen = look(model_of(&asserted), &labels, |place| Ok::<_, std::convert::Infallible>(offered(state(place))));
        let Ok(seen) = seen;
        let end = End { labels: &labels, offered: offered(last), comes_back, seen };
        let seen = self.judged(&asserted, process, Some(lowered), &end, &found.fault)?;
        let run = ReplayedRun::Network(lowered.clone(), found.steps);
        Ok(Replayed { run, fault: found.fault, shows: Shown::Claim(asserted, seen) })
    }

    /// A counterexample whose judgment exceeds the limits is no verdict.
    fn not_confirmed(&self) -> Failed {
        match self.options.progress.tick(&Statistics::default()) {
            ControlFlow::Break(why) => Failed::Stopped(why.into()),
            ControlFlow::Continue(()) => Failed::Unknown(
                Reason::Unconfirmed,
                "a counterexample was found, but to replay it more states would be needed than are allowed".to_owned(),
            ),
        }
    }
}

/// The failure that a run is none of the process.
pub(super) fn not_of_process() -> Failed {
    Failed::not_replayed("its steps are none of the process")
}

/// The model in which processes are compared; other properties observe traces.
fn model_of(asserted: &Asserted) -> Model {
    match asserted {
        Asserted::Refines { model, .. } => *model,
        _ => Model::Traces,
    }
}

/// Replays a run on the interpreter of networks.
fn follow_network(
    lowered: &Lowered,
    found: &Counterexample<NetworkStep>,
    progress: &dyn Progress,
) -> Result<(), NoRun> {
    let mut state = &lowered.network.initial;
    for step in &found.steps {
        if let ControlFlow::Break(why) = progress.tick(&Statistics::default()) {
            return Err(NoRun::Stopped(why.into()));
        }
        if !lowered.network.steps_with(state, step.label).contains(step) {
            return Err(NoRun::Absent);
        }
        state = &step.target;
    }
    Ok(())
}

/// The labels and targets of steps.
fn pairs(steps: &[NetworkStep]) -> Vec<(Label, Configuration)> {
    steps.iter().map(|step| (step.label, step.target.clone())).collect()
}
