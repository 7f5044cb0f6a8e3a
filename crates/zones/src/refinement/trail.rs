//! Trails: the operations that lead to a node, as constraints for its times.

use crate::cell::Cell;
use crate::schedule::{Moment, Schedule, Times};
use crate::zone::{Limit, Zone};
use explore::Step;

/// The number of a trail.
pub(super) type TrailId = u32;

/// An operation.
#[derive(Clone, Debug)]
enum Deed<const W: usize> {
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
    all: Vec<(Deed<W>, TrailId)>,
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
pub(super) struct Situation<C> {
    pub(super) zone: Zone<C>,
    pub(super) trail: TrailId,
}

impl<const W: usize> Trails<W> {
    pub(super) fn new() -> Trails<W> {
        Trails { all: Vec::new() }
    }

    fn push<C>(&mut self, situation: &mut Situation<C>, deed: Deed<W>) {
        self.all.push((deed, situation.trail));
        situation.trail = self.all.len() as TrailId - 1;
    }

    pub(super) fn delay<C: Cell>(&mut self, situation: &mut Situation<C>, is_strict: bool) {
        situation.zone.delay();
        if is_strict {
            situation.zone.leave_lower_bounds();
        }
        self.push(situation, Deed::Delay { is_strict });
    }

    pub(super) fn at_most<C: Cell>(&mut self, situation: &mut Situation<C>, limit: Limit) -> bool {
        self.push(situation, Deed::Above(limit));
        situation.zone.at_most(&[limit])
    }

    pub(super) fn at_least<C: Cell>(&mut self, situation: &mut Situation<C>, limit: Limit) -> bool {
        self.push(situation, Deed::Beneath(limit));
        situation.zone.at_least(&[limit])
    }

    pub(super) fn rename<C: Cell>(&mut self, situation: &mut Situation<C>, sources: &[u8]) {
        let mut renamed = Zone::default();
        situation.zone.rename(sources, &mut renamed);
        situation.zone = renamed;
        self.push(situation, Deed::Rename(sources.into()));
    }

    pub(super) fn step<C>(&mut self, situation: &mut Situation<C>, step: Step<W>) {
        self.push(situation, Deed::Step(step));
    }

    /// The earliest times of the steps on a trail.
    pub(super) fn solve(&self, trail: TrailId, n_clocks: usize) -> Option<TimedTrace<W>> {
        let mut deeds = Vec::new();
        let mut at = trail;
        while at != EMPTY {
            let (deed, before) = &self.all[at as usize];
            deeds.push(deed);
            at = *before;
        }
        let n_delays = deeds.iter().filter(|deed| matches!(deed, Deed::Delay { .. })).count();
        let mut schedule = Schedule::new(n_delays + 1);
        let (mut now, mut starts): (Moment, Vec<Moment>) = (0, vec![0; n_clocks]);
        let (mut steps, mut moments) = (Vec::new(), Vec::new());
        for deed in deeds.into_iter().rev() {
            match deed {
                Deed::Delay { is_strict } => {
                    now += 1;
                    schedule.at_least(now - 1, now, 0, *is_strict);
                }
                Deed::Above(limit) => {
                    schedule.at_most(starts[limit.clock - 1], now, i64::from(limit.value), limit.is_strict);
                }
                Deed::Beneath(limit) => {
                    schedule.at_least(starts[limit.clock - 1], now, i64::from(limit.value), limit.is_strict);
                }
                Deed::Rename(sources) => {
                    let start = |&source: &u8| if source == 0 { now } else { starts[usize::from(source) - 1] };
                    starts = sources.iter().map(start).collect();
                }
                Deed::Step(step) => {
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
