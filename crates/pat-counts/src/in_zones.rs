//! Timed reachability: nodes are locations with their entry zones, compared by equality. The search is depth first, and
//! the last discovered node comes first.

use super::{NotCounted, Tally, Walk};
use analysis::check::{NotExplored, Terms};
use explore::{Judgment, Node, Space, Steps};
use frontend::State;
use hashbrown::HashSet;
use lts::Label;
use zones::{Abstraction, Goal, TimedSystem, ZoneGraph};

/// Location with its entry zone.
type Entry = ([u64; 1], Box<[i32]>);

/// Counts the states and steps of PAT's search for a proposition; `None` if zone exploration is inconclusive.
pub(super) fn count(walk: &mut Walk<'_>, process: State, proposition: u32) -> Result<Option<Tally>, NotCounted> {
    let Some(first) = walk.semantics.first_location(process)? else { return Ok(None) };
    let terms = Terms::new(&mut *walk.semantics, first, Some(proposition));
    let tally = search(&terms, walk.max_states);
    match terms.into_failure() {
        None => tally.map(Some),
        Some(NotExplored::Failed(failure)) => Err(failure.into()),
        Some(NotExplored::Large(_) | NotExplored::Yielding) => Ok(None),
    }
}

fn search(terms: &Terms<'_>, max_states: usize) -> Result<Tally, NotCounted> {
    let graph = ZoneGraph::<1, _, i32>::new(terms, Abstraction::ENTRIES, Goal::Nothing);
    let mut buffers = Default::default();
    let mut steps = Steps::new();
    graph.begin(&mut buffers, &mut steps);
    let mut open: Vec<Entry> = steps.with_details().map(|(step, cells)| (step.target, cells.into())).collect();
    let mut visited: HashSet<Entry> = open.iter().cloned().collect();
    let mut n_steps = 0;
    while let Some((location, zone)) = open.pop() {
        if visited.len() > max_states {
            return Err(NotCounted::MaxStates);
        }
        if terms.is_wanted(&location) {
            break;
        }
        steps.clear();
        let node = Node { state: &location, detail: &zone };
        if graph.expand(node, &mut buffers, &mut steps) != Judgment::Fine {
            break;
        }
        n_steps += steps.len() as u64;
        for (step, cells) in steps.with_details().filter(|(step, _)| step.label != Label::TICK) {
            let entry: Entry = (step.target, cells.into());
            if visited.insert(entry.clone()) {
                open.push(entry);
            }
        }
    }
    Ok(Tally { n_states: visited.len() as u64, n_steps })
}
