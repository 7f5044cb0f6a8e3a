//! Cases with known results: small systems from the literature, solved by hand or by other tools.

use super::Question;
use super::toy::Toy;
use std::collections::BTreeSet;
use temporal::{Rules, View};

/// A formula, a system, and the expected result.
pub struct Case {
    pub name: String,
    pub question: Question,
    pub holds: bool,
}

/// All cases.
pub fn all() -> Vec<Case> {
    [finite_and_infinite_traces(), fairness(), small_machines(), peterson()].into_iter().flatten().collect()
}

fn case(name: &str, view: View, system: &str, formula: &str, holds: bool) -> Case {
    let toy = Toy::new(system);
    let property = toy.property(formula);
    let question = Question { structure: toy.structure, property, rules: Rules::of(view) };
    Case { name: format!("{formula} of {name}"), question, holds }
}

/// Leuschel, Massart and Currie (2001), *How to make FDR spin: LTL model checking of CSP by refinement*, appendix A.
fn finite_and_infinite_traces() -> Vec<Case> {
    let systems = [
        ("System", "0 b 0, 0 b 1, 1 c 2, 2 a 3, 3 tick 4"),
        ("System2", "0 a 0, 0 b 1, 1 c 2, 2 a 3, 3 tick 4"),
        ("System3", "0 tau 1, 0 tau 2, 1 b 3, 3 c 4, 2 a 5, 5 c 4"),
        ("System4", "0 b 0, 0 b 1, 1 c 2, 2 a 3, 3 tick 4"),
        ("System4i", "0 tau 1, 0 tau 2, 0 tau 3, 1 b 0, 2 b 4, 4 c 5, 5 a 6, 6 tick 7"),
        ("S", "0 a 0"),
        ("Q", "0 a 1"),
        ("S0", "0 a 1, 1 tau 2, 1 tau 3, 2 b 4, 3 c 4"),
        ("S1", "9 tau 8, 8 a 4, 9 tau 0, 0 a 1, 1 tau 2, 1 tau 3, 2 b 4, 3 c 4"),
        ("PAR", "0 a 1"),
        ("DIV", "0 tau 0"),
    ];
    let claims = [
        ("F [b]", "+--+------+"),
        ("[b]", "+--+------+"),
        ("not [b]", "-----++++++"),
        ("X true", "++++-++++++"),
        ("G F [b]", "----------+"),
        ("F G not [b]", "-++--++++++"),
        ("F ([b] or [c])", "+-++---+--+"),
        ("G [a]", "-----+----+"),
        ("G ([a] or deadlock)", "-----++--++"),
        ("[a] U deadlock", "------+--++"),
        ("F deadlock", "--+---+++++"),
        ("F (deadlock or terminated)", "--+---+++++"),
        ("false", "----------+"),
    ];
    let mut cases = Vec::new();
    for (formula, verdicts) in claims {
        for ((name, system), verdict) in systems.iter().zip(verdicts.chars()) {
            cases.push(case(name, View::Trace, system, formula, verdict == '+'));
        }
    }
    cases
}

fn table(name: &str, system: &str, claims: &[(&str, bool)]) -> Vec<Case> {
    claims.iter().map(|(formula, holds)| case(name, View::Step, system, formula, *holds)).collect()
}

/// A machine of the fairness examples of `ProB`.
const TESTING: &str = "0 A 1, 2 A 3, 1 B 2, 1 C 4, 4 C 2, 3 D 0, 2 E 5, 3 F 2, 3 G 3, 4 L 4, 5 L 5";

/// Machines of the fairness examples of `ProB`.
fn fairness() -> Vec<Case> {
    let all = [mutual_exclusion(), one_component(), components_in_components(), weak_fairness()];
    all.into_iter().flatten().collect()
}

fn mutual_exclusion() -> Vec<Case> {
    let system = "nn Req1 wn, nw Req1 ww, nc Req1 wc, wn Enter1 cn, ww Enter1 cw, cn Rel1 nn, cw Rel1 nw, \
        nn Req2 nw, wn Req2 ww, cn Req2 cw, nw Enter2 nc, ww Enter2 wc, nc Rel2 nn, wc Rel2 wn";
    table(
        "MutualExclusion",
        system,
        &[
            ("GF [Enter1]", false),
            ("SF(Enter1) => GF [Enter1]", false),
            ("WF(Req1) & WF(Enter1) => GF [Enter1]", false),
            ("SF(Enter1) & WF(Req1) => GF [Enter1]", true),
            ("SF(Enter2) & WF(Req2) => GF [Enter2]", true),
            ("(SF(Enter1) & SF(Enter2)) & (WF(Req1) & WF(Req2)) => (GF [Enter1]) & (GF [Enter2])", true),
            ("G ({wn ww wc} => F {cn cw})", false),
            ("SF(Enter1) & WF(Req1) => G ({wn ww wc} => F {cn cw})", true),
            ("not GF {nc}", false),
            ("WF(Req1) => not GF {nc}", false),
            ("SF(Req1) => not GF {nc}", false),
        ],
    )
}

fn one_component() -> Vec<Case> {
    table(
        "TestingFairness",
        TESTING,
        &[
            ("GF {4 5}", false),
            ("SF(C) & SF(D) => GF {4 5}", true),
            ("SF(E) & SF(F) => GF {4 5}", true),
            ("SF(E) & SF(D) => GF {4 5}", true),
            ("SF(E) & WF(D) => GF {4 5}", true),
            ("WF(C) & WF(D) => GF {0 1 2 5}", true),
        ],
    )
}

fn components_in_components() -> Vec<Case> {
    let system = format!("-2 A0 -1, -1 A1 0, -2 A2 3, {TESTING}");
    let one = table(
        "RecursiveSCCs",
        &system,
        &[
            ("GF {4 5}", false),
            ("SF(C) => GF {4 5}", false),
            ("SF(E) => GF {4 5}", false),
            ("WF(C) => GF {4 5}", false),
            ("WF(E) => GF {4 5}", false),
            ("SF(C) & WF(D) => GF {4 5}", false),
            ("SF(C) & SF(E) => GF {4 5}", false),
            ("SF(E) & SF(F) => GF {4 5}", true),
            ("SF(C) & SF(D) => GF {4 5}", true),
            ("SF(E) & WF(D) => GF {4 5}", true),
            ("F {2 3 4}", true),
            ("SF(C) => F {4 5}", false),
            ("SF(E) & WF(C) => F {4 5}", false),
        ],
    );
    let system =
        "0 A 1, 1 A 2, 2 A 3, 3 A 4, 4 A 5, 5 A 6, 6 A 5, 7 A 2, 7 A 3, 6 B 6, 7 C 8, 8 C 8, 6 D 3, 6 E 7, 6 G 6";
    let other = table(
        "RecursiveSCCs3",
        system,
        &[
            ("F {8}", false),
            ("SF(E) & SF(D) => F {8}", false),
            ("SF(B) & SF(G) & SF(E) & SF(D) => F {8}", false),
            ("SEF => F {8}", true),
        ],
    );
    one.into_iter().chain(other).collect()
}

fn weak_fairness() -> Vec<Case> {
    let system = "-1 A 0, 0 B 3, 1 B 3, 2 B 3, 1 B1 3, 2 B1 3, 0 C 1, 1 D 2, 2 E 0, 3 Loop 3, 3 Back 10";
    table(
        "WeakFairnessTest",
        system,
        &[
            ("WF(Back) => not GF {3}", true),
            ("SF(Back) => not GF {3}", true),
            ("WF(B) => not GF {2}", true),
            ("not GF {2}", false),
        ],
    )
}

/// Machines of the examples of `ProB`.
fn small_machines() -> Vec<Case> {
    [
        table("Counter", COUNTER, &[("GF [Reset]", true), ("G ({10} => X {1})", true)]),
        table(
            "Abstract",
            "0 AOp1 1, 0 AOp1 2, 1 AOp2 3, 2 AOp2 4",
            &[
                ("G ({1} => X {3})", true),
                ("F deadlock", true),
                ("XX deadlock", true),
                ("XXX true", false),
                ("F {3}", false),
                ("GF {3 4}", true),
                ("G ({3} => X true)", false),
                ("F G [AOp2]", false),
                ("G ({3} => Y Y [AOp1])", true),
                ("G ([AOp2] => Y [AOp1])", true),
                ("G ({3 4} => O (X [AOp2]))", true),
            ],
        ),
        table(
            "SimpleWithConstants",
            "s1 TransA s2, s2 TransB s3, s3 TransC s4, s4 TransC s4, s4 TransD s4",
            &[("GF {s4}", true), ("[TransA]", true), ("G ([TransB] => X [TransC])", true)],
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A counter from 1 to 10 that starts again.
pub const COUNTER: &str =
    "1 Inc 2, 2 Inc 3, 3 Inc 4, 4 Inc 5, 5 Inc 6, 6 Inc 7, 7 Inc 8, 8 Inc 9, 9 Inc 10, 10 Reset 1";

/// The labels of the steps of Peterson's algorithm.
#[derive(Clone, Copy, PartialEq)]
enum LabelStyle {
    /// Reads show the value.
    Plain,
    /// Reads also show the reader.
    Tagged,
    /// Reads and writes are hidden.
    Hidden,
}

/// Peterson's algorithm for mutual exclusion: event fairness is not process fairness.
fn peterson() -> Vec<Case> {
    let response = "G ([try1] => F [critical1])";
    let someone = "F [critical1] or F [critical2]";
    let apart = "G ([critical1] => X ((not e(critical2)) W [leave1]))";
    let claims = [
        (LabelStyle::Plain, View::Step, apart.to_string(), true),
        (LabelStyle::Plain, View::Step, "G (e(critical1) => not e(critical2))".to_string(), true),
        (LabelStyle::Plain, View::Step, response.to_string(), false),
        (LabelStyle::Plain, View::Step, someone.to_string(), false),
        (LabelStyle::Plain, View::Step, format!("WEF => {response}"), false),
        (LabelStyle::Plain, View::Step, format!("SEF => {response}"), false),
        (LabelStyle::Tagged, View::Step, format!("WEF => {response}"), true),
        (LabelStyle::Tagged, View::Step, format!("SEF => {response}"), true),
        (LabelStyle::Hidden, View::Step, apart.to_string(), true),
        (LabelStyle::Hidden, View::Step, "G (e(critical1) => not e(critical2))".to_string(), true),
        (LabelStyle::Hidden, View::Step, response.to_string(), false),
        (LabelStyle::Hidden, View::Step, someone.to_string(), false),
        (LabelStyle::Hidden, View::Step, format!("WEF => {response}"), false),
        (LabelStyle::Hidden, View::Step, format!("SEF => {response}"), false),
        (LabelStyle::Hidden, View::Trace, "G ([critical1] => X ((not [critical2]) W [leave1]))".to_string(), true),
        (LabelStyle::Hidden, View::Trace, response.to_string(), false),
        (LabelStyle::Hidden, View::Trace, someone.to_string(), true),
    ];
    claims
        .into_iter()
        .map(|(shown, view, formula, holds)| case("Peterson", view, &peterson_system(shown), &formula, holds))
        .collect()
}

/// The program counters of the two processes, their flags, and the turn.
type Peterson = [usize; 5];

fn peterson_system(shown: LabelStyle) -> String {
    let mut steps: Vec<String> = Vec::new();
    let mut known: BTreeSet<Peterson> = BTreeSet::from([[0, 0, 0, 0, 1]]);
    let mut open: Vec<Peterson> = known.iter().copied().collect();
    let name = |state: Peterson| state.map(|part| part.to_string()).concat();
    while let Some(state) = open.pop() {
        for process in [0, 1] {
            for (label, target) in peterson_steps(state, process) {
                let tag = if shown == LabelStyle::Tagged { process.to_string() } else { String::new() };
                let label = match &label[..3] {
                    "get" | "set" if shown == LabelStyle::Hidden => "tau".to_string(),
                    "get" => label + &tag,
                    _ => label,
                };
                // The source of the first step is the initial state.
                let step = format!("{} {label} {}", name(state), name(target));
                steps.push(step);
                if known.insert(target) {
                    open.push(target);
                }
            }
        }
    }
    assert_eq!((known.len(), steps.len()), (68, 140));
    steps.join(", ")
}

fn peterson_steps(state: Peterson, me: usize) -> Vec<(String, Peterson)> {
    let other = 1 - me;
    let (my_number, other_number) = (me + 1, other + 1);
    let go = |label: String, place: usize, change: Option<(usize, usize)>| {
        let mut target = state;
        target[me] = place;
        if let Some((variable, value)) = change {
            target[variable] = value;
        }
        (label, target)
    };
    let flag = format!("get_f{other_number}_{}", state[2 + other]);
    let turn = format!("get_t_{}", state[4]);
    let is_mine = state[4] == my_number;
    match state[me] {
        0 => vec![go(format!("try{my_number}"), 1, None)],
        1 => vec![go(format!("set_f{my_number}_1"), 2, Some((2 + me, 1)))],
        2 => vec![go(format!("set_t_{other_number}"), 3, Some((4, other_number)))],
        3 => {
            let look = go(flag, if state[2 + other] == 0 { 5 } else { 4 }, None);
            let enter = is_mine.then(|| go(turn, 5, None));
            [look].into_iter().chain(enter).collect()
        }
        4 => vec![go(turn, if is_mine { 5 } else { 3 }, None)],
        5 => vec![go(format!("critical{my_number}"), 6, None)],
        6 => vec![go(format!("leave{my_number}"), 7, None)],
        _ => vec![go(format!("set_f{my_number}_0"), 0, Some((2 + me, 0)))],
    }
}
