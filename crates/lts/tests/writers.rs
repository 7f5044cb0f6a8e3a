//! Text formats for other programs.

use crate::support;

use lts::{Builder, Label, Labels, Lts, StateId};
use std::io;
use support::{for_random_systems, show};

fn example() -> (Lts, Labels) {
    let mut labels = Labels::new();
    let (plain, odd) = (labels.intern("in.1"), labels.intern("say \"hi\"\\\n"));
    let mut builder = Builder::new();
    builder.add(StateId(0), plain, StateId(1));
    builder.add(StateId(1), odd, StateId(0));
    builder.add(StateId(1), Label::TICK, StateId(2));
    builder.mark_divergent(StateId(1));
    (builder.finish(StateId(1)), labels)
}

fn written(write: impl Fn(&Lts, &Labels, &mut Vec<u8>) -> io::Result<()>) -> String {
    let (lts, labels) = example();
    let mut text = Vec::new();
    write(&lts, &labels, &mut text).expect("memory takes everything");
    String::from_utf8(text).expect("labels are text")
}

#[test]
fn aldebaran() {
    let expected = "des (1,4,3)\n(0,\"in.1\",1)\n(1,\"tau\",1)\n(1,\"tick\",2)\n(1,\"say \"hi\"\\\n\",0)\n";
    assert_eq!(written(lts::aut::write), expected);
}

#[test]
fn graphviz() {
    let expected = r#"digraph lts {
  node [shape=circle];
  start [shape=point];
  start -> 1;
  0;
  0 -> 1 [label="in.1"];
  1;
  1 -> 1 [label="tau"];
  1 -> 2 [label="tick"];
  1 -> 0 [label="say \"hi\"\\\n"];
  2;
}
"#;
    assert_eq!(written(|system, labels, out| lts::dot::write(system, labels, None, out)), expected);
}

#[test]
fn json() {
    let expected = r#"{"initial":1,"states":3,"transitions":[
[0,"in.1",1],
[1,"tau",1],
[1,"tick",2],
[1,"say \"hi\"\\\u000a",0]
]}
"#;
    assert_eq!(written(lts::json::write), expected);
}

/// All formats list the same steps in the same order.
#[test]
fn formats_agree() {
    for_random_systems(300, 8, |_, lts| {
        let labels = support::letters();
        let (mut dot, mut json) = (Vec::new(), Vec::new());
        lts::dot::write(lts, &labels, None, &mut dot).map_err(|error| error.to_string())?;
        lts::json::write(lts, &labels, &mut json).map_err(|error| error.to_string())?;
        let (dot, json) = (String::from_utf8_lossy(&dot).into_owned(), String::from_utf8_lossy(&json).into_owned());
        let aut: Vec<String> = show(lts).lines().filter(|line| line.starts_with('(')).map(numbers_and_name).collect();
        let json: Vec<String> = json.lines().filter(|line| line.starts_with('[')).map(numbers_and_name).collect();
        let dot = dot.lines().filter(|line| line.contains("label=")).map(|line| {
            let parts: Vec<&str> = line.split(['"', ' ', ']', ';', '=']).filter(|part| !part.is_empty()).collect();
            format!("{} {} {}", parts[0], parts[4], parts[2])
        });
        if aut == json && dot.eq(aut) { Ok(()) } else { Err("different steps".to_owned()) }
    });
}

/// The three components of a step.
fn numbers_and_name(line: &str) -> String {
    let parts: Vec<&str> = line.split(['(', ')', '[', ']', '"', ',']).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
