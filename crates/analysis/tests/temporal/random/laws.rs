//! Laws: processes that mean the same satisfy the same, and formulas that mean the same are satisfied by the same.

use super::formula::{Formula, Past, random_formula};
use super::script::{ATOMS, Writer};
use crate::temporal::bench::{options, pages, word};
use analysis::Session;
use analysis::check::Checker;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

/// The verdicts on all assertions of a script.
fn verdicts(script: &str) -> Vec<String> {
    let session = Session::open(&MemoryFiles::of("test.csp", script), "test.csp", None);
    assert!(!session.has_errors() && !session.has_faulty_formulas(), "{}", pages(&session));
    let mut checker = Checker::new(&session, options());
    session.assertions().iter().map(|assertion| word(&checker.check(assertion.index)).to_owned()).collect()
}

/// Processes with the failures of `P`, termination apart where it is an end like any other.
const SAME: [&str; 23] = [
    "P |~| P",
    "P [] P",
    "STOP [] P",
    "SKIP ; P",
    "P ; SKIP",
    "P ||| SKIP",
    "P [|{a, b, c}|] RUN({a, b, c})",
    "P [{a, b, c} || {}] SKIP",
    "P \\ {}",
    "P[[a <- a]]",
    "P[[a <- b, b <- a]][[a <- b, b <- a]]",
    "P [> P",
    "P /\\ STOP",
    "P [|{}|> STOP",
    "(P [] DIV) |~| P",
    "P |~| DIV",
    "sbisim(P)",
    "dbisim(P)",
    "wbisim(P)",
    "diamond(P)",
    "normal(P)",
    "tau_loop_factor(P)",
    "model_compress(P)",
];

#[test]
fn processes_with_the_same_failures_satisfy_the_same_formulas() {
    let mut random = Random::new(seed());
    let mut n_each = [0; 2];
    for round in 0..24 {
        let mut script = Writer { random: &mut random }.script(1 + round % 7);
        let hidden = Writer { random: &mut random }.events();
        let formulas: Vec<String> = (0..3)
            .map(|_| {
                let size = random.below(5);
                random_formula(&mut random, ATOMS.len(), size, Past::Absent).text(&ATOMS)
            })
            .collect();
        let pairs = SAME.iter().map(|same| ("P".to_owned(), (*same).to_owned())).chain([
            (format!("P \\ {hidden} \\ {{a}}"), format!("P \\ union({hidden}, {{a}})")),
            (format!("(P |~| P0) \\ {hidden}"), format!("(P \\ {hidden}) |~| (P0 \\ {hidden})")),
            (format!("normal(P \\ {hidden})"), format!("normal(P) \\ {hidden}")),
            (format!("P \\ {hidden}"), format!("diamond(sbisim(P) \\ {hidden})")),
            ("P ||| P0".to_owned(), "P0 ||| P".to_owned()),
            (format!("P [|{hidden}|] (P0 |~| P1)"), format!("(P [|{hidden}|] P0) |~| (P [|{hidden}|] P1)")),
        ]);
        let pairs: Vec<(String, String)> = pairs.collect();
        for (left, right) in &pairs {
            for process in [left, right] {
                for formula in &formulas {
                    script += &format!("assert ({process}) :[ltl view=trace]: \"{formula}\"\n");
                }
            }
        }
        let verdicts = verdicts(&script);
        for (pair, verdicts) in pairs.iter().zip(verdicts.chunks(2 * formulas.len())) {
            let (left, right) = verdicts.split_at(formulas.len());
            for (formula, (left, right)) in formulas.iter().zip(left.iter().zip(right)) {
                let definitions = script.split("assert").next().unwrap_or_default();
                assert_eq!(left, right, "TEST_SEED={} round {round}: {pair:?}\n{definitions}{formula}", seed());
                assert!(["holds", "fails"].contains(&left.as_str()), "{left}");
                n_each[usize::from(left == "holds")] += 1;
            }
        }
    }
    assert!(n_each.iter().all(|&n| n > 200), "the samples are too plain: {n_each:?}");
}

/// Formulas about `f` and `g` that mean the same.
const EQUIVALENT: [(&str, &str); 24] = [
    ("G (f & g)", "(G f) & (G g)"),
    ("F (f or g)", "(F f) or (F g)"),
    ("X (f & g)", "(X f) & (X g)"),
    ("X (f or g)", "(X f) or (X g)"),
    ("not X f", "Xw not f"),
    ("not (f U g)", "(not f) R (not g)"),
    ("not (f W g)", "(not f) M (not g)"),
    ("f W g", "(f U g) or (G f)"),
    ("f U g", "g or (f & X (f U g))"),
    ("f R g", "g & (f or Xw (f R g))"),
    ("f W g", "g or (f & Xw (f W g))"),
    ("G f", "f & Xw G f"),
    ("F f", "f or X F f"),
    ("X f", "(not deadlock) & Xw f"),
    ("deadlock", "not X true"),
    ("G F G f", "F G f"),
    ("F G F f", "G F f"),
    ("G G f", "G f"),
    ("(f U g) & (G f)", "(G f) & (F g)"),
    ("f S g", "g or (f & Y (f S g))"),
    ("f T g", "g & (f or Yw (f T g))"),
    ("f B g", "(f S g) or (H f)"),
    ("not O f", "H not f"),
    ("G H f", "G f"),
];

#[test]
fn formulas_that_mean_the_same_are_satisfied_by_the_same() {
    let mut random = Random::new(seed());
    let mut n_each = [0; 2];
    for round in 0..60 {
        let mut script = Writer { random: &mut random }.script(2 + round % 6);
        let mut part = || {
            let size = random.below(3);
            format!("({})", random_formula(&mut random, ATOMS.len(), size, Past::Absent).text(&ATOMS))
        };
        let (f, g) = (part(), part());
        let view = *random.pick(&["view=trace", "view=step", "view=step fair=WEF", "view=trace fair=SEF"]);
        let put = |text: &str| text.replace('f', "\u{1}").replace('g', &g).replace('\u{1}', &f);
        let mut claims: Vec<String> = Vec::new();
        for (left, right) in EQUIVALENT {
            claims.extend([put(left), put(right), format!("({}) <=> ({})", put(left), put(right))]);
        }
        for claim in &claims {
            script += &format!("assert P :[ltl {view}]: \"{claim}\"\n");
        }
        for (verdicts, pair) in verdicts(&script).chunks(3).zip(EQUIVALENT) {
            let told = format!("TEST_SEED={} round {round}: {pair:?}\n{script}", seed());
            assert_eq!(verdicts[0], verdicts[1], "{told}");
            assert_eq!(verdicts[2], "holds", "{told}");
            n_each[usize::from(verdicts[0] == "holds")] += 1;
        }
    }
    assert!(n_each.iter().all(|&n| n > 200), "the samples are too plain: {n_each:?}");
}

/// The verdicts on a conjunction, a negation and a premise.
#[test]
fn connectives() {
    let mut random = Random::new(seed());
    let (mut n_both, mut n_neither) = (0, 0);
    for round in 0..400 {
        let mut script = Writer { random: &mut random }.script(1 + round % 7);
        let mut part = || {
            let size = random.below(4);
            random_formula(&mut random, ATOMS.len(), size, Past::Allowed)
        };
        let (f, g) = (part(), part());
        let both = Formula::Binary("&", Box::new(f.clone()), Box::new(g.clone()));
        let not = |formula: &Formula| Formula::Unary("not", Box::new(formula.clone()));
        let weaker = Formula::Binary("or", Box::new(f.clone()), Box::new(g.clone()));
        let all = [f.clone(), g, both, not(&f), weaker].map(|formula| formula.text(&ATOMS));
        let view = *random.pick(&["trace", "step"]);
        let fair = |formula: &str| format!("WEF => ({formula})");
        let fairly = [fair(&all[0]), format!("SEF => ({})", all[0])];
        for formula in all.iter().chain(&fairly).map(String::as_str).chain(["false"]) {
            script += &format!("assert P :[ltl view={view}]: \"{formula}\"\n");
        }
        let verdicts = verdicts(&script);
        let told = format!("TEST_SEED={} round {round}: {verdicts:?}\n{script}", seed());
        assert!(verdicts.iter().all(|verdict| ["holds", "fails"].contains(&verdict.as_str())), "{told}");
        let holds: Vec<bool> = verdicts.iter().map(|verdict| verdict == "holds").collect();
        let [f, g, both, not_f, weaker, weakly, strongly, nothing] = holds[..] else { panic!("{told}") };
        assert_eq!(f && g, both, "{told}");
        // Both a formula and its negation hold only where there are no runs.
        assert_eq!(f && not_f, nothing, "{told}");
        assert!(weaker || !(f || g), "{told}");
        assert!(weakly || !f, "{told}");
        assert!(strongly || !weakly, "{told}");
        n_both += usize::from(nothing);
        n_neither += usize::from(!f && !not_f);
    }
    assert!(n_both > 2 && n_neither > 20, "the samples are too plain: {n_both}, {n_neither}");
}
