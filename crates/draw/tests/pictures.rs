//! Pictures compared byte by byte with the files in `pictures/`.

use draw::chart::{Chart, Lifeline, Step, Truth};
use draw::graph::{Graph, MAX_STATES, TooLarge};
use lts::{Builder, Label, Lts, StateId, Transition};
use std::path::Path;
use test_support::golden::Golden;

/// System of numbered states with names for its labels.
fn system(steps: &[(u32, &str, u32)]) -> (Lts, Vec<String>) {
    let mut names: Vec<String> = vec!["tau".to_owned(), "tick".to_owned()];
    let mut builder = Builder::new();
    for (source, name, target) in steps {
        let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push((*name).to_owned());
            names.len() - 1
        });
        builder.add_state(StateId(*source));
        builder.add_state(StateId(*target));
        builder.add(StateId(*source), Label(place as u32), StateId(*target));
    }
    (builder.finish(StateId(0)), names)
}

/// Lift between three floors that may deadlock.
fn lift() -> (Lts, Vec<String>) {
    system(&[
        (0, "call.1", 1),
        (0, "call.2", 2),
        (1, "tau", 3),
        (2, "tau", 4),
        (3, "up.1", 5),
        (4, "up.1", 6),
        (6, "up.2", 7),
        (5, "open.1", 8),
        (5, "open.2", 8),
        (7, "open.2", 9),
        (8, "down.1", 0),
        (9, "down.2", 8),
        (7, "tau", 10),
        (9, "ring", 9),
        (9, "tick", 11),
        (3, "call.2", 4),
    ])
}

fn chart() -> Chart {
    let life = |name: &str, waits: &str| Lifeline {
        name: name.to_owned(),
        waits: (!waits.is_empty()).then(|| waits.to_owned()),
    };
    let step = |event: &str, hidden: Option<&str>, parts: &[usize]| Step {
        event: event.to_owned(),
        hidden: hidden.map(str::to_owned),
        is_silent: event == "tau",
        parts: parts.iter().map(|&part| (part, hidden.unwrap_or(event).to_owned())).collect(),
    };
    Chart {
        title: "TABLE(2) :[deadlock free [F]]".to_owned(),
        ending: vec!["TABLE(2) is stuck:  nothing can happen".to_owned()],
        components: vec![
            life("GUEST(0)", "take.0.1"),
            life("GUEST(1)", "take.1.0"),
            life("FORK(0)", "drop.0.0"),
            life("FORK(1)", "drop.1.1"),
        ],
        steps: vec![
            step("sit.0", None, &[0]),
            step("take.0.0", None, &[0, 2]),
            step("tau", Some("nod"), &[0, 1]),
            step("take.1.1", None, &[1, 3]),
        ],
        circle: vec![0, 3, 1, 2],
        ..Chart::default()
    }
}

/// Lasso with truth values.
fn lasso() -> Chart {
    let values = |text: &str| text.chars().map(|c| Some(c == 'T')).collect();
    Chart {
        title: "SYSTEM |= LTL: \"G([ask] => F [row])\"".to_owned(),
        repeated_from: Some(2),
        truths: vec![
            Truth { formula: "[ask] => F [row]".to_owned(), values: values(".TTT"), ..Truth::default() },
            Truth { formula: "F [row]".to_owned(), values: values("...."), ..Truth::default() },
        ],
        sealed: Some(0),
        ending: Vec::new(),
        circle: Vec::new(),
        ..chart()
    }
}

#[test]
fn pictures_are_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let mut golden = Golden::new();
    let (lts, names) = lift();
    let label_name = |label: Label| names[label.index()].clone();
    let plain =
        Graph { title: "LIFT", lts: &lts, label_name: &label_name, names: None, sizes: None, way: &[], frontier: &[] };
    golden.check(&folder.join("lift.svg"), &plain.svg(MAX_STATES).expect("it is small"));
    golden.check(&folder.join("lift.txt"), &plain.text(MAX_STATES).expect("it is small"));
    let step = |source: u32, label: &str, target: u32| {
        let label = names.iter().position(|known| known == label).expect("it is one of them");
        (StateId(source), Transition { label: Label(label as u32), target: StateId(target) })
    };
    let way = [step(0, "call.2", 2), step(2, "tau", 4), step(4, "up.1", 6), step(6, "up.2", 7), step(7, "tau", 10)];
    let about: Vec<String> = (0..12).map(|n| format!("LIFT({n}) <&>")).collect();
    let sizes = [1, 1, 1, 1, 1, 1, 1, 1, 4, 1, 2, 1];
    let told = Graph { names: Some(&about), sizes: Some(&sizes), way: &way, frontier: &[StateId(11)], ..plain };
    golden.check(&folder.join("lift-stuck.svg"), &told.svg(MAX_STATES).expect("it is small"));
    golden.check(&folder.join("lift-stuck.txt"), &told.text(MAX_STATES).expect("it is small"));
    for (name, chart) in [("table", chart()), ("lasso", lasso())] {
        golden.check(&folder.join(format!("{name}.svg")), &chart.svg());
        golden.check(&folder.join(format!("{name}.txt")), &chart.text());
    }
    golden.finish();
}

#[test]
fn what_is_too_large_is_refused() {
    let steps: Vec<(u32, &str, u32)> = (0..450).map(|n| (n, "a", n + 1)).collect();
    let (lts, names) = system(&steps);
    let label_name = |label: Label| names[label.index()].clone();
    let graph =
        Graph { title: "CHAIN", lts: &lts, label_name: &label_name, names: None, sizes: None, way: &[], frontier: &[] };
    assert_eq!(graph.svg(MAX_STATES), Err(TooLarge { n_states: 451, n_edges: 450 }));
    assert_eq!(graph.text(MAX_STATES), Err(TooLarge { n_states: 451, n_edges: 450 }));
    let overview = graph.svg(451).expect("who asks for more gets it");
    assert!(!overview.contains("<text class=\"m number\""), "without names");
    let long: Vec<String> = (0..451).map(|n| format!("STATE({n}) {}", "x".repeat(10_000))).collect();
    let named = Graph { names: Some(&long), ..graph };
    assert_eq!(named.svg(451), Ok(overview), "names of states would be most of it");
}
