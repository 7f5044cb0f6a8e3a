//! The workloads of the bench compute what they should, at small sizes, so that a figure is never about a mistake.

use analysis::{NoProgress, Session, evaluate};
use source::Severity;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test_support::files::{FolderFiles, MemoryFiles, files_below};

fn bench() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench")
}

#[track_caller]
fn check_run(folder: &str, workload: &str, size: u32, expected: &str) {
    let files = FolderFiles::new(bench().join(folder));
    let evaluation = evaluate(&files, &format!("{workload}.csp"), None, &format!("run({size})"), Arc::new(NoProgress));
    let value = evaluation.value.as_ref().and_then(|value| value.as_deref().ok());
    assert_eq!(value, Some(expected), "{workload}: {:?} {:?}", evaluation.value, evaluation.session.diagnostics());
}

/// The values are those of the Python twins.
#[test]
fn evaluator_workloads_agree_with_their_twins() {
    let expected = [
        ("fibonacci", "21"),
        ("tuples", "77"),
        ("sorting", "678472"),
        ("searching", "7"),
        ("paths", "46"),
        ("strings", "25"),
        ("queens", "92"),
    ];
    for (workload, value) in expected {
        check_run("evaluator", workload, 8, value);
        assert!(bench().join(format!("evaluator/{workload}.py")).exists(), "{workload} has no twin");
    }
    assert_eq!(files_below(&bench().join("evaluator"), "csp").len(), expected.len());
}

#[test]
fn growth_workloads_are_right() {
    check_run("growth", "append", 200, "200");
    check_run("growth", "queue", 200, "157");
    check_run("growth", "maps", 200, "1");
    check_run("growth", "unions", 200, "200");
    check_run("growth", "recursion", 200, "20100");
    check_run("growth", "members", 200, "32");
    check_run("growth", "text", 200, "692");
}

#[test]
fn templates_of_large_scripts_are_without_errors() {
    let template = |name: &str| std::fs::read_to_string(bench().join("frontend").join(name)).expect("a template");
    let filled = |name: &str| template(name).replace("NN", "1").replace("PP", "0");
    let script = template("prelude.csp") + &filled("protocol.csp") + &filled("functions.csp");
    let session = Session::open(&MemoryFiles::of("large.csp", script), "large.csp", None);
    let errors: Vec<_> = session.diagnostics().iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
}
