//! Networks as text: the second language of the tool.
//!
//! A file has events, networks over them, and assertions about the networks. [`parse()`] reads it and never fails: what is
//! wrong is a diagnostic, and the rest is a [`Document`]. [`write()`] writes what [`parse()`] reads, so that a network that some
//! front end made can be looked at, sent around, changed by hand and checked without the front end.
//!
//! Reading has three steps. [`lex`] makes tokens and decides which line ends matter; [`parse`](mod@parse) makes a tree by
//! recursive descent, and begins afresh at the next line when something is wrong; [`lower`] finds out what names mean,
//! whether values fit, and makes networks. Engines never see names and places: those lie beside the network, in
//! [`Origins`] and, for what the text itself says where, in [`Names`].

mod document;
mod lex;
mod lower;
mod names;
mod operators;
mod origins;
mod parse;
mod sharing;
mod symbols;
mod syntax;
mod write;

pub use document::{Assertion, Document, Logic, NamedNetwork, Property};
pub use lex::lex_alone;
use limits::display::diagnostics::{MAX_DIAGNOSTICS, MAX_WARNINGS};
pub use names::{Definition, DefinitionId, NameKind, Names, Use};
pub use origins::{Origin, Origins, Place};
pub use write::{Written, quoted, write};

use source::{Diagnostic, Files, SourceMap};

/// Whether a file is meant to be a network: it begins with `tracehound network`.
pub fn is_network(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let rest = bytes.strip_prefix(b"tracehound").map(|rest| (rest.len(), rest.trim_ascii_start()));
    rest.is_some_and(|(length, rest)| rest.len() < length && rest.starts_with(b"network"))
}

/// Reads a file. Where a diagnostic is an error, what it is about is missing in the document, or stands in it for
/// something harmless.
pub fn parse(files: &dyn Files, path: &str, map: &mut SourceMap) -> (Document, Vec<Diagnostic>) {
    let tokens = lex::lex(files, path, map);
    let mut diagnostics = tokens.diagnostics;
    let mut symbols = symbols::Symbols::default();
    let (file, found) = parse::parse_file(map, &tokens.tokens, &mut symbols);
    diagnostics.extend(found);
    let (document, found) = lower::lower(&file, &symbols);
    diagnostics.extend(found);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    (document, diagnostics)
}
