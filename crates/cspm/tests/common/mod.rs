//! The phases before evaluation, for the tests of this crate and of the evaluator.
#![allow(dead_code)] // Each test program uses a part of it.

pub mod catalogue;

use cspm::resolve::Resolved;
use cspm::syntax::Decl;
use cspm::typecheck::Types;
use progress::Progress;
use source::{Diagnostic, Files, Severity, SourceMap};
use std::path::{Path, PathBuf};

/// A script with its static diagnostics.
pub struct Analyzed {
    pub map: SourceMap,
    pub resolved: Resolved,
    pub types: Types,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a script through all phases before evaluation.
pub fn analyze(files: &dyn Files, root: &str) -> Analyzed {
    analyze_within(files, root, &progress::NoProgress)
}

/// Reads a script through all phases before evaluation, cancelled through `progress`.
pub fn analyze_within(files: &dyn Files, root: &str, progress: &dyn Progress) -> Analyzed {
    let mut map = SourceMap::new();
    let (ast, mut diagnostics) = cspm::parse::parse_script(files, root, &mut map, None);
    let (resolved, about_names) = cspm::resolve::resolve_names(ast);
    let (types, about_types) = cspm::typecheck::infer_types(&resolved, progress);
    diagnostics.extend(about_names);
    diagnostics.extend(about_types);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Analyzed { map, resolved, types, diagnostics }
}

impl Analyzed {
    /// Whether there are errors, so that it must not be evaluated.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The global declarations including those in timed sections, in source order.
    pub fn declarations(&self) -> Vec<&Decl> {
        let mut found = Vec::new();
        let mut pending: Vec<_> = self.resolved.program.iter().rev().collect();
        while let Some(&decl) = pending.pop() {
            let decl = self.resolved.ast.decl(decl);
            if let Decl::Timed { declarations, .. } = decl {
                pending.extend(declarations.iter().rev());
            }
            found.push(decl);
        }
        found
    }
}

/// The folder of the tests.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}
