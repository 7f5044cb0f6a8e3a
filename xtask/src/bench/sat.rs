//! Puzzles and protocols that a SAT solver is asked about, beside the search of all states.
//!
//! A row of `expected.tsv` is one run of each engine with limits, as anybody would run the tool. A wrong verdict fails the group; one that did not come
//! in time is shown as a dash.

use super::Bench;
use super::measure::{cpu_seconds, measure};
use super::models::{EXIT_CODES, Models, Notation, answer, fields, name};
use super::record::{Record, Row};

const LIMITS: [&str; 6] = ["--time-limit", "60", "--memory-limit", "8G", "--threads", "2"];
const ENGINES: [&str; 5] = ["explicit", "bmc", "induction", "pdr", "auto"];
/// What the last one may lose against the best of the others: so many times as long, and so many seconds.
const MAX_FACTOR: f64 = 2.0;
const MAX_MORE: f64 = 1.0;

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let models = models_of(bench)?;
    println!("sat: verdicts, one run each, with 60 s, 8 GB and two threads; CPU seconds");
    println!("| table | model | assertion | verdict | paper | {} |", ENGINES.join(" | "));
    println!("|---|---|---|---|---|{}", "---|".repeat(ENGINES.len()));
    let (mut n_wrong, mut slow) = (0, Vec::new());
    for row in models.table()?.lines() {
        let compared = run_row(bench, record, &models, row)?;
        n_wrong += compared.n_wrong;
        slow.extend(compared.is_slow().then_some(compared.model));
    }
    println!();
    match slow.len() {
        0 => println!(
            "auto takes at most {MAX_FACTOR} times as long as the best engine and {MAX_MORE} s more, everywhere"
        ),
        n_slow => println!("auto takes longer in {n_slow} rows: {}", slow.join(", ")),
    }
    println!();
    if n_wrong > 0 { Err(format!("sat: {n_wrong} verdicts are wrong")) } else { Ok(()) }
}

/// The models of `bench/sat`.
pub fn models_of(bench: &Bench) -> Result<Models<'_>, String> {
    Models::new(bench, "sat", Notation { before: "", behind: " = ", end: '\n' })
}

/// What engines came to.
#[derive(Default)]
struct Compared {
    model: String,
    n_wrong: usize,
    /// The seconds from start to end of those that had the answer, by engine.
    seconds: Vec<Option<f64>>,
}

impl Compared {
    /// Whether the last one takes longer than it may, or has no answer where others do.
    fn is_slow(&self) -> bool {
        let Some((auto, others)) = self.seconds.split_last() else { return false };
        let best = others.iter().flatten().fold(f64::INFINITY, |best, &seconds| best.min(seconds));
        auto.map_or(best.is_finite(), |auto| auto > MAX_FACTOR * best + MAX_MORE)
    }
}

/// Runs all engines, if the row is asked for.
fn run_row(bench: &Bench, record: &mut Record, models: &Models<'_>, row: &str) -> Result<Compared, String> {
    let [file, constants, assertion, frequency, expected, seconds, table] = fields(row)?;
    if !models.wants(file, constants) {
        return Ok(Compared::default());
    }
    let (model, script) = (name(file, constants), models.instance(file, constants)?);
    let mut compared = Compared { model: model.clone(), ..Compared::default() };
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
        compared.n_wrong += usize::from(is_wrong);
        compared.seconds.push((verdict == expected).then_some(run.wall.as_secs_f64()));
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
    Ok(compared)
}
