//! Partial-order reduction for stuttering-invariant properties.

use super::Refusal;
use crate::Reason;
use crate::product::{automata, is_past, outside_the_past, replace_past};
use crate::{Action, ActionNetwork, Fact, FiniteRuns, Property, Rules, View};
use explore::{PartialOrder, Proviso, may_cycle, may_fail};
use hashbrown::HashSet;
use ltl::automaton::{Alphabet, ignores_blanks};
use ltl::logic::{Atom, Formula, Node};
use lts::Label;
use model::data::{Access, VariableId};

/// The partial-order reduction of a network that preserves the properties.
///
/// # Errors
/// If there is none.
pub fn partial_order(network: &ActionNetwork, properties: &[Property], rules: &Rules) -> Result<PartialOrder, Refusal> {
    if may_fail(network.network()) {
        return Err(Refusal::Failures);
    }
    let mut may_ignore = true;
    for property in properties {
        may_ignore &= can_ignore(property, rules)?;
    }
    // In the trace view a divergence is not a run, but an infinite run of unnamed events is: the reduction must not
    // exchange them.
    let may_ignore = may_ignore && (rules.view == View::Step || !may_diverge(network));
    let is_named = |action: &Action| {
        let facts = properties.iter().flat_map(|property| &property.facts);
        facts.into_iter().any(|fact| matches!(fact, Fact::Takes(labels) if labels.contains(action.label)))
    };
    let is_seen = changing(network, properties);
    let actions = network.actions().iter().zip(&is_seen);
    let is_unseen: Vec<bool> = actions
        .map(|(action, is_seen)| !is_seen && (rules.is_silent(action) || may_ignore && !is_named(action)))
        .collect();
    let is_unseen = |label: Label| is_unseen[label.index()];
    // Every cycle with a visible step has a fully expanded state.
    let proviso = if may_cycle(network.network(), &is_unseen) { Proviso::Ranks } else { Proviso::None };
    let order = PartialOrder::new(network.network(), &is_unseen, proviso);
    order.map_err(|_| Refusal::Priority)
}

/// Whether a property is insensitive to events that it does not name. Silent steps are always invisible.
fn can_ignore(property: &Property, rules: &Rules) -> Result<bool, Refusal> {
    if !property.fairness.is_none() {
        return Err(Refusal::Fairness);
    }
    // The reduction preserves the final states of runs.
    let is_harmless = |fact: &Fact| matches!(fact, Fact::Takes(_) | Fact::Stuck | Fact::Terminated | Fact::Holds(_));
    if !property.facts.iter().all(is_harmless) {
        return Err(Refusal::States);
    }
    let parts = property.store.below(property.formula);
    if parts.iter().any(|&part| is_past(property.store.get(part))) {
        // Invisible steps do not change conditions.
        let kept = (0..).zip(&property.facts).filter(|(_, fact)| matches!(fact, Fact::Holds(_)));
        let kept = kept.fold(0, |kept, (bit, _): (u32, _)| kept | 1 << bit);
        return ignores(&by_last_steps(property, rules)?, rules, kept);
    }
    if property.facts.iter().any(|fact| matches!(fact, Fact::Holds(_))) {
        return repeats(property, rules);
    }
    ignores(property, rules, 0)
}

/// Whether a property is insensitive to repeated positions, with the `kept` facts unchanged.
fn ignores(property: &Property, rules: &Rules, kept: u64) -> Result<bool, Refusal> {
    let [one, other] = automata(property, rules).map_err(|reason| match reason {
        Reason::MixedPast => Refusal::Past,
        _ => Refusal::TooLarge,
    })?;
    let n_facts = property.facts.len() as u32;
    let end = (rules.finite_runs == FiniteRuns::Maximal).then_some(Atom(n_facts));
    let ignores = ignores_blanks(&one, &other, Alphabet { n_atoms: n_facts + u32::from(end.is_some()), kept, end });
    if !ignores && rules.view == View::Step { Err(Refusal::Counts) } else { Ok(ignores) }
}

/// The formula of a property whose only past operator is the last step: its step atoms refer to the step to a position
/// instead of the step from it. Where runs end, there must be a position after that step.
fn by_last_steps(property: &Property, rules: &Rules) -> Result<Property, Refusal> {
    let is_step = |atom: Atom| matches!(property.facts[atom.0 as usize], Fact::Takes(_));
    let is_condition = |atom: Atom| matches!(property.facts[atom.0 as usize], Fact::Holds(_));
    let mut store = property.store.clone();
    let is_plain = outside_the_past(&store, property.formula).into_iter().all(|part| match *store.get(part) {
        Node::Literal(atom, _) => is_condition(atom),
        _ => true,
    });
    if rules.view != View::Step || rules.finite_runs == FiniteRuns::Maximal || !is_plain {
        return Err(Refusal::Past);
    }
    let formula = replace_past(&mut store, property.formula, |store, part| {
        // The first position has no previous step.
        let (operand, is_taken) = match *store.get(part) {
            Node::Yesterday(operand) => (operand, true),
            Node::WeakYesterday(operand) => (operand, false),
            _ => return Err(Refusal::Past),
        };
        match *store.get(operand) {
            Node::Literal(atom, is_positive) if is_step(atom) && is_positive == is_taken => Ok(operand),
            _ => Err(Refusal::Past),
        }
    })?;
    Ok(Property { store, formula, ..property.clone() })
}

/// Whether a property of conditions is insensitive to stuttering. This is so without next operators; if the next step
/// is named as well, an invisible step between two named ones would count as an unnamed step.
fn repeats(property: &Property, rules: &Rules) -> Result<bool, Refusal> {
    if rules.view != View::Step || !property.facts.iter().all(|fact| matches!(fact, Fact::Holds(_))) {
        return Err(Refusal::States);
    }
    let parts = property.store.below(property.formula);
    let counts = |part: &Formula| matches!(property.store.get(*part), Node::Next(_) | Node::WeakNext(_));
    if parts.iter().any(counts) { Err(Refusal::Counts) } else { Ok(true) }
}

/// For each action whether one of its rules changes variables of a property.
fn changing(network: &ActionNetwork, properties: &[Property]) -> Vec<bool> {
    let facts = properties.iter().flat_map(|property| &property.facts);
    let named = |fact: &Fact| match fact {
        Fact::Holds(number) => network.conditions().iter().find(|(known, _)| known == number),
        _ => None,
    };
    let data = &network.network().data;
    let read: HashSet<VariableId> =
        facts.filter_map(named).flat_map(|&(_, condition)| Access::of_expression(data, condition).reads).collect();
    let mut is_seen = vec![false; network.actions().len()];
    for rule in network.network().modes.iter().flat_map(|mode| &mode.rules) {
        let Some(command) = &rule.command else { continue };
        let writes = Access::of(data, command).writes;
        is_seen[rule.shows.index()] |= writes.iter().any(|variable| read.contains(variable));
    }
    is_seen
}

/// Whether a network may diverge, by the structure of its machines. An answer of `false` is certain.
pub fn may_diverge(network: &ActionNetwork) -> bool {
    may_cycle(network.network(), &|label| network.actions()[label.index()].label == Label::TAU)
}
