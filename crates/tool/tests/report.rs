//! Reports: one self-contained page.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Checks scripts in a folder, and returns the report and the exit code.
fn report(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .arg("check")
        .args(arguments)
        .args(["--report", "report.html"])
        .env("SOURCE_DATE_EPOCH", "951782400")
        .current_dir(folder)
        .output()
        .unwrap();
    let page = std::fs::read_to_string(folder.join("report.html"));
    (page.unwrap_or_else(|error| panic!("{error}: {output:?}")), output.status.code())
}

/// All texts between two delimiters.
fn between<'a>(page: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    page.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

const KITCHEN: &str = "channel take, back : {1, 2}.{1, 2}\nchannel done\n\
    COOK(1) = take.1.1 -> take.1.2 -> back.1.2 -> back.1.1 -> COOK(1)\n\
    COOK(2) = take.2.2 -> take.2.1 -> back.2.1 -> back.2.2 -> COOK(2)\n\
    THING(t) = take?c!t -> back.c.t -> THING(t)\n\
    KITCHEN = (COOK(1) ||| COOK(2)) [| {| take, back |} |] (THING(1) ||| THING(2))\n\
    assert KITCHEN :[deadlock free [F]]\nassert KITCHEN :[divergence free]\n\
    assert STOP [T= KITCHEN \\ {| back |}\nassert KITCHEN |= LTL: \"G F [back]\"\n";

#[test]
fn a_report_is_complete_and_self_contained() {
    let folder = folder("report");
    std::fs::write(folder.join("kitchen.csp"), KITCHEN).unwrap();
    let (page, code) = report(&folder, &["kitchen.csp"]);
    assert_eq!(code, Some(1));
    for expected in [
        "2000-02-29 00:00 UTC",
        "tracehound check kitchen.csp --report report.html",
        "✗ fails",
        "✓ holds",
        "KITCHEN is stuck:",
        "<mark>take.1.1</mark><sup>1</sup>",
        "the specification allows",
        "in a circle, each waits for the next",
        "KITCHEN: 10 states",
    ] {
        assert!(page.contains(expected), "{expected} is missing");
    }
    // Nothing is fetched and nothing is run: the only addresses are names of document types.
    let addresses: BTreeSet<&str> = between(&page, "://", "\"").into_iter().collect();
    assert_eq!(addresses, BTreeSet::from(["www.w3.org/2000/svg"]));
    assert!(!page.contains(" src=") && !page.contains("<link") && !page.contains("@import") && !page.contains("url("));
    assert!(between(&page, "<script ", ">").iter().all(|kind| kind.starts_with("type=\"application/json\"")));
    let names: BTreeSet<&str> = between(&page, " id=\"", "\"").into_iter().collect();
    let links = between(&page, "href=\"#", "\"");
    assert!(links.len() > 10 && links.iter().all(|link| names.contains(link)), "every link leads somewhere");
    let data = between(&page, "class=\"tracehound\">", "</script>");
    let document: Value = serde_json::from_str(data[0]).expect("the data are JSON");
    assert_eq!(document["assertions"].as_array().map(Vec::len), Some(4));
    assert!(page.len() < 300_000, "{}", page.len());
}

#[test]
fn names_do_no_harm() {
    let folder = folder("report-names");
    let script = "channel a\n-- </pre><script>alert(1)</script>\nassert STOP [T= a -> STOP -- <b>\n";
    std::fs::write(folder.join("<i>&.csp"), script).unwrap();
    let (page, code) = report(&folder, &["<i>&.csp"]);
    assert_eq!(code, Some(1));
    assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains("<i>&."), "{page}");
    let (broken, code) = report(&folder, &["nowhere.csp"]);
    assert_eq!(code, Some(2));
    assert!(broken.contains("nothing was decided"));
}

#[test]
fn a_long_run_is_cut_and_that_is_said() {
    let folder = folder("report-long");
    let script = "channel step_with_a_rather_long_name : {0..20000}\n\
        P(n) = n < 20000 & step_with_a_rather_long_name.n -> P(n + 1)\nassert P(0) :[deadlock free [F]]\n";
    std::fs::write(folder.join("long.csp"), script).unwrap();
    let (page, code) = report(&folder, &["long.csp"]);
    assert_eq!(code, Some(1));
    assert!(page.len() <= 5 << 20, "{}", page.len());
    assert!(page.contains("shown from their end only"));
    assert!(page.contains("step_with_a_rather_long_name.19999"));
    assert!(page.trim_end().ends_with("</html>"));
}
