//! Properties that a finite run can break for good: the nearest such run.
//!
//! Once the automaton is where it accepts everything, the property is broken however the run goes on. The search goes
//! breadth first, so the run is shortest.

use super::nodes::UNMET;
use super::{Cursor, Product};
use crate::system::ActionSystem;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// How a search for a bad prefix ended.
pub(super) enum Prefix {
    /// There is none.
    None,
    /// It ends in this node.
    Bad(u32),
    /// Somebody asked to stop.
    Stopped(Interrupt),
}

impl<S: ActionSystem> Product<'_, S> {
    /// Looks for the nearest node in which everything is accepted.
    pub(super) fn find_prefix(&mut self, progress: &dyn Progress) -> Prefix {
        let initial = self.initial();
        let first = self.nodes.number(initial);
        self.start_nodes();
        self.nodes.meet(first);
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
                if self.nodes.order(target) == UNMET {
                    self.nodes.meet(target);
                    queue.push(target);
                }
            }
        }
        Prefix::None
    }
}
