//! Actions that are the same to a machine.
//!
//! A butler who counts guests does the same whoever sits down: his actions for different guests have the same edges everywhere. A rule that asks
//! him for one of them may as well ask for another. If all ask for the same, they do not tell the guests apart, and neither do pieces in which
//! several guests are: these have as many states as there are numbers of guests, and not as there are sets of them.

use super::SILENT;
use hashbrown::HashMap;
use model::network::{Action, LocalState, Machine, MachineId, Mode, Network, Rule};
use std::sync::Arc;

/// Machines with more edges are left as they are.
const MAX_EDGES: usize = 1 << 18;

/// The same network, whose rules ask machines for the first of several actions that are the same. Rules keep their numbers and lead where they
/// led.
pub(super) fn without_twins(network: &Network) -> Network {
    let mut known: HashMap<*const Machine, HashMap<Action, Action>> = HashMap::new();
    for machine in &network.machines {
        known.entry(Arc::as_ptr(machine)).or_insert_with(|| first_twins(machine));
    }
    let part = |&(id, action): &(MachineId, Action)| {
        let first = known[&Arc::as_ptr(&network.machines[id.index()])].get(&action);
        (id, first.copied().unwrap_or(action))
    };
    let rule = |rule: &Rule| Rule { parts: rule.parts.iter().map(part).collect(), ..rule.clone() };
    let mode = |mode: &Mode| Mode { rules: mode.rules.iter().map(rule).collect() };
    Network { modes: network.modes.iter().map(mode).collect(), ..network.clone() }
}

/// For actions of a machine the first that is the same, where there is an earlier one.
fn first_twins(machine: &Machine) -> HashMap<Action, Action> {
    let mut by_action: HashMap<Action, Vec<(LocalState, LocalState)>> = HashMap::new();
    let n_edges: usize = machine.states().map(|state| machine.edges(state).len()).sum();
    if n_edges > MAX_EDGES {
        return HashMap::new();
    }
    for state in machine.states() {
        for edge in machine.edges(state) {
            by_action.entry(edge.action).or_default().push((state, edge.target));
        }
    }
    by_action.remove(&SILENT);
    let mut actions: Vec<Action> = by_action.keys().copied().collect();
    actions.sort_unstable();
    let mut firsts: HashMap<&[(LocalState, LocalState)], Action> = HashMap::new();
    actions.iter().map(|&action| (action, *firsts.entry(&by_action[&action]).or_insert(action))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Label;
    use model::network::Edge;

    #[test]
    fn actions_with_the_same_edges_are_one() {
        let edge = |action, target| Edge { action: Action(action), target: LocalState(target) };
        let counter = Machine::new(vec![vec![edge(2, 1), edge(3, 1), edge(5, 0)], vec![edge(2, 0), edge(3, 0)]]);
        let rule = |action| Rule::new([(MachineId(0), Action(action))], Label(action));
        let modes = vec![Mode { rules: (2..7).map(rule).collect() }];
        let network = Network { machines: vec![counter.into()], modes, ..Network::default() };
        let asked: Vec<(u32, u32)> =
            without_twins(&network).modes[0].rules.iter().map(|rule| (rule.parts[0].1.0, rule.shows.0)).collect();
        assert_eq!(asked, [(2, 2), (2, 3), (4, 4), (5, 5), (6, 6)]);
    }
}
