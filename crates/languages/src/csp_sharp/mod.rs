//! CSP# as a language of the tool.
//!
//! A process is a term, a state is a term with values of variables, buffers and objects, and steps follow from the
//! firing rules of the operators. A process with a static structure has a network; the states of others are made on
//! demand.

mod fields;
mod formula;
mod layout;
mod lowering;
mod outline;
mod script;
mod semantics;
mod timed;
mod words;

use crate::guess::{final_semicolon, find_at_line_start};
use frontend::layout::{Piece, Word};
use frontend::{Language, Opening, Script};
use script::SharpScript;
use std::ops::Range;

/// Lines of it begin with these; lines of others cannot, save inside comments.
const WORDS: &[&str] = &["#assert", "#define", "#import", "#include", "#alphabet", "#object"];

/// CSP#, as PAT reads it.
#[derive(Debug)]
pub struct CspSharp;

impl Language for CspSharp {
    fn name(&self) -> &'static str {
        "csp-sharp"
    }

    fn about(&self) -> &'static str {
        "CSP#, as PAT reads it"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["csp", "rts"]
    }

    fn recognize(&self, path: &str, text: &str) -> Option<Range<usize>> {
        // PAT's module for real time has a name for its files that is its own.
        find_at_line_start(text, WORDS)
            .or_else(|| path.ends_with(".rts").then_some(0..0))
            .or_else(|| final_semicolon(text))
    }

    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script> {
        Box::new(SharpScript::open(opening))
    }

    fn pieces(&self, text: &str) -> Vec<Piece> {
        layout::pieces(text)
    }

    fn words(&self) -> Vec<Word> {
        words::words()
    }
}
