//! Network format: networks as text.
//!
//! A file has events, networks over them, and assertions about the networks. [`parse()`] reads it, with error recovery:
//! errors are diagnostics, and the rest is a [`Document`]. [`write()`] writes what [`parse()`] reads, so that a network
//! from any front end can be inspected, exchanged, edited and checked independently of that front end.
//!
//! Reading has three phases. [`lex`] makes tokens, and applies the layout rule; [`parse`](mod@parse) makes a tree by
//! recursive descent, and recovers from errors at the next line; [`lower`] resolves names, checks sorts and ranges, and
//! makes networks. Names and spans are kept separately from the network, in [`Origins`] and, for positions in the text,
//! in [`Names`].

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

/// Whether a file is in the network format: it begins with `tracehound network`.
pub fn is_network(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let rest = bytes.strip_prefix(b"tracehound").map(|rest| (rest.len(), rest.trim_ascii_start()));
    rest.is_some_and(|(length, rest)| rest.len() < length && rest.starts_with(b"network"))
}

/// Reads a file. Erroneous parts, which have diagnostics, are missing in the document, or replaced by harmless ones.
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
