//! Puzzles and protocols that a SAT solver is asked about, beside the search of all states.
//!
//! A row of `expected.tsv` is one run of each engine with limits, as anybody would run the tool. A wrong verdict fails the group; one that did not come
//! in time is shown as a dash.

use super::Bench;
use super::measure::{cpu_seconds, measure};
use super::models::{EXIT_CODES, LIMITS, Models, Notation, answer, fields, name};
use super::record::{Record, Row};

const ENGINES: [&str; 5] = ["explicit", "bmc", "induction", "pdr", "auto"];

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let models = Models::new(bench, "sat", Notation { before: "", behind: " = ", end: '\n' })?;
    println!("sat: verdicts, one run each, with 60 s and 2 GB; CPU seconds");
    println!("| table | model | assertion | verdict | paper | {} |", ENGINES.join(" | "));
    println!("|---|---|---|---|---|{}", "---|".repeat(ENGINES.len()));
    let mut n_wrong = 0;
    for row in models.table()?.lines() {
        n_wrong += run_row(bench, record, &models, row)?;
    }
    println!();
    if n_wrong > 0 { Err(format!("sat: {n_wrong} verdicts are wrong")) } else { Ok(()) }
}

/// Runs all engines, and says how many are wrong.
fn run_row(bench: &Bench, record: &mut Record, models: &Models<'_>, row: &str) -> Result<usize, String> {
    let [file, constants, assertion, frequency, expected, seconds, table] = fields(row)?;
    if !models.wants(file, constants) {
        return Ok(0);
    }
    let (model, script) = (name(file, constants), models.instance(file, constants)?);
    let mut n_wrong = 0;
    let mut cells = Vec::new();
    for engine in ENGINES {
        let mut arguments = vec!["check", "--format", "json", "--assert", assertion, "--engine", engine];
        arguments.extend(LIMITS);
        if engine == "bmc" {
            arguments.extend(["--sat-frequency", frequency]);
        }
        arguments.push(&script);
        let run = measure(&bench.tool, &arguments, EXIT_CODES)?;
        let (verdict, n_states) = answer(&run, assertion).ok_or_else(|| format!("{model}: no answer"))?;
        let is_wrong = verdict != expected && verdict != "unknown";
        n_wrong += usize::from(is_wrong);
        cells.push(match verdict.as_str() {
            "unknown" => "-".to_owned(),
            _ if is_wrong => format!("WRONG: {verdict}"),
            _ => format!("{:.2}", cpu_seconds(std::slice::from_ref(&run))),
        });
        if verdict == expected {
            record.add(Row::new("sat", &format!("{model} {assertion}"), n_states, engine, &[run]));
        }
    }
    println!("| {table} | {model} | {assertion} | {expected} | {seconds} | {} |", cells.join(" | "));
    Ok(n_wrong)
}
