//! Parallel-step semantics (Rintanen, Heljanko and Niemelä, 2006, "Planning as satisfiability: parallel plans and
//! algorithms for plan search").
//!
//! One rule leads from each frame to the next if counterexamples are to be shortest. Otherwise independent rules may be
//! taken in parallel: no two of them share a machine or a variable that one of them writes, a specification observes at
//! most one of them, and none changes the mode. They can be taken in any order and lead to the same state, so distant
//! states need fewer frames. Every run of single steps is such a run, too.

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::{Lit, Property};
use lts::Label;
use model::data::{Access, VariableId};
use model::network::{MachineId, Network, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// The steps between two frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum StepSemantics {
    /// A single rule.
    #[default]
    Single,
    /// Any number of independent rules.
    Parallel,
}

impl Frame {
    /// No two dependent rules are taken in one step.
    pub(crate) fn exclude_dependent(
        &self,
        network: &Network,
        property: &Property<'_>,
        step_semantics: StepSemantics,
        clauses: &mut Clauses<'_>,
    ) {
        let rules = network.modes.iter().flat_map(|mode| &mode.rules).zip(self.rules.iter().flatten());
        let rules: Vec<(&Rule, Lit)> = rules.map(|(rule, lits)| (rule, lits.taken)).collect();
        let possible = rules.into_iter().filter(|(_, taken)| *taken != clauses.no());
        match step_semantics {
            StepSemantics::Single => clauses.at_most_one(&possible.map(|(_, taken)| taken).collect::<Vec<Lit>>()),
            StepSemantics::Parallel => keep_apart(network, property, &possible.collect::<Vec<_>>(), clauses),
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

/// Whether a rule is dependent on all others.
fn is_alone(rule: &Rule) -> bool {
    rule.jump.is_some() || rule.shows == Label::TICK
}
