//! Grouping of operators: each script in `parse/` with its fully parenthesised tree. Parsing that text must yield the
//! same tree, for these scripts and for all correct ones of the project.

use crate::common;

use common::tests_folder;
use source::SourceMap;
use std::path::Path;
use test_support::files::{MemoryFiles, files_below};
use test_support::golden;

fn tree(text: &str) -> String {
    let files = MemoryFiles::of("script.csp", text);
    let mut map = SourceMap::new();
    let (ast, diagnostics) = cspm::parse::parse_script(&files, "script.csp", &mut map, None);
    let complaints: Vec<_> = diagnostics.iter().map(|diagnostic| source::render::plain(&map, diagnostic)).collect();
    assert!(complaints.is_empty(), "{}\nin\n{text}", complaints.join("\n"));
    ast.decls_text(&ast.top)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn scripts_are_grouped_as_expected() {
    golden::check_all(&files_below(&tests_folder().join("parse"), "csp"), "tree", |script| tree(&read(script)));
}

#[test]
fn printed_trees_parse_to_themselves() {
    let examples = tests_folder().join("../../../examples");
    let folders = [tests_folder().join("parse"), tests_folder().join("accepted"), examples];
    let scripts: Vec<_> = folders.iter().flat_map(|folder| files_below(folder, "csp")).collect();
    assert!(scripts.len() > 20, "the scripts are not where they used to be");
    for script in scripts {
        let text = read(&script);
        // Included files are not available here, and some examples are in another language.
        if text.lines().any(|line| line.starts_with("include") || line.starts_with("#assert")) {
            continue;
        }
        let once = tree(&text);
        assert_eq!(once, tree(&once), "{} reads back differently", script.display());
    }
}
