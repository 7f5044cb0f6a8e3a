//! Pieces of formulas in the language of the model, and lists of formulas.

use ltl::syntax::{Dialect, PieceKind, parse_list, parse_ltl};

/// The pieces of a formula, each with its kind and variables: `x+1/value(x)`.
fn pieces(text: &str, dialect: Dialect) -> Vec<String> {
    let parsed = parse_ltl(text, 7, dialect);
    let formula = parsed.formula.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
    let shown = formula.pieces().into_iter().map(|piece| {
        let (start, end) = (piece.text.span.start as usize - 7, piece.text.span.end as usize - 7);
        assert_eq!(&text[start..end], piece.text.text, "the place of a piece");
        let kind = match piece.kind {
            PieceKind::Name => return piece.text.text,
            PieceKind::Value => "value",
            PieceKind::Predicate => "predicate",
            PieceKind::Set => "set",
        };
        let variables: Vec<String> = piece.variables.into_iter().map(|variable| variable.text).collect();
        format!("{}/{kind}({})", piece.text.text, variables.join(","))
    });
    shown.collect()
}

#[test]
fn pieces_know_their_variables() {
    let csp = |text| pieces(text, Dialect::Csp);
    assert_eq!(csp("c.1 & d!x"), ["c", "1/value()", "d", "x/value()"]);
    assert_eq!(csp("c?x => <> d!x!(x+y)"), ["c", "d", "x/value(x)", "(x+y)/value(x)"]);
    assert_eq!(csp("c?x:{1..3}!x"), ["c", "{1..3}/set()", "x/value(x)"]);
    assert_eq!(csp("forall x:S @ [c.x]"), ["c", "x/value(x)", "S/set()"]);
    assert_eq!(csp("forall x:S, y:f(x) @ [c.x.y]"), ["c", "x/value(x)", "y/value(y)", "f(x)/set(x)", "S/set()"]);
    assert_eq!(csp("N::c.(N::v)"), ["N::c", "(N::v)/value()"]);
    let prob = |text| pieces(text, Dialect::ProB);
    assert_eq!(prob("G {v > 1}"), ["v > 1/predicate()"]);
    assert_eq!(
        prob("#x,y.({x:S & y : T & x < y} & F [c.x.y])"),
        ["c", "x/value(x)", "y/value(y)", "S/set()", "T/set()", "x < y/predicate(x,y)"]
    );
}

#[test]
fn binders_are_instantiated_where_they_are_used() {
    let at = |text: &str| -> Vec<(String, Vec<String>)> {
        let formula = parse_ltl(text, 0, Dialect::Csp).formula.unwrap_or_else(|| panic!("{text}"));
        let binders = formula.binders().into_iter();
        binders.map(|binder| (formula.text_of(binder.at), binder.variables)).collect()
    };
    let one = |at: &str, variables: &[&str]| (at.to_owned(), variables.iter().map(|&x| x.to_owned()).collect());
    assert_eq!(at("[](c?x?y => <> d!x)"), [one("c?x?y => F d!x", &["x"])]);
    assert_eq!(at("(c?x & d!x) => true"), [one("c?x & d!x", &["x"])]);
    assert_eq!(at("(c?x & true) => d!x"), [one("(c?x & true) => d!x", &["x"])]);
    assert_eq!(at("c?x => true"), []);
    assert_eq!(at("Y c?x => d!x"), [one("Y c?x => d!x", &["x"])]);
}

#[test]
fn lists_have_a_formula_on_each_line() {
    let text = "# a comment\nG [a]\ttrue\tfrom a paper\n\nlive: G F [a]  \r\n// another\nltl safe { [] (p ->\n <> q) }\n\
                ctl { AG EF {p} }\n#x.({x:S} & F [c.x])\nltlx: [a]\nc::d\n";
    let (entries, diagnostics) = parse_list(text, 5);
    assert!(diagnostics.is_empty());
    let shown: Vec<String> = entries
        .iter()
        .map(|entry| {
            let (start, end) = (entry.formula.span.start as usize - 5, entry.formula.span.end as usize - 5);
            assert_eq!(&text[start..end], entry.formula.text, "the place of a formula");
            let name = entry.name.as_ref().map_or("", |name| &name.text);
            format!("{name}|{}|{}", entry.formula.text, entry.is_branching)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "|G [a]|false",
            "live|G F [a]|false",
            "safe|[] (p ->\n <> q)|false",
            "|AG EF {p}|true",
            "|#x.({x:S} & F [c.x])|false",
            "ltlx|[a]|false",
            "|c::d|false",
        ]
    );
    let (_, diagnostics) = parse_list("ltl p { [] q", 0);
    assert_eq!(diagnostics[0].code, "ltl::unclosed");
}
