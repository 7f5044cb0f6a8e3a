//! Pairs of rules that a single rule, or none, replaces.
//!
//! A shortest run has no such pair: the shorter run reaches the same state. A disc that moves twice could have moved
//! once, and a switch that is pressed twice could have been left alone.

use super::OfMachine;
use super::exchange::{behind, changes_nothing, is_within};
use crate::Solver;
use limits::effort::step_order::{MAX_RULE_PAIRS, MAX_WORK};
use lts::Label;
use model::network::{Action, LocalState, MachineId, Network, Rule};
use std::collections::BTreeMap;

type Relation = Vec<(LocalState, LocalState)>;

/// The effects of rules, by machine.
pub(super) struct Shortcuts<'a> {
    pub(super) network: &'a Network,
    pub(super) machines: &'a [OfMachine],
    /// Whether labels are observed.
    pub(super) is_seen: bool,
}

impl Shortcuts<'_> {
    /// Pairs of rules that no shortest run takes in sequence. Rules are numbered through all modes. The work is charged
    /// to the solver.
    pub(super) fn pairs(&self, solver: &mut dyn Solver) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let (mut first, mut n_left, mut n_steps_left) = (0, MAX_RULE_PAIRS, MAX_WORK);
        let mut has_left = |n_steps: usize| {
            solver.count(n_steps);
            n_steps_left = n_steps_left.saturating_sub(n_steps);
            n_steps_left > 0
        };
        for mode in &self.network.modes {
            let plain: Vec<usize> = (0..mode.rules.len()).filter(|&rule| self.is_plain(&mode.rules[rule])).collect();
            // The rules that change a machine, by machine.
            let mut changing: BTreeMap<MachineId, Vec<usize>> = BTreeMap::new();
            for &rule in &plain {
                self.changed(&mode.rules[rule]).for_each(|machine| changing.entry(machine).or_default().push(rule));
            }
            for &one in &plain {
                let partners = self.changed(&mode.rules[one]).filter_map(|machine| changing.get(&machine)).flatten();
                let mut partners: Vec<usize> = partners.copied().collect();
                partners.sort_unstable();
                partners.dedup();
                if !has_left(partners.len()) {
                    return pairs;
                }
                for other in partners.into_iter().take(n_left) {
                    n_left -= 1;
                    let both = self.both(&mode.rules[one], &mode.rules[other]);
                    if !has_left(both.values().map(|relation| relation.len() + 1).sum()) {
                        return pairs;
                    }
                    if both.values().any(Vec::is_empty) {
                        continue;
                    }
                    // A single replacement changes all machines that the pair changes, so it is among the rules of the
                    // machine with the fewest.
                    let changed = both.iter().filter(|(_, relation)| !changes_nothing(relation));
                    let replacements = changed.map(|(machine, _)| changing.get(machine).map_or(&[][..], Vec::as_slice));
                    let is_in_vain = replacements.min_by_key(|rules| rules.len()).is_none_or(|rules| {
                        has_left(rules.iter().map(|&rule| mode.rules[rule].parts.len()).sum())
                            && rules.iter().any(|&rule| self.does_all(&mode.rules[rule], &both))
                    });
                    if is_in_vain {
                        pairs.push((first + one, first + other));
                    }
                }
            }
            first += mode.rules.len();
        }
        pairs
    }

    /// Whether a rule is unobserved and has no effect but moves of its machines.
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

    /// The composed relation of two rules on each machine that takes part in one of them.
    fn both(&self, one: &Rule, other: &Rule) -> BTreeMap<MachineId, Relation> {
        let mut both: BTreeMap<MachineId, Relation> = BTreeMap::new();
        for &(machine, action) in one.parts.iter().chain(&other.parts) {
            let relation = self.machines[machine.index()].actions.relation(action);
            let together = both.get(&machine).map_or_else(|| relation.to_vec(), |before| behind(before, relation));
            both.insert(machine, together);
        }
        both
    }

    /// Whether a rule can do all of that, and does nothing to other machines.
    fn does_all(&self, rule: &Rule, done: &BTreeMap<MachineId, Relation>) -> bool {
        rule.parts.iter().all(|(machine, _)| done.contains_key(machine))
            && done.iter().all(|(machine, relation)| match rule.parts.iter().find(|part| part.0 == *machine) {
                Some(&(_, action)) => is_within(relation, self.machines[machine.index()].actions.relation(action)),
                None => changes_nothing(relation),
            })
    }
}
