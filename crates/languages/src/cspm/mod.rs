//! CSPM as a language of the tool.

mod followed;
mod formula;
mod growth;
mod layout;
mod lowering;
mod offers;
mod operators;
mod outline;
mod query;
mod script;
mod semantics;
mod tester;
mod waiting;
mod watchdog;
mod words;

use frontend::layout::{Piece, Word};
use frontend::{Language, Opening, Script};
use script::CspmScript;
use std::ops::Range;

/// Machine-readable CSP, as FDR reads it.
#[derive(Debug)]
pub struct Cspm;

impl Language for Cspm {
    fn name(&self) -> &'static str {
        "cspm"
    }

    fn about(&self) -> &'static str {
        "Machine-readable CSP, as FDR reads it"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["csp", "cspm", "fdr", "fdr2", "fdr3"]
    }

    /// It is what everything is taken for that is nothing else.
    fn recognize(&self, _path: &str, _text: &str) -> Option<Range<usize>> {
        None
    }

    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script> {
        Box::new(CspmScript::open(opening))
    }

    fn pieces(&self, text: &str) -> Vec<Piece> {
        layout::pieces(text)
    }

    fn words(&self) -> Vec<Word> {
        words::words()
    }
}
