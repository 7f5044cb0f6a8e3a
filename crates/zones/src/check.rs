//! Properties of timed networks, decided by zones.

use crate::cell::Cell;
use crate::confirm::is_confirmed;
use crate::graph::{Abstraction, Goal, STUCK, ZoneGraph};
use crate::network::{NotTimed, TimedNetworkSpace};
use crate::run::{TimedPath, TimedVisit, with_times};
use crate::schedule::Times;
use crate::width::with_width;
use explore::{CoveringSearch, DepthFirstProbe, FAILURE, Found, Limits, SearchEnd};
use limits::effort::probes::{BREADTH_FIRST_GROWTH, BREADTH_FIRST_NODES, FIRST_DETOUR, MAX_DETOUR, ZONE_SHARE};
use limits::intervals::polling::PROBED_NODES_PER_POLL;
use lts::{Label, Reason, Verdict};
use model::network::NetworkStep;
use model::timed::TimedNetwork;
use progress::{Progress, Statistics, Stop};

/// A property of a timed network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question<'a> {
    /// Reachability of a step with one of these labels.
    Seen(&'a [Label]),
    /// Reachability of a deadlock: no step is ever enabled, before termination.
    Stuck,
    /// None: the search visits all nodes.
    Nothing,
}

impl Question<'_> {
    /// An abstraction that preserves it.
    pub fn abstraction(self) -> Abstraction {
        match self {
            Question::Seen(_) | Question::Nothing => Abstraction::REACHED,
            Question::Stuck => Abstraction::STUCK,
        }
    }
}

/// A finding of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The last step has one of the labels.
    Seen,
    /// After the last step no step is ever enabled.
    Stuck {
        /// Whether time cannot pass beyond some moment either.
        is_timelock: bool,
    },
    /// After the last step a step fails.
    Failure,
}

/// A run with times to a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedRun {
    /// The finding.
    pub finding: Finding,
    /// Its steps.
    pub steps: Vec<NetworkStep>,
    /// The time of its beginning, and of each step.
    pub times: Times,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The verdict; that it holds means that the goal is unreachable.
    pub verdict: Verdict<TimedRun>,
    /// Statistics of the search. States are nodes of the zone graph.
    pub statistics: Statistics,
    /// The number of nodes that no other one covers.
    pub n_uncovered: u64,
}

/// Decides a property of a valid timed network.
///
/// # Errors
/// When it cannot be explored.
pub fn check(
    network: &TimedNetwork,
    question: Question<'_>,
    abstraction: Abstraction,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, NotTimed> {
    check_with_probes_after(network, question, abstraction, BREADTH_FIRST_NODES, limits, progress)
}

/// [`check`] with another number of nodes for the breadth-first search before depth-first probes begin.
///
/// # Errors
/// When it cannot be explored.
pub fn check_with_probes_after(
    network: &TimedNetwork,
    question: Question<'_>,
    abstraction: Abstraction,
    max_short: u64,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, NotTimed> {
    let space = TimedNetworkSpace::new(network)?;
    let is_small = network.max_limit() as i32 <= i16::MAX_LIMIT;
    let asked = Asked { space: &space, question, abstraction, max_short, limits, progress };
    let report = with_width!(space.space().n_words(), W => match is_small {
        true => asked.search::<W, i16>(),
        false => asked.search::<W, i32>(),
    });
    report.map_err(NotTimed::TooWide)
}

struct Asked<'a, 'n> {
    space: &'a TimedNetworkSpace<'n>,
    question: Question<'a>,
    abstraction: Abstraction,
    max_short: u64,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl Asked<'_, '_> {
    fn search<const W: usize, C: Cell>(&self) -> Report {
        let goal = match self.question {
            Question::Seen(labels) => Goal::Labels(labels),
            Question::Stuck => Goal::Stuck,
            Question::Nothing => Goal::Nothing,
        };
        let graph = ZoneGraph::<W, _, C>::new(self.space, self.abstraction, goal);
        let (search, end) = self.walk(&graph);
        let verdict = match end {
            SearchEnd::Exhausted => Verdict::Holds,
            SearchEnd::Stopped(stop) => Verdict::Unknown(stop.into()),
            SearchEnd::Found(found) => {
                let visits = search.run_to(&graph, found.place).into_iter();
                let visits = visits.map(|visit| TimedVisit { state: visit.state, step: visit.step }).collect();
                let path = with_times::<W, C, _>(self.space, &graph.goal, visits, found.finding, None);
                let run = path.map(|path| self.run(path, found.finding));
                // A path of zones always has a run; a missing one is an internal error and no verdict.
                let confirmed = run.filter(|run| is_confirmed(self.space.network(), self.question, run));
                confirmed.map_or(Verdict::Unknown(Reason::Unconfirmed), Verdict::Fails)
            }
        };
        Report { verdict, statistics: search.statistics, n_uncovered: search.n_uncovered() }
    }

    /// Searches breadth first for short runs, interleaved with depth-first probes if that takes long.
    fn walk<const W: usize, C: Cell>(
        &self,
        graph: &ZoneGraph<'_, W, TimedNetworkSpace<'_>, C>,
    ) -> (CoveringSearch<W, C>, SearchEnd) {
        let mut search = CoveringSearch::default();
        let (mut max_states, mut number) = (self.max_short, 0);
        loop {
            let few = self.limits.with_budget(max_states);
            let end = search.run(graph, &few, self.progress);
            if end != SearchEnd::Stopped(Stop::Budget) {
                return (search, end);
            }
            // Without a goal probes are useless.
            if self.question != Question::Nothing
                && let Some((probe, found)) = self.probe(graph, number, search.statistics.depth as usize)
            {
                return (probe, SearchEnd::Found(found));
            }
            max_states = max_states.saturating_mul(BREADTH_FIRST_GROWTH).max(1);
            number += 1;
        }
    }

    /// Runs a depth-first probe, which may find longer runs than the search has.
    fn probe<const W: usize, C: Cell>(
        &self,
        graph: &ZoneGraph<'_, W, TimedNetworkSpace<'_>, C>,
        number: u64,
        depth: usize,
    ) -> Option<(CoveringSearch<W, C>, Found)> {
        let near = DepthFirstProbe {
            width: PROBED_NODES_PER_POLL,
            seed: number,
            max_depth: FIRST_DETOUR * depth,
            max_nodes: self.max_short,
        };
        let far = DepthFirstProbe::series(number, self.max_short / ZONE_SHARE, MAX_DETOUR * depth);
        [near].into_iter().chain(far).find_map(|probe| {
            let mut search = CoveringSearch::default();
            let found = search.probe(graph, probe, self.limits, self.progress)?;
            Some((search, found))
        })
    }

    /// The run of the network for a path.
    fn run<const W: usize>(&self, path: TimedPath<W>, finding: u32) -> TimedRun {
        let finding = match finding {
            STUCK => Finding::Stuck { is_timelock: path.is_timelock },
            FAILURE => Finding::Failure,
            _ => Finding::Seen,
        };
        let space = self.space.space();
        let step = |visit: &TimedVisit<W>| {
            let step = visit.step?;
            Some(NetworkStep { rule: step.rule, label: step.label, target: space.unpack(&visit.state) })
        };
        TimedRun { finding, steps: path.visits.iter().filter_map(step).collect(), times: path.times }
    }
}
