//! Timed systems: locations with clocks that come and go.

use crate::abstraction::Limits;
use crate::zone::Limit;
use explore::{Judgment, Step, Steps};
use std::ops::Range;

/// A timed system. Its discrete states, the *locations*, are packed into words; clocks are numbered from 1 in each of
/// them.
///
/// Upper limits are limits of time, and steps have lower limits only. So time never withdraws a step: where a location
/// lets time pass up to some moment, everything that is possible in between is possible at that moment.
pub trait TimedSystem<const W: usize> {
    /// The location with which all runs begin, all its clocks at 0.
    fn initial(&self) -> [u64; W];

    /// Tells what is known of a location.
    fn location(&self, state: &[u64; W], location: &mut Location);

    /// Appends the edges of a location, always in the same order. Something may be found in the location itself.
    fn edges(&self, state: &[u64; W], location: &Location, edges: &mut Edges<W>) -> Judgment;

    /// Whether a location is one that is looked for.
    fn is_wanted(&self, state: &[u64; W]) -> bool {
        let _ = state;
        false
    }

    /// Appends for each clock of the location after an edge the clock before it whose value it has; 0 for one that is
    /// started.
    fn sources(&self, source: &Location, edges: &Edges<W>, edge: &Edge<W>, target: &Location, sources: &mut Vec<u8>);
}

/// What is known of a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// What each clock is compared with from here on; there is one for each clock.
    pub limits: Vec<Limits>,
    /// Time does not pass beyond these.
    pub bounds: Vec<Limit>,
    /// No time passes at all.
    pub is_urgent: bool,
    /// Whether the edges may say more of when no time passes.
    pub has_urgent_edges: bool,
    /// Whether it has ended here, so that it is not stuck.
    pub is_terminated: bool,
    /// For the system itself: which of all clocks are those of the location.
    pub clocks: u64,
}

impl Location {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.limits.clear();
        self.bounds.clear();
        (self.is_urgent, self.has_urgent_edges, self.is_terminated, self.clocks) = (false, false, false, 0);
    }

    /// How many clocks it has.
    pub fn n_clocks(&self) -> usize {
        self.limits.len()
    }
}

/// A step to another location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge<const W: usize> {
    /// Where it leads, and what is seen.
    pub step: Step<W>,
    guard: Range<u32>,
    sources: Range<u32>,
    /// For the system itself: which of all clocks are started.
    pub starts: u64,
}

/// The edges of a location, in buffers that are used again.
#[derive(Clone, Debug)]
pub struct Edges<const W: usize> {
    all: Vec<Edge<W>>,
    /// Guards once which are met, no time passes.
    urgent: Vec<Range<u32>>,
    limits: Vec<Limit>,
    sources: Vec<u8>,
    /// A buffer for whoever makes the edges.
    pub steps: Steps<W>,
}

impl<const W: usize> Default for Edges<W> {
    fn default() -> Self {
        Edges { all: Vec::new(), urgent: Vec::new(), limits: Vec::new(), sources: Vec::new(), steps: Steps::new() }
    }
}

impl<const W: usize> Edges<W> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.all.clear();
        self.urgent.clear();
        self.limits.clear();
        self.sources.clear();
        self.steps.clear();
    }

    /// Adds an edge whose guard has these limits. `starts` and `sources` are whatever the system wants to know of it
    /// later.
    pub fn push(&mut self, step: Step<W>, guard: impl IntoIterator<Item = Limit>, starts: u64, sources: &[u8]) {
        let guard = self.add_limits(guard);
        let first_source = self.sources.len() as u32;
        self.sources.extend_from_slice(sources);
        self.all.push(Edge { step, guard, sources: first_source..self.sources.len() as u32, starts });
    }

    /// No time passes once these limits are met. They are those of silent edges, and none of them is strict.
    pub fn push_urgent(&mut self, guard: impl IntoIterator<Item = Limit>) {
        let guard = self.add_limits(guard);
        self.urgent.push(guard);
    }

    fn add_limits(&mut self, limits: impl IntoIterator<Item = Limit>) -> Range<u32> {
        let first = self.limits.len() as u32;
        self.limits.extend(limits);
        first..self.limits.len() as u32
    }

    /// The guards once which are met, no time passes.
    pub fn urgent(&self) -> impl Iterator<Item = &[Limit]> {
        self.urgent.iter().map(|guard| self.limits_in(guard))
    }

    fn limits_in(&self, range: &Range<u32>) -> &[Limit] {
        &self.limits[range.start as usize..range.end as usize]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Edge<W>> {
        self.all.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// An edge is taken only when these lower limits are met.
    pub fn guard(&self, edge: &Edge<W>) -> &[Limit] {
        self.limits_in(&edge.guard)
    }

    /// What was said of the clocks of an edge when it was added.
    pub fn sources(&self, edge: &Edge<W>) -> &[u8] {
        &self.sources[edge.sources.start as usize..edge.sources.end as usize]
    }
}
