//! State and step counts of PAT, derived by hand from the rules in `docs/semantics/pat-counts.md`.

use analysis::Session;
use pat_counts::{NotCounted, Tally, Witness, count};
use test_support::files::MemoryFiles;

/// Counter from 0 to 2. Its configurations with events are 0 initially, 1 and 2 after `up`, 0 and 1 after `down`.
const COUNTER: &str = "var x = 0; P() = [x < 2] up{x++} -> P() [] [x > 0] down{x--} -> P();
    #define small x < 3; #define low x < 2; #define two x == 2;";

fn session(path: &str, script: &str, assertion: &str) -> Session {
    let script = format!("{script}\n#assert {assertion};");
    let session = Session::open(&MemoryFiles::of(path, script.as_str()), path, None);
    assert!(!session.has_errors(), "{assertion}: {:?}", session.diagnostics());
    session
}

/// Counts for an assertion; the file name extension selects the timed dialect.
pub fn counted(path: &str, script: &str, assertion: &str, witness: Witness) -> (u64, u64) {
    let tally = count(&session(path, script, assertion), 1, witness, usize::MAX);
    let Tally { n_states, n_steps } = tally.unwrap_or_else(|why| panic!("{assertion}: {why:?}"));
    (n_states, n_steps)
}

#[track_caller]
fn expect(script: &str, assertion: &str, nearest: (u64, u64), any: (u64, u64)) {
    assert_eq!(counted("script.csp", script, assertion, Witness::Nearest), nearest, "{assertion}, nearest");
    assert_eq!(counted("script.csp", script, assertion, Witness::Any), any, "{assertion}, any");
}

#[test]
fn invariants_are_checked_in_configurations_with_events() {
    // Five configurations with events; the steps of 0 and 1 are counted twice.
    expect(COUNTER, "P() |= [] small", (5, 7), (5, 7));
}

#[test]
fn bad_prefixes_are_counted_before_they_end_the_search() {
    // Breadth first: 0, 1, 2 where the automaton has no successor, 0 after `down`. Depth first: 0 after `down` before
    // 2.
    expect(COUNTER, "P() |= [] low", (4, 3), (3, 4));
}

#[test]
fn a_loop_is_found_when_a_run_comes_back_with_the_same_event() {
    // 0, 1 after `up`, 0 after `down`, 1 after `up` again.
    expect(COUNTER, "P() |= <> two", (3, 4), (3, 4));
}

#[test]
fn components_are_searched_from_the_last_step() {
    // The automaton of `<>[]!two` has a waiting and an accepting state: seven pairs, and the loop of `up` and `down`
    // below 2.
    expect(COUNTER, "P() |= [] <> two", (7, 9), (7, 9));
}

#[test]
fn a_run_that_ends_is_a_loop_where_the_automaton_accepts() {
    // The initial configuration with both states of the automaton, then `a` with both: a deadlock without `b`.
    let script = "P() = a -> Stop;";
    expect(script, "P() |= [] <> b", (4, 2), (4, 2));
    // A name that is neither an event nor a proposition is never true.
    expect(script, "P() |= <> b", (2, 1), (2, 1));
}

#[test]
fn refinement_keeps_the_smallest_sets() {
    let script = "I() = a -> J(); J() = b -> Stop; S() = a -> S() [] b -> Stop;
        K() = a -> L() [] b -> L(); L() = c -> Stop;
        M() = a -> X() [] a -> Y() [] b -> X(); X() = c -> Stop; Y() = c -> Stop;
        D() = E() \\ {a}; E() = a -> E(); Z() = b -> Z();";
    expect(script, "I() refines S()", (3, 2), (3, 2));
    // The first configuration refuses `b`, which the specification does not: its steps were counted.
    expect(script, "I() refines<F> S()", (2, 1), (2, 1));
    // `L()` is discovered with two configurations, and then with one of them, the only pair that stays in the
    // antichain.
    expect(script, "K() refines M()", (3, 4), (3, 4));
    // Divergence is checked before anything else.
    expect(script, "D() refines<FD> Z()", (1, 0), (1, 0));
    expect(script, "Z() refines<FD> D()", (1, 0), (1, 0));
}

#[test]
fn forbidden_traces_are_detected_immediately_or_at_expansion() {
    let script = "P() = a -> b -> Stop; S() = a -> Stop;";
    // Depth first: the configuration after `b` is added with an empty set of the specification, and expanded.
    expect(script, "P() refines S()", (2, 2), (3, 2));
}

#[test]
fn a_process_with_another_name_begins_with_that() {
    let script = "var x = 0; P() = a{x = 1 - x} -> P(); Q = P();";
    expect(script, "Q deadlockfree", (2, 2), (2, 2));
}

#[test]
fn any_witness_is_searched_depth_first() {
    // Breadth first: 0 to 2; 1 has two steps. Depth first: the same, as 2 is discovered after 0, which was known.
    expect(COUNTER, "P() reaches two", (3, 3), (3, 3));
    let script = "P() = a -> Q() [] b -> Stop; Q() = c -> Q();";
    expect(script, "P() deadlockfree", (3, 3), (3, 2));
}

#[test]
fn nearest_states_come_first_and_a_state_is_found_before_its_steps() {
    let script = "var x = 0; P() = [x < 3] up{x++} -> P() [] reset{x = 0} -> P(); Q() = (a -> Stop) [] (b -> Q());
        #define two x == 2; #define four x == 4;";
    for (assertion, expected) in [
        ("P() reaches two", (3, 4)),
        ("P() reaches four", (4, 7)),
        ("P() deadlockfree", (4, 7)),
        ("Q() deadlockfree", (2, 2)),
    ] {
        assert_eq!(counted("script.csp", script, assertion, Witness::Nearest), expected, "{assertion}");
    }
}

#[test]
fn counting_ends_at_the_limit() {
    let limited = count(&session("script.csp", COUNTER, "P() |= [] small"), 1, Witness::Nearest, 4);
    assert!(matches!(limited, Err(NotCounted::MaxStates)), "{limited:?}");
}

#[test]
fn formulas_of_other_dialects_have_no_rule() {
    let script = "channel a\nP = a -> P\nassert P |= LTL: \"G [a]\"\n";
    let session = Session::open(&MemoryFiles::of("script.csp", script), "script.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let tally = count(&session, 1, Witness::Nearest, usize::MAX);
    assert!(matches!(tally, Err(NotCounted::NoRule)), "{tally:?}");
}
