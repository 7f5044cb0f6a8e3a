//! The evaluator beside CPython: the same algorithm, the same size, the same answer.

use super::Bench;
use super::measure::{Usage, is_there, measure, median};
use super::record::{Record, Row};
use std::path::Path;

/// Workload and size: each about half a second of Python or more, so that starting up does not count.
const WORKLOADS: &[(&str, u32)] = &[
    ("fibonacci", 32),
    ("tuples", 1000),
    ("sorting", 100_000),
    ("searching", 100_000),
    ("paths", 200_000),
    ("strings", 1_000_000),
    ("queens", 10),
];

/// Runs every workload in both languages.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let python = Path::new("python3");
    let has_python = is_there(python);
    if !has_python {
        println!("evaluator: python3 is not there, so there is nothing to compare with");
    }
    println!("evaluator: user seconds, median of {}", bench.repeat);
    println!("{:<12} {:>9} {:>12} {:>12} {:>8}", "workload", "n", "tracehound", "python3", "times");
    let mut slowest = f64::INFINITY;
    for &(workload, n) in WORKLOADS.iter().filter(|(workload, _)| bench.wants(workload)) {
        let folder = bench.root.join("bench/evaluator");
        let script = folder.join(format!("{workload}.csp")).display().to_string();
        let twin = folder.join(format!("{workload}.py")).display().to_string();
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        // In turns, so that a busy moment of the machine meets both.
        for _ in 0..bench.repeat {
            ours.push(measure(&bench.tool, &["eval", &script, &format!("run({n})")], &[0])?);
            if has_python {
                theirs.push(measure(python, &[&twin, &n.to_string()], &[0])?);
            }
        }
        same_answer(workload, &ours, &theirs)?;
        let seconds = record.add(Row::new("evaluator", workload, n.into(), "tracehound", &ours));
        if theirs.is_empty() {
            println!("{workload:<12} {n:>9} {seconds:>12.3} {:>12} {:>8}", "-", "-");
            continue;
        }
        let python_seconds = record.add(Row::new("evaluator", workload, n.into(), "python3", &theirs));
        let times = python_seconds / seconds;
        slowest = slowest.min(times);
        println!("{workload:<12} {n:>9} {seconds:>12.3} {python_seconds:>12.3} {times:>7.1}x");
    }
    if slowest.is_finite() {
        println!("at least {slowest:.1} times as fast as python3\n");
    }
    Ok(())
}

fn same_answer(workload: &str, ours: &[Usage], theirs: &[Usage]) -> Result<(), String> {
    let mut answers: Vec<&str> = ours.iter().chain(theirs).map(|run| run.output.as_str()).collect();
    answers.sort_unstable();
    answers.dedup();
    match answers.len() {
        1 => Ok(()),
        _ => Err(format!("{workload}: the answers differ: {}", answers.join(" and "))),
    }
}

impl Row {
    /// A figure about one program on one workload.
    pub fn new(group: &'static str, workload: &str, size: u64, program: &'static str, runs: &[Usage]) -> Row {
        Row {
            group,
            workload: workload.to_owned(),
            size,
            program,
            user: median(runs, |run| run.user),
            wall: median(runs, |run| run.wall),
            peak_memory: median(runs, |run| run.peak_memory),
        }
    }
}
