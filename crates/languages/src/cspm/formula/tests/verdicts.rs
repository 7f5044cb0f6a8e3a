//! Claims whose truth is known from the literature or by hand.

use super::Session;
use super::{Bench, ask, expect};
use Logic::{Ctl, Ltl};
use frontend::formula::Lowered;
use frontend::formula::{Asked, AskedText, Choices, Fair, Logic};
use property::{FiniteRuns, View};
use test_support::files::MemoryFiles;

const SMALL: &str = "
channel a, b, c, d
System  = (b -> System)  [] (b -> c -> a -> SKIP)
System2 = (a -> System2) [] (b -> c -> a -> SKIP) [] STOP
System3 = (b -> c -> STOP) |~| (a -> c -> STOP)
System4 = (b -> System4) [] (b -> c -> a -> SKIP) [] STOP
System4i = (b -> System4i) |~| (b -> c -> a -> SKIP) |~| STOP
S = a -> S
Q = a -> STOP
S0 = a -> (b -> STOP |~| c -> STOP)
S1 = a -> STOP |~| S0
PAR = (a -> b -> STOP) [|{a,b}|] (a -> a -> STOP)
";

#[test]
fn events_and_deadlocks_in_traces() {
    let processes = ["System", "System2", "System3", "System4", "System4i", "S", "Q", "S0", "S1", "PAR"];
    let table = [
        ("<> b", "TFFTFFFFFF"),
        ("b", "TFFTFFFFFF"),
        ("not b", "FFFFFTTTTT"),
        ("X true", "TTTTFTTTTT"),
        ("[]<> b", "FFFFFFFFFF"),
        ("<>[] not b", "FTTFFTTTTT"),
        ("<>(b or c)", "TFTTFFFTFF"),
        ("[] a", "FFFFFTFFFF"),
        ("[](a or deadlock)", "FFFFFTTFFT"),
        ("a U deadlock", "FFFFFFTFFT"),
        ("<> deadlock", "FFTFFFTTTT"),
    ];
    for (index, process) in processes.into_iter().enumerate() {
        let expected: Vec<(&str, bool)> =
            table.iter().map(|(formula, row)| (*formula, row.as_bytes()[index] == b'T')).collect();
        expect(SMALL, process, Ltl, Choices::default(), &expected);
    }
}

const PENSION: &str = "
nametype Tokens = {0..5}
nametype Cust = {1,2,3}
nametype Office = {1,2}
channel reqtoks : Cust.Office
channel colltoks : Cust.Office.Tokens
CUST(c,n) = reqtoks.c?o -> colltoks.c!o!n -> CUST(c,0)
ONCE(c,n) = reqtoks.c?o -> colltoks.c!o!n -> STOP
SPEC = CUST(1,4) ||| CUST(2,4)
LAST = ONCE(1,4) ||| ONCE(2,4)
";

#[test]
fn variables_bound_by_events() {
    let expected = [
        ("[](reqtoks => <>colltoks)", true),
        ("[](reqtoks?c?o => <>colltoks!c!o?t)", false),
        ("WF(colltoks.1.1._) => [](reqtoks.1.1 => <>colltoks.1.1)", true),
        ("WEF => [](reqtoks?c?o => <>colltoks!c!o?t)", true),
        ("SEF => [](reqtoks?c?o => <>colltoks!c!o?t)", true),
        ("[](reqtoks?c?o => X([{|colltoks.c.o|}] R not reqtoks.c))", true),
        ("[](reqtoks?c:{3}?o => false)", true),
        ("[](reqtoks?c:{2,3}?o => false)", false),
        ("reqtoks?c?o ~> colltoks!c!o", false),
        ("<>(reqtoks?c!c)", false),
        ("not (reqtoks?c?o & X reqtoks!c!o)", true),
    ];
    expect(PENSION, "SPEC", Ltl, Choices::default(), &expected);
    expect(PENSION, "LAST", Ltl, Choices::default(), &[("[](reqtoks?c?o => <>colltoks!c!o?t)", true)]);
}

#[test]
fn a_conjunction_is_several_properties() {
    let formulas = ["[](reqtoks?c?o => <>colltoks!c!o?t)", "forall c:Cust @ [](reqtoks.c => <>colltoks.c)"];
    let session = ask(PENSION, "SPEC", Ltl, &formulas, Choices::default());
    let mut bench = Bench::new(&session);
    let mut counts = Vec::new();
    for property in bench.formulas() {
        let Lowered::Linear(properties) = bench.lowered(property) else { panic!("it is linear") };
        assert!(properties.iter().all(|(property, _)| property.facts.len() <= 2));
        counts.push(properties.len());
    }
    // Customer 3 takes no part, so nothing is claimed of it.
    assert_eq!(counts, [4, 2]);
}

#[test]
fn quantifiers_range_over_sets_of_the_script() {
    let expected = [
        ("forall c:Cust, o:Office @ [](reqtoks.c.o => <>colltoks.c.o._)", false),
        ("forall c:Cust @ [](reqtoks.c => X not colltoks.(3-c))", false),
        ("exists c:{1..3} @ <>[] not reqtoks.c", true),
        ("exists c:{1,2} @ [] not reqtoks.c", false),
        ("#x.({x:Cust & x > 2} & G not [reqtoks.x])", true),
        ("!x,y.({x:Cust & y:Office & x == y} => G([reqtoks.x.y] => X not [reqtoks.x]))", true),
        ("forall s:Set({1}) @ true", true),
    ];
    expect(PENSION, "SPEC", Ltl, Choices::default(), &expected);
}

#[test]
fn fields_of_datatypes() {
    let script = "
datatype Color = red | green
datatype Thing = Ball.Color.{0..1} | Nothing
channel put : Thing.Color
channel numbers : Int
P = put.Ball.red.1.green -> put.Nothing.red -> numbers.7 -> STOP
";
    let expected = [
        ("put.Ball", true),
        ("put.Ball.red", true),
        ("put.Ball.red.1", true),
        ("put.Ball.green", false),
        ("put.Ball._.1.green", true),
        ("put._.green", true),
        ("put._.red", false),
        ("put.(Ball.red.1).green", true),
        ("put?x!green => X put!Nothing", true),
        ("put?t?c => not put!t!red", true),
        ("X put.Nothing.red", true),
        ("X X numbers.7", true),
        ("<>(numbers?n & X [] not numbers!n)", true),
    ];
    expect(script, "P", Ltl, Choices::default(), &expected);
}

const PETERSON: &str = "
datatype V = f1 | f2 | t
channel set, get : V.{0..2}
channel try, critical, leave : {1, 2}
f(1) = f1
f(2) = f2
VAR(v, x) = set.v?y -> VAR(v, y) [] get.v.x -> VAR(v, x)
P(i) = try.i -> set.f(i).1 -> set.t.(3-i) -> W(i)
W(i) = get.f(3-i).0 -> CS(i) [] get.t.i -> CS(i) [] get.f(3-i).1 -> W2(i)
W2(i) = get.t.i -> CS(i) [] get.t.(3-i) -> W(i)
CS(i) = critical.i -> leave.i -> set.f(i).0 -> P(i)
SYS = (P(1) ||| P(2)) [| {|set, get|} |] (VAR(f1, 0) ||| VAR(f2, 0) ||| VAR(t, 1))
HID = SYS \\ {|set, get|}
";

#[test]
fn mutual_exclusion() {
    let exclusion = [
        ("forall i:{1,2} @ G([critical.i] => X((not e(critical.(3-i))) W [leave.i]))", true),
        ("G(e(critical.1) => not e(critical.2))", true),
        // Busy waiting.
        ("F [critical.1] or F [critical.2]", false),
    ];
    let step = Choices { view: Some(View::Step), ..Choices::default() };
    for system in ["SYS", "HID"] {
        expect(PETERSON, system, Ltl, step, &exclusion);
        expect(PETERSON, system, Ltl, step, &[("G([try?i] => F [critical!i])", false)]);
    }
    expect(
        PETERSON,
        "HID",
        Ltl,
        Choices::default(),
        &[
            ("[](critical?i => X(not critical!(3-i) W leave!i))", true),
            ("[](try.1 => <> critical.1)", false),
            ("<> critical.1 or <> critical.2", true),
        ],
    );
}

#[test]
fn states_need_the_step_view() {
    let script = "
channel a, b, c
P = a -> (b -> P [] c -> STOP)
R = (P [] a -> SKIP) \\ {b}
";
    let expected = [
        ("G(e(a) => not e(b))", true),
        ("G deterministic(a, b, c)", false),
        ("G(deadlock or deterministic(a, b))", true),
        ("G(controller(a, b) or deadlock)", true),
        ("G([c] => X deadlock)", true),
        ("G(e(b) => Y [a])", true),
        ("G(sink => deadlock)", true),
        ("G(non_det => e(b))", true),
        ("G(deadlock(a) => deadlock or e(c))", true),
        ("current & X not current", true),
        ("G(Av(b) <=> e(b))", true),
    ];
    expect(script, "P", Ltl, Choices::default(), &expected);
    let expected =
        [("G([a] => X (e(tau) or [tick]))", true), ("F terminated", false), ("G([a] => X(e*(a) or [tick]))", true)];
    expect(script, "R", Ltl, Choices::default(), &expected);
    expect(
        script,
        "R",
        Ctl,
        Choices::default(),
        &[
            ("AG EF e(a)", false),
            ("EF terminated", true),
            ("EX[a] e(tick)", true),
            ("AX[a] e(tick)", false),
            ("AG(deadlock => AX false)", true),
            ("E (not deadlock) U terminated", true),
            ("A e(a) R true", true),
            ("EG not deadlock", true),
            ("AF deadlock", false),
            ("AG(e(c) => EX[c] deadlock)", true),
        ],
    );
}

#[test]
fn names_of_pat_look_back() {
    let script = "channel a, b\nP = a -> b -> P\nS = a -> S\nQ = a -> STOP";
    let choices = Choices { dialect: Some(ltl::syntax::Dialect::Pat), ..Choices::default() };
    expect(script, "S", Ltl, choices, &[("[] a", false), ("a", false), ("X a", true), ("[]<> a", true)]);
    expect(script, "P", Ltl, choices, &[("[](a -> X b)", true), ("[](a -> b)", false), ("<> b", true)]);
    expect(script, "Q", Ltl, choices, &[("[]<> a", false), ("<> a", true), ("X X X true", true)]);
    let script = "channel c, d : {0..2}\nP = c?x -> d!x -> P\nQ = c?x -> d?y -> Q";
    expect(script, "P", Ltl, choices, &[("[](c?x -> X d!x)", true), ("[](c?d -> X d!d)", true)]);
    expect(script, "Q", Ltl, choices, &[("[](c?x -> X d!x)", false)]);
}

#[test]
fn fairness_may_be_chosen() {
    let script = "channel a, b\nP = a -> P [] b -> P";
    let fair = |fairness| Choices { fairness: Some(fairness), ..Choices::default() };
    for (choices, holds) in [
        (Choices::default(), false),
        (fair(Fair::None), false),
        (fair(Fair::EventWeak), true),
        (fair(Fair::EventStrong), true),
        (fair(Fair::Global), true),
    ] {
        expect(script, "P", Ltl, choices, &[("[]<> a", holds)]);
    }
    let expected = [("WF(a) or SF(b) => []<> a", false), ("WF(a) & SF(b) => []<> a & []<> b", true)];
    expect(script, "P", Ltl, Choices::default(), &expected);
}

#[test]
fn scripts_say_what_is_asked() {
    let script = "
channel a, b
MAIN = a -> (a -> STOP |~| b -> MAIN)
{-# assert_ltl \"G([b] => X [a])\" \"b is followed by a\" #-}
assert MAIN |= LTL: \"G F [b]\"
assert not MAIN :[ltl view=step finite-runs=stutter]: \"<>[tau]\"
{-# assert_ctl \"EF deadlock\" #-}
assert MAIN :[ctl]: \"AG EF [e(a)]\"
assert MAIN :[ltl dialect=spin fair=SEF]: \"[] (a -> <> b) && <> a\"
";
    let session = Session::open(&MemoryFiles::of("test.csp", script), "test.csp");
    let kinds: Vec<&str> = session.assertions().iter().map(|assertion| assertion.kind.name()).collect();
    assert_eq!(kinds, ["ltl", "ltl", "ltl", "ctl", "ctl", "ltl"]);
    assert_eq!(session.assertions()[2].text, "not MAIN :[ltl view=step finite-runs=stutter]: \"<>[tau]\"");
    let mut bench = Bench::new(&session);
    let formulas = bench.formulas();
    let questions: Vec<_> = formulas.iter().map(|property| bench.question(property).ok()).collect();
    assert!(questions[4].is_none(), "`[e(a)]` is no event");
    let rules = questions[2].as_ref().expect("it is a formula").rules;
    assert_eq!((rules.view, rules.finite_runs), (View::Step, FiniteRuns::Stutter));
    let spin = questions[5].as_ref().expect("it is a formula");
    assert_eq!((spin.rules.finite_runs, spin.choices.fairness), (FiniteRuns::Stutter, Some(Fair::EventStrong)));
    assert!(bench.holds(formulas[0]) && !bench.holds(formulas[1]) && bench.holds(formulas[3]));
}

#[test]
fn lists_of_formulas_are_assertions() {
    let list = "# what must hold\nlive: []<> a\n\nltl safe { [](a ->\n  X b) }\nctl { AG EF e(a) }\n[] not b\ttrue\n";
    let text = AskedText { path: "test.ltl", text: list, logic: Ltl, is_list: true };
    let asked = Asked { process: "P", texts: &[text], choices: Choices::default() };
    let files = MemoryFiles::of("test.csp", "channel a, b\nP = a -> b -> P\nassert P :[deadlock free]");
    let session = Session::open_asking(&files, "test.csp", &asked);
    let mut bench = Bench::new(&session);
    let asserted = session.assertions().into_iter().skip(1).map(|assertion| (assertion.kind.name(), assertion.text));
    let texts = ["live: []<> a", "safe: [](a -> X b)", "AG EF e(a)", "[] not b"].map(str::to_owned);
    let expected: Vec<(&str, String)> = ["ltl", "ltl", "ctl", "ltl"].into_iter().zip(texts).collect();
    assert_eq!(asserted.collect::<Vec<_>>(), expected);
    let verdicts: Vec<bool> = bench.formulas().into_iter().map(|property| bench.holds(property)).collect();
    assert_eq!(verdicts, [true, true, true, false]);
}

#[test]
fn facts_about_many_events_are_one() {
    let script = "channel c : {0..99}\nP = c?x -> P";
    let formulas = ["F (exists x:{0..98} @ [c.x])", "G(not [c.1] & not [c.2] & (e(c.3) or e(c.4)))"];
    let session = ask(script, "P", Ltl, &formulas, Choices::default());
    let mut bench = Bench::new(&session);
    for (property, n_facts) in bench.formulas().into_iter().zip([1, 1]) {
        let Lowered::Linear(properties) = bench.lowered(property) else { panic!("it is linear") };
        assert!(properties.iter().all(|(property, _)| property.facts.len() == n_facts));
    }
    expect(script, "P", Ltl, Choices::default(), &[("F (exists x:{0..98} @ [c.x])", false)]);
}
