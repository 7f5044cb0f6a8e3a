//! Processes whose timed traces are difference constraints.
//!
//! If each sequence of visible events determines a unique path, silent steps included, then the times at which it can
//! be performed are the solutions of difference constraints: upper bounds of locations, and lower bounds of guards,
//! with the times of silent steps eliminated. Such a set has a real solution outside of another process's times only if
//! it has an integral one (`docs/semantics/timed.md`). It suffices to check the untimed graph of locations: time only
//! removes paths.

use super::super::fault::Answer;
use super::super::{State, System};
use hashbrown::{HashMap, HashSet};
use lts::Label;

impl System {
    /// Whether each sequence of visible events of a process determines a unique path in the graph of locations; `false`
    /// if there are more than `most` locations.
    ///
    /// # Errors
    /// If a step faults.
    pub fn is_bounded_by_differences(&mut self, state: State, most: usize) -> Answer<bool> {
        let start = self.first_location(state)?;
        let mut visited: HashSet<State> = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(entry) = open.pop() {
            let Some(visible) = self.deterministic_targets(entry, most)? else { return Ok(false) };
            open.extend(visible.into_iter().filter(|&target| visited.insert(target)));
            if visited.len() > most {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The targets of visible events from a location, if the path to each of them is unique.
    fn deterministic_targets(&mut self, entry: State, most: usize) -> Answer<Option<Vec<State>>> {
        let mut targets: HashMap<Label, State> = HashMap::new();
        let mut visited: HashSet<State> = HashSet::from([entry]);
        let mut open = vec![entry];
        while let Some(at) = open.pop() {
            let location = self.location(at)?;
            let waits_for_guard = !location.is_urgent() && !location.urgent.is_empty();
            if waits_for_guard || visited.len() > most {
                return Ok(None);
            }
            for edge in location.edges {
                let is_new = match edge.label {
                    // Two silent paths to one location could take different times.
                    Label::TAU => {
                        let is_new = visited.insert(edge.target);
                        open.extend(is_new.then_some(edge.target));
                        is_new
                    }
                    label => targets.insert(label, edge.target).is_none(),
                };
                if !is_new {
                    return Ok(None);
                }
            }
        }
        Ok(Some(targets.into_values().collect()))
    }
}
