//! Refinement of timed traces: every visible event of the implementation occurs at a time at which the specification
//! can perform it.
//!
//! Where the specification is free of time, untimed traces are compared. Otherwise both sides are explored in whole
//! units of time: the implementation state by state, the specification as the set of all states that it may be in. A
//! violation found there is a counterexample, since at whole times the specification has no more behavior in dense
//! time. The absence of violations is a proof only if the specification bounds differences of times alone
//! (`docs/semantics/timed.md`); otherwise zones over the clocks of both sides are compared (`docs/semantics/zones.md`),
//! and their violations are found again in parts of units. Where zones are inconclusive, half units are tried.

use super::checker::Checker;
use super::decided::{Decided, Evidence};
use super::failed::Failed;
use super::replay::{Replayed, ReplayedRun, Shown, not_of_process};
use super::report::Reason;
use super::zones::InZones;
use decide::{Fault, Statistics};
use frontend::{Asserted, LocationEdge, Passing, Run, Semantics, State, Step, Time};
use hashbrown::{HashMap, HashSet};
use limits::effort::replay::{MAX_LOCATIONS, UNIT_PARTS};
use lts::{Label, Model};
use progress::Activity;
use std::ops::ControlFlow;
use std::rc::Rc;

/// States that the specification may be in, in ascending order.
type Members = Rc<[State]>;

/// A pair of the product: a state of the implementation and the states that the specification may be in.
struct Node {
    at: State,
    members: Members,
    /// The predecessor and the event between; no event if time has passed.
    before: Option<(usize, Option<Label>)>,
}

/// The outcome of a search.
enum Searched {
    /// No violation.
    Nothing,
    /// An event at a wrong time after this node, and the events that are allowed there.
    Found(usize, Step, Vec<Label>),
}

impl Checker<'_> {
    /// Decides refinement of timed traces.
    pub(super) fn decide_in_time(
        &mut self,
        index: usize,
        specification: State,
        implementation: State,
    ) -> Result<Decided, Failed> {
        if !self.semantics.is_timed() {
            return Err(Failed::unsupported("time does not pass in the script"));
        }
        if self.is_free_of_time(specification)? {
            let asserted = Asserted::Refines { specification, implementation, model: Model::Traces };
            if let Some(decided) = self.decide_traces_in_timed_network(&asserted)? {
                return Ok(decided);
            }
        }
        let whole = self.search_in_time(specification, implementation)?;
        if !whole.holds || self.semantics.is_bounded_by_differences(specification, MAX_LOCATIONS)? {
            return Ok(whole);
        }
        let parts = match self.compare_by_zones(specification, implementation)? {
            InZones::Holds => return Ok(whole),
            InZones::Fails(parts) => parts,
            InZones::Unknown => UNIT_PARTS,
        };
        let mut finer = self.session.semantics(self.options.progress.clone());
        if let Asserted::RefinesInTime { specification, implementation } = finer.asserted(index)?
            && finer.cut_units(parts)
        {
            // The evidence refers to states of these semantics, so they stay until it is reported.
            self.whole_units = Some(std::mem::replace(&mut self.semantics, finer));
            let decided = self.search_in_time(specification, implementation)?;
            if !decided.holds {
                return Ok(decided);
            }
        }
        let detail = "nothing breaks it at whole and half units of time, but the specification can do the same events in \
                      several ways, so that this proves nothing about other times";
        Err(Failed::Unknown(Reason::Unsupported, detail.to_owned()))
    }

    /// Ends the use of semantics that cut units of time in parts.
    pub(super) fn restore_units(&mut self) {
        if let Some(whole_units) = self.whole_units.take() {
            self.semantics = whole_units;
        }
    }

    /// Whether a process can perform each of its traces at any times: it has no clocks, and in urgent locations only
    /// silent steps. False if there are too many locations to tell.
    fn is_free_of_time(&mut self, process: State) -> Result<bool, Failed> {
        let Some(first) = self.semantics.first_location(process)? else { return Ok(false) };
        let mut met: HashSet<State> = HashSet::from([first]);
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            let location = self.semantics.location(at)?;
            let is_silent = |edge: &LocationEdge| edge.label == Label::TAU;
            let may_wait = location.urgent.is_empty() || location.edges.iter().all(is_silent);
            if !location.limits.is_empty() || location.yields_later || !may_wait || met.len() > MAX_LOCATIONS {
                return Ok(false);
            }
            open.extend(location.edges.iter().map(|edge| edge.target).filter(|&target| met.insert(target)));
        }
        Ok(true)
    }

    /// Explores the product in whole units of time.
    fn search_in_time(&mut self, specification: State, implementation: State) -> Result<Decided, Failed> {
        let mut search = Search { nodes: Vec::new(), known: HashMap::new(), n_steps: 0 };
        let members = close(&mut *self.semantics, vec![specification])?;
        search.meet(implementation, members, None);
        let searched = self.run_search(&mut search)?;
        let statistics =
            Statistics { n_states: search.nodes.len() as u64, n_transitions: search.n_steps, ..Statistics::default() };
        let Searched::Found(node, last, allowed) = searched else { return Ok(Decided::holds(statistics)) };
        let mut path = search.moves_to(node);
        let waited = path.pop().map_or(0, |(delay, _)| delay);
        path.push((waited, last));
        let path = path.into_iter().map(|(delay, step)| (self.parts(delay), step)).collect();
        Ok(Decided::fails(Evidence::Untimely { process: implementation, path, allowed }, statistics))
    }

    fn run_search(&mut self, search: &mut Search) -> Result<Searched, Failed> {
        let progress = self.options.progress.clone();
        let mut steps: Vec<Step> = Vec::new();
        let mut next = 0;
        while next < search.nodes.len() {
            if next % 64 == 0
                && let ControlFlow::Break(why) = progress.tick(&progress::Statistics::of_states(next))
            {
                return Err(Failed::Stopped(why.into()));
            }
            let (at, members) = (search.nodes[next].at, search.nodes[next].members.clone());
            steps.clear();
            self.semantics.steps_now(at, &mut steps)?;
            search.n_steps += steps.len() as u64;
            for &step in &steps {
                if step.label == Label::TAU {
                    search.meet(step.target, members.clone(), Some((next, Some(step.label))));
                    continue;
                }
                let (after, allowed) = follow(&mut *self.semantics, &members, step.label)?;
                if after.is_empty() {
                    return Ok(Searched::Found(next, step, allowed));
                }
                search.meet(step.target, after, Some((next, Some(step.label))));
            }
            let part = self.parts(1);
            if let Some(later) = self.semantics.wait(at, part)? {
                let mut left = Vec::with_capacity(members.len());
                for &member in members.iter() {
                    left.extend(self.semantics.wait(member, part)?);
                }
                let left = close(&mut *self.semantics, left)?;
                search.meet(later, left, Some((next, None)));
            }
            if let Some(stop) = self.options.limits.stop_at(search.nodes.len() as u64) {
                return Err(Failed::Stopped(stop));
            }
            next += 1;
        }
        Ok(Searched::Nothing)
    }

    /// The index of a step that can be taken after a delay. After the last moment at which anything changes, the same
    /// steps stay enabled.
    fn step_after(&mut self, here: State, delay: Time, wanted: Step) -> Result<Option<usize>, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(here, &mut steps)?;
        let delay = match self.semantics.passing(here) {
            Passing::Forever(after) => delay.min(after),
            Passing::Until(_) => delay,
        };
        let is_meant = |place: &usize| steps[*place] == wanted && self.semantics.delay(here, *place) == delay;
        Ok((0..steps.len()).find(is_meant))
    }

    /// Replays a run with its times.
    pub(super) fn replay_untimely(
        &mut self,
        process: State,
        path: &[(Time, Step)],
        allowed: Vec<Label>,
    ) -> Result<Replayed, Failed> {
        self.options.progress.enter(Activity::Replaying);
        let mut run = Run { start: process, steps: Vec::new() };
        for &(delay, wanted) in path {
            let place = self.step_after(run.end(), delay, wanted)?.ok_or_else(not_of_process)?;
            run.steps.push((place, wanted.target));
        }
        let delays: Vec<Time> = path.iter().map(|(delay, _)| *delay).collect();
        if !self.semantics.repeat_in_time(&run, &delays)? {
            return Err(Failed::not_replayed("in dense time there is no such run"));
        }
        let labels = path.iter().map(|(_, step)| step.label).collect();
        let run = ReplayedRun::Timed(run, labels, delays);
        Ok(Replayed { run, fault: Fault::Event(allowed), shows: Shown::Fault })
    }

    /// A number of the parts into which units are cut.
    fn parts(&mut self, n_parts: i64) -> Time {
        Time::new(n_parts, self.semantics.parts_per_unit().into())
    }
}

struct Search {
    nodes: Vec<Node>,
    known: HashMap<(State, Members), usize>,
    n_steps: u64,
}

impl Search {
    fn meet(&mut self, at: State, members: Members, before: Option<(usize, Option<Label>)>) {
        let number = self.nodes.len();
        let known = *self.known.entry((at, members.clone())).or_insert(number);
        if known == number {
            self.nodes.push(Node { at, members, before });
        }
    }

    /// The moves that lead to a node, each with its delay; the last one carries only a delay.
    fn moves_to(&self, node: usize) -> Vec<(i64, Step)> {
        let mut way = vec![node];
        while let Some((before, _)) = self.nodes[way[way.len() - 1]].before {
            way.push(before);
        }
        let mut moves = Vec::new();
        let mut waited = 0;
        for &place in way.iter().rev() {
            let Node { at, before, .. } = &self.nodes[place];
            match before {
                None => {}
                Some((_, None)) => waited += 1,
                Some((_, Some(label))) => {
                    moves.push((waited, Step { label: *label, target: *at }));
                    waited = 0;
                }
            }
        }
        moves.push((waited, Step { label: Label::TAU, target: self.nodes[0].at }));
        moves
    }
}

/// The closure of states under silent steps without delay.
fn close(semantics: &mut dyn Semantics, mut states: Vec<State>) -> Result<Members, Failed> {
    let mut steps: Vec<Step> = Vec::new();
    let mut next = 0;
    states.sort_unstable();
    states.dedup();
    while let Some(&state) = states.get(next) {
        next += 1;
        steps.clear();
        semantics.steps_now(state, &mut steps)?;
        for step in &steps {
            if step.label == Label::TAU && !states.contains(&step.target) {
                states.push(step.target);
            }
        }
    }
    states.sort_unstable();
    Ok(states.into())
}

/// The states of the specification after an event without delay, and the events that it allows instead.
fn follow(semantics: &mut dyn Semantics, members: &[State], label: Label) -> Result<(Members, Vec<Label>), Failed> {
    let (mut after, mut allowed) = (Vec::new(), Vec::new());
    let mut steps: Vec<Step> = Vec::new();
    for &member in members {
        steps.clear();
        semantics.steps_now(member, &mut steps)?;
        after.extend(steps.iter().filter(|step| step.label == label).map(|step| step.target));
        allowed.extend(steps.iter().map(|step| step.label).filter(|&label| label != Label::TAU));
    }
    allowed.sort_unstable();
    allowed.dedup();
    Ok((close(semantics, after)?, allowed))
}
