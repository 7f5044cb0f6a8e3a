//! Reachability of states, on the fly.
//!
//! The search is breadth first up to a bound, so that runs are short, and depth first beyond it, because states that
//! are not near the start are often far away. An optimum needs all states. The state after termination counts only
//! where values of variables are asked for. A run to the goal is replayed, and its last state is evaluated again.

use super::checker::Checker;
use super::decided::{Decided, Evidence, FoundPath};
use super::failed::Failed;
use super::forms::{Decidable, InForm};
use super::replay::{Replayed, ReplayedRun, Shown, not_of_process};
use decide::Statistics;
use fixedbitset::FixedBitSet;
use frontend::{Failure, Fidelity, Goal, Lowered, Semantics, State, Step, Time};
use hashbrown::HashMap;
use limits::effort::replay::MAX_NEAR;
use lts::Label;
use progress::Activity;
use progress::Limits;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The visited states and the frontier.
#[derive(Default)]
struct Search {
    /// Visited states in the order of discovery, each with the index of its predecessor.
    states: Vec<(State, u32)>,
    met: FixedBitSet,
    /// Indices of states that are not expanded yet.
    open: VecDeque<u32>,
    n_steps: u64,
}

impl Search {
    fn meet(&mut self, state: State, before: u32) -> bool {
        let number = state.0 as usize;
        if number >= self.met.len() {
            self.met.grow((number + 1).next_power_of_two());
        }
        let is_new = !self.met.put(number);
        if is_new {
            self.open.push_back(self.states.len() as u32);
            self.states.push((state, before));
        }
        is_new
    }

    /// The index of the next state to be expanded.
    fn next(&mut self) -> Option<usize> {
        let next = if self.states.len() < MAX_NEAR { self.open.pop_front() } else { self.open.pop_back() };
        next.map(|place| place as usize)
    }

    /// The states of the run to a state, by its index.
    fn way(&self, place: usize) -> Vec<State> {
        let mut way = vec![self.states[place].0];
        let mut at = place;
        while at != 0 {
            at = self.states[at].1 as usize;
            way.push(self.states[at].0);
        }
        way.reverse();
        way
    }
}

/// The best state so far, by its index, with its value.
type Best = Option<(usize, Option<i64>)>;

/// Reachability of a goal.
#[derive(Clone, Copy)]
pub(super) struct Reachability {
    pub(super) process: State,
    pub(super) goal: Goal,
    /// Whether the assertion claims that the goal is reachable.
    pub(super) is_wanted: bool,
}

impl Decidable for Reachability {
    fn process(&self) -> State {
        self.process
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Steps
    }

    fn in_timed_network(&mut self, checker: &mut Checker<'_>) -> InForm {
        checker.decide_reach_in_timed_network(self.process, self.goal, self.is_wanted)
    }

    fn by_zones(&mut self, checker: &mut Checker<'_>) -> InForm {
        checker.decide_reach_by_zones(self.process, self.goal, self.is_wanted)
    }

    fn on_network(&mut self, checker: &mut Checker<'_>, lowered: &Lowered, _: u64) -> InForm {
        checker.decide_reach_on(lowered, (self.process, self.goal, self.is_wanted))
    }

    fn on_the_fly(&mut self, checker: &mut Checker<'_>, max_states: u64) -> InForm {
        checker.decide_reach(*self, max_states).map(Some)
    }
}

impl Checker<'_> {
    /// Decides reachability on the fly.
    fn decide_reach(&mut self, property: Reachability, max_states: u64) -> Result<Decided, Failed> {
        let Reachability { process, goal, is_wanted } = property;
        let mut search = Search::default();
        search.meet(process, 0);
        let found = self.search(&mut search, goal, &self.options.limits.with_budget(max_states))?;
        let statistics =
            Statistics { n_states: search.states.len() as u64, n_transitions: search.n_steps, ..Statistics::default() };
        let evidence = found.map(|(place, optimum)| {
            let path = FoundPath::States(search.way(place));
            Evidence::Reached { process, goal, optimum, path }
        });
        Ok(Decided::reaches(evidence, is_wanted, statistics))
    }

    fn search(&mut self, search: &mut Search, goal: Goal, limits: &Limits) -> Result<Best, Failed> {
        let progress = self.options.progress.clone();
        progress.enter(Activity::Searching);
        let mut best: Best = None;
        let mut steps: Vec<Step> = Vec::new();
        let mut n_done = 0_usize;
        while let Some(next) = search.next() {
            n_done += 1;
            if n_done.is_multiple_of(256)
                && let ControlFlow::Break(why) = progress.tick(&progress::Statistics::of_states(n_done))
            {
                return Err(Failed::Stopped(why.into()));
            }
            let (state, _) = search.states[next];
            steps.clear();
            let outcome = self.semantics.steps(state, &mut steps);
            outcome.map_err(|failure| self.failed_on_the_way(search, next, failure))?;
            let met = is_goal(&mut *self.semantics, state, &steps, goal);
            let met = met.map_err(|failure| self.failed_on_the_way(search, next, failure))?;
            // The values of a state are known before its steps are computed.
            search.n_steps += if met && matches!(goal, Goal::Proposition(_)) { 0 } else { steps.len() as u64 };
            if met {
                let Goal::Optimum { measure, is_greatest, .. } = goal else { return Ok(Some((next, None))) };
                let value = self.semantics.measure(state, measure);
                let value = value.map_err(|failure| self.failed_on_the_way(search, next, failure))?;
                let is_better = |known: i64| if is_greatest { value > known } else { value < known };
                if best.is_none_or(|(_, known)| known.is_none_or(is_better)) {
                    best = Some((next, Some(value)));
                }
            }
            let asks_for_values = matches!(goal, Goal::Proposition(_) | Goal::Optimum { .. });
            for step in &steps {
                let counts = step.label != Label::TICK || asks_for_values;
                if counts
                    && search.meet(step.target, next as u32)
                    && let Some(stop) = limits.stop_at(search.states.len() as u64)
                {
                    return Err(Failed::Stopped(stop));
                }
            }
        }
        Ok(best)
    }

    /// Replays a run to a state with the goal.
    pub(super) fn replay_path(
        &mut self,
        process: State,
        goal: Goal,
        optimum: Option<i64>,
        path: FoundPath,
    ) -> Result<Replayed, Failed> {
        match path {
            FoundPath::States(states) => self.replay_reached(&states, goal, optimum),
            FoundPath::Zones(moves) => {
                let states = self.states_along_moves(process, &moves, goal)?;
                self.replay_reached(&states, goal, optimum)
            }
        }
    }

    fn replay_reached(&mut self, states: &[State], goal: Goal, optimum: Option<i64>) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let path = self.steps_along(states)?;
        let run = self.follow(states[0], &path)?.ok_or_else(not_of_process)?;
        let end = run.end();
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(end, &mut steps)?;
        if !is_goal(&mut *self.semantics, end, &steps, goal)? {
            return Err(Failed::not_replayed("its end is not as it was said"));
        }
        if let Goal::Optimum { measure, .. } = goal
            && Some(self.semantics.measure(end, measure)?) != optimum
        {
            return Err(Failed::not_replayed("its end has another value"));
        }
        let fault = if steps.is_empty() { decide::Fault::Deadlock } else { decide::Fault::Event(Vec::new()) };
        let labels = path.iter().map(|step| step.label).collect();
        Ok(Replayed { run: ReplayedRun::Process(run, labels), fault, shows: Shown::Goal(goal, optimum) })
    }

    /// The steps that lead from each state to the next.
    fn steps_along(&mut self, way: &[State]) -> Result<Vec<Step>, Failed> {
        let mut path = Vec::with_capacity(way.len());
        let mut steps: Vec<Step> = Vec::new();
        for pair in way.windows(2) {
            steps.clear();
            self.semantics.steps(pair[0], &mut steps)?;
            let step = steps.iter().find(|step| step.target == pair[1]);
            let step = step.ok_or_else(not_of_process)?;
            path.push(*step);
        }
        Ok(path)
    }

    /// A failure of the evaluation, with the run that leads there.
    fn failed_on_the_way(&mut self, search: &Search, place: usize, failure: Failure) -> Failed {
        let Failure::Error(mut diagnostic) = failure else { return failure.into() };
        if let Ok(path) = self.steps_along(&search.way(place)) {
            diagnostic.notes.push(self.after(path.iter().map(|step| step.label)));
        }
        Failed::Error(diagnostic)
    }

    /// The trace before an event, in words.
    pub(super) fn after(&self, labels: impl Iterator<Item = Label>) -> String {
        let trace: Vec<String> =
            labels.filter(|&label| label != Label::TAU).map(|label| self.label_text(label)).collect();
        format!("after <{}>", trace.join(", "))
    }
}

/// Whether a state has the goal, by definition.
///
/// # Errors
/// When a proposition has no value there.
pub fn is_goal(semantics: &mut dyn Semantics, state: State, steps: &[Step], goal: Goal) -> Result<bool, Failure> {
    match goal {
        Goal::Deadlock => Ok(steps.is_empty()),
        Goal::End => Ok(steps.is_empty() || steps.iter().any(|step| step.label == Label::TICK)),
        Goal::Ambiguity => Ok(ambiguous(semantics, state, steps).is_some()),
        Goal::Proposition(proposition) | Goal::Optimum { proposition, .. } => semantics.is_true_in(state, proposition),
    }
}

/// An event that leads to different states at the same moment.
pub(super) fn ambiguous(semantics: &mut dyn Semantics, state: State, steps: &[Step]) -> Option<Label> {
    let is_timed = semantics.is_timed();
    let mut ways: HashMap<(Label, Time), State> = HashMap::new();
    for (place, step) in steps.iter().enumerate() {
        if step.label == Label::TAU || step.label == Label::TICK {
            continue;
        }
        let delay = if is_timed { semantics.delay(state, place) } else { Time::from_integer(0) };
        if *ways.entry((step.label, delay)).or_insert(step.target) != step.target {
            return Some(step.label);
        }
    }
    None
}
