//! Exact encoding of violations.
//!
//! Other engines only assume violations, for which a literal suffices that implies one. PDR also asks why a state is a
//! violation, so the literal here is equivalent to it.

use super::state::Transition;
use crate::{Lit, Property};
use lts::{Label, Lts};
use std::collections::BTreeMap;

impl Transition<'_> {
    /// Whether the state before the step has a violation.
    pub(super) fn bad(&mut self) -> Lit {
        let failing: Vec<Vec<Lit>> = self.before.failing().map(<[Lit]>::to_vec).collect();
        let mut ways: Vec<Lit> = failing.iter().map(|fails| self.clauses.all(fails)).collect();
        let possible = self.possible();
        match *self.property {
            Property::DeadlockFree => {
                let all: Vec<Lit> = possible.into_values().collect();
                ways.push(!self.clauses.any(&all));
            }
            Property::Refines(spec, model) => {
                self.add_forbidden(spec, &possible, &mut ways);
                if model.sees_failures() {
                    ways.push(self.refusal(spec, &possible));
                }
            }
        }
        self.clauses.any(&ways)
    }

    /// For each label whether a step with it is enabled.
    fn possible(&mut self) -> BTreeMap<Label, Lit> {
        let mut by_label: BTreeMap<Label, Vec<Lit>> = BTreeMap::new();
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        for (rule, &is_possible) in rules.zip(self.possible.iter().flatten()) {
            by_label.entry(rule.shows).or_default().push(is_possible);
        }
        by_label.into_iter().map(|(label, rules)| (label, self.clauses.any(&rules))).collect()
    }

    fn add_forbidden(&mut self, spec: &Lts, possible: &BTreeMap<Label, Lit>, ways: &mut Vec<Lit>) {
        for (&label, &is_possible) in possible.iter().filter(|(label, _)| **label != Label::TAU) {
            let allowing = crate::property::allowing(spec, &self.before, label);
            let is_allowed = self.clauses.any(&allowing);
            if allowing.len() < self.before.nodes.len() {
                ways.push(self.clauses.and(is_possible, !is_allowed));
            }
        }
    }

    /// The state is stable, and refuses an event of each acceptance of its node.
    fn refusal(&mut self, spec: &Lts, possible: &BTreeMap<Label, Lit>) -> Lit {
        let moving: Vec<Lit> = possible.range(..=Label::TICK).map(|(_, &lit)| lit).collect();
        let is_stable = !self.clauses.any(&moving);
        let mut ways = Vec::new();
        for node in spec.states().filter(|&node| !spec.is_explicitly_divergent(node)) {
            let mut all = vec![is_stable, self.before.nodes[node.index()]];
            for acceptance in spec.acceptances().into_iter().flat_map(|acceptances| acceptances.of(node)) {
                let no = self.clauses.no();
                let offered: Vec<Lit> =
                    acceptance.iter().map(|event| possible.get(event).copied().unwrap_or(no)).collect();
                all.push(!self.clauses.all(&offered));
            }
            ways.push(self.clauses.all(&all));
        }
        self.clauses.any(&ways)
    }
}
