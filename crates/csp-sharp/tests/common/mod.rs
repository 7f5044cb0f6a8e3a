//! Reading and exploration of scripts for tests.
#![allow(dead_code)] // Each test program uses a part of it.

use csp_sharp::Reading;
use csp_sharp::resolve::{Outside, Resolved, resolve};
use csp_sharp_runtime::run::{Answer, System};
use model::process::{State, Step};
use source::{Diagnostic, Files, Severity, SourceMap};
use std::path::{Path, PathBuf};

/// A script with its static diagnostics.
pub struct Analyzed {
    pub map: SourceMap,
    pub resolved: Resolved,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a script through all phases.
pub fn analyze(files: &dyn Files, root: &str) -> Analyzed {
    let mut map = SourceMap::new();
    let (script, mut diagnostics) = csp_sharp::parse::parse_script(files, root, &mut map, &Reading::default());
    let (resolved, wrong) = resolve(&script, Outside::default(), &Reading::default());
    diagnostics.extend(wrong);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Analyzed { map, resolved, diagnostics }
}

impl Analyzed {
    /// Whether there are errors, so that it must not be run.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The reachable states of a process, with their steps. Targets of termination are not expanded.
pub fn explore(system: &mut System, start: State, most: usize) -> Answer<Vec<(State, Vec<Step>)>> {
    let mut all: Vec<(State, Vec<Step>)> = vec![(start, Vec::new())];
    let mut next = 0;
    while next < all.len() && next < most {
        let mut steps = Vec::new();
        system.steps(all[next].0, &mut steps)?;
        for step in &steps {
            if step.label != lts::Label::TICK && !all.iter().any(|(known, _)| *known == step.target) {
                all.push((step.target, Vec::new()));
            }
        }
        all[next].1 = steps;
        next += 1;
    }
    Ok(all)
}

/// The folder of these tests.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}
