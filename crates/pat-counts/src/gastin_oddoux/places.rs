//! States of an automaton that is being reduced: in an order, and with what stands for those that were removed.

/// The states that are left, by number.
#[derive(Default, Debug)]
pub(super) struct Places {
    /// Those that are left; new ones come to the front.
    pub(super) order: Vec<usize>,
    /// For those that were removed, which state stands for them, if any; the last one removed comes last.
    removed: Vec<(usize, Option<usize>)>,
}

impl Places {
    pub(super) fn add(&mut self, state: usize) {
        self.order.insert(0, state);
    }

    /// Takes a state out. What it stood for is from now on stood for by another one.
    pub(super) fn remove(&mut self, state: usize, instead: Option<usize>) {
        self.order.retain(|&kept| kept != state);
        for (_, other) in &mut self.removed {
            if *other == Some(state) {
                *other = instead;
            }
        }
        self.removed.push((state, instead));
    }

    /// Those that were removed, the last one first.
    pub(super) fn removed(&self) -> impl Iterator<Item = usize> + '_ {
        self.removed.iter().rev().map(|&(state, _)| state)
    }

    /// The state itself, or what stands for it.
    pub(super) fn standing_for(&self, state: usize) -> Option<usize> {
        match self.removed.iter().rev().find(|&&(removed, _)| removed == state) {
            Some(&(_, instead)) => instead,
            None => Some(state),
        }
    }

    /// Nothing leads to those that were removed any more.
    pub(super) fn forget_removed(&mut self) {
        self.removed.clear();
    }
}
