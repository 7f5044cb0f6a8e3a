//! Minimal acceptances.
//!
//! A stable state accepts its initials: it refuses every set of events disjoint from them. Several acceptances are
//! represented by the minimal ones, an antichain; by upward closure they determine all refusals. Termination is a
//! signal that the environment cannot refuse: a state that can terminate, stable or not, has the acceptance `{✓}`,
//! which subsumes any larger acceptance with `✓`.
//!
//! The revivals models combine a refusal with an event of the same state. Whether a state that accepts `A` is allowed
//! is decided for each event of `A`: some acceptance that is a subset of `A` must contain it. So an acceptance is
//! redundant exactly if it is a union of others.

use crate::interner::{Interner, number};
use crate::{Label, Lts, StateId};

/// Labels in ascending order.
pub type Acceptance = [Label];

/// An antichain of minimal acceptances for each state, equal ones stored once.
#[derive(Clone, Debug)]
pub struct Acceptances {
    sets: Interner<Label>,
    families: Interner<u32>,
    of_state: Vec<u32>,
}

impl Acceptances {
    /// The table of no states.
    pub(crate) fn new() -> Acceptances {
        Acceptances { sets: Interner::new(), families: Interner::new(), of_state: Vec::new() }
    }

    /// The minimal acceptances of a state.
    pub fn of(&self, state: StateId) -> impl Iterator<Item = &Acceptance> {
        self.families.get(self.family(state)).iter().map(|&set| self.sets.get(set))
    }

    /// A number that two states share when they have the same minimal acceptances.
    pub(crate) fn family(&self, state: StateId) -> u32 {
        self.of_state[state.index()]
    }

    /// Sets the family of a state; states before it that have none yet are to be set later.
    pub(crate) fn set(&mut self, state: StateId, family: u32) {
        if self.of_state.len() <= state.index() {
            self.of_state.resize(state.index() + 1, UNSET);
        }
        self.of_state[state.index()] = family;
    }

    pub(crate) fn is_set(&self, state: StateId) -> bool {
        self.of_state.get(state.index()).is_some_and(|&family| family != UNSET)
    }

    /// The table of `old_states` in their new order.
    pub(crate) fn select(&self, old_states: &[StateId]) -> Acceptances {
        let of_state = old_states.iter().map(|&state| self.family(state)).collect();
        Acceptances { sets: self.sets.clone(), families: self.families.clone(), of_state }
    }

    /// The family of these acceptances, reduced to the minimal ones.
    pub(crate) fn intern(&mut self, antichain: &Antichain) -> u32 {
        let mut family: Vec<u32> = antichain.sets.iter().map(|set| self.sets.intern(set)).collect();
        family.sort_unstable();
        self.families.intern(&family)
    }
}

const UNSET: u32 = u32::MAX;

/// Two annotations are equal when every state has the same acceptances, however they are stored.
impl PartialEq for Acceptances {
    fn eq(&self, other: &Acceptances) -> bool {
        let sorted = |acceptances: &Acceptances, state| {
            let mut sets: Vec<Vec<Label>> = acceptances.of(state).map(<[Label]>::to_vec).collect();
            sets.sort_unstable();
            sets
        };
        self.of_state.len() == other.of_state.len()
            && (0..number(self.of_state.len())).map(StateId).all(|state| sorted(self, state) == sorted(other, state))
    }
}

impl Eq for Acceptances {}

/// An antichain of acceptances with respect to inclusion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Antichain {
    pub(crate) sets: Vec<Vec<Label>>,
}

impl Antichain {
    pub(crate) fn clear(&mut self) {
        self.sets.clear();
    }

    /// Adds an acceptance, given in ascending order, unless a subset is present.
    pub(crate) fn add(&mut self, acceptance: &Acceptance) {
        if !self.sets.iter().any(|set| is_subset(set, acceptance)) {
            self.sets.retain(|set| !is_subset(acceptance, set));
            self.sets.push(acceptance.to_vec());
        }
    }

    /// Adds the minimal acceptances of a state: the explicit ones, or its initials if it is stable, and `{✓}` if it can
    /// tick.
    pub(crate) fn add_state(&mut self, lts: &Lts, state: StateId) {
        each_acceptance(lts, state, |acceptance| self.add(acceptance));
    }

    /// Adds the acceptances of a state by its steps alone.
    pub(crate) fn add_natural(&mut self, lts: &Lts, state: StateId) {
        each_natural(lts, state, |acceptance| self.add(acceptance));
    }

    /// Adds an acceptance, given in ascending order, unless it is a union of present ones. The result is no antichain
    /// but has all acceptances that are no union of others.
    pub(crate) fn add_generator(&mut self, acceptance: &Acceptance) {
        if self.generates(acceptance) {
            return;
        }
        let mut larger: Vec<Vec<Label>> = self.sets.extract_if(.., |set| is_subset(acceptance, set)).collect();
        self.sets.push(acceptance.to_vec());
        // A set is larger than the members of a union that it equals.
        larger.sort_by_key(Vec::len);
        for set in larger {
            if !self.generates(&set) {
                self.sets.push(set);
            }
        }
    }

    /// Adds all acceptances of a state by [`Antichain::add_generator`].
    pub(crate) fn add_state_generators(&mut self, lts: &Lts, state: StateId) {
        each_acceptance(lts, state, |acceptance| self.add_generator(acceptance));
    }

    /// Whether a set is a union of one or more of these.
    fn generates(&self, set: &Acceptance) -> bool {
        let parts = || self.sets.iter().filter(|part| is_subset(part, set));
        parts().next().is_some() && set.iter().all(|label| parts().any(|part| part.binary_search(label).is_ok()))
    }
}

/// The acceptances of a state: the explicit ones, or its initials if it is stable, and `{✓}` if it can tick.
fn each_acceptance(lts: &Lts, state: StateId, mut add: impl FnMut(&Acceptance)) {
    match &lts.acceptances {
        None => each_natural(lts, state, add),
        Some(acceptances) => {
            acceptances.of(state).for_each(&mut add);
            if lts.can_terminate(state) {
                add(&[Label::TICK]);
            }
        }
    }
}

/// The acceptances of a state by its steps alone.
fn each_natural(lts: &Lts, state: StateId, mut add: impl FnMut(&Acceptance)) {
    if lts.can_terminate(state) {
        add(&[Label::TICK]);
    } else if lts.is_stable(state) {
        let initials: Vec<Label> = lts.initials(state).collect();
        add(&initials);
    }
}

/// The first of these events, all of them offered and allowed, that no acceptance within the offer has; and the
/// acceptances that have it.
pub fn unrevived(
    events: impl IntoIterator<Item = Label>,
    acceptances: &[Vec<Label>],
    is_offered: impl Fn(&Acceptance) -> bool,
) -> Option<(Label, Vec<Vec<Label>>)> {
    let with = |event: Label| acceptances.iter().filter(move |set| set.binary_search(&event).is_ok());
    let event = events.into_iter().find(|&event| !with(event).any(|set| is_offered(set)))?;
    Some((event, with(event).cloned().collect()))
}

/// Whether all of `small` is in `large`, both in ascending order.
pub(crate) fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().find(|&found| found >= wanted).is_some_and(|found| found == wanted))
}
