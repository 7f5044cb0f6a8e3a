//! Any number of copies.
//!
//! `|||{..}@P` stands for all numbers of copies of `P`, so it has no states of its own. It has those of so many copies, counted as
//! `|||{n}@P` counts them, for each number; and those of a *crowd*, which stand for all larger numbers at once. A crowd counts the copies at a
//! place up to some number, and what is more is many. `docs/semantics/counting.md` says what can be concluded from it.

use super::{MAX_CALL_CHAIN, System, substitute};
use crate::code::{MANY, Term, TermId};
use model::process::Copies;

impl System {
    /// What a process begins with any number of copies of, in the order in which it is written.
    pub fn families(&mut self, process: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.with_numbers(process, MAX_CALL_CHAIN, &mut |body| {
            found.push(body);
            Copies::Exactly(0)
        });
        found
    }

    /// The same process with so many copies each.
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
