//! Puzzles and protocols that a SAT solver is asked about, beside the search of all states.
//!
//! A row of `expected.tsv` is one run of each engine with limits, as anybody would run the tool. A wrong verdict fails the group; one that did not come
//! in time is shown as a dash.

use super::Bench;
use super::csp_sharp::answer;
use super::measure::{cpu_seconds, measure};
use super::record::{Record, Row};
use std::path::{Path, PathBuf};

/// For one run.
const LIMITS: [&str; 4] = ["--time-limit", "60", "--memory-limit", "8G"];
/// It holds, or fails, or is not decided.
const EXIT_CODES: &[i32] = &[0, 1, 2, 3];
const ENGINES: [&str; 5] = ["explicit", "bmc", "induction", "pdr", "auto"];
/// What the last one may lose against the best of the others: so many times as long, and so many seconds.
const MAX_FACTOR: f64 = 2.0;
const MAX_MORE: f64 = 1.0;

/// A verdict that is known.
struct Expected<'t> {
    file: &'t str,
    constants: &'t str,
    assertion: &'t str,
    /// How many steps `bmc` adds before it asks again.
    frequency: &'t str,
    verdict: &'t str,
    /// The least seconds of the paper, and its table.
    seconds: &'t str,
    table: &'t str,
}

impl<'t> Expected<'t> {
    fn read(line: &'t str) -> Result<Expected<'t>, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, constants, assertion, frequency, verdict, seconds, table] = fields[..] else {
            return Err(format!("expected.tsv: a line has {} fields: {line}", fields.len()));
        };
        Ok(Expected { file, constants, assertion, frequency, verdict, seconds, table })
    }

    fn name(&self) -> String {
        format!("{} {}", self.file.trim_start_matches("../").trim_end_matches(".csp"), self.constants).trim().to_owned()
    }
}

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let folder = bench.tool.with_file_name("sat");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = bench.root.join("bench/sat/expected.tsv");
    let table = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    println!("sat: verdicts, one run each, with 60 s and 8 GB; CPU seconds");
    println!("| table | model | assertion | verdict | paper | {} |", ENGINES.join(" | "));
    println!("|---|---|---|---|---|{}", "---|".repeat(ENGINES.len()));
    let (mut n_wrong, mut slow) = (0, Vec::new());
    for row in table.lines().skip(1).map(Expected::read) {
        let row = row?;
        if bench.wants(&row.name()) {
            let compared = run_row(bench, record, &folder, &row)?;
            n_wrong += compared.n_wrong;
            slow.extend(compared.is_slow().then(|| row.name()));
        }
    }
    println!();
    match slow.len() {
        0 => println!("auto takes at most {MAX_FACTOR} times as long as the best engine and {MAX_MORE} s more, everywhere"),
        n_slow => println!("auto takes longer in {n_slow} rows: {}", slow.join(", ")),
    }
    println!();
    if n_wrong > 0 { Err(format!("sat: {n_wrong} verdicts are wrong")) } else { Ok(()) }
}

/// What engines came to.
#[derive(Default)]
struct Compared {
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

/// Runs all engines.
fn run_row(bench: &Bench, record: &mut Record, folder: &Path, row: &Expected<'_>) -> Result<Compared, String> {
    let script = instance(bench, folder, row.file, row.constants)?.display().to_string();
    let mut compared = Compared::default();
    let mut cells = Vec::new();
    for engine in ENGINES {
        let mut arguments = vec!["check", "--format", "json", "--assert", row.assertion, "--engine", engine];
        arguments.extend(LIMITS);
        if engine == "bmc" {
            arguments.extend(["--sat-frequency", row.frequency]);
        }
        arguments.push(&script);
        let run = measure(&bench.tool, &arguments, EXIT_CODES)?;
        let (verdict, n_states) = answer(&run, row.assertion).ok_or_else(|| format!("{}: no answer", row.name()))?;
        let is_wrong = verdict != row.verdict && verdict != "unknown";
        compared.n_wrong += usize::from(is_wrong);
        compared.seconds.push((verdict == row.verdict).then_some(run.wall.as_secs_f64()));
        cells.push(match verdict.as_str() {
            "unknown" => "-".to_owned(),
            _ if is_wrong => format!("WRONG: {verdict}"),
            _ => format!("{:.2}", cpu_seconds(std::slice::from_ref(&run))),
        });
        if verdict == row.verdict {
            record.add(Row::new("sat", &format!("{} {}", row.name(), row.assertion), n_states, engine, &[run]));
        }
    }
    let Expected { table, assertion, verdict, seconds, .. } = row;
    println!("| {table} | {} | {assertion} | {verdict} | {seconds} | {} |", row.name(), cells.join(" | "));
    Ok(compared)
}

/// A model with other values for some of its constants, in a folder of ours.
pub fn instance(bench: &Bench, folder: &Path, file: &str, constants: &str) -> Result<PathBuf, String> {
    let path = bench.root.join("bench/sat").join(file);
    let mut text =
        std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    for constant in constants.split_whitespace() {
        let (name, value) = constant.split_once('=').ok_or_else(|| format!("{file}: `{constant}` has no value"))?;
        let head = format!("\n{name} = ");
        let start = text.find(&head).ok_or_else(|| format!("{file} has no constant {name}"))? + head.len();
        let end = start + text[start..].find('\n').unwrap_or(text.len() - start);
        text.replace_range(start..end, value);
    }
    let script = folder.join(path.file_name().unwrap_or_default());
    std::fs::write(&script, text).map_err(|error| format!("cannot write {}: {error}", script.display()))?;
    Ok(script)
}
