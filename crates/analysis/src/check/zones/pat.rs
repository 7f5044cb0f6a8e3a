//! Zones counted as PAT counts them.
//!
//! Nodes are compared as they are; what was met last is looked at first; the steps by which a time is up come last; and whether a state is
//! the one that is looked for is asked when its node is taken up.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Checked;
use check::Statistics;
use frontend::{Goal, Location, State};
use hashbrown::HashSet;
use progress::Stop;
use std::ops::ControlFlow;
use zones::{Limit, Zone};

/// A location, and the values that its clocks may have when it is entered.
type Node = (State, Box<[i32]>);

impl Checker<'_> {
    /// Decides whether a process reaches a state, and counts as PAT does: states one by one, but zones for propositions about timed processes.
    pub(in super::super) fn count_reach(
        &mut self,
        process: State,
        goal: Goal,
        is_wanted: bool,
    ) -> Result<Checked, Failed> {
        let mut checked = self.decide_reach(process, goal, is_wanted)?;
        if let Goal::Proposition(proposition) = goal
            && self.semantics.is_timed()
            && let Some(statistics) = self.count_zones(process, proposition)?
        {
            checked.statistics = statistics;
        }
        Ok(checked)
    }

    /// How many nodes and edges there are until a state with a proposition is found.
    fn count_zones(&mut self, process: State, proposition: u32) -> Result<Option<Statistics>, Failed> {
        let Some(first) = self.semantics.first_location(process)? else { return Ok(None) };
        let n_clocks = self.semantics.location(first)?.limits.len();
        let start: Node = (first, Zone::<i32>::at_zero(n_clocks).cells().into());
        let mut met: HashSet<Node> = HashSet::from([start.clone()]);
        let mut open = vec![start];
        let mut n_edges = 0_u64;
        let progress = self.options.progress.clone();
        while let Some((at, cells)) = open.pop() {
            if let ControlFlow::Break(why) = progress.tick(&progress::Statistics::of_states(met.len())) {
                return Err(Failed::Stopped(why.into()));
            }
            if self.semantics.is_true_in(at, proposition)? {
                break;
            }
            let location = self.semantics.location(at)?;
            for entered in entered(&location, &cells) {
                n_edges += 1;
                if met.insert(entered.clone()) {
                    open.push(entered);
                }
            }
            if met.len() > self.options.most_states() {
                return Err(Failed::Stopped(Stop::MaxStates));
            }
        }
        Ok(Some(Statistics { n_states: met.len() as u64, n_transitions: n_edges, ..Statistics::default() }))
    }
}

/// The nodes that the edges of a location lead to, for values with which it is entered.
fn entered(location: &Location, cells: &[i32]) -> Vec<Node> {
    let mut all = Vec::new();
    for edge in &location.edges {
        for mut zone in waited(location, cells) {
            if zone.at_least(&limits(&edge.guard)) {
                let sources: Vec<u8> = edge.sources.iter().map(|source| source.map_or(0, |clock| clock + 1)).collect();
                let mut after = Zone::default();
                zone.rename(&sources, &mut after);
                all.push((edge.target, after.cells().into()));
            }
        }
    }
    all
}

/// The values that clocks may have while a location lasts: as they are, or after all delays that it allows. Time waits for a guarded
/// urgent step until one of its limits is reached.
fn waited(location: &Location, cells: &[i32]) -> Vec<Zone<i32>> {
    let mut entry = Zone::default();
    entry.load(location.limits.len(), cells);
    if location.urgent.iter().any(Vec::is_empty) {
        return vec![entry];
    }
    let mut later = entry.clone();
    later.delay();
    if !later.at_most(&limits(&location.bounds)) {
        return Vec::new();
    }
    if location.urgent.is_empty() {
        return vec![later];
    }
    let mut pieces = vec![later];
    for guard in &location.urgent {
        let cut = |piece: &Zone<i32>, limit: &(u8, i32)| {
            let mut piece = piece.clone();
            piece.at_most(&limits(&[*limit])).then_some(piece)
        };
        pieces = pieces.iter().flat_map(|piece| guard.iter().filter_map(|limit| cut(piece, limit))).collect();
    }
    pieces.push(entry);
    pieces
}

fn limits(bounds: &[(u8, i32)]) -> Vec<Limit> {
    bounds.iter().map(|&(clock, value)| Limit::closed(usize::from(clock) + 1, value)).collect()
}
