//! Instances of parameterized families.
//!
//! `|||{..}@P` denotes a family of processes, so it has no states of its own. An instance with `n` copies is the
//! process `|||{n}@P`; all larger instances together are represented by a *crowd*, a counter abstraction (A. Pnueli, J.
//! Xu and L. Zuck, "Liveness with (0,1,infinity)-Counter Abstraction", 2002), in which counts above a limit are "many".
//! `docs/semantics/counting.md` states what it proves.

use super::{MAX_CALL_CHAIN, System, substitute};
use crate::code::{MANY, Term, TermId};
use model::process::Copies;

impl System {
    /// The replicated processes of the families in a process, in source order.
    pub fn families(&mut self, process: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.with_numbers(process, MAX_CALL_CHAIN, &mut |body| {
            found.push(body);
            Copies::Exactly(0)
        });
        found
    }

    /// Instantiates the families of a process.
    pub fn with_copies(&mut self, process: TermId, copies: &[Copies]) -> TermId {
        let mut copies = copies.iter().copied();
        self.with_numbers(process, MAX_CALL_CHAIN, &mut |_| copies.next().unwrap_or(Copies::Exactly(0)))
    }

    fn with_numbers(&mut self, process: TermId, most: usize, number: &mut dyn FnMut(TermId) -> Copies) -> TermId {
        let process = substitute::term(&mut self.code, process, &[]);
        let Some(most) = most.checked_sub(1) else { return process };
        let span = self.code.terms.span(process);
        let term = match self.code.terms.get(process).clone() {
            Term::AnyNumber(body) => {
                return match number(body) {
                    Copies::Exactly(count) => substitute::group(&mut self.code, vec![(body, count)], span),
                    Copies::MoreThan(most) => {
                        substitute::counted(&mut self.code, Some(most.max(1)), vec![(body, MANY)], span)
                    }
                };
            }
            Term::Hide(set, next) => Term::Hide(set, self.with_numbers(next, most, number)),
            Term::Interleave(all) => {
                Term::Interleave(all.iter().map(|&member| self.with_numbers(member, most, number)).collect())
            }
            Term::Call(definition, arguments)
                if self.code.definitions[definition.0 as usize].is_any_number
                    && arguments.iter().all(|&argument| self.code.exprs.value(argument).is_some()) =>
            {
                let body = self.body(definition, &arguments);
                return self.with_numbers(body, most, number);
            }
            _ => return process,
        };
        self.add(term, process)
    }
}
