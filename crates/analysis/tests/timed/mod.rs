//! Real time: verdicts on small processes, one for each rule, and on random ones in several ways.

mod laws;
mod random;
mod simulate;
mod unproved;
mod verdicts;
mod zones;

use analysis::Limits;
use analysis::check::{Checked, Checker, Options, Verdict};
use analysis::{Session, Texts};

/// Decides all assertions of a script with time.
pub fn check(script: &str) -> Vec<Checked> {
    check_with(script, Options { limits: Limits::of_workers(1).with_max_states(200_000), ..Options::default() })
}

/// With other options.
pub fn check_with(script: &str, options: Options) -> Vec<Checked> {
    let session = Session::open(&Texts::of("model.rts", script), "model.rts", None);
    let problems: Vec<&str> = session.diagnostics().iter().map(|problem| problem.title.as_str()).collect();
    assert!(!session.has_errors(), "{problems:?} in\n{script}");
    let mut checker = Checker::new(&session, options);
    session.assertions().iter().map(|assertion| checker.check(assertion.index)).collect()
}

/// The verdict in one word.
pub fn word(checked: &Checked) -> &'static str {
    match &checked.verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(..) => "unknown",
        Verdict::Error(_) => "error",
    }
}

/// The codes of the errors and warnings of a script.
pub fn codes(script: &str) -> Vec<String> {
    let session = Session::open(&Texts::of("model.rts", script), "model.rts", None);
    session.diagnostics().iter().map(|problem| problem.code.to_string()).collect()
}
