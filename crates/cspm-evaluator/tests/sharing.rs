//! Values that are small as graphs and enormous as trees, and sets that are never spread out.
//!
//! All of it happens within a memory and a time that a walk over the tree would exceed by orders of magnitude.

use crate::common;

use common::{Analyzed, analyze};
use cspm::syntax::Decl;
use cspm_evaluator::{Evaluator, Interrupt, Limits};
use process::Terms;
use source::{Severity, render};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

/// As long as any of these may take, even on a busy machine; each takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);
const DEPTH: usize = 60;

/// Definitions `x0 = first`, `xi = wrap`, where `#` in `wrap` stands for the definition before.
fn chain(name: &str, first: &str, wrap: &str) -> String {
    let mut text = format!("{name}0 = {first}\n");
    for i in 1..=DEPTH {
        text.push_str(&format!("{name}{i} = {}\n", wrap.replace('#', &format!("{name}{}", i - 1))));
    }
    text
}

fn script(text: String) -> Analyzed {
    analyze(&MemoryFiles::of("script.csp", text), "script.csp")
}

/// Gives up after [`PATIENCE`].
fn patient() -> Limits {
    let start = Instant::now();
    Limits {
        interrupt: Box::new(move || (start.elapsed() > PATIENCE).then_some(Interrupt::Time)),
        ..Limits::generous()
    }
}

/// The value of each print, or the code of the error it ends in.
fn prints(analyzed: &Analyzed, limits: Limits) -> Vec<String> {
    let errors = analyzed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let complaints: String = errors.map(|diagnostic| render::plain(&analyzed.map, diagnostic)).collect();
    assert!(complaints.is_empty(), "{complaints}");
    let mut evaluator = Evaluator::new(&analyzed.resolved, &analyzed.types, limits);
    let mut terms = Terms::default();
    let mut found = Vec::new();
    for decl in analyzed.declarations() {
        if let Decl::Print(expr, _) = decl {
            let value = evaluator.value(&mut terms, *expr).and_then(|value| evaluator.show(&mut terms, &value));
            found.push(value.unwrap_or_else(|error| error.code.to_owned()));
        }
    }
    found
}

fn values(text: String) -> Vec<String> {
    prints(&script(text), patient())
}

/// Ways to use a value twice in another.
const WRAPS: [(&str, &str); 7] = [
    ("1", "(#,#)"),
    ("1", "<#,#>"),
    ("1", "<(#,#)>"),
    ("1", "{(#,#)}"),
    ("1", "(| 1 => #, 2 => # |)"),
    ("1", "(| # => # |)"),
    ("L", "N.#.#"),
];

#[test]
fn shared_parts_are_compared_hashed_and_evaluated_once() {
    for (first, wrap) in WRAPS {
        let text = format!(
            "datatype T = L | N.T.T\n{}{}\
             print x60 == y60\nprint x60 != y60\nprint card({{x60, y60}})\nprint member(x60, {{y60, y59}})\n\
             print mapLookup(mapFromList(<(x60, 7)>), y60)\nprint elem(y60, <x60>)\n",
            chain("x", first, wrap),
            chain("y", first, wrap),
        );
        // In this language all elements of a set have one type.
        let text = match wrap {
            "N.#.#" => text,
            _ => text.replace("{y60, y59}", "{y60}"),
        };
        assert_eq!(values(text), ["true", "false", "1", "true", "7", "true"], "{wrap}");
    }
}

#[test]
fn shared_parts_that_differ_far_inside_are_told_apart() {
    let text = format!(
        "{}{}print x60 == y60\nprint card({{x60, y60}})\nprint x60 < y60\nprint y60 <= x60\n",
        chain("x", "1", "(#,#)"),
        chain("y", "2", "(#,#)"),
    );
    assert_eq!(values(text), ["false", "2", "true", "false"]);
}

/// Parts that fail are still found: equal places do not mean equal values before they are computed.
#[test]
fn a_value_compared_with_itself_is_computed() {
    assert_eq!(values("x = (1, error(\"no\"))\nprint x == x\n".to_owned()), ["cspm::error-called"]);
}

/// Maps inside maps are compared once in each direction, not once for each way to the innermost.
#[test]
fn nested_maps_are_compared_in_one_pass() {
    let text = format!(
        "{}{}print x60 == y60\nprint x60 <= y60\nprint x60 > y60\n",
        chain("x", "1", "(| 1 => # |)"),
        chain("y", "2", "(| 1 => # |)"),
    );
    assert_eq!(values(text), ["false", "true", "false"]);
}

#[test]
fn maps_are_ordered_by_keys_and_values() {
    let text = "print (| 1 => 1 |) < (| 1 => 1, 2 => 5 |)\nprint (| 1 => 2 |) < (| 1 => 1, 2 => 5 |)\n\
                print (| 1 => 1, 2 => 5 |) >= (| 1 => 1 |)\nprint (| 1 => 1 |) <= (| 2 => 1 |)\n\
                print (| 1 => 1, 2 => 3 |) > (| 1 => 1, 2 => 2 |)\nprint (| 1 => 2, 2 => 1 |) > (| 1 => 1, 2 => 2 |)\n\
                print (| 1 => <1> |) <= (| 1 => <1> |)\n";
    assert_eq!(values(text.to_owned()), ["true", "false", "true", "false", "true", "false", "true"]);
}

#[test]
fn a_text_beyond_measure_is_refused() {
    for (first, wrap) in [("1", "(#,#)"), ("1", "(| # => # |)")] {
        let text = format!("{}print x60\nprint x2 == x2\n", chain("x", first, wrap));
        assert_eq!(values(text), ["cspm::text-too-long", "true"], "{wrap}");
    }
}

/// Processes with such values in their parameters, and events that carry them.
#[test]
fn processes_and_events_hold_shared_values() {
    let text = format!(
        "datatype T = L | N.T.T\nchannel a\nchannel c : T\n{}{}P(x) = a -> P(x)\n\
         Q(x) = if x == y60 then a -> Q(y60) else STOP\nR(x) = c.x -> STOP\n\
         assert P(x60) :[deadlock free]\nassert Q(x60) :[deadlock free]\nassert R(x60) :[deadlock free]\n",
        chain("x", "L", "N.#.#"),
        chain("y", "L", "N.#.#"),
    );
    let complaints = script(text).evaluate_all_within(patient());
    let codes: Vec<&str> = complaints.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["cspm::text-too-long"], "only the name of an event is too long");
}

/// Lengths are known without walking along, and doubling a sequence copies nothing without bound.
#[test]
fn doubled_sequences_are_joined() {
    let text = format!("{}print #x60\nprint head(x60)\nprint x60 == x59\n", chain("x", "<1>", "#^#"));
    assert_eq!(values(text), ["1152921504606846976", "1", "false"]);
}

/// What can be answered without listing anything is.
#[test]
fn enormous_ranges_are_not_listed() {
    let claims = [
        ("{0..1000000000}", "{0..1000000000}"),
        ("<0..1000000000>", "<0..1000000000>"),
        ("{0..3}", "{0,1,2,3}"),
        ("card(Set({1..40}))", "1099511627776"),
        ("card({|c|})", "27270901"),
        ("card(Union({{0..2000000000}, {5..3000000000}}))", "3000000001"),
        ("card(Union({{0..9000000000}, {20000000000..30000000000}}))", "19000000002"),
        ("member(25000000000, union({0..9000000000}, {20000000000..30000000000}))", "true"),
        ("member(15000000000, union({0..9000000000}, {20000000000..30000000000}))", "false"),
        ("diff({0..1000000000}, {3..1000000000})", "{0,1,2}"),
        ("card(diff({0..1000000000}, {7..8}))", "999999999"),
        ("card(inter({0..1000000000}, {5..2000000000}))", "999999996"),
        ("{0..1000000000} == {0..1000000000}", "true"),
        ("{0..1000000000} <= {0..}", "true"),
        ("{{0..1000000000}, {0..1000000000}}", "{{0..1000000000}}"),
        ("{<0..1000000000>} == {<0..1000000000>}", "true"),
        ("Set({1..40}) == Set({1..40})", "true"),
        ("Set({1..40}) <= Set({1..39})", "false"),
        ("member({{1,2}}, Set(Set({1..30})))", "true"),
        ("diff({0..1000000000}, {5, 7})", "Union({{0,1,2,3,4},{6},{8..1000000000}})"),
        ("{x | x <- Set({1..40})}", "cspm::set-too-large"),
    ];
    for (expression, expected) in claims {
        let text = format!("channel c : {{0..300}}.{{0..300}}.{{0..300}}\nprint {expression}\n");
        assert_eq!(values(text), [expected], "{expression}");
    }
}

/// Every operation that goes through many elements asks now and then whether to go on, and ends soon after a no.
#[test]
fn every_long_operation_asks() {
    let expressions = [
        "Set({1..24})",
        "card({(x,y) | x <- {0..6000}, y <- {0..6000}})",
        "card(Union({{x, -x} | x <- {0..1000000}}))",
        "set(< -x | x <- <0..20000000>>)",
        "{0..40000000} == {x | x <- {0..40000000}}",
        "diff({0..40000000}, {x | x <- {0..40000000}, x % 2 == 0})",
        "union({x | x <- {0..20000000}, x % 2 == 0}, {x | x <- {0..20000000}, x % 3 == 0})",
        "mapFromList(<(x, x) | x <- <0..20000000>>)",
        "concat(<<x, x> | x <- <0..100000000>>)",
        "{x | x <- Map({1..6}, {1..17})}",
        "seq(Set({1..25}))",
        "{e | e <- {|c|}, e == (c.0.0.0)}",
        "show(<x | x <- <0..100000000>>)",
    ];
    for expression in expressions {
        let analyzed = script(format!("channel c : {{0..300}}.{{0..300}}.{{0..300}}\nprint {expression}\n"));
        let (asked, last) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(Instant::now())));
        let (count, time) = (asked.clone(), last.clone());
        let interrupt = move || {
            count.set(count.get() + 1);
            time.set(Instant::now());
            (count.get() > 20).then_some(Interrupt::Memory)
        };
        let found = prints(&analyzed, Limits { interrupt: Box::new(interrupt), ..Limits::generous() });
        assert_eq!(found, ["cspm::memory-limit"], "{expression}");
        assert!(last.get().elapsed() < Duration::from_secs(5), "{expression} went on");
        assert!(asked.get() < 100, "{expression} was told to stop {} times", asked.get());
    }
}

/// Operations on sets of numbers in all forms agree with what their elements say.
#[test]
fn forms_of_sets_agree_with_their_elements() {
    let seed = seed();
    let mut random = Random::new(seed);
    let set = |random: &mut Random| {
        let (low, high) = (random.below(9) as i64 - 4, random.below(12) as i64 - 4);
        match random.below(4) {
            0 => format!("{{ {low}..{high}}}"),
            1 => format!("union({{ {low}..{high}}}, {{ {}..{}}})", high + 1, high + 3),
            2 => format!("diff({{ {low}..8}}, {{ {high}..{}}})", high + 2),
            _ => format!("{{ {low}, {high}, {}}}", low + 7),
        }
    };
    let mut text = "listed(s) = {x | x <- s}\n".to_owned();
    for _ in 0..300 {
        let (a, b) = (set(&mut random), set(&mut random));
        for op in ["union", "inter", "diff"] {
            text.push_str(&format!("print {op}({a}, {b}) == listed({op}(listed({a}), listed({b})))\n"));
            text.push_str(&format!("print card({op}({a}, {b})) == card(listed({op}({a}, {b})))\n"));
        }
        text.push_str(&format!("print ({a} <= {b}) == (diff(listed({a}), listed({b})) == {{}})\n"));
        text.push_str(&format!("print (Set({a}) <= Set({b})) == (listed(Set({a})) <= listed(Set({b})))\n"));
        text.push_str(&format!("print (Set({a}) == Set({b})) == ({a} == {b})\n"));
        text.push_str(&format!("print card({{ {a}, {b}}}) == (if {a} == {b} then 1 else 2)\n"));
        text.push_str(&format!("print card({{ {a}, listed({b})}}) == (if {a} == {b} then 1 else 2)\n"));
    }
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let found = values(text.clone());
    assert_eq!(found.len(), lines.len());
    for (line, value) in lines.iter().zip(found) {
        assert_eq!(value, "true", "seed {seed}: {line}");
    }
}
