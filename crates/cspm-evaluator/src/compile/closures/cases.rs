//! Equations and the patterns of their arguments.

use super::super::super::Evaluator;
use super::super::super::code::{Match, Pattern, Slot};
use super::super::super::frames;
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::seq;
use super::super::super::value::{Node, Value};
use super::Closures;
use std::rc::Rc;

/// Whether an argument matches a pattern. The usual patterns come first.
enum Test {
    Int(Slot, i64),
    Empty(Slot),
    Uncons(Uncons),
    Pattern(Slot, Pattern),
    /// Takes a sequence apart and matches its parts.
    Parts(Uncons, Box<(Pattern, Pattern)>),
}

/// Takes the sequence in a slot apart, unless it is empty.
struct Uncons {
    slot: Slot,
    /// The slots of the first element and the rest.
    first: Option<Slot>,
    rest: Option<Slot>,
    /// Whether the sequence stays in its slot.
    is_kept: bool,
}

/// The slots that parts are bound to.
pub(super) type Names = Box<[Option<Slot>]>;

impl Closures {
    pub(super) fn equations(&mut self, mut inner: Match) -> Code {
        let equations: Vec<(Box<[Test]>, Code)> = std::mem::take(&mut inner.equations)
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

/// Whether the sequence in a slot is empty.
#[inline(always)]
fn is_empty(slot: Slot, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
    match evaluator.frame(base).get(slot as usize) {
        Some(Value::Seq(_)) => Ok(false),
        Some(Value::EmptySeq) => Ok(true),
        _ => evaluator.is_empty_behind(base + slot as usize),
    }
}

fn test(slot: Slot, pattern: Pattern) -> Test {
    match pattern {
        Pattern::Int(number) => Test::Int(slot, number),
        Pattern::Seq(parts) if parts.is_empty() => Test::Empty(slot),
        Pattern::Uncons(parts) => uncons(slot, parts.0, parts.1, false),
        Pattern::Affixes { prefix, middle, suffix }
            if prefix.len() == 1 && suffix.is_empty() && middle.is_irrefutable() =>
        {
            let head = prefix.into_iter().next().unwrap_or(Pattern::Any);
            uncons(slot, head, *middle, true)
        }
        pattern => Test::Pattern(slot, pattern),
    }
}

fn uncons(slot: Slot, head: Pattern, tail: Pattern, is_kept: bool) -> Test {
    match (binds(&head), binds(&tail)) {
        (Some(first), Some(rest)) => Test::Uncons(Uncons { slot, first, rest, is_kept }),
        _ => Test::Parts(Uncons { slot, first: None, rest: None, is_kept }, Box::new((head, tail))),
    }
}

/// How a pattern takes a part over that it does not look at.
fn binds(pattern: &Pattern) -> Option<Option<Slot>> {
    match pattern {
        Pattern::Any => Some(None),
        Pattern::Bind(slot) => Some(Some(*slot)),
        _ => None,
    }
}

/// The names that a tuple pattern consists of.
pub(super) fn names(pattern: &Pattern) -> Option<Names> {
    match pattern {
        Pattern::Tuple(parts) => parts.iter().map(binds).collect(),
        _ => None,
    }
}

/// Binds the items of a tuple; the items of one that is not shared are moved.
#[inline(always)]
pub(super) fn bind_items(mut node: Rc<Node>, names: &[Option<Slot>], evaluator: &mut Evaluator<'_>, base: usize) {
    let place = |name: &Option<Slot>| name.map(|slot| base + slot as usize);
    if let Some(node) = Rc::get_mut(&mut node) {
        for (name, item) in names.iter().zip(&mut node.items) {
            if let Some(place) = place(name) {
                evaluator.put(place, std::mem::replace(item, Value::Hole));
            }
        }
        return;
    }
    for (name, item) in names.iter().zip(&node.items) {
        if let Some(place) = place(name) {
            evaluator.put(place, item.clone());
        }
    }
}

impl Test {
    #[inline(always)]
    fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        match self {
            Test::Int(slot, number) => match evaluator.stack[base + *slot as usize] {
                Value::Int(found) => Ok(found == *number),
                _ => Ok(evaluator.number_behind(base + *slot as usize)? == *number),
            },
            Test::Empty(slot) => is_empty(*slot, evaluator, base),
            Test::Uncons(uncons) => uncons.run(evaluator, base),
            other => other.run_apart(evaluator, base),
        }
    }

    #[inline(never)]
    fn run_apart(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        match self {
            Test::Int(..) | Test::Empty(_) | Test::Uncons(_) => self.run(evaluator, base),
            Test::Pattern(slot, pattern) => evaluator.matches_slot(pattern, base + *slot as usize, base),
            Test::Parts(uncons, patterns) => {
                let parts = evaluator.taken_apart(base + uncons.slot as usize, uncons.is_kept)?;
                let Some((first, rest)) = parts else { return Ok(false) };
                Ok(evaluator.matches(&patterns.0, first, base)? && evaluator.matches(&patterns.1, rest, base)?)
            }
        }
    }
}

impl Uncons {
    #[inline(always)]
    fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let is_done = match self.is_kept {
            true => self.has_looked(evaluator, base),
            false => self.has_taken(evaluator, base),
        };
        if is_done { Ok(true) } else { self.run_otherwise(evaluator, base) }
    }

    /// Looks at the first element of a sequence that stays as it is, if that is all and it is evaluated.
    #[inline(always)]
    fn has_looked(&self, evaluator: &mut Evaluator<'_>, base: usize) -> bool {
        let frame = evaluator.frame_mut(base);
        let (None, Some(first)) = (self.rest, self.first) else { return false };
        let Some(Value::Seq(seq)) = frame.get(self.slot as usize) else { return false };
        let head = seq::first(seq);
        frames::set(frame, first, head);
        true
    }

    /// Takes the first element off the sequence in place, if that can be done.
    #[inline(always)]
    fn has_taken(&self, evaluator: &mut Evaluator<'_>, base: usize) -> bool {
        let frame = evaluator.frame_mut(base);
        let Some(slot) = frame.get_mut(self.slot as usize) else { return false };
        let Value::Seq(seq) = slot else { return false };
        let Some(head) = seq::take_first(seq) else { return false };
        if self.rest != Some(self.slot) {
            let tail = std::mem::replace(slot, Value::Hole);
            match self.rest {
                Some(rest) => frames::set(frame, rest, tail),
                None => drop(tail),
            }
        }
        if let Some(first) = self.first {
            frames::set(frame, first, head);
        }
        true
    }

    /// A sequence that must be copied or computed, or is to be kept.
    #[inline(never)]
    fn run_otherwise(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let at = base + self.slot as usize;
        if self.is_kept && self.rest.is_none() {
            evaluator.look_at(at)?;
            let Value::Seq(seq) = &evaluator.stack[at] else { return Ok(false) };
            let first = seq::first(seq);
            self.bind(first, Value::Hole, evaluator, base);
            return Ok(true);
        }
        let Some((head, tail)) = evaluator.taken_apart(at, self.is_kept)? else { return Ok(false) };
        self.bind(head, tail, evaluator, base);
        Ok(true)
    }

    #[inline(always)]
    fn bind(&self, head: Value, tail: Value, evaluator: &mut Evaluator<'_>, base: usize) {
        if let Some(slot) = self.first {
            evaluator.put(base + slot as usize, head);
        }
        if let Some(slot) = self.rest {
            evaluator.put(base + slot as usize, tail);
        }
    }
}
