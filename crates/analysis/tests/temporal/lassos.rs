//! Bounded model checking of formulas.

use super::bench::{Bench, options};
use analysis::check::{Formulas, Method, Options, SatEngine, Settings, Verdict};
use analysis::formula::Logic;

/// The verdict of bounded model checking with runs of at most eight steps.
fn bounded(script: &str, formula: &str) -> Verdict {
    let settings = Settings { depth: 8, ..Settings::default() };
    let method = Method::Formulas(Formulas { engine: SatEngine::Bounded, settings });
    let options = Options { method, ..options() };
    Bench::new(script, "P").decide(Logic::Ltl, &[formula], options).remove(0).verdict
}

#[test]
fn a_violation_of_any_conjunct_is_found() {
    let script = "channel a, b, c\nP = a -> b -> c -> P";
    for formula in ["G (not [c]) & G ([a] => X [b])", "G ([a] => X [b]) & G (not [c])"] {
        assert!(matches!(bounded(script, formula), Verdict::Fails), "{formula}: {:?}", bounded(script, formula));
    }
    let holds = "G ([a] => X [b]) & G ([b] => X [c])";
    assert!(matches!(bounded(script, holds), Verdict::Unknown(..)), "a bounded search proves nothing");
}
