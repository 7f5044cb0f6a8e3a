//! CSP# scripts, decided: the verdicts of small ones, and random processes that are written in CSPM as well.

use crate::letter;
use analysis::Limits;

use analysis::Session;
use analysis::check::{Checked, Checker, Fault, Finding, Options, Reason, Verdict};
use analysis::formula::{Asked, Choices, Fair, Reduce};
use letter::letter;
use std::collections::BTreeSet;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};
use test_support::sharp::random_script;

fn check(text: &str) -> Vec<Checked> {
    let session = Session::open(&MemoryFiles::of("script.csp", text), "script.csp", None);
    assert!(!session.has_errors(), "{text}\n{:?}", session.diagnostics());
    let n_assertions = session.assertions().len();
    let mut checker =
        Checker::new(&session, Options { limits: Limits::of_workers(1).with_max_states(20_000), ..Options::default() });
    (1..=n_assertions).map(|index| checker.check(index)).collect()
}

fn fair_letters(text: &str, fairness: Fair) -> String {
    let choices = Choices { fairness: Some(fairness), ..Choices::default() };
    let asked = Asked { process: "", texts: &[], choices };
    let session = Session::open_asking(&MemoryFiles::of("script.csp", text), "script.csp", None, &asked);
    assert!(!session.has_errors(), "{text}\n{:?}", session.diagnostics());
    let n_assertions = session.assertions().len();
    let mut checker = Checker::new(&session, Options::default());
    (1..=n_assertions).map(|index| letter(&checker.check(index))).collect()
}

fn letters(text: &str) -> String {
    check(text).iter().map(letter).collect()
}

#[test]
fn deadlock_and_termination_are_told_apart() {
    let script = "Ends() = a -> Skip; Stops() = a -> Stop; Runs() = a -> Runs();
        #assert Ends() deadlockfree; #assert Stops() deadlockfree; #assert Runs() deadlockfree;
        #assert Ends() nonterminating; #assert Stops() nonterminating; #assert Runs() nonterminating;";
    assert_eq!(letters(script), "+-+--+");
}

#[test]
fn determinism_compares_targets_of_the_same_event() {
    let script = "Same() = (a -> Stop) [] (a -> Stop);
        Other() = (a -> Stop) [] (a -> b -> Stop);
        Silent() = (tau -> a -> Stop) [] b -> Stop;
        #assert Same() deterministic; #assert Other() deterministic; #assert Silent() deterministic;";
    assert_eq!(letters(script), "+-+");
}

#[test]
fn states_are_reached_with_least_and_greatest_values() {
    let script = "var x = 0; var cost = 0;
        P() = [x < 5] step{x++; cost = cost + 2} -> P() [] [x < 5] leap{x = x + 2; cost = cost + 3} -> P();
        #define goal x >= 4; #define never x > 9;
        #assert P() reaches goal; #assert P() reaches never;
        #assert P() reaches goal with min(cost); #assert P() reaches goal with max(cost);";
    let all = check(script);
    let optima: Vec<Option<i64>> = all
        .iter()
        .map(|checked| match checked.counterexample.as_ref().map(|found| &found.fault) {
            Some(Fault::Failure(Finding::State { optimum, .. })) => *optimum,
            _ => None,
        })
        .collect();
    assert_eq!(all.iter().map(letter).collect::<String>(), "+-++");
    // Two leaps cost 6; four steps and a leap cost 11.
    assert_eq!(optima, [None, None, Some(6), Some(11)]);
}

#[test]
fn formulas_speak_of_states_and_of_the_last_event() {
    let script = "var x = 0; P() = up{x = 1} -> down{x = 0} -> P();
        #define high x == 1;
        #assert P() |= [] (up -> high); #assert P() |= [] (down -> high); #assert P() |= [] <> high;
        #assert P() |= X up; #assert P() |= up; #assert P() |= <> [] high;
        Q() = a -> Skip; #define low x == 0;
        #assert Q() |= <> [] low; #assert Q() |= <> terminate; #assert Q() |= <> b.1; R() = b.1 -> Stop;";
    assert_eq!(letters(script), "+-++--++-");
}

#[test]
fn conditions_that_agree_so_far_are_not_the_same() {
    // The variable that tells no states apart keeps the process from having a network.
    let script = "var x = 0; hvar h = 0; P() = up{x = x + 1; h = 1 - h} -> P();
        #define far x == 30000; #define never x < 0; #define also x < 0 - 1;
        #assert P() |= [] (far -> <> never); #assert P() |= <> never -> <> also;";
    assert_eq!(letters(script), "??");
}

#[test]
fn fields_of_events_in_formulas_are_expressions() {
    let script = "#define N 3; #define SUM 1+1; enum {red, green}; P() = a.1.3 -> b.2 -> c.green -> d.true -> Stop;
        #assert P() |= <> a.(N-2).N; #assert P() |= <> a.(1).3; #assert P() |= <> b.SUM; #assert P() |= <> b.(N);
        #assert P() |= <> c.green; #assert P() |= <> c.1; #assert P() |= <> d.true; #assert P() |= <> d.(N == 3);";
    assert_eq!(letters(script), "+++-++++");
}

#[test]
fn fields_without_a_value_are_no_fields() {
    let script = "var x = 1; P() = a.1 -> Stop;\n#assert P() |= <> a.x;\n#assert P() |= <> a.(1/0);";
    let found = check(script);
    assert_eq!(found.iter().map(letter).collect::<String>(), "!!");
}

#[test]
fn refinement_sees_termination_as_an_event() {
    let script = "Either() = Skip [] a -> Stop; Ends() = Skip; Some() = a -> Stop;
        #assert Ends() refines Either(); #assert Either() refines Ends();
        #assert Ends() refines<F> Either(); #assert Ends() refines<F> Ends();
        Run() = a -> Run(); Loop() = Run() \\ {a};
        #assert Loop() refines Some(); #assert Loop() refines<FD> Some(); #assert Loop() divergencefree;";
    assert_eq!(letters(script), "+--++--");
}

#[test]
fn what_goes_wrong_is_told_with_the_run_that_leads_there() {
    let script = "var a[2]; var i = 0; P() = put{a[i] = 1; i++} -> P(); Q() = b -> Q();
        #define full i == 2;
        #assert P() deadlockfree; #assert P() reaches full; #assert P() |= [] <> full; #assert P() divergencefree;
        #assert Q() deadlockfree;";
    let all = check(script);
    assert_eq!(all.iter().map(letter).collect::<String>(), "!!!!+");
    for checked in &all[..4] {
        let Verdict::Error(diagnostic) = &checked.verdict else { panic!("it is an error") };
        assert_eq!(diagnostic.code, "csp-sharp::index");
        assert_eq!(diagnostic.notes, ["with i = 2", "after <put, put>"]);
    }
}

#[test]
fn processes_are_told_apart_in_nested_compositions() {
    let script = "A() = a -> A(); B() = b -> B(); C() = c -> C(); Both() = m -> Both();
        Nested() = (A() ||| B()) ||| C();
        Deep() = C() ||| ((A() || B()) \\ {x});
        Called() = Pair() ||| C(); Pair() = A() ||| B();
        Meeting() = (M() || N()) ||| C(); M() = m -> M() [] a -> M(); N() = m -> N() [] b -> N();
        #assert Nested() |= [] <> b; #assert Deep() |= [] <> b; #assert Called() |= [] <> b;
        #assert Meeting() |= [] <> (m || b); #assert Meeting() |= [] <> m;";
    assert_eq!(fair_letters(script, Fair::None), "-----");
    // `m` engages both who meet, and so does `b` one of them.
    assert_eq!(fair_letters(script, Fair::ProcessWeak), "++++-");
    assert_eq!(fair_letters(script, Fair::ProcessStrong), "++++-");
}

#[test]
fn marks_on_events_ask_for_fairness() {
    let script = "Weak() = a -> Weak() [] wf(b) -> Weak();
        Now() = a -> c -> Now() [] wf(b) -> Now();
        Often() = a -> c -> Often() [] sf(b) -> Often();
        Meet() = M() || N(); M() = m -> M() [] x -> M(); N() = sl(m) -> N() [] y -> N();
        Some(i) = a -> Some(i) [] ifa (i == 0) { wl(go.i) -> Some(i) } else { go.i -> Some(i) };
        One() = wf(b) -> One() [] b -> One() [] a -> One();
        Hidden() = Shown() \\ {b}; Shown() = a -> Shown() [] sf(b) -> c -> Shown();
        #assert Weak() |= []<> b; #assert Now() |= []<> b; #assert Often() |= []<> b; #assert Meet() |= []<> m;
        #assert Some(0) |= []<> go.0; #assert Some(1) |= []<> go.1; #assert One() |= []<> b; #assert Hidden() |= []<> c;";
    assert_eq!(fair_letters(script, Fair::None), "--------");
    // What is asked for is asked for where it is marked, and what is hidden is no event.
    assert_eq!(fair_letters(script, Fair::Annotated), "+-+++-+-");
    let none = "P() = a -> P() [] b -> P();\n#assert P() |= []<> b;";
    assert_eq!(fair_letters(none, Fair::Annotated), "-");
}

#[test]
fn marks_on_messages_ask_for_fairness() {
    let script = r#"channel c 1; channel d 0; channel e[2] 1;
        Send() = wf(c!1) -> Take() [] a -> Send(); Take() = c?x -> Send() [] a -> Take();
        Weak() = sl(c!2){k} -> wl(c?x) -> Weak() [] a -> Weak(); #define k { n = 1 - n; }; var n = 0;
        Now() = a -> b -> Now() [] wf(e[1]!1) -> Clear(); Often() = a -> b -> Often() [] sf(e[1]!1) -> Clear();
        Clear() = e[1]?x -> Often();
        Meet() = M() ||| N(); M() = d!3 -> M() [] a -> M(); N() = sf(d?[x > 2]x) -> N() [] b -> N();
        #assert Send() |= []<> "c?1"; #assert Send() |= <> "c!1"; #assert Weak() |= []<> "c?2";
        #assert Now() |= <> "e[1]!1"; #assert Often() |= []<> "e[1]!1"; #assert Meet() |= []<> "d.3";"#;
    assert_eq!(fair_letters(script, Fair::None), "------");
    // Who sends by a mark is taken by one only where that is marked as well, and `b` in between is enough for weak
    // fairness.
    assert_eq!(fair_letters(script, Fair::Annotated), "-++-++");
}

#[test]
fn messages_in_quotes_are_events() {
    let script = r#"channel c 1; channel d 0; channel e[2] 1; #define p false;
        P() = c!1 -> d!2.3 -> e[1]!4 -> P(); Q() = c?x -> d?y.z -> e[1]?w -> Q(); S() = P() ||| Q();
        #assert S() |= []<> "c!1"; #assert S() |= []<> "c?1"; #assert S() |= []<> "d.2.3"; #assert S() |= []<> "e[1]?4";
        #assert S() |= [] ! "c!7"; #assert S() |= <> "c?7"; #assert S() |= []<> ("c!1" xor p); #assert S() |= [] ("c!1" xor "c?1");"#;
    assert_eq!(letters(script), "+++++-+-");
}

#[test]
fn what_nobody_does_never_happens() {
    let script = "var x = 0; P() = next -> until -> P();
        #assert P() |= [] !nosuch; #assert P() |= <> nosuch.3; #assert P() |= [] (next -> <> nxt); #assert P() |= <> x;
        #assert P() |= [] (next -> <> until); #assert P() |= [] (next -> X until);";
    let all = check(script);
    assert_eq!(all.iter().map(letter).collect::<String>(), "+---++");
    let notes: Vec<&[String]> =
        all.iter().map(|checked| &checked.temporal.as_ref().expect("a formula").notes[..]).collect();
    assert_eq!(notes[0], ["`nosuch` is no event of the script, so it never happens"]);
    assert_eq!(notes[2], ["`nxt` is no event of the script, so it never happens; `next` has a similar name"]);
    assert_eq!(notes[3], ["`x` is a variable and no event, so it never happens"]);
    assert!(notes[4].is_empty());
}

#[test]
fn variables_begin_with_any_value_of_their_range() {
    let script = "var x : {0..2} = *; var a[2] : {0..1} = *; var y = 7;
        P() = [x == 1 && a[0] != a[1]] hit.x -> P() [] [x != 1] miss.x -> P() [] [a[0] == a[1]] same -> P();
        #define last x == 2 && a[1] == 1; #define none x == 3;
        #assert P() reaches last; #assert P() reaches none; #assert P() deadlockfree; #assert P() |= [] !hit.1; #assert P() |= [] !hit.2;
        Spec() = hit.1 -> Spec() [] miss.0 -> Spec() [] miss.2 -> Spec() [] same -> Spec(); #assert P() refines Spec();";
    assert_eq!(letters(script), "+-+-++");
}

#[test]
fn alphabets_forget_arguments_that_no_event_tells() {
    let script = "#define N 3; var n = 0;
        Desk() = a -> Row(1); Row(k) = [k > 0] b -> Row(k - 1) [] [k < N] a -> Row(k + 1);
        Up(i, k) = up.i -> Up(i, k + 1) [] b -> Up(i, k + 2);
        Clerk() = a -> Clerk() [] b -> Clerk(); Helper() = up.1 -> Helper();
        One() = Desk() || Clerk(); Two() = Up(1, 0) || Helper();
        #assert One() deadlockfree; #define far n > 3; #assert One() |= [] (a -> !b); #assert Two() |= []<> up.1;";
    let letters = letters(script);
    assert!(letters.starts_with("++"), "{letters}");
}

#[test]
fn arrays_are_sent_by_value() {
    let script = r#"var x[2][3]; var y = [7, 8]; var n = 0; channel c 0; channel b 2;
        Sender(i) = c!x.i -> b!y -> Sender(y);
        Taker() = c?z.m -> change{x[0][1] = 5; n = z[1]} -> saw.z[1].z[5] -> b?[u[0] == 7]u -> hand.u[1] -> More(m);
        More(m) = ifa (n == 0) { Taker() } else { last.m[1] -> Stop };
        System() = Sender(3) ||| Taker();
        Wrong() = c?z.m -> bad.m[0] -> Stop; Meet() = (c!x.1 -> Skip) ||| Wrong();
        Far() = b!y -> b?u -> far.u[2] -> Stop; Same() = b!y -> b?u -> b!u -> b?u -> same -> Same();
        #assert System() |= <> saw.5.0; #assert System() |= <> last.8; #assert System() |= <> "c.[0,0,0,0,0,0].3"; #assert System() |= <> "b?[7,8]";
        #assert Meet() deadlockfree; #assert Far() deadlockfree; #assert Same() |= []<> same;"#;
    assert_eq!(letters(script), "++++!!+");
}

#[test]
fn values_in_brackets_may_depend_on_the_state() {
    let script = r#"var x = 2; channel c 0; channel b 1;
        Sender(i) = c![x, i + 1] -> more{x = x + 1} -> b![x, i] -> Keeper([i, x + 1], x);
        Keeper(z, k) = kept.z[0].z[1].k -> Stop;
        Taker() = c?z -> got.z[0].z[1] -> b?u -> then.u[0].u[1] -> Stop;
        System() = Sender(7) ||| Taker();
        Wrong() = b![x / (x - 2), 1] -> Stop;
        #assert System() |= <> got.2.8; #assert System() |= <> then.3.7; #assert System() |= <> kept.7.4.3;
        #assert System() |= <> "c.[2,8]"; #assert System() |= <> got.2.7; #assert Wrong() deadlockfree;"#;
    assert_eq!(letters(script), "++++-!");
}

/// A scheduler of so many tasks has far too many states, and of the orders in which they happen a formula about one
/// event sees few.
#[test]
fn orders_that_a_formula_with_events_does_not_see_are_left_out() {
    let script = include_str!("../../../bench/csp-sharp/milner.csp").replace("#define N 3;", "#define N 100;");
    for fairness in [Fair::None, Fair::Annotated, Fair::EventStrong] {
        let choices = Choices { fairness: Some(fairness), ..Choices::default() };
        let asked = Asked { process: "", texts: &[], choices };
        let session = Session::open_asking(&MemoryFiles::of("script.csp", script.as_str()), "script.csp", None, &asked);
        let mut checker = Checker::new(
            &session,
            Options { limits: Limits::of_workers(1).with_max_states(5_000), ..Options::default() },
        );
        let checked = checker.check(2);
        assert_eq!(letter(&checked), '+', "{fairness:?} {:?}", checked.verdict);
    }
}

/// The assertions of random scripts.
const CLAIMS: &str = "
    #assert System() deadlockfree; #assert System() nonterminating; #assert System() divergencefree;
    #assert System() deterministic; #assert System() reaches p; #assert System() reaches q; #assert System() reaches r;
    #assert System() |= [] <> p; #assert System() |= [] !q; #assert System() |= [] (p -> <> q); #assert System() |= <> [] !p;
    #assert System() |= [] (s -> <> t); #assert System() |= [] <> (s || p); #assert System() |= X p;
    Spec() = s -> Spec() [] t -> Spec() [] u -> Spec() [] go -> Spec() [] Stop;
    #assert System() refines Spec(); #assert System() refines<F> Spec(); #assert System() refines<FD> Spec();
    Seen() = System() \\ {go, s, f.0, f.1};
    #assert Seen() refines Spec(); #assert Seen() deadlockfree; #assert Seen() divergencefree; #assert Seen() |= [] (t -> <> q);
    #assert System() |= !s U t; #assert System() |= [] (s -> p); #assert System() |= [] <> t; #assert Seen() |= [] (t -> !u U p);
    #assert System() |= [] (s -> (!t U p));
    #assert System() reaches q with min(x - y); #assert System() reaches r with max(x + 2 * y);";

/// The places of those that hold by a state that is found, and fail when all were met.
const WITNESSED: [usize; 3] = [4, 5, 6];

/// The smallest or greatest value that was found.
fn optimum(checked: &Checked) -> Option<i64> {
    match checked.counterexample.as_ref().map(|found| &found.fault) {
        Some(Fault::Failure(Finding::State { optimum, .. })) => *optimum,
        _ => None,
    }
}

/// The verdicts of a script, how many states were met for each, and what was smallest or greatest.
fn verdicts(text: &str, reduce: Option<Reduce>, fairness: Fair) -> (String, Vec<u64>, Vec<Option<i64>>) {
    let choices = Choices { fairness: Some(fairness), reduce, ..Choices::default() };
    let asked = Asked { process: "", texts: &[], choices };
    let session = Session::open_asking(&MemoryFiles::of("script.csp", text), "script.csp", None, &asked);
    assert!(!session.has_errors(), "{text}\n{:?}", session.diagnostics());
    let n_assertions = session.assertions().len();
    let mut checker = Checker::new(
        &session,
        Options { limits: Limits::of_workers(1).with_max_states(3_000), reduce, ..Options::default() },
    );
    let all: Vec<Checked> = (1..=n_assertions).map(|index| checker.check(index)).collect();
    for checked in &all {
        let is_doubtful = matches!(&checked.verdict, Verdict::Unknown(Reason::Unconfirmed, _));
        assert!(!is_doubtful, "{:?}\n{text}", checked.verdict);
    }
    let n_states = all.iter().map(|checked| checked.statistics.n_states).collect();
    (all.iter().map(letter).collect(), n_states, all.iter().map(optimum).collect())
}

/// Whether two verdicts contradict each other. A search that finds less before a limit is not wrong, and a search that
/// reaches its goal need not visit the failing steps elsewhere.
fn contradict(one: &str, other: &str) -> bool {
    let is_kept = |place: usize| WITNESSED.contains(&place);
    one.chars().zip(other.chars()).enumerate().any(|(place, pair)| match pair {
        ('+', '-') | ('-', '+') => true,
        ('+', '!') | ('!', '+') => !is_kept(place),
        ('-', '!') | ('!', '-') => is_kept(place),
        _ => false,
    })
}

#[test]
fn random_scripts_get_the_same_verdicts_from_their_networks() {
    let mut random = Random::new(seed());
    let (mut counts, mut n_fewer, mut n_optima) = ([0; 3], 0, 0);
    for round in 0..400 {
        // Scripts that go wrong are rare, and some must be among them.
        if round >= 60 && counts[2] > 10 && n_optima > 4 {
            break;
        }
        let text = random_script(&mut random) + CLAIMS;
        // A variable that tells no states apart keeps a script from having a network, and changes nothing else.
        let walked_text = format!("hvar h = 0;\n{}", text.replace("{ ", "{ h = 1 - h; "));
        let notions = [
            Fair::None,
            Fair::None,
            Fair::Annotated,
            Fair::Annotated,
            Fair::ProcessWeak,
            Fair::ProcessStrong,
            Fair::Global,
        ];
        let fairness = *random.pick(&notions);
        let told = format!("TEST_SEED={}, round {round}, {fairness:?}\n{text}", seed());
        let (walked, walked_states, walked_optima) = verdicts(&walked_text, Some(Reduce::None), fairness);
        let (whole, whole_states, whole_optima) = verdicts(&text, Some(Reduce::None), fairness);
        assert!(!contradict(&walked, &whole), "{walked}\n{whole}\n{told}");
        for (one, other) in walked_optima.iter().zip(&whole_optima).filter_map(|(one, other)| one.zip(*other)) {
            assert_eq!(one, other, "{told}");
            n_optima += 1;
        }
        // These were decided by meeting all states.
        let is_exhausted = |place: usize| walked.as_bytes()[place] == if place == 0 { b'+' } else { b'-' };
        for place in [0, 4, 5, 6].into_iter().filter(|&place| is_exhausted(place) && whole.as_bytes()[place] != b'?') {
            assert_eq!(walked_states[place], whole_states[place], "{place}\n{told}");
        }
        for reduce in [Reduce::PartialOrder, Reduce::Symmetry, Reduce::Auto] {
            let (reduced, n_states, optima) = verdicts(&text, Some(reduce), fairness);
            for (one, other) in walked_optima.iter().zip(&optima).filter_map(|(one, other)| one.zip(*other)) {
                assert_eq!(one, other, "{reduce:?}\n{told}");
            }
            assert!(!contradict(&walked, &reduced), "{reduce:?}\n{walked}\n{reduced}\n{told}");
            n_fewer += [0, 4, 5, 6].into_iter().filter(|&place| n_states[place] < whole_states[place]).count();
        }
        for (count, letter) in counts.iter_mut().zip(['+', '-', '!']) {
            *count += walked.matches(letter).count();
        }
    }
    // Tests that all have the same answer test nothing.
    assert!(counts[0] > 200 && counts[1] > 200 && counts[2] > 10 && n_fewer > 20, "{counts:?} {n_fewer}");
    assert!(n_optima > 4, "{n_optima}");
}

/// A process that can be written in both languages.
enum Both {
    Stop,
    Skip,
    Prefix(usize, Box<Both>),
    External(Box<Both>, Box<Both>),
    Internal(Box<Both>, Box<Both>),
    Sequence(Box<Both>, Box<Both>),
    Interleave(Box<Both>, Box<Both>),
    Parallel(Box<Both>, Box<Both>),
    Interrupt(Box<Both>, Box<Both>),
    Hide(usize, Box<Both>),
    Call(usize),
}

const EVENTS: [&str; 3] = ["a", "b", "c"];
const N_PROCESSES: usize = 3;
type Alphabet = BTreeSet<usize>;

impl Both {
    fn random(random: &mut Random, depth: usize, terminates: bool, may_call: bool) -> Both {
        let inside = |random: &mut Random| Box::new(Both::random(random, depth - 1, terminates, may_call));
        if depth == 0 {
            return match random.below(4) {
                0 if terminates => Both::Skip,
                1 | 2 if may_call => Both::Call(random.below(N_PROCESSES)),
                _ => Both::Stop,
            };
        }
        match random.below(12) {
            // Behind an event, anything may be called.
            0..=3 => {
                let next = Both::random(random, depth - 1, terminates, true);
                Both::Prefix(random.below(EVENTS.len()), Box::new(next))
            }
            4 => Both::External(inside(random), inside(random)),
            5 => Both::Internal(inside(random), inside(random)),
            6 if terminates => {
                let first = Both::random(random, depth - 1, terminates, false).closed();
                Both::Sequence(Box::new(first), inside(random))
            }
            // What something else waits for, or runs beside, calls nothing: so there are finitely many states.
            7 => {
                let part = |random: &mut Random| Box::new(Both::random(random, depth - 1, terminates, false).closed());
                Both::Interleave(part(random), part(random))
            }
            8 => {
                let part = |random: &mut Random| Box::new(Both::random(random, depth - 1, terminates, false).closed());
                Both::Parallel(part(random), part(random))
            }
            9 => {
                let part = |random: &mut Random| Box::new(Both::random(random, depth - 1, terminates, false).closed());
                Both::Interrupt(part(random), inside(random))
            }
            10 => Both::Hide(random.below(EVENTS.len()), Box::new(inside(random).closed())),
            _ => *inside(random),
        }
    }

    /// Without calls.
    fn closed(self) -> Both {
        let one = |process: Box<Both>| Box::new(process.closed());
        match self {
            Both::Call(_) => Both::Stop,
            Both::Prefix(event, next) => Both::Prefix(event, one(next)),
            Both::External(left, right) => Both::External(one(left), one(right)),
            Both::Internal(left, right) => Both::Internal(one(left), one(right)),
            Both::Sequence(left, right) => Both::Sequence(one(left), one(right)),
            Both::Interleave(left, right) => Both::Interleave(one(left), one(right)),
            Both::Parallel(left, right) => Both::Parallel(one(left), one(right)),
            Both::Interrupt(left, right) => Both::Interrupt(one(left), one(right)),
            Both::Hide(event, inside) => Both::Hide(event, one(inside)),
            other @ (Both::Stop | Both::Skip) => other,
        }
    }

    /// The plain events, of a process without calls.
    fn alphabet(&self) -> Alphabet {
        match self {
            Both::Stop | Both::Skip | Both::Call(_) => Alphabet::new(),
            Both::Prefix(event, next) => next.alphabet().into_iter().chain([*event]).collect(),
            Both::External(left, right)
            | Both::Internal(left, right)
            | Both::Sequence(left, right)
            | Both::Interleave(left, right)
            | Both::Parallel(left, right)
            | Both::Interrupt(left, right) => left.alphabet().union(&right.alphabet()).copied().collect(),
            Both::Hide(event, inside) => inside.alphabet().into_iter().filter(|found| found != event).collect(),
        }
    }

    fn sharp(&self) -> String {
        let two = |left: &Both, sign: &str, right: &Both| format!("({} {sign} {})", left.sharp(), right.sharp());
        match self {
            Both::Stop => "Stop".to_owned(),
            Both::Skip => "Skip".to_owned(),
            Both::Prefix(event, next) => format!("({} -> {})", EVENTS[*event], next.sharp()),
            Both::External(left, right) => two(left, "[*]", right),
            Both::Internal(left, right) => two(left, "<>", right),
            Both::Sequence(left, right) => two(left, ";", right),
            Both::Interleave(left, right) => two(left, "|||", right),
            Both::Parallel(left, right) => two(left, "||", right),
            Both::Interrupt(left, right) => two(left, "interrupt", right),
            Both::Hide(event, inside) => format!("({} \\ {{{}}})", inside.sharp(), EVENTS[*event]),
            Both::Call(number) => format!("P{number}()"),
        }
    }

    fn cspm(&self) -> String {
        let two = |left: &Both, sign: &str, right: &Both| format!("({} {sign} {})", left.cspm(), right.cspm());
        match self {
            Both::Stop => "STOP".to_owned(),
            Both::Skip => "SKIP".to_owned(),
            Both::Prefix(event, next) => format!("({} -> {})", EVENTS[*event], next.cspm()),
            Both::External(left, right) => two(left, "[]", right),
            Both::Internal(left, right) => two(left, "|~|", right),
            Both::Sequence(left, right) => two(left, ";", right),
            Both::Interleave(left, right) => two(left, "|||", right),
            Both::Parallel(left, right) => {
                let set = |events: Alphabet| {
                    let names: Vec<&str> = events.into_iter().map(|event| EVENTS[event]).collect();
                    names.join(",")
                };
                two(left, &format!("[{{{}}} || {{{}}}]", set(left.alphabet()), set(right.alphabet())), right)
            }
            Both::Interrupt(left, right) => two(left, "/\\", right),
            Both::Hide(event, inside) => format!("({} \\ {{{}}})", inside.cspm(), EVENTS[*event]),
            Both::Call(number) => format!("P{number}"),
        }
    }
}

/// Processes and assertions in both languages.
fn scripts(random: &mut Random, terminates: bool) -> (String, String) {
    let (mut sharp, mut cspm) = (String::new(), "channel a, b, c\n".to_owned());
    for number in 0..N_PROCESSES {
        let process = Both::random(random, 4, terminates, false);
        sharp += &format!("P{number}() = {};\n", process.sharp());
        cspm += &format!("P{number} = {}\n", process.cspm());
    }
    for number in 0..N_PROCESSES {
        sharp += &format!("#assert P{number}() deadlockfree;\n#assert P{number}() divergencefree;\n");
        cspm += &format!("assert P{number} :[deadlock free [F]]\nassert P{number} :[divergence free]\n");
        for other in 0..N_PROCESSES {
            sharp += &format!("#assert P{number}() refines P{other}();\n");
            cspm += &format!("assert P{other} [T= P{number}\n");
            // What may terminate may refuse everything else in CSPM, and not in CSP#.
            if !terminates {
                sharp += &format!(
                    "#assert P{number}() refines<F> P{other}();\n#assert P{number}() refines<FD> P{other}();\n"
                );
                cspm += &format!("assert P{other} [F= P{number}\nassert P{other} [FD= P{number}\n");
            }
        }
    }
    (sharp, cspm)
}

#[test]
fn random_processes_get_the_same_verdicts_in_both_languages() {
    let mut random = Random::new(seed());
    let mut counts = [0; 2];
    for round in 0..60 {
        let (sharp, cspm) = scripts(&mut random, round % 2 == 0);
        let (ours, theirs) = (letters(&sharp), letters(&cspm));
        assert_eq!(ours, theirs, "TEST_SEED={}, round {round}\n{sharp}\n{cspm}", seed());
        counts[0] += ours.matches('+').count();
        counts[1] += ours.matches('-').count();
    }
    // Tests that all have the same answer test nothing.
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

#[test]
fn equal_processes_refine_each_other() {
    let mut random = Random::new(seed());
    let mut counts = [0; 3];
    for round in 0..40 {
        let one = |random: &mut Random| Both::random(random, 3, round % 2 == 0, false).sharp();
        let mut processes: Vec<String> = (0..N_PROCESSES).map(|_| one(&mut random)).collect();
        if round % 3 == 0 {
            processes[1] = processes[0].clone();
        }
        let define = |(number, process): (usize, &String)| format!("P{number}() = {process};\n");
        let mut script: String = processes.iter().enumerate().map(define).collect();
        for model in ["", "<F>", "<FD>"] {
            script += &format!("#assert P0() refines{model} P1();\n#assert P1() refines{model} P0();\n");
            script += &format!("#assert P0() equals{model} P1();\n#assert P1() equals{model} P0();\n");
        }
        let found = letters(&script);
        for answers in found.as_bytes().chunks(4).filter(|answers| !answers.contains(&b'?')) {
            let expected = if answers[..2] == *b"++" { b'+' } else { b'-' };
            assert_eq!(answers[2..], [expected; 2], "TEST_SEED={}, round {round}\n{script}", seed());
            counts[answers[..2].iter().filter(|&&answer| answer == b'+').count()] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn whose_run_tells_processes_apart_is_told() {
    let script = "P() = a -> Stop; Q() = a -> Stop [] b -> Stop;\n#assert P() equals Q(); #assert Q() equals P();";
    let found = check(script);
    assert_eq!(found.iter().map(letter).collect::<String>(), "--");
    assert_eq!(found[0].notes, ["this is what Q() does, and P() does not"]);
    assert_eq!(found[1].notes, ["this is what Q() does, and P() does not"]);
}

#[test]
fn numbers_are_no_propositions() {
    let script = "var x = 1; #define more x + 1; #define N 3; P() = a -> P();\n#assert P() |= [] more;";
    let files = MemoryFiles::of("script.csp", script);
    let session = Session::open(&files, "script.csp", None);
    let codes: Vec<&str> = session.diagnostics().iter().map(|found| found.code).collect();
    assert_eq!(codes, ["csp-sharp::formula-number"]);
}

#[test]
fn a_first_step_that_goes_wrong_is_feared_before_it_is_taken() {
    let script = "var x:{0..3} = 1; var a[2]; P() = up{x = x + 3} -> P(); Q() = [x == 2] b{x = 9} -> Q();
        R(i) = put.i{a[i] = 1} -> R(i); S() = ||| i:{0..2}@R(i); T() = go -> P();
        #assert P() deadlockfree; #assert Q() deadlockfree; #assert S() deadlockfree; #assert T() deadlockfree;";
    let files = MemoryFiles::of("script.csp", script);
    let session = Session::open(&files, "script.csp", None);
    assert!(!session.has_errors());
    let codes: Vec<&str> = session.diagnostics().iter().map(|found| found.code).collect();
    assert_eq!(codes, ["csp-sharp::range", "csp-sharp::index"]);
}
