//! Assertions about systems with very many states, most of which need not be looked at.
//!
//! A figure is a whole run on one thread, from reading the script to the verdict, which must be the right one.

use super::Bench;
use super::measure::{cpu_seconds, measure};
use super::record::{Record, Row};
use super::refinement::our_states;

/// A name, a script with the number of an assertion, and the exit code of the right verdict.
const WORKLOADS: &[(&str, (&str, &str), i32)] = &[
    ("habit", ("philosophers", "1"), 1),
    ("polite", ("philosophers", "2"), 0),
    ("polite-fd", ("philosophers", "3"), 0),
    ("meals", ("philosophers", "4"), 1),
    ("butler", ("butler", "1"), 0),
    ("readers", ("readers", "1"), 0),
];

/// Runs every workload.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    println!("reductions: systems with very many states, CPU seconds on one thread, median of {}", bench.repeat);
    println!("{:<14} {:>10} {:>11}", "workload", "states", "tracehound");
    for &(workload, (script, assertion), verdict) in WORKLOADS.iter().filter(|(workload, ..)| bench.wants(workload)) {
        let script = bench.root.join(format!("bench/reductions/{script}.csp")).display().to_string();
        let arguments = ["check", "--format", "json", "--threads", "1", "--assert", assertion, &script];
        let runs = (0..bench.repeat).map(|_| measure(&bench.tool, &arguments, &[verdict]));
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let n_states = our_states(&runs[0]).ok_or_else(|| format!("{workload}: no number of states in our answer"))?;
        println!("{workload:<14} {n_states:>10} {:>11.3}", cpu_seconds(&runs));
        record.add(Row::new("reductions", workload, n_states, "tracehound", &runs));
    }
    println!();
    Ok(())
}
