//! Queries of the workbench, answered by the real binary.
#![cfg(feature = "workbench")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// In a folder of this name with these files.
    fn start(name: &str, files: &[(&str, &str)]) -> Worker {
        let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join("served");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_tracehound"))
            .arg("worker")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Worker { input: child.stdin.take(), output: BufReader::new(child.stdout.take().unwrap()), child }
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.input.as_mut().unwrap(), "{question}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).expect(&answer)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const RELAY: &str = "channel a, b, c\nP = a -> b -> P\nQ = b -> c -> Q\nS = P [| {b} |] Q\n\
    L = a -> L\nassert S :[deadlock free]\nassert P [T= L\n";

#[test]
fn an_outline_has_problems_assertions_and_names_of_what_is_not_saved() {
    let mut worker = Worker::start("worker-outline", &[("x.csp", RELAY)]);
    let outline = worker.ask(&json!({ "ask": "outline", "file": "x.csp" }));
    assert_eq!((&outline["language"], &outline["has_errors"]), (&json!("cspm"), &json!(false)));
    assert_eq!(outline["assertions"].as_array().unwrap().len(), 2);
    let second = &outline["assertions"][1];
    assert_eq!((&second["process"], &second["specification"], &second["line"]), (&json!("L"), &json!("P"), &json!(7)));
    assert_eq!(outline["processes"], json!(["P", "Q", "S", "L"]));
    let typed = json!({ "ask": "outline", "file": "x.csp", "texts": { "x.csp": "P = STPO" } });
    let damaged = worker.ask(&typed);
    assert_eq!(damaged["has_errors"], true);
    assert_eq!(damaged["diagnostics"][0]["help"][0], "did you mean `STOP`?");
    let definition = json!({ "ask": "definition", "file": "x.csp", "at": "x.csp", "line": 4, "column": 5 });
    assert_eq!(worker.ask(&definition)["place"], json!({ "file": "x.csp", "line": 2, "column": 1 }));
}

#[test]
fn a_simulator_is_where_its_moves_lead_whatever_was_asked_before() {
    let mut worker = Worker::start("worker-simulate", &[("x.csp", RELAY)]);
    let at = |moves: &[usize]| json!({ "ask": "simulate", "file": "x.csp", "process": "S", "moves": moves });
    let start = worker.ask(&at(&[]));
    assert_eq!(start["moves"].as_array().unwrap().len(), 1);
    assert_eq!(start["moves"][0]["event"], "a");
    let blocked = &start["blocked"][0];
    assert_eq!(
        (&blocked["event"], &blocked["ready"], &blocked["missing"]),
        (&json!("b"), &json!(["Q"]), &json!(["P"]))
    );
    let far = worker.ask(&at(&[0, 0, 0]));
    assert_eq!(far["history"].as_array().unwrap().len(), 3);
    assert_eq!(far["history"][1]["by"].as_array().unwrap().len(), 2, "both take `b`");
    assert_eq!(worker.ask(&at(&[])), start, "back again");
    assert_eq!(worker.ask(&at(&[0, 0, 0])), far, "and there again");
    let run = json!({ "ask": "simulate", "file": "x.csp", "process": "S", "moves": [], "run": [["a", true], ["b", true], ["c", true]] });
    let ahead = worker.ask(&run)["ahead"].clone();
    let numbers: Vec<usize> = ahead.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let events: Vec<Value> =
        worker.ask(&at(&numbers))["history"].as_array().unwrap().iter().map(|step| step["event"].clone()).collect();
    assert_eq!(events, ["a", "b", "c"]);
    assert_eq!(worker.ask(&at(&[7]))["history"], json!([]), "a move that is not possible is not taken");
}

#[test]
fn graphs_structures_and_comparisons() {
    let mut worker = Worker::start("worker-graph", &[("x.csp", RELAY)]);
    let graph = worker.ask(&json!({ "ask": "graph", "file": "x.csp", "process": "S", "run": ["a", "b"] }));
    assert_eq!(
        (&graph["n_states"], &graph["is_complete"], &graph["too_large"]),
        (&json!(4), &json!(true), &json!(false))
    );
    let on_way = graph["edges"].as_array().unwrap().iter().filter(|edge| edge["numbers"] != json!([])).count();
    assert_eq!(on_way, 2, "the steps of the run are marked");
    let endless = json!({ "x.csp": "channel n : Int\nUP(i) = n.i -> UP(i+1)\nP = UP(0)\n" });
    let beginning = worker.ask(&json!({ "ask": "graph", "file": "x.csp", "process": "P", "texts": endless }));
    assert_eq!(beginning["is_complete"], false, "{beginning}");
    let states = beginning["states"].as_array().unwrap();
    assert_eq!(states.iter().filter(|state| state["frontier"] == json!(true)).count(), 1, "one is not looked at");
    let structure = worker.ask(&json!({ "ask": "structure", "file": "x.csp", "process": "S" }));
    let machines = structure["machines"].as_array().unwrap();
    assert_eq!(machines.iter().map(|machine| &machine["name"]).collect::<Vec<_>>(), ["P", "Q"]);
    assert!(machines.iter().all(|machine| machine["states"] == json!(2)), "{structure}");
    let compare = |model: &str| json!({ "ask": "compare", "file": "x.csp", "left": "P", "right": "L", "model": model });
    let compared = worker.ask(&compare("T"));
    assert_eq!(compared["answers"][0]["verdict"], "fails");
    assert_eq!(compared["answers"][0]["counterexample"]["trace"], json!(["a"]));
    assert!(worker.ask(&compare("X"))["error"].is_string());
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let script = "include \"../secret.csp\"\nP = SECRET\n";
    let mut worker = Worker::start("worker-fence", &[("x.csp", script)]);
    let secret = Path::new(env!("CARGO_TARGET_TMPDIR")).join("worker-fence/secret.csp");
    std::fs::write(&secret, "SECRET = STOP\n").unwrap();
    let outline = worker.ask(&json!({ "ask": "outline", "file": "x.csp" })).to_string();
    assert!(outline.contains("--root") && !outline.contains("SECRET = STOP"), "{outline}");
    let outside = worker.ask(&json!({ "ask": "outline", "file": "../secret.csp" })).to_string();
    assert!(!outside.contains("\"processes\":[\"SECRET\"]"), "{outside}");
}

#[test]
fn nonsense_is_answered_and_the_end_of_questions_is_the_end() {
    let mut worker = Worker::start("worker-nonsense", &[("x.csp", RELAY)]);
    for question in
        [json!(3), json!({}), json!({ "ask": "x", "file": "x.csp" }), json!({ "ask": "simulate", "file": "none.csp" })]
    {
        assert!(worker.ask(&question)["error"].is_string(), "{question}");
    }
    // An abandoned comparison ends although it is not complete.
    let cells = "channel a : {0..11}.{0..9}\nC(i, v) = a.i?w:diff({0..9}, {v}) -> C(i, w)\nB = ||| i : {0..11} @ C(i, 0)\nR = a?i?w -> R\n";
    let long = json!({ "ask": "compare", "file": "x.csp", "left": "R", "right": "B", "model": "FD", "texts": { "x.csp": cells } });
    writeln!(worker.input.as_mut().unwrap(), "{long}").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    worker.input = None;
    let start = Instant::now();
    while worker.child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "an abandoned comparison still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}
