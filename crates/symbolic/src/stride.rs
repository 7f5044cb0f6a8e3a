//! How many rules lead from one state of a run to the next.
//!
//! One, if runs are to be shortest. If any run will do, rules that have nothing to do with each other may be taken at once: no two of them share a machine or a variable that somebody changes, a specification
//! sees at most one of them, and none changes the mode. Whatever their order, they can be taken one after the other and lead to the same state, so what is far away in single steps is near.
//! Every run of single steps is such a run as well, and not a longer one.

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::{Lit, Property};
use lts::Label;
use model::data::{Access, VariableId};
use model::network::{MachineId, Network, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// What leads to the next state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Stride {
    /// One rule.
    #[default]
    Single,
    /// Any number of rules that have nothing to do with each other.
    Many,
}

impl Frame {
    /// No two rules are taken that exclude each other.
    pub(crate) fn take_few(
        &self,
        network: &Network,
        property: &Property<'_>,
        stride: Stride,
        clauses: &mut Clauses<'_>,
    ) {
        let rules = network.modes.iter().flat_map(|mode| &mode.rules).zip(self.rules.iter().flatten());
        let rules: Vec<(&Rule, Lit)> = rules.map(|(rule, lits)| (rule, lits.taken)).collect();
        let possible = rules.into_iter().filter(|(_, taken)| *taken != clauses.no());
        match stride {
            Stride::Single => clauses.at_most_one(&possible.map(|(_, taken)| taken).collect::<Vec<Lit>>()),
            Stride::Many => keep_apart(network, property, &possible.collect::<Vec<_>>(), clauses),
        }
    }
}

fn keep_apart(network: &Network, property: &Property<'_>, rules: &[(&Rule, Lit)], clauses: &mut Clauses<'_>) {
    let (alone, others): (Vec<_>, Vec<_>) = rules.iter().partition(|(rule, _)| is_alone(rule));
    let alone: Vec<Lit> = alone.into_iter().map(|(_, taken)| taken).collect();
    clauses.at_most_one(&alone);
    let is_alone = clauses.any(&alone);
    let access = |rule: &Rule| rule.command.as_ref().map(|command| Access::of(&network.data, command));
    let access: Vec<Access> = others.iter().map(|(rule, _)| access(rule).unwrap_or_default()).collect();
    let changed: BTreeSet<VariableId> = access.iter().flat_map(|access| &access.writes).copied().collect();
    let mut of_machine: BTreeMap<MachineId, Vec<Lit>> = BTreeMap::new();
    let mut of_variable: BTreeMap<VariableId, Vec<Lit>> = BTreeMap::new();
    let mut seen = Vec::new();
    for ((rule, taken), access) in others.into_iter().zip(&access) {
        clauses.exclude(&[is_alone, taken]);
        rule.parts.iter().for_each(|part| of_machine.entry(part.0).or_default().push(taken));
        let touched: BTreeSet<VariableId> = access.reads.iter().chain(&access.writes).copied().collect();
        touched.intersection(&changed).for_each(|variable| of_variable.entry(*variable).or_default().push(taken));
        seen.extend((property.specification().is_some() && rule.shows != Label::TAU).then_some(taken));
    }
    of_machine.into_values().chain(of_variable.into_values()).for_each(|rules| clauses.at_most_one(&rules));
    clauses.at_most_one(&seen);
}

/// Whether a rule is never taken together with others.
fn is_alone(rule: &Rule) -> bool {
    rule.jump.is_some() || rule.shows == Label::TICK
}
