//! A shortest run that breaks a property, where fairness does not matter.
//!
//! The search for components stops at the first one that will do, and goes round in it as it comes; and where the system is back
//! at a state, the automaton may have to go round a few times more. So runs of the system are looked at, stems nearest first and
//! from the end of each its loops, while both together can be shorter than what is known. Beside a state of the system goes
//! what the automaton can have done on the way: its states after the stem, and for a loop which state leads to which with
//! which marks. The loop breaks the property if these can be put together to a cycle with all marks. What is left in the end
//! is a shortest run, unless more moves had to be looked at than is worth while.

use super::nodes::Node;
use super::{Cursor, Product};
use crate::system::System;
use crate::{ActionNumber, Ending, Run};
use hashbrown::HashMap;
use lts::{StateId, Transition};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How long loops are looked for in turn: in a large system, those of any length from one state would take all the effort.
const MAX_ROUNDS: [usize; 3] = [4, 32, usize::MAX];
/// How many moves are looked at each time.
const EFFORT: usize = 1 << 17;

/// What the observer can have done on a way: from which state it came to which one, with which marks.
type Conduct = BTreeSet<(u32, u32, u64)>;
/// Where a way leads.
type Place = (StateId, Conduct);
/// For each place met, the place before and the step from there.
type Origins = HashMap<Place, Option<(Place, Transition)>>;

impl<S: System> Product<'_, S> {
    /// The run, or a shorter one that breaks the property as well.
    pub(super) fn shortened(&mut self, run: Run) -> Run {
        MAX_ROUNDS.into_iter().fold(run, |best, max_round| self.shortened_by(best, max_round))
    }

    /// The same, with at most so many steps in its loop if it is a shorter one.
    fn shortened_by(&mut self, run: Run, max_round: usize) -> Run {
        let mut best = run;
        let mut effort = EFFORT;
        let Node { state, observer_state } = self.initial();
        let first: Place = (state, Conduct::from([(observer_state, observer_state, 0)]));
        let mut queue = VecDeque::from([(first.clone(), 0)]);
        let mut origins = Origins::from([(first, None)]);
        while let Some((place, n_steps)) = queue.pop_front() {
            if n_steps >= best.steps.len() || effort == 0 {
                break;
            }
            let ends: BTreeSet<u32> = place.1.iter().map(|&(_, end, _)| end).collect();
            let max_steps = max_round.min(best.steps.len() - 1 - n_steps);
            if let Some(round) = self.shortest_round(place.0, &ends, max_steps, &mut effort) {
                best.ending = if round.is_empty() { Ending::Stuck } else { Ending::Loop(n_steps) };
                best.steps = way(&origins, &place);
                best.steps.extend(round);
            }
            for (action, target, conduct) in self.ways_on(&place, &mut effort) {
                let Some(action) = action else { continue };
                // What a stem was marked with does not matter.
                let next = (target, conduct.into_iter().map(|(start, end, _)| (start, end, 0)).collect());
                if !origins.contains_key(&next) {
                    let step = Transition { label: action, target };
                    origins.insert(next.clone(), Some((place.clone(), step)));
                    queue.push_back((next, n_steps + 1));
                }
            }
        }
        best
    }

    /// Steps from a state back to it, at most so many, that break the property if they are repeated for ever while the observer
    /// begins in one of these states; none where the run ends. Nothing if there are none, or that is not found out.
    fn shortest_round(
        &mut self,
        start: StateId,
        observers: &BTreeSet<u32>,
        max_steps: usize,
        effort: &mut usize,
    ) -> Option<Vec<Transition>> {
        let all_marks = self.all_marks();
        // In later rounds the observer may begin in any state.
        let everything = 0..(self.memories.all.len() * self.automaton.n_states()) as u32;
        let first: Place = (start, everything.map(|observer| (observer, observer, 0)).collect());
        let mut queue = VecDeque::from([(first.clone(), 0)]);
        let mut origins = Origins::from([(first, None)]);
        while let Some((place, n_steps)) = queue.pop_front() {
            if *effort == 0 {
                return None;
            }
            for (action, target, conduct) in self.ways_on(&place, effort) {
                let n_steps = n_steps + usize::from(action.is_some());
                if n_steps > max_steps {
                    continue;
                }
                let step = action.map(|label| Transition { label, target });
                if target == start && goes_round(&conduct, observers, all_marks) {
                    let mut steps = way(&origins, &place);
                    steps.extend(step);
                    return Some(steps);
                }
                let next = (target, conduct);
                if let Some(step) = step
                    && !origins.contains_key(&next)
                {
                    origins.insert(next.clone(), Some((place.clone(), step)));
                    queue.push_back((next, n_steps));
                }
            }
        }
        None
    }

    /// The steps of the system from a place that the observer can follow, and what it can have done then.
    fn ways_on(&mut self, place: &Place, effort: &mut usize) -> Vec<(Option<ActionNumber>, StateId, Conduct)> {
        let mut ways: BTreeMap<(Option<ActionNumber>, StateId), Conduct> = BTreeMap::new();
        for &(start, end, marks) in &place.1 {
            let from = Node { state: place.0, observer_state: end };
            let mut cursor = Cursor::default();
            while let Some(made) = self.next(from, &mut cursor) {
                *effort = effort.saturating_sub(1);
                let conduct = ways.entry((made.action, made.target.state)).or_default();
                conduct.insert((start, made.target.observer_state, marks | made.marks));
            }
        }
        ways.into_iter().map(|((action, target), conduct)| (action, target, conduct)).collect()
    }
}

/// Whether rounds like this lead from one of these states to a cycle with all marks.
fn goes_round(round: &Conduct, observers: &BTreeSet<u32>, all_marks: u64) -> bool {
    if round.iter().fold(0, |all, &(_, _, marks)| all | marks) != all_marks {
        return false;
    }
    let mut rounds = round.clone();
    let mut open: Vec<(u32, u32, u64)> =
        rounds.iter().copied().filter(|(start, ..)| observers.contains(start)).collect();
    let mut reached = observers.clone();
    while let Some((_, end, _)) = open.pop() {
        if reached.insert(end) {
            open.extend(rounds.iter().copied().filter(|&(start, ..)| start == end));
        }
    }
    rounds.retain(|(start, ..)| reached.contains(start));
    let mut open: Vec<(u32, u32, u64)> = rounds.iter().copied().collect();
    while let Some((start, end, marks)) = open.pop() {
        if start == end && marks == all_marks {
            return true;
        }
        for &(_, next, more) in round.iter().filter(|&&(next_start, ..)| next_start == end) {
            let longer = (start, next, marks | more);
            if rounds.insert(longer) {
                open.push(longer);
            }
        }
    }
    false
}

/// The steps to a place that was met.
fn way(origins: &Origins, end: &Place) -> Vec<Transition> {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, step)) = &origins[at] {
        steps.push(*step);
        at = before;
    }
    steps.reverse();
    steps
}
