//! States that were met a moment ago.
//!
//! Steps that commute lead to the same state from states that were discovered one after the other, so in the order of
//! discovery most states are met again soon. A small table remembers for each hash the last state with it. What is
//! found there needs no further look, and what is not may be new.

/// Bytes of the table: well within what a core has as a cache of its own.
const BYTES: usize = 1 << 18;

/// Some of the states met last.
#[derive(Debug, Default)]
pub(crate) struct Recent<const W: usize> {
    states: Vec<[u64; W]>,
}

impl<const W: usize> Recent<W> {
    /// Makes room, once. The table is never empty, so it begins with a state that is known.
    pub(crate) fn make_room(&mut self, known: &[u64; W]) {
        if self.states.is_empty() {
            self.states = vec![*known; (BYTES / size_of::<[u64; W]>()).next_power_of_two()];
        }
    }

    /// Whether a state may be one that was not met; from now on it is known. There must be room.
    #[inline]
    pub(crate) fn may_be_new(&mut self, state: &[u64; W], hash: u64) -> bool {
        let place = hash as usize & (self.states.len() - 1);
        let known = &mut self.states[place];
        let is_known = known == state;
        *known = *state;
        !is_known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;
    use std::collections::HashSet;
    use test_support::mutate::{Random, seed};

    #[test]
    fn what_is_not_new_was_met() {
        let mut random = Random::new(seed());
        let mut recent = Recent::<2>::default();
        recent.make_room(&[1, 1]);
        let mut met = HashSet::from([[1, 1]]);
        let mut n_known = 0;
        for _ in 0..200_000 {
            let state = [random.below(100) as u64, random.below(1000) as u64];
            let may_be_new = recent.may_be_new(&state, hash(&state));
            assert!(may_be_new || met.contains(&state), "TEST_SEED={}", seed());
            assert!(!recent.may_be_new(&state, hash(&state)));
            met.insert(state);
            n_known += usize::from(!may_be_new);
        }
        assert!(n_known > 1000, "{n_known} of 200,000 were known");
    }
}
