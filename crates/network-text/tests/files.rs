//! Well-formed files: the examples, those in `accepted/`, and those of the book.

use crate::common;

use common::{errors_of, network_blocks, parse_text, project, tests_folder};
use model::network::{Configuration, Network};
use source::Severity;
use test_support::files::files_below;
use test_support::golden;

/// Each file in `accepted/` has its expected text next to it.
#[test]
fn accepted_files_are_written_as_expected() {
    golden::check_all(&files_below(&tests_folder().join("accepted"), "network"), "written", |path| {
        let parsed = parse_text(std::fs::read(path).expect("a file can be read"));
        assert_eq!(errors_of(&parsed), "", "{}", path.display());
        parsed.document.text().to_string()
    });
}

#[test]
fn examples_are_accepted_and_explorable() {
    let examples = files_below(&project().join("examples"), "network");
    assert!(examples.len() >= 2, "are they still found?");
    for path in examples {
        let parsed = parse_text(std::fs::read(&path).expect("a file can be read"));
        assert!(parsed.diagnostics.is_empty(), "{}", parsed.rendered());
        for named in &parsed.document.networks {
            assert!(n_reachable(&named.network) > 1, "{} in {}", named.name, path.display());
        }
        let index = std::fs::read_to_string(project().join("examples/README.md")).expect("the examples have an index");
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        assert!(index.contains(&format!("({name})")), "examples/README.md does not name {name}");
    }
}

/// The number of reachable configurations, which must have no faults.
fn n_reachable(network: &Network) -> usize {
    let mut seen = std::collections::BTreeSet::from([network.initial.clone()]);
    let mut open: Vec<Configuration> = vec![network.initial.clone()];
    while let Some(configuration) = open.pop() {
        assert!(network.failures(&configuration).is_empty(), "{configuration:?}");
        for step in network.steps(&configuration) {
            if seen.insert(step.target.clone()) {
                open.push(step.target);
            }
        }
        assert!(seen.len() < 100_000, "the example is too large for this test");
    }
    seen.len()
}

#[test]
fn code_blocks_of_the_book_are_as_described() {
    let blocks = network_blocks();
    assert!(blocks.len() >= 3, "are they still found?");
    for (info, text) in blocks {
        let parsed = parse_text(text.clone());
        match info.strip_prefix("network,error=") {
            Some(code) => {
                let codes: Vec<&str> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
                assert_eq!(codes, [code], "{text}");
            }
            None => assert!(
                parsed.diagnostics.iter().all(|found| found.severity != Severity::Error),
                "{}",
                parsed.rendered()
            ),
        }
    }
}

#[test]
fn the_doors_of_the_example_are_mutually_exclusive() {
    let text = std::fs::read(project().join("examples/revolving-door.network")).expect("a file can be read");
    let parsed = parse_text(text);
    let door = &parsed.document.network("DOOR").expect("the example has it").network;
    let inside = model::network::LocalState(3);
    let mut open = vec![door.initial.clone()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(configuration) = open.pop() {
        assert_ne!(configuration.locals, [inside, inside]);
        let targets = door.steps(&configuration).into_iter().map(|step| step.target);
        open.extend(targets.filter(|target| seen.insert(target.clone())));
    }
    assert!(seen.iter().any(|configuration| configuration.locals[0] == inside), "no run enters");
}

#[test]
fn files_are_recognized_by_their_header() {
    for yes in ["tracehound network 1\n", "\u{feff}tracehound network 7", "\n tracehound  network"] {
        assert!(network_text::is_network(yes.as_bytes()), "{yes}");
    }
    for no in ["", "P = STOP", "tracehoundnetwork 1", "-- tracehound network 1", "tracehound networ"] {
        assert!(!network_text::is_network(no.as_bytes()), "{no}");
    }
}
