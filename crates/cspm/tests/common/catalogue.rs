//! The catalogue of diagnostics: scripts with their messages as displayed to users.

use super::{Analyzed, tests_folder};
use source::{Diagnostic, render};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use test_support::files::files_below;

/// The scripts of the catalogue; files that are only included have no expected text.
pub fn scripts() -> Vec<PathBuf> {
    let is_root = |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
    files_below(&tests_folder().join("diagnostics"), "csp").into_iter().filter(is_root).collect()
}

/// Diagnostics as displayed to users.
pub fn show(analyzed: &Analyzed, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| render::plain(&analyzed.map, diagnostic)).collect::<Vec<_>>().join("\n")
}

/// Asserts that every code in an `errors.rs` of the crate occurs in an expected text.
pub fn shows_every_code() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let wordings = files_below(&sources, "rs").into_iter().filter(|path| path.ends_with("errors.rs"));
    let codes: BTreeSet<String> = wordings.flat_map(|path| codes_in(&path, "\"")).collect();
    let shown: BTreeSet<String> =
        files_below(&tests_folder().join("diagnostics"), "txt").iter().flat_map(|path| codes_in(path, "[")).collect();
    let missing: Vec<&String> = codes.difference(&shown).collect();
    assert!(!codes.is_empty(), "no code was found");
    assert!(missing.is_empty(), "no script in the catalogue shows {missing:#?}");
}

/// The codes `cspm::...` in a file that follow `before`.
fn codes_in(path: &Path, before: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file is text");
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let opening = format!("{before}cspm::");
    let starts = text.match_indices(&opening).map(|(start, _)| start + before.len());
    starts.map(|start| text[start..].chars().take_while(|c| is_code(*c)).collect()).collect()
}
