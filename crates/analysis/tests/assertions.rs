//! Assertions as they are told: made of what was read, and not of what the text looks like.

use analysis::{Kind, Model, Session, Texts};

fn assertions(script: &str) -> Vec<analysis::Assertion> {
    let session = Session::open(&Texts::of("test.csp", script), "test.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    session.assertions()
}

#[test]
fn what_looks_like_a_comment_in_a_string_stays() {
    let found = assertions("channel a\nf(_) = a -> STOP\nassert f(\"x--y\") [T= f(\"{-\") -- and this is one\n");
    assert_eq!(found[0].text, "f(\"x--y\") [T= f(\"{-\")");
    assert_eq!(found[0].sides.specification.as_deref(), Some("f(\"x--y\")"));
    assert_eq!(found[0].sides.process, "f(\"{-\")");
}

#[test]
fn an_operator_in_a_comment_is_none() {
    let found = assertions("channel a\nassert STOP {- [T= -} [F= a\n  -> -- on the next line\n  STOP\n");
    assert_eq!(found[0].text, "STOP [F= a -> STOP");
    assert_eq!(found[0].kind, Kind::Refinement(Model::Failures));
    assert_eq!(found[0].sides.specification.as_deref(), Some("STOP"));
    assert_eq!(found[0].sides.process, "a -> STOP");
}

#[test]
fn each_kind_names_its_model_and_its_process() {
    let found = assertions(
        "channel a\nP = a -> P\nassert not P :[deadlock free [F]]\nassert P :[deterministic]\nassert P :[has trace]: <a>\n",
    );
    let told: Vec<(&str, Option<&str>, &str, bool)> = found
        .iter()
        .map(|found| (found.kind.name(), found.kind.model().map(Model::name), &*found.sides.process, found.negated))
        .collect();
    let expected =
        [("deadlock-free", Some("F"), "P", true), ("deterministic", None, "P", false), ("has-trace", None, "P", false)];
    assert_eq!(told, expected);
}
