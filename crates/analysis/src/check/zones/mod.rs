//! Timed processes, decided on their zone graphs.
//!
//! Counterexamples are runs with times. They are replayed in whole units of time, in which every zone run has a run
//! with the same events, and then in dense time.

mod network;
mod terms;

use super::checker::Checker;
use super::decided::{Decided, Evidence, FoundPath, FoundRun, Moves};
use super::failed::Failed;
use super::judge;
use super::reach::is_goal;
use super::replay::Replayed;
use super::report::Reason;
use decide::{Fault, Statistics};
use frontend::{Asserted, Failure, Goal, State, Step, Time};
use limits::effort::replay::{MAX_COMPARED, MAX_ENDS};
use lts::walk::{Ended, System};
use lts::{Label, Lts, Model, StateId, Watch};
use progress::{Attempt, Outcome, Stop};
use std::collections::HashSet;
use terms::Bound;
pub use terms::{NotExplored, Terms};
use zones::{Abstraction, Cell, Compared, Reached, TimedPath, Times, ZoneWalk, reach, refines_in_time};

/// The verdict of zones on a timed refinement.
pub(super) enum InZones {
    /// It holds.
    Holds,
    /// It fails, as a run shows when units are cut in this many parts.
    Fails(u32),
    /// Inconclusive.
    Unknown,
}

impl Checker<'_> {
    /// Decides a refinement in the timed forms of both processes. None if that is inconclusive.
    pub(super) fn decide_timed_refinement(
        &mut self,
        asserted: &Asserted,
        sides: (State, State),
        model: Model,
    ) -> Result<Option<Decided>, Failed> {
        if self.uses_timed_networks()
            && let Some(decided) = self.decide_traces_in_timed_network(asserted)?
        {
            return Ok(Some(decided));
        }
        if self.uses_zones() { self.decide_refinement_by_zones(asserted, sides, model) } else { Ok(None) }
    }

    /// Decides reachability by zones. None if that is inconclusive.
    pub(super) fn decide_reach_by_zones(
        &mut self,
        process: State,
        goal: Goal,
        is_wanted: bool,
    ) -> Result<Option<Decided>, Failed> {
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
        let found = match reached {
            Reached::Nothing => None,
            Reached::Stopped(stop) => return Err(Failed::Stopped(stop)),
            Reached::Unconfirmed(_) => return Err(Failed::not_replayed("its steps have no times")),
            Reached::Found(path, _) => Some(FoundPath::Zones(moves_of(&path))),
        };
        progress.attempted(Attempt::new("zones", Outcome::Decided, statistics.n_states));
        let evidence = found.map(|path| Evidence::Reached { process, goal, optimum: None, path });
        let statistics = Statistics {
            n_states: statistics.n_states,
            n_transitions: statistics.n_transitions,
            ..Statistics::default()
        };
        Ok(Some(Decided::reaches(evidence, is_wanted, statistics)))
    }

    /// Decides a refinement in an untimed model by zones. None if that is inconclusive.
    fn decide_refinement_by_zones(
        &mut self,
        asserted: &Asserted,
        (specification, implementation): (State, State),
        model: Model,
    ) -> Result<Option<Decided>, Failed> {
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
        let decided = match (answer.verdict, found) {
            (decide::Verdict::Holds, _) => Decided::holds(statistics),
            (decide::Verdict::Unknown(reason), _) => return Err(reason.into()),
            // A cycle of zones need not be a cycle of states.
            (_, Some((_, Fault::Divergence(_)))) | (_, None) => return self.not_by_zones(),
            (_, Some((path, fault))) => {
                let path = path.ok_or_else(|| Failed::not_replayed("its steps have no times"))?;
                let (asserted, process) = (asserted.clone(), implementation);
                let run = FoundRun::Zones(moves_of(&path), fault.widened());
                Decided::fails(Evidence::Claim { asserted, process, run }, statistics)
            }
        };
        progress.attempted(Attempt::new("zones", Outcome::Decided, statistics.n_states));
        Ok(Some(decided))
    }

    /// The zone graph of a process, each node with a state that has its variables. None if that is inconclusive.
    pub(super) fn nodes_by_zones(&mut self, process: State) -> Result<Option<(Lts, Vec<State>)>, Failed> {
        let Some(first) = self.semantics.first_location(process)? else { return Ok(None) };
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let terms = Terms::new(&mut *self.semantics, first, None);
        let mut walked = walk(&terms);
        let written = lts::walk::to_lts(&mut walked, &mut Watch::new(&*progress).within(limits));
        let n_nodes = walked.n_nodes() as u32;
        // Several initial nodes have a common predecessor, which is in no location.
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

    /// The states of a run with these moves to a state with the goal.
    pub(super) fn states_along_moves(
        &mut self,
        process: State,
        moves: &Moves,
        goal: Goal,
    ) -> Result<Vec<State>, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        for way in self.ways_along(process, moves)? {
            let end = way[way.len() - 1];
            steps.clear();
            self.semantics.steps(end, &mut steps)?;
            if is_goal(&mut *self.semantics, end, &steps, goal)? {
                return Ok(way);
            }
        }
        Err(Failed::not_replayed("whole units of time do not lead there"))
    }

    /// Replays a run of zones that is said to refute a claim.
    pub(super) fn replay_moves(
        &mut self,
        asserted: &Asserted,
        process: State,
        moves: &Moves,
        fault: &judge::Fault,
    ) -> Result<Replayed, Failed> {
        for way in self.ways_along(process, moves)?.into_iter().take(MAX_ENDS) {
            let fault = match fault.clone() {
                // A zone may offer more than each of its valuations does.
                Fault::Refusal { demanded, .. } => {
                    Fault::Refusal { accepted: self.offered(way[way.len() - 1])?, demanded }
                }
                fault => fault,
            };
            let steps = moves.iter().zip(&way[1..]).map(|(&(label, _), &target)| Step { label, target }).collect();
            let found = decide::Counterexample { steps, fault };
            match self.replay_states(asserted.clone(), process, found) {
                Err(Failed::Unknown(Reason::Unconfirmed, _)) => {}
                replayed => return replayed,
            }
        }
        Err(Failed::not_replayed("whole units of time do not show it"))
    }

    /// The states of runs with these moves, one run for each possible last state.
    fn ways_along(&mut self, process: State, moves: &Moves) -> Result<Vec<Vec<State>>, Failed> {
        // The states that are reachable by each prefix of the moves, with the index of a predecessor.
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

    /// Leaves a property that zones do not decide to other forms, unless the user asked for zones.
    pub(super) fn not_by_zones(&self) -> Result<Option<Decided>, Failed> {
        match self.options.method {
            decide::Method::Zones => Err(Failed::unsupported(
                "the engine `zones` decides freedom from deadlock, reachability and refinement in traces, failures and failures-divergences of processes in which time passes",
            )),
            _ => Ok(None),
        }
    }

    /// Leaves a zone graph that cannot be explored to other forms: a failing step may be one that time excludes.
    fn give_up_zones(&self, failure: NotExplored) -> Result<Option<Decided>, Failed> {
        match failure {
            NotExplored::Failed(Failure::Stopped(stop)) => Err(Failed::Stopped(stop)),
            NotExplored::Failed(_) => Ok(None),
            NotExplored::Yielding => self.not_by_zones(),
            // Whole units may still decide it, if few states are reachable in that time.
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

/// The labels of a run, each with the delay before it.
fn moves_of(path: &TimedPath<1>) -> Moves {
    let labels = path.visits.iter().filter_map(|visit| visit.step).map(|step| step.label);
    labels.zip(delays(&path.times)).collect()
}

/// The delays before the steps of a run.
fn delays(times: &Times) -> impl Iterator<Item = Time> {
    let unit = times.parts_per_unit;
    times.parts.windows(2).map(move |pair| Time::new(pair[1] - pair[0], unit))
}
