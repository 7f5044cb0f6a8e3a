//! The automata-based engine on cases with known results, and compared with the tableau engine on random questions.

use crate::support;

use progress::NoProgress;
use std::ops::ControlFlow;
use support::toy::Toy;
use support::{
    Kind, Question, Random, by_atoms, cases, completed, for_each_run, is_violated_by, random_question, seed,
};
use temporal::{Condition, Ending, Reason, Rules, Run, Verdict, View, silence};

fn by_product(question: &Question) -> Verdict<Run> {
    let Question { structure, property, rules } = question;
    let verdict = silence::decide(structure, property, rules, &NoProgress).verdict;
    let expected = match &verdict {
        Verdict::Holds => Some(true),
        // A bad prefix before an open state has no component.
        Verdict::Fails(run) if run.ending == Ending::Any => return verdict,
        Verdict::Fails(_) => Some(false),
        Verdict::Unknown(_) => None,
    };
    assert_eq!(silence::holds(structure, property, rules, &NoProgress), expected, "{question:#?}");
    verdict
}

#[test]
fn known_cases() {
    for case in cases::all() {
        match by_product(&case.question) {
            Verdict::Holds => assert!(case.holds, "{}", case.name),
            Verdict::Fails(run) => {
                assert!(!case.holds, "{}: {run:?}", case.name);
                is_violated_by(&case.question, &run).unwrap_or_else(|problem| panic!("{}: {problem}", case.name));
            }
            Verdict::Unknown(Reason::MixedPast) => {}
            other => panic!("{}: {other:?}", case.name),
        }
    }
}

/// Compares both engines on random questions.
fn compare(n_rounds: usize, kind: Kind) {
    let mut random = Random::new(seed());
    let (mut n_fails, mut n_mixed, mut n_open) = (0, 0, 0);
    for round in 0..n_rounds {
        let question = random_question(&mut random, kind);
        let context = || format!("TEST_SEED={} round {round} ({kind:?})\n{question:#?}", seed());
        let verdict = by_product(&question);
        match (&verdict, by_atoms(&question)) {
            (Verdict::Fails(run), expected) if run.ending == Ending::Any => {
                // A failure holds for every completion of open states.
                n_fails += 1;
                assert_ne!(expected, Verdict::Holds, "{}", context());
                let completed = Question { structure: completed(&mut random, &question.structure), ..question };
                assert!(matches!(by_atoms(&completed), Verdict::Fails(_)), "{completed:#?}");
            }
            (Verdict::Fails(run), expected) => {
                n_fails += 1;
                is_violated_by(&question, run).unwrap_or_else(|problem| panic!("{problem}: {run:?}\n{}", context()));
                // Only one engine finds bad prefixes before open states.
                assert_ne!(expected, Verdict::Holds, "{}", context());
                assert!(kind.max_open > 0 || matches!(expected, Verdict::Fails(_)), "{expected:?}\n{}", context());
            }
            (Verdict::Holds, Verdict::Holds) => {}
            (Verdict::Holds, Verdict::Unknown(Reason::Open)) => {
                // A proof holds for every completion of open states.
                let completed = Question { structure: completed(&mut random, &question.structure), ..question };
                assert_eq!(by_atoms(&completed), Verdict::Holds, "{completed:#?}");
            }
            (Verdict::Unknown(Reason::Open), _) if kind.max_open > 0 => n_open += 1,
            (Verdict::Unknown(Reason::MixedPast), _) => n_mixed += 1,
            (Verdict::Unknown(Reason::NoProcesses), _) => n_mixed += 1,
            (found, expected) => panic!("{found:?}, not {expected:?}\n{}", context()),
        }
    }
    assert!(n_fails > n_rounds / 10, "{n_fails} of {n_rounds} fail");
    assert!(n_open < n_rounds / 2, "{n_open} of {n_rounds} are open");
    assert!(n_mixed < n_rounds / 2, "{n_mixed} of {n_rounds} were not compared");
}

#[test]
fn step_view() {
    compare(4000, Kind { view: View::Step, max_states: 6, max_open: 0, max_size: 7, is_fair: false });
}

#[test]
fn step_view_with_fairness() {
    compare(4000, Kind { view: View::Step, max_states: 5, max_open: 0, max_size: 6, is_fair: true });
}

#[test]
fn trace_view() {
    compare(4000, Kind { view: View::Trace, max_states: 6, max_open: 0, max_size: 7, is_fair: false });
}

#[test]
fn trace_view_with_fairness() {
    compare(4000, Kind { view: View::Trace, max_states: 5, max_open: 0, max_size: 6, is_fair: true });
}

#[test]
fn partially_known_systems() {
    compare(2000, Kind { view: View::Step, max_states: 6, max_open: 2, max_size: 6, is_fair: true });
    compare(2000, Kind { view: View::Trace, max_states: 6, max_open: 2, max_size: 6, is_fair: true });
}

/// Compares several workers with one.
fn share(n_rounds: usize, kind: Kind) {
    let mut random = Random::new(seed());
    let (mut n_fails, mut n_holds) = (0, 0);
    for round in 0..n_rounds {
        let Question { structure, property, rules } = random_question(&mut random, kind);
        let alone = silence::decide(&structure, &property, &rules, &NoProgress);
        n_fails += usize::from(matches!(alone.verdict, Verdict::Fails(_)));
        n_holds += usize::from(alone.verdict == Verdict::Holds);
        for n_workers in [2, 3] {
            let context = || format!("TEST_SEED={} round {round}, {n_workers} workers ({kind:?})", seed());
            let structure = structure.clone().with_workers(n_workers);
            let shared = silence::decide(&structure, &property, &rules, &NoProgress);
            assert_eq!(shared.verdict, alone.verdict, "{}\n{structure:#?}\n{property:#?}\n{rules:?}", context());
            assert_eq!(shared.statistics, alone.statistics, "{}", context());
        }
    }
    assert!(n_fails > n_rounds / 10 && n_holds > n_rounds / 10, "{n_fails} of {n_rounds} fail, {n_holds} hold");
}

#[test]
fn many_workers_agree_with_one() {
    for view in [View::Step, View::Trace] {
        for is_fair in [false, true] {
            share(300, Kind { view, max_states: 8, max_open: 0, max_size: 6, is_fair });
            share(100, Kind { view, max_states: 40, max_open: 0, max_size: 4, is_fair });
        }
    }
}

/// Counterexamples are shortest among all runs, or shortest bad prefixes.
fn runs_are_shortest(is_fair: bool) {
    let mut random = Random::new(seed());
    let (mut n_runs, mut n_loops) = (0, 0);
    for round in 0..5000 {
        let view = if round % 2 == 0 { View::Step } else { View::Trace };
        let question = random_question(&mut random, Kind { view, max_states: 5, max_open: 0, max_size: 6, is_fair });
        let Question { structure, property, rules } = &question;
        if property.fairness.alternatives.iter().flatten().any(|condition| *condition == Condition::EachStep) {
            continue;
        }
        let answer = silence::decide(structure, property, rules, &NoProgress);
        let Verdict::Fails(run) = &answer.verdict else { continue };
        if answer.sealed.is_some() || matches!(run.ending, Ending::Silent(_)) || !(1..7).contains(&run.steps.len()) {
            continue;
        }
        n_runs += 1;
        n_loops += usize::from(matches!(run.ending, Ending::Loop(_)));
        let mut shorter = None;
        for_each_run(structure, run.steps.len() - 1, &mut |other| {
            if matches!(other.ending, Ending::Silent(_)) || is_violated_by(&question, other).is_err() {
                return ControlFlow::Continue(());
            }
            shorter = Some(other.clone());
            ControlFlow::Break(())
        });
        assert_eq!(shorter, None, "TEST_SEED={} round {round}: shorter than {run:?}\n{question:#?}", seed());
    }
    assert!(n_runs > 150 && n_loops > 100, "{n_runs} runs, {n_loops} of them loops");
}

#[test]
fn without_fairness_runs_are_shortest() {
    runs_are_shortest(false);
}

#[test]
fn fair_runs_are_shortest() {
    runs_are_shortest(true);
}

/// Both steps of the only state are taken alternately, by different nodes of the product, which must be judged
/// together.
#[test]
fn steps_are_taken_by_states() {
    let toy = Toy::new("0 a 0, 0 b 0");
    let mut property = toy.property("not ([a] and G (([a] => X [b]) and ([b] => X [a])))");
    property.fairness.alternatives = vec![vec![Condition::EachStep]];
    for n_workers in 1..4 {
        let structure = toy.structure.clone().with_workers(n_workers);
        let verdict = silence::decide(&structure, &property, &Rules::of(View::Step), &NoProgress).verdict;
        assert!(matches!(verdict, Verdict::Fails(_)), "{n_workers} workers: {verdict:?}");
    }
}
