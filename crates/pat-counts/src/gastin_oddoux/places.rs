//! States of an automaton during its simplification: their order, and representatives of removed states.

/// Remaining states, by number.
#[derive(Default, Debug)]
pub(super) struct Places {
    /// Remaining states; new ones are prepended.
    pub(super) order: Vec<usize>,
    /// Removed states with their representatives, if any; the last one removed comes last.
    removed: Vec<(usize, Option<usize>)>,
}

impl Places {
    pub(super) fn add(&mut self, state: usize) {
        self.order.insert(0, state);
    }

    /// Removes a state. Another one becomes its representative, and that of the states it represented.
    pub(super) fn remove(&mut self, state: usize, instead: Option<usize>) {
        self.order.retain(|&kept| kept != state);
        for (_, other) in &mut self.removed {
            if *other == Some(state) {
                *other = instead;
            }
        }
        self.removed.push((state, instead));
    }

    /// Removed states, the last one first.
    pub(super) fn removed(&self) -> impl Iterator<Item = usize> + '_ {
        self.removed.iter().rev().map(|&(state, _)| state)
    }

    /// Representative of a state.
    pub(super) fn standing_for(&self, state: usize) -> Option<usize> {
        match self.removed.iter().rev().find(|&&(removed, _)| removed == state) {
            Some(&(_, instead)) => instead,
            None => Some(state),
        }
    }

    /// Clears the removed states, once no edge leads to them.
    pub(super) fn forget_removed(&mut self) {
        self.removed.clear();
    }
}
