//! Formulas about scripts in memory, decided.

use analysis::Limits;
use analysis::check::{Checked, Checker, Ending, Fault, Finding, Method, Options, Verdict};
use analysis::formula::{Asked, AskedText, Choices, Logic};
use analysis::{Model, NoProgress, Session};
use source::render;
use std::sync::Arc;
use test_support::files::MemoryFiles;

pub fn options() -> Options {
    Options {
        progress: Arc::new(NoProgress),
        method: Method::Auto,
        limits: Limits::of_workers(1).with_max_states(1_000_000),
        reduce: None,
    }
}

/// A script, one of its processes, and what is chosen for formulas about it.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub script: &'a str,
    pub process: &'a str,
    pub choices: Choices,
}

impl<'a> Bench<'a> {
    pub fn new(script: &'a str, process: &'a str) -> Bench<'a> {
        Bench { script, process, choices: Choices::default() }
    }

    /// With choices written as in assertions: `view=step fair=WEF`.
    pub fn choosing(mut self, choices: &str) -> Bench<'a> {
        for choice in choices.split_whitespace() {
            let (name, value) = choice.split_once('=').expect("a choice has a value");
            self.choices.choose(name, value).unwrap_or_else(|words| panic!("{choice}: {words}"));
        }
        self
    }

    fn open(&self, logic: Logic, formulas: &[&str]) -> Session {
        let texts = formulas.iter().map(|text| AskedText { path: "<formula>", text, logic, is_list: false });
        let texts: Vec<AskedText> = texts.collect();
        let asked = Asked { process: self.process, texts: &texts, choices: self.choices };
        Session::open_asking(&MemoryFiles::of("test.csp", self.script), "test.csp", None, &asked)
    }

    /// Decides formulas, one after the other by the same checker.
    pub fn decide(&self, logic: Logic, formulas: &[&str], options: Options) -> Vec<Checked> {
        let session = self.open(logic, formulas);
        assert!(!session.has_errors() && !session.has_faulty_formulas(), "{}", pages(&session));
        let n_before = session.assertions().len() - formulas.len();
        let mut checker = Checker::new(&session, options);
        (1..=formulas.len()).map(|number| checker.check(n_before + number)).collect()
    }

    pub fn ask(&self, formulas: &[&str]) -> Vec<Checked> {
        self.decide(Logic::Ltl, formulas, options())
    }

    pub fn ask_one(&self, formula: &str) -> Checked {
        self.ask(&[formula]).remove(0)
    }

    /// Compares verdicts with what is expected.
    pub fn expect(&self, expected: &[(&str, bool)]) {
        self.expect_in(Logic::Ltl, expected);
    }

    pub fn expect_in(&self, logic: Logic, expected: &[(&str, bool)]) {
        let formulas: Vec<&str> = expected.iter().map(|(formula, _)| *formula).collect();
        for (checked, (formula, holds)) in self.decide(logic, &formulas, options()).iter().zip(expected) {
            assert_eq!(
                word(checked),
                if *holds { "holds" } else { "fails" },
                "{}: {formula}: {checked:#?}",
                self.process
            );
        }
    }

    /// How a tester judges a formula: whether traces without end break it, and whether traces that end do.
    pub fn test(&self, formula: &str) -> (bool, bool) {
        let session = self.open(Logic::Ltl, &[formula]);
        let text = Checker::new(&session, options()).tester(session.assertions().len(), "test.csp");
        self.run_tester(&text.unwrap_or_else(|why| panic!("{formula}: {why}")))
    }

    fn run_tester(&self, text: &str) -> (bool, bool) {
        let files = MemoryFiles::of("test.csp", self.script).with("tester.csp", text);
        let session = Session::open(&files, "tester.csp", None);
        assert!(!session.has_errors(), "{}\n{text}", pages(&session));
        let mut checker = Checker::new(&session, options());
        let assertions = session.assertions();
        let mut found = (false, false);
        for assertion in assertions.iter().filter(|assertion| assertion.text.contains("TESTER")) {
            let is_accepted = match checker.check(assertion.index).verdict {
                Verdict::Holds => true,
                Verdict::Fails => false,
                other => panic!("{}: {other:?}\n{text}", assertion.text),
            };
            match assertion.text.contains("[T=") {
                true => found.0 |= is_accepted,
                false => found.1 |= is_accepted,
            }
        }
        found
    }
}

/// The verdict in a word; the reason if there is none.
pub fn word(checked: &Checked) -> &str {
    match &checked.verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(reason, _) => reason.name(),
        Verdict::Error(diagnostic) => &diagnostic.title,
    }
}

/// How the run that breaks a formula goes on.
pub fn ending(checked: &Checked) -> Option<Ending> {
    match checked.counterexample.as_ref()?.fault {
        Fault::Failure(Finding::Temporal { ending, .. }) => Some(ending),
        _ => None,
    }
}

/// The visible events of a counterexample.
pub fn trace(checked: &Checked) -> Vec<&str> {
    let steps = checked.counterexample.iter().flat_map(|found| &found.steps);
    steps.filter(|step| step.is_visible).map(|step| step.event.as_str()).collect()
}

/// Decides all assertions of a script, which must hold.
pub fn expect_assertions(script: &str) {
    let session = Session::open(&MemoryFiles::of("test.csp", script), "test.csp", None);
    assert!(!session.has_errors() && !session.has_faulty_formulas(), "{}", pages(&session));
    let mut checker = Checker::new(&session, options());
    for assertion in session.assertions() {
        let checked = checker.check(assertion.index);
        assert_eq!(word(&checked), "holds", "{}", assertion.text);
    }
}

/// How many states and steps a process has, one state for each term.
pub fn size(script: &str, process: &str) -> (usize, usize) {
    let files = MemoryFiles::of("test.csp", script);
    let session = Session::open_with_process(&files, "test.csp", None, process);
    assert!(!session.has_errors(), "{}", pages(&session));
    let system = Checker::new(&session, options()).transition_system(None, Model::Traces);
    let system = system.unwrap_or_else(|_| panic!("{process} has no system"));
    (system.n_states(), system.n_transitions())
}

pub fn pages(session: &Session) -> String {
    let page = |diagnostic| render::plain(session.source_map(), diagnostic);
    session.diagnostics().iter().map(page).collect::<Vec<_>>().join("\n")
}
