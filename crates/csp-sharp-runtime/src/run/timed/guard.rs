//! Clock guards of steps.

use crate::code::{ClockId, Interner};
use smallvec::SmallVec;

/// Number of a clock guard: a conjunction of lower bounds of clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct GuardId(u32);

impl GuardId {
    /// The guard that is always true.
    pub(crate) const NONE: GuardId = GuardId(0);
}

/// Lower bounds of clocks, in ascending order, at most one for each clock.
type Bounds = SmallVec<[(ClockId, i32); 2]>;

/// Hash-consed guards.
#[derive(Debug)]
pub(crate) struct Guards {
    all: Interner<Bounds>,
}

impl Guards {
    pub(crate) fn new() -> Guards {
        let mut all = Interner::default();
        all.intern(Bounds::new());
        Guards { all }
    }

    /// The lower bounds of a guard.
    pub(crate) fn get(&self, guard: GuardId) -> &[(ClockId, i32)] {
        self.all.get(guard.0)
    }

    /// The conjunction of a guard with a lower bound of a clock.
    pub(crate) fn and_clock(&mut self, guard: GuardId, clock: ClockId, least: i32) -> GuardId {
        if least <= 0 {
            return guard;
        }
        let mut bounds = self.all.get(guard.0).clone();
        match bounds.binary_search_by_key(&clock, |bound| bound.0) {
            Ok(place) => bounds[place].1 = bounds[place].1.max(least),
            Err(place) => bounds.insert(place, (clock, least)),
        }
        GuardId(self.all.intern(bounds).0)
    }

    /// The conjunctions of all pairs of guards.
    pub(crate) fn and_each(&mut self, some: &[GuardId], others: &[GuardId]) -> SmallVec<[GuardId; 2]> {
        let mut all: SmallVec<[GuardId; 2]> = SmallVec::new();
        for &one in some {
            for &other in others {
                all.push(self.and(one, other));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The conjunction of two guards.
    pub(crate) fn and(&mut self, one: GuardId, other: GuardId) -> GuardId {
        if one == GuardId::NONE || other == GuardId::NONE {
            return GuardId(one.0.max(other.0));
        }
        let bounds = self.all.get(other.0).clone();
        bounds.iter().fold(one, |guard, &(clock, least)| self.and_clock(guard, clock, least))
    }
}
