//! Partial-order reduction for an observer.

use super::Refusal;
use crate::data::bounds::may_fail;
use crate::divergence::{may_cycle, may_diverge};
use crate::observer::Observer;
use crate::partial_order::{PartialOrder, Proviso};
use lts::Label;
use model::network::Network;

/// The partial-order reduction of a network that is invisible to an observer.
///
/// # Errors
/// If there is none.
pub fn partial_order(network: &Network, observer: &Observer) -> Result<PartialOrder, Refusal> {
    if may_fail(network) {
        return Err(Refusal::Failures);
    }
    if observer.sees_revivals() {
        return Err(Refusal::Revivals);
    }
    let sees_silence = observer.finds_divergences() && may_diverge(network);
    let is_unseen = |label: Label| label == Label::TAU || !sees_silence && observer.ignores(label);
    let proviso =
        if observer.allows_endless_delay() || !may_cycle(network, &is_unseen) { Proviso::None } else { Proviso::Ranks };
    let mut rules = network.modes.iter().flat_map(|mode| &mode.rules);
    if !rules.any(|rule| rule.jump.is_none() && is_unseen(rule.shows)) {
        return Err(Refusal::NothingUnseen);
    }
    PartialOrder::new(network, &is_unseen, proviso).map_err(|_| Refusal::Priority)
}
