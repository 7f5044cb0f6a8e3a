//! Time in several ways: whole units against dense time, and locations with clocks against both.

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

/// States of one script that are compared.
const MAX_COMPARED: usize = 60;
/// Units of time that are let pass in each.
const LONGEST: u32 = 8;

fn read(text: &str) -> Analyzed {
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    assert!(!analyzed.has_errors(), "{text}\n{:?}", analyzed.diagnostics);
    analyzed
}

fn scripts(n_scripts: usize) -> Vec<(String, Analyzed)> {
    let mut random = Random::new(seed());
    let texts = (0..n_scripts).map(|_| TimedScript::random(&mut random, 3).asserting(1, &["System() deadlockfree"]));
    texts.map(|text| (format!("TEST_SEED={}\n{text}", seed()), text)).map(|(told, text)| (told, read(&text))).collect()
}

fn units(units: u32) -> Time {
    Time::from_integer(i64::from(units))
}

/// States that a process reaches, at most so many.
fn states(system: &mut System, start: State) -> Vec<State> {
    let mut all = vec![start];
    let mut next = 0;
    while next < all.len() && all.len() < MAX_COMPARED {
        let mut steps = Vec::new();
        system.steps(all[next], &mut steps).expect("random scripts go right");
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
        system.dense_steps(at).expect("random scripts go right").iter().map(|step| step.label).collect();
    labels.sort_unstable();
    labels
}

#[test]
fn whole_units_are_moments_of_dense_time() {
    for (told, analyzed) in scripts(150) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        for state in states(&mut system, start) {
            compare_state(&told, &mut system, state);
        }
    }
}

fn compare_state(told: &str, system: &mut System, state: State) {
    let entry = system.dense(state).expect("it has begun");
    let text = format!("{} in\n{told}", system.text(state, 300));
    for passed in 0..LONGEST {
        let then = system.dense_delay(&entry, units(passed)).expect("nothing goes wrong");
        let whole = system.after(state, passed).expect("the same");
        assert_eq!(then.is_some(), whole.is_some(), "after {passed} units of {text}");
        let (Some(then), Some(whole)) = (then, whole) else { break };
        let begun = system.dense(whole).expect("the same");
        assert_eq!(then.without_idle_bounds(), begun.without_idle_bounds(), "after {passed} units of {text}");
        let mut steps = Vec::new();
        system.immediate(whole, &mut steps).expect("the same");
        let mut ours: Vec<(Label, Configuration)> = Vec::new();
        for step in steps {
            ours.push((step.label, system.dense(step.target).expect("the same").without_idle_bounds()));
        }
        let dense = system.dense_steps(&then).expect("the same");
        assert_eq!(ours.len(), dense.len(), "after {passed} units of {text}");
        for step in &dense {
            let reached = step.target.without_idle_bounds();
            let is_known = ours.iter().any(|(label, target)| *label == step.label && *target == reached);
            assert!(is_known, "after {passed} units of {text}: {step:?}");
        }
        compare_between(system, &text, &entry, (passed, &then));
    }
}

/// Between two units nothing becomes possible, time passes iff it passes to the next unit, and it makes no difference how it is cut.
fn compare_between(system: &mut System, text: &str, entry: &Configuration, (passed, then): (u32, &Configuration)) {
    for part in [Time::new(1, 3), Time::new(1, 2), Time::new(5, 7)] {
        let between = system.dense_delay(entry, units(passed) + part).expect("nothing goes wrong");
        let next = system.dense_delay(entry, units(passed + 1)).expect("the same");
        assert_eq!(between.is_some(), next.is_some(), "after {passed} + {part} units of {text}");
        let Some(between) = between else { continue };
        assert_eq!(system.dense_delay(then, part).expect("the same").as_ref(), Some(&between), "additivity of {text}");
        let rest = system.dense_delay(&between, Time::from_integer(1) - part).expect("the same");
        assert_eq!(rest, next, "additivity of {text}");
        assert_eq!(labels(system, &between), labels(system, then), "after {passed} + {part} units of {text}");
        assert_eq!(between.data, then.data);
    }
}

#[test]
fn time_withdraws_no_offer() {
    for (told, analyzed) in scripts(100) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        for state in states(&mut system, start) {
            let entry = system.dense(state).expect("it has begun");
            let (mut at, mut known) = (entry.clone(), labels(&mut system, &entry));
            while let Some(later) = system.dense_delay(&at, Time::new(1, 2)).expect("nothing goes wrong") {
                let now = labels(&mut system, &later);
                assert!(known.iter().all(|label| now.contains(label)), "{}\n{told}", system.text(state, 300));
                if later == at {
                    break;
                }
                (at, known) = (later, now);
            }
        }
    }
}

/// Runs in dense time, and the same in parts of units, begun when some states are known already: at each moment the same can happen. What the engine leaves
/// out of its states, bounds that say nothing, is there in dense time.
#[test]
fn parts_of_units_are_moments_of_dense_time() {
    let scripts = scripts(200);
    let walks = (0..).zip(&scripts).map(|(round, (told, analyzed))| walk_in_parts(told, analyzed, round));
    let n_moments: usize = walks.sum();
    assert!(n_moments > 400, "{n_moments}");
}

/// Times that begin behind an event, written with parameters and indices: what is made of a definition in whole units is made again in parts.
const LATER: &[&str] = &[
    "P() = Wait[2]; t -> s -> P(); System() = s -> P();",
    "P(n) = Wait[n + 1]; t -> s -> P(n); System() = s -> P(1);",
    "P(n) = (t -> P(n)) timeout[2 * n] (u -> P(3 - n)); System() = s -> P(1);",
    "P(n) = ((t -> Skip) within[n, n + 1]); s -> P(1); System() = s -> P(2);",
    "P() = (||| i:{1..2} @ (Wait[i]; t.i -> Skip)); s -> P(); System() = s -> P();",
    "var x = 1; P() = case { x == 1: Wait[1]; t -> s -> P() default: Wait[2]; u -> P() }; System() = s{x = 2 - x} -> P();",
];

#[test]
fn what_begins_later_begins_in_parts_of_units() {
    for script in LATER {
        let text = format!("{script}\n#assert System() deadlockfree;");
        let (told, analyzed) = (format!("TEST_SEED={}\n{text}", seed()), read(&text));
        let n_moments: usize = (0..60).map(|round| walk_in_parts(&told, &analyzed, round)).sum();
        assert!(n_moments > 100, "{n_moments} in {told}");
    }
}

/// Walks in dense time and in parts of units; the number of moments that were compared.
fn walk_in_parts(told: &str, analyzed: &Analyzed, round: u64) -> usize {
    let mut random = Random::new(seed().wrapping_add(round));
    let (mut dense, mut system) = (System::new(&analyzed.resolved.code), System::new(&analyzed.resolved.code));
    let process = analyzed.resolved.assertions[0].process;
    let (start, same) = (dense.start(process), system.start(process));
    assert_eq!(states(&mut dense, start), states(&mut system, same), "{told}");
    let (mut n_parts, mut n_moments) = (1, 0);
    let mut at = (dense.dense(start).expect("it has begun"), same);
    for _ in 0..8 {
        if n_parts < 12 && random.below(3) == 0 {
            let factor = 2 + random.below(2) as u32;
            assert!(system.cut_units(factor), "{told}");
            n_parts *= factor;
            assert_eq!(system.parts_per_unit(), n_parts);
        }
        n_moments += 1;
        let Some(next) = walk_both(told, &mut dense, &mut system, &at, n_parts, &mut random) else { break };
        at = next;
    }
    n_moments
}

/// Lets as much time pass in both as in neither, compares what can happen, and takes a step.
fn walk_both(
    told: &str,
    dense: &mut System,
    system: &mut System,
    at: &(Configuration, State),
    n_parts: u32,
    random: &mut Random,
) -> Option<(Configuration, State)> {
    let text = format!("{} with {n_parts} parts in a unit, in\n{told}", system.text(at.1, 300));
    let parts = random.below(3 * n_parts as usize + 1) as u32;
    let later = dense.dense_delay(&at.0, Time::new(parts.into(), n_parts.into())).expect("nothing goes wrong");
    let after = system.after(at.1, parts).expect("the same");
    assert_eq!(later.is_some(), after.is_some(), "after {parts} parts of {text}");
    let (now, here) = (later.unwrap_or_else(|| at.0.clone()), after.unwrap_or(at.1));
    let (mut ways, mut steps) = (dense.dense_steps(&now).expect("the same"), Vec::new());
    system.immediate(here, &mut steps).expect("the same");
    let name = |system: &System, label: Label| match label {
        Label::TAU | Label::TICK => format!("{label:?}"),
        label => system.events().text(model::EventId(label.0 - 2)).to_owned(),
    };
    let names = |system: &System, labels: &mut dyn Iterator<Item = Label>| {
        let mut names: Vec<String> = labels.map(|label| name(system, label)).collect();
        names.sort();
        names
    };
    let (ours, theirs) =
        (names(system, &mut steps.iter().map(|s| s.label)), names(dense, &mut ways.iter().map(|s| s.label)));
    assert_eq!(ours, theirs, "after {parts} parts of {text}");
    // Where a name says which step is meant, it is taken.
    let is_single = |taken: &&String| ours.iter().filter(|other| other == taken).count() == 1;
    let single: Vec<&String> =
        ours.iter().filter(is_single).filter(|taken| **taken != format!("{:?}", Label::TICK)).collect();
    if single.is_empty() {
        return None;
    }
    let taken = single[random.below(single.len())];
    let step = steps.iter().find(|step| name(system, step.label) == *taken)?;
    let way = ways.iter().position(|step| name(dense, step.label) == *taken)?;
    Some((ways.swap_remove(way).target, step.target))
}

/// A location, and what its clocks show.
type Valued = (State, Vec<i32>);

#[test]
fn locations_with_clocks_do_the_same() {
    for (told, analyzed) in scripts(150) {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let first = system.first_location(start).expect("it has begun");
        let location = system.location(first).expect("nothing goes wrong");
        let mut met: HashSet<Valued> = HashSet::from([(first, vec![0; location.n_clocks])]);
        let mut open: Vec<Valued> = met.iter().cloned().collect();
        while let Some(next) = open.pop() {
            if met.len() > 4 * MAX_COMPARED {
                break;
            }
            for valued in compare_location(&told, &mut system, &next) {
                if met.insert(valued.clone()) {
                    open.push(valued);
                }
            }
        }
    }
}

/// Compares what can happen in a location with given clocks with the state it stands for, and tells where that leads, time included.
fn compare_location(told: &str, system: &mut System, (at, values): &Valued) -> Vec<Valued> {
    let location = system.location(*at).expect("nothing goes wrong");
    let state = system.at_values(*at, values);
    let text = format!("{} at {values:?} in\n{told}", system.text(*at, 300));
    let mut ours: Vec<(Label, State)> = Vec::new();
    let mut next = Vec::new();
    let is_met = |guard: &[(csp_sharp_runtime::code::ClockId, i32)]| {
        guard.iter().all(|&(clock, least)| values[usize::from(clock.0)] >= least)
    };
    for edge in location.edges.iter().filter(|edge| is_met(&edge.guard)) {
        let sources = edge.sources.iter();
        let after: Vec<i32> = sources.map(|source| source.map_or(0, |clock| values[usize::from(clock.0)])).collect();
        ours.push((edge.label, system.at_values(edge.target, &after)));
        next.extend((edge.label != Label::TICK).then_some((edge.target, after)));
    }
    let mut steps = Vec::new();
    system.immediate(state, &mut steps).expect("the same");
    let mut theirs: Vec<(Label, State)> = steps.iter().map(|step| (step.label, step.target)).collect();
    // Members may be able to terminate in several ways; the whole terminates once.
    for all in [&mut ours, &mut theirs] {
        all.sort_unstable();
        all.dedup_by(|one, other| one == other && one.0 == Label::TICK);
    }
    assert_eq!(ours, theirs, "{text}");
    let may_wait = may_wait(&location, values, is_met);
    let later = system.after(state, 1).expect("the same");
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
    is_met: impl Fn(&[(csp_sharp_runtime::code::ClockId, i32)]) -> bool,
) -> bool {
    let is_up = |&(clock, most): &(csp_sharp_runtime::code::ClockId, i32)| values[usize::from(clock.0)] >= most;
    !location.urgent.iter().any(|guard| is_met(guard)) && !location.bounds.iter().any(is_up)
}
