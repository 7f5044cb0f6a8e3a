//! Trails: the operations that lead to a node, as constraints for its times.

use crate::cell::Cell;
use crate::schedule::{Moment, Schedule, Times};
use crate::zone::{Limit, Zone};
use explore::Step;

/// The number of a trail.
pub(super) type TrailId = u32;

/// An operation.
#[derive(Clone, Debug)]
enum Operation<const W: usize> {
    /// A delay, positive if it is strict.
    Delay { is_strict: bool },
    /// An upper limit of a clock.
    Above(Limit),
    /// A lower limit of a clock.
    Beneath(Limit),
    /// Clocks are renamed, dropped and reset.
    Rename(Box<[u8]>),
    /// A step of the implementation.
    Step(Step<W>),
}

/// All trails, as a tree: each extends another one by an operation.
#[derive(Debug)]
pub(super) struct Trails<const W: usize> {
    all: Vec<(Operation<W>, TrailId)>,
}

/// The empty trail.
pub(super) const EMPTY: TrailId = u32::MAX;

/// A run of the implementation with times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedTrace<const W: usize> {
    /// The steps of the implementation.
    pub steps: Vec<Step<W>>,
    /// The time of each step.
    pub times: Times,
}

/// A zone with its trail.
#[derive(Clone, Debug)]
pub(super) struct ZoneWithTrail<C> {
    pub(super) zone: Zone<C>,
    pub(super) trail: TrailId,
}

impl<const W: usize> Trails<W> {
    pub(super) fn new() -> Trails<W> {
        Trails { all: Vec::new() }
    }

    fn push<C>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, operation: Operation<W>) {
        self.all.push((operation, zone_with_trail.trail));
        zone_with_trail.trail = self.all.len() as TrailId - 1;
    }

    pub(super) fn delay<C: Cell>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, is_strict: bool) {
        zone_with_trail.zone.delay();
        if is_strict {
            zone_with_trail.zone.leave_lower_bounds();
        }
        self.push(zone_with_trail, Operation::Delay { is_strict });
    }

    pub(super) fn at_most<C: Cell>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, limit: Limit) -> bool {
        self.push(zone_with_trail, Operation::Above(limit));
        zone_with_trail.zone.at_most(&[limit])
    }

    pub(super) fn at_least<C: Cell>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, limit: Limit) -> bool {
        self.push(zone_with_trail, Operation::Beneath(limit));
        zone_with_trail.zone.at_least(&[limit])
    }

    pub(super) fn rename<C: Cell>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, sources: &[u8]) {
        let mut renamed = Zone::default();
        zone_with_trail.zone.rename(sources, &mut renamed);
        zone_with_trail.zone = renamed;
        self.push(zone_with_trail, Operation::Rename(sources.into()));
    }

    pub(super) fn step<C>(&mut self, zone_with_trail: &mut ZoneWithTrail<C>, step: Step<W>) {
        self.push(zone_with_trail, Operation::Step(step));
    }

    /// The earliest times of the steps on a trail.
    pub(super) fn solve(&self, trail: TrailId, n_clocks: usize) -> Option<TimedTrace<W>> {
        let mut deeds = Vec::new();
        let mut at = trail;
        while at != EMPTY {
            let (operation, before) = &self.all[at as usize];
            deeds.push(operation);
            at = *before;
        }
        let n_delays = deeds.iter().filter(|operation| matches!(operation, Operation::Delay { .. })).count();
        let mut schedule = Schedule::new(n_delays + 1);
        let (mut now, mut starts): (Moment, Vec<Moment>) = (0, vec![0; n_clocks]);
        let (mut steps, mut moments) = (Vec::new(), Vec::new());
        for operation in deeds.into_iter().rev() {
            match operation {
                Operation::Delay { is_strict } => {
                    now += 1;
                    schedule.at_least(now - 1, now, 0, *is_strict);
                }
                Operation::Above(limit) => {
                    schedule.at_most(starts[limit.clock - 1], now, i64::from(limit.value), limit.is_strict);
                }
                Operation::Beneath(limit) => {
                    schedule.at_least(starts[limit.clock - 1], now, i64::from(limit.value), limit.is_strict);
                }
                Operation::Rename(sources) => {
                    let start = |&source: &u8| if source == 0 { now } else { starts[usize::from(source) - 1] };
                    starts = sources.iter().map(start).collect();
                }
                Operation::Step(step) => {
                    steps.push(*step);
                    moments.push(now);
                }
            }
        }
        let Times { parts, parts_per_unit } = schedule.solve()?;
        let parts = moments.into_iter().map(|moment| parts[moment]).collect();
        Some(TimedTrace { steps, times: Times { parts, parts_per_unit } })
    }
}
