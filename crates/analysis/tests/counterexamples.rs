//! Counterexamples as users get them: what happened, who did it, and what is wrong.

use analysis::Limits;
use analysis::Session;
use analysis::check::{Checked, Checker, Counterexample, Fault, Options, Reason, Replay, Verdict};
use analysis::formula::{Asked, Choices, Fair};
use test_support::files::MemoryFiles;

fn check(script: &str) -> Checked {
    let session = Session::open(&MemoryFiles::of("script.csp", script), "script.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let options = Options { limits: Limits::of_workers(1).with_max_states(100_000), ..Options::default() };
    Checker::new(&session, options).check(1)
}

fn fails(script: &str) -> Counterexample {
    let checked = check(script);
    assert!(matches!(checked.verdict, Verdict::Fails), "{:?}", checked.verdict);
    checked.counterexample.expect("what fails has a counterexample")
}

fn events(found: &Counterexample) -> Vec<&str> {
    found.steps.iter().map(|step| step.event.as_str()).collect()
}

/// `EVENT by NAME, NAME` for each step.
fn told(found: &Counterexample) -> Vec<String> {
    let by = |parts: &[analysis::check::Part]| -> Vec<String> {
        parts.iter().map(|part| format!("{}:{}", found.components[part.component].name, part.event)).collect()
    };
    found.steps.iter().map(|step| format!("{} by {}", step.event, by(&step.parts).join(", "))).collect()
}

#[test]
fn a_forbidden_event_comes_last() {
    let found = fails("channel a, b\nP = a -> b -> P\nQ = a -> a -> STOP\nassert P [T= Q");
    assert_eq!(events(&found), ["a", "a"]);
    assert_eq!(found.fault, Fault::Event(vec!["b".to_owned()].into()));
}

#[test]
fn hidden_events_are_told_by_those_who_do_them() {
    let found = fails(
        "channel a, c, b\nLEFT = a -> c -> LEFT\nRIGHT = c -> b -> RIGHT\n\
         SYSTEM = (LEFT [| {c} |] RIGHT) \\ {c}\nassert a -> STOP [T= SYSTEM",
    );
    assert_eq!(told(&found), ["a by LEFT:a", "tau by LEFT:c, RIGHT:c", "a by LEFT:a"]);
}

#[test]
fn a_deadlock_says_what_everybody_waits_for() {
    let found = fails("channel a, b\nP = a -> b -> P\nQ = b -> a -> Q\nassert P [| {a, b} |] Q :[deadlock free]");
    assert_eq!(found.fault, Fault::Deadlock);
    let wants: Vec<_> = found.components.iter().map(|c| (c.name.as_str(), c.wants.join(" "))).collect();
    assert_eq!(wants, [("P", "a".to_owned()), ("Q", "b".to_owned())]);
}

/// On terms, all steps of each of these states would be made, a thousand with a thousand components each. Which of the
/// components that are all alike took a step is found as quickly where symmetry did without telling them apart.
#[test]
fn runs_of_very_many_components_are_repeated_on_the_network() {
    let found = fails("channel a : {1..1000}\nP = ||| i : {1..1000} @ a.i -> STOP\nassert P :[deadlock free]");
    assert_eq!((found.steps.len(), found.fault), (1000, Fault::Deadlock));
    assert_eq!(found.replayed, Replay::Network);
}

/// A term that doubles at each level is small, and its components are more than there is memory for.
#[test]
fn not_all_of_very_many_components_are_told() {
    let doubling = "channel a, b\nN(0) = a -> b -> N(0)\nN(n) = N(n - 1) [| {a, b} |] N(n - 1)\n";
    for (assertion, events) in [("STOP [T= N(60)", vec!["a"]), ("N(60) [| {b} |] STOP :[deadlock free]", vec!["a"])] {
        let found = fails(&format!("{doubling}assert {assertion}"));
        assert_eq!(self::events(&found), events, "{assertion}");
        assert!(found.components.len() <= 2000, "{}", found.components.len());
    }
    // To be fair to each of them they would have to be told apart.
    let fair = "assert N(60) |= LTL: \"G F [a]\"\n";
    let choices = Choices { fairness: Some(Fair::ProcessWeak), ..Choices::default() };
    let files = MemoryFiles::of("script.csp", format!("{doubling}{fair}"));
    let asked = Asked { process: "", texts: &[], choices };
    let session = Session::open_asking(&files, "script.csp", None, &asked);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let checked =
        Checker::new(&session, Options { limits: Limits::of_workers(1).with_max_states(1000), ..Options::default() })
            .check(1);
    assert!(matches!(checked.verdict, Verdict::Unknown(Reason::Unsupported, _)), "{:?}", checked.verdict);
}

/// Each `normal` is compiled while that of which it is a part is.
#[test]
fn compressions_nest_as_deeply_as_processes_do() {
    let deep = "transparent normal\nchannel a\nN(0) = a -> N(0)\nN(n) = normal(N(n - 1) [| {a} |] N(n - 1))\n";
    assert!(matches!(check(&format!("{deep}assert N(1500) :[deadlock free]")).verdict, Verdict::Holds));
    assert_eq!(events(&fails(&format!("{deep}assert STOP [T= N(1500)"))), ["a"]);
}

#[test]
fn a_divergence_has_a_loop() {
    let found = fails("channel a, b\nP = a -> Q\nQ = b -> Q\nassert P \\ {b} :[divergence free]");
    assert_eq!((events(&found), found.fault.clone()), (vec!["a", "tau"], Fault::Divergence(1)));
}

#[test]
fn processes_as_arguments_are_named() {
    let found = fails("channel a, b\nTWICE(P) = a -> P ; P\nassert STOP [T= TWICE(b -> SKIP) ||| STOP");
    assert_eq!(told(&found), ["a by TWICE(b -> SKIP):a"]);
}

#[test]
fn a_compressed_process_is_told_as_it_was_before() {
    let found = fails(
        "transparent sbisim, diamond\nchannel a, c, b\nLEFT = a -> c -> LEFT\nRIGHT = c -> b -> RIGHT\n\
         SYSTEM = sbisim(diamond((LEFT [| {c} |] RIGHT) \\ {c}))\nassert a -> STOP [T= SYSTEM",
    );
    assert_eq!(events(&found).last(), Some(&"a"));
    assert!(told(&found).contains(&"tau by LEFT:c, RIGHT:c".to_owned()), "{:?}", told(&found));
}

#[test]
fn recursion_through_parallel_finds_its_counterexample() {
    let found = fails("channel a, b\nFORK = a -> (FORK ||| b -> STOP)\nassert RUN({a}) [T= FORK");
    assert_eq!(events(&found), ["a", "b"]);
}

#[test]
fn an_endless_counter_finds_its_counterexample() {
    let found = fails(
        "channel up, down\nCOUNT(n) = up -> COUNT(n + 1) [] n > 0 & down -> COUNT(n - 1)\n\
         assert RUN({up}) [T= COUNT(0)",
    );
    assert_eq!(events(&found), ["up", "down"]);
}

#[test]
fn a_revival_says_which_event_goes_with_what() {
    let found =
        fails("channel a, b\nBOTH = STOP |~| (a -> STOP [] b -> STOP)\nONE = STOP |~| a -> STOP\nassert BOTH [V= ONE");
    assert_eq!(events(&found), ["tau"]);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>().into();
    assert_eq!(
        found.fault,
        Fault::Revival { event: "a".to_owned(), accepted: words(&["a"]), demanded: vec![words(&["a", "b"])] }
    );
}

#[test]
fn a_refusal_trace_says_what_was_offered_where_that_matters() {
    // The look before `x` is not needed, the one before `a` is.
    let found = fails(
        "channel a, b, c, d, x\n\
         SPEC = x -> (a -> c -> STOP |~| (a -> d -> STOP [] b -> STOP))\n\
         CROSSED = x -> (a -> d -> STOP |~| (a -> c -> STOP [] b -> STOP))\nassert SPEC [R= CROSSED",
    );
    let offered: Vec<(&str, Option<&[String]>)> =
        found.steps.iter().map(|step| (step.event.as_str(), step.offered.as_deref())).collect();
    let only_a = ["a".to_owned()];
    assert_eq!(offered[..3], [("x", None), ("tau", None), ("a", Some(&only_a[..]))]);
    assert!(matches!(found.fault, Fault::Refusal { .. }), "{:?}", found.fault);
}

#[test]
fn a_limit_is_no_verdict() {
    let checked =
        check("channel a, b\nCOUNT(n) = a -> COUNT(n + 1) [] n < 0 & b -> STOP\nassert COUNT(0) :[deadlock free]");
    assert!(matches!(checked.verdict, Verdict::Unknown(Reason::MAX_STATES, _)), "{:?}", checked.verdict);
}

const COMPRESSIONS: &str = "channel a, b, c\nchannel z : {1..21}\n\
    transparent normal, model_compress, diamond, wbisim, dbisim, sbisim, tau_loop_factor, lazyenumerate, lazynorm, explicate\n\
    external deter, prioritise, prioritisepo, trace_watchdog\nL = a -> L\n";

fn holds(script: &str) {
    let checked = check(script);
    assert!(matches!(checked.verdict, Verdict::Holds), "{script}: {:?}", checked.verdict);
}

#[test]
fn claims_about_refusals_are_decided_by_failures_below_compressions() {
    for name in ["normal", "model_compress", "diamond", "wbisim", "dbisim", "tau_loop_factor"] {
        let about = |process: &str, claim: &str| format!("{COMPRESSIONS}assert {name}({process}) :[{claim} [T]]");
        assert_eq!(fails(&about("STOP |~| L", "deadlock free")).fault, Fault::Deadlock, "{name}");
        holds(&about("DIV", "deadlock free"));
        let found = fails(&about("STOP |~| a -> STOP", "deterministic"));
        assert_eq!(found.fault, Fault::Nondeterminism("a".to_owned(), Vec::new().into()), "{name}");
    }
}

#[test]
fn deter_leaves_what_is_deterministic() {
    holds(&format!("{COMPRESSIONS}assert deter(a -> STOP [] SKIP) :[deterministic [F]]"));
    holds(&format!("{COMPRESSIONS}assert a -> STOP [] SKIP [F= deter(a -> STOP [] SKIP)"));
}

#[test]
fn termination_keeps_a_process_from_a_trace() {
    let found = fails(&format!("{COMPRESSIONS}assert a -> STOP [] SKIP :[has trace [F]]: <a>"));
    assert_eq!(
        found.fault,
        Fault::Refusal { accepted: vec!["tick".to_owned()].into(), demanded: vec![vec!["a".to_owned()].into()] }
    );
}

#[test]
fn runs_below_compressions_are_told() {
    for name in ["normal", "model_compress", "diamond", "wbisim", "sbisim", "lazyenumerate", "lazynorm", "explicate"] {
        let found = fails(&format!("{COMPRESSIONS}assert STOP [T= {name}(a -> STOP)"));
        assert_eq!(events(&found), ["a"], "{name}");
        for priority in ["prioritise(P, <{b}, {a}>)", "prioritisepo(P, {a, b}, {(b, a)}, {})", "P"] {
            let tau = if priority == "P" { " :[tau priority]: {a}" } else { "" };
            let script = format!("{COMPRESSIONS}P = {name}((a -> b -> STOP) [] (b -> STOP)) ||| {name}(b -> STOP)\n");
            let found = fails(&format!("{script}assert b -> STOP [F= {priority}{tau}"));
            assert!(!found.steps.is_empty(), "{name} below {priority}");
        }
    }
}

#[test]
fn a_counterexample_is_found_again_however_large_the_whole_is() {
    let found = fails(&format!(
        "{COMPRESSIONS}P(i) = (z.i -> c -> STOP) \\ {{c}}\nassert STOP [T= ||| i : {{1..21}} @ normal(P(i) |~| P(i))"
    ));
    assert_eq!(found.steps.iter().filter(|step| step.is_visible).count(), 1);
    let found = fails(&format!(
        "{COMPRESSIONS}P(i) = (z.i -> c -> STOP |~| STOP) \\ {{c}}\n\
         assert (||| i : {{1..4}} @ normal(P(i))) \\ {{| z |}} :[deadlock free [F]]"
    ));
    assert_eq!(found.fault, Fault::Deadlock);
}

#[test]
fn a_loop_of_several_rounds_below_compressions_is_closed() {
    let found = fails(&format!(
        "{COMPRESSIONS}P = a -> (b -> a -> P |~| b -> a -> a -> P)\nQ = a -> Q [] b -> Q\n\
         assert (normal(a -> a -> L) [| {{a}} |] diamond(P)) \\ {{a, b}} :[divergence free]"
    ));
    let Fault::Divergence(start) = found.fault else { panic!("{:?}", found.fault) };
    assert!(start < found.steps.len());
}

#[test]
fn a_watchdog_is_told_on_the_network() {
    let found = fails(&format!(
        "{COMPRESSIONS}assert STOP [T= (normal(a -> b -> STOP) [| {{a, b}} |] trace_watchdog(a -> STOP, {{a, b}}, c)) \\ {{a, b}}"
    ));
    assert_eq!(found.steps.last().map(|step| step.event.as_str()), Some("c"));
}

/// Whole channels have one name, and the order is that of the script.
#[test]
fn offers_are_folded() {
    let script = "channel z, c : {0..1}.{0..2}\nchannel a\n\
        P = c?x?y -> STOP [] z!1?y -> STOP [] z!0!2 -> STOP [] a -> STOP\nassert P :[has trace]: <a, a>\n\
        Q = a -> c?x!1 -> STOP\nR = a -> z!1?y -> STOP\nassert Q [| {|a, c, z|} |] R :[deadlock free]\n";
    let session = analysis::Session::open(&analysis::Texts::of("s.csp", script), "s.csp", None);
    let mut checker = Checker::new(&session, Options::default());
    let found = checker.check(2).counterexample.expect("it is stuck");
    let told: Vec<_> =
        found.components.iter().map(|part| (part.wants.folded.join(" "), part.waits_for.clone())).collect();
    assert_eq!(told, [("c.0.1 c.1.1".to_owned(), vec![1]), ("{|z.1|}".to_owned(), vec![0])]);
    assert_eq!(found.circle(), Some(vec![0, 1]));
    assert_eq!(found.components[1].wants.all.len(), 3, "each of them is there for programs");
    let first = "channel z, c : {0..1}.{0..2}\nchannel a\nS = a -> STOP\n\
        T = a -> (c?x?y -> STOP [] z!1?y -> STOP [] z!0!2 -> STOP)\nassert T [F= S\n";
    let session = analysis::Session::open(&analysis::Texts::of("s.csp", first), "s.csp", None);
    let found = Checker::new(&session, Options::default()).check(1).counterexample.expect("it refuses");
    let Fault::Refusal { demanded, .. } = &found.fault else { panic!("{:?}", found.fault) };
    assert_eq!(demanded[0].folded, ["z.0.2", "{|z.1|}", "{|c|}"]);
}

/// Renaming and hiding are one operator inside, whose text has to show both.
#[test]
fn who_is_renamed_and_hidden_has_a_name() {
    let script = "\
channel c, d : {0..4}
RENAMED = (RUN({| c |}) [[d <- d, d <- c]]) \\ {| d |}
R = (c?x -> (x < 3 & d!x -> RENAMED) [| {c.2} |] ((RUN({| c |}) [| {c.0} |] RUN({| c |})) [| {c.0} |] (STOP |~| SKIP)))
S = c!0 -> RUN({| c |})
assert S [T= R
";
    let found = fails(script);
    let events_of_first = events(&found);
    assert!(matches!(events_of_first[..], [first] if first.starts_with("c.") && first != "c.0"), "{events_of_first:?}");
    let script = "channel c, d\nassert STOP [T= ((c -> d -> STOP) [[c <- d]] \\ {d}) ||| (d -> STOP)\n";
    assert_eq!(events(&fails(script)), ["d"]);
}
