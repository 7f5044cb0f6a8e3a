//! The catalogue of messages: each script in `diagnostics/` beside everything that is said about it, as users see it.
//!
//! The folders are the phases: `lex`, `parse`, `names`, `types`, `evaluate`; in the last one every print and the
//! processes of every assertion are evaluated too. The scripts in `accepted/` are correct and get no error. The expected
//! texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-cspm --test diagnostics`.

use crate::common;

use common::{Analyzed, analyze, tests_folder};
use cspm::evaluate::{Interrupt, Limits};
use source::{Diagnostic, Severity, render};
use std::collections::BTreeSet;
use std::path::Path;
use test_support::files::{FolderFiles, MemoryFiles, files_below};
use test_support::golden::{self, Golden};

#[test]
fn every_message_reads_as_expected() {
    // Files that are only included have no expected text of their own.
    let is_root = |path: &Path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
    let scripts: Vec<_> =
        files_below(&tests_folder().join("diagnostics"), "csp").into_iter().filter(|path| is_root(path)).collect();
    golden::check_all(&scripts, "txt", |script| {
        let (analyzed, diagnostics) = diagnose(script);
        show(&analyzed, &diagnostics)
    });
}

/// Messages whose scripts are too large, too many or too absent to lie in a folder.
#[test]
fn messages_about_unusual_files_read_as_expected() {
    let many: String = (0..20_001).map(|_| "include \"part.csp\"\n").collect();
    let deep = format!("x = {}1{}\n", "(".repeat(200_000), ")".repeat(200_000));
    let levels =
        |n: usize| format!("module M{n}(x)\n instance A = M{0}(x)\n instance B = M{0}(x)\nexports\nendmodule\n", n + 1);
    let doubling: String = (0..20).map(levels).chain(["module M20(x)\nexports\nendmodule\n".to_owned()]).collect();
    let mut golden = Golden::new();
    for (name, files) in [
        ("unreadable-file", MemoryFiles::new()),
        ("too-large", MemoryFiles::of("script.csp", vec![b' '; (64 << 20) + 1])),
        (
            "too-large-together",
            MemoryFiles::of("script.csp", "include \"part.csp\"").with("part.csp", vec![b' '; 64 << 20]),
        ),
        ("too-many-includes", MemoryFiles::of("script.csp", many).with("part.csp", "")),
        ("too-many-instances", MemoryFiles::of("script.csp", doubling)),
        ("too-deep", MemoryFiles::of("script.csp", deep)),
    ] {
        let analyzed = analyze(&files, "script.csp");
        let expected = tests_folder().join("diagnostics/files").join(name).with_extension("txt");
        golden.check(&expected, &show(&analyzed, &analyzed.diagnostics));
    }
    golden.finish();
}

/// Messages that depend on limits, which a script cannot set.
#[test]
fn messages_about_limits_read_as_expected() {
    let files = MemoryFiles::of("script.csp", "wait(n) = wait(n + 1)\nprint wait(0)\n");
    let analyzed = analyze(&files, "script.csp");
    let mut golden = Golden::new();
    for (name, interrupt) in
        [("time-limit", Interrupt::Time), ("memory-limit", Interrupt::Memory), ("interrupted", Interrupt::Cancelled)]
    {
        let limits = Limits { interrupt: Box::new(move || Some(interrupt)), ..Limits::generous() };
        let found = analyzed.evaluate_all_within(limits);
        let expected = tests_folder().join("diagnostics/evaluate").join(name).with_extension("txt");
        golden.check(&expected, &show(&analyzed, &found));
    }
    golden.finish();
}

#[test]
fn correct_scripts_get_no_error() {
    let mut complaints = String::new();
    for script in files_below(&tests_folder().join("accepted"), "csp") {
        let (analyzed, diagnostics) = diagnose(&script);
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            complaints.push_str(&render::plain(&analyzed.map, diagnostic));
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn every_code_is_in_the_catalogue() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let wordings = files_below(&sources, "rs").into_iter().filter(|path| path.ends_with("errors.rs"));
    let codes: BTreeSet<String> = wordings.flat_map(|path| codes_in(&path, "\"")).collect();
    let shown: BTreeSet<String> =
        files_below(&tests_folder().join("diagnostics"), "txt").iter().flat_map(|path| codes_in(path, "[")).collect();
    let missing: Vec<&String> = codes.difference(&shown).collect();
    assert!(!codes.is_empty(), "no code was found");
    assert!(missing.is_empty(), "no script in the catalogue shows {missing:#?}");
}

/// Everything found in a script, in source order.
fn diagnose(script: &Path) -> (Analyzed, Vec<Diagnostic>) {
    let folder = script.parent().expect("a script lies in a folder");
    let name = script.file_name().expect("a script has a name").to_string_lossy();
    let analyzed = analyze(&FolderFiles::new(folder), &name);
    let mut diagnostics = analyzed.diagnostics.clone();
    if folder.ends_with("evaluate") && !analyzed.has_errors() {
        diagnostics.extend(analyzed.evaluate_all());
    }
    (analyzed, diagnostics)
}

fn show(analyzed: &Analyzed, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| render::plain(&analyzed.map, diagnostic)).collect::<Vec<_>>().join("\n")
}

/// The codes `cspm::...` in a file that stand behind `before`.
fn codes_in(path: &Path, before: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file is text");
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let opening = format!("{before}cspm::");
    let starts = text.match_indices(&opening).map(|(start, _)| start + before.len());
    starts.map(|start| text[start..].chars().take_while(|c| is_code(*c)).collect()).collect()
}
