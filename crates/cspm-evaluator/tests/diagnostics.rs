//! The catalogue of messages about evaluation: each script in `diagnostics/evaluate` beside what is reported about it.
//!
//! Every print and the processes of every assertion are evaluated. The expected texts are rewritten by
//! `UPDATE_EXPECTED=1 cargo test -p tracehound-cspm-evaluator diagnostics`.

use crate::common::catalogue::{scripts, show, shows_every_code};
use crate::common::{analyze, tests_folder};
use cspm_evaluator::{Interrupt, Limits};
use test_support::files::{FolderFiles, MemoryFiles};
use test_support::golden::{self, Golden};

#[test]
fn every_message_reads_as_expected() {
    golden::check_all(&scripts(), "txt", |script| {
        let folder = script.parent().expect("a script lies in a folder");
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        let analyzed = analyze(&FolderFiles::new(folder), &name);
        let mut diagnostics = analyzed.diagnostics.clone();
        if !analyzed.has_errors() {
            diagnostics.extend(analyzed.evaluate_all());
        }
        show(&analyzed, &diagnostics)
    });
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
fn every_code_is_in_the_catalogue() {
    shows_every_code();
}
