//! The catalogue of diagnostics: each script in `diagnostics/` with its messages.
//!
//! The folders are the phases: `lex`, `parse`, `names`, `types`. The scripts in `accepted/` are correct and have no
//! errors. The expected texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-cspm diagnostics`.

use crate::common::catalogue::{scripts, show, shows_every_code};
use crate::common::{Analyzed, analyze, tests_folder};
use source::{Severity, render};
use std::path::Path;
use test_support::files::{FolderFiles, MemoryFiles, files_below};
use test_support::golden::{self, Golden};

#[test]
fn every_message_reads_as_expected() {
    golden::check_all(&scripts(), "txt", |script| {
        let analyzed = read(script);
        show(&analyzed, &analyzed.diagnostics)
    });
}

/// Messages for files that are too large, too many or missing, and so are not in a folder.
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

#[test]
fn correct_scripts_get_no_error() {
    let mut complaints = String::new();
    for script in files_below(&tests_folder().join("accepted"), "csp") {
        let analyzed = read(&script);
        let errors = analyzed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        for diagnostic in errors {
            complaints.push_str(&render::plain(&analyzed.map, diagnostic));
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn every_code_is_in_the_catalogue() {
    shows_every_code();
}

/// Reads a script of the catalogue with its folder.
fn read(script: &Path) -> Analyzed {
    let folder = script.parent().expect("a script lies in a folder");
    let name = script.file_name().expect("a script has a name").to_string_lossy();
    analyze(&FolderFiles::new(folder), &name)
}
