//! Formulas on small scripts, decided by the slow engine.

mod damaged;
mod freeze;
mod messages;
mod partly;
mod verdicts;
mod written;

use crate::cspm::script::CspmScript;
use crate::cspm::semantics::CspmSemantics;
use cspm::syntax::{ExprId, Property};
use frontend::formula::{Answer, Asked, AskedText, Choices, Logic, Lowered, Occurring, Question, concerns_formula};
use frontend::{Addition, Assertion, Formulas, Opening, Script};
use lts::walk::to_lts;
use lts::{Label, Lts, Watch};
use progress::NoProgress;
use source::{Diagnostic, Files, Severity, SourceMap, render};
use std::sync::Arc;
use temporal::{Structure, Verdict, atoms, ctl};
use test_support::files::MemoryFiles;
use test_support::processes::walk::Walk;

/// A script that was opened.
struct Session {
    script: CspmScript,
}

impl Session {
    fn open(files: &dyn Files, path: &str) -> Session {
        Session {
            script: CspmScript::open(&Opening {
                files,
                path,
                addition: Addition::Nothing,
                progress: &progress::NoProgress,
            }),
        }
    }

    fn open_asking(files: &dyn Files, path: &str, asked: &Asked<'_>) -> Session {
        Session {
            script: CspmScript::open(&Opening {
                files,
                path,
                addition: Addition::Formulas(asked),
                progress: &progress::NoProgress,
            }),
        }
    }

    fn source_map(&self) -> &SourceMap {
        self.script.source_map()
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        self.script.diagnostics()
    }

    fn assertions(&self) -> Vec<Assertion> {
        self.script.assertions()
    }

    fn has_errors(&self) -> bool {
        self.errors().any(|error| !concerns_formula(self.script.formulas(), error))
    }

    fn has_faulty_formulas(&self) -> bool {
        self.errors().any(|error| concerns_formula(self.script.formulas(), error))
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// A script with everything needed to decide formulas about it.
struct Bench<'a> {
    session: &'a Session,
    semantics: CspmSemantics<'a>,
}

/// Opens a script with formulas about one of its processes.
fn ask(script: &str, process: &str, logic: Logic, formulas: &[&str], choices: Choices) -> Session {
    let texts = formulas.iter().map(|text| AskedText { path: "<formula>", text, logic, is_list: false });
    let texts: Vec<AskedText> = texts.collect();
    Session::open_asking(&MemoryFiles::of("test.csp", script), "test.csp", &Asked { process, texts: &texts, choices })
}

impl<'a> Bench<'a> {
    fn new(session: &'a Session) -> Bench<'a> {
        Bench { session, semantics: CspmSemantics::new(&session.script, Arc::new(NoProgress)) }
    }

    /// The questions of the assertions about formulas.
    fn formulas(&self) -> Vec<&'a Property> {
        let session = self.session;
        let properties = session.script.asserted().map(|assertion| &assertion.property);
        properties.filter(|property| matches!(property, Property::Temporal { .. })).collect()
    }

    fn question(&mut self, property: &Property) -> Result<Question, Vec<Diagnostic>> {
        self.semantics.try_question(property)
    }

    fn system(&mut self, process: ExprId) -> Lts {
        let CspmSemantics { evaluator, terms, table, .. } = &mut self.semantics;
        let term = evaluator.process(terms, process).expect("it is a process");
        let mut walk = Walk::new(table, terms, evaluator, term);
        to_lts(&mut walk, &mut Watch::none()).unwrap_or_else(|_| panic!("the system is finite"))
    }

    fn try_lower(&mut self, question: &Question, system: &Lts, are_all: bool) -> Answer<Lowered> {
        let steps = system.states().flat_map(|state| system.transitions(state));
        let mut labels: Vec<Label> = steps.map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        self.semantics.lower_formula(question, &Occurring { labels, are_all }, &[])
    }

    fn lower(&mut self, question: &Question, system: &Lts) -> Lowered {
        self.try_lower(question, system, true).unwrap_or_else(|diagnostic| self.show(&[*diagnostic]))
    }

    /// The properties to decide for the system of an assertion.
    fn lowered(&mut self, property: &Property) -> Lowered {
        let Property::Temporal { process, .. } = property else { panic!("an assertion about no formula") };
        let question = self.question(property).unwrap_or_else(|diagnostics| self.show(&diagnostics));
        let system = self.system(*process);
        self.lower(&question, &system)
    }

    /// Whether the claim of an assertion holds.
    fn holds(&mut self, property: &Property) -> bool {
        let Property::Temporal { process, .. } = property else { panic!("an assertion about no formula") };
        let question = self.question(property).unwrap_or_else(|diagnostics| self.show(&diagnostics));
        let system = self.system(*process);
        let structure = Structure::from_lts(&system);
        match self.lower(&question, &system) {
            Lowered::Linear(properties) => properties.iter().all(|(property, _)| {
                match atoms::decide(&structure, property, &question.rules, &NoProgress) {
                    Verdict::Holds => true,
                    Verdict::Fails(_) => false,
                    other => panic!("undecided: {other:?}"),
                }
            }),
            Lowered::Branching(property) => ctl::decide(&structure, &property, &NoProgress) == Verdict::Holds,
        }
    }

    fn show(&self, diagnostics: &[Diagnostic]) -> ! {
        let pages: Vec<String> =
            diagnostics.iter().map(|diagnostic| render::plain(self.session.source_map(), diagnostic)).collect();
        panic!("{}", pages.join("\n"))
    }
}

/// Compares the verdicts of formulas about a process with what is expected: `T` for each that holds, `F` for the
/// others.
fn expect(script: &str, process: &str, logic: Logic, choices: Choices, expected: &[(&str, bool)]) {
    let formulas: Vec<&str> = expected.iter().map(|(formula, _)| *formula).collect();
    let session = ask(script, process, logic, &formulas, choices);
    let mut bench = Bench::new(&session);
    if session.has_errors() || session.has_faulty_formulas() {
        bench.show(session.diagnostics());
    }
    for (property, (formula, holds)) in bench.formulas().into_iter().zip(expected) {
        assert_eq!(bench.holds(property), *holds, "{process}: {formula}");
    }
}
