//! Timed runs along paths of a zone graph.

use crate::cell::Cell;
use crate::graph::{Goal, REACHED, STUCK, settle_urgency, urgent_guards};
use crate::network::FAILED;
use crate::refusal::refusing;
use crate::schedule::{Moment, Schedule, Times};
use crate::system::{Edges, Location, TimedSystem};
use crate::zone::{Limit, Zone};
use explore::{FAILURE, Step};

/// A location on a run, with the step that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedVisit<const W: usize> {
    /// The location.
    pub state: [u64; W],
    /// The step; none at the initial location.
    pub step: Option<Step<W>>,
}

/// A run with times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedPath<const W: usize> {
    /// Its locations.
    pub visits: Vec<TimedVisit<W>>,
    /// The time of its beginning, and of each step.
    pub times: Times,
    /// Whether time cannot pass beyond some moment at its end.
    pub is_timelock: bool,
}

/// Computes times for a run along locations to the finding at the last one, where the clock values are in a zone if one
/// is given. A goal step is appended.
pub(crate) fn with_times<const W: usize, C: Cell, S: TimedSystem<W>>(
    system: &S,
    goal: &Goal<'_>,
    visits: Vec<TimedVisit<W>>,
    finding: u32,
    end: Option<&Zone<C>>,
) -> Option<TimedPath<W>> {
    // The steps of the run, and one more for the end.
    let schedule = Schedule::new(visits.len() + 1);
    let mut pending = vec![Partial { n_taken: 0, schedule, starts: None }];
    while let Some(partial) = pending.pop() {
        let number = partial.n_taken;
        let mut place = Place::new(system, &visits[number].state);
        let starts = partial.starts.unwrap_or_else(|| vec![0; place.location.n_clocks()]);
        place.settle();
        if number + 1 == visits.len() {
            let mut schedule = partial.schedule;
            end.into_iter().for_each(|zone| schedule.within(zone, number, &starts));
            if let Some(path) = place.end::<C>(goal, schedule, &starts, finding, &visits) {
                return Some(path);
            }
            continue;
        }
        let mut ways: Vec<Partial> = Vec::new();
        for edge in place.edges.iter().filter(|edge| Some(edge.step) == visits[number + 1].step) {
            let mut target = Location::default();
            system.location(&edge.step.target, &mut target);
            let mut sources = Vec::new();
            system.sources(&place.location, &place.edges, edge, &target, &mut sources);
            let moment = number + 1;
            let start = |&source: &u8| if source == 0 { moment } else { starts[source as usize - 1] };
            for mut schedule in place.leaving(&partial.schedule, number, &starts) {
                place.add_guard(&mut schedule, place.edges.guard(edge), moment, &starts);
                let starts = Some(sources.iter().map(start).collect());
                ways.push(Partial { n_taken: moment, schedule, starts });
            }
        }
        // If there is a choice, infeasible alternatives are dropped.
        if ways.len() > 1 || !pending.is_empty() {
            ways.retain(|way| way.schedule.solve().is_some());
        }
        pending.append(&mut ways);
    }
    None
}

/// A prefix of a run.
struct Partial {
    n_taken: usize,
    schedule: Schedule,
    /// The moments of the last reset of the clocks of its last location.
    starts: Option<Vec<Moment>>,
}

/// A location with its edges.
struct Place<const W: usize> {
    location: Location,
    edges: Edges<W>,
}

impl<const W: usize> Place<W> {
    fn new<S: TimedSystem<W>>(system: &S, state: &[u64; W]) -> Place<W> {
        let mut place = Place { location: Location::default(), edges: Edges::default() };
        system.location(state, &mut place.location);
        _ = system.edges(state, &place.location, &mut place.edges);
        place
    }

    fn settle(&mut self) {
        settle_urgency(&mut self.location, &self.edges);
    }

    /// The alternative constraints on the delay before the next step; the location is entered at this moment.
    fn leaving(&self, schedule: &Schedule, entered: Moment, starts: &[Moment]) -> Vec<Schedule> {
        let next = entered + 1;
        let mut schedule = schedule.clone();
        for bound in &self.location.bounds {
            schedule.at_most(starts[bound.clock - 1], next, i64::from(bound.value), bound.is_strict);
        }
        let urgent = urgent_guards(&self.location, &self.edges);
        let mut ways = vec![schedule.clone()];
        if self.location.is_urgent || !urgent.is_empty() {
            schedule.at_most(entered, next, 0, false);
            if self.location.is_urgent {
                return vec![schedule];
            }
            for guard in urgent {
                let limited = |way: &Schedule, limit: &Limit| {
                    let mut way = way.clone();
                    way.at_most(starts[limit.clock - 1], next, i64::from(limit.value), false);
                    way
                };
                ways = ways.iter().flat_map(|way| guard.iter().map(move |limit| limited(way, limit))).collect();
            }
            ways.push(schedule);
        }
        ways
    }

    fn add_guard(&self, schedule: &mut Schedule, guard: &[Limit], moment: Moment, starts: &[Moment]) {
        for limit in guard {
            schedule.at_least(starts[limit.clock - 1], moment, i64::from(limit.value), limit.is_strict);
        }
    }

    /// The end of a run at this location.
    fn end<C: Cell>(
        &self,
        goal: &Goal<'_>,
        schedule: Schedule,
        starts: &[Moment],
        finding: u32,
        visits: &[TimedVisit<W>],
    ) -> Option<TimedPath<W>> {
        let entered = visits.len() - 1;
        let path = |times: Times, n_moments: usize, more: Option<Step<W>>| {
            let Times { mut parts, parts_per_unit } = times;
            parts.truncate(n_moments);
            let visits = visits.iter().cloned();
            let more = more.map(|step| TimedVisit { state: step.target, step: Some(step) });
            let is_timelock = self.location.is_urgent || !self.location.bounds.is_empty();
            TimedPath { visits: visits.chain(more).collect(), times: Times { parts, parts_per_unit }, is_timelock }
        };
        match (finding, goal) {
            (STUCK, _) => {
                let guards: Vec<&[Limit]> = self.edges.iter().map(|edge| self.edges.guard(edge)).collect();
                let mut parts: Vec<Zone<C>> = Vec::new();
                let everything = Zone::<C>::everything(starts.len());
                refusing(&everything, &self.location, &guards, &mut |zone| parts.push(zone.clone()));
                parts.iter().find_map(|part| {
                    let mut schedule = schedule.clone();
                    schedule.within(part, entered, starts);
                    Some(path(schedule.solve()?, entered + 1, None))
                })
            }
            (FAILURE, _) | (REACHED, Goal::Labels(_)) => {
                let is_wanted = |step: &Step<W>| match goal {
                    _ if finding == FAILURE => step.rule == FAILED,
                    Goal::Labels(labels) => step.rule != FAILED && labels.contains(&step.label),
                    _ => false,
                };
                let edges = self.edges.iter().filter(|edge| is_wanted(&edge.step));
                edges.into_iter().find_map(|edge| {
                    self.leaving(&schedule, entered, starts).into_iter().find_map(|mut schedule| {
                        self.add_guard(&mut schedule, self.edges.guard(edge), entered + 1, starts);
                        let more = (finding != FAILURE).then_some(edge.step);
                        Some(path(schedule.solve()?, entered + 2, more))
                    })
                })
            }
            _ => Some(path(schedule.solve()?, entered + 1, None)),
        }
    }
}
