//! A network as an explicit transition system.

use crate::failure::Failure;
use crate::lookups::Lookups;
use crate::network::NetworkSpace;
use crate::search::{Search, SearchEnd};
use crate::space::{Node, Space, Steps};
use crate::states::{Place, States};
use crate::width::{NotCompiled, TooWide, with_width};
use limits::intervals::slices::STATES_PER_PIECE;
use lts::{Builder, Label, Lts, StateId, Transition};
use model::network::{Configuration, Network, NetworkStep};
use progress::{Interrupt, Limits, Progress, Stop};
use std::ops::ControlFlow;

/// The states of a network as a transition system, in the order of a breadth-first search.
#[derive(Debug)]
pub struct Explicit<'a> {
    /// The system; state 0 is the initial one.
    pub lts: Lts,
    space: NetworkSpace<'a>,
    /// The packed states, concatenated.
    words: Vec<u64>,
}

/// The reason why a network was not made explicit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotExplicit {
    /// Its states need too many words.
    TooWide(TooWide),
    /// The search ended early.
    Stopped(Stop),
    /// A step fails, and no shorter run leads to a failing step.
    Failed(Box<Failure>),
}

impl From<NotCompiled> for NotExplicit {
    fn from(why: NotCompiled) -> NotExplicit {
        match why {
            NotCompiled::TooWide(why) => NotExplicit::TooWide(why),
            NotCompiled::Interrupted(why) => NotExplicit::Stopped(why.into()),
        }
    }
}

/// Visits all states of a space, unless a step fails.
pub(crate) fn visit_all<const W: usize>(
    space: &NetworkSpace<'_>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Search<W>, NotExplicit> {
    let mut search = Search::<W>::default();
    match search.run(space, limits, progress) {
        SearchEnd::Exhausted => Ok(search),
        SearchEnd::Stopped(stop) => Err(NotExplicit::Stopped(stop)),
        SearchEnd::Found(found) => {
            let path = search.path_to(space, found.place, found.depth, limits.n_workers);
            Err(NotExplicit::Failed(Box::new(Failure::at_end(space, &path))))
        }
    }
}

impl Explicit<'_> {
    /// The configuration of a state.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        let n_words = self.space.n_words();
        self.space.unpack(&self.words[state.index() * n_words..][..n_words])
    }

    /// A step of a state with its rule; the first rule if several take equal steps.
    pub fn step(&self, source: StateId, step: Transition) -> Option<NetworkStep> {
        let words =
            |state: StateId| self.words.get(state.index() * self.space.n_words()..)?.get(..self.space.n_words());
        let (source, target) = (words(source)?, words(step.target)?);
        let found = with_width!(self.space.n_words(), W => {
            self.space.step_between::<W>(&widened(source), step.label, &widened(target))
        });
        found.ok().flatten()
    }
}

/// Words, padded with zeros.
pub(crate) fn widened<const W: usize>(words: &[u64]) -> [u64; W] {
    let mut wide = [0; W];
    wide[..words.len()].copy_from_slice(words);
    wide
}

/// Computes the explicit system of a network. Termination leads to a state, like any other step.
pub fn to_lts<'a>(network: &'a Network, limits: &Limits, progress: &dyn Progress) -> Result<Explicit<'a>, NotExplicit> {
    let (space, _) = NetworkSpace::within(network, &[], progress)?;
    let numbered = with_width!(space.n_words(), W => number_states::<W>(&space, limits, progress));
    let (lts, words) = numbered.map_err(NotExplicit::TooWide)??;
    Ok(Explicit { lts, space, words })
}

fn number_states<const W: usize>(
    space: &NetworkSpace<'_>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(Lts, Vec<u64>), NotExplicit> {
    let Search { states, statistics, .. } = visit_all::<W>(space, limits, progress)?;
    let mut writer = Writer { space, states, numbering: Numbering::default(), builder: Builder::new() };
    let words = writer.write(&|| progress.tick(&statistics)).map_err(NotExplicit::Stopped)?;
    Ok((writer.builder.finish(StateId(0)), words))
}

struct Writer<'a, const W: usize> {
    space: &'a NetworkSpace<'a>,
    states: States<W>,
    numbering: Numbering,
    builder: Builder,
}

impl<const W: usize> Writer<'_, W> {
    /// Writes the steps of all states; returns the words of the states in order.
    fn write(&mut self, keep_on: &dyn Fn() -> ControlFlow<Interrupt>) -> Result<Vec<u64>, Stop> {
        let n_words = self.space.n_words();
        let mut words = Vec::with_capacity(self.states.len() as usize * n_words);
        let first = self.states.insert(&self.space.initial());
        self.builder.add_state(self.numbering.number(first));
        let mut batch = Batch::default();
        let mut next = 0;
        while next < self.numbering.order.len() {
            let end = self.numbering.order.len().min(next + STATES_PER_PIECE);
            for number in next..end {
                let state = self.states.get(self.numbering.order[number]);
                words.extend(&state[..n_words]);
                batch.expand(self.space, &state, number as u32);
            }
            batch.find_targets(&self.states);
            for edge in batch.edges.drain(..) {
                self.builder.add(StateId(edge.source), edge.label, self.numbering.number(edge.target));
            }
            next = end;
            if let ControlFlow::Break(why) = keep_on() {
                return Err(Stop::Interrupted(why));
            }
        }
        Ok(words)
    }
}

/// The steps of some consecutive states.
struct Batch<const W: usize> {
    edges: Vec<Edge>,
    steps: Steps<W>,
    lookups: Lookups<W>,
}

struct Edge {
    source: u32,
    label: Label,
    target: Place,
}

impl<const W: usize> Default for Batch<W> {
    fn default() -> Self {
        Batch { edges: Vec::new(), steps: Steps::new(), lookups: Lookups::default() }
    }
}

impl<const W: usize> Batch<W> {
    /// Appends the steps of a state; their targets are looked up later.
    fn expand(&mut self, space: &NetworkSpace<'_>, state: &[u64; W], source: u32) {
        self.steps.clear();
        _ = space.expand(Node::of(state), &mut (), &mut self.steps);
        for step in &self.steps {
            self.lookups.add_lookup(step.target, self.edges.len() as u32);
            self.edges.push(Edge { source, label: step.label, target: Place::new(0, 0) });
        }
    }

    fn find_targets(&mut self, states: &States<W>) {
        self.lookups.answer(states, |edge, place| {
            self.edges[edge as usize].target = place.expect("a search without findings met all states");
        });
    }
}

/// A numbering of states in the order of their first lookup.
#[derive(Default)]
struct Numbering {
    order: Vec<Place>,
    /// For each shard, the numbers of its states, counted from 1; 0 if a state has none yet.
    numbers: Vec<Vec<u32>>,
}

impl Numbering {
    fn number(&mut self, place: Place) -> StateId {
        if self.numbers.len() <= place.shard() {
            self.numbers.resize(place.shard() + 1, Vec::new());
        }
        let numbers = &mut self.numbers[place.shard()];
        if numbers.len() <= place.number() {
            numbers.resize(place.number() + 1, 0);
        }
        let number = &mut numbers[place.number()];
        if *number == 0 {
            self.order.push(place);
            *number = self.order.len() as u32;
        }
        StateId(*number - 1)
    }
}
