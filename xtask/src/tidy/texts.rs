//! What must not stand in a file, and how long it may get.

use std::path::Path;

/// Source files beyond this many lines hold a second idea.
const MAX_LINES: usize = 800;

/// Written nowhere: unfinished work, machine paths, places that do not belong to the project.
const NOWHERE: &[&str] = &[
    "TODO",
    "FIXME",
    "XXX:",
    "todo!(",
    "unimplemented!(",
    "#[ignore",
    "dbg!(",
    "/work/",
    "/root/",
    "/home/",
    "/Users/",
    "registry.crates",
    "index.crates.io",
    "static.crates.io",
];

/// Used nowhere below the binary: disk, network, clock, terminal.
const OUTSIDE_WORLD: &[&str] =
    &["std::fs", "std::net", "std::process", "std::time", "std::env::", "println!", "print!("];

/// Threads are started in two places below the binary: the search, which makes their number invisible, and the driver of schedules, where one runs at
/// a time unless a row says otherwise.
const THREADS: (&str, [&str; 2]) = ("std::thread", ["crates/explore/", "crates/decide/src/driver.rs"]);

/// Beginnings of words that Americans write otherwise.
const BRITISH: &[&str] = &[
    "behaviour",
    "colour",
    "favour",
    "neighbour",
    "analyse",
    "initialis",
    "normalis",
    "optimis",
    "organis",
    "parameteris",
    "recognis",
    "serialis",
    "specialis",
    "summaris",
    "synchronis",
    "licence",
];

/// A function that scripts call so, where its name is quoted.
const SPELLED_SO: [&str; 2] = ["\"normalise\"", "`normalise`"];

/// This file lists the words it looks for.
const THIS_FILE: &str = "xtask/src/tidy/texts.rs";

/// What a machine wrote.
const BUILT: &str = "crates/serve/assets/";

/// Complaints about one file, named by its path from the root.
pub fn check(file: &Path, text: &str) -> Vec<String> {
    let path = file.to_string_lossy().replace('\\', "/");
    if path == THIS_FILE || path.ends_with("Cargo.lock") || path.starts_with(BUILT) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    let mut complain = |line: usize, what: String| complaints.push(format!("{path}:{line}: {what}"));
    let n_lines = text.lines().count();
    if path.ends_with(".rs") && n_lines > MAX_LINES {
        complain(n_lines, format!("{n_lines} lines, at most {MAX_LINES} are readable: look for the second idea"));
    }
    let is_ours = path.ends_with(".rs") || path.ends_with(".md") || path.ends_with(".toml");
    for (number, line) in (1..).zip(text.lines()) {
        for word in NOWHERE.iter().filter(|word| is_ours && line.contains(**word)) {
            complain(number, format!("`{word}` must not be written"));
        }
        for word in OUTSIDE_WORLD.iter().filter(|word| is_core(&path) && line.contains(**word)) {
            complain(number, format!("`{word}` belongs into the crate `tool`"));
        }
        if is_core(&path) && !THREADS.1.iter().any(|place| path.starts_with(place)) && line.contains(THREADS.0) {
            complain(number, format!("`{}` belongs into {} or the crate `tool`", THREADS.0, THREADS.1.join(", ")));
        }
        let mut lower = if is_ours { line.to_lowercase() } else { String::new() };
        SPELLED_SO.iter().for_each(|name| lower = lower.replace(name, ""));
        for word in BRITISH.iter().filter(|word| lower.contains(**word)) {
            complain(number, format!("`{word}...` is not the American spelling"));
        }
    }
    complaints
}

/// Whether a file belongs to the part that never meets the outside world.
fn is_core(path: &str) -> bool {
    path.starts_with("crates/")
        && path.contains("/src/")
        && !path.starts_with("crates/tool/")
        && (!path.starts_with("crates/serve/") || path.starts_with("crates/serve/src/worker/"))
        && path != "crates/pat-counts/src/main.rs"
        && !path.starts_with("crates/test-support/")
}
