//! Faults in the first steps of asserted processes, reported statically.
//!
//! Only cheap first steps are computed; those of processes with many components are left to the search.

use crate::resolve::Resolved;
use csp_sharp_runtime::code::{Binder, BinderValues, Code, DefinitionId, Operator, Term, TermId};
use csp_sharp_runtime::run::{Fault, FaultKind, System};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::{MAX_FIRST_WORK, MAX_HEADS};
use source::{Diagnostic, Severity};

/// Warnings about asserted processes with a faulting first step.
pub fn first_faults(resolved: &Resolved) -> Vec<Diagnostic> {
    if resolved.code.is_timed || resolved.assertions.is_empty() {
        return Vec::new();
    }
    let mut system = System::new(&resolved.code).bounded(MAX_FIRST_WORK);
    let mut heads = StepEstimates { code: &resolved.code, known: HashMap::new() };
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for assertion in &resolved.assertions {
        let process = assertion.process;
        if heads.of(process).is_none_or(|n_heads| n_heads > MAX_HEADS) {
            continue;
        }
        let start = system.start(process);
        if let Err(fault) = system.steps(start, &mut Vec::new())
            && is_about_values(&fault)
        {
            let warning = Diagnostic { severity: Severity::Warning, ..fault.diagnose() };
            let warning =
                warning.with_note("this happens in the first step of a process that is asserted something of");
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings
}

fn is_about_values(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Range(..) | FaultKind::Index(..) | FaultKind::Division)
}

/// Estimates of the number of initial steps of terms.
struct StepEstimates<'a> {
    code: &'a Code,
    /// For each visited definition; `None` where there is no estimate, and while it is computed.
    known: HashMap<DefinitionId, Option<u64>>,
}

impl StepEstimates<'_> {
    fn of(&mut self, term: TermId) -> Option<u64> {
        let code = self.code;
        match code.terms.get(term) {
            Term::Call(definition, _) => self.of_definition(*definition),
            Term::Guard(_, next) | Term::Hide(_, next) | Term::Atomic(next) | Term::Watched(next) => self.of(*next),
            Term::Sequence(first, _) => self.of(*first),
            Term::Interrupt(left, right) | Term::If(_, _, left, right) => self.sum(&[*left, *right]),
            Term::Choice(terms) | Term::External(terms) | Term::Interleave(terms) => self.sum(terms),
            // Synchronization multiplies the choices of participants.
            Term::Parallel(_, terms) => {
                terms.iter().try_fold(1_u64, |product, &term| Some(product.saturating_mul(self.of(term)?.max(1))))
            }
            Term::Indexed(operator, binders, body) => {
                let copies =
                    binders.iter().try_fold(1_u64, |n, binder| Some(n.saturating_mul(self.n_values(binder)?)))?;
                let each = self.of(*body)?;
                match operator {
                    Operator::Parallel => each.max(1).checked_pow(u32::try_from(copies).ok()?),
                    _ => Some(copies.saturating_mul(each)),
                }
            }
            Term::Copies(..) | Term::AnyNumber(_) => None,
            _ => Some(1),
        }
    }

    fn of_definition(&mut self, definition: DefinitionId) -> Option<u64> {
        if let Some(&known) = self.known.get(&definition) {
            return known;
        }
        self.known.insert(definition, None);
        let found = self.of(self.code.definitions[definition.0 as usize].body);
        self.known.insert(definition, found);
        found
    }

    fn sum(&mut self, terms: &[TermId]) -> Option<u64> {
        terms.iter().try_fold(0_u64, |sum, &term| Some(sum.saturating_add(self.of(term)?)))
    }

    fn n_values(&self, binder: &Binder) -> Option<u64> {
        match &binder.values {
            BinderValues::Range(low, high) => {
                let (low, high) = (self.code.exprs.value(*low)?, self.code.exprs.value(*high)?);
                u64::try_from(i64::from(high) - i64::from(low) + 1).ok()
            }
            BinderValues::List(values) => Some(values.len() as u64),
        }
    }
}
