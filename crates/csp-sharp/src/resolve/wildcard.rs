//! Variables with an arbitrary initial value.
//!
//! PAT's grammar has `var x:{0..3} = *;` without a documented semantics. Here it is a nondeterministic choice: a silent
//! step before every other step of a process assigns the initial values, one step for each valuation.

use super::Resolver;
use crate::errors;
use csp_sharp_runtime::code::{AttachedCode, ExprId, Place, Program, ProgramId, Statement, Term, TermId, VariableId};
use limits::input::csp_sharp::MAX_BEGINNINGS;
use source::Span;
use std::sync::Arc;

impl Resolver<'_> {
    /// Registers a variable with an arbitrary initial value.
    pub(super) fn add_wildcard(&mut self, id: VariableId, span: Span) {
        let variable = &self.out.code.variables[id.0 as usize];
        let (low, high) = match variable.range {
            Some((low, high)) if low != i32::MIN && high != i32::MAX && low <= high => (low, high),
            _ => {
                let name = variable.name.clone();
                self.report(errors::wildcard(&name, span));
                return;
            }
        };
        let n_values = (i64::from(high) - i64::from(low) + 1) as u64;
        let n_more = (0..variable.n_cells()).try_fold(1_u64, |all, _| all.checked_mul(n_values));
        let n_all = n_more.and_then(|more| self.n_initial_valuations.checked_mul(more));
        match n_all.filter(|&all| all <= MAX_BEGINNINGS) {
            Some(all) => {
                self.n_initial_valuations = all;
                self.wildcards.push(id);
            }
            None => self.report(errors::too_large(span, "the number of first values")),
        }
    }

    /// Prepends the choice of initial values to a process.
    pub(super) fn with_initial_choice(&mut self, process: TermId, span: Span) -> TermId {
        if self.wildcards.is_empty() {
            return process;
        }
        let ranges = self.wildcards.iter().map(|id| &self.out.code.variables[id.0 as usize]);
        let ranges: Vec<(usize, i32, i32)> = ranges
            .map(|variable| {
                let (low, high) = variable.range.expect("those without a range are refused");
                (variable.n_cells(), low, high)
            })
            .collect();
        let mut all: Vec<Vec<i32>> = vec![Vec::new()];
        for (n_cells, low, high) in ranges {
            for _ in 0..n_cells {
                let longer =
                    all.iter().flat_map(|values| (low..=high).map(move |value| [&values[..], &[value]].concat()));
                all = longer.collect();
            }
        }
        let branches: Vec<TermId> = all.iter().map(|values| self.with_initial_values(values, process, span)).collect();
        match branches[..] {
            [one] => one,
            _ => self.term(Term::Choice(branches.into()), span),
        }
    }

    /// Prepends a silent step that assigns initial values to a process.
    fn with_initial_values(&mut self, values: &[i32], process: TermId, span: Span) -> TermId {
        let mut values =
            values.iter().map(|&value| self.out.code.exprs.int(value)).collect::<Vec<ExprId>>().into_iter();
        let mut statements = Vec::new();
        for &id in &self.wildcards {
            let variable = &self.out.code.variables[id.0 as usize];
            let of_it: Vec<ExprId> = values.by_ref().take(variable.n_cells()).collect();
            statements.push(match (variable.dims.is_empty(), &of_it[..]) {
                (true, [one]) => Statement::Assign(Place::Variable(id), *one, span),
                _ => Statement::Fill(id, of_it, span),
            });
        }
        let program = ProgramId(self.out.code.programs.len() as u32);
        self.code().programs.push(Program { statements, n_locals: 0, inputs: Vec::new(), span });
        let attached = AttachedCode { program, arguments: Arc::new([]) };
        self.term(Term::Silent(Some(attached), process), span)
    }
}
