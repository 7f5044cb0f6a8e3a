//! The catalogue of messages: each file in `syntax/messages/` holds formulas, one a line behind the name of a dialect,
//! beside everything that is said about them. The expected texts are rewritten by
//! `UPDATE_EXPECTED=1 cargo test -p tracehound-ltl --test syntax_messages`.

use ltl::syntax::{Dialect, parse_ctl, parse_ltl};
use source::{SourceMap, render};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use test_support::files::files_below;
use test_support::golden;

fn catalogue() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/messages")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_message_reads_as_expected() {
    golden::check_all(&files_below(&catalogue(), "ltl"), "txt", messages);
}

fn messages(path: &Path) -> String {
    let text = read(path);
    let mut map = SourceMap::new();
    map.add(path.file_name().expect("a file has a name").to_string_lossy(), text.as_str());
    let mut pages = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (name, formula) = line.trim_end().split_once(": ").expect("a line is a dialect and a formula");
        let base = (start + name.len() + 2) as u32;
        let parsed = match name {
            "ctl" => parse_ctl(formula, base, Dialect::ProB),
            _ => parse_ltl(formula, base, dialect(name)),
        };
        assert!(!parsed.diagnostics.is_empty(), "nothing is said about {formula}");
        pages.extend(parsed.diagnostics.iter().map(|diagnostic| render::plain(&map, diagnostic)));
        start += line.len();
    }
    pages.join("\n")
}

fn dialect(name: &str) -> Dialect {
    match name {
        "prob" => Dialect::ProB,
        "spin" => Dialect::Spin,
        "spin -f" => Dialect::SpinCommand,
        "pat" => Dialect::Pat,
        "csp" => Dialect::Csp,
        _ => panic!("there is no dialect {name}"),
    }
}

#[test]
fn every_code_is_in_the_catalogue() {
    let wording = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/syntax/errors.rs");
    let codes = codes_in(&read(&wording), "\"");
    let shown: BTreeSet<String> =
        files_below(&catalogue(), "txt").iter().flat_map(|path| codes_in(&read(path), "[")).collect();
    // These need texts that are too large to look at.
    let large = ["ltl::too-large", "ltl::too-deep"].map(str::to_owned);
    let missing: Vec<&String> = codes.difference(&shown).filter(|code| !large.contains(code)).collect();
    assert!(!codes.is_empty(), "no code was found");
    assert!(missing.is_empty(), "no formula in the catalogue shows {missing:#?}");
}

#[test]
fn large_formulas_are_refused() {
    let long = "a & ".repeat(1 << 18) + "a";
    let deep = "X ".repeat(20_000) + "a";
    for (text, code) in [(long, "ltl::too-large"), (deep, "ltl::too-deep")] {
        let codes: Vec<_> = parse_ltl(&text, 0, Dialect::ProB).diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, [code]);
    }
}

/// The codes `ltl::...` in a text that stand behind `before`.
fn codes_in(text: &str, before: &str) -> BTreeSet<String> {
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let starts =
        text.match_indices(&format!("{before}ltl::")).map(|(start, _)| start + before.len()).collect::<Vec<_>>();
    starts.into_iter().map(|start| text[start..].chars().take_while(|c| is_code(*c)).collect()).collect()
}
