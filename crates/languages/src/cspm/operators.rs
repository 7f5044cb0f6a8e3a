//! The operators of a process down to its components, for people.

use super::semantics::{CspmSemantics, term};
use frontend::{Operator, State};
use limits::display::components::MAX_DEPTH;
use limits::display::names::LONGEST_NAME;
use process::{CallId, Term, TermId, Unfold};
use source::Span;

/// An operator that is always there while the process runs: how it is written, how many events it is about, and its
/// operands.
struct Static {
    symbol: String,
    n_events: Option<usize>,
    operands: Vec<TermId>,
    is_parallel: bool,
}

impl CspmSemantics<'_> {
    /// The operators of a state whose steps were asked for, from the outermost, operands below their operators; not
    /// more than `most`.
    pub(super) fn find_operators(&mut self, at: State, most: usize) -> Vec<Operator> {
        let mut found = Vec::new();
        let mut open = vec![(term(at), Vec::new(), 0)];
        while let Some((term, path, depth)) = open.pop() {
            if found.len() >= most {
                break;
            }
            let (calls, opened) = self.opened(term);
            let operator = if depth < MAX_DEPTH { self.static_operator(opened) } else { None };
            let named: Option<(String, Span)> = calls.first().map(|&call| {
                (self.evaluator.call_name(&mut self.terms, call, LONGEST_NAME), self.evaluator.call_span(call))
            });
            let Some(operator) = operator else {
                let name = match named {
                    Some((name, _)) => name,
                    None => self.evaluator.term_text(&mut self.terms, term, LONGEST_NAME),
                };
                let place = calls.first().map(|&call| self.evaluator.call_span(call));
                found.push(Operator { depth, path, symbol: String::new(), n_events: None, name: Some(name), place });
                continue;
            };
            let place = named.as_ref().map(|(_, span)| *span);
            // What is compressed is one machine, by the name that it has in the script.
            let is_machine = matches!(self.terms.get(opened), Term::Compressed(..));
            let name = match named.map(|(name, _)| name) {
                None if is_machine => Some(self.evaluator.term_text(&mut self.terms, opened, LONGEST_NAME)),
                name => name,
            };
            let (symbol, n_events) = (operator.symbol, operator.n_events);
            for (position, &operand) in operator.operands.iter().enumerate().rev() {
                let mut inner = path.clone();
                if operator.is_parallel {
                    inner.push(position as u32);
                }
                open.push((operand, inner, depth + 1));
            }
            found.push(Operator { depth, path, symbol, n_events, name, place });
        }
        found
    }

    /// The term behind calls, as far as their steps were computed, and these calls.
    fn opened(&self, term: TermId) -> (Vec<CallId>, TermId) {
        let (mut calls, mut term) = (Vec::new(), term);
        while let &Term::Call(call) = self.terms.get(term)
            && let Some(body) = self.table.body(call)
            && calls.len() < MAX_DEPTH
        {
            calls.push(call);
            term = body;
        }
        (calls, term)
    }

    fn static_operator(&self, term: TermId) -> Option<Static> {
        let parallel = |symbol: &str, n_events: Option<usize>, operands: Vec<TermId>| Static {
            symbol: symbol.to_owned(),
            n_events,
            operands,
            is_parallel: true,
        };
        let above = |symbol: String, n_events: Option<usize>, operand: TermId| Static {
            symbol,
            n_events,
            operands: vec![operand],
            is_parallel: false,
        };
        let found = match self.terms.get(term) {
            Term::Interleave(all) => parallel("|||", None, all.to_vec()),
            Term::Parallel(all, events) => parallel("[|…|]", Some(events.len()), all.to_vec()),
            Term::AlphaParallel(all) => parallel("[…||…]", None, all.iter().map(|(operand, _)| *operand).collect()),
            Term::Link(left, relation, right) => parallel("[… <-> …]", Some(relation.len()), vec![*left, *right]),
            Term::Hide(operand, events) => above("\\".to_owned(), Some(events.len()), *operand),
            Term::Project(operand, events) => above("|\\".to_owned(), Some(events.len()), *operand),
            Term::Rename(operand, relation) => above("[[…]]".to_owned(), Some(relation.len()), *operand),
            Term::Prioritise(operand, _) => above("prioritise".to_owned(), None, *operand),
            Term::PrioritiseBy(operand, _) => above("prioritisepo".to_owned(), None, *operand),
            Term::Compressed(compression, operand) => above(compression.name().to_owned(), None, *operand),
            _ => return None,
        };
        // What is hidden of a single component is a part of it.
        let is_structured = found.is_parallel || found.operands.iter().any(|&operand| self.has_operators(operand));
        is_structured.then_some(found)
    }

    fn has_operators(&self, term: TermId) -> bool {
        let mut term = term;
        for _ in 0..MAX_DEPTH {
            term = match self.terms.get(self.opened(term).1) {
                Term::Interleave(_) | Term::Parallel(..) | Term::AlphaParallel(_) | Term::Link(..) => return true,
                Term::Compressed(..) => return true,
                Term::Hide(operand, _)
                | Term::Project(operand, _)
                | Term::Rename(operand, _)
                | Term::Prioritise(operand, _)
                | Term::PrioritiseBy(operand, _) => *operand,
                _ => return false,
            };
        }
        false
    }
}
