//! The walk from text to values as the tests take it.
#![allow(dead_code)] // Each test program uses a part of it.

use cspm::evaluate::{Evaluator, Limits};
use cspm::resolve::Resolved;
use cspm::syntax::{Decl, Property};
use cspm::typecheck::Types;
use process::{Term, Terms, Unfold};
use progress::Progress;
use source::{Diagnostic, Files, Severity, SourceMap};
use std::path::{Path, PathBuf};

/// How many calls in a row are opened.
const MAX_CALLS: usize = 1000;

/// A script with everything found in it before evaluation.
pub struct Analyzed {
    pub map: SourceMap,
    pub resolved: Resolved,
    pub types: Types,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a script through all phases before evaluation.
pub fn analyze(files: &dyn Files, root: &str) -> Analyzed {
    analyze_within(files, root, &progress::Nobody)
}

/// The same, with somebody who knows how much memory there is.
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
    /// Whether evaluation makes no sense.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The declarations at the top and in timed sections, in source order.
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

    /// Evaluates every print and the processes of every assertion, and returns what goes wrong.
    pub fn evaluate_all(&self) -> Vec<Diagnostic> {
        self.evaluate_all_within(Limits::generous())
    }

    /// The same with other limits.
    pub fn evaluate_all_within(&self, limits: Limits) -> Vec<Diagnostic> {
        let mut evaluator = Evaluator::new(&self.resolved, &self.types, limits);
        let mut terms = Terms::default();
        let mut found = Vec::new();
        for decl in self.declarations() {
            let outcome = match decl {
                Decl::Print(expr, _) => evaluator.value(&mut terms, *expr).map(|_| ()),
                Decl::Assert(assertion) => self.unfold_processes(&mut evaluator, &mut terms, &assertion.property),
                _ => Ok(()),
            };
            found.extend(outcome.err().map(|diagnostic| *diagnostic));
        }
        found
    }

    /// Opens each process of an assertion as far as its first call.
    fn unfold_processes(
        &self,
        evaluator: &mut Evaluator,
        terms: &mut Terms,
        property: &Property,
    ) -> Result<(), Box<Diagnostic>> {
        let processes = match property {
            Property::Refinement { specification, implementation, .. } => vec![*specification, *implementation],
            Property::DeadlockFree(process, _)
            | Property::DivergenceFree(process, _)
            | Property::Deterministic(process, _)
            | Property::HasTrace { process, .. }
            | Property::Temporal { process, .. } => vec![*process],
            Property::Error => Vec::new(),
        };
        for process in processes {
            let mut term = evaluator.process(terms, process)?;
            // A process may call itself before it does anything; then there is no end to it.
            for _ in 0..MAX_CALLS {
                let Term::Call(call) = *terms.get(term) else { break };
                term = evaluator.unfold(terms, call)?;
            }
        }
        Ok(())
    }
}

/// The folder of the tests.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}
