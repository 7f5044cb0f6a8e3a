//! Reference semantics of timed networks, kept simple.
//!
//! Clock values are exact: integral numbers of *parts*, of which the caller chooses the number in a unit.

use super::{Guard, TimedNetwork};
use crate::network::{Configuration, FailedStep, ModeId, NetworkStep, RuleId};

/// A configuration with the values of all clocks.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TimedConfiguration {
    /// The untimed configuration.
    pub discrete: Configuration,
    /// The clocks of each machine, in parts.
    pub clocks: Vec<Vec<i64>>,
}

impl TimedNetwork {
    /// The initial configuration, with all clocks 0.
    pub fn initial(&self) -> TimedConfiguration {
        let clocks = self.timings.iter().map(|timing| vec![0; timing.n_clocks as usize]);
        TimedConfiguration { discrete: self.network.initial.clone(), clocks: clocks.collect() }
    }

    /// The greatest delay; `None` if it is unbounded.
    pub fn max_delay(&self, from: &TimedConfiguration, parts_per_unit: i64) -> Option<i64> {
        let locals = self.timings.iter().zip(&from.discrete.locals).zip(&from.clocks);
        let by_state = locals.filter_map(|((timing, &local), clocks)| {
            let state = timing.state(local)?;
            let left = |(clock, limit): (usize, u32)| i64::from(limit) * parts_per_unit - clocks[clock];
            let bounds = state.bounds.iter().map(|bound| left((bound.clock.index(), bound.limit)));
            bounds.chain(state.is_urgent.then_some(0)).min()
        });
        let urgent = self.urgent.get(from.discrete.mode.index()).map_or(&[][..], Vec::as_slice);
        let by_rule = self.network.steps(&from.discrete).into_iter().filter(|step| urgent.contains(&step.rule));
        let by_rule = by_rule.map(|step| self.delay_until_enabled(from, step.rule, parts_per_unit));
        by_state.chain(by_rule).min()
    }

    /// The configuration after a delay.
    pub fn after(&self, from: &TimedConfiguration, parts: i64) -> TimedConfiguration {
        let mut after = from.clone();
        after.clocks.iter_mut().flatten().for_each(|clock| *clock += parts);
        after
    }

    /// The steps that are enabled without delay.
    pub fn timed_steps(
        &self,
        from: &TimedConfiguration,
        parts_per_unit: i64,
    ) -> Vec<(NetworkStep, TimedConfiguration)> {
        let steps = self.network.steps(&from.discrete).into_iter();
        let possible = steps.filter(|step| self.guards_hold(from, step.rule, parts_per_unit));
        possible.map(|step| (step.clone(), self.after_step(from, step))).collect()
    }

    /// The enabled steps whose commands fault.
    pub fn timed_failures(&self, from: &TimedConfiguration, parts_per_unit: i64) -> Vec<FailedStep> {
        let failures = self.network.failures(&from.discrete).into_iter();
        failures.filter(|failed| self.guards_hold(from, failed.rule, parts_per_unit)).collect()
    }

    fn after_step(&self, from: &TimedConfiguration, step: NetworkStep) -> TimedConfiguration {
        let rule = &self.network.modes[from.discrete.mode.index()].rules[step.rule.index()];
        let mut clocks = from.clocks.clone();
        for &(machine, action) in &rule.parts {
            if let Some(action) = self.timings[machine.index()].actions.get(action.index()) {
                action.starts.iter().for_each(|clock| clocks[machine.index()][clock.index()] = 0);
            }
        }
        // A machine that is reset to a state enters it now.
        for &(machine, _) in rule.jump.iter().flat_map(|jump| &jump.resets) {
            clocks[machine.index()].fill(0);
        }
        TimedConfiguration { discrete: step.target, clocks }
    }

    fn guards_hold(&self, from: &TimedConfiguration, rule: RuleId, parts_per_unit: i64) -> bool {
        self.guards(from.discrete.mode, rule).all(|(machine, guard)| {
            let (value, limit) = (from.clocks[machine][guard.clock.index()], i64::from(guard.limit) * parts_per_unit);
            value > limit || value == limit && !guard.is_strict
        })
    }

    /// The least delay after which all lower limits of a rule are reached.
    fn delay_until_enabled(&self, from: &TimedConfiguration, rule: RuleId, parts_per_unit: i64) -> i64 {
        let left = self.guards(from.discrete.mode, rule).map(|(machine, guard)| {
            i64::from(guard.limit) * parts_per_unit - from.clocks[machine][guard.clock.index()]
        });
        left.max().unwrap_or(0).max(0)
    }

    pub(super) fn guards(&self, mode: ModeId, rule: RuleId) -> impl Iterator<Item = (usize, &Guard)> {
        self.network.modes[mode.index()].rules[rule.index()].parts.iter().flat_map(|&(machine, action)| {
            let action = self.timings[machine.index()].actions.get(action.index());
            let guards = action.map_or(&[][..], |action| &action.guards);
            guards.iter().map(move |guard| (machine.index(), guard))
        })
    }
}
