//! What people look at: how soon a process is drawn, and how soon the workbench shows what was asked for.
//!
//! A figure is a whole run, from reading the script to the picture. Beside it stands how long it takes to write the same system as text,
//! so that the difference is what drawing costs. `cargo run --profile quick -p tracehound-draw --example layout < FILE.aut` tells the
//! time of the layout alone.
//!
//! Figures of the page are taken in a browser, where there is one: seconds until something is in sight, as a person waits. NoProgress counts
//! the time of the processor there, so it is told as 0.

use super::Bench;
use super::measure::{cpu_seconds, is_there, measure_often, median};
use super::record::{Record, Row};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A script with a process, and how many states it has.
const PROCESSES: &[(&str, &str, u64)] = &[
    ("examples/night-watch.csp", "TWO_LANTERNS", 54),
    ("examples/mountain-post.csp", "WILD", 312),
    ("bench/workbench/courier.csp", "SERVICE", 3000),
];

/// Draws every process.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let folder = bench.root.join("target/bench");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    println!("workbench: from the script to the picture, CPU seconds, median of {}", bench.repeat);
    println!("{:<14} {:>7} {:>9} {:>9} {:>9}", "process", "states", "draw", "lts", "peak MB");
    for &(script, process, n_states) in PROCESSES.iter().filter(|(_, process, _)| bench.wants(process)) {
        let script = bench.root.join(script).display().to_string();
        let (svg, aut) =
            (folder.join("picture.svg").display().to_string(), folder.join("picture.aut").display().to_string());
        let most = n_states.max(400).to_string();
        let drawn = ["draw", &script, process, "--max-states", &most, "--threads", "1", "-o", &svg];
        let drawn = measure_often(&bench.tool, &drawn, bench.repeat)?;
        let written =
            measure_often(&bench.tool, &["lts", &script, process, "--threads", "1", "-o", &aut], bench.repeat)?;
        println!(
            "{process:<14} {n_states:>7} {:>9.3} {:>9.3} {:>9.0}",
            cpu_seconds(&drawn),
            cpu_seconds(&written),
            median(&drawn, |run| run.peak_memory) as f64 / 1e6
        );
        record.add(Row::new("workbench", &format!("draw {process}"), n_states, "tracehound", &drawn));
        record.add(Row::new("workbench", &format!("lts {process}"), n_states, "tracehound", &written));
    }
    println!();
    if bench.wants("page") { look(bench, record) } else { Ok(()) }
}

/// Opens the workbench in a browser.
fn look(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let page = bench.root.join("crates/serve/page");
    if !page.join("node_modules").exists() || !is_there(Path::new("node")) {
        println!(
            "workbench: the page is not looked at; `npm ci --ignore-scripts` in crates/serve/page, and a Chromium, are needed"
        );
        return Ok(());
    }
    let output = Command::new("node")
        .arg("measure.mjs")
        .current_dir(&page)
        .env("TRACEHOUND", &bench.tool)
        .env("REPEAT", bench.repeat.to_string())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("node cannot be run: {error}"))?;
    if !output.status.success() {
        return Err("the page could not be looked at".to_owned());
    }
    println!("workbench: in a browser, seconds, median of {}", bench.repeat);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let found: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let (Some(workload), Some(size), Some(seconds)) =
            (found["workload"].as_str(), found["size"].as_u64(), found["seconds"].as_f64())
        else {
            return Err(format!("{line} is no figure"));
        };
        let peak_memory = found["bytes"].as_u64().unwrap_or(0);
        println!("{workload:<22} {size:>7} {seconds:>9.4} {:>9.0}", peak_memory as f64 / 1e6);
        record.add(Row {
            group: "workbench",
            workload: workload.to_owned(),
            size,
            program: "chromium",
            user: Duration::ZERO,
            wall: Duration::from_secs_f64(seconds),
            peak_memory,
        });
    }
    println!();
    Ok(())
}
