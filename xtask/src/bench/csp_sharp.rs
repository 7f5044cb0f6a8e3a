//! Models in CSP#: verdicts compared with those that theory or literature has, and state spaces searched beside Spin.
//!
//! A row of `expected.tsv` is one run with limits, as anybody would run the tool. A wrong verdict fails the group; one that did not come in time is
//! counted. Beside Spin nothing is left out, and the numbers of states must be the same.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure};
use super::record::{Record, Row};
use super::refinement::{VERIFIER, build_verifier, can_run, our_states, spin_states};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// For one row.
const LIMITS: [&str; 4] = ["--time-limit", "60", "--memory-limit", "2G"];
/// All of them hold, or some fail, or some are not decided.
const EXIT_CODES: &[i32] = &[0, 1, 2, 3];
/// Models that are also written in Promela, with the constants they are searched with.
const TWINS: &[(&str, &[&str])] = &[("peterson", &["N=5"]), ("leader", &["N=9"]), ("bakery", &["N=3", "MAX=60"])];
/// Every state is looked at once, whatever the verdict.
const WHOLE: [&str; 11] =
    ["check", "--format", "json", "--engine", "explicit", "--reduce", "none", "--threads", "1", "--assert", "1"];

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let folder = bench.tool.with_file_name("csp-sharp");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    beside_spin(bench, record, &folder)?;
    verdicts(bench, record, "csp-sharp", &[])
}

/// A verdict that is known.
struct Expected<'t> {
    file: &'t str,
    constants: &'t str,
    assertion: &'t str,
    fairness: &'t str,
    verdict: &'t str,
    /// The seconds of the thesis, if it has any, and where.
    seconds: &'t str,
    place: &'t str,
}

impl<'t> Expected<'t> {
    fn read(line: &'t str) -> Result<Expected<'t>, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, constants, assertion, fairness, verdict, _, seconds, place] = fields[..] else {
            return Err(format!("expected.tsv: a line has {} fields: {line}", fields.len()));
        };
        Ok(Expected { file, constants, assertion, fairness, verdict, seconds, place })
    }

    fn name(&self) -> String {
        format!("{} {}", self.file.trim_end_matches(".csp"), self.constants).trim().to_owned()
    }
}

/// Compares verdicts on the models of a group with those that are known; `options` are those of all runs.
pub fn verdicts(bench: &Bench, record: &mut Record, group: &'static str, options: &[&str]) -> Result<(), String> {
    let folder = &bench.tool.with_file_name(group);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = bench.root.join("bench").join(group).join("expected.tsv");
    let table = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    println!(
        "{group}: verdicts, one run each, with 60 s and 2 GB; seconds waited; what the thesis has, on a machine of 2009"
    );
    println!("| place | model | assertion | fairness | verdict | thesis, s | states | seconds | MiB |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut n_rows, mut n_wrong, mut n_unknown) = (0, 0, 0);
    for line in table.lines().skip(1) {
        let row = Expected::read(line)?;
        if !bench.wants(&row.name()) {
            continue;
        }
        let source = Path::new(group).join(row.file);
        let script = instance(bench, folder, &source, row.constants)?.display().to_string();
        let mut arguments = vec!["check", "--format", "json", "--assert", row.assertion];
        arguments.extend(LIMITS);
        arguments.extend(options);
        if row.fairness != "-" {
            arguments.extend(["--fairness", row.fairness]);
        }
        arguments.push(&script);
        let run = measure(&bench.tool, &arguments, EXIT_CODES)?;
        let (verdict, n_states) = answer(&run, row.assertion).ok_or_else(|| format!("{}: no answer", row.name()))?;
        n_rows += 1;
        n_unknown += usize::from(verdict == "unknown");
        let is_wrong = verdict != row.verdict && verdict != "unknown";
        n_wrong += usize::from(is_wrong);
        let mark = if is_wrong { format!(" WRONG, expected {}", row.verdict) } else { String::new() };
        println!(
            "| {} | {} | {} | {} | {verdict}{mark} | {} | {n_states} | {:.2} | {} |",
            row.place,
            row.name(),
            row.assertion,
            row.fairness,
            row.seconds,
            run.wall.as_secs_f64(),
            run.peak_memory >> 20
        );
        let workload = format!("{} {} {}", row.name(), row.assertion, row.fairness);
        record.add(Row::new(group, &workload, n_states, "tracehound", &[run]));
    }
    println!("{n_rows} verdicts, {n_wrong} wrong, {n_unknown} unknown\n");
    if n_wrong > 0 { Err(format!("{group}: {n_wrong} verdicts are wrong")) } else { Ok(()) }
}

/// The verdict on an assertion, and how many states were looked at.
pub fn answer(run: &Usage, assertion: &str) -> Option<(String, u64)> {
    let answer: Value = serde_json::from_str(&run.output).ok()?;
    let index: u64 = assertion.parse().ok()?;
    let found = answer["assertions"].as_array()?.iter().find(|known| known["index"].as_u64() == Some(index))?;
    Some((found["verdict"].as_str()?.to_owned(), found["stats"]["states"].as_u64().unwrap_or(0)))
}

/// A model with other values for some of its constants, in a folder of ours.
fn instance(bench: &Bench, folder: &Path, source: &Path, constants: &str) -> Result<PathBuf, String> {
    let path = bench.root.join("bench").join(source);
    let file = source.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut text =
        std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    for constant in constants.split_whitespace() {
        let (name, value) = constant.split_once('=').ok_or_else(|| format!("{file}: `{constant}` has no value"))?;
        text = with_constant(&text, name, value).ok_or_else(|| format!("{file} has no constant {name}"))?;
    }
    let script = folder.join(file);
    std::fs::write(&script, text).map_err(|error| format!("cannot write {}: {error}", script.display()))?;
    Ok(script)
}

fn with_constant(text: &str, name: &str, value: &str) -> Option<String> {
    let head = format!("#define {name} ");
    let start = text.starts_with(&head).then_some(0).or_else(|| text.find(&format!("\n{head}")).map(|at| at + 1))?;
    let end = start + text[start..].find(';')?;
    Some(format!("{}{head}{value}{}", &text[..start], &text[end..]))
}

fn beside_spin(bench: &Bench, record: &mut Record, folder: &Path) -> Result<(), String> {
    let has_spin = can_run("spin", "-V") && can_run("gcc", "--version");
    if !has_spin {
        println!("csp-sharp: spin and gcc are not there, so there is nothing to compare with");
    }
    println!("csp-sharp: whole state spaces on one thread, CPU seconds, median of {}", bench.repeat);
    println!(
        "{:<20} {:>10} {:>11} {:>11} {:>11} {:>11} {:>7}",
        "model", "states", "tracehound", "states/s", "spin", "states/s", "times"
    );
    for &(model, constants) in TWINS {
        let name = format!("{model} {}", constants.join(" "));
        if !bench.wants(&name) {
            continue;
        }
        let source = PathBuf::from(format!("csp-sharp/spin/{model}.csp"));
        let script = instance(bench, folder, &source, &constants.join(" "))?;
        let script = script.display().to_string();
        let twin = bench.root.join(format!("bench/csp-sharp/spin/{model}.pml"));
        let defines: Vec<String> = constants.iter().map(|constant| format!("-D{constant}")).collect();
        let verifier = if has_spin { Some(build_verifier(bench, model, &twin, &defines)?) } else { None };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..bench.repeat {
            ours.push(measure(&bench.tool, &[&WHOLE[..], &[&script]].concat(), &[0, 1])?);
            if let Some(verifier) = &verifier {
                theirs.push(measure(verifier, VERIFIER, &[0])?);
            }
        }
        show(&name, &ours, &theirs)?;
        let n_states = our_states(&ours[0]).unwrap_or(0);
        record.add(Row::new("csp-sharp", &name, n_states, "tracehound", &ours));
        if !theirs.is_empty() {
            record.add(Row::new("csp-sharp", &name, n_states, "spin", &theirs));
        }
    }
    println!();
    Ok(())
}

fn show(name: &str, ours: &[Usage], theirs: &[Usage]) -> Result<(), String> {
    let n_states = our_states(&ours[0]).ok_or_else(|| format!("{name}: no number of states in our answer"))?;
    let seconds = cpu_seconds(ours);
    print!("{name:<20} {n_states:>10} {seconds:>11.3} {:>11.0}", n_states as f64 / seconds);
    match theirs.first() {
        None => println!(" {:>11} {:>11} {:>7}", "-", "-", "-"),
        Some(run) => {
            let their_states =
                spin_states(run).ok_or_else(|| format!("{name}: no number of states in Spin's answer"))?;
            if n_states != their_states {
                return Err(format!("{name}: we have {n_states} states, Spin has {their_states}"));
            }
            let spin_seconds = cpu_seconds(theirs);
            let times = spin_seconds / seconds;
            println!(" {spin_seconds:>11.3} {:>11.0} {times:>6.1}x", n_states as f64 / spin_seconds);
        }
    }
    Ok(())
}
