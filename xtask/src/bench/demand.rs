//! Components that have no end, or millions of states, on their own, and few beside their partners; and other questions that few states
//! answer.

use super::Bench;
use super::measure::{cpu_seconds, measure};
use super::record::{Record, Row};
use super::refinement::our_states;

const WORKLOADS: &[&str] = &["beside", "counter", "early", "intruder", "laws", "product"];
/// Our exit code when all assertions hold.
const HOLDS: i32 = 0;

/// Decides the assertions of every workload on one thread.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    println!("demand: components that are small beside their partners, CPU seconds, median of {}", bench.repeat);
    println!("{:<14} {:>10} {:>11}", "workload", "states", "tracehound");
    for &workload in WORKLOADS.iter().filter(|workload| bench.wants(workload)) {
        let script = bench.root.join(format!("bench/demand/{workload}.csp")).display().to_string();
        let arguments = ["check", "--format", "json", "--threads", "1", "--time-limit", "120", &script];
        let runs: Result<Vec<_>, _> = (0..bench.repeat).map(|_| measure(&bench.tool, &arguments, &[HOLDS])).collect();
        let runs = runs?;
        let n_states = our_states(&runs[0]).ok_or_else(|| format!("{workload}: no number of states in our answer"))?;
        println!("{workload:<14} {n_states:>10} {:>11.3}", cpu_seconds(&runs));
        record.add(Row::new("demand", workload, n_states, "tracehound", &runs));
    }
    println!();
    Ok(())
}
