//! Unexpanded rules: rules with too many combinations of edges for a table of instances.
//!
//! Where many machines take part, each in several of its local states, the combinations are too many to list, and most
//! states enable none of them. The readiness of machines selects the enabled rules, 64 at a time ([`Readiness`]). These
//! are taken participant by participant. Rules whose tables would be too large are tried in every state.

use super::readiness::{GROUP, Group, Readiness};
use super::{CompiledMode, FAILED, NetworkSpace};
use crate::data::program::Effect;
use crate::space::{Step, Steps};
use limits::effort::instances::{MAX_LOCALS, MAX_TARGETS};
use model::network::{Action, MachineId, ModeId, Rule, RuleId};
use std::collections::HashMap;

/// Marks a target that is not unique, or does not exist.
const AMBIGUOUS: u32 = u32::MAX;

/// The unexpanded rules of a mode.
#[derive(Debug, Default)]
pub(super) struct UnexpandedRules {
    readiness: Readiness,
    groups: Vec<Group>,
    /// The rules of all groups, [`GROUP`] for each but the last, followed by those without tables.
    rules: Vec<UnexpandedEntry>,
    /// For each participant of each rule the start of its target table, if it has one.
    tables: Vec<Option<u32>>,
    /// The target for each local state, table by table.
    targets: Vec<u32>,
}

/// An unexpanded rule.
#[derive(Clone, Copy, Debug)]
struct UnexpandedEntry {
    number: u32,
    first_table: u32,
}

/// An unexpanded rule with its anchor, the participant that is ready in the smallest share of its states.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnexpandedRule {
    pub(super) number: u32,
    pub(super) anchor: (MachineId, Action),
}

impl UnexpandedRules {
    /// The rules of a mode, with tables of at most `max_tables` words.
    pub(super) fn new(
        space: &NetworkSpace<'_>,
        mode: ModeId,
        mut rules: Vec<UnexpandedRule>,
        max_tables: usize,
    ) -> UnexpandedRules {
        // Rules with the same participants share groups, so that each group depends on few machines.
        rules.sort_by_key(|rule| rule.anchor.0);
        let definition = |rule: &UnexpandedRule| &space.network.modes[mode.index()].rules[rule.number as usize];
        let mut unexpanded = UnexpandedRules::default();
        let mut tables = HashMap::new();
        for chunk in rules.chunks(GROUP) {
            let parts = chunk.iter().map(|rule| &*definition(rule).parts);
            let Some(group) = unexpanded.readiness.add_group(space, parts, max_tables) else { break };
            unexpanded.groups.push(group);
            chunk.iter().for_each(|rule| unexpanded.keep(space, rule.number, definition(rule), &mut tables));
        }
        let others = &rules[unexpanded.rules.len()..];
        others.iter().for_each(|rule| unexpanded.keep(space, rule.number, definition(rule), &mut tables));
        unexpanded
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn keep(
        &mut self,
        space: &NetworkSpace<'_>,
        number: u32,
        rule: &Rule,
        tables: &mut HashMap<(MachineId, Action), Option<u32>>,
    ) {
        self.rules.push(UnexpandedEntry { number, first_table: self.tables.len() as u32 });
        for &(machine, action) in &rule.parts {
            let table = *tables.entry((machine, action)).or_insert_with(|| self.add_targets(space, machine, action));
            self.tables.push(table);
        }
    }

    /// Adds the table of the target of an action for each local state of a machine; none if it would be too large.
    fn add_targets(&mut self, space: &NetworkSpace<'_>, machine: MachineId, action: Action) -> Option<u32> {
        let (locals, start) = (&space.locals[machine.index()], self.targets.len());
        let n_values = locals.n_values() as usize;
        if n_values > MAX_LOCALS || start + n_values > MAX_TARGETS {
            return None;
        }
        let target = |value| match space.network.machines[machine.index()].edges_by(locals.state(value), action) {
            [edge] => locals.value(edge.target).unwrap_or(AMBIGUOUS),
            _ => AMBIGUOUS,
        };
        self.targets.extend((0..locals.n_values()).map(target));
        Some(start as u32)
    }

    /// Calls `act` with each rule that may be enabled.
    #[inline]
    fn for_each_candidate(&self, state: &[u64], mut act: impl FnMut(UnexpandedEntry)) {
        for (&group, rules) in self.groups.iter().zip(self.rules.chunks(GROUP)) {
            let mut ready = self.readiness.ready(group, state);
            while ready != 0 {
                act(rules[ready.trailing_zeros() as usize]);
                ready &= ready - 1;
            }
        }
        self.rules[self.n_grouped()..].iter().for_each(|&kept| act(kept));
    }

    /// The number of rules with readiness tables.
    pub(super) fn n_grouped(&self) -> usize {
        self.rules.len().min(self.groups.len() * GROUP)
    }

    /// The unique target of an action in a local state, if there is a table for it.
    #[inline]
    fn target(&self, table: usize, value: u32) -> u32 {
        self.tables[table].map_or(AMBIGUOUS, |start| self.targets[(start + value) as usize])
    }
}

impl NetworkSpace<'_> {
    /// The steps of unexpanded rules; returns whether some of them fail.
    #[inline(never)]
    pub(super) fn unexpanded_steps<const W: usize>(
        &self,
        mode: &CompiledMode,
        state: &[u64; W],
        steps: &mut Steps<W>,
        is_obstructed: impl Fn(u32) -> bool,
    ) -> bool {
        let mut has_failed = false;
        mode.unexpanded.for_each_candidate(state, |rule| {
            let target = |place, value| mode.unexpanded.target(rule.first_table as usize + place, value);
            has_failed |= !is_obstructed(rule.number) && self.try_rule(rule.number, state, steps, target);
        });
        has_failed
    }

    /// Takes a rule with every combination of edges, if all participants are ready; returns whether the step fails.
    #[inline(never)]
    pub(super) fn take_unexpanded<const W: usize>(&self, number: u32, state: &[u64; W], steps: &mut Steps<W>) -> bool {
        self.try_rule(number, state, steps, |_, _| AMBIGUOUS)
    }

    /// [`NetworkSpace::take_unexpanded`] with `target`, the unique target of a participant for a value of its field.
    #[inline]
    fn try_rule<const W: usize>(
        &self,
        number: u32,
        state: &[u64; W],
        steps: &mut Steps<W>,
        target: impl Fn(usize, u32) -> u32,
    ) -> bool {
        let mode = ModeId(self.mode_field.get(state));
        let rule = &self.network.modes[mode.index()].rules[number as usize];
        let first = steps.len();
        let mut step = Step { target: *state, label: rule.shows, rule: RuleId(number) };
        if rule.command.is_some() {
            if !rule.parts.iter().all(|&(machine, action)| self.is_ready(machine, action, state)) {
                return false;
            }
            match self.execute(number, &mut step.target) {
                Effect::Done => {}
                Effect::Refused => return false,
                Effect::Failed => {
                    steps.push(Step { rule: FAILED, ..step });
                    return true;
                }
            }
        }
        steps.push(step);
        for (place, &(machine, action)) in rule.parts.iter().enumerate() {
            let field = self.fields[machine.index()];
            let value = field.get(state);
            match target(place, value) {
                AMBIGUOUS if !self.take_each_edge(machine, action, state, steps, first) => return false,
                AMBIGUOUS => {}
                target if target == value => {}
                target => steps[first..].iter_mut().for_each(|step| field.set(&mut step.target, target)),
            }
        }
        if let Some(jump) = &rule.jump {
            for step in &mut steps[first..] {
                self.mode_field.set(&mut step.target, jump.mode.0);
                for &(machine, local) in &jump.resets {
                    self.set_local(&mut step.target, machine.index(), local);
                }
            }
        }
        false
    }

    /// Takes a participant of a rule by each of its edges, in each of the steps from `first` on; false if it has no
    /// edge, and then these steps are removed.
    fn take_each_edge<const W: usize>(
        &self,
        machine: MachineId,
        action: Action,
        state: &[u64; W],
        steps: &mut Steps<W>,
        first: usize,
    ) -> bool {
        let machine = machine.index();
        let edges = self.network.machines[machine].edges_by(self.local(state, machine), action);
        let so_far = first..steps.len();
        let Some((last, others)) = edges.split_last() else {
            steps.truncate(first);
            return false;
        };
        for edge in others {
            for place in so_far.clone() {
                let mut step = steps[place];
                self.set_local(&mut step.target, machine, edge.target);
                steps.push(step);
            }
        }
        for place in so_far {
            self.set_local(&mut steps[place].target, machine, last.target);
        }
        true
    }
}

#[cfg(test)]
impl UnexpandedRules {
    pub(super) fn n_tried(&self) -> usize {
        self.rules.len() - self.n_grouped()
    }
}
