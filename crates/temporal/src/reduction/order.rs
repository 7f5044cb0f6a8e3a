//! Properties that do not see in which order things happen.

use super::Refusal;
use crate::Reason;
use crate::product::automata;
use crate::{Action, ActionNetwork, Fact, FiniteRuns, Property, Rules, View};
use explore::{PartialOrder, Proviso, may_cycle};
use ltl::automaton::ignores_blanks;
use ltl::logic::Atom;
use lts::Label;

/// The partial order reduction of a network that no property can see.
///
/// # Errors
/// If there is none.
pub fn partial_order(network: &ActionNetwork, properties: &[Property], rules: &Rules) -> Result<PartialOrder, Refusal> {
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
    let is_unseen: Vec<bool> =
        network.actions().iter().map(|action| rules.is_silent(action) || may_ignore && !is_named(action)).collect();
    let order = PartialOrder::new(network.network(), &|label| is_unseen[label.index()], Proviso::Ranks);
    order.map_err(|_| Refusal::Priority)
}

/// Whether a property does not see events that it does not name. Silent steps it does not see in any case.
fn can_ignore(property: &Property, rules: &Rules) -> Result<bool, Refusal> {
    if !property.fairness.is_none() {
        return Err(Refusal::Fairness);
    }
    // A run ends in the same states, whatever it leaves out before.
    let is_harmless = |fact: &Fact| matches!(fact, Fact::Takes(_) | Fact::Stuck | Fact::Terminated);
    if !property.facts.iter().all(is_harmless) {
        return Err(Refusal::States);
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

/// Whether a network can be silent for ever, as far as its machines alone tell. "Yes" may be wrong.
pub fn may_diverge(network: &ActionNetwork) -> bool {
    may_cycle(network.network(), &|label| network.actions()[label.index()].label == Label::TAU)
}
