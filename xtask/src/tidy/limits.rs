//! Bounds in one place: a constant that is named like a limit belongs to `crates/limits` or to the schedule.

use std::path::Path;

/// Words of names of limits, between underscores.
const WORDS: &[&str] = &[
    "MAX",
    "MIN",
    "MOST",
    "LEAST",
    "LONGEST",
    "LARGEST",
    "DEEPEST",
    "FEW",
    "FEWER",
    "FEWEST",
    "MANY",
    "BUDGET",
    "LIMIT",
    "ROUND",
    "ROUNDS",
    "EFFORT",
    "FIRST",
    "SHORT",
    "LONG",
    "WIDE",
    "NARROW",
    "LARGE",
    "SMALL",
    "FAR",
    "NEAR",
    "TALL",
    "PATIENCE",
    "PATIENT",
    "TRIAL",
    "HASTY",
    "POLL",
    "POLLS",
    "TICK",
    "QUESTION",
    "QUESTIONS",
    "PIECE",
    "SHARE",
    "SLICES",
];

/// Beginnings of the types of limits.
const TYPES: &[&str] = &["u", "i", "f", "Duration", "std::time::Duration", "(u", "[u", "Option<u"];

/// Folders and files of limits, and crates that are no part of the product.
const PLACES: &[&str] =
    &["crates/limits/", "crates/decide/src/schedule.rs", "crates/pat-counts/", "crates/test-support/"];

/// Constants that follow from a data layout, from arithmetic or from a number that only marks something.
const STRUCTURAL: &[(&str, &[&str])] = &[
    // The cost of a state of a system, which the trait declares.
    ("crates/analysis/src/check/on_demand.rs", &["EFFORT"]),
    ("crates/analysis/src/check/walk.rs", &["EFFORT"]),
    ("crates/analysis/src/check/silent_time.rs", &["EFFORT"]),
    ("crates/lts/src/walk/monitored.rs", &["EFFORT"]),
    ("crates/lts/src/walk/numbering.rs", &["EFFORT"]),
    ("crates/lts/src/walk/system.rs", &["EFFORT"]),
    ("crates/model/src/interpreter.rs", &["EFFORT"]),
    ("crates/zones/src/walk.rs", &["EFFORT"]),
    // Bits of a word.
    ("crates/csp-sharp-runtime/src/code/term.rs", &["MANY", "MAX"]),
    ("crates/explore/src/network/groups.rs", &["PIECE_BITS", "PIECE_VALUES"]),
    ("crates/explore/src/symmetry/graph.rs", &["FAR"]),
    ("crates/frontend/src/formula/question.rs", &["MAX_FACTS"]),
    ("crates/temporal/src/product/decide.rs", &["MAX_ATOMS"]),
    ("crates/zones/src/network.rs", &["MAX_CLOCKS"]),
    // Sums and differences that must fit into a number.
    ("crates/csp-sharp-runtime/src/code/timer.rs", &["MAX"]),
    ("crates/model/src/timed/mod.rs", &["MAX_LIMIT"]),
    ("crates/zones/src/cell.rs", &["MAX_LIMIT"]),
    // Widths of packed states and tables of them.
    ("crates/explore/src/growing.rs", &["MAX_STATES"]),
    ("crates/explore/src/store.rs", &["MAX_STATES", "MIN_LARGE_TABLE"]),
    ("crates/explore/src/width.rs", &["MAX_WORDS"]),
    ("crates/process/src/compile/shape.rs", &["MAX_BITS"]),
    // Nodes, chunks and digits of values.
    ("crates/csp-sharp-runtime/src/run/data.rs", &["LONGEST_FLAT"]),
    ("crates/cspm-evaluator/src/seq/buffer.rs", &["MOST_DIGITS"]),
    ("crates/cspm-evaluator/src/tree.rs", &["MAX", "MIN"]),
    // Where ranges of numbers begin, and kinds of bounds.
    ("crates/csp-sharp-runtime/src/dbm.rs", &["AT_LEAST", "AT_MOST"]),
    ("crates/decide/src/engines/composition/mod.rs", &["FIRST_ACTION"]),
    ("crates/process/src/compile/team_actions.rs", &["FIRST"]),
];

/// Complaints about the constants of one file, named by its path from the root.
pub fn check(path: &str, text: &str) -> Vec<String> {
    let is_source = path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
    let is_elsewhere = path.ends_with("/tests.rs") || path.contains("/tests/");
    if !is_source || is_elsewhere || PLACES.iter().any(|place| path.starts_with(place)) {
        return Vec::new();
    }
    let structural = STRUCTURAL.iter().find(|(file, _)| *file == path).map_or(&[][..], |(_, names)| names);
    let limits = (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, limit(line)?)));
    let misplaced = limits.filter(|(_, name)| !structural.contains(name));
    misplaced
        .map(|(number, name)| format!("{path}:{number}: the limit `{name}` belongs into `crates/limits`"))
        .collect()
}

/// Complaints about exceptions for constants that are not there.
pub fn check_exceptions(root: &Path) -> Vec<String> {
    let names = STRUCTURAL.iter().flat_map(|(file, names)| names.iter().map(move |name| (*file, *name)));
    let is_stale = |(file, name): &(&str, &str)| {
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        !text.lines().any(|line| limit(line) == Some(name))
    };
    names.filter(is_stale).map(|(file, name)| format!("{file}:1: there is no limit `{name}` to except")).collect()
}

/// The name of the limit that a line declares, if it does.
fn limit(line: &str) -> Option<&str> {
    let declaration = line.trim_start();
    let declaration = match declaration.strip_prefix("pub") {
        Some(visible) if visible.starts_with('(') => visible.split_once(')')?.1.trim_start(),
        Some(visible) => visible.trim_start(),
        None => declaration,
    };
    let (name, rest) = declaration.strip_prefix("const ")?.split_once(": ")?;
    let is_limit = name.split('_').any(|word| WORDS.contains(&word));
    (is_limit && TYPES.iter().any(|beginning| rest.starts_with(beginning))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_found_by_name_and_type() {
        assert_eq!(limit("const MAX_STATES: usize = 5;"), Some("MAX_STATES"));
        assert_eq!(limit("    pub(crate) const WORK_PER_TICK: u64 = 1 << 10;"), Some("WORK_PER_TICK"));
        assert_eq!(limit("pub const LONGEST_WAIT: Duration = Duration::from_secs(1);"), Some("LONGEST_WAIT"));
        assert_eq!(limit("pub const BUDGET: Reason = Reason::Stopped(Stop::Budget);"), None);
        assert_eq!(limit("const MAXIMAL: usize = 5;"), None);
        assert_eq!(limit("    n > MAX_STATES"), None);
    }

    #[test]
    fn limits_belong_to_their_crate() {
        let text = "const MAX_STATES: usize = 5;\n";
        assert_eq!(check("crates/explore/src/a.rs", text).len(), 1);
        assert_eq!(check("crates/explore/src/width.rs", "pub const MAX_WORDS: usize = 64;\n"), Vec::<String>::new());
        for path in ["crates/limits/src/a.rs", "crates/explore/src/symmetry/tests.rs", "crates/explore/tests/a.rs"] {
            assert_eq!(check(path, text), Vec::<String>::new());
        }
    }
}
