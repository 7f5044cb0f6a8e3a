//! Equations and the patterns of their arguments.

use super::super::super::code::{Match, Pattern, SeqCases, Slot};
use super::super::super::run::Code;
use super::super::super::seq;
use super::super::super::value::Value;
use super::Closures;

/// How a pattern takes a part over that it does not look at.
fn binds(pattern: &Pattern) -> Option<Option<Slot>> {
    match pattern {
        Pattern::Any => Some(None),
        Pattern::Bind(slot) => Some(Some(*slot)),
        _ => None,
    }
}

impl Closures {
    /// The usual recursion over a sequence, which is taken from its slot.
    pub(super) fn cases(&mut self, cases: SeqCases) -> Code {
        let (empty, body) = (self.code(cases.empty), self.code(cases.body));
        let take_apart = uncons(cases.slot, cases.head, cases.tail, false);
        Code::new(move |evaluator, base| match take_apart.run(evaluator, base)? {
            true => body.run(evaluator, base),
            false => empty.run(evaluator, base),
        })
    }

    pub(super) fn equations(&mut self, mut inner: Match) -> Code {
        let equations: Box<[(Box<[Code<bool>]>, Code)]> = std::mem::take(&mut inner.equations)
            .into_iter()
            .map(|equation| {
                let tests = equation.patterns.into_iter().map(|(slot, pattern)| test(slot, pattern)).collect();
                (tests, self.code(equation.body))
            })
            .collect();
        Code::new(move |evaluator, base| {
            'equations: for (tests, body) in &equations {
                for test in tests {
                    if !test.run(evaluator, base)? {
                        continue 'equations;
                    }
                }
                return body.run(evaluator, base);
            }
            Err(evaluator.no_equation(&inner, base))
        })
    }
}

/// Whether an argument matches a pattern.
fn test(slot: Slot, pattern: Pattern) -> Code<bool> {
    let at = slot as usize;
    match pattern {
        Pattern::Int(number) => Code::new(move |evaluator, base| match evaluator.stack[base + at] {
            Value::Int(found) => Ok(found == number),
            _ => Ok(evaluator.number_behind(base + at)? == number),
        }),
        Pattern::Seq(parts) if parts.is_empty() => Code::new(move |evaluator, base| {
            evaluator.look_at(base + at)?;
            Ok(matches!(evaluator.stack[base + at], Value::EmptySeq))
        }),
        Pattern::Uncons(parts) => uncons(slot, parts.0, parts.1, false),
        Pattern::Affixes { prefix, middle, suffix }
            if prefix.len() == 1 && suffix.is_empty() && middle.is_irrefutable() =>
        {
            let head = prefix.into_iter().next().unwrap_or(Pattern::Any);
            uncons(slot, head, *middle, true)
        }
        pattern => Code::new(move |evaluator, base| evaluator.matches_slot(&pattern, base + at, base)),
    }
}

/// Takes the sequence in a slot apart, unless it is empty; it stays there if it is kept.
fn uncons(slot: Slot, head: Pattern, tail: Pattern, is_kept: bool) -> Code<bool> {
    let at = slot as usize;
    let is_first_alone = is_kept && matches!(tail, Pattern::Any);
    let (Some(first), Some(rest)) = (binds(&head), binds(&tail)) else {
        return Code::new(move |evaluator, base| {
            let Some((first, rest)) = evaluator.taken_apart(base + at, is_kept)? else { return Ok(false) };
            Ok(evaluator.matches(&head, first, base)? && evaluator.matches(&tail, rest, base)?)
        });
    };
    if is_first_alone {
        return Code::new(move |evaluator, base| {
            evaluator.look_at(base + at)?;
            let Value::Seq(seq) = &evaluator.stack[base + at] else { return Ok(false) };
            if let Some(slot) = first {
                let first = seq::first(seq);
                evaluator.put(base + slot as usize, first);
            }
            Ok(true)
        });
    }
    Code::new(move |evaluator, base| {
        let Some((head, tail)) = evaluator.taken_apart(base + at, is_kept)? else { return Ok(false) };
        if let Some(slot) = first {
            evaluator.put(base + slot as usize, head);
        }
        if let Some(slot) = rest {
            evaluator.put(base + slot as usize, tail);
        }
        Ok(true)
    })
}
