//! Two rules in a row that come to nothing, or to what one rule does.
//!
//! A shortest run has no such pair: without it, or with the one rule instead, it would get to the same state sooner. A disc that moves twice could have moved once, and who presses
//! a switch twice could have left it alone.

use super::OfMachine;
use super::exchange::{behind, changes_nothing, is_within};
use lts::Label;
use model::network::{Action, LocalState, MachineId, Network, Rule};
use std::collections::BTreeMap;

/// So many pairs of rules are looked at. Those behind are not known to be in vain.
const MAX_PAIRS: usize = 1 << 16;

type Relation = Vec<(LocalState, LocalState)>;

/// What rules do, seen from outside and machine by machine.
pub(super) struct Shortcuts<'a> {
    pub(super) network: &'a Network,
    pub(super) machines: &'a [OfMachine],
    /// Whether somebody sees labels.
    pub(super) is_seen: bool,
}

impl Shortcuts<'_> {
    /// Pairs of rules that no shortest run takes one after the other. Rules are counted through all modes.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let (mut first, mut n_left) = (0, MAX_PAIRS);
        for mode in &self.network.modes {
            let plain: Vec<usize> = (0..mode.rules.len()).filter(|&rule| self.is_plain(&mode.rules[rule])).collect();
            // Whoever changes a machine, by machine.
            let mut changing: BTreeMap<MachineId, Vec<usize>> = BTreeMap::new();
            for &rule in &plain {
                self.changed(&mode.rules[rule]).for_each(|machine| changing.entry(machine).or_default().push(rule));
            }
            for &one in &plain {
                let partners = self.changed(&mode.rules[one]).filter_map(|machine| changing.get(&machine)).flatten();
                let mut partners: Vec<usize> = partners.copied().collect();
                partners.sort_unstable();
                partners.dedup();
                for other in partners.into_iter().take(n_left) {
                    n_left -= 1;
                    let both = self.both(&mode.rules[one], &mode.rules[other]);
                    let is_one = |&rule: &usize| self.does_all(&mode.rules[rule], &both);
                    let is_possible = both.values().all(|relation| !relation.is_empty());
                    let replacements = || both.keys().filter_map(|machine| changing.get(machine)).flatten();
                    if is_possible
                        && (both.values().all(|relation| changes_nothing(relation)) || replacements().any(is_one))
                    {
                        pairs.push((first + one, first + other));
                    }
                }
            }
            first += mode.rules.len();
        }
        pairs
    }

    /// Whether a rule does nothing but move its machines, unseen.
    fn is_plain(&self, rule: &Rule) -> bool {
        let is_unseen = if self.is_seen { rule.shows == Label::TAU } else { rule.shows != Label::TICK };
        is_unseen && rule.jump.is_none() && rule.command.is_none() && rule.unless.is_empty()
    }

    /// The machines that a rule may leave in another state.
    fn changed(&self, rule: &Rule) -> impl Iterator<Item = MachineId> {
        let changes = |&(machine, action): &(MachineId, Action)| {
            !changes_nothing(self.machines[machine.index()].actions.relation(action))
        };
        rule.parts.iter().copied().filter(changes).map(|part| part.0)
    }

    /// What two rules in a row do to each machine that takes part in one of them.
    fn both(&self, one: &Rule, other: &Rule) -> BTreeMap<MachineId, Relation> {
        let mut both: BTreeMap<MachineId, Relation> = BTreeMap::new();
        for &(machine, action) in one.parts.iter().chain(&other.parts) {
            let relation = self.machines[machine.index()].actions.relation(action);
            let together = both.get(&machine).map_or_else(|| relation.to_vec(), |before| behind(before, relation));
            both.insert(machine, together);
        }
        both
    }

    /// Whether a rule can do all that is done, and does nothing to other machines.
    fn does_all(&self, rule: &Rule, done: &BTreeMap<MachineId, Relation>) -> bool {
        rule.parts.iter().all(|(machine, _)| done.contains_key(machine))
            && done.iter().all(|(machine, relation)| match rule.parts.iter().find(|part| part.0 == *machine) {
                Some(&(_, action)) => is_within(relation, self.machines[machine.index()].actions.relation(action)),
                None => changes_nothing(relation),
            })
    }
}
