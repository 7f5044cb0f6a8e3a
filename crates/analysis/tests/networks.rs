//! Networks as text: what the engines see of a script, written and read back, is decided in the same way.

use analysis::Session;
use analysis::check::{Checked, Checker, Options, Verdict};
use std::path::Path;
use test_support::files::{FolderFiles, MemoryFiles, files_below};

/// The compared parts of an answer: verdict, statistics, and steps of the counterexample.
fn told(checked: &Checked) -> (String, u64, Vec<(String, bool)>) {
    let verdict = match &checked.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Fails => "fails".to_owned(),
        Verdict::Unknown(reason, _) => reason.name().to_owned(),
        Verdict::Error(diagnostic) => format!("error: {}", diagnostic.title),
    };
    let steps = checked.counterexample.iter().flat_map(|found| &found.steps);
    let steps = steps.map(|step| (step.event.clone(), step.is_visible)).collect();
    (verdict, checked.statistics.n_states, steps)
}

#[test]
fn what_is_written_is_decided_as_before() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut n_compared = 0;
    for path in files_below(&examples, "csp") {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let session = Session::open(&FolderFiles::new(examples.clone()), &name, None);
        let mut checker = Checker::new(&session, Options::default());
        for assertion in session.assertions() {
            // What has no network, or is a formula in the words of the script, is not written.
            let Ok(text) = checker.assertion_text(assertion.index) else { continue };
            let files = MemoryFiles::of("written.network", text.as_str());
            let written = Session::open(&files, "written.network", None);
            assert!(!written.has_errors(), "{name} {}: {:?}", assertion.text, written.diagnostics());
            assert_eq!(written.language().name(), "network");
            if written.assertions().is_empty() {
                continue;
            }
            let mut expected = told(&checker.check(assertion.index));
            let mut found = told(&Checker::new(&written, Options::default()).check(1));
            if assertion.text.contains("with points") {
                // These are a way to decide it, and no part of what is claimed: another network is searched than the
                // one that is written.
                (expected.1, found.1) = (0, 0);
            }
            assert_eq!(found, expected, "{name}: {}", assertion.text);
            n_compared += 1;
        }
    }
    assert!(n_compared > 50, "only {n_compared} assertions were compared");
}

#[test]
fn every_assertion_of_the_examples_in_text_holds() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for path in files_below(&examples, "network") {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let session = Session::open(&FolderFiles::new(examples.clone()), &name, None);
        assert!(!session.has_errors(), "{name}: {:?}", session.diagnostics());
        let mut checker = Checker::new(&session, Options::default());
        for assertion in session.assertions() {
            let checked = checker.check(assertion.index);
            assert!(matches!(checked.verdict, Verdict::Holds), "{name}: {}: {:?}", assertion.text, checked.verdict);
        }
    }
}

fn check(text: &str) -> Vec<String> {
    let session = Session::open(&MemoryFiles::of("test.network", text), "test.network", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let mut checker = Checker::new(&session, Options::default());
    let answer = |assertion: analysis::Assertion| match checker.check(assertion.index).verdict {
        Verdict::Error(diagnostic) => {
            format!("{}: {} ({})", diagnostic.code, diagnostic.title, diagnostic.notes.join("; "))
        }
        Verdict::Unknown(reason, _) => reason.name().to_owned(),
        Verdict::Holds => "holds".to_owned(),
        Verdict::Fails => "fails".to_owned(),
    };
    session.assertions().into_iter().map(answer).collect()
}

#[test]
fn what_goes_wrong_on_the_way_is_an_error_whatever_is_claimed() {
    let text = "tracehound network 1

event up, down

network COUNTER
  var n : 0..3 = 0
  mode main
    up do n := n + 1
    down when n > 0 do n := n - 1

network EVERYTHING
  machine M
    0: up -> 0, down -> 0
  mode main
    up by M
    down by M

assert EVERYTHING [T= COUNTER
assert COUNTER :[deadlock free [F]]
assert COUNTER :[deterministic [F]]
assert COUNTER |= LTL: \"G F [up]\"
assert COUNTER |= LTL: \"G([up] => F [down])\"
assert COUNTER |= CTL: \"AG EF e(up)\"
assert COUNTER :[has trace [T]]: <up, up, down>
assert not COUNTER :[deadlock free [F]]
assert COUNTER |= LTL: \"[up]\"
";
    let overflow = "data::range: `n` cannot be 4 (in the step `up` after <up, up, up>)";
    let mut answers = check(text);
    assert_eq!(answers.pop().as_deref(), Some("holds"), "the first step decides it, whatever follows");
    assert_eq!(answers, [overflow; 8]);
}

#[test]
fn formulas_speak_of_events_and_their_fields() {
    let text = "tracehound network 1

event send.0, send.1, get.0, get.1

network LINK
  var last : 0..1 = 0
  var full : bool = false
  mode main
    send.0 when not full do last := 0; full := true
    send.1 when not full do last := 1; full := true
    get.0 when full and last == 0 do full := false
    get.1 when full and last == 1 do full := false

assert LINK |= LTL: \"G([send?x] => X [get!x])\"
assert LINK |= LTL: \"G([send] => X [get.0])\"
assert LINK |= LTL: \"G([send.1] => X [get.1])\"
assert LINK |= CTL: \"AG EF e(send.1)\"
";
    assert_eq!(check(text), ["holds", "fails", "holds", "holds"]);
}
