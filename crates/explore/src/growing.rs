//! Networks explored on the fly, with numbered states.

use crate::explicit::NotExplicit;
use crate::failure::{Failure, failed_step};
use crate::network::NetworkSpace;
use crate::reduction::Reduction;
use crate::space::{Judgment, Space, Steps};
use crate::store::{MAX_STATES, Shard};
use crate::width::{TooWide, with_width};
use lts::walk::{System, shortest_run_to};
use lts::{StateId, Stop, Transition, Watch};
use model::network::{Configuration, Network, NetworkStep};
use progress::Progress;
use std::convert::Infallible;

/// The discovered states of a network, with the steps computed on demand; state 0 is the initial one.
pub struct Growing<'a> {
    space: NetworkSpace<'a>,
    states: Box<dyn Grow + Send + 'a>,
}

trait Grow {
    fn len(&self) -> usize;
    fn words(&self, state: StateId) -> &[u64];
    fn known_steps(&self, state: StateId) -> Option<&[Transition]>;
    fn expand(&mut self, space: &NetworkSpace<'_>, state: StateId) -> bool;
    fn step(&self, space: &NetworkSpace<'_>, source: StateId, step: Transition) -> Option<NetworkStep>;
    fn failed(&self) -> Option<StateId>;
}

impl<'a> Growing<'a> {
    /// The largest number of states.
    pub const MAX_STATES: usize = MAX_STATES;

    /// A network with only its initial state.
    pub fn new(network: &'a Network, reduction: Reduction) -> Result<Growing<'a>, TooWide> {
        let space = NetworkSpace::new(network, &[])?.0;
        Growing::in_space(space, reduction)
    }

    /// [`Growing::new`] with cancellation during compilation.
    ///
    /// # Errors
    /// If its states are too wide, or it is cancelled.
    pub fn within(
        network: &'a Network,
        reduction: Reduction,
        progress: &dyn Progress,
    ) -> Result<Growing<'a>, NotExplicit> {
        let space = NetworkSpace::within(network, &[], progress)?.0;
        Growing::in_space(space, reduction).map_err(NotExplicit::TooWide)
    }

    fn in_space(space: NetworkSpace<'a>, reduction: Reduction) -> Result<Growing<'a>, TooWide> {
        let space = space.reduced(reduction);
        let states = with_width!(space.n_words(), W => {
            let mut states = Shard::<W>::default();
            states.insert(&space.initial());
            let (spans, steps) = (Vec::new(), Vec::new());
            Box::new(Grown { states, spans, steps, buffer: Steps::new(), failed: None }) as Box<dyn Grow + Send>
        })?;
        Ok(Growing { space, states })
    }

    /// The number of discovered states.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The steps of a discovered state; none if there are too many states, or if a step fails: then
    /// [`Growing::failure`] returns it.
    pub fn steps(&mut self, state: StateId) -> Option<&[Transition]> {
        if self.states.known_steps(state).is_none() && !self.states.expand(&self.space, state) {
            return None;
        }
        self.states.known_steps(state)
    }

    /// The steps of a state, if they were computed.
    pub fn known_steps(&self, state: StateId) -> Option<&[Transition]> {
        self.states.known_steps(state)
    }

    /// A computed step of a state with its rule; the first rule if several take equal steps.
    pub fn step(&self, source: StateId, step: Transition) -> Option<NetworkStep> {
        self.states.step(&self.space, source, step)
    }

    /// A failing step of the first expanded state that has one.
    pub fn failure(&self) -> Option<Failure> {
        let failed = self.states.failed()?;
        let steps = self.steps_to(failed).into_iter().map(|(source, step)| self.step(source, step));
        let steps = steps.collect::<Option<Vec<_>>>().expect("the steps were found before");
        Some(Failure { steps, failed: failed_step(self.space.network(), &self.configuration(failed)) })
    }

    /// A shortest run to a state among the computed steps: the source of each, and the step.
    fn steps_to(&self, state: StateId) -> Vec<(StateId, Transition)> {
        let steps = shortest_run_to(&mut KnownPart(self), StateId(0), |&at| at == state, &mut Watch::none());
        let steps = steps.expect("nothing ends the search").unwrap_or_default();
        let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
        sources.zip(steps.iter().copied()).collect()
    }

    /// The configuration of a discovered state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.space.unpack(&self.states.words(state)[..self.space.n_words()])
    }
}

/// The reason why the steps of a state are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotGrown {
    /// There are too many states.
    Stopped(Stop),
    /// A step fails.
    Failed(Box<Failure>),
}

impl From<Infallible> for NotGrown {
    fn from(never: Infallible) -> NotGrown {
        match never {}
    }
}

/// The system of the computed steps.
struct KnownPart<'a, 'n>(&'a Growing<'n>);

impl System for KnownPart<'_, '_> {
    type State = StateId;
    type Step = Transition;
    type Error = Infallible;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Infallible> {
        Ok(self.0.known_steps(*state).unwrap_or_default())
    }
}

impl System for Growing<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = NotGrown;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], NotGrown> {
        if self.states.known_steps(state).is_none() && !self.states.expand(&self.space, state) {
            let failure = self.failure().map(|failure| NotGrown::Failed(failure.into()));
            return Err(failure.unwrap_or(NotGrown::Stopped(Stop::MaxStates)));
        }
        Ok(self.states.known_steps(state).unwrap_or_default())
    }

    fn n_known(&self) -> usize {
        self.n_states()
    }
}

/// The range of the steps of a state.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

/// Marks a state whose steps are not computed.
const UNKNOWN: Span = Span { start: 1, end: 0 };

struct Grown<const W: usize> {
    states: Shard<W>,
    spans: Vec<Span>,
    steps: Vec<Transition>,
    buffer: Steps<W>,
    /// The first expanded state with a failing step.
    failed: Option<StateId>,
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

    fn step(&self, space: &NetworkSpace<'_>, source: StateId, step: Transition) -> Option<NetworkStep> {
        space.step_between(self.states.state(source.index()), step.label, self.states.state(step.target.index()))
    }

    fn failed(&self) -> Option<StateId> {
        self.failed
    }

    /// Computes the steps of a state; false if there is no room for them, or one fails.
    fn expand(&mut self, space: &NetworkSpace<'_>, state: StateId) -> bool {
        self.buffer.clear();
        if space.successors(self.states.state(state.index()), &mut self.buffer) != Judgment::Fine {
            self.failed.get_or_insert(state);
            return false;
        }
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
