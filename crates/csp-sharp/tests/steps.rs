//! The firing rules, operator by operator: each script in `steps/` with all states and steps of its asserted processes.
//!
//! The expected texts are rewritten by `UPDATE_EXPECTED=1 cargo test -p tracehound-csp-sharp --test steps`; review them
//! before committing.

use crate::common;

use common::{analyze, explore, tests_folder};
use csp_sharp_runtime::run::System;
use lts::Label;
use model::EventId;
use model::process::{State, Step};
use std::fmt::Write;
use std::path::Path;
use test_support::files::{FolderFiles, files_below};
use test_support::golden;

#[test]
fn every_operator_steps_as_expected() {
    let scripts = files_below(&tests_folder().join("steps"), "csp");
    assert!(!scripts.is_empty());
    golden::check_all(&scripts, "txt", behavior);
}

fn behavior(script: &Path) -> String {
    let folder = script.parent().expect("scripts lie in folders");
    let name = script.file_name().expect("scripts have names").to_string_lossy().into_owned();
    let analyzed = analyze(&FolderFiles::new(folder), &name);
    assert!(!analyzed.has_errors(), "{name}: {:?}", analyzed.diagnostics);
    let mut text = String::new();
    for assertion in &analyzed.resolved.assertions {
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(assertion.process);
        let all = explore(&mut system, start, 500).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
        let n_steps: usize = all.iter().map(|(_, steps)| steps.len()).sum();
        let process = analyzed.map.text(assertion.process_span);
        writeln!(text, "{process}: {} states, {n_steps} steps", all.len()).expect("a text can be written");
        for (number, (state, steps)) in all.iter().enumerate() {
            let variables: Vec<String> =
                system.variables(*state).into_iter().map(|(name, value)| format!(" {name}={value}")).collect();
            writeln!(text, "{number}: {}{}", system.text(*state, 200), variables.concat()).expect("the same");
            for step in steps {
                writeln!(text, "    {} -> {}", label(&system, step), target(&all, step)).expect("the same");
            }
        }
    }
    text
}

fn label(system: &System, step: &Step) -> String {
    match step.label {
        Label::TAU => "tau".to_owned(),
        Label::TICK => "tick".to_owned(),
        Label(number) => system.events().text(EventId(number - 2)).to_owned(),
    }
}

fn target(all: &[(State, Vec<Step>)], step: &Step) -> String {
    let place = all.iter().position(|(state, _)| *state == step.target);
    place.map_or("end".to_owned(), |place| place.to_string())
}
