//! Temporal formulas: no schedule has another verdict than the product on all states, whichever engines run, in
//! whatever order and with whatever budgets.

use crate::toy::Toy;
use decide::{
    Algorithm, BottomComponents, DeadlockedRuns, Engine, Evidence, ExplicitProduct, Features, FormulaFeatures,
    FormulaProblem, FormulaReduced, FormulaSystem, LoweredFormula, NetworkSystem, PartialOrderProof, Problem,
    ProductOnTheFly, PropertyKind, Reason, Report, Row, Silence, Subject, Verdict, Violation, decide_by_rows,
    decide_formula, weakest_fairness,
};
use explore::Limits;
use progress::NoProgress;
use property::{Divergence, FiniteRuns, Notion, ReductionKind, Rules, Termination, View};
use std::collections::BTreeMap;
use temporal::ActionNetwork;
use temporal::reduction::Refusal;
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

const LIMITS: Limits = Limits::of_workers(1);

const RULES: Rules = Rules {
    view: View::Trace,
    finite_runs: FiniteRuns::Maximal,
    divergence: Divergence::Report,
    termination: Termination::AsDeadlock,
};

fn lowered(toy: &Toy, text: &str) -> LoweredFormula {
    match text.strip_prefix("CTL ") {
        Some(text) => LoweredFormula::Branching(toy.branching(text)),
        None => LoweredFormula::Linear(vec![toy.property(text)]),
    }
}

fn decided(toy: &Toy, text: &str, reduction: Option<ReductionKind>) -> Report {
    let formula = lowered(toy, text);
    let system = FormulaSystem::Explicit(&toy.structure);
    let problem = FormulaProblem { formula: &formula, rules: &RULES, reduction, allows_partial_order: true, system };
    decide_formula(&problem, None, &LIMITS, &NoProgress)
}

fn fairness_that_helps(toy: &Toy, text: &str) -> Option<Notion> {
    let formula = lowered(toy, text);
    let system = FormulaSystem::Explicit(&toy.structure);
    let rules = &RULES;
    let problem = FormulaProblem { formula: &formula, rules, reduction: None, allows_partial_order: true, system };
    let report = decide_formula(&problem, None, &LIMITS, &NoProgress);
    let Verdict::Fails(Evidence::Violation(violation @ Violation::Property(_))) = &report.verdict else {
        panic!("{report:?}")
    };
    weakest_fairness(&problem, violation, &LIMITS, &NoProgress, |_| panic!("participants do not matter"))
}

#[test]
fn the_weakest_fairness_needs_no_processes() {
    assert_eq!(fairness_that_helps(&Toy::new("0 a 0, 0 b 0"), "F [b]"), Some(Notion::EventWeak));
}

#[test]
fn fairness_excludes_no_bad_prefix() {
    assert_eq!(fairness_that_helps(&Toy::new("0 a 1, 1 b 0"), "G not [a]"), None);
}

#[test]
fn divergence_is_reported_as_far_as_it_is_known() {
    let report = decided(&Toy::new("0 a 1, 1 b 0"), "F [b]", None);
    assert!(matches!(report.verdict, Verdict::Holds), "{report:?}");
    assert_eq!(report.formula.silence, Silence::Never);
    // The open state may lead to a divergence.
    let report = decided(&Toy::new("0 a 1, 1 b ?"), "[a]", None);
    assert!(matches!(report.verdict, Verdict::Holds), "{report:?}");
    assert_eq!(report.formula.silence, Silence::Unknown);
}

#[test]
fn open_states_leave_a_formula_undecided() {
    let report = decided(&Toy::new("0 a 1, 1 b ?"), "G not [c]", None);
    assert!(matches!(report.verdict, Verdict::Unknown(Reason::BUDGET)), "{report:?}");
}

#[test]
fn each_formula_has_its_algorithm() {
    let toy = Toy::new("0 a 1, 1 b 0");
    let algorithm = |text| decided(&toy, text, None).formula.algorithm;
    assert_eq!(algorithm("F [b]"), Algorithm::Automaton);
    assert_eq!(algorithm("F (O ([b] and F [b]))"), Algorithm::Tableau);
    assert_eq!(algorithm("CTL EF e(b)"), Algorithm::Labeling);
}

#[test]
fn a_formula_that_cannot_be_reduced_is_decided_without_reduction() {
    let toy = Toy::new("0 a 1, 1 b 0");
    for (text, why) in [("F [b]", Refusal::NoNetwork), ("CTL EF e(b)", Refusal::Branching)] {
        let report = decided(&toy, text, Some(ReductionKind::Symmetry));
        assert!(matches!(report.verdict, Verdict::Holds), "{report:?}");
        let expected = FormulaReduced::Refused(why);
        assert_eq!((report.formula.reduction, &report.formula.reduced[..]), (None, &[expected][..]));
    }
}

const STAGES: [&dyn Engine; 4] = [&ProductOnTheFly, &DeadlockedRuns, &PartialOrderProof, &BottomComponents];

const FORMULAS: [&str; 12] = [
    "G not [c]",
    "F [b]",
    "G F [a]",
    "F G not [a]",
    "G ([a] => F [b])",
    "[a] U [b]",
    "SEF => G F [b]",
    "WEF => F [c]",
    "SEF => F [b]",
    "WF(a) => G F [b]",
    "G not deadlock",
    "F deadlock",
];

#[test]
fn every_schedule_has_the_same_verdict() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let toy = Toy::new("0 a 0, 0 b 0, 0 c 0");
    let mut outcomes: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    for round in 0..1500 {
        let network = without_priorities(random_network(&mut random));
        let text = *random.pick(&FORMULAS);
        let formula = lowered(&toy, text);
        let view = *random.pick(&[View::Step, View::Trace]);
        let rules = Rules { view, divergence: Divergence::Ignore, ..RULES };
        let mut rows: Vec<Row> = Vec::new();
        for engine in STAGES {
            if random.below(2) == 0 {
                rows.push(Row::stage(engine, *random.pick(&[1, 10, 1000])));
            }
        }
        if random.below(2) == 0 {
            rows.reverse();
        }
        let verdict = |rows: &[Row]| {
            let actions = ActionNetwork::new(&network, None);
            let system = FormulaSystem::Network(NetworkSystem::new(&network, None, &actions));
            let problem = FormulaProblem {
                formula: &formula,
                rules: &rules,
                reduction: None,
                allows_partial_order: true,
                system,
            };
            let features = Features::plain(PropertyKind::Formula(FormulaFeatures::of(&problem)), 1);
            let rows: Vec<Row> = rows.iter().filter(|row| row.engine.applies(&features)).copied().collect();
            let asked = Problem { subject: Subject::Formula(&problem), limits: &LIMITS, budget: u64::MAX, features };
            decide_by_rows(&rows, asked, &NoProgress).verdict
        };
        let last = Row::stage(&ExplicitProduct, u64::MAX);
        let expected = verdict(&[last]);
        let n_stages = rows.len();
        rows.push(last);
        let found = verdict(&rows);
        let context = || format!("TEST_SEED={seed} round {round} `{text}` {view:?} {rows:?}: {found:?}\n{network:?}");
        match (&found, &expected) {
            (Verdict::Holds, Verdict::Holds) | (Verdict::Fails(_), Verdict::Fails(_)) => {
                *outcomes.entry((matches!(found, Verdict::Holds), n_stages)).or_default() += 1;
            }
            // A step fails: whichever state is visited first.
            (Verdict::Fails(Evidence::Violation(Violation::Failure(..))), _)
            | (_, Verdict::Fails(Evidence::Violation(Violation::Failure(..)))) => {}
            _ => panic!("not {expected:?}: {}", context()),
        }
    }
    assert!(outcomes.len() == 10 && outcomes.values().all(|&n| n > 3), "too plain: {outcomes:?}");
}
