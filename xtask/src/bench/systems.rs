//! Refinement between ready transition systems beside merc: the same files, the same verdict.
//!
//! The systems are written from scripts first, which is not measured. Each side is a whole run, from reading both files to
//! the verdict. Merc runs twice: as it is, and reducing both systems by bisimulation first; the faster of the two counts.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure, median, succeed};
use super::record::{Record, Row};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A claim about two processes of a script, both with the size as their argument.
struct Workload {
    name: &'static str,
    size: u32,
    script: &'static str,
    specification: &'static str,
    implementation: &'static str,
    models: &'static [&'static str],
}

const ALL: &[&str] = &["T", "F", "FD"];

const WORKLOADS: &[Workload] = &[
    workload("turns", 12, "scheduler", "TURNS", "STARTS", ALL),
    workload("turns", 14, "scheduler", "TURNS", "STARTS", ALL),
    workload("schedule", 8, "scheduler", "SCHEDULE", "TASKS", ALL),
    workload("schedule", 12, "scheduler", "SCHEDULE", "TASKS", ALL),
    workload("cells", 11, "cells", "BUFFER", "CHAIN", ALL),
    workload("table", 10, "philosophers", "HABIT", "HABIT", ALL),
    workload("meals", 6, "philosophers", "HABIT_MEALS", "POLITE_MEALS", ALL),
    workload("meals", 7, "philosophers", "HABIT_MEALS", "POLITE_MEALS", ALL),
    workload("letters", 20, "letters", "AGO", "ANY", &["T"]),
    workload("letters", 22, "letters", "AGO", "ANY", &["T"]),
];

const fn workload(
    name: &'static str,
    size: u32,
    script: &'static str,
    specification: &'static str,
    implementation: &'static str,
    models: &'static [&'static str],
) -> Workload {
    Workload { name, size, script, specification, implementation, models }
}

/// Merc as it is, and with both systems reduced first: its argument, and its name in the record.
const MODES: [(&str, &str); 2] = [("plain", "merc"), ("reduced", "merc-reduced")];
/// A run of this length is not repeated.
const LONG: Duration = Duration::from_secs(2);
/// Our exit codes when a claim holds and when it fails.
const DECIDED: [i32; 2] = [0, 1];

/// Runs every workload in both tools.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let merc = build_merc(bench);
    if merc.is_none() {
        println!("systems: merc does not build, so there is nothing to compare with");
    }
    println!("systems: refinement between files, CPU seconds, median of {}", bench.repeat);
    println!(
        "{:<10} {:>4} {:>5} {:>11} {:>7} {:>10} {:>13} {:>7}",
        "workload", "n", "model", "tracehound", "MB", "merc", "merc reduced", "times"
    );
    for workload in WORKLOADS.iter().filter(|workload| bench.wants(workload.name)) {
        let specification = write_system(bench, workload, workload.specification)?;
        let implementation = write_system(bench, workload, workload.implementation)?;
        for model in workload.models {
            let claim = Claim { workload, model, specification: &specification, implementation: &implementation };
            claim.compare(bench, merc.as_deref(), record)?;
        }
    }
    println!("times: how many times as much the faster way of merc takes\n");
    Ok(())
}

struct Claim<'a> {
    workload: &'a Workload,
    model: &'a str,
    specification: &'a str,
    implementation: &'a str,
}

impl Claim<'_> {
    fn compare(&self, bench: &Bench, merc: Option<&Path>, record: &mut Record) -> Result<(), String> {
        let (mut ours, mut theirs) = (Vec::new(), [Vec::new(), Vec::new()]);
        // In turns, so that a busy moment of the machine meets all.
        for _ in 0..bench.repeat {
            ours.push(measure(
                &bench.tool,
                &["refine", "--model", self.model, self.specification, self.implementation],
                &DECIDED,
            )?);
            for (runs, (mode, _)) in theirs.iter_mut().zip(MODES) {
                let is_long = runs.last().is_some_and(|run: &Usage| run.wall > LONG);
                if let Some(merc) = merc.filter(|_| !is_long) {
                    runs.push(measure(merc, &[mode, self.model, self.specification, self.implementation], &[0])?);
                }
            }
        }
        self.same_verdict(ours.iter().chain(theirs.iter().flatten()))?;
        self.record("tracehound", &ours, record);
        for (runs, (_, program)) in theirs.iter().zip(MODES).filter(|(runs, _)| !runs.is_empty()) {
            self.record(program, runs, record);
        }
        self.print(&ours, &theirs);
        Ok(())
    }

    /// The verdict is the first word of an answer.
    fn same_verdict<'a>(&self, runs: impl Iterator<Item = &'a Usage>) -> Result<(), String> {
        let mut verdicts: Vec<&str> = runs.filter_map(|run| run.output.split_whitespace().next()).collect();
        verdicts.sort_unstable();
        verdicts.dedup();
        match verdicts.as_slice() {
            ["holds"] | ["fails"] => Ok(()),
            _ => {
                let Workload { name, size, .. } = self.workload;
                Err(format!("{name} {size} in {}: the verdicts differ: {}", self.model, verdicts.join(" and ")))
            }
        }
    }

    fn record(&self, program: &'static str, runs: &[Usage], record: &mut Record) {
        let name = format!("{}-{}", self.workload.name, self.model);
        record.add(Row::new("systems", &name, self.workload.size.into(), program, runs));
    }

    fn print(&self, ours: &[Usage], theirs: &[Vec<Usage>; 2]) {
        let Workload { name, size, .. } = self.workload;
        let seconds = cpu_seconds(ours);
        let megabytes = median(ours, |run| run.peak_memory) / 1_000_000;
        print!("{name:<10} {size:>4} {:>5} {seconds:>11.3} {megabytes:>7}", self.model);
        if theirs.iter().any(Vec::is_empty) {
            println!(" {:>10} {:>13} {:>7}", "-", "-", "-");
            return;
        }
        let [plain, reduced] = theirs.each_ref().map(|runs| cpu_seconds(runs));
        println!(" {plain:>10.3} {reduced:>13.3} {:>6.1}x", plain.min(reduced) / seconds);
    }
}

/// Writes the transition system of a process of a script, beside our binary.
fn write_system(bench: &Bench, workload: &Workload, process: &str) -> Result<String, String> {
    let folder = bench.tool.with_file_name("systems");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = folder.join(format!("{process}-{}.aut", workload.size));
    let script = bench.root.join(format!("bench/systems/{}.csp", workload.script));
    let expression = format!("{process}({})", workload.size);
    succeed(Command::new(&bench.tool).arg("lts").arg(script).arg(expression).arg("--output").arg(&path))?;
    Ok(path.display().to_string())
}

/// Builds the program around merc, beside our binary. Cargo says why when it cannot.
fn build_merc(bench: &Bench) -> Option<PathBuf> {
    let target = bench.tool.with_file_name("merc");
    let manifest = bench.root.join("bench/merc/Cargo.toml");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(manifest).arg("--target-dir").arg(&target);
    let is_built = cargo.status().is_ok_and(|status| status.success());
    is_built.then(|| target.join("release").join(format!("merc-bench{}", std::env::consts::EXE_SUFFIX)))
}
