//! Networks as text, as a language of the tool.
//!
//! There is nothing to evaluate: a process is a network, a state is one of its configurations, and steps are those of
//! the interpreter of networks.

mod errors;
mod formula;
mod layout;
mod script;
mod semantics;
mod show;
mod write;

use frontend::layout::{Piece, Word};
use frontend::{Language, Opening, Script};
use script::NetworkScript;
use std::ops::Range;

pub(crate) use write::write_networks;

/// Networks as text.
#[derive(Debug)]
pub struct NetworkText;

impl Language for NetworkText {
    fn name(&self) -> &'static str {
        "network"
    }

    fn about(&self) -> &'static str {
        "Networks of machines, as `tracehound network` writes them"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["network"]
    }

    fn recognize(&self, _path: &str, text: &str) -> Option<Range<usize>> {
        network_text::is_network(text.as_bytes()).then(|| 0..text.find('\n').unwrap_or(text.len()))
    }

    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script> {
        Box::new(NetworkScript::open(opening))
    }

    fn pieces(&self, text: &str) -> Vec<Piece> {
        layout::pieces(text)
    }

    fn words(&self) -> Vec<Word> {
        layout::words()
    }
}
