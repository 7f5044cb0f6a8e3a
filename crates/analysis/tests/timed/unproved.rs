//! Inconclusive searches: failing steps, limits, and properties that no engine decides.

use crate::timed::verdicts::exclusion;
use crate::timed::{check, check_with, word};
use analysis::Limits;
use analysis::check::{Method, Options};

/// Definitions with `M()`, and whether a step in it goes wrong. Where time keeps the step from happening, it does not.
const WRONG: &[(&str, bool)] = &[
    ("M() = Wait[2]; bad{a[x + 7] = 1} -> M();", true),
    ("M() = (go -> M()) timeout[2] (bad{a[x + 7] = 1} -> M());", true),
    ("M() = (Wait[3]; bad{a[x + 7] = 1} -> M()) interrupt[2] (go -> M());", false),
    ("M() = (Wait[3]; {a[x + 7] = 1} -> M()) [] (Wait[1]; go -> M());", false),
    // What waits for its time is looked at before.
    ("M() = ((bad{a[x + 7] = 1} -> Skip) within[2,3]) interrupt[1] (go -> M());", true),
];

#[test]
fn steps_that_go_wrong_are_errors() {
    for (definitions, goes_wrong) in WRONG {
        let script = format!(
            "var a[2]; var x = 0;\n#define seven x == 7;\n{definitions}\nAll() = go -> All() [] bad -> All();\n\
             #assert M() deadlockfree;\n#assert M() reaches seven;\n#assert M() refines All();\n#assert M() |= [] !seven;\n"
        );
        for method in [Method::Auto, Method::Zones, Method::Search] {
            let checked = check_with(
                &script,
                Options { limits: Limits::of_workers(1).with_max_states(5_000), method, ..Options::default() },
            );
            for (place, checked) in checked.iter().enumerate() {
                let found = word(checked);
                match goes_wrong {
                    true => assert_eq!(found, "error", "assertion {place} by {method:?} of {script}"),
                    false => assert_ne!(found, "error", "assertion {place} by {method:?} of {script}"),
                }
            }
        }
    }
}

#[test]
fn limits_are_no_verdicts() {
    let script = format!(
        "{}Some() = [] i:{{0..3}}@(put.i -> Some() [] enter.i -> Some() [] leave.i -> Some());\n\
         #assert All() refines Some();\n#assert All() refines<T> Some();\n#assert All() |= [] !two;\n",
        exclusion(4, 1, 2, false)
    );
    for method in [Method::Auto, Method::Zones, Method::Search] {
        let checked = check_with(
            &script,
            Options { limits: Limits::of_workers(1).with_max_states(60), method, ..Options::default() },
        );
        let words: Vec<&str> = checked.iter().map(word).collect();
        assert_eq!(words, ["unknown"; 5], "{method:?}");
    }
    let words: Vec<&str> = check(&script).iter().map(word).collect();
    assert_eq!(words, ["fails", "holds", "holds", "holds", "holds"], "without a limit");
}

#[test]
fn times_that_are_too_long_are_left_to_others() {
    let script = "M() = (Wait[1000000000]; go -> M()) deadline[1000000000];\n#assert M() deadlockfree;";
    let checked = check_with(script, Options { method: Method::Zones, ..Options::default() });
    assert_eq!(word(&checked[0]), "unknown");
}

/// The silent step of the specification may be late, and then it starts a clock: there is no end to where it may be.
#[test]
fn what_zones_do_not_compare_is_unknown() {
    let script = "var x = 0;\nI() = one -> Stop;\n\
                  S() = if (x == 0) { (one -> Stop) timeout[1] (Wait[1]; one -> Stop) } else { Stop };\n\
                  #assert I() refines<T> S();\n";
    assert_eq!(word(&check(script)[0]), "unknown");
}

/// Arguments that depend on variables are known when a process begins, and so are its times.
#[test]
fn times_that_variables_decide() {
    let row = |time: u32, more: &str| {
        format!(
            "var x = {time}; var y = 0;\n#define goal y == 1;\nQ(n) = Wait[n]; late{{y = 1}} -> Stop;\n\
             M() = (go{more} -> Q(x)) interrupt[2] Stop;\n#assert M() reaches goal;"
        )
    };
    for (time, more, expected) in [(1, "", "holds"), (2, "", "holds"), (3, "", "fails"), (3, "{x = x - 1}", "holds")] {
        let script = row(time, more);
        assert_eq!(word(&check(&script)[0]), expected, "{script}");
    }
}
