//! Temporal formulas under fairness, beside Spin where it is weak: the same systems, the same claims.
//!
//! Our side is the whole run, from reading the script to the verdict. Spin's side is the run of the verifier that it generates,
//! without the time to generate and compile it.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure, median, succeed};
use super::record::{Record, Row};
use super::refinement::{can_run, our_states};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A system at a size, and what is claimed of it.
struct Workload {
    name: &'static str,
    size: u32,
    process: &'static str,
    /// A notion of fairness.
    notion: &'static str,
    /// Holds under it.
    fair: &'static str,
    /// Holds without.
    plain: &'static str,
    /// Whether Spin is asked, too.
    beside_spin: bool,
}

/// The notion that Spin has, too.
const WEAK: &str = "process-weak";

const WORKLOADS: &[Workload] = &[
    Workload {
        name: "leader",
        size: 8,
        process: "RING",
        notion: WEAK,
        fair: "F [leader]",
        plain: "F [leader]",
        beside_spin: true,
    },
    Workload {
        name: "peterson",
        size: 4,
        process: "LOCK",
        notion: WEAK,
        fair: "G([try.0] => F [enter.0])",
        plain: "G F [enter]",
        beside_spin: true,
    },
    Workload {
        name: "peterson",
        size: 5,
        process: "LOCK",
        notion: WEAK,
        fair: "G([try.0] => F [enter.0])",
        plain: "G F [enter]",
        beside_spin: true,
    },
    // So large that several workers should pay.
    Workload {
        name: "leader",
        size: 10,
        process: "RING",
        notion: WEAK,
        fair: "F [leader]",
        plain: "F [leader]",
        beside_spin: false,
    },
    // The same with components of half a million states, which strong fairness takes apart.
    Workload {
        name: "clients",
        size: 17,
        process: "CLIENTS",
        notion: "process-strong",
        fair: "G([want.0] => F [enter.0])",
        plain: "G F [want]",
        beside_spin: false,
    },
];

/// Every state, no reduction, acceptance cycles under weak fairness.
const COMPILER: &[&str] = &["-O2", "-w", "-DNOREDUCE", "-DNFAIR=3", "-o", "pan", "pan.c"];
const VERIFIER: &[&str] = &["-a", "-f", "-m1000000", "-w24"];
/// Our exit code when all assertions hold.
const HOLDS: i32 = 0;

/// Runs every workload in both tools.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let has_spin = can_run("spin", "-V") && can_run("gcc", "--version");
    if !has_spin {
        println!("temporal: spin and gcc are not there, so there is nothing to compare with");
    }
    println!("temporal: formulas under fairness of processes, CPU seconds on one thread, median of {}", bench.repeat);
    println!(
        "{:<12} {:>9} {:>11} {:>9} {:>7} {:>13} {:>10}",
        "workload", "states", "tracehound", "spin -f", "times", "fair / plain", "all cores"
    );
    for workload in WORKLOADS.iter().filter(|workload| bench.wants(workload.name)) {
        compare(bench, record, workload, has_spin && workload.beside_spin)?;
    }
    println!(
        "fair / plain: a formula that holds anyway, with fairness and without; all cores: how many times less we wait\n"
    );
    Ok(())
}

fn compare(bench: &Bench, record: &mut Record, workload: &Workload, has_spin: bool) -> Result<(), String> {
    let script = write_script(bench, workload)?.display().to_string();
    let verifier = if has_spin { Some(build_verifier(bench, workload)?) } else { None };
    let ask = |formula: &str, more: &[&str]| {
        let arguments = ["ltl", "--format", "json", &script, workload.process, formula];
        measure(&bench.tool, &[&arguments[..], more].concat(), &[HOLDS])
    };
    let (alone, fairly) = (["--threads", "1"], ["--fairness", workload.notion]);
    let (mut ours, mut shared, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut with, mut without) = (Vec::new(), Vec::new());
    // In turns, so that a busy moment of the machine meets all.
    for _ in 0..bench.repeat {
        ours.push(ask(workload.fair, &[&alone[..], &fairly[..]].concat())?);
        shared.push(ask(workload.fair, &fairly)?);
        with.push(ask(workload.plain, &[&alone[..], &fairly[..]].concat())?);
        without.push(ask(workload.plain, &alone)?);
        if let Some(verifier) = &verifier {
            theirs.push(measure(verifier, VERIFIER, &[0])?);
        }
    }
    if let Some(run) = theirs.iter().find(|run| !run.output.contains("errors: 0")) {
        return Err(format!("{}: Spin does not say that the formula holds: {}", workload.name, run.output));
    }
    let n_states = our_states(&ours[0]).ok_or_else(|| format!("{}: no number of states", workload.name))?;
    let name = format!("{} {}", workload.name, workload.size);
    let (seconds, wall) = (cpu_seconds(&ours), |runs: &[Usage]| median(runs, |run| run.wall).as_secs_f64());
    print!("{name:<12} {n_states:>9} {seconds:>11.3}");
    record.add(Row::new("temporal", &name, n_states, "tracehound", &ours));
    if theirs.is_empty() {
        print!(" {:>9} {:>7}", "-", "-");
    } else {
        let spin_seconds = cpu_seconds(&theirs);
        print!(" {spin_seconds:>9.3} {:>6.1}x", spin_seconds / seconds);
        record.add(Row::new("temporal", &name, n_states, "spin", &theirs));
    }
    println!(" {:>12.2}x {:>9.2}x", cpu_seconds(&with) / cpu_seconds(&without), wall(&ours) / wall(&shared));
    Ok(())
}

/// The script at the size of the workload.
fn write_script(bench: &Bench, workload: &Workload) -> Result<PathBuf, String> {
    let source = bench.root.join(format!("bench/temporal/{}.csp", workload.name));
    let text =
        std::fs::read_to_string(&source).map_err(|error| format!("cannot read {}: {error}", source.display()))?;
    let is_size = |line: &&str| line.starts_with("N = ");
    let line = text.lines().find(is_size).ok_or_else(|| format!("{}: no line `N = ...`", source.display()))?;
    let folder = folder(bench, workload)?;
    let path = folder.join(format!("{}.csp", workload.name));
    let sized = text.replacen(line, &format!("N = {}", workload.size), 1);
    std::fs::write(&path, sized).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// Generates and compiles Spin's verifier for a workload, beside our binary.
fn build_verifier(bench: &Bench, workload: &Workload) -> Result<PathBuf, String> {
    let folder = folder(bench, workload)?;
    let model = bench.root.join(format!("bench/temporal/{}.pml", workload.name));
    let size = format!("-DN={}", workload.size);
    succeed(Command::new("spin").arg("-a").arg(size).arg(&model).current_dir(&folder))?;
    succeed(Command::new("gcc").args(COMPILER).current_dir(&folder))?;
    Ok(folder.join("pan"))
}

fn folder(bench: &Bench, workload: &Workload) -> Result<PathBuf, String> {
    let folder: &Path = &bench.tool.with_file_name("temporal").join(format!("{}-{}", workload.name, workload.size));
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder.to_owned())
}
