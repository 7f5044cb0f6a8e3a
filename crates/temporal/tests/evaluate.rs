//! Validation of single runs by the definitions.

use crate::support;

use fixedbitset::FixedBitSet;
use lts::{Builder, StateId, Transition};
use support::toy::Toy;
use support::{Kind, Question, Random, by_atoms, is_violated_by, random_question, seed};
use temporal::Verdict;
use temporal::evaluate::{Item, Service};
use temporal::{Condition, Divergence, Ending, Fairness, FiniteRuns, Rules, Run, Strength, Structure, View, evaluate};

/// A run of a small system: its labels, and its continuation.
fn run(toy: &Toy, labels: &str, ending: Ending) -> Run {
    let mut run = Run { start: toy.structure.initial(), steps: Vec::new(), ending };
    for label in labels.split_whitespace() {
        let label = toy.label(label).expect("the system has it");
        let steps = toy.structure.steps(run.state(run.steps.len()));
        let step = steps.iter().find(|step| toy.structure.action(step).label == label);
        run.steps.push(*step.expect("the step is possible"));
    }
    run
}

fn judge(rules: Rules, system: &str, formula: &str, labels: &str, ending: Ending) -> Result<(), String> {
    let toy = Toy::new(system);
    let run = run(&toy, labels, ending);
    evaluate::violates(&toy.structure, &toy.property(formula), &rules, &run)
}

#[test]
fn runs_are_validated() {
    let (step, trace) = (Rules::of(View::Step), Rules::of(View::Trace));
    let stutter = Rules { finite_runs: FiniteRuns::Stutter, ..step };
    let ignore = Rules { finite_runs: FiniteRuns::Ignore, ..step };
    let silence_ends = Rules { divergence: Divergence::AsDeadlock, ..trace };
    let no_run = Err("does not count");
    let cases = [
        (step, "0 a 1, 1 b 0", "G [a]", "a b", Ending::Loop(0), Ok(())),
        (step, "0 a 1, 1 b 0", "F [b]", "a b", Ending::Loop(0), Err("satisfies")),
        (step, "0 a 1, 1 b 0", "G [a]", "a b a", Ending::Loop(0), no_run),
        (step, "0 a 1, 1 b 0", "G [a]", "a", Ending::Stuck, no_run),
        (step, "0 a 1", "X X true", "a", Ending::Stuck, Ok(())),
        (stutter, "0 a 1", "X X true", "a", Ending::Stuck, Err("satisfies")),
        (ignore, "0 a 1", "X X true", "a", Ending::Stuck, no_run),
        (step, "0 a 0, 0 b 1", "F [b]", "a", Ending::Loop(0), Ok(())),
        (step, "0 a 0, 0 b 1", "WF(b) => F [b]", "a", Ending::Loop(0), Err("not fair")),
        (step, "0 a 1, 1 a 0, 0 b 2", "WF(b) => F [b]", "a a", Ending::Loop(0), Ok(())),
        (step, "0 a 1, 1 a 0, 0 b 2", "SF(b) => F [b]", "a a", Ending::Loop(0), Err("not fair")),
        (trace, "0 tau 0, 0 a 0", "F [a]", "tau", Ending::Loop(0), no_run),
        (trace, "0 tau 0, 0 a 0", "F [a]", "tau", Ending::Silent(0), no_run),
        (silence_ends, "0 tau 0, 0 a 0", "F [a]", "tau", Ending::Silent(0), Ok(())),
        (silence_ends, "0 tau 0, 0 a 0", "G not deadlock", "a tau", Ending::Silent(1), Ok(())),
        (silence_ends, "0 tau 0, 0 a 0", "F [a]", "a", Ending::Silent(0), no_run),
        (trace, "0 tau 1, 1 a 0, 1 b 0", "G [a]", "tau b", Ending::Loop(0), Ok(())),
        (trace, "0 tau 1, 1 a 1, 0 b 1", "WF(b) => F [b]", "tau a", Ending::Loop(1), Ok(())),
        (trace, "0 a 1, 1 tau 0, 0 b 1", "WF(b) => F [b]", "a tau", Ending::Loop(0), Err("not fair")),
        (step, "0 a 1, 1 b 0", "G [a]", "a b", Ending::Any, Ok(())),
        (step, "0 a 1, 1 b 0", "F [a]", "a b", Ending::Any, Err("satisfies")),
        (trace, "0 a 1, 1 tau 1", "G [b]", "a", Ending::Any, Err("not known")),
        (trace, "0 b 1, 1 a 1, 1 c 2, 2 a 1", "SF(c) => G [a]", "b", Ending::Any, Ok(())),
        // The open state may diverge.
        (step, "0 a ?", "G [b]", "a", Ending::Any, Ok(())),
        (ignore, "0 a ?", "G [b]", "a", Ending::Any, Err("not known")),
        (trace, "0 a ?", "G [b]", "a", Ending::Any, Err("not known")),
        (silence_ends, "0 a ?", "G [b]", "a", Ending::Any, Ok(())),
        (silence_ends, "0 a ?", "F [b]", "a", Ending::Any, Err("may satisfy")),
        (
            Rules { finite_runs: FiniteRuns::Ignore, ..silence_ends },
            "0 a ?",
            "G [b]",
            "a",
            Ending::Any,
            Err("not known"),
        ),
    ];
    for (rules, system, formula, labels, ending, expected) in cases {
        let found = judge(rules, system, formula, labels, ending);
        let fits = match (&found, expected) {
            (Ok(()), Ok(())) => true,
            (Err(found), Err(expected)) => found.contains(expected),
            _ => false,
        };
        assert!(fits, "{labels} {ending:?} of {system} against {formula}: {found:?}");
    }
}

#[test]
fn steps_must_be_possible() {
    let toy = Toy::new("0 a 1, 1 b 0");
    let property = toy.property("false");
    let steps = vec![Transition { label: toy.label("b").expect("the system has it"), target: StateId(0) }];
    let run = Run { start: StateId(0), steps, ending: Ending::Loop(0) };
    let found = evaluate::violates(&toy.structure, &property, &Rules::of(View::Step), &run);
    assert!(found.is_err_and(|problem| problem.contains("not possible")));
}

#[test]
fn parts_have_values() {
    let toy = Toy::new("0 tau 1, 1 a 0, 1 b 2");
    let mut property = toy.property("F [b]");
    let (a, b) = (property.store.atom(ltl::logic::Atom(0)), property.formula);
    let before = property.store.yesterday(a);
    let rules = Rules::of(View::Trace);
    let run = run(&toy, "tau a tau b", Ending::Stuck);
    assert_eq!(evaluate::positions(&toy.structure, &rules, &run), [1, 3, 4]);
    let values = evaluate::values(&toy.structure, &property, &rules, &run, &[a, b, before]);
    assert_eq!(values, [[false, true, false], [true, true, false], [false, false, true]]);
}

#[test]
fn services_of_fair_loops() {
    let toy = Toy::new("0 a 1, 1 b 0, 1 c 2, 0 d 2, 1 d 2, 2 e 2");
    let label = |name| toy.label(name).expect("the system has it");
    let item = |name| Item::Labels([label(name)].into_iter().collect());
    let run = run(&toy, "a b a b", Ending::Loop(2));
    let services = |premise: &str| {
        let property = toy.property(&format!("{premise} => false"));
        evaluate::services(&toy.structure, &property.fairness, &Rules::of(View::Step), &run)
    };
    let services_of = |premise| services(premise).into_iter().flat_map(|(_, items)| items).collect::<Vec<_>>();
    let (c, e) = ((item("c"), Service::Impossible(2)), (item("e"), Service::NeverPossible));
    assert_eq!(services_of("WF(c) & SF(e)"), [c, e]);
    assert_eq!(services_of("UF(a) & UF(b)"), [(item("a"), Service::Taken(2)), (item("b"), Service::Taken(3))]);
    // The alternative that is satisfied.
    assert_eq!(services_of("SF(c) or SF(e)"), [(item("e"), Service::NeverPossible)]);
    assert_eq!(services_of("WF(d)"), []);
    let toy = Toy::new("0 a 1, 1 b 0, 1 c 2, 2 e 2");
    let fairness = Fairness { alternatives: vec![vec![Condition::EachLabel(Strength::Weak)]] };
    let run = self::run(&toy, "a b", Ending::Loop(0));
    let each = evaluate::services(&toy.structure, &fairness, &Rules::of(View::Step), &run);
    let ways: Vec<Service> = each[0].1.iter().map(|(_, service)| *service).collect();
    assert_eq!(ways, [Service::Taken(0), Service::Taken(1), Service::Impossible(0), Service::NeverPossible]);
}

/// A random run of up to `n_steps` steps.
fn random_walk(structure: &Structure, random: &mut Random, n_steps: usize) -> Run {
    let mut run = Run { start: structure.initial(), steps: Vec::new(), ending: Ending::Any };
    for _ in 0..n_steps {
        match structure.steps(run.state(run.steps.len())) {
            [] => break,
            steps => run.steps.push(*random.pick(steps)),
        }
    }
    run
}

/// A bad prefix has a violating continuation, which the engine finds.
#[test]
fn bad_prefixes_are_violations() {
    let mut random = Random::new(seed());
    let mut n_bad = 0;
    for round in 0..6000 {
        let view = if round % 2 == 0 { View::Step } else { View::Trace };
        let kind = Kind { view, max_states: 5, max_open: 0, max_size: 4, is_fair: round % 4 < 2 };
        let question = random_question(&mut random, kind);
        let n_steps = random.below(4);
        let run = random_walk(&question.structure, &mut random, n_steps);
        if is_violated_by(&question, &run).is_ok() {
            n_bad += 1;
            let verdict = by_atoms(&question);
            assert!(matches!(verdict, Verdict::Fails(_)), "TEST_SEED={} round {round}: {run:?}\n{question:#?}", seed());
        }
    }
    assert!(n_bad > 1000, "{n_bad}");
}

/// The system with the steps of a state unknown.
fn with_unknown_steps(structure: &Structure, state: StateId) -> Structure {
    let mut builder = Builder::new();
    builder.add_state(StateId(structure.n_states() as u32 - 1));
    for source in structure.states().filter(|&source| source != state) {
        for step in structure.steps(source) {
            builder.add(source, step.label, step.target);
        }
    }
    let mut open = FixedBitSet::with_capacity(structure.n_states() + 1);
    open.insert(state.index());
    Structure::new(&builder.finish(structure.initial()), structure.actions().to_vec(), open)
}

/// A violation in a partial structure is one in every completion.
#[test]
fn bad_prefixes_stay_bad() {
    let mut random = Random::new(seed());
    let mut n_bad = [0; 2];
    for round in 0..20_000 {
        let view = if round % 2 == 0 { View::Step } else { View::Trace };
        let kind = Kind { view, max_states: 5, max_open: 0, max_size: 5, is_fair: false };
        let mut question = random_question(&mut random, kind);
        question.rules.finite_runs = FiniteRuns::Maximal;
        question.rules.divergence = Divergence::AsDeadlock;
        let run = random_walk(&question.structure, &mut random, 3);
        let last = run.state(run.steps.len());
        if (0..run.steps.len()).any(|place| run.state(place) == last) || question.structure.terminated().is_some() {
            continue;
        }
        let known = Question { structure: with_unknown_steps(&question.structure, last), ..question };
        if is_violated_by(&known, &run).is_err() {
            continue;
        }
        n_bad[round % 2] += 1;
        let question = Question { structure: question.structure, property: known.property, rules: known.rules };
        let context = || format!("TEST_SEED={} round {round}: {run:?}\n{question:#?}", seed());
        assert!(is_violated_by(&question, &run).is_ok(), "{}", context());
        assert!(matches!(by_atoms(&question), Verdict::Fails(_)), "{}", context());
    }
    assert!(n_bad.iter().all(|&n| n > 150), "{n_bad:?}");
}
