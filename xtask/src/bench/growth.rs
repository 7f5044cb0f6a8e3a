//! How the time grows with the size.
//!
//! Each workload runs at n, 2n and 4n. Twice the size should take about twice the time where the algorithm is linear
//! (a little more with a logarithm), and about four times where something is quadratic. The time of an empty run is
//! taken off, so that starting up does not hide the growth.

use super::Bench;
use super::measure::{measure_often, median};
use super::record::{Record, Row};
use std::time::Duration;

/// Folder, workload and smallest size.
const WORKLOADS: &[(&str, &str, u32)] = &[
    ("growth", "append", 100_000),
    ("growth", "queue", 100_000),
    ("growth", "maps", 50_000),
    ("growth", "unions", 50_000),
    ("growth", "recursion", 250_000),
    ("growth", "members", 100_000),
    ("growth", "text", 100_000),
    ("evaluator", "sorting", 25_000),
    ("evaluator", "searching", 25_000),
    ("evaluator", "paths", 50_000),
    ("evaluator", "strings", 250_000),
];

/// From here on, twice the size costs so much more that something is quadratic: the middle between 2 and 4, as a power.
const SUSPICIOUS: f64 = 2.83;

/// Runs every workload at three sizes; one that grows too fast is an error, after all have run.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    println!("growth: user seconds, median of {}", bench.repeat);
    println!("{:<12} {:>9} {:>10} {:>10} {:>10} {:>8}", "workload", "n", "n", "2n", "4n", "2n to 4n");
    let mut too_fast = Vec::new();
    for &(folder, workload, n) in WORKLOADS.iter().filter(|(_, workload, _)| bench.wants(workload)) {
        let script = bench.root.join(format!("bench/{folder}/{workload}.csp")).display().to_string();
        let empty = measure_often(&bench.tool, &["eval", &script, "0"], bench.repeat)?;
        let start_up = median(&empty, |run| run.user);
        let mut seconds = Vec::new();
        for size in [n, 2 * n, 4 * n] {
            let runs = measure_often(&bench.tool, &["eval", &script, &format!("run({size})")], bench.repeat)?;
            let total = record.add(Row::new("growth", workload, size.into(), "tracehound", &runs));
            seconds.push((total - start_up.as_secs_f64()).max(Duration::from_millis(1).as_secs_f64()));
        }
        let factor = seconds[2] / seconds[1];
        println!("{workload:<12} {n:>9} {:>10.3} {:>10.3} {:>10.3} {factor:>7.2}x", seconds[0], seconds[1], seconds[2]);
        if factor > SUSPICIOUS {
            too_fast.push(workload);
        }
    }
    println!();
    if too_fast.is_empty() { Ok(()) } else { Err(format!("grows too fast: {}", too_fast.join(", "))) }
}
