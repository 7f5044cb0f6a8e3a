//! Processes whose events are bound by differences of times alone.
//!
//! If for each sequence of visible events there is one way only to do it, silent steps included, then the times at which it can be done
//! are the solutions of bounds on differences: upper bounds of locations, lower bounds of guards, the times of silent steps left out. Such
//! a set has a real solution outside of another process's times only if it has a whole one (`docs/semantics/timed.md`). It is enough to
//! look at locations as a graph, without times: what cannot happen in time only takes ways away.

use super::super::fault::Answer;
use super::super::{State, System};
use hashbrown::{HashMap, HashSet};
use lts::Label;

impl System {
    /// Whether each sequence of visible events of a process can be done in one way only, as far as locations show it; false if there are
    /// more locations than this.
    ///
    /// # Errors
    /// If a step goes wrong.
    pub fn is_bounded_by_differences(&mut self, state: State, most: usize) -> Answer<bool> {
        let start = self.first_location(state)?;
        let mut met: HashSet<State> = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(entry) = open.pop() {
            let Some(visible) = self.single_ways(entry, most)? else { return Ok(false) };
            open.extend(visible.into_iter().filter(|&target| met.insert(target)));
            if met.len() > most {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where visible events lead from a location, if there is one way only to each of them; nothing otherwise.
    fn single_ways(&mut self, entry: State, most: usize) -> Answer<Option<Vec<State>>> {
        let mut ways: HashMap<Label, State> = HashMap::new();
        let mut met: HashSet<State> = HashSet::from([entry]);
        let mut open = vec![entry];
        while let Some(at) = open.pop() {
            let location = self.location(at)?;
            let waits_for_guard = !location.is_urgent() && !location.urgent.is_empty();
            if waits_for_guard || met.len() > most {
                return Ok(None);
            }
            for edge in location.edges {
                let is_new = match edge.label {
                    // Two silent ways to one place could take different times.
                    Label::TAU => {
                        let is_new = met.insert(edge.target);
                        open.extend(is_new.then_some(edge.target));
                        is_new
                    }
                    label => ways.insert(label, edge.target).is_none(),
                };
                if !is_new {
                    return Ok(None);
                }
            }
        }
        Ok(Some(ways.into_values().collect()))
    }
}
