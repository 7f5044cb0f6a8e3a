//! Properties that do not see in which order things happen.

use super::Refusal;
use crate::Reason;
use crate::product::automata;
use crate::{Action, ActionNetwork, Fact, FiniteRuns, Property, Rules, View};
use explore::{PartialOrder, Proviso, may_cycle, may_fail};
use hashbrown::HashSet;
use ltl::automaton::ignores_blanks;
use ltl::logic::{Atom, Node};
use lts::Label;
use model::data::{Access, VariableId};

/// The partial order reduction of a network that no property can see.
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
    // A run that is silent for ever is none in the trace view, one of unnamed events is: they must not be taken for each other.
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
    // Round a cycle on which something is seen, some state has all its steps.
    let proviso = if may_cycle(network.network(), &is_unseen) { Proviso::Ranks } else { Proviso::None };
    let order = PartialOrder::new(network.network(), &is_unseen, proviso);
    order.map_err(|_| Refusal::Priority)
}

/// Whether a property does not see events that it does not name. Silent steps it does not see in any case.
fn can_ignore(property: &Property, rules: &Rules) -> Result<bool, Refusal> {
    if !property.fairness.is_none() {
        return Err(Refusal::Fairness);
    }
    // A run ends in the same states, whatever it leaves out before.
    let is_harmless = |fact: &Fact| matches!(fact, Fact::Takes(_) | Fact::Stuck | Fact::Terminated | Fact::Holds(_));
    if !property.facts.iter().all(is_harmless) {
        return Err(Refusal::States);
    }
    if property.facts.iter().any(|fact| matches!(fact, Fact::Holds(_))) {
        return repeats(property, rules);
    }
    let [one, other] = automata(property, rules).map_err(|reason| match reason {
        Reason::MixedPast => Refusal::Past,
        _ => Refusal::TooLarge,
    })?;
    let n_facts = property.facts.len() as u32;
    let end = (rules.finite_runs == FiniteRuns::Maximal).then_some(Atom(n_facts));
    let ignores = ignores_blanks(&one, &other, n_facts + u32::from(end.is_some()), end);
    if !ignores && rules.view == View::Step { Err(Refusal::Counts) } else { Ok(ignores) }
}

/// Whether a property of conditions does not see that they stay as they are for a while. That is so without words for the next
/// position; where steps are named as well, a step between two that are alike would be seen as one that is none of them.
fn repeats(property: &Property, rules: &Rules) -> Result<bool, Refusal> {
    if rules.view != View::Step || !property.facts.iter().all(|fact| matches!(fact, Fact::Holds(_))) {
        return Err(Refusal::States);
    }
    for part in property.store.below(property.formula) {
        match property.store.get(part) {
            Node::Next(_) | Node::WeakNext(_) => return Err(Refusal::Counts),
            Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..) => {
                return Err(Refusal::Past);
            }
            _ => {}
        }
    }
    Ok(true)
}

/// For each action whether a rule that shows it changes variables that a property looks at.
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

/// Whether a network can be silent for ever, as far as its machines alone tell. "Yes" may be wrong.
pub fn may_diverge(network: &ActionNetwork) -> bool {
    may_cycle(network.network(), &|label| network.actions()[label.index()].label == Label::TAU)
}
