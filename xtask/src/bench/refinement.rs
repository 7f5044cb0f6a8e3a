//! Searches of whole state spaces beside Spin: the same systems, the same number of states.
//!
//! Our side is the whole run on one thread, from reading the script to the verdict. Spin's side is the run of the verifier
//! that it generates, without the time to generate and compile it.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure, median, succeed};
use super::record::{Record, Row};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const WORKLOADS: &[&str] = &["philosophers", "scheduler", "solitaire", "timers", "cogs"];
/// Every state, exactly, also beyond deadlocks: no reduction, a stack that is deep enough, a hash table that fits.
const COMPILER: &[&str] = &["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
pub const VERIFIER: &[&str] = &["-E", "-m1000000", "-w22"];
/// Our exit code when all assertions hold.
const HOLDS: i32 = 0;
/// All states are searched, without any reduction.
const ARGUMENTS: [&str; 5] = ["check", "--format", "json", "--engine", "explicit"];

/// Runs every workload in both tools.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let has_spin = can_run("spin", "-V") && can_run("gcc", "--version");
    if !has_spin {
        println!("refinement: spin and gcc are not there, so there is nothing to compare with");
    }
    println!("refinement: whole state spaces on one thread, CPU seconds, median of {}", bench.repeat);
    println!(
        "{:<14} {:>10} {:>11} {:>11} {:>11} {:>11} {:>7} {:>10}",
        "workload", "states", "tracehound", "states/s", "spin", "states/s", "times", "all cores"
    );
    for &workload in WORKLOADS.iter().filter(|workload| bench.wants(workload)) {
        compare(bench, record, workload, has_spin)?;
    }
    println!("all cores: how many times less we wait than on one thread\n");
    Ok(())
}

fn compare(bench: &Bench, record: &mut Record, workload: &'static str, has_spin: bool) -> Result<(), String> {
    let script = bench.root.join(format!("bench/refinement/{workload}.csp")).display().to_string();
    // What has priorities has no counterpart in Promela.
    let model = bench.root.join(format!("bench/refinement/{workload}.pml"));
    let verifier = if has_spin && model.exists() { Some(build_verifier(bench, workload, &model, &[])?) } else { None };
    let (mut ours, mut shared, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    // In turns, so that a busy moment of the machine meets all.
    for _ in 0..bench.repeat {
        ours.push(measure(&bench.tool, &[&ARGUMENTS[..], &["--threads", "1", &script]].concat(), &[HOLDS])?);
        shared.push(measure(&bench.tool, &[&ARGUMENTS[..], &[&script]].concat(), &[HOLDS])?);
        if let Some(verifier) = &verifier {
            theirs.push(measure(verifier, VERIFIER, &[0])?);
        }
    }
    let n_states = our_states(&ours[0]).ok_or_else(|| format!("{workload}: no number of states in our answer"))?;
    if let Some(run) = theirs.first() {
        let their_states =
            spin_states(run).ok_or_else(|| format!("{workload}: no number of states in Spin's answer"))?;
        if n_states != their_states {
            return Err(format!("{workload}: we have {n_states} states, Spin has {their_states}"));
        }
    }
    let wall = |runs: &[Usage]| median(runs, |run| run.wall).as_secs_f64();
    let seconds = cpu_seconds(&ours);
    print!("{workload:<14} {n_states:>10} {seconds:>11.3} {:>11.0}", n_states as f64 / seconds);
    record.add(Row::new("refinement", workload, n_states, "tracehound", &ours));
    if theirs.is_empty() {
        print!(" {:>11} {:>11} {:>7}", "-", "-", "-");
    } else {
        let spin_seconds = cpu_seconds(&theirs);
        let times = spin_seconds / seconds;
        print!(" {spin_seconds:>11.3} {:>11.0} {times:>6.1}x", n_states as f64 / spin_seconds);
        record.add(Row::new("refinement", workload, n_states, "spin", &theirs));
    }
    println!(" {:>9.2}x", wall(&ours) / wall(&shared));
    Ok(())
}

/// Generates and compiles Spin's verifier for a workload with constants like `-DN=3`, beside our binary.
pub fn build_verifier(bench: &Bench, workload: &str, model: &Path, constants: &[String]) -> Result<PathBuf, String> {
    let folder = bench.tool.with_file_name("spin").join(workload);
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    succeed(Command::new("spin").args(constants).arg("-a").arg(model).current_dir(&folder))?;
    succeed(Command::new("gcc").args(COMPILER).current_dir(&folder))?;
    Ok(folder.join("pan"))
}

pub fn can_run(program: &str, argument: &str) -> bool {
    succeed(Command::new(Path::new(program)).arg(argument)).is_ok()
}

pub fn our_states(run: &Usage) -> Option<u64> {
    let answer: Value = serde_json::from_str(&run.output).ok()?;
    answer["assertions"][0]["stats"]["states"].as_u64()
}

pub fn spin_states(run: &Usage) -> Option<u64> {
    let line = run.output.lines().find(|line| line.ends_with("states, stored"))?;
    line.split_whitespace().next()?.parse().ok()
}
