//! Networks that some language made, as text.

use crate::NetworkToWrite;
use model::EventTable;
use network_text::{NamedNetwork, Origin, Origins, Place};
use std::fmt::Write;

/// Writes networks over the same events, and lines with assertions about them.
pub(crate) fn write_networks(events: &EventTable, networks: &[NetworkToWrite], assertions: &[String]) -> String {
    let networks: Vec<NamedNetwork> = networks.iter().map(named).collect();
    let mut text = network_text::write(events, &networks, &[]).to_string();
    if !assertions.is_empty() {
        text.push('\n');
    }
    for assertion in assertions {
        let _ = writeln!(text, "assert {assertion}");
    }
    text
}

fn named(written: &NetworkToWrite) -> NamedNetwork {
    let origin = |(name, place): &(String, Option<String>)| Origin {
        name: Some(name.as_str().into()),
        place: place.as_ref().map(|place| Place(place.as_str().into())),
    };
    NamedNetwork {
        name: written.name.as_str().into(),
        place: None,
        network: (*written.network).clone(),
        origins: Origins { machines: written.machines.iter().map(origin).collect(), ..Origins::default() },
    }
}
