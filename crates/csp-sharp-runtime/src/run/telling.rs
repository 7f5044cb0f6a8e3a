//! Parameters that events tell.
//!
//! The alphabet of a process is made of the events in its text. In `Desk(k) = [k > 0] go -> Desk(k - 1)` none of them has `k` in a field, so
//! the alphabet is the same for all `k`, and it is found although the calls of `Desk` have no end. A parameter is *told* if it stands in a
//! field of a plain event, or in a set of events, or if it decides how often there is something with an index, or if it is a part
//! of an argument for a parameter that is told. That is the least solution, found by going round until nothing more is told.

use crate::code::{Code, DefinitionId, ExprId, Hiding, Slot, Term, TermId, binders_free, pattern_free};
use hashbrown::HashSet;

/// For each definition, its parameters that are told, as bits.
pub(super) fn told(code: &Code) -> Vec<u64> {
    let mut told = vec![0; code.definitions.len()];
    loop {
        let mut has_more = false;
        for number in 0..code.definitions.len() {
            let found = told_by(code, DefinitionId(number as u32), &told);
            has_more |= found & !told[number] != 0;
            told[number] |= found;
        }
        if !has_more {
            return told;
        }
    }
}

fn told_by(code: &Code, definition: DefinitionId, told: &[u64]) -> u64 {
    let definition = &code.definitions[definition.0 as usize];
    let all = |exprs: &[ExprId]| exprs.iter().fold(0, |all, &expr| all | code.exprs.free(expr));
    let patterns = |set| code.terms.set(set).iter().fold(0, |all, pattern| all | pattern_free(&code.exprs, pattern));
    if let Some(set) = definition.alphabet {
        return patterns(set);
    }
    let mut found = 0;
    let mut met: HashSet<TermId> = HashSet::from([definition.body]);
    let mut open = vec![definition.body];
    while let Some(term) = open.pop() {
        let term = code.terms.get(term);
        found |= match term {
            Term::Event(event, None, _) => all(&event.fields),
            Term::Hide(Hiding::Events(set), _) => patterns(*set),
            Term::Indexed(_, binders, _) => binders_free(&code.exprs, binders, 0),
            Term::Copies(count, _) => code.exprs.free(*count),
            Term::Call(called, arguments) => {
                let slots = (0_u8..).map(Slot).zip(arguments.iter());
                let of_told = slots.filter(|(slot, _)| told[called.0 as usize] & slot.bit() != 0);
                of_told.fold(0, |all, (_, &argument)| all | code.exprs.free(argument))
            }
            _ => 0,
        };
        open.extend(term.operands().into_iter().filter(|&next| met.insert(next)));
    }
    found
}
