//! Processes in which time passes, decided by zones of clock values.
//!
//! What is found is a run with times. It is done again as every run is: move by move in whole units of time, of which there is always
//! a run that shows the same, and then in dense time.

mod network;
mod terms;

use super::checker::Checker;
use super::failed::Failed;
use super::reach::is_goal;
use super::replay::Replayed;
use super::report::{Checked, Counterexample};
use super::{Reason, Verdict};
use decide::{Fault, Statistics};
use frontend::{Asserted, Failure, Goal, State, Step, Time};
use lts::walk::{Ended, System};
use lts::{Label, Lts, Model, StateId, Watch};
use progress::{Attempt, Outcome, Stop};
use std::collections::HashSet;
use terms::Bound;
pub use terms::{NotExplored, Terms};
use zones::{Abstraction, Cell, Compared, Reached, TimedPath, Times, ZoneWalk, reach, refines_in_time};

/// Ends of runs that are tried.
const MAX_ENDS: usize = 64;

/// Nodes that are made for a timed refinement.
const MAX_COMPARED: u64 = 100_000;

/// What zones say of a timed refinement.
pub(super) enum InZones {
    /// It holds.
    Holds,
    /// It does not, and so many parts of a unit show it.
    Fails(u32),
    /// Nothing.
    Unknown,
}

/// Labels, and the time before each.
type Moves = Vec<(Label, Time)>;

impl Checker<'_> {
    /// Decides a refinement in the timed forms of both processes; None if they do not tell.
    pub(super) fn decide_timed_refinement(
        &mut self,
        asserted: &Asserted,
        sides: (State, State),
        model: Model,
    ) -> Result<Option<Checked>, Failed> {
        if self.uses_timed_networks()
            && let Some(checked) = self.decide_traces_in_timed_network(asserted)?
        {
            return Ok(Some(checked));
        }
        if self.uses_zones() { self.decide_refinement_by_zones(asserted, sides, model) } else { Ok(None) }
    }

    /// Decides whether a timed process reaches a state; nothing if zones do not answer that.
    pub(super) fn decide_reach_by_zones(
        &mut self,
        process: State,
        goal: Goal,
        is_wanted: bool,
    ) -> Result<Option<Checked>, Failed> {
        let (proposition, looked_for, abstraction) = match goal {
            Goal::Deadlock => (None, zones::Goal::Stuck, Abstraction::STUCK),
            Goal::Proposition(proposition) => (Some(proposition), zones::Goal::Wanted, Abstraction::REACHED),
            Goal::End | Goal::Ambiguity | Goal::Optimum { .. } => return self.not_by_zones(),
        };
        let Some(first) = self.semantics.first_location(process)? else { return self.not_by_zones() };
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let terms = Terms::new(&mut *self.semantics, first, proposition);
        let (reached, statistics) = reach::<1, _, Bound>(&terms, looked_for, abstraction, &limits, &*progress);
        if let Some(failure) = terms.into_failure() {
            return self.give_up_zones(failure);
        }
        let counterexample = match reached {
            Reached::Nothing => None,
            Reached::Stopped(stop) => return Err(Failed::Stopped(stop)),
            Reached::Unconfirmed(_) => return Err(Failed::not_replayed("its steps have no times")),
            Reached::Found(path, _) => Some(self.tell_way(process, &moves_of(&path), goal)?),
        };
        progress.attempted(Attempt::new("zones", Outcome::Decided, statistics.n_states));
        let verdict = if counterexample.is_some() == is_wanted { Verdict::Holds } else { Verdict::Fails };
        let statistics = Statistics {
            n_states: statistics.n_states,
            n_transitions: statistics.n_transitions,
            ..Statistics::default()
        };
        Ok(Some(Checked { statistics, ..Checked::new(verdict, counterexample) }))
    }

    /// Decides whether a timed process refines another one, whatever the times are; nothing if zones do not answer that.
    fn decide_refinement_by_zones(
        &mut self,
        asserted: &Asserted,
        (specification, implementation): (State, State),
        model: Model,
    ) -> Result<Option<Checked>, Failed> {
        let first = (self.semantics.first_location(specification)?, self.semantics.first_location(implementation)?);
        let (Some(first_allowed), Some(first)) = first else { return self.not_by_zones() };
        let progress = self.options.progress.clone();
        let limits = self.options.limits;
        let watch = || Watch::new(&*progress).within(limits);
        let terms = Terms::new(&mut *self.semantics, first_allowed, None);
        let written = lts::walk::to_lts(&mut walk(&terms), &mut watch());
        let allowed = match (written, terms.into_failure()) {
            (_, Some(failure)) => return self.give_up_zones(failure),
            (Err(Ended::Stopped(stop)), _) => return Err(Failed::Stopped(stop)),
            (Err(Ended::Failed(_)), _) => return self.not_by_zones(),
            (Ok(allowed), None) => allowed,
        };
        let terms = Terms::new(&mut *self.semantics, first, None);
        let mut walked = walk(&terms);
        let specification = lts::refine::Specification::new(allowed, model, &mut watch()).map_err(Failed::Stopped)?;
        let claim = decide::Claim::Refines(specification.into());
        let answer = decide::decide_on_the_fly(&claim, &mut walked, &mut watch());
        let found = match &answer {
            Ok(decide::Answer { verdict: decide::Verdict::Fails(found), .. }) => {
                let nodes: Vec<StateId> =
                    [walked.initial()].into_iter().chain(found.steps.iter().map(|step| step.target)).collect();
                let labels: Vec<Label> = found.steps.iter().map(|step| step.label).collect();
                Some((walked.with_times(&nodes, &labels), found.fault.clone()))
            }
            _ => None,
        };
        drop(walked);
        if let Some(failure) = terms.into_failure() {
            return self.give_up_zones(failure);
        }
        let Ok(answer) = answer else { return self.not_by_zones() };
        let statistics = answer.statistics;
        let (verdict, counterexample) = match (answer.verdict, found) {
            (decide::Verdict::Holds, _) => (Verdict::Holds, None),
            (decide::Verdict::Unknown(reason), _) => return Err(reason.into()),
            // What goes round among zones need not go round among states.
            (_, Some((_, Fault::Divergence(_)))) | (_, None) => return self.not_by_zones(),
            (_, Some((path, fault))) => {
                let path = path.ok_or_else(|| Failed::not_replayed("its steps have no times"))?;
                (Verdict::Fails, Some(self.replay_moves(asserted, implementation, &moves_of(&path), &fault)?))
            }
        };
        progress.attempted(Attempt::new("zones", Outcome::Decided, statistics.n_states));
        Ok(Some(Checked { statistics, ..Checked::new(verdict, counterexample) }))
    }

    /// The nodes of a process, each with a state that has its variables; nothing if zones do not tell.
    pub(super) fn nodes_by_zones(&mut self, process: State) -> Result<Option<(Lts, Vec<State>)>, Failed> {
        let Some(first) = self.semantics.first_location(process)? else { return Ok(None) };
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let terms = Terms::new(&mut *self.semantics, first, None);
        let mut walked = walk(&terms);
        let written = lts::walk::to_lts(&mut walked, &mut Watch::new(&*progress).within(limits));
        let n_nodes = walked.n_nodes() as u32;
        // Where runs begin in several nodes, there is one more, which is in no location.
        let states: Option<Vec<State>> =
            (0..n_nodes).map(|node| walked.location(StateId(node)).map(Terms::state)).collect();
        drop(walked);
        match (written, terms.into_failure()) {
            (_, Some(NotExplored::Failed(Failure::Stopped(stop)))) => Err(Failed::Stopped(stop)),
            (Err(Ended::Stopped(stop @ Stop::Interrupted(_))), _) => Err(Failed::Stopped(stop)),
            (Ok(lts), None) => Ok(states.map(|states| (lts, states))),
            _ => Ok(None),
        }
    }

    /// Compares the times of events in zones over the clocks of both sides.
    pub(super) fn compare_by_zones(&mut self, specification: State, implementation: State) -> Result<InZones, Failed> {
        let first = (self.semantics.first_location(specification)?, self.semantics.first_location(implementation)?);
        let (Some(allowed), Some(first)) = first else { return Ok(InZones::Unknown) };
        let progress = self.options.progress.clone();
        let terms = Terms::new(&mut *self.semantics, first, None);
        let words = |state: State| [u64::from(state.0)];
        let most = self.options.limits.states().min(MAX_COMPARED);
        let (compared, _) = refines_in_time::<1, _, Bound>(&terms, words(allowed), words(first), most, &*progress);
        if terms.into_failure().is_some() {
            return Ok(InZones::Unknown);
        }
        Ok(match compared {
            Compared::Holds => InZones::Holds,
            Compared::Fails(Some(trace)) => InZones::Fails(trace.times.parts_per_unit as u32),
            Compared::Stopped(stop @ Stop::Interrupted(_)) => return Err(Failed::Stopped(stop)),
            Compared::Fails(None) | Compared::Undecided(_) | Compared::Found(_) | Compared::Stopped(_) => {
                InZones::Unknown
            }
        })
    }

    /// Tells a run of such moves to a state that was looked for.
    fn tell_way(&mut self, process: State, moves: &Moves, goal: Goal) -> Result<Counterexample, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        for way in self.ways_along(process, moves)? {
            let end = way[way.len() - 1];
            steps.clear();
            self.semantics.steps(end, &mut steps)?;
            if is_goal(&mut *self.semantics, end, &steps, goal)? {
                return self.tell_reached(&way, goal, None);
            }
        }
        Err(Failed::not_replayed("whole units of time do not lead there"))
    }

    /// Repeats a run of moves that is said to break a claim.
    fn replay_moves(
        &mut self,
        asserted: &Asserted,
        process: State,
        moves: &Moves,
        fault: &Fault,
    ) -> Result<Counterexample, Failed> {
        for way in self.ways_along(process, moves)?.into_iter().take(MAX_ENDS) {
            let fault = match fault.clone().widened() {
                // A zone may offer more than one of its values does.
                Fault::Refusal { demanded, .. } => {
                    Fault::Refusal { accepted: self.offered(way[way.len() - 1])?, demanded }
                }
                fault => fault,
            };
            let steps = moves.iter().zip(&way[1..]).map(|(&(label, _), &target)| Step { label, target }).collect();
            let found = decide::Counterexample { steps, fault };
            if let Replayed::Confirmed(run, labels, fault, seen) = self.replay_states(asserted, process, &found)? {
                let told = self.tell_run(&run, &labels, &fault)?;
                return Ok(self.with_offers(told, &seen));
            }
        }
        Err(Failed::not_replayed("whole units of time do not show it"))
    }

    /// The states along runs of such moves, one run for each state in which they may end.
    fn ways_along(&mut self, process: State, moves: &Moves) -> Result<Vec<Vec<State>>, Failed> {
        // Each state that may be reached by the moves so far, with the place of one before it.
        let mut levels: Vec<Vec<(State, usize)>> = vec![vec![(process, 0)]];
        let mut steps: Vec<Step> = Vec::new();
        for &(label, time) in moves {
            let (mut next, mut met) = (Vec::new(), HashSet::new());
            let last = &levels[levels.len() - 1];
            for (place, &(state, _)) in last.iter().enumerate() {
                steps.clear();
                self.semantics.steps(state, &mut steps)?;
                for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.label == label) {
                    if self.semantics.delay(state, number) == time && met.insert(step.target) {
                        next.push((step.target, place));
                    }
                }
            }
            levels.push(next);
        }
        let ends = 0..levels[levels.len() - 1].len();
        let way = |end: usize| {
            let mut place = end;
            let mut way: Vec<State> = Vec::new();
            for level in levels.iter().rev() {
                way.push(level[place].0);
                place = level[place].1;
            }
            way.reverse();
            way
        };
        Ok(ends.map(way).collect())
    }

    /// What to do where zones have no answer: another engine is asked, unless this one was asked for.
    pub(super) fn not_by_zones(&self) -> Result<Option<Checked>, Failed> {
        match self.options.method {
            decide::Method::Zones => Err(Failed::unsupported(
                "the engine `zones` decides freedom from deadlock, reachability and refinement in traces, failures and failures-divergences of processes in which time passes",
            )),
            _ => Ok(None),
        }
    }

    /// A step that goes wrong may be one that time does not allow: another engine finds out.
    fn give_up_zones(&self, failure: NotExplored) -> Result<Option<Checked>, Failed> {
        match failure {
            NotExplored::Failed(Failure::Stopped(stop)) => Err(Failed::Stopped(stop)),
            NotExplored::Failed(_) => Ok(None),
            NotExplored::Yielding => self.not_by_zones(),
            // Whole units may still answer it, if little happens in all that time.
            NotExplored::Large(_) if self.options.method != decide::Method::Zones => Ok(None),
            NotExplored::Large(most) => {
                let detail = format!("the time {most} is too large for zones, which allow up to {}", Bound::MAX_LIMIT);
                Err(Failed::Unknown(Reason::Unsupported, detail))
            }
        }
    }
}

fn walk<'t, 's>(terms: &'t Terms<'s>) -> ZoneWalk<'t, 1, Terms<'s>, Bound> {
    ZoneWalk::new(terms, Abstraction::WHOLE)
}

/// What happens along a path, and the time that passes before it.
fn moves_of(path: &TimedPath<1>) -> Moves {
    let labels = path.visits.iter().filter_map(|visit| visit.step).map(|step| step.label);
    labels.zip(delays(&path.times)).collect()
}

/// The time that passes before each step.
fn delays(times: &Times) -> impl Iterator<Item = Time> {
    let unit = times.parts_per_unit;
    times.parts.windows(2).map(move |pair| Time::new(pair[1] - pair[0], unit))
}
