//! Timed systems: locations with active clocks, guards and invariants.

use crate::abstraction::Limits;
use crate::zone::Limit;
use explore::{Judgment, Step, Steps};
use std::ops::Range;

/// A timed system. Its discrete states, the *locations*, are packed into words; clocks are numbered from 1 in each of
/// them.
///
/// Invariants are upper limits, and guards are lower limits only. So time never disables a step: if a location lets
/// time pass up to some moment, every step enabled in between is enabled at that moment.
pub trait TimedSystem<const W: usize> {
    /// The initial location, in which all clocks are 0.
    fn initial(&self) -> [u64; W];

    /// Computes the attributes of a location.
    fn location(&self, state: &[u64; W], location: &mut Location);

    /// Appends the edges of a location, always in the same order. The location itself may be a finding.
    fn edges(&self, state: &[u64; W], location: &Location, edges: &mut Edges<W>) -> Judgment;

    /// Whether a location is a goal of the search.
    fn is_wanted(&self, state: &[u64; W]) -> bool {
        let _ = state;
        false
    }

    /// Appends for each clock of the target location its source, a clock of the source location; 0 for a reset.
    fn sources(&self, source: &Location, edges: &Edges<W>, edge: &Edge<W>, target: &Location, sources: &mut Vec<u8>);
}

/// The attributes of a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The constants that each clock is compared with from here on.
    pub limits: Vec<Limits>,
    /// The invariants.
    pub bounds: Vec<Limit>,
    /// Whether no time passes at all.
    pub is_urgent: bool,
    /// Whether edges may be urgent.
    pub has_urgent_edges: bool,
    /// Whether the system has terminated, so that the location is no deadlock.
    pub is_terminated: bool,
    /// For the system itself: the active clocks, as a bit set.
    pub clocks: u64,
}

impl Location {
    /// Resets all attributes.
    pub fn clear(&mut self) {
        self.limits.clear();
        self.bounds.clear();
        (self.is_urgent, self.has_urgent_edges, self.is_terminated, self.clocks) = (false, false, false, 0);
    }

    /// The number of clocks.
    pub fn n_clocks(&self) -> usize {
        self.limits.len()
    }
}

/// A step to another location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge<const W: usize> {
    /// Its target and label.
    pub step: Step<W>,
    guard: Range<u32>,
    sources: Range<u32>,
    /// For the system itself: the reset clocks, as a bit set.
    pub starts: u64,
}

/// The edges of a location, in reusable buffers.
#[derive(Clone, Debug)]
pub struct Edges<const W: usize> {
    all: Vec<Edge<W>>,
    /// The guards of urgent edges: no time passes once one is satisfied.
    urgent: Vec<Range<u32>>,
    limits: Vec<Limit>,
    sources: Vec<u8>,
    /// A buffer for the implementation of [`TimedSystem::edges`].
    pub steps: Steps<W>,
}

impl<const W: usize> Default for Edges<W> {
    fn default() -> Self {
        Edges { all: Vec::new(), urgent: Vec::new(), limits: Vec::new(), sources: Vec::new(), steps: Steps::new() }
    }
}

impl<const W: usize> Edges<W> {
    /// Removes all edges.
    pub fn clear(&mut self) {
        self.all.clear();
        self.urgent.clear();
        self.limits.clear();
        self.sources.clear();
        self.steps.clear();
    }

    /// Adds an edge with a guard. `starts` and `sources` are data for [`TimedSystem::sources`].
    pub fn push(&mut self, step: Step<W>, guard: impl IntoIterator<Item = Limit>, starts: u64, sources: &[u8]) {
        let guard = self.add_limits(guard);
        let first_source = self.sources.len() as u32;
        self.sources.extend_from_slice(sources);
        self.all.push(Edge { step, guard, sources: first_source..self.sources.len() as u32, starts });
    }

    /// Adds the guard of an urgent silent edge; its limits are not strict.
    pub fn push_urgent(&mut self, guard: impl IntoIterator<Item = Limit>) {
        let guard = self.add_limits(guard);
        self.urgent.push(guard);
    }

    fn add_limits(&mut self, limits: impl IntoIterator<Item = Limit>) -> Range<u32> {
        let first = self.limits.len() as u32;
        self.limits.extend(limits);
        first..self.limits.len() as u32
    }

    /// The guards of urgent edges: no time passes once one is satisfied.
    pub fn urgent(&self) -> impl Iterator<Item = &[Limit]> {
        self.urgent.iter().map(|guard| self.limits_in(guard))
    }

    fn limits_in(&self, range: &Range<u32>) -> &[Limit] {
        &self.limits[range.start as usize..range.end as usize]
    }

    /// All edges.
    pub fn iter(&self) -> impl Iterator<Item = &Edge<W>> {
        self.all.iter()
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The guard: lower limits.
    pub fn guard(&self, edge: &Edge<W>) -> &[Limit] {
        self.limits_in(&edge.guard)
    }

    /// The sources given when the edge was added.
    pub fn sources(&self, edge: &Edge<W>) -> &[u8] {
        &self.sources[edge.sources.start as usize..edge.sources.end as usize]
    }
}
