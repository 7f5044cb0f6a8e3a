//! Counterexamples, done again.
//!
//! A search may be wrong, and so may a compression or the packing of states. So a run that is said to break a claim is
//! repeated on the interpreter of networks, lifted to what the process does without compressions, and repeated state by state as
//! the language defines steps, and by nothing else. What is said of its end is judged
//! there ([`super::judge`]).

use super::checker::Checker;
use super::failed::Failed;
use super::judge::{End, Fault, Judged, Seen, look};
use frontend::{Asserted, Lifted, Lowered, Run, State, Step};
use lts::{Label, Model, NoRun, Observation};
use model::network::{Configuration, FailedStep, NetworkStep};
use progress::{Activity, Progress, Statistics};
use std::ops::ControlFlow;

/// Steps of a run between two polls for cancellation.
const STEPS_PER_POLL: usize = 64;

/// A run that refutes a claim about a process, as an engine found it.
pub(super) enum Found<'l> {
    /// A run of its network.
    Network(&'l Lowered, Counterexample<NetworkStep>),
    /// A run of its states.
    States(Counterexample<Step>),
}

/// What came of doing a counterexample again.
pub(super) enum Replayed {
    /// It is one: this is the run, with what happens in it, what is wrong at its end, and what has to be seen on the way.
    Confirmed(Run, Vec<Label>, Fault, Seen),
    /// It is one, of the network and of the network of each compressed operand; but it stands for no states, or for far too many
    /// components.
    OnNetwork(Seen),
    /// It is none.
    Refuted(&'static str),
    /// That was not found out.
    Unconfirmed,
}

/// A run of a system with such steps that is said to break a claim.
pub(super) type Counterexample<Step> = decide::Counterexample<Step, FailedStep>;

impl Checker<'_> {
    /// Replays a run that an engine found, and reports it.
    ///
    /// # Errors
    /// When it is no counterexample, or that was not found out.
    pub(super) fn report_found(
        &mut self,
        asserted: &Asserted,
        process: State,
        found: &Found<'_>,
    ) -> Result<super::Counterexample, Failed> {
        let replayed = match found {
            Found::Network(lowered, run) => self.replay_network(asserted, process, lowered, run)?,
            Found::States(run) => self.replay_states(asserted, process, run)?,
        };
        let (reported, labels, seen) = match (replayed, found) {
            (Replayed::Confirmed(run, labels, fault, seen), _) => (self.tell_run(&run, &labels, &fault)?, labels, seen),
            (Replayed::OnNetwork(seen), Found::Network(lowered, run)) => {
                let labels = run.steps.iter().map(|step| step.label).collect();
                (self.tell_network(lowered, run), labels, seen)
            }
            (Replayed::OnNetwork(_), Found::States(_)) => return Err(Failed::not_replayed("it has no network")),
            (Replayed::Refuted(why), _) => return Err(Failed::not_replayed(why)),
            (Replayed::Unconfirmed, _) => return Err(self.not_confirmed()),
        };
        let reported = self.with_allowed(reported, asserted, &labels);
        Ok(self.with_offers(reported, &seen))
    }

    /// Repeats a counterexample found on the network of a process.
    fn replay_network(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: &Lowered,
        found: &Counterexample<NetworkStep>,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        match follow_network(lowered, found, &*self.options.progress) {
            Ok(()) => {}
            Err(NoRun::Absent) => return Ok(Replayed::Refuted("its steps are none of the network")),
            Err(NoRun::Stopped(_)) => return Ok(Replayed::Unconfirmed),
        }
        let lifted = match self.lifted(lowered, found) {
            Ok(Some(lifted)) => lifted,
            Ok(None) => return Ok(self.judge_on_network(asserted, process, lowered, found)),
            Err(NoRun::Absent) => return Ok(Replayed::Refuted("without compressions there is no such run")),
            Err(NoRun::Stopped(_)) => return Ok(Replayed::Unconfirmed),
        };
        let pairs = lifted.labels.iter().zip(&lifted.states);
        let steps: Vec<Step> = pairs.map(|(&label, &target)| Step { label, target }).collect();
        let Some(run) = self.follow(process, &steps)? else {
            return Ok(Replayed::Refuted("its steps are none of the process"));
        };
        let fault = self.fault_after(&run, &lifted, &found.fault)?;
        self.judge_run(asserted, run, lifted.labels, fault, Some(lowered))
    }

    /// The run without compressions, if it can be told.
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

    /// The same for a run at whose end termination is possible, so that it may refuse all else; nothing more is asked of its end.
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

    /// The run of a process along these labels and states; nothing if there is none.
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
            // After termination nothing is looked at.
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

    /// Polls for cancellation now and then along a run.
    pub(super) fn poll_at(&self, place: usize) -> Result<(), Failed> {
        match place.is_multiple_of(STEPS_PER_POLL).then(|| self.options.progress.poll()) {
            Some(ControlFlow::Break(why)) => Err(Failed::Stopped(why.into())),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// The labels of all steps of a state, in ascending order.
    pub(super) fn offered(&mut self, state: State) -> Result<Vec<Label>, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let mut labels: Vec<Label> = steps.iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        Ok(labels)
    }

    /// What is wrong at the end of a run that was lifted: it may offer less, and go round at another place.
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

    /// Repeats a counterexample found by walking states.
    pub(super) fn replay_states(
        &mut self,
        asserted: &Asserted,
        process: State,
        found: &Counterexample<Step>,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        match self.follow(process, &found.steps)? {
            Some(run) => {
                let labels = found.steps.iter().map(|step| step.label).collect();
                self.judge_run(asserted, run, labels, found.fault.clone(), None)
            }
            None => Ok(Replayed::Refuted("its steps are none of the process")),
        }
    }

    fn judge_run(
        &mut self,
        asserted: &Asserted,
        run: Run,
        labels: Vec<Label>,
        fault: Fault,
        lowered: Option<&Lowered>,
    ) -> Result<Replayed, Failed> {
        let comes_back = match fault {
            Fault::Divergence(start) if start <= run.steps.len() => self.semantics.is_same(run.state(start), run.end()),
            _ => false,
        };
        let seen = look(model_of(asserted), &labels, |place| self.offered(run.state(place)))?;
        let end = End { labels: &labels, offered: self.offered(run.end())?, comes_back, seen };
        Ok(match self.judge(asserted, run.start, lowered, &end, &fault) {
            Judged::Wrong(seen) => Replayed::Confirmed(run, labels, fault, seen),
            Judged::NotSo(why) => Replayed::Refuted(why),
            Judged::Unclear => Replayed::Unconfirmed,
        })
    }

    fn judge_on_network(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: &Lowered,
        found: &Counterexample<NetworkStep>,
    ) -> Replayed {
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
        let seen = look(model_of(asserted), &labels, |place| Ok::<_, std::convert::Infallible>(offered(state(place))));
        let Ok(seen) = seen;
        let end = End { labels: &labels, offered: offered(last), comes_back, seen };
        match self.judge(asserted, process, Some(lowered), &end, &found.fault) {
            Judged::Wrong(seen) => Replayed::OnNetwork(seen),
            Judged::NotSo(why) => Replayed::Refuted(why),
            Judged::Unclear => Replayed::Unconfirmed,
        }
    }
}

/// The model in which processes are compared; traces see the least.
fn model_of(asserted: &Asserted) -> Model {
    match asserted {
        Asserted::Refines { model, .. } => *model,
        _ => Model::Traces,
    }
}

/// Repeats a run on the interpreter of networks, unless somebody asks to stop.
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

/// Steps without their rules.
fn pairs(steps: &[NetworkStep]) -> Vec<(Label, Configuration)> {
    steps.iter().map(|step| (step.label, step.target.clone())).collect()
}
