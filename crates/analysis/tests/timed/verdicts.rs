//! Small processes whose verdicts follow from the rules by hand.

use crate::timed::{check, check_with, codes, word};
use analysis::Limits;
use analysis::check::{Checker, Method, Options, TimeAtEnd};
use analysis::formula::{Asked, AskedText, Choices, Logic};
use analysis::{Session, Texts};

/// Whether a process never gets stuck: the body of `M()`, further definitions, and `holds`, or the kind of the
/// deadlock.
const STUCK: &[(&str, &str, &str)] = &[
    ("Stop", "", "plain"),
    ("Skip", "", "holds"),
    ("Wait[3]", "", "holds"),
    ("Wait[3]; Stop", "", "plain"),
    ("go -> M()", "", "holds"),
    ("(go -> Skip) within[2]", "", "holds"),
    ("Stop within[2]", "", "timelock at 2"),
    ("Stop timeout[2] (go -> M())", "", "holds"),
    ("(Wait[2]; go -> Skip) within[2]", "", "holds"),
    ("(Wait[3]; go -> Skip) within[2]", "", "timelock at 2"),
    ("(go -> Wait[2]) deadline[3]", "", "timelock at 3"),
    ("(Wait[2]; go -> Skip) deadline[3]", "", "holds"),
    ("(go -> Wait[2]) deadline[2]", "", "timelock at 2"),
    ("(go ->> Wait[2]) deadline[2]", "", "holds"),
    ("(go -> Skip) deadline[0]", "", "holds"),
    // Deadlines inside of each other: only what says more is kept.
    ("(go -> M()) deadline[5]", "", "holds"),
    ("(go -> L()) deadline[5]", "L() = (stop -> M()) deadline[3];", "holds"),
    ("(go -> L()) deadline[5]", "L() = (Wait[2]; stop -> M()) deadline[3];", "timelock at 5"),
    ("((go -> Wait[2]) deadline[2]) deadline[3]", "", "timelock at 2"),
    ("((go -> Wait[2]) deadline[3]) deadline[2]", "", "timelock at 2"),
    ("((Wait[3]; go -> Skip) within[2]) deadline[5]", "", "timelock at 2"),
    ("((Wait[3]; go -> Skip) within[5]) deadline[2]", "", "timelock at 2"),
    ("((go -> Skip) within[2,5]) deadline[1]", "", "timelock at 1"),
    ("Wait[2] ||| Wait[5]", "", "holds"),
    ("(Wait[2] ||| Wait[5]) deadline[4]", "", "timelock at 4"),
    ("(go ->> Skip) || (Wait[3]; go -> Skip)", "", "timelock at 0"),
    ("((go -> Skip) within[0]) || (Wait[3]; go -> Skip)", "", "timelock at 0"),
    ("((go -> Skip) within[3]) || (Wait[3]; go -> Skip)", "", "holds"),
    ("((go -> Skip) within[2]) || (Wait[3]; go -> Skip)", "", "timelock at 2"),
    ("((go -> Skip) || (Wait[3]; go -> Skip)) \\ {go}", "", "holds"),
    ("(go -> Stop) interrupt[3] (stop -> L())", "L() = stop -> L();", "holds"),
    ("(go -> Skip) interrupt[3] Stop", "", "plain"),
    ("Skip waituntil[3]", "", "holds"),
    ("(Skip waituntil[3]) deadline[2]", "", "timelock at 2"),
    ("(Skip waituntil[2]) deadline[2]", "", "holds"),
    ("Wait[0]; go -> M()", "", "holds"),
    ("(go -> Skip) timeout[0] Stop", "", "plain"),
    ("((meet -> Skip) within[0]) || ((meet -> Skip) timeout[1] (Wait[1]; meet -> Skip))", "", "holds"),
    ("(go -> ((meet -> Skip) within[0])) || ((meet -> Skip) timeout[1] (Wait[1]; meet -> Skip))", "", "timelock at 1"),
    // What is silent ends neither a bound nor a timeout.
    ("(tau -> Stop) within[2]", "", "timelock at 2"),
    // Two numbers.
    ("Wait[1,4]; go -> Skip", "", "holds"),
    ("(Wait[1,4]) deadline[0]", "", "timelock at 0"),
    ("(Wait[1,4]) deadline[2]", "", "holds"),
    ("((go -> Skip) within[2,3]) || ((go -> Skip) interrupt[1] Stop)", "", "timelock at 3"),
    ("((go -> Skip) within[2,3]) || ((go -> Skip) interrupt[2] Stop)", "", "timelock at 3"),
];

#[test]
fn deadlocks_are_found_and_told_apart() {
    for (body, more, expected) in STUCK {
        let checked = check(&format!("M() = {body};\n{more}\n#assert M() deadlockfree;")).remove(0);
        let found = match (word(&checked), &checked.counterexample) {
            ("fails", Some(run)) => match run.time {
                Some(TimeAtEnd::Stops(at)) => format!("timelock at {at}"),
                Some(TimeAtEnd::GoesOn) => "plain".to_owned(),
                other => format!("{other:?}"),
            },
            (word, _) => word.to_owned(),
        };
        assert_eq!(found, *expected, "M() = {body}");
    }
}

/// Whether a state is reached: the body of `M()`, what is looked for, and the verdict.
const REACHED: &[(&str, &str, &str)] = &[
    ("(go -> Stop) timeout[3] (late{x=1} -> Stop)", "x == 1", "holds"),
    ("(go ->> Stop) timeout[3] (late{x=1} -> Stop)", "x == 1", "fails"),
    ("(go -> Stop) within[2] timeout[3] (late{x=1} -> Stop)", "x == 1", "fails"),
    ("(go -> Stop) within[3] timeout[3] (late{x=1} -> Stop)", "x == 1", "holds"),
    ("(Wait[2]; one{x=1} ->> Skip) ||| (Wait[3]; if(x==0){ two{x=2} -> Skip } else { Skip })", "x == 2", "fails"),
    ("(Wait[2]; one{x=1} -> Skip) ||| (Wait[3]; if(x==0){ two{x=2} -> Skip } else { Skip })", "x == 2", "holds"),
    ("(Wait[3]; one{x=1} ->> Skip) ||| (Wait[3]; if(x==0){ two{x=2} -> Skip } else { Skip })", "x == 2", "holds"),
    ("(Wait[4]; {x=1} -> Skip) interrupt[4] Stop", "x == 1", "holds"),
    ("(Wait[5]; {x=1} -> Skip) interrupt[4] Stop", "x == 1", "fails"),
    ("(Wait[1] [] Wait[2]); {x=1} -> Stop", "x == 1", "holds"),
    ("(Wait[1]; Stop) [] (Wait[2]; {x=1} -> Stop)", "x == 1", "fails"),
    ("(Wait[2]; Stop) [] (Wait[2]; {x=1} -> Stop)", "x == 1", "holds"),
    ("((go -> Skip) timeout[2] (late -> Skip); {x=1} -> Stop) deadline[1]", "x == 1", "holds"),
    ("(tau -> go -> Stop) timeout[2] (late{x=1} -> Stop)", "x == 1", "holds"),
    // Programs without an event do not wait.
    ("({x=1} -> Stop) ||| (Wait[1]; if(x==0){ late{y=1} -> Stop } else { Stop })", "y == 1", "fails"),
    // Nothing waits between two parts of a sequence.
    (
        "((Wait[1] ||| Wait[2]); one{x=1} ->> Stop) ||| (Wait[3]; if(x==0){ two{x=2} -> Stop } else { Stop })",
        "x == 2",
        "fails",
    ),
    // Data operations meet nobody, and a partner that is gone is still waited for.
    ("(go{x=1} -> Stop) || (go{y=1} -> Stop)", "x == 1 && y == 0", "holds"),
    ("(go{x=1} -> Stop) || (stop{y=1} -> go -> Stop)", "x == 1 && y == 0", "holds"),
    ("(go -> Stop) || (go -> go -> late{x=1} -> Stop)", "x == 1", "fails"),
    // What has begun in `atomic` goes on before all others, and before time does.
    ("atomic { one{x=1} -> two{x=2} -> Skip } ||| (if(x==1){ late{y=1} -> Stop } else { Stop })", "y == 1", "fails"),
    ("(atomic { one{x=1} -> two{x=2} -> Skip }) timeout[2] (late{y=1} -> Stop)", "x == 0 && y == 1", "fails"),
    ("(atomic { one{x=1} -> two{x=2} -> Skip }) interrupt[0] (late{y=1} -> Stop)", "x == 1 && y == 1", "fails"),
    // A test may be late, and is made when it is taken.
    ("(if(x==0){ late{y=1} -> Stop } else { late{y=2} -> Stop }) ||| (Wait[2]; {x=1} -> Stop)", "y == 2", "holds"),
    // Urgent events behind guards stop time where the guard is true.
    ("([x==0] go{x=1} ->> Stop) ||| (Wait[1]; if(x==0){ late{y=1} -> Stop } else { Stop })", "y == 1", "fails"),
    ("([x==1] go ->> Stop) ||| (Wait[1]; late{y=1} -> Stop)", "y == 1", "holds"),
    // Who waits for a condition goes on when it is true.
    (
        "(ifb(x==1){ quick{y=1} ->> Stop }) ||| (Wait[1]; {x=1} -> Wait[1]; if(y==0){ late{y=2} -> Stop } else { Stop })",
        "y == 2",
        "fails",
    ),
];

#[test]
fn states_are_reached_in_time() {
    for (body, goal, expected) in REACHED {
        let checked =
            check(&format!("var x = 0; var y = 0;\n#define goal {goal};\nM() = {body};\n#assert M() reaches goal;"));
        assert_eq!(word(&checked[0]), *expected, "M() = {body}");
    }
}

/// Mutual exclusion by time: whoever has written its number waits longer than others may take to write theirs.
pub fn exclusion(n_processes: usize, write_by: u32, wait: u32, keeps_bound: bool) -> String {
    let trying = match keeps_bound {
        false => format!("((put.i{{turn=i}} -> Wait[{wait}]) within[{write_by}])"),
        true => format!("((put.i{{turn=i}} -> Skip) deadline[{write_by}]); Wait[{wait}]"),
    };
    format!(
        "var turn = -1; var inside = 0;\n\
         U(i) = ifb (turn == -1) {{ {trying}; if (turn == i) {{ enter.i{{inside=inside+1}} -> \
         leave.i{{inside=inside-1; turn=-1}} -> U(i) }} else {{ U(i) }} }};\n\
         All() = ||| i:{{0..{}}}@U(i);\n#define two inside > 1;\n#assert All() reaches two;\n#assert All() deadlockfree;\n",
        n_processes - 1
    )
}

#[test]
fn exclusion_depends_on_the_longer_wait() {
    assert_eq!(word(&check(&exclusion(2, 1, 2, false))[0]), "fails");
    assert_eq!(word(&check(&exclusion(2, 1, 1, false))[0]), "holds");
    assert_eq!(word(&check(&exclusion(2, 1, 2, true))[0]), "fails");
}

/// Numbers of states and transitions, found by a program of others that was written for them.
#[test]
fn exclusion_has_so_many_states() {
    let rows: [(usize, u32, u32, bool, u64, u64); 9] = [
        (2, 1, 2, false, 56, 106),
        (2, 3, 4, false, 80, 190),
        (3, 1, 2, false, 362, 903),
        (3, 3, 4, false, 758, 2241),
        (4, 1, 2, false, 2112, 6308),
        (2, 1, 2, true, 92, 164),
        (2, 3, 4, true, 190, 374),
        (3, 1, 2, true, 806, 1893),
        (3, 3, 4, true, 2819, 7110),
    ];
    for (n_processes, write_by, wait, keeps_bound, n_states, n_transitions) in rows {
        // Whole units of time, all states.
        let options = Options { method: Method::Search, ..Options::default() };
        let checked = check_with(&exclusion(n_processes, write_by, wait, keeps_bound), options).remove(1);
        let found = (checked.statistics.n_states, checked.statistics.n_transitions);
        assert_eq!(found, (n_states, n_transitions), "{n_processes} {write_by} {wait} {keeps_bound}");
    }
}

/// Untimed refinement: implementation, specification, the model, and the verdict.
const REFINES: &[(&str, &str, &str, &str)] = &[
    ("(go->Skip) timeout[3] (late->Skip)", "(go->Skip) [] (late->Skip)", "", "holds"),
    ("(go->>Skip) timeout[3] (late->Skip)", "go->Skip", "", "holds"),
    ("(go->Skip) timeout[3] (late->Skip)", "go->Skip", "", "fails"),
    ("(Wait[2];go->Skip) ||| (Wait[3];late->Skip)", "go->late->Skip", "", "fails"),
    ("(Wait[2];go->>Skip) ||| (Wait[3];late->Skip)", "go->late->Skip", "", "holds"),
    ("(go->((Wait[2];late->Skip)[](now->Skip))) deadline[3]", "go->((now->Skip)[](tau->late->Skip))", "<F>", "fails"),
    ("(go->((Wait[2];late->Skip)[](now->Skip))) deadline[3]", "go->((now->Skip)[](tau->late->Skip))", "", "holds"),
    ("(go->Skip) timeout[2] Stop", "go->Skip", "<F>", "fails"),
    ("(go->>Skip) timeout[2] Stop", "go->Skip", "<F>", "holds"),
];

#[test]
fn untimed_refinement_sees_what_time_allows() {
    for (implementation, specification, model, expected) in REFINES {
        let script = format!("I() = {implementation};\nS() = {specification};\n#assert I() refines{model} S();\n");
        assert_eq!(word(&check(&script)[0]), *expected, "{script}");
    }
}

/// Refinement of timed traces: definitions of `I()` and `S()`, the verdict, and the last event with its time.
const IN_TIME: &[(&str, &str, &str, &str)] = &[
    ("begin->Wait[3];(end->>I())", "begin->((end->S()) within[5])", "holds", ""),
    ("begin->Wait[3];end->I()", "begin->((end->S()) within[5])", "fails", "end@6"),
    ("begin->Wait[6];(end->>I())", "begin->((end->S()) within[5])", "fails", "end@6"),
    ("begin->Wait[3];(end->>I())", "begin->(end->S()) within[5]", "fails", "begin@6"),
    ("(one->((two->Stop) within[5])) within[5]", "(one->two->Stop) interrupt[5] Stop", "fails", "two@6"),
    ("(one->((two->Stop) within[2])) within[3]", "(one->two->Stop) interrupt[5] Stop", "holds", ""),
    ("one->Stop", "(one->Stop) timeout[1] (Wait[1];one->Stop)", "fails", "one@3/2"),
    ("Stop", "(one->Stop) within[2]", "holds", ""),
    ("one->Wait[2];I()", "one->Wait[1];S()", "holds", ""),
    ("one->Wait[1];I()", "one->Wait[2];S()", "fails", "one@1"),
    ("(one->two->Skip)\\{one}", "two->Skip", "holds", ""),
    ("(one->Stop) deadline[4]", "(one->Stop) within[4]", "holds", ""),
    ("(one->Stop) within[4]", "(one->Stop) deadline[4]", "holds", ""),
];

#[test]
fn timed_refinement_compares_times() {
    for (implementation, specification, expected, last) in IN_TIME {
        let script = format!("I() = {implementation};\nS() = {specification};\n#assert I() refines<T> S();\n");
        let checked = check(&script).remove(0);
        assert_eq!(word(&checked), *expected, "{script} {:?}", checked.verdict);
        let Some(run) = &checked.counterexample else { continue };
        let time: analysis::check::Time = run.steps.iter().filter_map(|step| step.delay).sum();
        let event = &run.steps.last().expect("something happens at a wrong time").event;
        assert_eq!(format!("{event}@{time}"), *last, "{script}");
    }
}

#[test]
fn what_is_not_proved_is_unknown() {
    let script =
        "I() = Wait[2];one->Stop;\nS() = (one->Stop) timeout[1] (Wait[1];one->Stop);\n#assert I() refines<T> S();";
    assert!(matches!(word(&check(script)[0]), "unknown" | "holds"));
}

/// Formulas: definitions of `M()` and others, the formula, the verdict, and the verdict about runs on which time goes
/// on.
const FORMULAS: &[(&str, &str, &str, &str)] = &[
    ("M() = go -> M();", "[]<>go", "holds", "holds"),
    ("M() = (go -> M()) timeout[3] (late -> M());", "[]<>go", "fails", "fails"),
    ("M() = (go -> M()) within[3];", "[]<>go", "holds", "holds"),
    ("M() = go -> Stop;", "[]<>go", "fails", "fails"),
    ("M() = go -> Stop;", "<>go", "holds", "holds"),
    ("M() = (go -> Wait[2]) deadline[1];", "<>late", "fails", "fails"),
    ("A() = go -> A(); M() = A() ||| (Wait[5]; late ->> Stop);", "<>late", "fails", "holds"),
    ("A() = go -> A(); M() = A() ||| (Wait[5]; late -> Stop);", "<>late", "fails", "fails"),
    ("A() = go ->> A(); M() = A() ||| (late -> Stop);", "<>late", "fails", "holds"),
    ("Q() = go -> Q(); M() = Q() interrupt[5] (late -> M());", "[]<>late", "fails", "holds"),
    ("Q() = go -> Wait[1]; Q(); M() = Q() interrupt[5] (late -> M());", "[]<>late", "holds", "holds"),
    ("M() = Wait[1]; M();", "<>go", "fails", "fails"),
    ("M() = tau -> M();", "<>go", "fails", "holds"),
];

/// Decides a formula about `M()`, perhaps without runs in which time stands still in the end.
fn formula(definitions: &str, formula: &str, zeno: &str) -> analysis::check::Checked {
    formula_with(definitions, formula, zeno, Options::default())
}

/// With other options.
pub fn formula_with(definitions: &str, formula: &str, zeno: &str, options: Options) -> analysis::check::Checked {
    let mut choices = Choices::default();
    choices.choose("dialect", "pat").expect("there is such a dialect");
    choices.choose("zeno", zeno).expect("there is such a choice");
    let texts = [AskedText { path: "<formula>", text: formula, logic: Logic::Ltl, is_list: false }];
    let asked = Asked { process: "M()", texts: &texts, choices };
    let session = Session::open_asking(&Texts::of("model.rts", definitions), "model.rts", None, &asked);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let index = session.asked_assertions()[0].index;
    Checker::new(&session, options).check(index)
}

#[test]
fn formulas_are_about_runs_of_moves() {
    for (definitions, text, all, non_zeno) in FORMULAS {
        for method in [Method::Auto, Method::Zones] {
            let checked = formula_with(definitions, text, "counted", Options { method, ..Options::default() });
            assert_eq!(word(&checked), *all, "{definitions} {text} {:?}", checked.verdict);
        }
        let checked = formula(definitions, text, "excluded");
        assert_eq!(word(&checked), *non_zeno, "{definitions} {text} {:?}", checked.verdict);
    }
}

#[test]
fn where_time_stands_still_nothing_is_said() {
    let checked = formula("M() = tau -> M();", "<>go", "excluded");
    let temporal = checked.temporal.expect("a formula was decided");
    assert!(temporal.remarks.iter().any(|remark| remark.contains("time goes on for ever in no run")), "{temporal:?}");
    let checked = formula("M() = Wait[1]; M();", "[]!go", "excluded");
    assert!(checked.temporal.expect("the same").remarks.is_empty());
}

#[test]
fn there_is_no_next_step() {
    let checked = check("M() = go -> M();\n#assert M() |= X go;").remove(0);
    let analysis::check::Verdict::Error(problem) = checked.verdict else { panic!("{:?}", checked.verdict) };
    assert_eq!(problem.code, "csp-sharp::formula-next");
}

#[test]
fn examples_do_what_they_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names = ["crossroads-light", "level-crossing", "level-crossing-tock", "key-hook", "pacemaker"];
    for name in names {
        let file = format!("{name}.csp");
        let session = Session::open(&test_support::files::FolderFiles::new(&folder), &file, None);
        assert!(!session.has_errors(), "{name}: {:?}", session.diagnostics());
        let mut checker = Checker::new(&session, Options::default());
        for assertion in session.assertions() {
            let checked = checker.check(assertion.index);
            assert_eq!(word(&checked), "holds", "{name}: {} {:?}", assertion.text, checked.verdict);
        }
    }
}

#[test]
fn a_zeno_lasso_is_told_as_one() {
    let checked = formula("A() = go -> A(); M() = A() ||| (Wait[5]; late ->> Stop);", "<>late", "counted");
    let time = checked.counterexample.expect("it fails").time;
    assert_eq!(time, Some(TimeAtEnd::Repeats(analysis::check::Time::from_integer(0))));
    let checked = formula("A() = go -> A(); M() = A() ||| (Wait[5]; late -> Stop);", "<>late", "excluded");
    let time = checked.counterexample.expect("it fails").time;
    assert!(
        matches!(time, Some(TimeAtEnd::Repeats(round)) if round > analysis::check::Time::from_integer(0)),
        "{time:?}"
    );
}

#[test]
fn other_claims() {
    let rows = [
        ("M() = Wait[5]; M();", "divergencefree", "fails"),
        ("M() = Wait[5]; M();", "divergencefree<T>", "fails"),
        ("M() = tau -> M();", "divergencefree", "fails"),
        ("M() = tau -> M();", "divergencefree<T>", "holds"),
        ("Q() = go -> Q(); M() = Q() deadline[5];", "deadlockfree", "holds"),
        ("M() = (go -> Skip) timeout[2] (go -> Stop);", "deterministic", "holds"),
        ("M() = (go -> Skip) [] (go -> Stop);", "deterministic", "fails"),
        ("M() = Wait[3]; go -> M();", "nonterminating", "holds"),
        ("M() = Wait[3];", "nonterminating", "fails"),
    ];
    for (definitions, claim, expected) in rows {
        let checked = check(&format!("{definitions}\n#assert M() {claim};")).remove(0);
        assert_eq!(word(&checked), expected, "{definitions} {claim} {:?}", checked.verdict);
    }
}

#[test]
fn clocks_that_pile_up_end_at_a_limit() {
    // What is wrong before the limit is met is found.
    for (then, expected) in [("M()", "unknown"), ("Stop", "fails")] {
        let script = format!("M() = (go -> M()) interrupt[5] {then};\n#assert M() deadlockfree;");
        assert!(codes(&script).contains(&"csp-sharp::growing-clocks".to_owned()));
        let checked =
            check_with(&script, Options { limits: Limits::of_workers(1).with_max_states(300), ..Options::default() });
        assert_eq!(word(&checked[0]), expected, "{script}");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let rows = [
        ("M() = M() timeout[3] Stop;", "csp-sharp::unguarded"),
        ("M() = M() deadline[5];", "csp-sharp::unguarded"),
        ("var x = 0; M() = [x==0](Wait[2]; go -> Stop);", "csp-sharp::timed-guard"),
        ("M() = Wait[3,2];", "csp-sharp::empty-interval"),
        ("M() = Wait[-1];", "csp-sharp::negative-time"),
        ("var x = 1; M() = Wait[x];", "csp-sharp::variable-time"),
        ("M() = Wait[2000000000];", "csp-sharp::huge-time"),
        ("M() = Wait[5] -> Skip;", "csp-sharp::wait-arrow"),
        ("M() = (go -> Skip) within[2] deadline[3];", "csp-sharp::bound-order"),
        ("M() = timeout{go} -> Wait[1];", "csp-sharp::reserved"),
        ("M() = atomic { go -> L() }; L() = Wait[1];", "csp-sharp::timed-atomic"),
        ("M() = atomic { go -> Skip } || ((go -> Skip) within[1,2]);", "csp-sharp::atomic-bound"),
    ];
    for (script, code) in rows {
        assert!(codes(script).contains(&code.to_owned()), "{script}: {:?}", codes(script));
    }
}

#[test]
fn times_may_be_parameters_and_received_values() {
    let script = "channel c 1;\nP(n) = Wait[n+1]; done -> Stop;\nM() = c!3 -> c?n -> P(n) deadline[3];\n#assert M() deadlockfree;";
    let run = check(script).remove(0).counterexample.expect("it is too late");
    assert_eq!(run.time, Some(TimeAtEnd::Stops(analysis::check::Time::from_integer(3))));
    let checked = check("P(n) = Wait[n]; P(n-1);\nM() = P(2);\n#assert M() deadlockfree;").remove(0);
    assert_eq!(word(&checked), "error");
}

#[test]
fn a_time_that_is_long_is_passed_over() {
    let checked = check("M() = Wait[1000000000]; go -> M();\n#assert M() deadlockfree;").remove(0);
    assert_eq!(word(&checked), "holds");
    let checked = check("M() = (go -> M()) within[1000000000];\n#assert M() deadlockfree;").remove(0);
    assert!(matches!(word(&checked), "unknown" | "holds"));
}
