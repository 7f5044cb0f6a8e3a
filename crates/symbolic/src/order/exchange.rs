//! Independence of the actions of a machine.
//!
//! An action is a relation between local states. One action and then another can be exchanged if the reverse
//! composition includes theirs: lights that two switches toggle are an example, and so are actions that never follow
//! each other.

use crate::Solver;
use hashbrown::HashMap;
use limits::effort::step_order::MAX_LOCAL_PAIRS;
use model::network::{Action, LocalState, Machine};

/// The relation of an action: its pairs of local states, sorted.
type Relation = Vec<(LocalState, LocalState)>;

/// The actions that can come right before another one, in order.
#[derive(Default)]
pub(super) struct Before {
    /// Actions that must stay before it.
    pub(super) staying: Vec<Action>,
    /// Actions that could follow it as well.
    pub(super) movable: Vec<Action>,
}

/// The actions of a machine, as relations.
#[derive(Default)]
pub(super) struct Actions {
    relations: HashMap<Action, Relation>,
}

impl Actions {
    pub(super) fn of(machine: &Machine) -> Actions {
        let mut relations: HashMap<Action, Relation> = HashMap::new();
        for state in machine.states() {
            for edge in machine.edges(state) {
                relations.entry(edge.action).or_default().push((state, edge.target));
            }
        }
        relations.values_mut().for_each(|relation| relation.sort_unstable());
        Actions { relations }
    }

    /// The relation of an action; empty if the machine never takes it.
    pub(super) fn relation(&self, action: Action) -> &[(LocalState, LocalState)] {
        self.relations.get(&action).map_or(&[], |relation| &relation[..])
    }

    /// All actions, in order.
    pub(super) fn all(&self) -> Vec<Action> {
        let mut all: Vec<Action> = self.relations.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// Pairs of local states in all relations.
    pub(super) fn n_pairs(&self) -> usize {
        self.relations.values().map(Vec::len).sum()
    }

    /// For each action those that can come directly before it; missing where that takes too long to compute. The work
    /// is charged to the solver.
    pub(super) fn neighbors(&self, solver: &mut dyn Solver) -> HashMap<Action, Before> {
        let all = self.all();
        let mut n_pairs = 0;
        let mut neighbors: HashMap<Action, Before> = HashMap::new();
        for &second in &all {
            let mut before = Before::default();
            for &first in &all {
                let [one, other] = [first, second].map(|action| self.relation(action));
                n_pairs += one.len() + other.len();
                if n_pairs > MAX_LOCAL_PAIRS {
                    return neighbors;
                }
                solver.count(one.len() + other.len());
                let both = behind(one, other);
                if !is_within(&both, &behind(other, one)) {
                    before.staying.push(first);
                } else if !both.is_empty() {
                    before.movable.push(first);
                }
            }
            neighbors.insert(second, before);
        }
        neighbors
    }
}

/// The composition of two relations.
pub(super) fn behind(first: &[(LocalState, LocalState)], second: &[(LocalState, LocalState)]) -> Relation {
    let mut both = Relation::new();
    for &(from, middle) in first {
        let start = second.partition_point(|edge| edge.0 < middle);
        both.extend(second[start..].iter().take_while(|edge| edge.0 == middle).map(|edge| (from, edge.1)));
    }
    both.sort_unstable();
    both.dedup();
    both
}

/// Whether a relation includes another one.
pub(super) fn is_within(one: &[(LocalState, LocalState)], other: &[(LocalState, LocalState)]) -> bool {
    one.iter().all(|pair| other.binary_search(pair).is_ok())
}

/// Whether a relation is a part of the identity.
pub(super) fn changes_nothing(relation: &[(LocalState, LocalState)]) -> bool {
    relation.iter().all(|(from, to)| from == to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Batsat;
    use model::network::Edge;
    use progress::NoProgress;

    fn machine(edges: &[(u32, u32, u32)]) -> Actions {
        let n_states = edges.iter().map(|&(from, _, to)| from.max(to) + 1).max().unwrap_or(1);
        let of_state = |state| {
            let here = edges.iter().filter(move |edge| edge.0 == state);
            here.map(|&(_, action, to)| Edge { action: Action(action), target: LocalState(to) }).collect()
        };
        Actions::of(&Machine::new((0..n_states).map(of_state)))
    }

    fn neighbors(actions: &Actions) -> HashMap<Action, Before> {
        actions.neighbors(&mut Batsat::new(&NoProgress))
    }

    fn depend(actions: &Actions) -> Vec<(u32, u32)> {
        let neighbors = neighbors(actions);
        let pairs = neighbors.iter().flat_map(|(second, all)| all.staying.iter().map(|first| (first.0, second.0)));
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn switches_can_be_exchanged_but_not_with_who_looks() {
        let light = machine(&[(0, 2, 1), (1, 2, 0), (0, 3, 1), (1, 3, 0), (0, 4, 0)]);
        assert_eq!(depend(&light), [(2, 4), (3, 4), (4, 2), (4, 3)]);
        assert_eq!(neighbors(&light)[&Action(2)].movable, [Action(2), Action(3)]);
    }

    #[test]
    fn what_makes_something_possible_comes_before_it() {
        // Only one order is possible, so no constraint is needed.
        let chain = machine(&[(0, 2, 1), (1, 3, 2)]);
        assert_eq!(depend(&chain), [(2, 3)]);
        assert!(neighbors(&chain)[&Action(2)].movable.is_empty());
        // A choice of targets is preserved.
        assert_eq!(depend(&machine(&[(0, 2, 1), (0, 2, 2), (1, 3, 3), (2, 3, 3), (0, 3, 4), (4, 2, 3)])), []);
        assert_eq!(depend(&machine(&[(0, 2, 1), (0, 2, 2), (1, 3, 3), (2, 3, 5), (0, 3, 4), (4, 2, 3)])), [(2, 3)]);
    }

    #[test]
    fn relations_are_put_one_behind_the_other() {
        let both = machine(&[(0, 2, 1), (1, 2, 0), (1, 3, 1)]);
        let pair = |from, to| (LocalState(from), LocalState(to));
        assert_eq!(behind(both.relation(Action(2)), both.relation(Action(2))), [pair(0, 0), pair(1, 1)]);
        assert_eq!(behind(both.relation(Action(2)), both.relation(Action(3))), [pair(0, 1)]);
        assert!(changes_nothing(both.relation(Action(3))) && !changes_nothing(both.relation(Action(2))));
        assert!(both.relation(Action(9)).is_empty());
    }
}
