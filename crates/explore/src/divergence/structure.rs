//! Structural proof that the rules of a network have no cycle of silent or other steps.

use graphs::Partition;
use lts::Label;
use model::network::{Action, Edge, LocalState, Machine, MachineId, Network, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Whether there may be a silent cycle. An answer of `false` is certain.
pub(crate) fn may_diverge(network: &Network) -> bool {
    may_cycle(network, &|label| label == Label::TAU)
}

/// Whether there may be a cycle of steps with certain labels. An answer of `false` is certain.
pub fn may_cycle(network: &Network, counts: &dyn Fn(Label) -> bool) -> bool {
    let is_counted = |rule: &&Rule| counts(rule.shows);
    let rules: Vec<&Rule> = network.modes.iter().flat_map(|mode| mode.rules.iter().filter(is_counted)).collect();
    // A jump resets machines without participation, along no edge.
    if rules.iter().any(|rule| rule.jump.is_some()) {
        return true;
    }
    let mut uses = Uses::new(network.machines.len(), rules);
    let mut changed: Vec<usize> = (0..network.machines.len()).collect();
    while let Some(machine) = changed.pop() {
        let actions = &uses.of_machine[machine];
        let cyclic = on_cycles(&network.machines[machine], actions);
        let lost: Vec<Action> = actions.keys().filter(|action| !cyclic.contains(action)).copied().collect();
        for action in lost {
            changed.extend(uses.remove(machine, action));
        }
        changed.sort_unstable();
        changed.dedup();
    }
    uses.n_rules > 0
}

/// The rules of each action.
struct Uses<'a> {
    rules: Vec<Option<&'a Rule>>,
    n_rules: usize,
    /// For each machine and each used action, the numbers of its rules, including those that have lost the action.
    of_machine: Vec<BTreeMap<Action, Use>>,
}

#[derive(Default)]
struct Use {
    rules: Vec<u32>,
    n_left: usize,
}

impl<'a> Uses<'a> {
    fn new(n_machines: usize, rules: Vec<&'a Rule>) -> Uses<'a> {
        let mut of_machine: Vec<BTreeMap<Action, Use>> = (0..n_machines).map(|_| BTreeMap::new()).collect();
        for (number, rule) in rules.iter().enumerate() {
            for (machine, action) in &rule.parts {
                let used = of_machine[machine.index()].entry(*action).or_default();
                used.rules.push(number as u32);
                used.n_left += 1;
            }
        }
        Uses { n_rules: rules.len(), rules: rules.into_iter().map(Some).collect(), of_machine }
    }

    /// Removes an action with all rules that need it; returns the machines that lose a further action.
    fn remove(&mut self, machine: usize, action: Action) -> Vec<usize> {
        let mut losers = Vec::new();
        let used = self.of_machine[machine].remove(&action).unwrap_or_default();
        for number in used.rules {
            let Some(rule) = self.rules[number as usize].take() else { continue };
            self.n_rules -= 1;
            losers.extend(rule.parts.iter().filter(|&&part| self.is_last(part)).map(|(machine, _)| machine.index()));
        }
        losers
    }

    /// Removes one use of an action; returns whether it was the last.
    fn is_last(&mut self, (machine, action): (MachineId, Action)) -> bool {
        let actions = &mut self.of_machine[machine.index()];
        let Some(used) = actions.get_mut(&action) else { return false };
        used.n_left -= 1;
        let is_last = used.n_left == 0;
        if is_last {
            actions.remove(&action);
        }
        is_last
    }
}

/// The actions of cycles of a machine, among those given.
fn on_cycles(machine: &Machine, actions: &BTreeMap<Action, Use>) -> BTreeSet<Action> {
    if actions.is_empty() {
        return BTreeSet::new();
    }
    let usable = |state: LocalState| machine.edges(state).iter().filter(|edge| actions.contains_key(&edge.action));
    let targets = |state: u32| usable(LocalState(state)).map(|edge| edge.target.0);
    let components = Partition::of(machine.n_states(), targets).of_node;
    let stays = |state: LocalState, edge: &Edge| components[state.index()] == components[edge.target.index()];
    let mut cyclic = BTreeSet::new();
    for state in machine.states() {
        cyclic.extend(usable(state).filter(|edge| stays(state, edge)).map(|edge| edge.action));
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::network::{Configuration, Mode};
    use std::sync::Arc;

    /// Cells that pass a token on, around a ring or along a line; inner steps are hidden.
    fn cells(n: u32, is_ring: bool) -> Network {
        let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
        let cell = Arc::new(Machine::new([vec![edge(0, 1)], vec![edge(1, 0)]]));
        let pass = |i: u32| {
            let parts: Box<[_]> = [(MachineId(i), Action(1)), (MachineId((i + 1) % n), Action(0))].into();
            Rule::new(parts, Label::TAU)
        };
        let mut rules: Vec<Rule> = (0..if is_ring { n } else { n - 1 }).map(pass).collect();
        if !is_ring {
            rules.push(Rule::new([(MachineId(0), Action(0))], Label(2)));
            rules.push(Rule::new([(MachineId(n - 1), Action(1))], Label(3)));
        }
        let locals = vec![LocalState(0); n as usize];
        let initial = Configuration { locals, ..Configuration::default() };
        Network {
            machines: vec![cell; n as usize],
            modes: vec![Mode { rules }],
            initial,
            priority: None,
            ..Network::default()
        }
    }

    #[test]
    fn tokens_from_outside_are_not_passed_on_for_ever() {
        assert!(!may_diverge(&cells(1000, false)));
        assert!(may_diverge(&cells(1000, true)));
    }
}
