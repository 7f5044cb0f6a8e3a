//! The static operators of a process, for display.

use super::{State, System};
use crate::code::{Term, TermId};
use limits::display::components::MAX_DEPTH;
use limits::display::names::LONGEST_NAME;
use model::process::Operator;

impl System {
    /// The static operators of a state whose steps were computed, in preorder; at most `most`.
    pub fn operators(&self, state: State, most: usize) -> Vec<Operator> {
        let mut found = Vec::new();
        let mut open = vec![(self.states[state.0 as usize].0, Vec::new(), 0)];
        while let Some((term, path, depth)) = open.pop() {
            if found.len() >= most {
                break;
            }
            let opened = self.behind_calls(term);
            let is_named = opened != term;
            let at = |place: u32| [&path[..], &[place]].concat();
            let (symbol, operands): (String, Vec<(TermId, Vec<u32>)>) = match self.code.terms.get(opened) {
                _ if depth >= MAX_DEPTH || self.composition(opened).is_none() => (String::new(), Vec::new()),
                Term::Interleave(all) => {
                    ("|||".to_owned(), (0..).zip(all.iter()).map(|(n, &one)| (one, at(n))).collect())
                }
                Term::Parallel(_, all) => {
                    ("||".to_owned(), (0..).zip(all.iter()).map(|(n, &one)| (one, at(n))).collect())
                }
                Term::Group(members) | Term::Crowd(_, members) => {
                    ("|||{…}".to_owned(), members.iter().map(|&(one, _)| (one, at(one.0))).collect())
                }
                Term::Hide(_, inside) => ("\\".to_owned(), vec![(*inside, path.clone())]),
                Term::Sequence(first, _) => (";".to_owned(), vec![(*first, path.clone())]),
                Term::Atomic(inside) | Term::Active(inside) => ("atomic".to_owned(), vec![(*inside, path.clone())]),
                Term::Watched(inside) => {
                    open.push((*inside, path, depth));
                    continue;
                }
                Term::Bounded(_, _, inside) | Term::Expiring(_, _, inside, _) => {
                    ("time".to_owned(), vec![(*inside, path.clone())])
                }
                _ => (String::new(), Vec::new()),
            };
            let is_leaf = symbol.is_empty();
            let name = (is_leaf || is_named).then(|| self.term_text(term, LONGEST_NAME));
            let place = if is_named { self.place_of(term) } else { None };
            open.extend(operands.into_iter().rev().map(|(operand, path)| (operand, path, depth + 1)));
            found.push(Operator { depth, path, symbol, n_events: None, name, place });
        }
        found
    }

    /// The term behind calls that were expanded.
    fn behind_calls(&self, term: TermId) -> TermId {
        let mut term = term;
        for _ in 0..MAX_DEPTH {
            let Term::Call(definition, arguments) = self.code.terms.get(term) else { break };
            let Some(&body) = self.bodies.get(&(*definition, arguments.clone())) else { break };
            term = body;
        }
        term
    }
}
