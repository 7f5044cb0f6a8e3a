//! The catalogue of messages: each script in `tests/formulas/` holds formulas beside everything that is said about
//! them. The expected texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-languages messages`.

use super::Bench;
use super::Session;
use source::{Files, render};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use test_support::files::{FolderFiles, files_below};
use test_support::golden;

fn catalogue() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formulas")
}

#[test]
fn every_message_reads_as_expected() {
    golden::check_all(&files_below(&catalogue(), "csp"), "txt", messages);
}

fn messages(path: &Path) -> String {
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let session = Session::open(&FolderFiles::new(catalogue()), &name);
    assert!(!session.has_errors(), "{name}: only formulas are wrong: {:?}", session.diagnostics());
    let mut bench = Bench::new(&session);
    let mut pages = BTreeSet::new();
    let mut said: Vec<source::Diagnostic> = session.diagnostics().to_vec();
    for property in bench.formulas() {
        match bench.question(property) {
            Err(diagnostics) => said.extend(diagnostics),
            Ok(question) => {
                let cspm::syntax::Property::Temporal { process, .. } = property else { continue };
                let system = bench.system(*process);
                let lowered = bench.try_lower(&question, &system, true);
                said.extend(lowered.err().map(|diagnostic| *diagnostic));
            }
        }
    }
    said.sort_by_key(|diagnostic| diagnostic.primary.span);
    said.retain(|diagnostic| pages.insert(render::plain(session.source_map(), diagnostic)));
    let pages: Vec<String> = said.iter().map(|diagnostic| render::plain(session.source_map(), diagnostic)).collect();
    pages.join("\n")
}

#[test]
fn every_code_is_in_the_catalogue() {
    let wording = include_str!("../../../../../frontend/src/formula/errors.rs");
    let codes = wording.split("\"ltl::").skip(1).filter_map(|rest| rest.split('"').next());
    let page = |path: &PathBuf| FolderFiles::new(catalogue()).read(&path.to_string_lossy()).expect("it was listed");
    let pages: Vec<u8> = files_below(&catalogue(), "txt").iter().flat_map(page).collect();
    let pages = String::from_utf8_lossy(&pages);
    for code in codes {
        assert!(pages.contains(&format!("[ltl::{code}]")), "no page shows ltl::{code}");
    }
}
