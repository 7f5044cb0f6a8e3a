//! How formulas are read: readings, dialects, premises, variables, named patterns, branching time.

use ltl::syntax::Dialect::{self, Csp, Pat, ProB, Spin, SpinCommand};
use ltl::syntax::{EventPattern, Form, Formula, Mark, Parsed, parse_ctl, parse_ltl};
use source::{Severity, SourceMap, render};

/// The formula, which must have no error.
fn formula(text: &str, dialect: Dialect) -> Formula {
    accepted(text, parse_ltl(text, 0, dialect))
}

fn accepted(text: &str, parsed: Parsed) -> Formula {
    parsed.formula.unwrap_or_else(|| {
        let mut map = SourceMap::new();
        map.add("formula", text);
        let messages: Vec<_> = parsed.diagnostics.iter().map(|diagnostic| render::plain(&map, diagnostic)).collect();
        panic!("{}", messages.join("\n"));
    })
}

fn reading(text: &str, dialect: Dialect) -> String {
    formula(text, dialect).to_string()
}

fn check_readings(dialect: Dialect, readings: &[(&str, &str)]) {
    for (text, expected) in readings {
        assert_eq!(&reading(text, dialect), expected, "{text} in {dialect:?}");
    }
}

/// Everything said about a formula, as code and start of its place.
fn said(text: &str, dialect: Dialect) -> Vec<(Severity, &'static str, u32)> {
    let diagnostics = parse_ltl(text, 0, dialect).diagnostics;
    diagnostics.iter().map(|found| (found.severity, found.code, found.primary.span.start)).collect()
}

#[test]
fn operators_may_be_glued() {
    check_readings(
        ProB,
        &[
            ("GF {p}", "G(F {p})"),
            ("YO[op]", "Y(O [op])"),
            ("XXX true", "X(X(X true))"),
            ("XXtrue", "X(X true)"),
            ("GFdeadlock", "G(F deadlock)"),
            ("Ge(a)", "G e(a)"),
            ("not({x} => GF {y})", "not({x} => G(F {y}))"),
            ("GF", "GF"),
            ("GO & HO", "GO & HO"),
        ],
    );
}

#[test]
fn precedence_follows_the_dialect() {
    check_readings(
        ProB,
        &[
            ("a or b & c", "(a or b) & c"),
            ("a => b => c", "(a => b) => c"),
            ("a U b U c", "(a U b) U c"),
            ("a -> b U c", "a => (b U c)"),
            ("a -> b && c", "a => (b & c)"),
            ("G p U q", "(G p) U q"),
            ("a <=> b => c", "a <=> (b => c)"),
            ("G(p && q || r)", "G((p & q) or r)"),
            ("a & b U c or d", "(a & (b U c)) or d"),
            ("a & b ~> c => d", "(a & b) ~> (c => d)"),
        ],
    );
    for dialect in [Spin, Csp] {
        check_readings(
            dialect,
            &[
                ("a||b&&c", "a or (b & c)"),
                ("a -> b -> c", "(a => b) => c"),
                ("a U b U c", "(a U b) U c"),
                ("a -> b U c", "a => (b U c)"),
                ("a -> b && c", "a => (b & c)"),
                ("[] p U q", "(G p) U q"),
                ("a <-> b -> c", "(a <=> b) => c"),
            ],
        );
    }
    for dialect in [SpinCommand, Pat] {
        check_readings(dialect, &[("a || b && c", "(a or b) & c"), ("a -> b && c", "(a => b) & c")]);
    }
}

#[test]
fn disagreement_between_tools_is_told() {
    let warning = |start| vec![(Severity::Warning, "ltl::precedence", start)];
    assert_eq!(said("a or b & c", ProB), warning(0));
    assert_eq!(said("F (a => b => c)", ProB), warning(3));
    assert_eq!(said("a U b U c", Spin), warning(0));
    assert_eq!(said("a -> b && c", Spin), warning(0));
    assert_eq!(said("a -> b U c", ProB), vec![(Severity::Note, "ltl::precedence", 0)]);
    for text in ["G p U q", "(a or b) & c", "a => (b => c)", "a & b & c", "not a & b", "F a => G b"] {
        assert_eq!(said(text, ProB), [], "{text}");
    }
}

#[test]
fn signs_and_words_have_the_same_meaning() {
    check_readings(
        ProB,
        &[
            ("□⋄{p}", "G(F {p})"),
            ("[] <> {p}", "G(F {p})"),
            ("[ ] <> {p}", "G(F {p})"),
            ("{p} ⇒ {q}", "{p} => {q}"),
            ("<> {p}", "F {p}"),
            ("G([op] -> X{q})", "G([op] => X {q})"),
            ("¬a ∧ b ∨ c", "(not a & b) or c"),
            ("() a", "X a"),
            ("○ a", "X a"),
            ("a V b", "a R b"),
            ("always a implies eventually b", "G a => F b"),
            ("a weakuntil b", "a W b"),
            ("Xw a & Yw b", "Xw a & Yw b"),
            ("a M b", "a M b"),
            ("H (a S b) or a B b", "H(a S b) or (a B b)"),
            ("a leadsto b", "a ~> b"),
            ("a /\\ b /* why */ // so\n & c", "(a & b) & c"),
        ],
    );
}

#[test]
fn atoms_are_read() {
    check_readings(
        ProB,
        &[
            ("G {\"{\"=\"1\"}", "G {\"{\"=\"1\"}"),
            ("[op(3,4*v)]", "[op(3, 4*v)]"),
            ("[ch.1._]", "[ch.1._]"),
            ("e( op )", "e(op)"),
            ("enabled(op)", "e(op)"),
            ("e*(op.1)", "e*(op.1)"),
            ("Av(op)", "Av(op)"),
            ("deadlock( a)", "deadlock(a)"),
            ("deadlock(a,b)", "deadlock(a, b)"),
            ("deterministic(a   , b)", "deterministic(a, b)"),
            ("controller(a,b)", "controller(a, b)"),
            ("deadlock or sink", "deadlock or sink"),
            ("goal & error & current", "(goal & error) & current"),
            ("BA({x > x$0})", "BA({x > x$0})"),
            ("UNCHANGED({x})", "unchanged({x})"),
            ("increasing({x}) or decreasing({y})", "increasing({x}) or decreasing({y})"),
            ("[r <-- op(x)]", "[r <-- op(x)]"),
            ("[op(x) --> r]", "[r <-- op(x)]"),
            ("[{|c, d.1|}]", "[{|c, d.1|}]"),
            ("[{c.1, d}]", "[{|c.1, d|}]"),
            ("[tau] or [tick]", "[tau] or [tick]"),
            ("{card(member) > 2 & s = {1,2}}", "{card(member) > 2 & s = {1,2}}"),
        ],
    );
}

#[test]
fn events_have_fields() {
    let formula = formula("c?x!(y+1).Train1._?_", Csp);
    let [EventPattern::Event(event)] = formula.form(formula.body).patterns() else { panic!("{formula:?}") };
    let fields: Vec<_> = event.fields.iter().map(|field| (field.mark, field.value.text())).collect();
    let text = |index: usize| fields[index].1.map(|text| text.text.as_str());
    let marks: Vec<_> = fields.iter().map(|(mark, _)| *mark).collect();
    assert_eq!(event.name.text, "c");
    assert_eq!(marks, [Mark::Input, Mark::Output, Mark::Dot, Mark::Dot, Mark::Input]);
    assert_eq!([text(0), text(1), text(2), text(3), text(4)], [Some("x"), Some("(y+1)"), Some("Train1"), None, None]);
}

#[test]
fn places_are_counted_from_the_base() {
    let text = "G([a] => F {p})";
    let parsed = parse_ltl(text, 1000, ProB).formula.expect("a formula");
    for node in &parsed.nodes {
        if let Form::Atom(_) = node.form {
            let written = &text[node.span.start as usize - 1000..node.span.end as usize - 1000];
            assert!(["[a]", "{p}"].contains(&written), "{written}");
        }
    }
    assert_eq!(parsed.node(parsed.body).span.end, 1000 + text.len() as u32);
    let wrong = parse_ltl("G([a] => )", 1000, ProB).diagnostics;
    assert_eq!(wrong[0].primary.span.start, 1009);
}

#[test]
fn quantifiers_are_read() {
    check_readings(
        ProB,
        &[
            ("#x.({x:S} & G [op(x)])", "#x.({x:S} & G [op(x)])"),
            ("# y . ( {p} & !z.({q} => G([x] or [y])))", "#y.({p} & !z.({q} => G([x] or [y])))"),
            ("!x.({x:S} => F [op(x)]) & a", "!x.({x:S} => F [op(x)]) & a"),
            ("!x & y", "not x & y"),
            ("forall c:Cust, o:{1,2} @ G [r.c.o] => a", "forall c:Cust @ (forall o:{1,2} @ (G [r.c.o] => a))"),
            ("a & exists x:T @ b or c", "a & (exists x:T @ (b or c))"),
            ("not forall x:T @ a", "not(forall x:T @ a)"),
        ],
    );
}

#[test]
fn premises_are_taken_out() {
    let premise = |text: &str| {
        let formula = formula(text, ProB);
        (formula.premise.map(|premise| formula.text_of(premise)), formula.text_of(formula.body))
    };
    let expected = |premise: &str, body: &str| (Some(premise.to_owned()), body.to_owned());
    assert_eq!(premise("wf(a) => true"), expected("WF(a)", "true"));
    assert_eq!(premise("UF(a) & wf(b) => true"), expected("UF(a) & WF(b)", "true"));
    assert_eq!(premise("WF(a) or wf(b) => true"), expected("WF(a) or WF(b)", "true"));
    assert_eq!(premise("(sf(a)) & (wf(b)) => true"), expected("SF(a) & WF(b)", "true"));
    assert_eq!(premise("SEF & WEF => true"), expected("SEF & WEF", "true"));
    assert_eq!(premise("sf(a) & WEF => true"), expected("SF(a) & WEF", "true"));
    assert_eq!(premise("( (sf(a) & sf(b)) => (true))"), expected("SF(a) & SF(b)", "true"));
    assert_eq!(premise("SF(a) => p => q"), expected("SF(a)", "p => q"));
    assert_eq!(premise("SF(a) => p <=> q"), expected("SF(a)", "p <=> q"));
    assert_eq!(premise("SF(a) => WF(b) => q"), expected("SF(a) & WF(b)", "q"));
    assert_eq!(premise("SF(enter._._) => G F [enter._._]"), expected("SF(enter._._)", "G(F [enter._._])"));
    assert_eq!(premise("G p"), (None, "G p".to_owned()));
}

#[test]
fn mixed_premises_are_separated_with_a_note() {
    let text = "SF(a) & F{p} => true";
    let formula = formula(text, ProB);
    assert_eq!(formula.to_string(), "SF(a) => (F {p} => true)");
    assert_eq!(said(text, ProB), [(Severity::Note, "ltl::mixed-premise", 8)]);
    for text in ["not SF(a) => p", "SF(a) or p => q", "SF(a)", "(SF(a) => p) & q", "p => SF(a)", "G(WF(a) => p)"] {
        assert!(said(text, ProB).iter().any(|found| found.1 == "ltl::fairness"), "{text}: {:?}", said(text, ProB));
    }
}

#[test]
fn wrong_formulas_are_refused_at_their_place() {
    for (text, code, start) in [
        ("deadlock()", "ltl::empty-list", 0),
        ("F deterministic()", "ltl::empty-list", 2),
        ("G {taken= {} ", "ltl::unclosed", 2),
        ("#x.({p} => a)", "ltl::quantifier", 8),
        ("!x.({p} & a)", "ltl::quantifier", 8),
        ("G", "ltl::missing-operand", 1),
        ("{p} U", "ltl::missing-operand", 5),
        ("a <=> b <=> c", "ltl::chained", 8),
        ("", "ltl::missing-operand", 0),
        ("(a & b", "ltl::unclosed", 6),
        ("a & b)", "ltl::unexpected", 5),
        ("a b", "ltl::missing-operator", 2),
        ("a & U", "ltl::missing-operand", 4),
        ("a ; b", "ltl::unknown-character", 2),
        ("[a", "ltl::unclosed", 0),
        ("[a b]", "ltl::event", 3),
        ("[1+]", "ltl::event", 2),
        ("[c.]", "ltl::field", 3),
        ("[c?1]", "ltl::field", 3),
        ("e()", "ltl::event", 2),
        ("BA(x)", "ltl::braces", 3),
        ("forall x @ a", "ltl::quantifier", 9),
        ("x = 1", "ltl::condition", 2),
        ("response(a)", "ltl::arguments", 0),
        ("(a, b) & c", "ltl::arguments", 0),
        ("before(r, G Y a)", "ltl::past-in-scope", 10),
    ] {
        let parsed = parse_ltl(text, 0, ProB);
        assert!(parsed.formula.is_none(), "{text}");
        assert_eq!(said(text, ProB), [(Severity::Error, code, start)], "{text}");
    }
    assert_eq!(said("[] x == 1", Spin), [(Severity::Error, "ltl::condition", 3)]);
}

#[test]
fn conditions_need_no_braces_in_spin_and_pat() {
    check_readings(Spin, &[("[](x == 1)", "G {x == 1}"), ("[] (p -> <> (n + 1 < max))", "G(p => F {n + 1 < max})")]);
    check_readings(Pat, &[("[](a -> x == 1)", "G(a => {x == 1})"), ("<> goal", "F goal")]);
}

#[test]
fn bare_names_mean_what_the_dialect_says() {
    let resolved =
        |text: &str, dialect: Dialect| formula(text, dialect).resolve_names(|_| dialect.bare_name()).to_string();
    assert_eq!(resolved("[](a -> X b)", Pat), "G(Y [a] => X(Y [b]))");
    assert_eq!(resolved("[] ev.0.1", Pat), "G(Y [ev.0.1])");
    assert_eq!(resolved("[](a => <> {c.1, d})", Csp), "G([a] => F [{|c.1, d|}])");
    assert_eq!(resolved("[](p -> <> q)", Spin), "G({p} => F {q})");
    assert_eq!(reading("[] (a or error)", Csp), "G(a or error)");
}

#[test]
fn events_bind_variables_to_the_right() {
    let bound = formula("[](reqtoks?c?o => <> colltoks!c!o?t)", Csp).bindings();
    let names: Vec<_> = bound.iter().map(|binding| (binding.variable.text.as_str(), binding.scopes.len())).collect();
    assert_eq!(names, [("c", 1), ("o", 1), ("t", 0)]);
    for text in [
        "G([a?x] & [b] => F [c!x])",
        "G([b] & [a?x] => F [c!x])",
        "F([a?x] & X [b.x])",
        "[a?x!x]",
        "a?x ~> b!x",
        "response([b!x], [a?x])",
        "(G not [a?x]) & [b!y]",
        "exists x:T @ F [a?y] & [b!x]",
        "(F [a?x]) & (forall x:T @ G [b!x])",
        "[a?x] => F [op(x+1)]",
    ] {
        let errors: Vec<_> = said(text, ProB).into_iter().filter(|found| found.0 == Severity::Error).collect();
        assert_eq!(errors, [], "{text}");
    }
    for text in [
        "(F [a?x]) => [b!x]",
        "([a?x] or [b]) => F [c!x]",
        "not [a?x] & F [b!x]",
        "([b] U [a?x]) & F [c.x]",
        "[b!x] => F [a?x]",
        "([a?x] => p) & F [b!x]",
        "e(a?x) => F [b!x]",
        "[{a?x, b?x}] => F [c!x]",
        "G [a?x] => F [op(x+1)]",
    ] {
        assert!(said(text, ProB).iter().any(|found| found.1 == "ltl::unbound"), "{text}");
    }
    assert_eq!(said("[a?x] => F [b?x]", ProB), [(Severity::Warning, "ltl::bound-again", 14)]);
    assert_eq!(said("[a?x?x]", ProB), [(Severity::Error, "ltl::bound-twice", 5)]);
}

#[test]
fn traps_of_runs_that_end_are_noted() {
    for text in ["G [a]", "G F [a]", "b & G([a] or [c])", "G({p} => X {q})", "{p} => G e(a)"] {
        assert!(said(text, ProB).iter().any(|found| found.1 == "ltl::finite-run"), "{text}");
    }
    for text in [
        "G([a] or deadlock)",
        "G([a] => X {q})",
        "G X true",
        "F G not [a]",
        "G F [a] => G F [b] or [c]",
        "G {p}",
        "G({p} => Xw {q})",
        "not G [a]",
    ] {
        assert!(said(text, ProB).iter().all(|found| found.1 != "ltl::finite-run"), "{text}");
    }
    assert!(said("[] a", Pat).is_empty());
    assert_eq!(said("[] a", Csp), [(Severity::Note, "ltl::finite-run", 0)]);
    assert_eq!(said("F det_output", ProB), [(Severity::Note, "ltl::det-output", 2)]);
}

#[test]
fn named_patterns_stand_for_operators() {
    let expanded = |text: &str| formula(text, ProB).expand().expect("small").to_string();
    for (text, expected) in [
        ("absence(p)", "G(not p)"),
        ("universality(p)", "G p"),
        ("existence(p)", "F p"),
        ("existence(p, 1)", "not(F(p & X(F p)))"),
        ("response(s, p)", "G(p => F s)"),
        ("precedence(s, p)", "(not p) W s"),
        ("response((s, t), p)", "G(p => F(s & X(F t)))"),
        ("response((s, t without z), p)", "G(p => F(s & X((not z) U t)))"),
        ("precedence(p, (s, t))", "F(s & X(F t)) => ((not(s & X(F t))) U p)"),
        ("F seq(a, b)", "F(a & X(F b))"),
        ("seq(a, b without c)", "a & X((not c) U b)"),
        ("before(r, absence(p))", "F r => ((not p) W r)"),
        ("before(r, existence(p))", "F r => ((not r) U (p & not r))"),
        ("after(q, universality(p))", "(not q) W (q & G p)"),
        ("between(q, r, absence(p))", "G(((q & not r) & F r) => ((not p) W r))"),
        ("after_until(q, r, existence(p))", "G((q & not r) => ((not r) U (p & not r)))"),
        ("after_until(q, r, response(s, p))", "G((q & not r) => ((p => ((not r) U (s & not r))) W r))"),
        ("before(r, precedence(s, p))", "F r => ((not p) W (s or r))"),
        ("WF(a) => existence(p)", "WF(a) => F p"),
    ] {
        assert_eq!(expanded(text), expected, "{text}");
        assert_eq!(reading(&reading(text, ProB), ProB), reading(text, ProB));
    }
    let nested = |depth: usize| format!("{}p{}", "between(q, r, G ".repeat(depth), ")".repeat(depth));
    assert!(formula(&nested(30), ProB).expand().is_ok());
    let counted = format!("{}p{}", "existence(".repeat(3), ", 100)".repeat(3));
    assert_eq!(formula(&counted, ProB).expand().expect_err("a million uses of p").code, "ltl::too-large");
}

#[test]
fn branching_time_is_read() {
    for (text, expected) in [
        ("AG EF {xx=1}", "AG(EF {xx=1})"),
        ("not EG e(Inc)", "not(EG e(Inc))"),
        ("EX[Move] true", "EX[Move] true"),
        ("EX [Move]", "EX [Move]"),
        ("AX[op.1] [b] & c", "AX[op.1] [b] & c"),
        ("E a U b & c", "(E a U b) & c"),
        ("A (a & b) U AF c", "A (a & b) U (AF c)"),
        ("E a R not b => AG c", "(E a R (not b)) => AG c"),
        ("AG(e(Inc) or {xx=10})", "AG(e(Inc) or {xx=10})"),
    ] {
        let formula = accepted(text, parse_ctl(text, 0, ProB));
        assert_eq!(formula.to_string(), expected);
        assert_eq!(accepted(expected, parse_ctl(expected, 0, ProB)), formula);
    }
    for text in ["G a", "a U b", "EX", "E a", "E a & b", "SF(a) => AG b", "GF a"] {
        assert!(parse_ctl(text, 0, ProB).formula.is_none(), "{text}");
    }
}
