//! Runs that are silent for ever while time goes on.

use super::checker::Checker;
use super::decided::{Decided, Evidence, FoundRun};
use super::failed::Failed;
use super::walk::takes_time;
use decide::{Fault, Statistics};
use frontend::{Asserted, Failure, Semantics, State, Step};
use lts::walk::{Discovery, Ended, Expanded, Relevance, System, shortest_run_to};
use lts::{Builder, Label, Lts, StateId, Watch};

/// A step of a process.
#[derive(Clone, Copy, PartialEq)]
struct TimedStep {
    step: Step,
    takes_time: bool,
}

impl lts::walk::Step for TimedStep {
    type State = State;

    fn label(&self) -> Label {
        self.step.label
    }

    fn target(&self) -> &State {
        &self.step.target
    }
}

/// A process up to its termination, with the steps that take time.
struct TimedProcess<'a> {
    semantics: &'a mut dyn Semantics,
    root: State,
    buffer: Vec<Step>,
    steps: Vec<TimedStep>,
}

impl System for TimedProcess<'_> {
    type State = State;
    type Step = TimedStep;
    type Error = Failure;

    const EFFORT: usize = 100;

    fn initial(&self) -> State {
        self.root
    }

    fn steps(&mut self, &from: &State) -> Result<&[TimedStep], Failure> {
        self.buffer.clear();
        self.steps.clear();
        self.semantics.steps(from, &mut self.buffer)?;
        for (place, &step) in self.buffer.iter().enumerate().filter(|(_, step)| step.label != Label::TICK) {
            self.steps.push(TimedStep { step, takes_time: takes_time(self.semantics, from, place) });
        }
        Ok(&self.steps)
    }
}

/// All reachable states of a process, and its silent steps.
struct Explored<'a> {
    discovery: Discovery<TimedProcess<'a>>,
    /// The silent steps between numbers of states.
    silent: Lts,
    /// Those that take time.
    timed: Vec<(StateId, StateId)>,
    n_transitions: u64,
}

impl<'a> Explored<'a> {
    fn of(mut process: TimedProcess<'a>, watch: &mut Watch<'_>) -> Result<Explored<'a>, Ended<Failure>> {
        let mut discovery = Discovery::from(process.initial());
        let (mut silent, mut n_transitions) = (Vec::new(), 0);
        let mut judge = |source: &State, step: &TimedStep| {
            n_transitions += 1;
            if step.step.label == Label::TAU {
                silent.push((*source, *step));
            }
            Relevance::Followed
        };
        while discovery.expand(&mut process, &mut judge, watch)? != Expanded::Nothing {}
        let number = |state: &State| StateId(discovery.number(state).expect("the state was discovered") as u32);
        let mut builder = Builder::new();
        (0..discovery.states().len() as u32).for_each(|state| builder.add_state(StateId(state)));
        let mut timed = Vec::new();
        for (source, TimedStep { step, takes_time }) in &silent {
            let (source, target) = (number(source), number(&step.target));
            builder.add(source, Label::TAU, target);
            timed.extend(takes_time.then_some((source, target)));
        }
        Ok(Explored { silent: builder.finish(StateId(0)), timed, discovery, n_transitions })
    }

    /// A shortest run to a silent cycle on which time passes, and that cycle.
    fn silent_time(&self) -> Option<(Vec<Step>, Vec<Step>)> {
        let targets = |state: u32| self.silent.transitions(StateId(state)).iter().map(|step| step.target.0);
        let components = graphs::Partition::of(self.silent.n_states(), targets).of_node;
        let is_inside =
            |&&(source, target): &&(StateId, StateId)| components[source.index()] == components[target.index()];
        let &(source, target) = self.timed.iter().find(is_inside)?;
        let back = shortest_run_to(&mut &self.silent, target, |&state| state == source, &mut Watch::none());
        let back = back.ok()?.expect("a component is strongly connected");
        let silent = |state: StateId| Step { label: Label::TAU, target: self.discovery.states()[state.index()] };
        let before = self.discovery.run_to(source.index()).into_iter().map(|step| step.step).collect();
        let targets = std::iter::once(target).chain(back.iter().map(|step| step.target));
        Some((before, targets.map(silent).collect()))
    }
}

impl Checker<'_> {
    /// Decides whether a process has no run that is silent for ever and on which time goes on for ever.
    pub(super) fn decide_silent_time(&mut self, process: State) -> Result<Decided, Failed> {
        let progress = self.options.progress.clone();
        let mut watch = Watch::unmetered(&*progress).within(self.options.limits);
        let (buffer, steps) = (Vec::new(), Vec::new());
        let explored =
            Explored::of(TimedProcess { semantics: &mut *self.semantics, root: process, buffer, steps }, &mut watch)?;
        let n_states = explored.discovery.states().len() as u64;
        let statistics = Statistics { n_states, n_transitions: explored.n_transitions, ..Statistics::default() };
        let Some((before, round)) = explored.silent_time() else { return Ok(Decided::holds(statistics)) };
        let steps = [&before[..], &round].concat();
        let run = FoundRun::States(decide::Counterexample { steps, fault: Fault::Divergence(before.len()) });
        let asserted = Asserted::DivergenceFreeInTime(process);
        Ok(Decided::fails(Evidence::Claim { asserted, process, run }, statistics))
    }
}
