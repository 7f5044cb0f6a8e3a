//! The values and processes of a whole script.

use crate::common::Analyzed;
use cspm::syntax::{Decl, Property};
use cspm_evaluator::{Evaluator, Limits};
use process::{Term, Terms, Unfold};
use source::Diagnostic;

/// How many calls in a row are opened.
const MAX_CALLS: usize = 1000;

impl Analyzed {
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
