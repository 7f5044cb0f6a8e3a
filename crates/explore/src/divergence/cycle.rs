//! Depth-first search for a cycle of silent steps among the visited states.

use super::Places;
use super::settle::settle;
use crate::levels::Levels;
use crate::space::{Node, PlainSpace, Steps};
use crate::states::{Place, States};
use limits::intervals::polling::STATES_PER_POLL;
use lts::Label;
use progress::{Interrupt, Stop};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A divergent state with its cycle.
#[derive(Debug)]
pub(crate) struct Divergence {
    /// The length of a shortest run to it.
    pub(crate) depth: u64,
    /// The state, followed by states along silent steps.
    pub(crate) lasso: Vec<Place>,
    /// The position of the state that the last one equals.
    pub(crate) loop_start: usize,
}

/// The limits of a search for a divergence.
pub(crate) struct DivergenceLimits<'a> {
    /// Only states of smaller depth count.
    pub(crate) max_depth: u64,
    /// The number of further states that may be visited to find a cycle outside of the search, which ends with
    /// [`Stop::MaxStates`] beyond that. If none, unvisited states are ignored, and none is added.
    pub(crate) max_beyond: Option<u64>,
    /// The number of workers, at least one.
    pub(crate) n_workers: usize,
    /// Polls for cancellation.
    pub(crate) keep_on: &'a dyn Fn() -> ControlFlow<Interrupt>,
}

/// The first divergent state.
pub(crate) fn first_divergence<const W: usize>(
    states: &mut States<W>,
    levels: &Levels,
    space: &impl PlainSpace<W>,
    limits: &DivergenceLimits<'_>,
) -> Result<Option<Divergence>, Stop> {
    let closed = settle(states, levels, space, limits.n_workers, limits.keep_on)?;
    let open = Places::none_of(states);
    let n_beyond = limits.max_beyond;
    let mut walk =
        Walk { states, space, open, closed, stack: Vec::new(), steps: Steps::new(), n_beyond, n_expanded: 0 };
    for (depth, level) in (0..limits.max_depth).zip(levels.forward()) {
        for place in level.places() {
            if let Some(last) = walk.find_cycle(place, limits.keep_on)? {
                return Ok(Some(walk.divergence(depth, last)));
            }
        }
    }
    Ok(None)
}

struct Walk<'a, const W: usize, S> {
    states: &'a mut States<W>,
    space: &'a S,
    /// The states on the path of the search.
    open: Places,
    /// The completed states, which do not diverge.
    closed: Places,
    /// Open states, each followed by its successors that were new. A state popped while it is open is complete: if it
    /// also occurs further down, it is closed when that occurrence is popped.
    stack: Vec<Place>,
    steps: Steps<W>,
    /// The number of further states that may be visited; none if unvisited states are ignored.
    n_beyond: Option<u64>,
    n_expanded: u64,
}

impl<const W: usize, S: PlainSpace<W>> Walk<'_, W, S> {
    /// Searches along silent steps; returns an open state that closes a cycle with the last open state.
    fn find_cycle(
        &mut self,
        first: Place,
        keep_on: &dyn Fn() -> ControlFlow<Interrupt>,
    ) -> Result<Option<Place>, Stop> {
        self.stack.push(first);
        while let Some(&place) = self.stack.last() {
            if self.closed.contains(place) || self.open.contains(place) {
                self.closed.insert(place);
                self.stack.pop();
                continue;
            }
            if let Some(last) = self.open(place)? {
                return Ok(Some(last));
            }
            self.n_expanded += 1;
            if self.n_expanded.is_multiple_of(STATES_PER_POLL as u64)
                && let ControlFlow::Break(why) = keep_on()
            {
                return Err(Stop::Interrupted(why));
            }
        }
        Ok(None)
    }

    /// Opens a state; returns an open state among its silent successors.
    fn open(&mut self, place: Place) -> Result<Option<Place>, Stop> {
        self.open.insert(place);
        self.steps.clear();
        let state = self.states.get(place);
        _ = self.space.expand(Node::of(&state), &mut (), &mut self.steps);
        for step in self.steps.iter().filter(|step| step.label == Label::TAU) {
            let target = match (self.states.find(&step.target), &mut self.n_beyond) {
                (Some(target), _) => target,
                (None, None) => continue,
                (None, Some(0)) => return Err(Stop::MaxStates),
                (None, Some(n_beyond)) => {
                    *n_beyond -= 1;
                    self.states.insert(&step.target)
                }
            };
            if self.open.contains(target) && !self.closed.contains(target) {
                return Ok(Some(target));
            }
            if !self.closed.contains(target) {
                self.stack.push(target);
            }
        }
        Ok(None)
    }

    /// The divergence of the open states, with a cycle that closes at `last`.
    fn divergence(&self, depth: u64, last: Place) -> Divergence {
        let mut seen = HashSet::new();
        let is_on_lasso = |place: &Place| self.open.contains(*place) && !self.closed.contains(*place);
        // A state may also occur further down, where it was pushed as new.
        let open = self.stack.iter().rev().copied().filter(is_on_lasso);
        let mut lasso: Vec<Place> = open.filter(|&place| seen.insert(place)).collect();
        lasso.reverse();
        let loop_start = lasso.iter().position(|&place| place == last).expect("the last state is open");
        lasso.push(last);
        Divergence { depth, lasso, loop_start }
    }
}
