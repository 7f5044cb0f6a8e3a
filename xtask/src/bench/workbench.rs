//! What people look at: how soon a process is drawn.
//!
//! A figure is a whole run, from reading the script to the picture. Beside it stands how long it takes to write the same system as text,
//! so that the difference is what drawing costs. `cargo run --profile quick -p tracehound-draw --example layout < FILE.aut` tells the
//! time of the layout alone.

use super::Bench;
use super::measure::{cpu_seconds, measure_often, median};
use super::record::{Record, Row};
use std::fs;

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
    Ok(())
}
