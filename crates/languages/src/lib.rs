//! The languages of the tool, one folder each, and the table of them.

mod absent;
mod csp_sharp;
mod cspm;
mod guess;
mod network;
mod pieces;

use frontend::Language;
use model::EventTable;
use model::network::Network;
use std::ops::Range;
use std::sync::Arc;

/// All languages. What none of the others recognizes is in the first.
pub const ALL: &[&dyn Language] = &[&cspm::Cspm, &network::NetworkText, &csp_sharp::CspSharp, &absent::B];

/// The language with this name.
pub fn named(name: &str) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|language| language.name() == name)
}

/// How the names of scripts end, each once, without the dot.
pub fn endings() -> Vec<&'static str> {
    let mut endings = Vec::new();
    for ending in ALL.iter().flat_map(|language| language.endings()) {
        if !endings.contains(ending) {
            endings.push(*ending);
        }
    }
    endings
}

/// The language of a script, and the part of its text that is evidence for it.
pub fn guess(path: &str, text: &str) -> (&'static dyn Language, Range<usize>) {
    let recognized = ALL.iter().find_map(|&language| Some((language, language.recognize(path, text)?)));
    recognized.unwrap_or((ALL[0], 0..0))
}

/// A network to be written as text.
#[derive(Clone, Debug)]
pub struct NetworkToWrite {
    /// How assertions call it.
    pub name: String,
    /// The network.
    pub network: Arc<Network>,
    /// For each machine what it is called, and where it comes from.
    pub machines: Vec<(String, Option<String>)>,
}

/// A name as it is written in the text of a network, in quotes if it needs them.
pub fn network_name(name: &str) -> String {
    network_text::quoted(name)
}

/// Networks over the same events as text that is read like a script, with lines that are assertions about them.
pub fn write_networks(events: &EventTable, networks: &[NetworkToWrite], assertions: &[String]) -> String {
    network::write_networks(events, networks, assertions)
}
