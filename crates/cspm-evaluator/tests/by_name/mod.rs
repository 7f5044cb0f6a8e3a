//! The compiled evaluator against the oracle, on random programs.

use crate::common;
mod loops;
mod programs;
mod reference;

use common::analyze;
use cspm::syntax::Decl;
use cspm_evaluator::{Evaluator, Limits};
use loops::Loops;
use process::Terms;
use programs::Programs;
use reference::{Reference, Stop};
use source::render;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

/// Programs that are tried.
const N_PROGRAMS: u64 = 1500;
/// So much may be computed by name for one of them.
const STEPS: u64 = 60_000;

/// How a comparison ended.
#[derive(PartialEq, Eq)]
enum Compared {
    Value,
    Error,
    /// By name it takes too long, or the program makes no sense.
    Nothing,
}

fn compare(seed: u64, script: &str) -> Compared {
    let script = script.to_owned();
    let analyzed = analyze(&MemoryFiles::of("random.csp", script.clone()), "random.csp");
    if analyzed.has_errors() {
        let complaints: Vec<String> =
            analyzed.diagnostics.iter().map(|diagnostic| render::plain(&analyzed.map, diagnostic)).collect();
        panic!("program {seed} makes no sense:\n{script}\n{}", complaints.join("\n"));
    }
    let declarations = analyzed.declarations();
    let Some(&&Decl::Print(expr, _)) = declarations.iter().find(|decl| matches!(decl, Decl::Print(..))) else {
        panic!("program {seed} computes nothing");
    };
    let mut by_name = Reference { resolved: &analyzed.resolved, steps_left: STEPS };
    let expected = match by_name.text(expr) {
        Err(Stop::TooLong) => return Compared::Nothing,
        other => other,
    };
    let mut evaluator = Evaluator::new(&analyzed.resolved, &analyzed.types, Limits::generous());
    let mut terms = Terms::default();
    let found = evaluator.value(&mut terms, expr).and_then(|value| evaluator.show(&mut terms, &value));
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            let found: String = found.chars().filter(|char| *char != ' ').collect();
            assert_eq!(expected, found, "program {seed}:\n{script}");
            Compared::Value
        }
        (Err(_), Err(_)) => Compared::Error,
        (Ok(expected), Err(error)) => {
            panic!("program {seed} has the value {expected}:\n{script}\n{}", render::plain(&analyzed.map, &error))
        }
        (Err(_), Ok(found)) => panic!("program {seed} has no value, but came to {found}:\n{script}"),
    }
}

/// Compares the programs of as many seeds.
fn compare_all(script: fn(&mut Random) -> String) {
    let first = seed();
    let work = move || {
        let one = |number: u64| {
            let seed = first.wrapping_add(number);
            compare(seed, &script(&mut Random::new(seed)))
        };
        let outcomes: Vec<Compared> = (0..N_PROGRAMS).map(one).collect();
        let count = |kind: Compared| outcomes.iter().filter(|outcome| **outcome == kind).count() as u64;
        let (values, errors) = (count(Compared::Value), count(Compared::Error));
        assert!(values > N_PROGRAMS / 3 && errors > N_PROGRAMS / 50, "{values} values, {errors} errors");
    };
    // By name everything nests.
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(work).expect("there is room for a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn random_programs_have_the_values_they_have_by_name() {
    compare_all(|random| Programs::new(random).script());
}

#[test]
fn random_loops_have_the_values_they_have_by_name() {
    compare_all(|random| Loops { random }.script());
}
