//! Bounded search beside that of NuSMV, on the same three systems: philosophers who starve, a tower that is moved, pegs that are removed.
//!
//! The program is `NuSMV`, or what the variable `NUSMV` names. Where it cannot be run, the group says so and is skipped. Both look for
//! runs of length 0, 1, 2 and so on with one solver that keeps what it learned, and must find one of the same length.

use super::Bench;
use super::measure::{Usage, cpu_seconds, measure};
use super::record::{Record, Row};
use super::sat::models_of;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// At least so many times as fast as NuSMV.
const GOAL: f64 = 10.0;
/// A run that takes longer says enough.
const TIME_LIMIT: &str = "120";
/// Ours makes runs longer from both ends, and asks less often where answers are hard; what it finds must be as short nevertheless.
const BOUNDED: [&str; 6] = ["--engine", "bmc", "--direction", "both", "--sat-frequency", "auto"];
/// What everybody gets who asks for nothing.
const DEFAULT: [&str; 2] = ["--engine", "auto"];

/// The same system twice.
struct Twin {
    name: &'static str,
    file: &'static str,
    constants: &'static str,
    /// The steps that lead to what is looked for.
    n_steps: usize,
    smv: fn() -> String,
}

const TWINS: &[Twin] = &[
    Twin { name: "philosophers 10", file: "philosophers.csp", constants: "N=10", n_steps: 10, smv: philosophers },
    Twin { name: "hanoi 6", file: "hanoi.csp", constants: "N=6", n_steps: 63, smv: hanoi },
    Twin { name: "peg 4x4", file: "peg.csp", constants: "W=4 H=4 FREE=(1,0) LAST=(2,0)", n_steps: 14, smv: pegs },
];

/// Runs all twins, in turns.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let program = std::env::var_os("NUSMV").map_or_else(|| PathBuf::from("NuSMV"), PathBuf::from);
    // NuSMV does not end well when it is asked for help; it is there if it can be started.
    if Command::new(&program).arg("-help").output().is_err() {
        println!("nusmv: skipped, because {} cannot be run here", program.display());
        return Ok(());
    }
    let folder = bench.tool.with_file_name("nusmv");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    println!("nusmv: bounded search, one run each, CPU seconds");
    println!("| system | steps | NuSMV | bmc | times as fast | auto |\n|---|---|---|---|---|---|");
    let mut n_slow = 0;
    for twin in TWINS.iter().filter(|twin| bench.wants(twin.name)) {
        let theirs = run_theirs(&program, &folder, twin)?;
        let ours = run_ours(bench, twin, &BOUNDED)?;
        let default = run_ours(bench, twin, &DEFAULT)?;
        for (run, program) in [(&theirs, "NuSMV"), (&ours, "bmc"), (&default, "auto")] {
            record.add(Row::new("nusmv", twin.name, 0, program, std::slice::from_ref(run)));
        }
        let [theirs, ours, default] = [theirs, ours, default].map(|run| cpu_seconds(&[run]));
        let factor = theirs / ours.max(0.001);
        n_slow += usize::from(factor < GOAL);
        println!("| {} | {} | {theirs:.2} | {ours:.2} | {factor:.0} | {default:.2} |", twin.name, twin.n_steps);
    }
    println!();
    if n_slow > 0 { Err(format!("nusmv: {n_slow} are not {GOAL} times as fast")) } else { Ok(()) }
}

/// Their run, which must end at the length that is known, or at the time limit.
fn run_theirs(program: &Path, folder: &Path, twin: &Twin) -> Result<Usage, String> {
    let (model, commands) = (folder.join("model.smv"), folder.join("commands"));
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    write(&model, &(twin.smv)())?;
    write(&commands, &format!("go_bmc\ncheck_invar_bmc_inc -a falsification -k {}\nquit\n", twin.n_steps))?;
    let (commands, model) = (commands.display().to_string(), model.display().to_string());
    let path = program.display().to_string();
    let run = measure(Path::new("timeout"), &[TIME_LIMIT, &path, "-source", &commands, &model], &[0, 124])?;
    if run.output.contains("is false") || cpu_seconds(std::slice::from_ref(&run)) > 60.0 {
        return Ok(run);
    }
    Err(format!("nusmv: {} has no counterexample: {}", twin.name, run.output))
}

/// Our run, which must find as many steps as are known.
fn run_ours(bench: &Bench, twin: &Twin, how: &[&str]) -> Result<Usage, String> {
    let script = models_of(bench)?.instance(twin.file, twin.constants)?;
    let arguments = [&["check", "--format", "json", "--assert", "1", "--threads=1"], how, &[&script]].concat();
    let run = measure(&bench.tool, &arguments, &[0, 1])?;
    let report: Value = serde_json::from_str(&run.output).map_err(|error| format!("nusmv: {error}"))?;
    let n_steps = report["assertions"][0]["counterexample"]["steps"].as_array().map_or(0, Vec::len);
    // What is not allowed is a step of ours, and a state of theirs.
    if (twin.n_steps..=twin.n_steps + 1).contains(&n_steps) {
        return Ok(run);
    }
    Err(format!("nusmv: {}: our counterexample has {n_steps} steps", twin.name))
}

/// Ten who all take their right fork first. A philosopher has so many forks, or one less to put back.
fn philosophers() -> String {
    let n = 10;
    let mut text = format!("MODULE main\nIVAR moving : 0..{};\n", n - 1);
    let mut can_move = Vec::new();
    for seat in 0..n {
        let next = (seat + 1) % n;
        let _ = writeln!(text, "VAR has{seat} : {{none, right, both, one}}; taken{seat} : boolean;");
        let _ = writeln!(text, "INIT has{seat} = none & !taken{seat}");
        let _ = writeln!(
            text,
            "DEFINE can{seat} := (has{seat} = none & !taken{seat}) | (has{seat} = right & !taken{next}) | has{seat} in {{both, one}};"
        );
        let _ = writeln!(
            text,
            "TRANS next(has{seat}) = (moving = {seat} & can{seat} ? (has{seat} = none ? right : has{seat} = right ? both : has{seat} = both ? one : none) : has{seat})"
        );
        let before = (seat + n - 1) % n;
        let _ = writeln!(
            text,
            "TRANS next(taken{seat}) = (moving = {seat} & can{seat} & has{seat} = none ? TRUE : moving = {seat} & has{seat} = one ? FALSE : moving = {before} & can{before} & has{before} = right ? TRUE : moving = {before} & has{before} = both ? FALSE : taken{seat})"
        );
        can_move.push(format!("can{seat}"));
    }
    let _ = writeln!(text, "INVARSPEC {};", can_move.join(" | "));
    text
}

/// A tower of six discs, each of which is on one of three pegs.
fn hanoi() -> String {
    let n = 6;
    let mut text = format!("MODULE main\nIVAR disc : 0..{}; to : 0..2;\n", n - 1);
    let mut done = Vec::new();
    for disc in 0..n {
        let _ = writeln!(text, "VAR at{disc} : 0..2;\nINIT at{disc} = 0");
        let smaller = (0..disc).map(|other| format!(" & at{other} != at{disc} & at{other} != to"));
        let condition: String = smaller.collect();
        let _ = writeln!(text, "TRANS next(at{disc}) = (disc = {disc} & at{disc} != to{condition} ? to : at{disc})");
        done.push(format!("at{disc} = 2"));
    }
    let _ = writeln!(text, "INVARSPEC !({});", done.join(" & "));
    text
}

/// The hole a peg jumps from and the one it jumps over, and where it lands.
type Jump = ((String, String), String);

/// Pegs on a board of four by four holes.
fn pegs() -> String {
    let hole = |x: i32, y: i32| ((0..4).contains(&x) && (0..4).contains(&y)).then_some(format!("peg{x}{y}"));
    let places: Vec<(i32, i32)> = (0..16).map(|number| (number % 4, number / 4)).collect();
    let mut jumps: Vec<Jump> = Vec::new();
    for &(x, y) in &places {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let [from, over, to] = [0, 1, 2].map(|far| hole(x + far * dx, y + far * dy));
            jumps.extend(from.zip(over).zip(to));
        }
    }
    let mut text = format!("MODULE main\nIVAR jump : 0..{};\n", jumps.len() - 1);
    let mut done = Vec::new();
    for &(x, y) in &places {
        let peg = format!("peg{x}{y}");
        let value = if (x, y) == (1, 0) { "!" } else { "" };
        let _ = writeln!(text, "VAR {peg} : boolean;\nINIT {value}{peg}");
        done.push(format!("{}{peg}", if (x, y) == (2, 0) { "" } else { "!" }));
        let numbers = |is_meant: &dyn Fn(&Jump) -> bool| -> String {
            let meant = jumps.iter().enumerate().filter(|(_, jump)| is_meant(jump));
            let numbers: Vec<String> = meant.map(|(number, _)| number.to_string()).collect();
            format!("{{{}}}", numbers.join(", "))
        };
        let leaves = numbers(&|((from, over), _)| *from == peg || *over == peg);
        let comes = numbers(&|(_, to)| *to == peg);
        let _ = writeln!(
            text,
            "TRANS next({peg}) = (is_possible & jump in {leaves} ? FALSE : is_possible & jump in {comes} ? TRUE : {peg})"
        );
    }
    let possible = jumps.iter().enumerate();
    let possible = possible.map(|(number, ((from, over), to))| format!("(jump = {number} & {from} & {over} & !{to})"));
    let possible: Vec<String> = possible.collect();
    let _ = writeln!(text, "DEFINE is_possible := {};", possible.join(" | "));
    let _ = writeln!(text, "INVARSPEC !({});", done.join(" & "));
    text
}
