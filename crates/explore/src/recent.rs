//! A cache of recently discovered states.
//!
//! Commuting steps lead to the same state from states that were discovered in sequence, so most states are reached
//! again soon in the order of discovery. A small table stores the last state of each hash. A hit needs no lookup in the
//! shards; a miss may be a new state.

/// Bytes of the table, chosen to fit into the private cache of a core.
const BYTES: usize = 1 << 18;

/// A direct-mapped cache of states.
#[derive(Debug, Default)]
pub(crate) struct Recent<const W: usize> {
    states: Vec<[u64; W]>,
}

impl<const W: usize> Recent<W> {
    /// Allocates the table once. A known state fills it, so that no entry is empty.
    pub(crate) fn make_room(&mut self, known: &[u64; W]) {
        if self.states.is_empty() {
            self.states = vec![*known; (BYTES / size_of::<[u64; W]>()).next_power_of_two()];
        }
    }

    /// Whether a state may be new; it is in the cache afterwards. The table must be allocated.
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
    fn cache_hits_are_known_states() {
        let mut random = Random::new(seed());
        let mut recent = Recent::<2>::default();
        recent.make_room(&[1, 1]);
        let mut known_states = HashSet::from([[1, 1]]);
        let mut n_known = 0;
        for _ in 0..200_000 {
            let state = [random.below(100) as u64, random.below(1000) as u64];
            let may_be_new = recent.may_be_new(&state, hash(&state));
            assert!(may_be_new || known_states.contains(&state), "TEST_SEED={}", seed());
            assert!(!recent.may_be_new(&state, hash(&state)));
            known_states.insert(state);
            n_known += usize::from(!may_be_new);
        }
        assert!(n_known > 1000, "{n_known} of 200,000 were known");
    }
}
