//! Commutation of the actions of a machine.

use super::offers::Effort;
use limits::effort::partial_order::MAX_PAIRS;
use model::network::{Action, Edge, LocalState, Machine};

/// For each pair of actions of a machine whether the first commutes with the second: in each state where both are
/// enabled, the second leaves the first enabled, and both orders lead to the same state. Pairs that are never enabled
/// together commute.
#[derive(Debug)]
pub(super) struct Commuting {
    n_actions: usize,
    fails: Vec<bool>,
}

impl Commuting {
    /// Compares all actions of a machine, given in order; none if the effort is exceeded, or no two actions of a state
    /// commute.
    pub(super) fn of(machine: &Machine, actions: &[Action], effort: &mut Effort) -> Option<Commuting> {
        let n_actions = actions.len();
        let n_pairs: usize = machine.states().map(|state| machine.edges(state).len().pow(2)).sum();
        if n_actions * n_actions > MAX_PAIRS || !effort.spend(n_pairs) {
            return None;
        }
        let mut commuting = Commuting { n_actions, fails: vec![false; n_actions * n_actions] };
        let number = |edges: &[Edge]| actions.binary_search(&edges[0].action).expect("all actions are known");
        let mut is_any_left = false;
        for state in machine.states() {
            for one in machine.edges(state).chunk_by(|a, b| a.action == b.action) {
                for two in machine.edges(state).chunk_by(|a, b| a.action == b.action) {
                    let place = number(one) * n_actions + number(two);
                    commuting.fails[place] |= !is_diamond(machine, one, two);
                    is_any_left |= !commuting.fails[place];
                }
            }
        }
        is_any_left.then_some(commuting)
    }

    pub(super) fn commutes(&self, one: u32, two: u32) -> bool {
        !self.fails[one as usize * self.n_actions + two as usize]
    }
}

/// Whether two actions of one state, given by their edges, lead to the same states in both orders, with the first still
/// enabled after the second.
fn is_diamond(machine: &Machine, one: &[Edge], two: &[Edge]) -> bool {
    let (action, other) = (one[0].action, two[0].action);
    let leads = |from: LocalState, to: LocalState| {
        machine.edges_by(from, other).binary_search(&Edge { action: other, target: to }).is_ok()
    };
    two.iter().all(|second| {
        let after_second = machine.edges_by(second.target, action);
        // Both orders have the same targets: each target of the second and then the first is one of the other order,
        // and each step of the first is completed by the second to such a target.
        !after_second.is_empty()
            && after_second
                .iter()
                .all(|after_second| one.iter().any(|before_second| leads(before_second.target, after_second.target)))
            && one.iter().all(|before_second| {
                after_second.iter().any(|after_second| leads(before_second.target, after_second.target))
            })
    })
}
