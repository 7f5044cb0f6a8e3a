//! A network whose states are made when they are asked for.

use crate::network::NetworkSpace;
use crate::reduction::Reduction;
use crate::space::{Space, Steps};
use crate::store::{MAX_STATES, Shard};
use crate::width::{TooWide, with_width};
use lts::{StateId, Transition};
use model::network::{Configuration, Network};

/// The states of a network as far as somebody wanted to know; state 0 is the initial one.
pub struct Growing<'a> {
    space: NetworkSpace<'a>,
    states: Box<dyn Grow + 'a>,
}

trait Grow {
    fn len(&self) -> usize;
    fn words(&self, state: StateId) -> &[u64];
    fn known_steps(&self, state: StateId) -> Option<&[Transition]>;
    fn expand(&mut self, space: &NetworkSpace<'_>, state: StateId) -> bool;
}

impl<'a> Growing<'a> {
    /// There are never more states than these.
    pub const MAX_STATES: usize = MAX_STATES;

    /// A network of which nothing is known but its initial state.
    pub fn new(network: &'a Network, reduction: Reduction) -> Result<Growing<'a>, TooWide> {
        let space = NetworkSpace::new(network, &[]).0.reduced(reduction);
        let states = with_width!(space.n_words(), W => {
            let mut states = Shard::<W>::default();
            states.insert(&space.initial());
            Box::new(Grown { states, spans: Vec::new(), steps: Vec::new(), buffer: Steps::new() }) as Box<dyn Grow>
        })?;
        Ok(Growing { space, states })
    }

    /// How many states were met.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The steps of a state that was met; nothing if there are more states than can be kept.
    pub fn steps(&mut self, state: StateId) -> Option<&[Transition]> {
        if self.states.known_steps(state).is_none() && !self.states.expand(&self.space, state) {
            return None;
        }
        self.states.known_steps(state)
    }

    /// The steps of a state that were asked for before.
    pub fn known_steps(&self, state: StateId) -> Option<&[Transition]> {
        self.states.known_steps(state)
    }

    /// The configuration of a state that was met.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.space.unpack(&self.states.words(state)[..self.space.n_words()])
    }
}

/// Where the steps of a state are.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

/// In place of what is not known yet.
const UNKNOWN: Span = Span { start: 1, end: 0 };

struct Grown<const W: usize> {
    states: Shard<W>,
    spans: Vec<Span>,
    steps: Vec<Transition>,
    buffer: Steps<W>,
}

impl<const W: usize> Grow for Grown<W> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn words(&self, state: StateId) -> &[u64] {
        self.states.state(state.index())
    }

    #[inline]
    fn known_steps(&self, state: StateId) -> Option<&[Transition]> {
        let span = self.spans.get(state.index())?;
        (span.start <= span.end).then(|| &self.steps[span.start as usize..span.end as usize])
    }

    /// Finds the steps of a state; false if there is no room for them.
    fn expand(&mut self, space: &NetworkSpace<'_>, state: StateId) -> bool {
        self.buffer.clear();
        space.successors(self.states.state(state.index()), &mut self.buffer);
        if self.states.len() + self.buffer.len() >= MAX_STATES {
            return false;
        }
        let start = self.steps.len();
        for step in &self.buffer {
            let target = StateId(self.states.insert(&step.target) as u32);
            self.steps.push(Transition { label: step.label, target });
        }
        self.steps[start..].sort_unstable();
        let mut end = start;
        for place in start..self.steps.len() {
            if place == start || self.steps[place] != self.steps[end - 1] {
                self.steps[end] = self.steps[place];
                end += 1;
            }
        }
        self.steps.truncate(end);
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { return false };
        if self.spans.len() <= state.index() {
            self.spans.resize(self.states.len(), UNKNOWN);
        }
        self.spans[state.index()] = Span { start, end };
        true
    }
}
