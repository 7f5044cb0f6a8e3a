//! A term as an explicit transition system, by breadth-first search.

use crate::{Label, StepError, StepTable, TeamId, TermId, Terms, Unfold};
use hashbrown::HashMap;
use limits::intervals::polling::{TERM_STATES_PER_POLL, TERM_WORK_PER_POLL};
use progress::{Progress, Statistics};
use std::ops::ControlFlow;

/// An explicit labelled transition system. State 0 is the initial one; states are in order of discovery.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lts {
    /// The term of each state.
    pub states: Vec<TermId>,
    edges: Vec<Edge>,
    /// Where the edges of each expanded state end.
    ends: Vec<usize>,
}

/// A transition without its source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The label that is visible.
    pub label: Label,
    /// Number of the state it leads to.
    pub target: u32,
    /// Which components take it; the whole, if that was not asked for.
    pub team: TeamId,
}

/// Whether it matters which components take a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Takers {
    /// Steps with equal labels and targets are the same.
    Ignored,
    /// Such steps are different if different components take them.
    Distinguished,
}

impl Lts {
    /// The edges of a state; none if the search stopped before.
    pub fn edges(&self, state: usize) -> &[Edge] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.edges[start..end]
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// How many edges there are.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }
}

/// A search that did not come to its end.
#[derive(Debug)]
pub struct Unfinished {
    /// The part that was explored.
    pub lts: Lts,
    /// Why it stopped.
    pub reason: StopReason,
}

/// Why a search stopped.
#[derive(Debug)]
pub enum StopReason {
    /// A limit was reached, or the search was cancelled.
    Stopped(progress::Stop),
    /// A state, by number, has no steps to tell.
    Error(usize, StepError),
}

/// Explores all that `root` can reach, up to `max_states` states.
///
/// `progress` hears of every hundredth expanded state, and may end the search.
pub fn explore(
    table: &mut StepTable,
    terms: &mut Terms,
    unfold: &mut dyn Unfold,
    root: TermId,
    max_states: usize,
    progress: &dyn Progress,
) -> Result<Lts, Box<Unfinished>> {
    explore_with(table, terms, unfold, (root, Takers::Ignored), (max_states, usize::MAX), progress)
}

/// Explores up to `max_states` states and `max_edges` edges, with the components that take each step if these are
/// distinguished.
pub(crate) fn explore_with(
    table: &mut StepTable,
    terms: &mut Terms,
    unfold: &mut dyn Unfold,
    (root, takers): (TermId, Takers),
    (max_states, max_edges): (usize, usize),
    progress: &dyn Progress,
) -> Result<Lts, Box<Unfinished>> {
    let mut lts = Lts { states: vec![root], ..Lts::default() };
    let mut numbers: HashMap<TermId, u32> = HashMap::from([(root, 0)]);
    let mut next = 0;
    let reason = loop {
        let Some(&term) = lts.states.get(next) else { return Ok(lts) };
        if next % TERM_STATES_PER_POLL == TERM_STATES_PER_POLL - 1
            && let ControlFlow::Break(why) =
                progress.tick(&Statistics { work: TERM_WORK_PER_POLL, ..Statistics::of_states(lts.states.len()) })
        {
            break StopReason::Stopped(why.into());
        }
        let steps = match table.steps(terms, unfold, term) {
            Ok(steps) => steps,
            Err(error) => break StopReason::Error(next, error),
        };
        let start = lts.edges.len();
        for step in steps {
            let fresh = lts.states.len() as u32;
            let target = *numbers.entry(step.target).or_insert(fresh);
            if target == fresh {
                lts.states.push(step.target);
            }
            let team = if takers == Takers::Distinguished { step.team } else { TeamId::WHOLE };
            lts.edges.push(Edge { label: step.label, target, team });
        }
        forget_repetitions(&mut lts.edges, start);
        lts.ends.push(lts.edges.len());
        if lts.states.len() > max_states || lts.edges.len() > max_edges {
            break StopReason::Stopped(progress::Stop::MaxStates);
        }
        next += 1;
    };
    Err(Box::new(Unfinished { lts, reason }))
}

/// Keeps the first of equal edges: the table distinguishes steps by teams, a transition system need not.
fn forget_repetitions(edges: &mut Vec<Edge>, start: usize) {
    let mut order: Vec<usize> = (start..edges.len()).collect();
    order.sort_by_key(|&index| (edges[index], index));
    order.dedup_by_key(|index| edges[*index]);
    if start + order.len() == edges.len() {
        return;
    }
    order.sort_unstable();
    let kept: Vec<Edge> = order.into_iter().map(|index| edges[index]).collect();
    edges.truncate(start);
    edges.extend(kept);
}
