//! Common functions of the tests.
#![allow(dead_code, reason = "each test uses its part")]

use network_text::Document;
use source::{Diagnostic, Severity, SourceMap, render};
use std::path::{Path, PathBuf};
use test_support::files::{MemoryFiles, files_below};

/// A parsed file.
pub struct Parsed {
    pub map: SourceMap,
    pub document: Document,
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// All diagnostics, as displayed to users.
    pub fn rendered(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| render::plain(&self.map, diagnostic)).collect::<Vec<_>>().join("\n")
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

pub fn parse_text(text: impl Into<Vec<u8>>) -> Parsed {
    parse_named("file.network", text)
}

pub fn parse_named(name: &str, text: impl Into<Vec<u8>>) -> Parsed {
    let mut map = SourceMap::new();
    let (document, diagnostics) = network_text::parse(&MemoryFiles::of(name, text), name, &mut map);
    Parsed { map, document, diagnostics }
}

/// The errors, as displayed to users.
pub fn errors_of(parsed: &Parsed) -> String {
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|diagnostic| render::plain(&parsed.map, diagnostic)).collect()
}

pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The code blocks of the book with networks: the info string, and the text.
pub fn network_blocks() -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    for page in files_below(&project().join("docs/book/src"), "md") {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        let fences = text.split("```").collect::<Vec<_>>();
        for block in fences.iter().skip(1).step_by(2) {
            let (info, text) = block.split_once('\n').unwrap_or((block, ""));
            if info.starts_with("network") {
                blocks.push((info.to_owned(), text.to_owned()));
            }
        }
    }
    blocks
}

/// All well-formed files, for mutation.
pub fn good_texts() -> Vec<Vec<u8>> {
    let read = |path: PathBuf| std::fs::read(path).expect("a file can be read");
    let folders = [tests_folder().join("accepted"), project().join("examples")];
    folders.iter().flat_map(|folder| files_below(folder, "network")).map(read).collect()
}
