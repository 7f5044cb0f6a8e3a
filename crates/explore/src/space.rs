//! State spaces over packed states: the interface of the compiled searches.
//!
//! A search expands very many states on all workers. So a space is shared, its states are words, and its steps go to a
//! buffer that is reused. Numbered views of a space implement [`lts::walk::System`].

use lts::Label;
use model::network::RuleId;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};

/// A step to a packed state of `W` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<const W: usize> {
    /// The state after the step.
    pub target: [u64; W],
    /// The label.
    pub label: Label,
    /// The rule of the network's mode that takes it; 0 if the space has no rules.
    pub rule: RuleId,
}

/// The steps of one state, in a reusable buffer. Each may lead to a detail of its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Steps<const W: usize, C = ()> {
    steps: Vec<Step<W>>,
    /// The details of all targets, concatenated.
    cells: Vec<C>,
    /// The ends of the details; none in a space without details.
    ends: Vec<u32>,
}

impl<const W: usize, C> Default for Steps<W, C> {
    fn default() -> Self {
        Steps { steps: Vec::new(), cells: Vec::new(), ends: Vec::new() }
    }
}

impl<const W: usize, C> Deref for Steps<W, C> {
    type Target = Vec<Step<W>>;

    #[inline]
    fn deref(&self) -> &Vec<Step<W>> {
        &self.steps
    }
}

impl<const W: usize, C> DerefMut for Steps<W, C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<Step<W>> {
        &mut self.steps
    }
}

impl<'a, const W: usize, C> IntoIterator for &'a Steps<W, C> {
    type Item = &'a Step<W>;
    type IntoIter = std::slice::Iter<'a, Step<W>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.steps.iter()
    }
}

impl<const W: usize, C: Copy> Steps<W, C> {
    /// An empty buffer.
    pub fn new() -> Steps<W, C> {
        Steps::default()
    }

    /// Removes all steps.
    #[inline]
    pub fn clear(&mut self) {
        self.steps.clear();
        self.cells.clear();
        self.ends.clear();
    }

    /// Adds a step to a target with a detail.
    #[inline]
    pub fn push_with(&mut self, step: Step<W>, detail: &[C]) {
        self.steps.push(step);
        self.cells.extend_from_slice(detail);
        self.ends.push(self.cells.len() as u32);
    }

    /// The steps with the details of their targets, in a space with details.
    #[inline]
    pub fn with_details(&self) -> impl Iterator<Item = (&Step<W>, &[C])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let details = starts.zip(&self.ends).map(|(start, &end)| &self.cells[start as usize..end as usize]);
        self.steps.iter().zip(details)
    }
}

/// A state with its detail.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a, const W: usize, C = ()> {
    /// The packed state.
    pub state: &'a [u64; W],
    /// Its detail.
    pub detail: &'a [C],
}

impl<'a, const W: usize> Node<'a, W> {
    /// A state without a detail.
    #[inline]
    pub fn of(state: &'a [u64; W]) -> Node<'a, W> {
        Node { state, detail: &[] }
    }
}

/// The judgment of a space on an expanded state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Judgment {
    /// No finding: the search continues with the steps of the state.
    Fine,
    /// The search has reached its goal. The number has a meaning for the space, unless it is [`FAILURE`].
    Found(u32),
}

/// A step of the state fails. Its other steps are unknown then.
pub const FAILURE: u32 = u32::MAX;

/// A state space over packed states, which may have details: rows of cells, such as zones of clock values.
pub trait Space<const W: usize> {
    /// An element of a detail.
    type Cell: Copy + Eq + Hash + Default + Send + Sync;
    /// Buffers of a worker.
    type Buffers: Default;

    /// The state in which every run begins.
    fn initial(&self) -> [u64; W];

    /// Appends steps to the initial state with each detail with which runs begin, in a space with details.
    fn begin(&self, _buffers: &mut Self::Buffers, steps: &mut Steps<W, Self::Cell>) {
        steps.push(Step { target: self.initial(), label: Label::TAU, rule: RuleId(0) });
    }

    /// Appends every step of a node, always in the same order, and judges the node.
    fn expand(
        &self,
        node: Node<'_, W, Self::Cell>,
        buffers: &mut Self::Buffers,
        steps: &mut Steps<W, Self::Cell>,
    ) -> Judgment;

    /// The approximate cost of expanding a state, by which searches poll for cancellation.
    fn costs(&self) -> Costs {
        Costs::default()
    }

    /// Whether details cover others than those that are equal to them.
    fn has_covering(&self) -> bool {
        false
    }

    /// Whether a detail covers another one of the same state: every step from the smaller one exists from the larger
    /// one.
    fn covers(&self, _state: &[u64; W], larger: &[Self::Cell], smaller: &[Self::Cell]) -> bool {
        larger == smaller
    }
}

/// A space without details, which workers can share.
pub trait PlainSpace<const W: usize>: Space<W, Cell = (), Buffers = ()> + Sync {}

impl<const W: usize, S: Space<W, Cell = (), Buffers = ()> + Sync> PlainSpace<W> for S {}

/// The cost of expanding a state, in units of some tens of nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// The cost of the state itself.
    pub state: u64,
    /// The cost of each step.
    pub step: u64,
}

impl Costs {
    /// Units of work of expanding states with some number of steps in all; a step of a narrow state is one unit.
    pub(crate) fn work(self, n_states: u64, n_steps: u64) -> u64 {
        (n_states * self.state + n_steps * self.step) / Costs::default().step
    }
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { state: 4, step: 4 }
    }
}
