//! Refinement of timed traces: every visible event happens at a time at which the specification could do it, too.
//!
//! Where the specification knows nothing of time, only traces are compared. Otherwise both sides are followed in whole units of time: the implementation state by state, the specification by the set of all states that it
//! can be in. What is found that way is a counterexample, whatever is known of the specification: at whole times it can do no more than at whole
//! times. That nothing is found proves something only if the times of the specification are given by differences alone
//! (`docs/semantics/timed.md`); otherwise zones over the clocks of both sides are asked (`docs/semantics/zones.md`), and what these find is found again in
//! parts of units. Where zones have no answer, halves of units are tried, and then nothing is known.

use super::checker::Checker;
use super::failed::Failed;
use super::report::{Checked, Counterexample};
use super::zones::InZones;
use super::{Reason, Verdict};
use decide::{Fault, Statistics};
use frontend::{Asserted, LocationEdge, Passing, Run, Semantics, State, Step, Time};
use hashbrown::{HashMap, HashSet};
use limits::effort::replay::{MAX_LOCATIONS, UNIT_PARTS};
use lts::{Label, Model};
use std::ops::ControlFlow;
use std::rc::Rc;

/// States that the specification can be in, in ascending order.
type Members = Rc<[State]>;

/// What the search has met: a state of the implementation, where the specification may be, and how it came there.
struct Node {
    at: State,
    members: Members,
    /// The node before, and the event that led here; nothing if time has passed.
    before: Option<(usize, Option<Label>)>,
}

/// What a search came to.
enum Searched {
    /// No event is at a wrong time.
    Nothing,
    /// After this node, this event is, where these are allowed.
    Found(usize, Step, Vec<Label>),
}

impl Checker<'_> {
    /// Decides whether the events of a process happen at times at which they can in another.
    pub(super) fn decide_in_time(
        &mut self,
        index: usize,
        specification: State,
        implementation: State,
    ) -> Result<Checked, Failed> {
        if !self.semantics.is_timed() {
            return Err(Failed::unsupported("time does not pass in the script"));
        }
        if self.is_free_of_time(specification)? {
            let asserted = Asserted::Refines { specification, implementation, model: Model::Traces };
            if let Some(checked) = self.decide_traces_in_timed_network(&asserted)? {
                return Ok(checked);
            }
        }
        let whole = self.search_in_time(specification, implementation)?;
        if let Some(checked) = whole.0 {
            return Ok(checked);
        }
        let holds = Checked { statistics: whole.1, ..Checked::new(Verdict::Holds, None) };
        if self.semantics.is_bounded_by_differences(specification, MAX_LOCATIONS)? {
            return Ok(holds);
        }
        let parts = match self.compare_by_zones(specification, implementation)? {
            InZones::Holds => return Ok(holds),
            InZones::Fails(parts) => parts,
            InZones::Unknown => UNIT_PARTS,
        };
        let mut finer = self.session.semantics(self.options.progress.clone());
        if let Asserted::RefinesInTime { specification, implementation } = finer.asserted(index)?
            && finer.cut_units(parts)
        {
            std::mem::swap(&mut self.semantics, &mut finer);
            let found = self.search_in_time(specification, implementation);
            std::mem::swap(&mut self.semantics, &mut finer);
            if let Some(checked) = found?.0 {
                return Ok(checked);
            }
        }
        let detail = "nothing breaks it at whole and half units of time, but the specification can do the same events in \
                      several ways, so that this proves nothing about other times";
        Err(Failed::Unknown(Reason::Unsupported, detail.to_owned()))
    }

    /// Whether a process can do each of its traces at any times: it has no clocks, and where time does not pass, nothing visible can happen, so
    /// that it may be elsewhere at once. False if there are many locations.
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

    /// Searches moment by moment; the answer if something was found.
    fn search_in_time(
        &mut self,
        specification: State,
        implementation: State,
    ) -> Result<(Option<Checked>, Statistics), Failed> {
        let mut search = Search { nodes: Vec::new(), known: HashMap::new(), n_steps: 0 };
        let members = close(&mut *self.semantics, vec![specification])?;
        search.meet(implementation, members, None);
        let searched = self.run_search(&mut search)?;
        let statistics =
            Statistics { n_states: search.nodes.len() as u64, n_transitions: search.n_steps, ..Statistics::default() };
        let Searched::Found(node, step, allowed) = searched else { return Ok((None, statistics)) };
        let told = self.tell_in_time(&search, (node, step, allowed))?;
        Ok((Some(Checked { statistics, ..Checked::new(Verdict::Fails, Some(told)) }), statistics))
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

    /// The place of a step of a state that can be taken after some time. After the last moment at which anything changes, steps stay as they are.
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

    /// Does a run again with its times, and tells it.
    fn tell_in_time(
        &mut self,
        search: &Search,
        (node, last, allowed): (usize, Step, Vec<Label>),
    ) -> Result<Counterexample, Failed> {
        let mut path = search.moves_to(node);
        let waited = path.pop().map_or(0, |(delay, _)| delay);
        path.push((waited, last));
        let start = search.nodes[0].at;
        let mut run = Run { start, steps: Vec::new() };
        for (delay, wanted) in &path {
            let delay = self.parts(*delay);
            let place = self.step_after(run.end(), delay, *wanted)?;
            let place = place.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?;
            run.steps.push((place, wanted.target));
        }
        let delays: Vec<Time> = path.iter().map(|(delay, _)| self.parts(*delay)).collect();
        if !self.semantics.repeat_in_time(&run, &delays)? {
            return Err(Failed::not_replayed("in dense time there is no such run"));
        }
        let labels: Vec<Label> = path.iter().map(|(_, step)| step.label).collect();
        let mut told = self.tell_run(&run, &labels, &Fault::Event(allowed))?;
        for (step, delay) in told.steps.iter_mut().zip(delays) {
            step.delay = Some(delay);
        }
        Ok(told)
    }

    /// So many of the parts into which units are cut.
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

    /// The moves that lead to a node, each with its delay; the last one has none but a delay.
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

/// States, and all that silent steps without delay lead to.
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

/// Where the specification can be after an event without delay, and what it could do instead.
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
