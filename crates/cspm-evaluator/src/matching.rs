//! Patterns against values.

use super::code::{DotPart, Match, Pattern, Select};
use super::runtime_error::{Eval, Failed};
use super::seq::{self, Seq};
use super::set;
use super::value::{Node, Value};
use super::{Evaluator, errors};
use cspm::resolve::NameId;
use smallvec::SmallVec;
use source::Span;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Matches an argument, which is evaluated in place if the pattern looks at it.
    pub(super) fn matches_slot(&mut self, pattern: &Pattern, index: usize, base: usize) -> Eval<bool> {
        self.look_at(index)?;
        let value = self.stack[index].clone();
        self.matches(pattern, value, base)
    }

    /// Whether a value matches; names are bound to slots of the frame as far as it goes.
    pub(super) fn matches(&mut self, pattern: &Pattern, value: Value, base: usize) -> Eval<bool> {
        match pattern {
            Pattern::Any => return Ok(true),
            Pattern::Bind(slot) => {
                self.put(base + *slot as usize, value);
                return Ok(true);
            }
            _ => {}
        }
        let value = match self.whnf(value)? {
            Value::Tuple(node) if let Pattern::Tuple(parts) = pattern => return self.matches_items(parts, node, base),
            value => value,
        };
        match (pattern, &value) {
            (Pattern::Int(expected), Value::Int(number)) => Ok(expected == number),
            (Pattern::Bool(expected), Value::Bool(truth)) => Ok(*expected == truth.get()),
            (Pattern::Char(expected), Value::Char(char)) => Ok(*expected == char.get()),
            (Pattern::Head(expected), _) => Ok(matches!(value, Value::Head(head) if head.get() == *expected)),
            (Pattern::Seq(parts), _) => self.matches_seq(parts, value, base),
            (Pattern::Affixes { prefix, middle, suffix }, _) => {
                self.matches_affixes(prefix, middle, suffix, value, base)
            }
            (Pattern::Uncons(parts), _) => match self.uncons(value)? {
                Some((head, tail)) => Ok(self.matches(&parts.0, head, base)? && self.matches(&parts.1, tail, base)?),
                None => Ok(false),
            },
            (Pattern::EmptySet, Value::Set(set)) => {
                self.prepare(set)?;
                Ok(set.is_empty())
            }
            (Pattern::Singleton(part), Value::Set(set)) => {
                self.prepare(set)?;
                if set.is_empty() || !set::is_finite(set) || !matches!(set::cardinality(set, &self.watch), Ok(1)) {
                    return Ok(false);
                }
                match set::elements(set, &self.watch).ok().and_then(|mut elements| elements.next()) {
                    Some(only) => self.matches_deeper(part, only, base),
                    None => Ok(false),
                }
            }
            (Pattern::Dots(parts), _) => self.matches_dots(parts, value, base),
            (Pattern::Both(both), _) => {
                Ok(self.matches(&both.0, value.clone(), base)? && self.matches(&both.1, value, base)?)
            }
            _ => Ok(false),
        }
    }

    /// Matches the items of a tuple; the items of one that is not shared are moved.
    fn matches_items(&mut self, parts: &[Pattern], mut node: Rc<Node>, base: usize) -> Eval<bool> {
        for (index, part) in parts.iter().enumerate() {
            let item = match Rc::get_mut(&mut node) {
                Some(node) => node.items.get_mut(index).map(|item| std::mem::replace(item, Value::Hole)),
                None => node.items.get(index).cloned(),
            };
            let Some(item) = item else { return Ok(false) };
            if !self.matches_deeper(part, item, base)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_deeper(&mut self, pattern: &Pattern, value: Value, base: usize) -> Eval<bool> {
        match pattern {
            Pattern::Any | Pattern::Bind(_) | Pattern::Int(_) => self.matches(pattern, value, base),
            _ => self.with_room(|this| this.matches(pattern, value, base)),
        }
    }

    fn matches_seq(&mut self, parts: &[Pattern], value: Value, base: usize) -> Eval<bool> {
        let mut rest = value;
        for part in parts {
            let Some((head, tail)) = self.uncons(rest)? else { return Ok(false) };
            if !self.matches_deeper(part, head, base)? {
                return Ok(false);
            }
            rest = tail;
        }
        Ok(matches!(self.whnf(rest)?, Value::EmptySeq))
    }

    /// First element and rest, if there are any.
    pub(super) fn uncons(&mut self, seq: Value) -> Eval<Option<(Value, Value)>> {
        match self.whnf(seq)? {
            Value::Seq(seq) => Ok(Some(seq::uncons(&seq))),
            _ => Ok(None),
        }
    }

    fn matches_affixes(
        &mut self,
        prefix: &[Pattern],
        middle: &Pattern,
        suffix: &[Pattern],
        value: Value,
        base: usize,
    ) -> Eval<bool> {
        let mut rest = value;
        // The whole must be long enough before any part is looked at.
        let mut heads: SmallVec<[Value; 4]> = SmallVec::new();
        for _ in prefix {
            let Some((head, tail)) = self.uncons(rest)? else { return Ok(false) };
            heads.push(head);
            rest = tail;
        }
        let mut tails: SmallVec<[Value; 4]> = SmallVec::new();
        if !suffix.is_empty() {
            let rest_whnf = self.whnf(rest)?;
            let (front, back) = match &rest_whnf {
                Value::Seq(seq) => match &**seq {
                    Seq::Slice(slice) if slice.len() >= suffix.len() => {
                        let cut = slice.len() - suffix.len();
                        (slice.part(0, cut), (cut..slice.len()).map(|index| slice.get(index)).collect())
                    }
                    _ => {
                        let mut all = self.collect_unplaced(rest_whnf.clone())?;
                        if all.len() < suffix.len() {
                            return Ok(false);
                        }
                        let back: SmallVec<[Value; 4]> = all.drain(all.len() - suffix.len()..).collect();
                        (seq::from_vec(all), back)
                    }
                },
                _ => return Ok(false),
            };
            rest = front;
            tails = back;
        }
        for (part, head) in prefix.iter().zip(heads) {
            if !self.matches_deeper(part, head, base)? {
                return Ok(false);
            }
        }
        if !self.matches_deeper(middle, rest, base)? {
            return Ok(false);
        }
        for (part, tail) in suffix.iter().zip(tails) {
            if !self.matches_deeper(part, tail, base)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn collect_unplaced(&mut self, seq: Value) -> Eval<Vec<Value>> {
        if let Value::Seq(inner) = &seq
            && let Seq::From(..) | Seq::Integers(_) = **inner
        {
            return Err(self.fail(errors::infinite_sequence(self.here)));
        }
        let mut walk = seq::Walk::new(seq);
        let mut items = Vec::new();
        while let Some(item) = self.next_element(&mut walk)? {
            items.push(item);
        }
        Ok(items)
    }

    /// Takes a dotted value apart from left to right. A constructor in the pattern opens the component it stands
    /// for; other parts take one component each, the last one all that are left.
    fn matches_dots(&mut self, parts: &[DotPart], value: Value, base: usize) -> Eval<bool> {
        // Components still to come, next one last.
        let mut rest: SmallVec<[Value; 8]> = SmallVec::new();
        open(&value, &mut rest);
        for (index, part) in parts.iter().enumerate() {
            let is_last = index + 1 == parts.len();
            match part {
                DotPart::Head(head) if is_last => {
                    return Ok(rest.len() == 1 && is_head(&rest[0], *head));
                }
                DotPart::Head(head) => match rest.pop() {
                    Some(component) if is_head(&component, *head) => {}
                    Some(component) if component.head() == Some(*head) => {
                        rest.extend(component.fields().iter().rev().cloned())
                    }
                    _ => return Ok(false),
                },
                DotPart::Fields(pattern, _) if is_last => {
                    if rest.is_empty() {
                        return Ok(false);
                    }
                    let value = Value::dotted(rest.drain(..).rev().collect());
                    return self.matches_deeper(pattern, value, base);
                }
                DotPart::Fields(pattern, width) => {
                    if rest.len() <= *width {
                        return Ok(false);
                    }
                    let value = Value::dotted(rest.drain(rest.len() - width..).rev().collect());
                    if !self.matches_deeper(pattern, value, base)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(rest.is_empty())
    }

    /// Binds the parts of a value; the parts of one that is not shared are moved.
    pub(super) fn bind_parts(&mut self, pattern: &Pattern, value: Value, site: Span, base: usize) -> Eval<()> {
        let value = match (pattern, value) {
            (Pattern::Tuple(parts), Value::Tuple(node)) if pattern.cannot_fail() => {
                return self.matches_items(parts, node, base).map(|_| ());
            }
            (_, value) => value,
        };
        if self.matches(pattern, value.clone(), base)? {
            return Ok(());
        }
        let text = self.brief(&value);
        Err(self.fail(errors::binding_does_not_match(site, &text)))
    }

    pub(super) fn select(&mut self, select: &Select, base: usize) -> Eval {
        let value = self.eval(&select.value, base)?;
        if self.matches(&select.pattern, value.clone(), base)? {
            let value = std::mem::replace(&mut self.stack[base + select.slot as usize], Value::Hole);
            return self.whnf(value);
        }
        let text = self.brief(&value);
        Err(self.fail(errors::binding_does_not_match(select.site, &text)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn no_equation(&mut self, equations: &Match, base: usize) -> Failed {
        let args: Vec<Value> = self.stack[base..base + equations.n_arguments].to_vec();
        let texts: Vec<String> = args.iter().map(|arg| self.brief(arg.peel())).collect();
        self.fail(errors::no_equation(equations.span, &equations.name, equations.n_equations, &texts.join(",")))
    }
}

/// The components of a dotted value, its head among them, last one first.
fn open(value: &Value, rest: &mut SmallVec<[Value; 8]>) {
    match value {
        Value::Dot(node) => {
            rest.extend(node.items.iter().rev().cloned());
            rest.extend(node.head.map(Value::bare));
        }
        other => rest.push(other.clone()),
    }
}

fn is_head(value: &Value, head: NameId) -> bool {
    matches!(value, Value::Head(other) if other.get() == head)
}
