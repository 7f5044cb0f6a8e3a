//! Differential tests of networks against the firing rules: the reachable configurations are bisimilar to the states.

use crate::common;

use common::{Analyzed, analyze};
use csp_sharp_runtime::lower::{Limit, Lowering, NotLowered};
use csp_sharp_runtime::run::System;
use lts::Label;
use model::data::{Domain, Kind};
use model::network::Configuration;
use model::participants::Marks;
use model::process::State;
use std::collections::{BTreeSet, HashMap};
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};
use test_support::sharp::random_script;

/// The number of compared states of a script.
const MAX_COMPARED: usize = 400;

fn read(text: &str) -> Analyzed {
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    assert!(!analyzed.has_errors(), "{text}\n{:?}", analyzed.diagnostics);
    analyzed
}

/// Statistics of a comparison.
#[derive(Default)]
struct Compared {
    n_states: usize,
    n_failures: usize,
}

/// Compares the process of an assertion with its network.
fn compare(text: &str, number: usize) -> Result<Compared, NotLowered> {
    let analyzed = read(text);
    let mut system = System::new(&analyzed.resolved.code);
    let process = analyzed.resolved.assertions[number].process;
    let start = if number.is_multiple_of(2) { system.start(process) } else { system.start_watched(process) };
    let conditions: Vec<_> = system.code().propositions.iter().map(|known| known.condition).collect();
    let lowering = system.lower(start, &conditions, 1000, &|| true)?;
    let network = &lowering.network;
    assert_eq!(system.state_behind(&lowering, &network.initial), start, "{text}");
    let mut visited: HashMap<Configuration, State> = HashMap::from([(network.initial.clone(), start)]);
    let mut open = vec![network.initial.clone()];
    let mut compared = Compared::default();
    while let Some(next) = open.pop() {
        if compared.n_states >= MAX_COMPARED {
            break;
        }
        compared.n_states += 1;
        let state = visited[&next];
        let has_fault = compare_steps(text, &mut system, &lowering, &next, state, &mut |target, behind| {
            if !visited.contains_key(&target) {
                assert!(
                    !visited.values().any(|&known| known == behind),
                    "two configurations are the same state\n{text}"
                );
                visited.insert(target.clone(), behind);
                open.push(target);
            }
        });
        compared.n_failures += usize::from(has_fault);
        for (condition, expression) in &lowering.conditions {
            let actual = network.data.evaluate(*expression, &next.data).expect("it has a value");
            assert_eq!(system.is_true(state, *condition).ok(), Some(actual != 0), "{text}");
        }
    }
    Ok(compared)
}

/// Compares the steps of a state, passes their targets to `visit`, and returns whether a step faults.
fn compare_steps(
    text: &str,
    system: &mut System,
    lowering: &Lowering,
    at: &Configuration,
    state: State,
    visit: &mut dyn FnMut(Configuration, State),
) -> bool {
    let network = &lowering.network;
    let describe =
        |system: &System| format!("in {} with {:?}\n{text}", system.text(state, 500), system.variables(state));
    let mut steps = Vec::new();
    let expected = system.steps(state, &mut steps);
    let failures = network.failures(at);
    assert_eq!(failures.is_empty(), expected.is_ok(), "{expected:?} {failures:?} {}", describe(system));
    if expected.is_err() {
        return true;
    }
    type Offer = (Label, State, Option<(Vec<Vec<u32>>, Marks)>);
    // With counter abstraction the identity of the copy that moves is lost.
    let participants = lowering.participants.as_ref();
    let mut expected_steps: BTreeSet<Offer> = BTreeSet::new();
    for (place, step) in steps.iter().enumerate() {
        let marks = system.marks(state, place);
        let participation = participants.map(|_| (taking_part(system.takers(state, place)), marks));
        expected_steps.insert((step.label, step.target, participation));
    }
    let mut actual: BTreeSet<Offer> = BTreeSet::new();
    for step in network.steps(at) {
        let behind = system.state_behind(lowering, &step.target);
        let participation = participants.map(|participants| {
            let numbers = participants.of(at.mode, step.rule).iter();
            let mut paths: Vec<Vec<u32>> = numbers.map(|number| lowering.processes[number.index()].clone()).collect();
            paths.sort_unstable();
            (paths, participants.marks(at.mode, step.rule))
        });
        actual.insert((step.label, behind, participation));
        if step.label != Label::TICK {
            visit(step.target, behind);
        }
    }
    assert_eq!(actual, expected_steps, "{}", describe(system));
    false
}

fn taking_part(paths: &[Vec<u32>]) -> Vec<Vec<u32>> {
    if paths.is_empty() { vec![Vec::new()] } else { paths.to_vec() }
}

/// Ranges are propagated exactly for some rounds before widening.
#[test]
fn slowly_growing_ranges_are_found() {
    let text = "var w = 0; var v = 0;
        Up() = [w < 70] up{w = w + 1} -> Up() [] [w > 60] at.w -> Stop;
        Down() = [v > -70] down{v = v - 1} -> Down() [] [v < -60] at.v -> Stop;
        One() = Up() ||| Stop; Two() = Down() ||| Stop;
        #assert One() deadlockfree; #assert Two() deadlockfree;";
    for number in 0..2 {
        let compared = compare(text, number).expect("it has a network");
        assert!(compared.n_states > 70, "{}", compared.n_states);
    }
}

/// The final range of a variable is exact where guards bound it, even if widening overshot before.
#[test]
fn ranges_are_narrowed_after_widening() {
    let cases = [
        ("[x < 40 + 1] up{x = x + 1} -> P()", (0, 41)),
        ("[x > -29 - 1] down{x = x - 1} -> P()", (-30, 0)),
        ("ifa (x == 13) { set{x = 0} -> P() } else { up{x = x + 1} -> P() }", (0, 13)),
        ("[x < 33] up{x = x + 1} -> P() [] [x > 5] down{x = x - 1} -> P()", (0, 33)),
    ];
    for (body, (low, high)) in cases {
        let text = format!("var x = 0; P() = {body}; System() = P() ||| Stop; #assert System() deadlockfree;");
        let analyzed = read(&text);
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let lowering = system.lower(start, &[], 1000, &|| true).expect("it has a network");
        let kinds: Vec<&Kind> = lowering.network.data.variables().map(|(_, variable)| &variable.kind).collect();
        assert_eq!(kinds, [&Kind::Scalar(Domain::Integers { low, high })], "{text}");
        compare(&text, 0).expect("it has a network");
    }
}

/// Cases that random scripts seldom contain: a faulting guard before `Stop`; a program that runs after another one has
/// made the conditions of its process false; messages with different numbers of fields; a program that counts the
/// message of its own step; a condition that is never true and may fault; and `atomic` that waits for a condition, a
/// message or a partner.
#[test]
fn rare_cases_agree_with_their_networks() {
    let scripts = [
        "var x = 3; var a[3]; Waits() = [a[x] == 0] Stop; System() = Waits() ||| (go{x = 0} -> Stop);",
        "var y = 0; var z = 0; channel d 0; Gives() = d!1{y = 5} -> Stop; Takes() = [y == 0] d?m{z = y} -> at.z -> Stop;
         System() = Gives() ||| Takes();",
        "var x = 1; System() = (case { x > 0: a -> Stop x > 1: b -> Stop default: c -> Stop }) ||| (up{x = 2} -> Stop);",
        "var y = 2; channel e[2] 1; System() = (e[y]!1 -> Stop) ||| Stop;",
        "var n = 0; channel c 2; System() = (c!1{n = call(ccount, c)} -> at.n -> c?x{n = call(ccount, c)} -> at.n -> Stop) ||| Stop;",
        "var x = 3; var k = 0; var a[3]; System() = (ifb (a[x] == 0 && k == 1) { go -> Stop }) ||| Stop;",
        "var b = false; var y = 0; System() = (set{b = true} -> Stop) ||| (go{var t = 1; if (b) { t = 2; } y = t} -> at.y -> Stop);",
        "var x = 2; var y = 0; System() = (set{x = 0} -> Stop) ||| (go{var t = 1; if (x > 1) { t = x; } else { t = 3; } y = t} -> at.y -> Stop);",
        "var x = 0; System() = (atomic{[x == 1] go -> ([x == 2] more -> Stop)}) ||| (up{x = 1} -> down{x = 0} -> set{x = 2} -> Stop);",
        "channel c 1; System() = (atomic{c?z -> got.z -> c?z -> Stop}) ||| (c!1 -> other -> c!2 -> Stop) ||| (s -> Stop);",
        "channel c 2; System() = (c!1.2 -> c!3 -> Stop) ||| (c?x -> got.x -> Stop) ||| (c?x.y -> got.x.y -> c?x.y -> Stop);",
        "channel d 0; System() = (d!1.2 -> d!3 -> Stop) ||| (d?x -> got.x -> Stop) ||| (d?x.y -> got.x.y -> d?x.y -> Stop);",
        "var x = 0; channel d 0; System() = (atomic{[x == 0] d!1 -> after -> Stop}) ||| (s -> d?z -> set{x = 1} -> Stop) ||| (t -> t -> Stop);",
    ];
    for text in scripts {
        let text = format!("{text} #assert System() deadlockfree;");
        compare(&text, 0).unwrap_or_else(|reason| panic!("{reason:?}\n{text}"));
    }
}

/// Terms whose number of steps grows without bound are refused early: their states with all steps would exhaust memory.
#[test]
fn growing_terms_are_refused() {
    let text = "channel s 0; Grows() = (tau -> Grows()) [*] (a -> Stop); System() = (s!0 -> Grows()) ||| Stop;
        #assert System() deadlockfree;";
    assert_eq!(compare(text, 0).err(), Some(NotLowered::Large(Limit::Moves)));
}

#[test]
fn random_scripts_agree_with_their_networks() {
    let mut random = Random::new(seed());
    let (mut n_lowered, mut n_states, mut n_failures, mut reasons) = (0, 0, 0, HashMap::new());
    const N_SCRIPTS: usize = 600;
    for round in 0..N_SCRIPTS {
        let text = random_script(&mut random) + "#assert System() deadlockfree; #assert System() deadlockfree;";
        let text = format!("// TEST_SEED={}, round {round}\n{text}", seed());
        match compare(&text, round % 2) {
            Ok(compared) => {
                n_lowered += 1;
                n_states += compared.n_states;
                n_failures += compared.n_failures;
            }
            Err(reason) => *reasons.entry(format!("{reason:?}")).or_insert(0) += 1,
        }
    }
    // Guards against a vacuous test.
    let summary = format!("{n_lowered} lowered, {n_states} states, {n_failures} go wrong, {reasons:?}");
    assert!(n_lowered > N_SCRIPTS * 2 / 3 && n_states > 20 * N_SCRIPTS && n_failures > 20, "{summary}");
}
