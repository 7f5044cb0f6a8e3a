//! Differential tests of timed semantics: whole units against dense time, and locations with clocks against both.

use crate::common;

use common::{Analyzed, analyze};
use csp_sharp_runtime::run::dense::{Configuration, Time};
use csp_sharp_runtime::run::{Location, System};
use lts::Label;
use model::process::State;
use std::collections::HashSet;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};
use test_support::timed::TimedScript;

/// The number of compared states of a script.
const MAX_COMPARED: usize = 60;
/// The number of units of delay from each state.
const MAX_DELAY: u32 = 8;

fn read(text: &str) -> Analyzed {
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    assert!(!analyzed.has_errors(), "{text}\n{:?}", analyzed.diagnostics);
    analyzed
}

fn scripts(n_scripts: usize) -> Vec<(String, Analyzed)> {
    let mut random = Random::new(seed());
    let texts = (0..n_scripts).map(|_| TimedScript::random(&mut random, 3).asserting(1, &["System() deadlockfree"]));
    texts
        .map(|text| (format!("TEST_SEED={}\n{text}", seed()), text))
        .map(|(context, text)| (context, read(&text)))
        .collect()
}

fn units(units: u32) -> Time {
    Time::from_integer(i64::from(units))
}

/// The first [`MAX_COMPARED`] reachable states of a process.
fn states(system: &mut System, start: State) -> Vec<State> {
    let mut all = vec![start];
    let mut next = 0;
    while next < all.len() && all.len() < MAX_COMPARED {
        let mut steps = Vec::new();
        system.steps(all[next], &mut steps).expect("random scripts do not fault");
        for step in steps {
            if step.label != Label::TICK && !all.contains(&step.target) {
                all.push(step.target);
            }
        }
        next += 1;
    }
    all.truncate(MAX_COMPARED);
    all
}

fn labels(system: &mut System, at: &Configuration) -> Vec<Label> {
    let mut labels: Vec<Label> =
        system.dense_steps(at).expect("random scripts do not fault").iter().map(|step| step.label).collect();
    labels.sort_unstable();
    labels
}

#[test]
fn whole_units_agree_with_dense_time() {
    for (context, analyzed) in scripts(150) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        for state in states(&mut system, start) {
            compare_state(&context, &mut system, state);
        }
    }
}

fn compare_state(context: &str, system: &mut System, state: State) {
    let entry = system.dense(state).expect("no fault");
    let text = format!("{} in\n{context}", system.text(state, 300));
    for passed in 0..MAX_DELAY {
        let then = system.dense_delay(&entry, units(passed)).expect("no fault");
        let whole = system.after(state, passed).expect("no fault");
        assert_eq!(then.is_some(), whole.is_some(), "after {passed} units of {text}");
        let (Some(then), Some(whole)) = (then, whole) else { break };
        let begun = system.dense(whole).expect("no fault");
        assert_eq!(then.without_idle_bounds(), begun.without_idle_bounds(), "after {passed} units of {text}");
        let mut steps = Vec::new();
        system.immediate(whole, &mut steps).expect("no fault");
        let mut actual: Vec<(Label, Configuration)> = Vec::new();
        for step in steps {
            actual.push((step.label, system.dense(step.target).expect("no fault").without_idle_bounds()));
        }
        let dense = system.dense_steps(&then).expect("no fault");
        assert_eq!(actual.len(), dense.len(), "after {passed} units of {text}");
        for step in &dense {
            let reached = step.target.without_idle_bounds();
            let is_known = actual.iter().any(|(label, target)| *label == step.label && *target == reached);
            assert!(is_known, "after {passed} units of {text}: {step:?}");
        }
        compare_between(system, &text, &entry, (passed, &then));
    }
}

/// Between two units no step becomes enabled, a delay is possible iff the delay to the next unit is, and delays are
/// additive.
fn compare_between(system: &mut System, text: &str, entry: &Configuration, (passed, then): (u32, &Configuration)) {
    for part in [Time::new(1, 3), Time::new(1, 2), Time::new(5, 7)] {
        let between = system.dense_delay(entry, units(passed) + part).expect("no fault");
        let next = system.dense_delay(entry, units(passed + 1)).expect("no fault");
        assert_eq!(between.is_some(), next.is_some(), "after {passed} + {part} units of {text}");
        let Some(between) = between else { continue };
        assert_eq!(system.dense_delay(then, part).expect("no fault").as_ref(), Some(&between), "additivity of {text}");
        let rest = system.dense_delay(&between, Time::from_integer(1) - part).expect("no fault");
        assert_eq!(rest, next, "additivity of {text}");
        assert_eq!(labels(system, &between), labels(system, then), "after {passed} + {part} units of {text}");
        assert_eq!(between.data, then.data);
    }
}

#[test]
fn delays_disable_no_event() {
    for (context, analyzed) in scripts(100) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        for state in states(&mut system, start) {
            let entry = system.dense(state).expect("no fault");
            let (mut at, mut known) = (entry.clone(), labels(&mut system, &entry));
            while let Some(later) = system.dense_delay(&at, Time::new(1, 2)).expect("no fault") {
                let now = labels(&mut system, &later);
                assert!(known.iter().all(|label| now.contains(label)), "{}\n{context}", system.text(state, 300));
                if later == at {
                    break;
                }
                (at, known) = (later, now);
            }
        }
    }
}

/// Random runs in dense time and in fractions of units, started after some states were explored in whole units: at each
/// moment the same steps are enabled. Configurations in dense time keep the redundant bounds that the engine removes.
#[test]
fn fractions_of_units_agree_with_dense_time() {
    let scripts = scripts(200);
    let walks = (0..).zip(&scripts).map(|(round, (context, analyzed))| compare_in_parts(context, analyzed, round));
    let n_compared: usize = walks.sum();
    assert!(n_compared > 400, "{n_compared}");
}

/// Times that start after an event, with parameters and indices: definitions that were expanded in whole units must be
/// expanded again in fractions.
const DELAYED_TIMES: &[&str] = &[
    "P() = Wait[2]; t -> s -> P(); System() = s -> P();",
    "P(n) = Wait[n + 1]; t -> s -> P(n); System() = s -> P(1);",
    "P(n) = (t -> P(n)) timeout[2 * n] (u -> P(3 - n)); System() = s -> P(1);",
    "P(n) = ((t -> Skip) within[n, n + 1]); s -> P(1); System() = s -> P(2);",
    "P() = (||| i:{1..2} @ (Wait[i]; t.i -> Skip)); s -> P(); System() = s -> P();",
    "var x = 1; P() = case { x == 1: Wait[1]; t -> s -> P() default: Wait[2]; u -> P() }; System() = s{x = 2 - x} -> P();",
];

#[test]
fn delayed_times_agree_in_fractions_of_units() {
    for script in DELAYED_TIMES {
        let text = format!("{script}\n#assert System() deadlockfree;");
        let (context, analyzed) = (format!("TEST_SEED={}\n{text}", seed()), read(&text));
        let n_compared: usize = (0..60).map(|round| compare_in_parts(&context, &analyzed, round)).sum();
        assert!(n_compared > 100, "{n_compared} in {context}");
    }
}

/// Runs in dense time and in fractions of units; the number of compared moments.
fn compare_in_parts(context: &str, analyzed: &Analyzed, round: u64) -> usize {
    let mut random = Random::new(seed().wrapping_add(round));
    let (mut dense, mut system) = (System::new(&analyzed.resolved.code), System::new(&analyzed.resolved.code));
    let process = analyzed.resolved.assertions[0].process;
    let (start, same) = (dense.start(process), system.start(process));
    assert_eq!(states(&mut dense, start), states(&mut system, same), "{context}");
    let (mut n_parts, mut n_compared) = (1, 0);
    let mut at = (dense.dense(start).expect("no fault"), same);
    for _ in 0..8 {
        if n_parts < 12 && random.below(3) == 0 {
            let factor = 2 + random.below(2) as u32;
            assert!(system.cut_units(factor), "{context}");
            n_parts *= factor;
            assert_eq!(system.parts_per_unit(), n_parts);
        }
        n_compared += 1;
        let Some(next) = compare_step(context, &mut dense, &mut system, &at, n_parts, &mut random) else { break };
        at = next;
    }
    n_compared
}

/// Delays both systems alike, compares the enabled steps, and takes one.
fn compare_step(
    context: &str,
    dense: &mut System,
    system: &mut System,
    at: &(Configuration, State),
    n_parts: u32,
    random: &mut Random,
) -> Option<(Configuration, State)> {
    let text = format!("{} with {n_parts} parts in a unit, in\n{context}", system.text(at.1, 300));
    let parts = random.below(3 * n_parts as usize + 1) as u32;
    let later = dense.dense_delay(&at.0, Time::new(parts.into(), n_parts.into())).expect("no fault");
    let after = system.after(at.1, parts).expect("no fault");
    assert_eq!(later.is_some(), after.is_some(), "after {parts} parts of {text}");
    let (now, here) = (later.unwrap_or_else(|| at.0.clone()), after.unwrap_or(at.1));
    let (mut dense_steps, mut steps) = (dense.dense_steps(&now).expect("no fault"), Vec::new());
    system.immediate(here, &mut steps).expect("no fault");
    let name = |system: &System, label: Label| match label {
        Label::TAU | Label::TICK => format!("{label:?}"),
        label => system.events().text(model::EventId(label.0 - 2)).to_owned(),
    };
    let names = |system: &System, labels: &mut dyn Iterator<Item = Label>| {
        let mut names: Vec<String> = labels.map(|label| name(system, label)).collect();
        names.sort();
        names
    };
    let (actual, expected) =
        (names(system, &mut steps.iter().map(|s| s.label)), names(dense, &mut dense_steps.iter().map(|s| s.label)));
    assert_eq!(actual, expected, "after {parts} parts of {text}");
    // Only steps whose name is unique are chosen, so that both systems take the same one.
    let is_unambiguous = |chosen: &&String| actual.iter().filter(|other| other == chosen).count() == 1;
    let unambiguous: Vec<&String> =
        actual.iter().filter(is_unambiguous).filter(|chosen| **chosen != format!("{:?}", Label::TICK)).collect();
    if unambiguous.is_empty() {
        return None;
    }
    let chosen = unambiguous[random.below(unambiguous.len())];
    let step = steps.iter().find(|step| name(system, step.label) == *chosen)?;
    let dense_step = dense_steps.iter().position(|step| name(dense, step.label) == *chosen)?;
    Some((dense_steps.swap_remove(dense_step).target, step.target))
}

/// A location with values of its clocks.
type Valued = (State, Vec<i32>);

#[test]
fn locations_with_clocks_agree_with_states() {
    for (context, analyzed) in scripts(150) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let first = system.first_location(start).expect("no fault");
        let location = system.location(first).expect("no fault");
        let mut visited: HashSet<Valued> = HashSet::from([(first, vec![0; location.n_clocks])]);
        let mut open: Vec<Valued> = visited.iter().cloned().collect();
        while let Some(next) = open.pop() {
            if visited.len() > 4 * MAX_COMPARED {
                break;
            }
            for valued in compare_location(&context, &mut system, &next) {
                if visited.insert(valued.clone()) {
                    open.push(valued);
                }
            }
        }
    }
}

/// Compares the steps of a location and valuation with those of the state that it represents; the successors, delays
/// included.
fn compare_location(context: &str, system: &mut System, (at, values): &Valued) -> Vec<Valued> {
    let location = system.location(*at).expect("no fault");
    let state = system.at_values(*at, values);
    let text = format!("{} at {values:?} in\n{context}", system.text(*at, 300));
    let mut actual: Vec<(Label, State)> = Vec::new();
    let mut next = Vec::new();
    let holds = |guard: &[(csp_sharp_runtime::code::ClockId, i32)]| {
        guard.iter().all(|&(clock, least)| values[usize::from(clock.0)] >= least)
    };
    for edge in location.edges.iter().filter(|edge| holds(&edge.guard)) {
        let sources = edge.sources.iter();
        let after: Vec<i32> = sources.map(|source| source.map_or(0, |clock| values[usize::from(clock.0)])).collect();
        actual.push((edge.label, system.at_values(edge.target, &after)));
        next.extend((edge.label != Label::TICK).then_some((edge.target, after)));
    }
    let mut steps = Vec::new();
    system.immediate(state, &mut steps).expect("no fault");
    let mut expected: Vec<(Label, State)> = steps.iter().map(|step| (step.label, step.target)).collect();
    // Components may terminate in several dense_steps; the whole process terminates once.
    for all in [&mut actual, &mut expected] {
        all.sort_unstable();
        all.dedup_by(|one, other| one == other && one.0 == Label::TICK);
    }
    assert_eq!(actual, expected, "{text}");
    let may_wait = may_wait(&location, values, holds);
    let later = system.after(state, 1).expect("no fault");
    assert_eq!(may_wait, later.is_some(), "{text}");
    if let Some(later) = later {
        let longer: Vec<i32> = values.iter().map(|value| value + 1).collect();
        assert_eq!(system.at_values(*at, &longer), later, "{text}");
        next.extend((longer.iter().all(|&value| value < 8)).then_some((*at, longer)));
    }
    next
}

fn may_wait(
    location: &Location,
    values: &[i32],
    holds: impl Fn(&[(csp_sharp_runtime::code::ClockId, i32)]) -> bool,
) -> bool {
    let is_up = |&(clock, most): &(csp_sharp_runtime::code::ClockId, i32)| values[usize::from(clock.0)] >= most;
    !location.urgent.iter().any(|guard| holds(guard)) && !location.bounds.iter().any(is_up)
}
