//! Automata for formulas beside those of `spin -f`: how many states, and how long it takes us.
//!
//! A state of Spin's is a place of the never claim with a label. Ours have acceptance on edges; so the states of an automaton with
//! one set of accepting states, made of ours, are counted as well.

use super::Bench;
use super::generate::Numbers;
use super::measure::measure;
use super::record::{Record, Row};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SETS: &[&str] = &["dwyer", "dwyer-negated", "etessami-holzmann", "somenzi-bloem", "random"];
const N_RANDOM: usize = 1000;
/// How long Spin may take for one formula.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long we may take for one formula.
const LIMIT: Duration = Duration::from_millis(50);

/// What is known of our automaton.
struct Ours {
    states: u64,
    plain_states: u64,
    time: Duration,
}

/// What became of Spin.
enum Theirs {
    States(u64),
    /// It has no next.
    Unread,
    TimedOut,
}

#[derive(Default)]
struct Totals {
    formulas: usize,
    states: u64,
    plain_states: u64,
    time: Duration,
    slowest: Duration,
    compared: usize,
    timed_out: usize,
    /// Where Spin has an automaton: our states, our states with accepting states, Spin's, and how often we have more.
    beside: (u64, u64, u64),
    worse: usize,
}

/// Translates every set of formulas.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let translator = build(bench)?;
    let folder = bench.tool.with_file_name("automata");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let has_spin = super::measure::succeed(Command::new("spin").arg("-V")).is_ok();
    if !has_spin {
        println!("automata: spin is not there, so there is nothing to compare with");
    }
    println!("automata: states; `plain` with accepting states instead of edges; then where Spin has an automaton");
    println!(
        "{:<18} {:>8} {:>7} {:>7} {:>9} | {:>8} {:>7} {:>7} {:>7} {:>6} {:>9}",
        "formulas",
        "number",
        "states",
        "plain",
        "worst ms",
        "compared",
        "states",
        "plain",
        "spin",
        "ratio",
        "timed out"
    );
    let mut all = Totals::default();
    for &set in SETS.iter().filter(|set| bench.wants(set)) {
        let formulas = read(bench, set)?;
        let ours = translate(&translator, &folder, &formulas)?;
        let mut totals = Totals::default();
        for (formula, ours) in formulas.iter().zip(&ours) {
            let theirs = if has_spin { spin(formula, &folder)? } else { Theirs::Unread };
            if matches!(theirs, Theirs::States(states) if states < ours.states) {
                println!("more states than Spin: {formula}");
            }
            totals.add(ours, &theirs);
            all.add(ours, &theirs);
        }
        totals.show(set);
        keep(record, set, &totals);
    }
    all.show("all");
    println!();
    all.judge()
}

impl Totals {
    fn add(&mut self, ours: &Ours, theirs: &Theirs) {
        self.formulas += 1;
        self.states += ours.states;
        self.plain_states += ours.plain_states;
        self.time += ours.time;
        self.slowest = self.slowest.max(ours.time);
        match theirs {
            Theirs::States(states) => {
                self.compared += 1;
                self.beside.0 += ours.states;
                self.beside.1 += ours.plain_states;
                self.beside.2 += states;
                self.worse += usize::from(ours.states > *states);
            }
            Theirs::Unread => {}
            Theirs::TimedOut => self.timed_out += 1,
        }
    }

    fn show(&self, name: &str) {
        let worst = self.slowest.as_secs_f64() * 1e3;
        let (ours, plain, theirs) = self.beside;
        let ratio = if theirs == 0 { "-".to_owned() } else { format!("{:.2}", ours as f64 / theirs as f64) };
        println!(
            "{name:<18} {:>8} {:>7} {:>7} {worst:>9.1} | {:>8} {ours:>7} {plain:>7} {theirs:>7} {ratio:>6} {:>9}",
            self.formulas, self.states, self.plain_states, self.compared, self.timed_out
        );
    }

    /// Never more states than Spin, half as many in all, and each in time.
    fn judge(&self) -> Result<(), String> {
        if self.worse > 0 {
            return Err(format!("{} automata have more states than Spin's", self.worse));
        }
        if 2 * self.beside.0 > self.beside.2 {
            return Err("the automata have more than half of the states of Spin's".to_owned());
        }
        if self.slowest > LIMIT {
            return Err(format!("one automaton took {:?}", self.slowest));
        }
        Ok(())
    }
}

fn keep(record: &mut Record, set: &str, totals: &Totals) {
    let row = |program, size, time| Row {
        group: "automata",
        workload: set.to_owned(),
        size,
        program,
        user: time,
        wall: time,
        peak_memory: 0,
    };
    record.add(row("tracehound", totals.beside.0, totals.time));
    record.add(row("spin", totals.beside.2, Duration::ZERO));
}

/// Builds the example that translates, which lies beside our binary.
fn build(bench: &Bench) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--package", "tracehound-ltl", "--example", "automata"]);
    super::measure::succeed(cargo.current_dir(&bench.root))?;
    let name = format!("automata{}", std::env::consts::EXE_SUFFIX);
    Ok(bench.tool.with_file_name("examples").join(name))
}

fn read(bench: &Bench, set: &str) -> Result<Vec<String>, String> {
    if set == "random" {
        let mut numbers = Numbers(1999);
        return Ok((0..N_RANDOM).map(|_| random_formula(&mut numbers)).collect());
    }
    let name = set.trim_end_matches("-negated");
    let path = bench.root.join(format!("bench/automata/{name}.ltl"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    Ok(lines.map(|line| if name == set { line.to_owned() } else { format!("!({line})") }).collect())
}

/// Five to fourteen operators and atoms, of two to four atoms.
fn random_formula(numbers: &mut Numbers) -> String {
    let (n, n_atoms) = (5 + numbers.next(10), 2 + numbers.next(3));
    random_part(numbers, n, n_atoms)
}

fn random_part(numbers: &mut Numbers, n: u64, n_atoms: u64) -> String {
    const UNARY: [&str; 3] = ["!", "[]", "<>"];
    const BINARY: [&str; 7] = ["&&", "||", "->", "U", "V", "U", "V"];
    if n <= 1 {
        return ["p", "q", "r", "s"][numbers.next(n_atoms) as usize].to_owned();
    }
    let choice = numbers.next(if n == 2 { 3 } else { 10 }) as usize;
    match UNARY.get(choice) {
        Some(operator) => format!("{operator}({})", random_part(numbers, n - 1, n_atoms)),
        None => {
            let n_left = 1 + numbers.next(n - 2);
            let left = random_part(numbers, n_left, n_atoms);
            let right = random_part(numbers, n - 1 - n_left, n_atoms);
            format!("(({left}) {} ({right}))", BINARY[choice - 3])
        }
    }
}

fn translate(translator: &Path, folder: &Path, formulas: &[String]) -> Result<Vec<Ours>, String> {
    let path = folder.join("formulas.ltl");
    std::fs::write(&path, formulas.join("\n")).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let run = measure(translator, &[&path.display().to_string()], &[0])?;
    let ours: Option<Vec<Ours>> = run.output.lines().map(read_ours).collect();
    ours.filter(|ours| ours.len() == formulas.len()).ok_or_else(|| "a formula has no automaton of ours".to_owned())
}

fn read_ours(line: &str) -> Option<Ours> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [states, plain, _, _, _, time] = fields[..] else { return None };
    let time = Duration::from_micros(time.parse().ok()?);
    Some(Ours { states: states.parse().ok()?, plain_states: plain.parse().ok()?, time })
}

/// Runs Spin, as long as patience lasts. It leaves files, so it runs in a folder of ours.
fn spin(formula: &str, folder: &Path) -> Result<Theirs, String> {
    if formula.contains('X') {
        return Ok(Theirs::Unread);
    }
    let complain = |error: std::io::Error| format!("cannot run spin: {error}");
    let mut command = Command::new("spin");
    command.args(["-f", formula]).current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(complain)?;
    let mut pipe = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    while child.try_wait().map_err(complain)?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().map_err(complain)?;
            child.wait().map_err(complain)?;
            return Ok(Theirs::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let text = reader.join().map_err(|_| "reading from spin failed")?.map_err(complain)?;
    match n_labelled(&text) {
        0 => Err(format!("spin does not understand `{formula}`")),
        states => Ok(Theirs::States(states)),
    }
}

/// The places of a never claim that have a label, or several.
fn n_labelled(claim: &str) -> u64 {
    let is_label = |line: &str| line.ends_with(':') && !line.starts_with(char::is_whitespace);
    let mut before = false;
    let mut n = 0;
    for line in claim.lines() {
        n += u64::from(is_label(line) && !before);
        before = is_label(line);
    }
    n
}
