//! Search for a shortest fair counterexample.
//!
//! The emptiness check stops at the first accepting component, whose loop is arbitrary; and where the system returns to
//! a state, the automaton may need further rounds. So runs of the system are enumerated, stems nearest first and the
//! loops of each, as long as both together can be shorter than the known run. A state of the system is paired with the
//! behavior of the automaton: the set of its states after the stem, and for a loop the relation between its states at
//! the start and the end, with marks. The loop violates the property if this relation has a cycle with all marks. For
//! fairness the loop also records which items were taken, and which were enabled everywhere or somewhere. The result is
//! a shortest run, unless the effort is exceeded, or fairness applies to every single step.

use super::fairness::{self, Demands, Items, Judge};
use super::nodes::Node;
use super::{Cursor, Product};
use crate::system::ActionSystem;
use crate::{ActionNumber, Ending, Run};
use hashbrown::HashMap;
use limits::effort::products::{LOOP_LENGTHS, MAX_SHORTENING};
use lts::{StateId, Transition};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The behavior of the observer along a path: source state, target state and marks.
type Conduct = BTreeSet<(u32, u32, u64)>;
/// For each visited place, the previous place and the step from there.
type Origins = HashMap<Place, Option<(Place, Transition)>>;

/// The end of a path.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    state: StateId,
    observed: Conduct,
    /// The taken and enabled items, if fairness is relevant.
    items: fairness::Conduct,
}

/// The remaining effort of a search, and its caches.
struct Search<'d> {
    demands: &'d Demands,
    /// The enabled items of states.
    possible: HashMap<StateId, Items>,
    effort: usize,
}

impl Search<'_> {
    /// Adds a step to the conduct of a path.
    fn after(
        &mut self,
        mut items: fairness::Conduct,
        action: ActionNumber,
        target: StateId,
        system: &mut impl ActionSystem,
    ) -> fairness::Conduct {
        items.take(self.demands, action);
        self.pass(&mut items, target, system);
        items
    }

    /// Adds a state to the conduct of a path.
    fn pass(&mut self, items: &mut fairness::Conduct, state: StateId, system: &mut impl ActionSystem) {
        let possible = self.possible.entry(state).or_insert_with(|| {
            let mut possible = Items::new();
            // In an open state all items count as enabled, so no unfair run becomes fair.
            self.demands.find_possible(system, state, &mut possible);
            possible
        });
        items.add_state(possible, possible);
    }
}

impl<S: ActionSystem> Product<'_, S> {
    /// The run, or a shorter one that violates the property and is fair as well.
    pub(super) fn shortened(&mut self, run: Run, judge: &Judge) -> Run {
        let demands = judge.alternatives().iter().filter(|demands| !demands.each_step);
        let searches = demands.flat_map(|demands| LOOP_LENGTHS.map(|max_round| (demands, max_round)));
        searches.fold(run, |best, (demands, max_round)| self.shortened_by(best, demands, max_round))
    }

    /// [`Self::shortened`] for some conditions, with a bound of the loop.
    fn shortened_by(&mut self, run: Run, demands: &Demands, max_round: usize) -> Run {
        let mut best = run;
        let mut search = Search { demands, possible: HashMap::new(), effort: MAX_SHORTENING };
        let Node { state, observer_state } = self.initial();
        let observed = Conduct::from([(observer_state, observer_state, 0)]);
        // Items taken on the stem are irrelevant.
        let nothing = fairness::Conduct::nothing_taken(0);
        let first = Place { state, observed, items: nothing.clone() };
        let mut queue = VecDeque::from([(first.clone(), 0)]);
        let mut origins = Origins::from([(first, None)]);
        while let Some((place, n_steps)) = queue.pop_front() {
            if n_steps >= best.steps.len() || search.effort == 0 {
                break;
            }
            let ends: BTreeSet<u32> = place.observed.iter().map(|&(_, end, _)| end).collect();
            let max_steps = max_round.min(best.steps.len() - 1 - n_steps);
            if let Some(round) = self.shortest_round(place.state, &ends, max_steps, &mut search) {
                best.ending = if round.is_empty() { Ending::Stuck } else { Ending::Loop(n_steps) };
                best.steps = path_to(&origins, &place);
                best.steps.extend(round);
            }
            for (action, target, observed) in self.continuations(&place, &mut search.effort) {
                let Some(action) = action else { continue };
                // So are its marks.
                let observed = observed.into_iter().map(|(start, end, _)| (start, end, 0)).collect();
                let next = Place { state: target, observed, items: nothing.clone() };
                if !origins.contains_key(&next) {
                    let step = Transition { label: action, target };
                    origins.insert(next.clone(), Some((place.clone(), step)));
                    queue.push_back((next, n_steps + 1));
                }
            }
        }
        best
    }

    /// The steps of a cycle of bounded length that is fair and violates the property if it is repeated for ever from
    /// one of these observer states; empty for a finite run. None if there is no such cycle, or the effort is exceeded.
    fn shortest_round(
        &mut self,
        start: StateId,
        observers: &BTreeSet<u32>,
        max_steps: usize,
        search: &mut Search,
    ) -> Option<Vec<Transition>> {
        let all_marks = self.all_marks();
        // In later rounds the observer may start in any state.
        let everything = 0..(self.memories.all.len() * self.automaton.n_states()) as u32;
        let observed = everything.map(|observer| (observer, observer, 0)).collect();
        let items = fairness::Conduct::nothing_taken(search.demands.n_words);
        let first = Place { state: start, observed, items };
        let mut queue = VecDeque::from([(first.clone(), 0)]);
        let mut origins = Origins::from([(first, None)]);
        while let Some((place, n_steps)) = queue.pop_front() {
            if search.effort == 0 {
                return None;
            }
            for (action, target, observed) in self.continuations(&place, &mut search.effort) {
                let n_steps = n_steps + usize::from(action.is_some());
                if n_steps > max_steps {
                    continue;
                }
                let step = action.map(|label| Transition { label, target });
                let items = match action {
                    Some(action) => search.after(place.items.clone(), action, target, &mut self.system),
                    None => place.items.clone(),
                };
                // A finite run is fair.
                let is_fair = action.is_none() || search.demands.are_satisfied_by(&items);
                if target == start && is_fair && has_accepting_cycle(&observed, observers, all_marks) {
                    let mut steps = path_to(&origins, &place);
                    steps.extend(step);
                    return Some(steps);
                }
                let next = Place { state: target, observed, items };
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

    /// The steps of the system from a place that the observer can follow, with its behavior.
    fn continuations(&mut self, place: &Place, effort: &mut usize) -> Vec<(Option<ActionNumber>, StateId, Conduct)> {
        let mut continuing_steps: BTreeMap<(Option<ActionNumber>, StateId), Conduct> = BTreeMap::new();
        for &(start, end, marks) in &place.observed {
            let from = Node { state: place.state, observer_state: end };
            let mut cursor = Cursor::default();
            while let Some(made) = self.next(from, &mut cursor) {
                *effort = effort.saturating_sub(1);
                let conduct = continuing_steps.entry((made.action, made.target.state)).or_default();
                conduct.insert((start, made.target.observer_state, marks | made.marks));
            }
        }
        continuing_steps.into_iter().map(|((action, target), conduct)| (action, target, conduct)).collect()
    }
}

/// Whether repetition of this relation leads from one of these states to a cycle with all marks.
fn has_accepting_cycle(round: &Conduct, observers: &BTreeSet<u32>, all_marks: u64) -> bool {
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

/// The steps to a visited place.
fn path_to(origins: &Origins, end: &Place) -> Vec<Transition> {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, step)) = &origins[at] {
        steps.push(*step);
        at = before;
    }
    steps.reverse();
    steps
}
