//! Properties that a finite run can break for good: the nearest such run.
//!
//! Once the automaton is where it accepts everything, the property is broken however the run goes on. The search goes breadth
//! first, so the run is shortest.

use super::{Cursor, Product};
use crate::system::System;

/// How a search for a bad prefix ended.
pub(super) enum Prefix {
    /// There is none.
    None,
    /// It ends in this node.
    Bad(u32),
    /// Somebody asked to stop.
    Stopped,
}

impl<S: System> Product<'_, S> {
    /// Looks for the nearest node in which everything is accepted.
    pub(super) fn find_prefix(&mut self, keep_on: &mut dyn FnMut(usize) -> bool) -> Prefix {
        let initial = self.initial();
        let (mut next, _) = self.nodes.number(initial);
        while (next as usize) < self.nodes.len() {
            if next % (1 << 12) == 0 && !keep_on(self.nodes.len()) {
                return Prefix::Stopped;
            }
            let node = self.nodes.get(next);
            if self.automaton.accepts_everything(self.automaton_state(node)) {
                return Prefix::Bad(next);
            }
            let mut cursor = Cursor::default();
            while let Some(made) = self.next(node, &mut cursor) {
                self.nodes.number(made.target);
            }
            next += 1;
        }
        Prefix::None
    }
}
