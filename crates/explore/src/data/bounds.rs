//! Networks whose commands may fail.

use model::network::Network;

/// Whether some command of a network may fail. An answer of `false` is certain.
pub fn may_fail(network: &Network) -> bool {
    let rules = network.modes.iter().flat_map(|mode| &mode.rules);
    rules.filter_map(|rule| rule.command.as_deref()).any(|command| network.data.may_fail(command))
}
