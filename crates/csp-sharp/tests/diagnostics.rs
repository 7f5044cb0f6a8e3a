//! The catalogue of diagnostics: each script in `diagnostics/` with its messages as displayed to users.
//!
//! A script without errors is run, and its faults are displayed, too. The expected texts are rewritten by
//! `UPDATE_EXPECTED=1 cargo test -p tracehound-csp-sharp --test diagnostics`.

use crate::common;

use common::{analyze, explore, tests_folder};
use csp_sharp_runtime::run::System;
use source::{Diagnostic, render};
use std::collections::BTreeSet;
use std::path::Path;
use test_support::files::{FolderFiles, MemoryFiles, files_below};
use test_support::golden::{self, Golden};

fn is_root(path: &Path) -> bool {
    !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'))
}

#[test]
fn every_message_reads_as_expected() {
    let scripts: Vec<_> =
        files_below(&tests_folder().join("diagnostics"), "csp").into_iter().filter(|path| is_root(path)).collect();
    assert!(!scripts.is_empty());
    golden::check_all(&scripts, "txt", |script| diagnose(script).0);
    let found = scripts.iter().flat_map(|script| diagnose(script).1);
    let codes: BTreeSet<&'static str> = found.map(|diagnostic| diagnostic.code).collect();
    for code in CODES {
        assert!(codes.contains(code), "no script shows {code}");
    }
}

#[test]
fn messages_about_unusual_files_read_as_expected() {
    let deep = format!("#define x {}1{};\n", "(".repeat(5_000), ")".repeat(5_000));
    let mut golden = Golden::new();
    for (name, files) in [
        ("unreadable-file", MemoryFiles::new()),
        ("too-deep", MemoryFiles::of("script.csp", deep)),
        ("endless-comment", MemoryFiles::of("script.csp", "P() = Stop;\n/* and so on\n")),
    ] {
        let analyzed = analyze(&files, "script.csp");
        let expected = tests_folder().join("diagnostics/files").join(name).with_extension("txt");
        let text: String =
            analyzed.diagnostics.iter().map(|found| render::plain(&analyzed.map, found) + "\n").collect();
        golden.check(&expected, &text);
    }
    golden.finish();
}

fn diagnose(script: &Path) -> (String, Vec<Diagnostic>) {
    let folder = script.parent().expect("scripts lie in folders");
    let name = script.file_name().expect("scripts have names").to_string_lossy().into_owned();
    let analyzed = analyze(&FolderFiles::new(folder), &name);
    let mut diagnostics = analyzed.diagnostics.clone();
    if !analyzed.has_errors() {
        let mut system = System::new(&analyzed.resolved.code);
        for assertion in &analyzed.resolved.assertions {
            let start = system.start(assertion.process);
            diagnostics.extend(explore(&mut system, start, 1000).err().map(|fault| fault.diagnose()));
        }
    }
    let texts = diagnostics.iter().map(|found| render::plain(&analyzed.map, found));
    (texts.collect::<Vec<_>>().join("\n"), diagnostics)
}

/// All codes that a script can produce.
const CODES: &[&str] = &[
    "csp-sharp::alphabet",
    "csp-sharp::any-number",
    "csp-sharp::arity",
    "csp-sharp::array-size",
    "csp-sharp::assert",
    "csp-sharp::assigned",
    "csp-sharp::assignment",
    "csp-sharp::atomic-bound",
    "csp-sharp::bound-order",
    "csp-sharp::bound-reach",
    "csp-sharp::class",
    "csp-sharp::count",
    "csp-sharp::declaration",
    "csp-sharp::dimensions",
    "csp-sharp::division",
    "csp-sharp::duplicate",
    "csp-sharp::else-of-ifb",
    "csp-sharp::empty",
    "csp-sharp::empty-block",
    "csp-sharp::empty-interval",
    "csp-sharp::endless",
    "csp-sharp::endless-alphabet",
    "csp-sharp::external-call",
    "csp-sharp::fields",
    "csp-sharp::growing-clocks",
    "csp-sharp::guard-behind-arrow",
    "csp-sharp::huge-time",
    "csp-sharp::index",
    "csp-sharp::initial-range",
    "csp-sharp::input-variable",
    "csp-sharp::large-number",
    "csp-sharp::library",
    "csp-sharp::macro-event",
    "csp-sharp::many-moments",
    "csp-sharp::method",
    "csp-sharp::missing",
    "csp-sharp::negative",
    "csp-sharp::negative-time",
    "csp-sharp::nesting",
    "csp-sharp::no-value",
    "csp-sharp::not-a-number",
    "csp-sharp::not-an-array",
    "csp-sharp::not-an-object",
    "csp-sharp::not-assignable",
    "csp-sharp::not-boolean",
    "csp-sharp::not-constant",
    "csp-sharp::object-answer",
    "csp-sharp::object-channel",
    "csp-sharp::object-event",
    "csp-sharp::object-hidden",
    "csp-sharp::object-result",
    "csp-sharp::object-state",
    "csp-sharp::object-thread",
    "csp-sharp::object-uncalled",
    "csp-sharp::object-unseen",
    "csp-sharp::object-value",
    "csp-sharp::one-time",
    "csp-sharp::program-as-value",
    "csp-sharp::probability",
    "csp-sharp::proposition",
    "csp-sharp::range",
    "csp-sharp::range-here",
    "csp-sharp::received-index",
    "csp-sharp::recursive-macro",
    "csp-sharp::reserved",
    "csp-sharp::stray",
    "csp-sharp::time",
    "csp-sharp::timed-atomic",
    "csp-sharp::timed-copies",
    "csp-sharp::timed-guard",
    "csp-sharp::too-large",
    "csp-sharp::unexpected",
    "csp-sharp::unguarded",
    "csp-sharp::unnamed-goal",
    "csp-sharp::unknown",
    "csp-sharp::unreadable",
    "csp-sharp::urgent-shared",
    "csp-sharp::variable-time",
    "csp-sharp::wait-arrow",
    "csp-sharp::whole-array",
    "csp-sharp::wildcard",
    "csp-sharp::wrong-kind",
];
