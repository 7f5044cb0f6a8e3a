//! Time: delays of moves, and runs repeated by its definition.

use super::semantics::{SharpSemantics, failed};
use csp_sharp_runtime::run::dense::Configuration;
use csp_sharp_runtime::{code, run};
use frontend::{Clock, Failure, Location, LocationEdge, LoweredInTime, Passing, Run, State, Step, Time, Timed};
use lts::Label;
use progress::Progress;

impl Timed for SharpSemantics<'_, false> {}

impl Timed for SharpSemantics<'_, true> {
    fn is_timed(&self) -> bool {
        true
    }

    fn immediate_steps(&mut self, at: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        self.system.immediate(at, steps).map_err(|fault| failed(&fault))
    }

    fn delay(&mut self, at: State, step: usize) -> Time {
        let parts = self.system.delay(at, step);
        self.time(parts)
    }

    fn passing(&mut self, at: State) -> Passing<Time> {
        self.system.passing(at).map(|parts| self.time(parts))
    }

    fn is_bounded_by_differences(&mut self, process: State, most: usize) -> Result<bool, Failure> {
        self.system.is_bounded_by_differences(process, most).map_err(|fault| failed(&fault))
    }

    fn parts_per_unit(&self) -> u32 {
        self.system.parts_per_unit()
    }

    fn cut_units(&mut self, factor: u32) -> bool {
        self.system.cut_units(factor)
    }

    fn wait(&mut self, at: State, time: Time) -> Result<Option<State>, Failure> {
        self.state_later(at, time)
    }

    fn clocks(&mut self, at: State) -> Vec<Clock> {
        self.running_clocks(at)
    }

    fn first_location(&mut self, at: State) -> Result<Option<State>, Failure> {
        self.system.first_location(at).map(Some).map_err(|fault| failed(&fault))
    }

    fn location(&mut self, location: State) -> Result<Location, Failure> {
        self.told_location(location)
    }

    fn timed_network(&mut self, process: State, progress: &dyn Progress) -> Result<Option<LoweredInTime>, Failure> {
        self.make_timed_network(process, progress)
    }

    fn largest_time(&self) -> Option<i32> {
        Some(self.system.largest_time())
    }

    fn repeat_in_time(&mut self, run: &Run, delays: &[Time]) -> Result<bool, Failure> {
        self.repeat_densely(run, delays)
    }
}

impl SharpSemantics<'_, true> {
    /// Repeats a run in dense time, and compares what can happen at its end.
    fn repeat_densely(&mut self, run: &Run, delays: &[Time]) -> Result<bool, Failure> {
        let mut at = self.densely(run.start)?;
        for (place, (&(step, target), &delay)) in run.steps.iter().zip(delays).enumerate() {
            let mut moves = Vec::new();
            self.system.steps(run.state(place), &mut moves).map_err(|fault| failed(&fault))?;
            let Some(label) = moves.get(step).map(|step| step.label) else { return Ok(false) };
            let parts = delay * i64::from(self.parts_per_unit());
            let then = self.system.dense_delay(&at, parts).map_err(|fault| failed(&fault))?;
            let Some(then) = then else { return Ok(false) };
            let steps = self.system.dense_steps(&then).map_err(|fault| failed(&fault))?;
            let mut ways = steps.into_iter().filter(|step| step.label == label);
            let found = match label {
                // States after termination are not compared.
                Label::TICK => ways.next().map(|step| step.target),
                _ => {
                    let expected = self.densely(target)?.without_idle_bounds();
                    ways.map(|step| step.target).find(|target| target.without_idle_bounds() == expected)
                }
            };
            match found {
                Some(target) => at = target,
                None => return Ok(false),
            }
        }
        self.offers_the_same(run.end(), &at)
    }

    /// The steps and limits of a location.
    fn told_location(&mut self, at: State) -> Result<Location, Failure> {
        let found = self.system.location(at).map_err(|fault| failed(&fault))?;
        let limits = |guard: &[(code::ClockId, i32)]| guard.iter().map(|&(clock, limit)| (clock.0, limit)).collect();
        let edge = |edge: &run::Edge| LocationEdge {
            label: edge.label,
            guard: limits(&edge.guard),
            target: edge.target,
            sources: edge.sources.iter().map(|source| source.map(|clock| clock.0)).collect(),
        };
        Ok(Location {
            edges: found.edges.iter().map(edge).collect(),
            urgent: found.urgent.iter().map(|guard| limits(guard)).collect(),
            bounds: limits(&found.bounds),
            limits: found.limits,
            is_terminated: found.is_terminated,
            yields_later: found.yields_later,
        })
    }

    fn densely(&mut self, at: State) -> Result<Configuration, Failure> {
        self.system.dense(at).map_err(|fault| failed(&fault))
    }

    /// Whether the same can happen in a state and a configuration, however long one waits, and whether time stops in
    /// both or in none.
    fn offers_the_same(&mut self, at: State, configuration: &Configuration) -> Result<bool, Failure> {
        let mut moves = Vec::new();
        self.system.steps(at, &mut moves).map_err(|fault| failed(&fault))?;
        let mut offered: Vec<Label> = moves.iter().map(|step| step.label).collect();
        let stops = matches!(self.system.passing(at), Passing::Until(_));
        let (last, _, goes_on) = self.system.last_moment(configuration).map_err(|fault| failed(&fault))?;
        let steps = self.system.dense_steps(&last).map_err(|fault| failed(&fault))?;
        let mut possible: Vec<Label> = steps.iter().map(|step| step.label).collect();
        for labels in [&mut offered, &mut possible] {
            labels.sort_unstable();
            labels.dedup();
        }
        Ok(offered == possible && stops != goes_on)
    }

    /// A number of parts of units.
    fn time(&self, parts: u64) -> Time {
        Time::new(i64::try_from(parts).unwrap_or(i64::MAX), self.parts_per_unit().into())
    }

    /// The state after some time in which nothing happens. Only whole parts of units have one.
    fn state_later(&mut self, at: State, time: Time) -> Result<Option<State>, Failure> {
        let parts = time * i64::from(self.parts_per_unit());
        if !parts.is_integer() {
            return Ok(None);
        }
        let parts = u32::try_from(*parts.numer()).unwrap_or(u32::MAX);
        let later = self.system.after(at, parts).map_err(|fault| failed(&fault))?;
        Ok(later)
    }

    /// The timed operators at active places.
    fn running_clocks(&mut self, at: State) -> Vec<Clock> {
        let clocks = self.system.running(at).into_iter();
        let parts_per_unit = self.parts_per_unit().into();
        let part = |parts: Option<i32>| parts.map(|parts| Time::new(parts.into(), parts_per_unit));
        clocks.map(|(of, from, until)| Clock { of, from: part(from), until: part(until) }).collect()
    }
}
