//! The interface of sessions for editors and other faces.

use analysis::{Kind, Model, NoProgress, Session, SymbolKind};
use source::Span;
use std::sync::Arc;
use test_support::files::MemoryFiles;

const SCRIPT: &str = "\
include \"types.csp\"
COPY(n) = left?x -> right!x -> COPY(n)
assert COPY(1) :[deadlock free]
module M
  hidden = 1
exports
  shown = hidden
endmodule
twice(x) = x + M::shown
print twice(2)
assert not COPY(1)   -- in two
  [FD= COPY(2)       -- lines
";

fn open(script: &str) -> Session {
    let files =
        MemoryFiles::of("main.csp", script).with("types.csp", "channel left, right : {0..1}\nassert STOP [T= STOP\n");
    Session::open(&files, "main.csp", None)
}

/// The place of the `n`-th occurrence of `part`, from 0, in all texts.
fn place(session: &Session, part: &str, n: usize) -> Span {
    let files = session.source_map().files().iter();
    let mut places = files
        .flat_map(|file| file.text.match_indices(part).map(|(start, _)| file.start + start as u32).collect::<Vec<_>>());
    let start = places.nth(n).expect("the text occurs");
    Span::new(start, start + part.len() as u32)
}

#[test]
fn a_correct_script_has_no_errors() {
    let session = open(SCRIPT);
    assert_eq!(session.diagnostics(), []);
    assert_eq!(session.language().name(), "cspm");
    assert_eq!(session.path(), "main.csp");
}

#[test]
fn definitions_are_found_across_files() {
    let session = open(SCRIPT);
    let used = place(&session, "left", 0);
    let defined = place(&session, "left", 1);
    assert_eq!(session.definition_at(used.start), Some(defined));
    assert_eq!(session.definition_at(used.end), Some(defined));
    assert_eq!(session.definition_at(defined.start), Some(defined));
    assert_eq!(session.definition_at(place(&session, "STOP", 0).start), None);
    assert_eq!(session.definition_at(place(&session, "= left", 0).start), None);
}

#[test]
fn parameters_belong_to_their_function() {
    let session = open(SCRIPT);
    let parameter = place(&session, "x) =", 0).start;
    let spans = session.uses_at(parameter);
    assert_eq!(spans.len(), 2);
    assert!(spans.iter().all(|span| session.source_map().position(*span).line == 9));
}

#[test]
fn all_uses_of_a_name_are_found() {
    let session = open(SCRIPT);
    let lines: Vec<u32> = session
        .uses_at(place(&session, "COPY", 0).start)
        .iter()
        .map(|span| session.source_map().position(*span).line)
        .collect();
    assert_eq!(lines, [2, 2, 3, 11, 12]);
}

#[test]
fn names_and_expressions_have_types() {
    let session = open(SCRIPT);
    let type_of = |part: &str, n: usize| session.type_at(place(&session, part, n).start).map(|at| at.text);
    assert_eq!(type_of("left", 0).as_deref(), Some("Int => Event"));
    assert_eq!(type_of("twice", 0).as_deref(), Some("(Int) -> Int"));
    assert_eq!(type_of("twice(2)", 0).as_deref(), Some("(Int) -> Int"));
    assert_eq!(type_of("2)", 0).as_deref(), Some("Int"));
    assert_eq!(type_of("COPY", 0).as_deref(), Some("(a) -> Proc"));
}

#[test]
fn symbols_carry_their_modules() {
    let session = open(SCRIPT);
    let symbols: Vec<(String, SymbolKind)> =
        session.symbols().into_iter().map(|symbol| (symbol.name, symbol.kind)).collect();
    let expected = [
        ("COPY", SymbolKind::Function),
        ("M::hidden", SymbolKind::Value),
        ("M::shown", SymbolKind::Value),
        ("twice", SymbolKind::Function),
        ("left", SymbolKind::Channel),
        ("right", SymbolKind::Channel),
    ];
    assert_eq!(symbols, expected.map(|(name, kind)| (name.to_owned(), kind)));
}

#[test]
fn assertions_come_in_reading_order() {
    let session = open(SCRIPT);
    let assertions = session.assertions();
    let texts: Vec<&str> = assertions.iter().map(|assertion| assertion.text.as_str()).collect();
    assert_eq!(texts, ["STOP [T= STOP", "COPY(1) :[deadlock free]", "not COPY(1) [FD= COPY(2)"]);
    let indices: Vec<usize> = assertions.iter().map(|assertion| assertion.index).collect();
    assert_eq!(indices, [1, 2, 3]);
    let last = &assertions[2];
    assert_eq!((last.kind, last.negated), (Kind::Refinement(Model::FailuresDivergences), true));
    assert_eq!((last.kind.name(), last.kind.model().map(Model::name)), ("refinement", Some("FD")));
}

#[test]
fn a_damaged_script_still_has_an_outline() {
    let session = open("P = (STOP\nQ = P\nR(x) = x +\nassert Q [T= \n");
    assert!(session.has_errors());
    let names: Vec<String> = session.symbols().into_iter().map(|symbol| symbol.name).collect();
    assert_eq!(names, ["P", "Q", "R"]);
}

#[test]
fn a_missing_script_is_a_diagnostic() {
    let session = Session::open(&MemoryFiles::new(), "nowhere.csp", None);
    assert_eq!(session.diagnostics()[0].code, "cspm::unreadable-file");
}

#[test]
fn prints_have_values() {
    let session = open(SCRIPT);
    let prints = session.prints(|| Arc::new(NoProgress));
    assert_eq!(prints.len(), 1);
    assert_eq!((prints[0].text.as_str(), prints[0].value.as_deref()), ("twice(2)", Ok("3")));
}

#[test]
fn expressions_are_evaluated_in_the_scope_of_the_texts_that_were_read() {
    let session = open(SCRIPT);
    let value = |text: &str| session.evaluate(text, Arc::new(NoProgress)).value;
    assert!(matches!(value("<left.0, right.twice(0)>"), Some(Ok(text)) if text == "<left.0,right.1>"));
    assert!(matches!(value("1 / 0"), Some(Err(diagnostic)) if diagnostic.code == "cspm::division-by-zero"));
    let unknown = session.evaluate("unknown", Arc::new(NoProgress));
    assert!(unknown.value.is_none() && unknown.session.has_errors());
}
