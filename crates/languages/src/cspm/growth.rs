//! Signs of a process with infinitely many states, reported when a limit is reached.

use cspm_evaluator::Evaluator;
use limits::effort::processes::{MANY_CALLS, MANY_OPERATORS, MAX_GROWTH_TERMS};
use process::{Term, TermId, Terms, Unfold};

/// A definition that was called with ever new arguments, among the terms from `first` on.
pub(super) fn arguments(evaluator: &mut Evaluator<'_>, terms: &Terms, first: usize) -> Option<String> {
    let recent = (first..terms.len()).rev();
    let calls = recent.filter_map(|index| match terms.get(TermId(index as u32)) {
        Term::Call(call) => Some((*call, evaluator.call_span(*call))),
        _ => None,
    });
    let mut calls = calls.peekable();
    let &(last, span) = calls.peek()?;
    let n_calls = calls.filter(|(_, other)| *other == span).count();
    (n_calls >= MANY_CALLS).then(|| {
        let text = evaluator.call_text(last);
        format!("its arguments keep growing: {n_calls} different ones so far, the last in `{text}`")
    })
}

/// An operator that stands in itself again and again, in the terms from `first` on.
pub(super) fn operators(terms: &Terms, first: usize) -> Option<String> {
    let oldest = first.max(terms.len().saturating_sub(MAX_GROWTH_TERMS));
    // Operands are older than what they are operands of, so their nesting is known before.
    let mut nested = vec![0; terms.len() - oldest];
    for index in oldest..terms.len() {
        let term = terms.get(TermId(index as u32));
        let same = |operand: &TermId| {
            let is_same = std::mem::discriminant(terms.get(*operand)) == std::mem::discriminant(term);
            is_same.then(|| operand.index().checked_sub(oldest)).flatten()
        };
        nested[index - oldest] =
            1 + term.operands().iter().filter_map(same).map(|place| nested[place]).max().unwrap_or(0);
    }
    let deepest = (oldest..terms.len()).max_by_key(|index| nested[index - oldest])?;
    let (operator, n) = (terms.get(TermId(deepest as u32)).symbol()?, nested[deepest - oldest]);
    (n >= MANY_OPERATORS).then(|| {
        format!("its states keep growing: it calls itself inside `{operator}`, and {n} of these stand around one another so far")
    })
}
