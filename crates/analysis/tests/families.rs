//! Families of processes with so many copies, or with any number of them: verdicts of small scripts, and random scripts
//! in which copies are counted and named, and families decided at once and one by one.

use crate::letter;
use analysis::Limits;

use analysis::Session;
use analysis::check::{Checked, Checker, Options, Reason, Verdict};
use analysis::formula::{Asked, Choices, Fair};
use letter::letter;
use test_support::copies::random_copies;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

fn check(text: &str, fairness: Fair, max_states: u64) -> Vec<Checked> {
    let choices = Choices { fairness: Some(fairness), ..Choices::default() };
    let asked = Asked { process: "", texts: &[], choices };
    let session = Session::open_asking(&MemoryFiles::of("script.csp", text), "script.csp", None, &asked);
    assert!(!session.has_errors(), "{text}\n{:?}", session.diagnostics());
    let n_assertions = session.assertions().len();
    let mut checker = Checker::new(
        &session,
        Options { limits: Limits::of_workers(1).with_max_states(max_states), ..Options::default() },
    );
    let all: Vec<Checked> = (1..=n_assertions).map(|index| checker.check(index)).collect();
    for checked in &all {
        let is_doubtful = matches!(&checked.verdict, Verdict::Unknown(Reason::Unconfirmed, _));
        assert!(!is_doubtful, "{:?}\n{text}", checked.verdict);
    }
    all
}

fn letters(checked: &[Checked]) -> String {
    checked.iter().map(letter).collect()
}

/// The numbers of copies that a verdict was found for.
fn copies(checked: &Checked) -> Vec<u32> {
    let families = checked.counterexample.iter().flat_map(|found| &found.families);
    families.map(|family| family.count).collect()
}

const LOCK: &str = "var lock = 0;
    P() = [lock == 0] enter{lock = 1} -> Inside(); Inside() = leave{lock = 0} -> P();
    System() = |||{..}@P();
    #define inside #Inside(); #define two inside > 1; #define one inside == 1; #define some inside > 0;
    Spec() = enter -> leave -> Spec() [] Skip;";

#[test]
fn a_lock_keeps_any_number_of_processes_apart() {
    let script = format!(
        "{LOCK}
        #assert System() reaches two; #assert System() reaches one; #assert System() deadlockfree;
        #assert System() divergencefree; #assert System() |= [] !two; #assert System() |= [] (enter -> X (leave || some));
        #assert System() refines Spec();"
    );
    let all = check(&script, Fair::None, 20_000);
    assert_eq!(letters(&all), "-++++++");
    assert_eq!(copies(&all[1]), [1]);
}

#[test]
fn there_is_at_least_one_copy() {
    let script = format!(
        "{LOCK} Some() = P() ||| |||{{..}}@P(); None() = |||{{0}}@P();
        #assert System() nonterminating; #assert System() |= [] <> enter; #assert Some() nonterminating;
        #assert Some() |= [] <> enter; #assert Some() |= [] (enter -> <> leave); #assert None() nonterminating;"
    );
    assert_eq!(letters(&check(&script, Fair::None, 20_000)), "+++++-");
}

#[test]
fn a_counterexample_is_one_of_the_smallest_family() {
    let script = "var inside = 0;
        P() = [inside < 3] enter{inside = inside + 1} -> leave{inside = inside - 1} -> P();
        System() = |||{..}@P();
        #define three inside == 3; #define four inside > 3; #define low inside < 3;
        #assert System() reaches three; #assert System() reaches four; #assert System() |= [] low;";
    let all = check(script, Fair::None, 100_000);
    assert_eq!(letters(&all), "+--");
    assert_eq!(copies(&all[0]), [3]);
    assert_eq!(copies(&all[2]), [3]);
}

#[test]
fn families_stand_side_by_side_and_below_hiding() {
    let script = "var readers:{0..2} = 0; var writing = false;
        Reader() = [!writing && readers < 2] start{readers++} -> stop{readers--} -> Reader();
        Writer() = [readers == 0 && !writing] write{writing = true} -> done{writing = false} -> Writer();
        Both() = (|||{..}@Reader()) ||| |||{..}@Writer(); Quiet() = Both() \\ {start, stop};
        #define mixed readers > 0 && writing; #define writes writing;
        #assert Both() reaches mixed; #assert Quiet() reaches mixed; #assert Quiet() reaches writes; #assert Both() deadlockfree;";
    let all = check(script, Fair::None, 100_000);
    assert_eq!(letters(&all), "--++");
    assert_eq!(copies(&all[2]), [1, 1]);
}

#[test]
fn marks_are_not_judged_where_copies_are_counted() {
    let script = "P() = wf(a) -> P() [] b -> P(); System() = |||{..}@P(); One() = |||{1}@P();
        #assert System() |= [] <> a; #assert One() |= [] <> a;";
    assert_eq!(letters(&check(script, Fair::Annotated, 20_000)), "?+");
}

#[test]
fn what_is_never_decided_for_all_is_unknown() {
    let script = "var x = 0; P() = a{x = 1} -> b -> P(); System() = |||{..}@P(); #define high x == 1;
        Clash() = a -> Clash() [] a -> Stop; Clashes() = |||{..}@Clash();
        #assert System() deterministic; #assert Clashes() deterministic; #assert System() reaches high with max(x);";
    assert_eq!(letters(&check(script, Fair::None, 20_000)), "?-?");
}

#[test]
fn a_variable_without_a_bound_is_no_reason_to_go_on_for_ever() {
    let script = "var n = 0; P() = arrive{n = n + 1} -> Stop; System() = |||{..}@P();
        #define five n == 5; #define negative n < 0; #assert System() reaches five; #assert System() reaches negative;";
    let all = check(script, Fair::None, 2_000);
    assert_eq!(letters(&all), "+?");
    assert_eq!(copies(&all[0]), [5]);
}

#[test]
fn two_copies_meet_where_one_does_not() {
    let script = "var x = 0; channel d 0;
        Meets() = a -> Ready(); Ready() = d!0 -> bad{x = 1} -> Stop [] d?z -> Stop; Any() = |||{..}@Meets();
        #define met x == 1; #assert Any() reaches met; #assert Any() |= [] !met;
        // Whoever is left alone is stuck, which happens to the second of two and to nobody else.
        P() = [x == 0] first{x = 1} -> Q() [] [x == 1] second{x = 2} -> Skip [] [x == 2] third -> Skip;
        Q() = d!0 -> Skip [] d?z -> Skip [] [x == 1] quit -> Skip; Stuck() = |||{..}@P();
        #assert Stuck() deadlockfree;";
    let all = check(script, Fair::None, 20_000);
    assert_eq!(letters(&all), "+--");
    assert_eq!(all.iter().map(|checked| copies(checked)[0]).collect::<Vec<_>>(), [2, 2, 2]);
}

#[test]
fn more_copies_than_are_counted_are_not_one_more() {
    let script = "P() = a -> P(); Any() = |||{..}@P(); #define n #P(); #define three n > 2; #define odd n == 3; #define gone n < 0;
        #assert Any() reaches three; #assert Any() reaches odd; #assert Any() reaches gone;";
    let all = check(script, Fair::None, 20_000);
    assert_eq!(letters(&all), "++-");
    assert_eq!([copies(&all[0])[0], copies(&all[1])[0]], [3, 3]);
}

#[test]
fn each_place_of_a_family_is_treated_fairly() {
    let script = "Start() = left -> Left() [] right -> Right(); Left() = l -> Left(); Right() = r -> Right();
        Three() = |||{3}@Start(); Any() = |||{..}@Start();
        #assert Three() |= [] (left -> <> l); #assert Any() |= [] (left -> <> l);
        #assert Any() |= [] (left -> <> r);";
    assert_eq!(letters(&check(script, Fair::None, 20_000)), "---");
    assert_eq!(letters(&check(script, Fair::ProcessWeak, 20_000)), "++-");
    assert_eq!(letters(&check(script, Fair::ProcessStrong, 20_000)), "++-");
    assert_eq!(letters(&check(script, Fair::Global, 20_000)), "++-");
}

#[test]
fn steps_of_no_family_are_not_waited_for() {
    // With three copies, one always stays at its place, so the guard never sees an empty room. Where copies are
    // counted up to one, it looks as if all could leave.
    let script = "var free = 2; var good = false;
        P() = [free > 0 && !good] a{free = free - 1} -> b{if (free < 2) {free = free + 1}} -> P();
        Guard() = [n == 0 && !good] c{good = true} -> Stop;
        System() = Guard() ||| |||{..}@P(); #define n #P(); #define done good;
        #assert System() |= <> done;";
    let all = check(script, Fair::Global, 20_000);
    assert_eq!(letters(&all), "-");
    assert_eq!(copies(&all[0]), [3]);
}

/// The assertions about a process with copies.
fn claims(process: &str) -> String {
    let claims = [
        "deadlockfree",
        "nonterminating",
        "divergencefree",
        "reaches p",
        "reaches q",
        "reaches r",
        "|= [] <> p",
        "|= [] !q",
        "|= [] (p -> <> q)",
        "|= [] (s -> <> t)",
        "|= <> [] !p",
        "|= [] <> (go || t)",
        "refines Spec()",
        "refines<F> Spec()",
        "refines<FD> Spec()",
    ];
    claims.iter().map(|claim| format!("#assert {process}() {claim};\n")).collect()
}

const N_CLAIMS: usize = 15;
/// Claims that hold for all if they hold for one.
const WITNESSED: std::ops::Range<usize> = 3..6;
const SPEC: &str =
    "Spec() = s -> Spec() [] t -> Spec() [] go -> Spec() [] set -> Spec() [] reset -> Spec() [] Skip [] Stop;\n";
const FAIRNESS: [Fair; 6] =
    [Fair::None, Fair::EventWeak, Fair::EventStrong, Fair::ProcessWeak, Fair::ProcessStrong, Fair::Global];

#[test]
fn counted_copies_do_what_named_ones_do() {
    let mut random = Random::new(seed());
    let mut counts = [0; 2];
    for round in 0..60 {
        let definitions = random_copies(&mut random, round % 2 == 0) + SPEC;
        let n_copies = 1 + random.below(4);
        let named = vec!["P0()"; n_copies].join(" ||| ");
        let rest = *random.pick(&["", " ||| P1()"]);
        let fairness = *random.pick(&FAIRNESS);
        let script = format!("{definitions} Counted() = (|||{{{n_copies}}}@P0()){rest};\n Named() = {named}{rest};\n");
        let counted = letters(&check(&(script.clone() + &claims("Counted")), fairness, 3_000));
        let named = letters(&check(&(script.clone() + &claims("Named")), fairness, 3_000));
        for (place, pair) in counted.chars().zip(named.chars()).enumerate() {
            // A run that is fair to all steps of counted copies need not be fair to all steps of named ones.
            let is_wrong = match pair {
                ('+', '-') => true,
                ('-', '+') => fairness != Fair::Global,
                _ => false,
            };
            let told = format!("TEST_SEED={}, round {round}, {fairness:?}, claim {place}\n{script}", seed());
            assert!(!is_wrong, "{counted}\n{named}\n{told}");
        }
        counts[0] += counted.matches('+').count();
        counts[1] += counted.matches('-').count();
    }
    // Tests that all have the same answer test nothing.
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

#[test]
fn all_families_at_once_are_never_better_or_worse_than_one_by_one() {
    let mut random = Random::new(seed());
    let mut counts = [0; 3];
    for round in 0..25 {
        let definitions = random_copies(&mut random, round % 3 == 0) + SPEC;
        let fairness = *random.pick(&FAIRNESS);
        let form = *random.pick(&["FAMILY", "FAMILY", "(FAMILY ||| P1())", "((FAMILY) \\ {s})"]);
        let family = |number: &str| form.replace("FAMILY", &format!("(|||{{{number}}}@P0())"));
        let all = check(&format!("{definitions} All() = {};\n{}", family(".."), claims("All")), fairness, 1_500);
        let one_by_one: Vec<String> = (0..6)
            .map(|number| {
                let script = format!("{definitions} One() = {};\n{}", family(&number.to_string()), claims("One"));
                letters(&check(&script, fairness, 1_500))
            })
            .collect();
        for (place, checked) in all.iter().enumerate().take(N_CLAIMS) {
            let (good, bad) = if WITNESSED.contains(&place) { ('-', '+') } else { ('+', '-') };
            let verdict = letter(checked);
            let of = |number: usize| one_by_one[number].as_bytes()[place] as char;
            let told = format!("TEST_SEED={}, round {round}, {fairness:?}, claim {place}, {form}", seed());
            if verdict == good {
                assert!((1..6).all(|number| of(number) != bad), "{verdict} {one_by_one:?}\n{told}\n{definitions}");
            }
            if verdict == bad && checked.counterexample.is_some() {
                let number = copies(checked)[0] as usize;
                assert!(number >= 6 || of(number) == bad, "{verdict} {number} {one_by_one:?}\n{told}\n{definitions}");
                assert!(
                    (1..number.min(6)).all(|number| of(number) != bad),
                    "{number} is not the least\n{told}\n{definitions}"
                );
            }
            counts[if verdict == good {
                0
            } else if verdict == bad {
                1
            } else {
                2
            }] += 1;
        }
    }
    // Tests that all have the same answer test nothing.
    assert!(counts[0] > 50 && counts[1] > 50, "{counts:?}");
}
