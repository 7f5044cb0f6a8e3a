//! Models in CSP#: verdicts compared with those that theory or literature has, and state spaces searched beside Spin.
//!
//! A row of `expected.tsv` is one run with limits, as anybody would run the tool. A wrong verdict fails the group; one that did not come in time is
//! counted. Beside Spin nothing is left out, and the numbers of states must be the same.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure};
use super::models::{EXIT_CODES, LIMITS, Models, Notation, answer, fields, name};
use super::record::{Record, Row};
use super::refinement::{VERIFIER, build_verifier, can_run, our_states, spin_states};

/// Models that are also written in Promela, with the constants they are searched with.
const TWINS: &[(&str, &[&str])] = &[("peterson", &["N=5"]), ("leader", &["N=11"]), ("bakery", &["N=3", "MAX=60"])];
/// Every state is looked at once, whatever the verdict.
const WHOLE: [&str; 11] =
    ["check", "--format", "json", "--engine", "explicit", "--reduce", "none", "--threads", "1", "--assert", "1"];

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    beside_spin(bench, record, &models_of(bench, "csp-sharp")?)?;
    verdicts(bench, record, "csp-sharp", &[])
}

fn models_of<'b>(bench: &'b Bench, group: &str) -> Result<Models<'b>, String> {
    Models::new(bench, group, Notation { before: "#define ", behind: " ", end: ';' })
}

/// Compares verdicts on the models of a group with those that are known; `options` are those of all runs.
pub fn verdicts(bench: &Bench, record: &mut Record, group: &'static str, options: &[&str]) -> Result<(), String> {
    let models = models_of(bench, group)?;
    println!(
        "{group}: verdicts, one run each, with 60 s and 2 GB; seconds waited; what the thesis has, on a machine of 2009"
    );
    println!("| place | model | assertion | fairness | verdict | thesis, s | states | seconds | MiB |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut n_rows, mut n_wrong, mut n_unknown) = (0, 0, 0);
    for line in models.table()?.lines() {
        let [file, constants, assertion, fairness, expected, _, seconds, place] = fields(line)?;
        if !models.wants(file, constants) {
            continue;
        }
        let (model, script) = (name(file, constants), models.instance(file, constants)?);
        let mut arguments = vec!["check", "--format", "json", "--assert", assertion];
        arguments.extend(LIMITS);
        arguments.extend(options);
        if fairness != "-" {
            arguments.extend(["--fairness", fairness]);
        }
        arguments.push(&script);
        let run = measure(&bench.tool, &arguments, EXIT_CODES)?;
        let (verdict, n_states) = answer(&run, assertion).ok_or_else(|| format!("{model}: no answer"))?;
        n_rows += 1;
        n_unknown += usize::from(verdict == "unknown");
        let is_wrong = verdict != expected && verdict != "unknown";
        n_wrong += usize::from(is_wrong);
        let mark = if is_wrong { format!(" WRONG, expected {expected}") } else { String::new() };
        println!(
            "| {place} | {model} | {assertion} | {fairness} | {verdict}{mark} | {seconds} | {n_states} | {:.2} | {} |",
            run.wall.as_secs_f64(),
            run.peak_memory >> 20
        );
        record.add(Row::new(group, &format!("{model} {assertion} {fairness}"), n_states, "tracehound", &[run]));
    }
    println!("{n_rows} verdicts, {n_wrong} wrong, {n_unknown} unknown\n");
    if n_wrong > 0 { Err(format!("{group}: {n_wrong} verdicts are wrong")) } else { Ok(()) }
}

fn beside_spin(bench: &Bench, record: &mut Record, models: &Models<'_>) -> Result<(), String> {
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
        let script = models.instance(&format!("spin/{model}.csp"), &constants.join(" "))?;
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
