//! Counterexamples of formulas, consistent in all output formats.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Script whose first assertion fails, with the expected display of its counterexample.
struct Case {
    file: &'static str,
    text: &'static str,
    /// Events of the steps, and the length of the loop.
    steps: &'static [&'static str],
    n_repeated: usize,
    sealed: Option<u64>,
    reading: &'static str,
    /// Step of each position; -1 for the initial one.
    rows: &'static [i64],
}

const CASES: &[Case] = &[
    Case {
        file: "pat.csp",
        text: "P() = a -> b -> P();\n#assert P() |= [] !b;\n",
        steps: &["a", "b"],
        n_repeated: 0,
        sealed: Some(2),
        reading: "arriving",
        rows: &[-1, 0, 1],
    },
    Case {
        file: "patstate.csp",
        text: "var x = 0;\nP() = up{x = x + 1} -> P2();\nP2() = up{x = x + 1} -> down{x = 0} -> P();\n\
               #define low x < 2;\n#assert P() |= [] low;\n",
        steps: &["up", "up"],
        n_repeated: 0,
        sealed: Some(2),
        reading: "arriving",
        rows: &[-1, 0, 1],
    },
    Case {
        file: "patlive.csp",
        text: "P() = a -> P() [] c -> P();\n#assert P() |= []<> c;\n",
        steps: &["a"],
        n_repeated: 1,
        sealed: None,
        reading: "arriving",
        rows: &[-1, 0],
    },
    Case {
        file: "csp.csp",
        text: "channel a, b\nP = a -> b -> P\nassert P :[ltl dialect=csp]: \"[] !b\"\n",
        steps: &["a", "b"],
        n_repeated: 0,
        sealed: Some(2),
        reading: "leaving",
        rows: &[0, 1],
    },
    Case {
        file: "prob.csp",
        text: "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"G not [b]\"\n",
        steps: &["a", "b"],
        n_repeated: 0,
        sealed: Some(2),
        reading: "leaving",
        rows: &[0, 1],
    },
    Case {
        file: "probstate.csp",
        text: "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"G not e(b)\"\n",
        steps: &["a"],
        n_repeated: 0,
        sealed: Some(1),
        reading: "leaving",
        rows: &[0, 1],
    },
    Case {
        file: "problive.csp",
        text: "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"F G [a]\"\n",
        steps: &["a", "b"],
        n_repeated: 2,
        sealed: None,
        reading: "leaving",
        rows: &[0, 1],
    },
    Case {
        file: "mixed.csp",
        text: "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"(G not [b]) & (G F [a])\"\n",
        steps: &["a", "b"],
        n_repeated: 0,
        sealed: Some(2),
        reading: "leaving",
        rows: &[0, 1],
    },
];

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faces");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn tell(folder: &Path, arguments: &[&str]) -> String {
    let command = Command::new(env!("CARGO_BIN_EXE_tracehound")).args(arguments).current_dir(folder).output().unwrap();
    String::from_utf8(command.stdout).unwrap()
}

/// Events after the step numbers of a table or a chart.
fn numbered(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split(|c: char| c.is_whitespace() || c == '│').filter(|word| !word.is_empty());
        words.next()?.parse::<usize>().ok()?;
        words.find(|word| *word != "*").map(str::to_owned)
    });
    rows.collect()
}

fn events(counterexample: &Value) -> Vec<&str> {
    let steps = ["steps", "loop"].into_iter().filter_map(|key| counterexample[key].as_array()).flatten();
    steps.map(|step| step["event"].as_str().unwrap()).collect()
}

#[test]
fn all_show_the_same_run() {
    let folder = folder();
    for case in CASES {
        std::fs::write(folder.join(case.file), case.text).unwrap();
        let document: Value = serde_json::from_str(&tell(&folder, &["check", case.file, "--format", "json"])).unwrap();
        let run = &document["assertions"][0]["counterexample"];
        assert_eq!(events(run), case.steps, "{}: {run:#}", case.file);
        assert_eq!(run["loop"].as_array().map_or(0, Vec::len), case.n_repeated, "{}: {run:#}", case.file);
        assert_eq!(run["sealed"].as_u64(), case.sealed, "{}: {run:#}", case.file);
        let rows: Vec<i64> = run["rows"].as_array().unwrap().iter().map(|row| row.as_i64().unwrap_or(-1)).collect();
        assert_eq!((run["event_reading"].as_str().unwrap(), &*rows), (case.reading, case.rows), "{}", case.file);
        for truth in run["formulas"].as_array().into_iter().flatten() {
            assert_eq!(truth["values"].as_array().unwrap().len(), case.rows.len(), "{}: {truth}", case.file);
        }
        let stream = tell(&folder, &["check", case.file, "--format", "ndjson"]);
        let found = stream.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let found: Vec<Value> = found.filter(|event| event["counterexample"].is_object()).collect();
        assert_eq!(events(&found[0]["counterexample"]), case.steps, "{}", case.file);
        for arguments in [
            &["check", case.file, "--all-steps"] as &[&str],
            &["check", case.file, "--steps", "list", "--all-steps"],
            &["check", case.file, "--steps", "chart"],
            &["draw", case.file, "--assert", "1", "--format", "text"],
        ] {
            let text = tell(&folder, arguments);
            assert_eq!(numbered(&text), case.steps, "{arguments:?}:\n{text}");
        }
        tell(&folder, &["check", case.file, "--report", "report.html"]);
        let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
        assert_eq!(page.matches("e pale number").count(), case.steps.len(), "{}", case.file);
    }
}

/// The event of a position is highlighted in the row of its step.
#[test]
fn truths_stand_beside_their_steps() {
    let folder = folder().join("truths");
    std::fs::create_dir_all(&folder).unwrap();
    let truths = |file: &str, text: &str, formula: &str| {
        std::fs::write(folder.join(file), text).unwrap();
        let document: Value = serde_json::from_str(&tell(&folder, &["check", file, "--format", "json"])).unwrap();
        let run = &document["assertions"][0]["counterexample"];
        let formulas = run["formulas"].as_array().unwrap();
        let found = formulas.iter().find(|truth| truth["formula"] == formula);
        let found = found.unwrap_or_else(|| panic!("{formula}: {run:#}"));
        let values = found["values"].as_array().unwrap().iter();
        let rows = run["rows"].as_array().unwrap().iter();
        let beside = rows.zip(values).filter(|(_, value)| **value == Value::Bool(true));
        beside.map(|(row, _)| row.as_i64().unwrap_or(-1)).collect::<Vec<i64>>()
    };
    // In PAT's semantics `b` is true where `b` has just happened.
    let pat = "P() = a -> b -> P();\n#assert P() |= [] (a -> X a);\n";
    assert_eq!(truths("pat.csp", pat, "a"), [0]);
    let csp = "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"G ([a] => X [a])\"\n";
    assert_eq!(truths("prob.csp", csp, "[a]"), [0]);
    let state = "channel a, b\nP = a -> b -> P\nassert P |= LTL: \"G not e(b)\"\n";
    assert_eq!(truths("state.csp", state, "e(b)"), [1]);
}
