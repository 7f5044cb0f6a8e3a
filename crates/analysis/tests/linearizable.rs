//! Linearizability: random objects and histories, judged by the definition, and models with a mistake in them.

use crate::letter;
use analysis::Limits;

use analysis::Session;
use analysis::check::{Checked, Checker, Fault, Finding, History, Operation, Options, Unexplained};
use letter::letter;
use std::fmt::Write;
use std::path::Path;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

const N_STATES: usize = 3;
const N_ARGUMENTS: usize = 2;
const MAX_OPERATIONS: usize = 8;

/// For operation, argument and state all outcomes: results with next states.
type Table = Vec<Vec<Vec<Vec<(usize, usize)>>>>;

fn check(text: &str) -> Vec<Checked> {
    let session = Session::open(&MemoryFiles::of("script.csp", text), "script.csp", None);
    assert!(!session.has_errors(), "{text}\n{:?}", session.diagnostics());
    let mut checker = Checker::new(
        &session,
        Options { limits: Limits::of_workers(1).with_max_states(200_000), ..Options::default() },
    );
    (1..=session.assertions().len()).map(|index| checker.check(index)).collect()
}

fn history(checked: &Checked) -> &History {
    match checked.counterexample.as_ref().map(|found| &found.fault) {
        Some(Fault::Failure(Finding::History(history))) => history,
        other => panic!("no history: {other:?}"),
    }
}

/// An object with up to three operations. Some have several outcomes in a state, and a few have none.
fn random_table(random: &mut Random) -> Table {
    let n_operations = 1 + random.below(3);
    let outcomes = |random: &mut Random| {
        let n_outcomes = *random.pick(&[1, 1, 1, 1, 2, 2, 0]);
        (0..n_outcomes).map(|_| (random.below(3), random.below(N_STATES))).collect()
    };
    let mut table = Table::new();
    for _ in 0..n_operations {
        let by_argument =
            (0..N_ARGUMENTS).map(|_| (0..N_STATES).map(|_| outcomes(random)).collect::<Vec<_>>()).collect();
        table.push(by_argument);
    }
    table
}

/// The object as a declaration. The first outcomes of all states are one of the script, and so are the second ones.
fn declaration(table: &Table, n_threads: usize) -> String {
    let mut text = format!("var s = 0;\n#object Thing(i:{{0..{}}}) {{\n", n_threads - 1);
    for (operation, by_argument) in table.iter().enumerate() {
        let outcome = |place: usize| {
            let (mut guard, mut program) = ("false".to_owned(), "var old = s; var r = 0;".to_owned());
            for (argument, by_state) in by_argument.iter().enumerate() {
                for (state, outcomes) in by_state.iter().enumerate() {
                    if let Some((result, next)) = outcomes.get(place) {
                        write!(guard, " || v == {argument} && s == {state}").expect("a text can be written");
                        write!(program, " if (v == {argument} && old == {state}) {{ r = {result}; s = {next}; }}")
                            .expect("the same");
                    }
                }
            }
            format!("[{guard}] {{ {program} r }}")
        };
        let last = N_ARGUMENTS - 1;
        writeln!(
            text,
            "    call{operation}.i.v:{{0..{last}}} / answer{operation}.i = {} | {};",
            outcome(0),
            outcome(1)
        )
        .expect("the same");
    }
    text + "};\n"
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Call { thread: usize, operation: usize, argument: usize },
    Answer { thread: usize, operation: usize, result: usize },
}

/// Calls and answers of threads. Answers are often those of an object that takes effect at the answer, and often not.
fn random_history(random: &mut Random, table: &Table, n_threads: usize) -> Vec<Event> {
    let mut events = Vec::new();
    let mut pending: Vec<Option<(usize, usize)>> = vec![None; n_threads];
    let (mut state, mut n_calls) = (0, 0);
    for _ in 0..2 * MAX_OPERATIONS {
        let thread = random.below(n_threads);
        match pending[thread] {
            None if n_calls < MAX_OPERATIONS => {
                let (operation, argument) = (random.below(table.len()), random.below(N_ARGUMENTS));
                pending[thread] = Some((operation, argument));
                n_calls += 1;
                events.push(Event::Call { thread, operation, argument });
            }
            None => {}
            Some((operation, argument)) => {
                let outcomes = &table[operation][argument][state];
                let is_right = !outcomes.is_empty() && random.below(6) > 0;
                let result = match is_right {
                    true => {
                        let (result, next) = *random.pick(outcomes);
                        state = next;
                        result
                    }
                    false => random.below(3),
                };
                pending[thread] = None;
                events.push(Event::Answer { thread, operation, result });
            }
        }
    }
    events
}

/// An operation with its call, its answer and its result.
#[derive(Clone, Copy)]
struct Call {
    operation: usize,
    argument: usize,
    called: usize,
    answer: Option<(usize, usize)>,
}

fn calls(events: &[Event]) -> Vec<Call> {
    let mut calls: Vec<(usize, Call)> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        match *event {
            Event::Call { thread, operation, argument } => {
                calls.push((thread, Call { operation, argument, called: place, answer: None }));
            }
            Event::Answer { thread, result, .. } => {
                let pending = calls.iter_mut().rfind(|(other, _)| *other == thread).expect("it was called");
                pending.1.answer = Some((place, result));
            }
        }
    }
    calls.into_iter().map(|(_, call)| call).collect()
}

/// The definition: whether some order of all answered and some pending operations is legal and keeps what was answered
/// before a call.
fn is_linearizable(table: &Table, calls: &[Call]) -> bool {
    goes_on(table, calls, &mut vec![false; calls.len()], 0)
}

fn goes_on(table: &Table, calls: &[Call], placed: &mut Vec<bool>, state: usize) -> bool {
    if calls.iter().zip(&*placed).all(|(call, placed)| *placed || call.answer.is_none()) {
        return true;
    }
    for next in 0..calls.len() {
        let call = calls[next];
        let comes_before = |other: &Call| other.answer.is_some_and(|(answered, _)| answered < call.called);
        if placed[next] || calls.iter().zip(&*placed).any(|(other, placed)| !placed && comes_before(other)) {
            continue;
        }
        placed[next] = true;
        let outcomes = &table[call.operation][call.argument][state];
        let fits = |result: usize| call.answer.is_none_or(|(_, answered)| answered == result);
        if outcomes.iter().any(|&(result, after)| fits(result) && goes_on(table, calls, placed, after)) {
            return true;
        }
        placed[next] = false;
    }
    false
}

/// A process that does this, with steps of its own in between.
fn process(random: &mut Random, events: &[Event]) -> String {
    let mut text = "var w = 0;\nchannel c 1;\nH() = ".to_owned();
    for event in events {
        text += *random.pick(&["", "", "", "noise -> ", "work.w{w = 1 - w} -> ", "tau -> ", "c!1 -> c?1 -> "]);
        match event {
            Event::Call { thread, operation, argument } => write!(text, "call{operation}.{thread}.{argument} -> "),
            Event::Answer { thread, operation, result } => write!(text, "answer{operation}.{thread}.{result} -> "),
        }
        .expect("a text can be written");
    }
    text += *random.pick(&["Stop;\n", "Skip;\n"]);
    text
}

/// The operations of an order, one after the other: whether they are legal, and keep what was answered before a call.
fn is_explained(table: &Table, history: &History, n_events: usize) -> bool {
    let order = history.order.as_ref().expect("an order is found");
    let number = |operation: &Operation| operation.name["call".len()..].parse::<usize>().expect("a number");
    let mut states = vec![0];
    for (place, (done, result)) in order.iter().enumerate() {
        let operation = &history.operations[*done];
        let result: usize = result.as_ref().expect("a result").parse().expect("a number");
        if operation.answered_at.is_some_and(|answered| answered < n_events)
            && operation.result.as_deref() != Some(&*result.to_string())
        {
            return false;
        }
        let argument: usize = operation.arguments[0].parse().expect("a number");
        let outcomes = |&state: &usize| table[number(operation)][argument][state].clone();
        states = states.iter().flat_map(outcomes).filter(|(other, _)| *other == result).map(|(_, next)| next).collect();
        // What comes later in the order must not have been answered before this was called.
        let is_early = |(later, _): &(usize, Option<String>)| {
            history.operations[*later].answered_at.is_some_and(|answered| answered < operation.called_at)
        };
        if states.is_empty() || order[place + 1..].iter().any(is_early) {
            return false;
        }
    }
    let is_placed = |number: usize| order.iter().any(|(done, _)| *done == number);
    let mut operations = history.operations.iter().enumerate();
    operations.all(|(number, known)| known.answered_at.is_none_or(|answered| answered >= n_events) || is_placed(number))
}

#[test]
fn histories_are_explained_if_some_order_is_legal() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_holding, mut n_failing) = (0, 0);
    for round in 0..400 {
        let table = random_table(&mut random);
        // The explanation of three threads with many operations is large.
        let n_threads = if table.len() > 1 { 2 } else { 2 + random.below(2) };
        let events = random_history(&mut random, &table, n_threads);
        let script =
            declaration(&table, n_threads) + &process(&mut random, &events) + "#assert H() linearizable Thing;\n";
        let expected = is_linearizable(&table, &calls(&events));
        let checked = check(&script).remove(0);
        let place = format!("seed {seed}, round {round}\n{script}");
        assert_eq!(letter(&checked), if expected { '+' } else { '-' }, "{place}");
        if expected {
            n_holding += 1;
            continue;
        }
        n_failing += 1;
        let history = history(&checked);
        let first = (1..=events.len()).find(|&end| !is_linearizable(&table, &calls(&events[..end])));
        let first = first.expect("the whole is not") - 1;
        let Unexplained::Answer { operation, possible } = &history.unexplained else { panic!("{place}") };
        assert_eq!(history.operations[*operation].answered_at, Some(first), "{place}");
        let would_be_right = |result: usize| {
            let mut changed = events[..=first].to_vec();
            let Event::Answer { thread, operation, .. } = changed[first] else { panic!("{place}") };
            changed[first] = Event::Answer { thread, operation, result };
            is_linearizable(&table, &calls(&changed))
        };
        let right: Vec<Option<String>> =
            (0..3).filter(|&result| would_be_right(result)).map(|result| Some(result.to_string())).collect();
        let mut possible = possible.clone();
        possible.sort();
        assert_eq!(possible, right, "{place}");
        assert!(is_explained(&table, history, first), "{place}\n{:?}", history.order);
    }
    assert!(n_holding > 50 && n_failing > 50, "{n_holding} hold, {n_failing} fail");
}

/// An implementation that does its operations in one step each, which is seen, and sometimes does something else
/// instead.
fn stepwise(random: &mut Random, table: &Table, n_threads: usize) -> String {
    let mut text = format!("var t = 0;\nThreads() = ||| i:{{0..{}}}@Thread(i);\nThread(i) = ", n_threads - 1);
    let mut calls = Vec::new();
    for (operation, by_argument) in table.iter().enumerate() {
        for (argument, by_state) in by_argument.iter().enumerate() {
            let mut branches = vec!["never -> Stop".to_owned()];
            for (state, outcomes) in by_state.iter().enumerate() {
                for &(result, next) in outcomes {
                    let told = if random.below(40) == 0 { random.below(3) } else { result };
                    let next = if random.below(40) == 0 { random.below(N_STATES) } else { next };
                    let seen = if random.below(40) == 0 { random.below(3) } else { result };
                    let effect = format!("[t == {state}] point{operation}.i.{seen}{{t = {next}}}");
                    branches.push(match random.below(12) {
                        // A step that is said to be the effect, and is none.
                        0 => format!(
                            "[t == {state}] quiet{{t = {next}}} -> point{operation}.i.{seen} -> answer{operation}.i.{told} -> Thread(i)"
                        ),
                        _ => format!("{effect} -> answer{operation}.i.{told} -> Thread(i)"),
                    });
                }
            }
            calls.push(format!("call{operation}.i.{argument} -> ({})", branches.join(" [] ")));
        }
    }
    text += &calls.join("\n  [] ");
    text + ";\n"
}

#[test]
fn points_change_no_verdict() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_holding, mut n_failing) = (0, 0);
    for round in 0..80 {
        let table = random_table(&mut random);
        let points = (0..table.len()).map(|number| format!("point{number}.i.r / answer{number}.i"));
        let script = format!(
            "{}{}#assert Threads() linearizable Thing;\n#assert Threads() linearizable Thing with points {{{}}};\n",
            declaration(&table, 2),
            stepwise(&mut random, &table, 2),
            points.collect::<Vec<_>>().join(", ")
        );
        let letters: String = check(&script).iter().map(letter).collect();
        assert!(letters == "++" || letters == "--", "{letters}: seed {seed}, round {round}\n{script}");
        if letters == "++" { n_holding += 1 } else { n_failing += 1 }
    }
    assert!(n_holding > 10 && n_failing > 10, "{n_holding} hold, {n_failing} fail");
}

const COUNTER: &str =
    "var n = 0;\n#object Counter(i:{0..1}) { draw.i / drew.i = { n = (n + 1) % 3; n }; set.i / did.i = { n = 0; }; };";

fn verdict(process: &str) -> Checked {
    check(&format!("{COUNTER} {process} #assert P() linearizable Counter;")).remove(0)
}

#[test]
fn what_is_no_history_is_told_as_such() {
    let twice = verdict("P() = draw.0 -> draw.0 -> Stop;");
    assert_eq!(history(&twice).unexplained, Unexplained::SecondCall { operation: 0 });
    let unasked = verdict("P() = draw.0 -> drew.1.1 -> Stop;");
    assert_eq!(history(&unasked).unexplained, Unexplained::NoCall { thread: "1".to_owned() });
    for stranger in ["P() = draw.2 -> Stop;", "P() = draw.0 -> drew.0 -> Stop;", "P() = draw -> Stop;"] {
        assert_eq!(history(&verdict(stranger)).unexplained, Unexplained::Unknown, "{stranger}");
    }
    let late = verdict("P() = set.0 -> draw.1 -> did.0 -> drew.1.2 -> Stop;");
    let Unexplained::Answer { operation: 1, possible } = &history(&late).unexplained else { panic!("{late:?}") };
    assert_eq!(possible[..], [Some("1".to_owned())]);
    assert_eq!(letter(&verdict("P() = set.0 -> draw.1 -> did.0 -> drew.1.1 -> Skip;")), '+');
    assert_eq!(letter(&verdict("P() = Skip;")), '+');
}

/// Truth values are told apart from numbers, in results as in all fields of events.
#[test]
fn results_may_be_truth_values() {
    let script = |answer: &str| {
        format!(
            "var n = 0;
             #object Flag(i:{{0..1}}) {{ ask.i / told.i = n > 0; raise.i / raised.i = {{ n = 1; true }}; }};
             P() = ask.0 -> told.0.{answer} -> raise.1 -> raised.1.true -> ask.0 -> told.0.true -> Stop;
             #assert P() linearizable Flag;"
        )
    };
    assert_eq!(letter(&check(&script("false"))[0]), '+');
    assert_eq!(letter(&check(&script("true"))[0]), '-');
    assert_eq!(letter(&check(&script("0"))[0]), '-');
}

/// A point that lies outside of its call, or says something else than the answer, proves nothing.
#[test]
fn points_alone_are_not_enough() {
    let claim = "#assert P() linearizable Counter with points {step.i.r / drew.i};";
    let decide = |process: &str| letter(&check(&format!("{COUNTER} {process} {claim}"))[0]);
    assert_eq!(decide("P() = draw.0 -> step.0.1 -> drew.0.1 -> Stop;"), '+');
    assert_eq!(decide("P() = draw.0 -> step.0.1 -> drew.0.2 -> Stop;"), '-');
    assert_eq!(decide("P() = draw.0 -> drew.0.2 -> step.0.2 -> Stop;"), '-');
    // The steps are the wrong ones, and all is well without them.
    assert_eq!(decide("P() = draw.0 -> step.0.2 -> drew.0.1 -> Stop;"), '+');
}

/// Steps of several threads that take effect in an order of their own are seen as such, and nothing is decided twice.
#[test]
fn points_that_fit_are_enough() {
    for file in ["bench/csp-sharp/stack.csp", "examples/high-water.csp"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        let text = std::fs::read_to_string(&path).expect("a model");
        let session = Session::open(&MemoryFiles::of("script.csp", text), "script.csp", None);
        let claims = session.assertions();
        let claim = claims.iter().find(|claim| claim.text.contains("points")).expect("points are given");
        let checked = Checker::new(&session, Options::default()).check(claim.index);
        assert_eq!((letter(&checked), &checked.notes[..]), ('+', &[][..]), "{file}");
    }
    let wrong = "P() = draw.0 -> step.0.2 -> drew.0.1 -> Stop; #assert P() linearizable Counter with points {step.i.r / drew.i};";
    let checked = check(&format!("{COUNTER} {wrong}")).remove(0);
    assert_eq!((letter(&checked), checked.notes.len()), ('+', 1));
}

/// A model of the bench with some of its text replaced.
fn mutant(file: &str, changes: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/csp-sharp").join(file);
    let mut text = std::fs::read_to_string(&path).expect("a model");
    for (from, to) in changes {
        assert!(text.contains(from), "{file} has no {from}");
        text = text.replace(from, to);
    }
    text
}

#[test]
fn models_with_a_mistake_are_not_linearizable() {
    // An exchange that does not compare.
    let stack = [("#define VALUES 1;", "#define VALUES 2;"), ("ifa (top == seen[i]) { doPop", "ifa (top > 0) { doPop")];
    // An item that is read again when the first node is another one.
    let queue = [("step{removeFirst; front[i] = 0;", "step{removeFirst; item[i] = data[1]; front[i] = 0;")];
    // A root that does not announce that its indicator is to be set.
    let snzi = [("rootCount = 1; rootBit = 1;", "rootCount = 1;")];
    // A reader that does not look downward again.
    let register = [("{ see.i -> Down(i, k-1, k) }", "{ see.i -> Down(i, -1, k) }")];
    let mailbox = [("#define COUNTING true;", "#define COUNTING false;")];
    for (file, changes) in [
        ("stack.csp", &stack[..]),
        ("queue.csp", &queue),
        ("snzi.csp", &snzi),
        ("register.csp", &register),
        ("mailbox.csp", &mailbox),
    ] {
        let text = mutant(file, changes);
        let session = Session::open(&MemoryFiles::of("script.csp", text), "script.csp", None);
        assert!(!session.has_errors(), "{file}\n{:?}", session.diagnostics());
        let claims: Vec<_> = session.assertions();
        let claim = claims.iter().find(|claim| claim.kind.name() == "linearizable").expect("it is claimed");
        let mut checker = Checker::new(
            &session,
            Options { limits: Limits::of_workers(1).with_max_states(2_000_000), ..Options::default() },
        );
        let checked = checker.check(claim.index);
        assert_eq!(letter(&checked), '-', "{file}: {:?}", checked.verdict);
        assert!(history(&checked).order.is_some(), "{file}");
    }
}
