//! Fields with a thousand million values, of which few occur. `TEST_SEED` sets the seed.

use analysis::Limits;
use analysis::Session;
use analysis::check::{Checked, Checker, Options, Verdict};
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

/// The answers to all assertions of a script, by their numbers from 0.
fn checked(script: &str, max_states: u64) -> Vec<Checked> {
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(!session.has_errors(), "{:?}\n{script}", session.diagnostics());
    let mut checker = Checker::new(
        &session,
        Options { limits: Limits::of_workers(1).with_max_states(max_states), ..Options::default() },
    );
    session.assertions().iter().map(|assertion| checker.check(assertion.index)).collect()
}

const PROCESSES: &str = "\
channel c, d : {0..1000000000}
channel e : {0..1000000000}.{0..1000000000}
channel n, m : Int
channel a
T = {0..1000000000}
FIVE = c!5 -> FIVE
SINK = c?x -> SINK
COPY = c?x -> d!x -> COPY
FEW(k) = k < 4 & c!k -> FEW(k + 1)
SMALL = c?x -> if x > 3 then STOP else SMALL
PAIRS = e?x?y -> PAIRS
PAIR = e!5!6 -> PAIR
PARTNER = e?x!6 -> PARTNER
SAME = e?x!x -> SAME
LIST(k) = k < 40 & c!(k * 1000) -> LIST(k + 1)
INTS = n?x -> INTS
FROM = c?x:T -> FROM
PART = c?x:{0..999999999} -> PART
datatype Letter = A.{0..1}
datatype Paper = B.{0..1000000000}
channel g : Letter.{0..1000000000}
channel h : Paper
channel w : {1..1000000000}
";

#[test]
fn renamed_channels_are_decided() {
    let assertions = [
        ("SINK [[c <- d]] [| {| d |} |] (d!5 -> STOP) :[has trace [T]]: <d.5>", true),
        ("d!5 -> STOP [T= FIVE [[c <- d]]", false),
        ("d!5 -> d!5 -> STOP [T= (c!5 -> c!5 -> STOP) [[c <- d]]", true),
        ("RUN({| d |}) [FD= SINK [[c <- d]]", true),
        ("RUN({| d |}) [FD= SINK [[c <- c, c <- d]]", false),
        ("RUN({| c, d |}) [FD= SINK [[c <- c, c <- d]]", true),
        ("FEW(0) [T= (SINK [[c <- d]] [| {| d |} |] FEW(0) [[c <- d]]) [[d <- c]]", true),
        // What one of them names is no other in any of them.
        ("(d!0 -> STOP) [] (d!1 -> STOP) [T= (c?x -> STOP) [[c <- d]]", false),
        ("(c!0 -> STOP) [[c <- d]] [T= (c?x -> STOP) [[c <- d]]", false),
        ("(c!0 -> STOP) [[c <- d]] [T= d!0 -> STOP", true),
        ("d!0 -> STOP [T= (c!0 -> STOP) [[c <- d, d <- c]]", true),
        ("c!0 -> STOP [T= (c!0 -> STOP) [[c <- d, d <- c]]", false),
        ("INTS [[n <- m]] [| {| m |} |] (m!7 -> STOP) :[deadlock free [F]]", false),
        ("(SINK [c <-> c] SINK) :[divergence free]", false),
        ("FROM :[deterministic [FD]]", true),
        ("SINK [FD= FROM", true),
        ("FIVE [T= FROM", false),
    ];
    decide(&assertions);
}

#[test]
fn what_a_partner_bounds_is_decided() {
    let assertions = [
        ("SINK [| {| c |} |] FIVE :[deadlock free [FD]]", true),
        ("STOP [T= SINK [| {| c |} |] FIVE", false),
        ("COPY [| {| c |} |] FIVE :[deadlock free [FD]]", true),
        ("FIVE [T= (COPY [| {| c |} |] FIVE) \\ {| d |}", true),
        ("c.5 -> d.5 -> STOP [T= COPY [| {| c |} |] FIVE", false),
        ("(COPY [| {| c |} |] FIVE) \\ {| c, d |} :[divergence free]", false),
        ("SINK [| {| c |} |] FEW(0) :[deadlock free [F]]", false),
        ("FEW(0) [FD= SMALL [| {| c |} |] FEW(0)", true),
        ("SMALL [| {| c |} |] LIST(0) :[deadlock free [F]]", false),
        ("LIST(0) [T= SINK [| {| c |} |] LIST(0)", true),
        ("PAIRS [| {| e |} |] PAIR :[deadlock free [FD]]", true),
        ("PARTNER [| {| e |} |] PAIR :[deterministic [FD]]", true),
        ("PARTNER [| {| e |} |] (e!5!7 -> STOP) :[deadlock free [F]]", false),
        ("INTS [| {| n |} |] (n!7 -> n!-8 -> STOP) :[has trace [T]]: <n.7, n.-8>", true),
    ];
    decide(&assertions);
}

#[test]
fn what_is_the_same_for_all_values_is_decided() {
    let assertions = [
        ("SINK :[deadlock free [FD]]", true),
        ("SINK :[deterministic [FD]]", true),
        ("SINK \\ {| c |} :[divergence free]", false),
        ("FIVE [T= SINK", false),
        ("SINK [T= FIVE", true),
        ("SINK [F= FIVE", false),
        ("RUN({| c |}) [FD= SINK", true),
        ("CHAOS({| c |}) [F= FIVE", true),
        ("SINK ||| FIVE :[deterministic [F]]", true),
        ("SINK ||| (c?x -> a -> STOP) :[deterministic [F]]", false),
        // The value that others stand for is one like any other where it is named.
        ("FIVE [T= c.0 -> STOP", false),
        ("c.0 -> STOP [T= c?x -> STOP", false),
        ("c.0 -> STOP [] c.1 -> STOP [T= c?x -> STOP", false),
        ("SINK [| {| c |} |] (c.0 -> c.1 -> STOP) :[has trace [T]]: <c.0, c.1>", true),
    ];
    decide(&assertions);
}

fn decide(assertions: &[(&str, bool)]) {
    let lines: String = assertions.iter().map(|(text, _)| format!("assert {text}\n")).collect();
    for (checked, (text, holds)) in checked(&format!("{PROCESSES}{lines}"), 100_000).iter().zip(assertions) {
        match &checked.verdict {
            Verdict::Holds => assert!(holds, "`{text}` holds"),
            Verdict::Fails => assert!(!holds, "`{text}` fails"),
            other => panic!("`{text}`: {other:?}"),
        }
    }
}

#[test]
fn what_sets_of_events_name_is_told_apart_from_all_others() {
    let assertions = [
        // Sets that are made without naming each event on its own.
        ("STOP [T= SINK [| {c.x | x <- {0..2}} |] STOP", false),
        ("STOP [T= SINK [| {| c.0, c.1 |} |] STOP", false),
        ("STOP [T= SINK [| union({c.0}, {c.x | x <- {1..2}}) |] STOP", false),
        ("STOP [T= SINK [| diff({c.x | x <- {0..3}}, {c.3}) |] STOP", false),
        ("STOP [T= SINK [| inter({c.x | x <- {0..3}}, {c.x | x <- {0..2}}) |] STOP", false),
        ("STOP [T= SINK [| set(<c.x | x <- <0..2>>) |] STOP", false),
        ("STOP [T= SINK [| union({c.x | x <- {0..2}}, {| d |}) |] STOP", false),
        ("STOP [T= SINK [| {| c, d |} |] STOP", true),
        ("STOP [T= SINK \\ {c.x | x <- {0..2}}", false),
        ("SINK \\ {c.x | x <- {0..2}} :[divergence free]", false),
        ("STOP [T= (SINK [[c.x <- a | x <- {0..2}]]) \\ {a}", false),
        // An input of several fields at once, and fields of which only the last is wide.
        ("(e?x -> STOP) :[deadlock free [F]]", false),
        ("RUN({| e |}) [FD= e?x -> RUN({| e |})", true),
        ("(g.A?z?y -> STOP) [| {| g |} |] (g.A.1?y -> STOP) :[has trace [T]]: <g.A.1.7>", true),
        ("(g.A?z?y -> STOP) [| {| g |} |] (g.A.1?y -> STOP) :[has trace [T]]: <g.A.0.7>", false),
        ("STOP [T= PAIRS [| {| e.5 |} |] STOP", false),
        ("RUN({| e |}) [T= PAIRS [| {| e.5 |} |] STOP", true),
        ("e!5?y -> (if y > 10 then a -> STOP else STOP) :[has trace [T]]: <e.5.11, a>", true),
        // A pattern that only one value fits.
        ("STOP [T= c?5 -> STOP", false),
        ("c.5 -> STOP [FD= c?5 -> STOP", true),
        ("c.5 -> STOP [FD= c?5:T -> STOP", true),
        ("STOP [T= c?5:{6..1000000} -> STOP", true),
        ("STOP [T= ((c?5 -> a -> STOP) [| {| c |} |] SINK) \\ {| c |}", false),
        ("STOP [T= ((c?5:T -> a -> STOP) [| {| c |} |] SINK) \\ {| c |}", false),
    ];
    decide(&assertions);
}

#[test]
fn what_nobody_bounds_is_named() {
    let lines = [
        "PART :[deadlock free [F]]",
        "COPY :[deadlock free [F]]",
        "SAME [| {| e |} |] PAIR :[deadlock free [F]]",
        // What follows depends on a value that was not named, be it in the second field, or in what is not a number.
        "RUN({| e |}) [T= e!5?y -> (if y > 10 then a -> STOP else STOP)",
        "STOP [T= h?x -> STOP",
        "STOP [T= (c?x -> STOP) [[c <- w]]",
        "SLOW(5) :[divergence free]",
    ];
    let timed = "channel tock\nf(c.x) = if x > 3 then 2 else 1\nf(_) = 1\nTimed(f) { SLOW(k) = c?x -> SLOW(k) }\n";
    let asserted: String = lines.iter().map(|line| format!("assert {line}\n")).collect();
    let told = checked(&format!("{PROCESSES}{timed}{asserted}assert FIVE :[deadlock free [F]]\n"), 100_000);
    for (checked, line) in told.iter().zip(lines) {
        match &checked.verdict {
            Verdict::Error(diagnostic) => assert_eq!(diagnostic.code, "cspm::set-too-large", "`{line}`"),
            other => panic!("`{line}`: {other:?}"),
        }
    }
    assert!(matches!(told[lines.len()].verdict, Verdict::Holds));
}

#[test]
fn a_formula_tells_values_from_each_other() {
    let lines =
        "TWO = c?x -> c?y -> TWO\nassert TWO |= LTL: \"G([c?x] => X [c!x])\"\nassert TWO |= LTL: \"G not [c.7]\"\n";
    for checked in checked(&format!("{PROCESSES}{lines}"), 100_000) {
        assert!(!matches!(checked.verdict, Verdict::Holds), "{checked:?}");
    }
}

/// A process that uses the values 0 to 2 of `c` and `d` only, and inputs. It calls others only outside of parallel
/// operators, so that it has an end.
fn process(random: &mut Random, size: usize, may_call: bool) -> String {
    let number = |random: &mut Random| random.below(3);
    if size == 0 {
        let leaves = ["STOP", "SKIP", "RUN({| c |})", "CHAOS({| d |})", "P", "Q", "P", "Q"];
        return leaves[random.below(if may_call { 8 } else { 4 })].to_owned();
    }
    let half = size / 2;
    let part = |random: &mut Random, size: usize, is_outside: bool| process(random, size, may_call && is_outside);
    match random.below(24) {
        0 | 1 => format!("c!{} -> {}", number(random), part(random, size - 1, true)),
        2 | 3 => format!("c?x -> {}", part(random, size - 1, true)),
        4 => format!("d?x -> {}", part(random, size - 1, true)),
        5 => format!("d!{} -> {}", number(random), part(random, size - 1, true)),
        6 => format!("c?x -> (if x == {} then {} else a -> STOP)", number(random), part(random, size - 1, true)),
        7 => format!("c?x -> (x < 3 & d!x -> {})", part(random, size - 1, true)),
        8 => format!("({} [] {})", part(random, half, true), part(random, half, true)),
        9 => format!("({} |~| {})", part(random, half, true), part(random, half, true)),
        10 => format!("({} [| {{| c |}} |] {})", part(random, half, false), part(random, half, false)),
        11 => format!("({} [| {{| c, d |}} |] {})", part(random, half, false), part(random, half, false)),
        12 => format!("({} [| {{c.{}}} |] {})", part(random, half, false), number(random), part(random, half, false)),
        13 => format!("({} \\ {{| d |}})", part(random, half, false)),
        14 => format!("({} [[c <- d]])", part(random, half, false)),
        15 => format!("({} [[c <- d, d <- c]])", part(random, half, false)),
        16 => format!("({} [[d <- d, d <- c]])", part(random, half, false)),
        17 => format!("({} [[c.{} <- d.{}]])", part(random, half, false), number(random), number(random)),
        18 => format!(
            "({} [| {{c.x | x <- {{0..{}}}}} |] {})",
            part(random, half, false),
            number(random),
            part(random, half, false)
        ),
        19 => format!(
            "({} [| union({{c.x | x <- {{0..{}}}}}, {{| d |}}) |] {})",
            part(random, half, false),
            number(random),
            part(random, half, false)
        ),
        20 => format!("({} \\ {{c.x | x <- {{0..{}}}}})", part(random, half, false), number(random)),
        21 => format!("e!{}?y -> {}", number(random), part(random, size - 1, true)),
        22 => format!("e?x -> {}", part(random, size - 1, true)),
        _ => format!("c?x:T -> {}", part(random, size - 1, true)),
    }
}

/// Whether nothing can be wrong with where a process calls itself.
fn guarded(random: &mut Random, size: usize) -> String {
    format!("a -> {}", process(random, size, true))
}

#[test]
fn a_few_values_say_what_very_many_say() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_alike, mut n_holding, mut n_given_up) = (0, 0, 0);
    for round in 0..100 {
        let processes = format!(
            "P = {}\nQ = {}\nR = {}\nS = {}\n",
            guarded(&mut random, 1 + round % 5),
            guarded(&mut random, 1 + round % 4),
            process(&mut random, 2 + round % 6, true),
            process(&mut random, 1 + round % 5, true),
        );
        let assertions = "assert R :[deadlock free [F]]\nassert R \\ {a} :[divergence free]\nassert S [T= R\nassert S [F= R\nassert R [FD= S\nassert R :[deterministic [F]]\n";
        // One value that nobody names is enough, by definition of what it stands for.
        let few = checked(
            &format!(
                "channel c, d : {{0..4}}\nchannel e : {{0..4}}.{{0..4}}\nchannel a\nT = {{0..4}}\n{processes}{assertions}"
            ),
            1000,
        );
        let many = checked(
            &format!(
                "channel c, d : {{0..1000000000}}\nchannel e : {{0..1000000000}}.{{0..1000000000}}\nchannel a\nT = {{0..1000000000}}\n{processes}{assertions}"
            ),
            1000,
        );
        for (number, (few, many)) in few.iter().zip(&many).enumerate() {
            let told = || format!("seed {seed}, round {round}, assertion {number}: {few:?}\n{many:?}\n{processes}");
            match (&few.verdict, &many.verdict) {
                (Verdict::Holds, Verdict::Holds) => (n_alike, n_holding) = (n_alike + 1, n_holding + 1),
                (Verdict::Fails, Verdict::Fails) => n_alike += 1,
                (Verdict::Unknown(..), _) | (_, Verdict::Unknown(..)) => {}
                (_, Verdict::Error(_)) => n_given_up += 1,
                _ => panic!("{}", told()),
            }
        }
    }
    assert!(n_alike > 100 && n_holding > 20 && n_alike - n_holding > 20, "{n_alike}, {n_holding}, {n_given_up}");
}
