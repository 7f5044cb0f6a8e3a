//! How fast scripts are read and type checked, and how soon a small one is answered.

use super::Bench;
use super::generate::{self, Shape};
use super::measure::{Usage, measure, measure_often, median};
use super::record::{Record, Row};
use std::fs;

/// Bytes in the megabyte of "megabytes per second".
const MEGABYTE: f64 = 1e6;

/// Shapes of generated scripts, each at this many bytes or a little more.
const SHAPES: &[(&str, Shape, usize)] = &[
    ("protocols", Shape::Protocols, 4_000_000),
    ("tables", Shape::Tables, 4_000_000),
    ("functions", Shape::Functions, 4_000_000),
    ("mixed", Shape::Mixed, 4_000_000),
];

const SMALL: &str = "\
datatype Thing = coat | hat
channel hand_in, give_back : Thing.{1..4}

HOOK(n) = hand_in?t!n -> give_back!t!n -> HOOK(n)
ROOM = ||| n : {1..4} @ HOOK(n)

SPEC = hand_in?t?n -> SPEC [] give_back?t?n -> SPEC
assert SPEC [T= ROOM
assert ROOM :[deadlock free [F]]
print card(Events)
";

/// Generates the scripts below `target/` and measures.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    let folder = bench.root.join("target/bench");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(format!("{name}.csp")).display().to_string();
        fs::write(&path, text).map_err(|error| format!("cannot write {path}: {error}")).map(|()| path)
    };

    println!("frontend: typecheck, median of {}", bench.repeat);
    println!("{:<12} {:>9} {:>10} {:>10} {:>10}", "script", "bytes", "seconds", "MB/s", "peak MB");
    for &(name, shape, wanted) in SHAPES.iter().filter(|(name, ..)| bench.wants(name)) {
        let text = generate::script(shape, wanted);
        let path = write(name, &text)?;
        let runs = measure_often(&bench.tool, &["typecheck", &path], bench.repeat)?;
        let seconds = record.add(Row::new("typecheck", name, text.len() as u64, "tracehound", &runs));
        println!(
            "{name:<12} {:>9} {seconds:>10.3} {:>10.1} {:>10.0}",
            text.len(),
            text.len() as f64 / MEGABYTE / seconds,
            median(&runs, |run| run.peak_memory) as f64 / MEGABYTE
        );
    }

    let path = write("small", SMALL)?;
    for command in ["typecheck", "check"].iter().filter(|command| bench.wants(command)) {
        let runs = start_up(bench, command, &path)?;
        record.add(Row::new("start-up", command, SMALL.len() as u64, "tracehound", &runs));
        println!(
            "start to answer of a ten-line script, {command}: {:.1} ms, median of {}",
            median(&runs, |run| run.wall).as_secs_f64() * 1000.0,
            runs.len()
        );
    }
    Ok(())
}

/// Small times need more runs. `check` may leave assertions undecided, which is an answer too.
fn start_up(bench: &Bench, command: &str, path: &str) -> Result<Vec<Usage>, String> {
    (0..20 * bench.repeat).map(|_| measure(&bench.tool, &[command, path], &[0, 3])).collect()
}
