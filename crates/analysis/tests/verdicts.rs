//! Every assertion in the book and in the examples is decided, and holds, unless `expect: fails` is on its line.

use analysis::Limits;
use analysis::check::{Checker, Method, Options, Verdict};
use analysis::{Assertion, NoProgress, Session};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test_support::files::{FolderFiles, MemoryFiles, files_below};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Unexpected verdicts, and the number of assertions.
fn complaints(session: &Session, place: &str) -> (Vec<String>, usize) {
    if session.has_errors() {
        return (Vec::new(), 0);
    }
    let options = Options {
        progress: Arc::new(NoProgress),
        method: Method::Auto,
        reduce: None,
        limits: Limits::of_workers(1).with_max_states(8_000_000),
    };
    let mut checker = Checker::new(session, options);
    let assertions = session.assertions();
    let mut complaints = Vec::new();
    for assertion in &assertions {
        let checked = checker.check(assertion.index);
        let is_expected = match checked.verdict {
            Verdict::Holds => !expects_failure(session, assertion),
            Verdict::Fails => expects_failure(session, assertion),
            _ => false,
        };
        if !is_expected {
            complaints.push(format!("{place}: `{}`: {:?}", assertion.text, checked.verdict));
        }
    }
    (complaints, assertions.len())
}

/// Whether the line of an assertion has the comment `expect: fails`.
fn expects_failure(session: &Session, assertion: &Assertion) -> bool {
    let map = session.source_map();
    let file = map.file_of(assertion.span);
    let line = map.position(assertion.span).line as usize;
    file.text[file.line_range(line)].contains("expect: fails")
}

#[test]
fn every_assertion_of_the_examples_holds() {
    let folder = project().join("examples");
    let mut all = (Vec::new(), 0);
    for script in files_below(&folder, "csp") {
        let name = script.file_name().expect("a script has a name").to_string_lossy().into_owned();
        let (complaints, n) = complaints(&Session::open(&FolderFiles::new(&folder), &name, None), &name);
        all.0.extend(complaints);
        all.1 += n;
    }
    assert!(all.1 > 100, "only {} assertions: are they still found?", all.1);
    assert!(all.0.is_empty(), "{}", all.0.join("\n"));
}

#[test]
fn every_assertion_of_the_book_holds() {
    let mut all = (Vec::new(), 0);
    for page in files_below(&project().join("docs/book/src"), "md") {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        let name = page.file_name().expect("a page has a name").to_string_lossy().into_owned();
        for (number, block) in text.split("```").enumerate().filter(|(number, _)| number % 2 == 1) {
            let Some((info, script)) = block.split_once('\n') else { continue };
            // Scripts that are there for their errors, or for verdicts told beside them.
            if info.starts_with("csp") && !info.contains("error") && !info.contains("verdict") {
                let session = Session::open(&MemoryFiles::of("block.csp", script), "block.csp", None);
                let (complaints, n) = complaints(&session, &format!("{name}, block {number}"));
                all.0.extend(complaints);
                all.1 += n;
            }
        }
    }
    assert!(all.1 > 40, "only {} assertions: are they still found?", all.1);
    assert!(all.0.is_empty(), "{}", all.0.join("\n"));
}
