//! Breadth-first search for a shortest bad prefix of a safety property.
//!
//! If the automaton of the violations reaches a state that accepts every word, every continuation violates the
//! property.

use super::nodes::UNVISITED;
use super::{Cursor, Product};
use crate::system::ActionSystem;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// The result of the search.
pub(super) enum Prefix {
    /// There is no bad prefix.
    None,
    /// A bad prefix leads to this node.
    Bad(u32),
    /// The search was cancelled.
    Stopped(Interrupt),
}

impl<S: ActionSystem> Product<'_, S> {
    /// Searches for a nearest node whose automaton state accepts every word.
    pub(super) fn find_prefix(&mut self, progress: &dyn Progress) -> Prefix {
        let initial = self.initial();
        let first = self.nodes.number(initial);
        self.start_nodes();
        self.nodes.visit(first);
        let mut queue = vec![first];
        let mut place = 0;
        while let Some(&number) = queue.get(place) {
            if place.is_multiple_of(1 << 12)
                && let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(queue.len()))
            {
                return Prefix::Stopped(why);
            }
            place += 1;
            let node = self.nodes.get(number);
            if self.automaton.accepts_everything(self.automaton_state(node)) {
                return Prefix::Bad(number);
            }
            let mut cursor = Cursor::default();
            while let Some(next) = self.next(node, &mut cursor) {
                let target = self.nodes.number(next.target);
                if self.nodes.order(target) == UNVISITED {
                    self.nodes.visit(target);
                    queue.push(target);
                }
            }
        }
        Prefix::None
    }
}
