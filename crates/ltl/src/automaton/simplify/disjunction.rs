//! Laws of disjunctions.

use super::{MAX_COMPARED_OPERANDS, MAX_LAW_DEPTH, Simplifier, Style};
use crate::logic::{Formula, Node, Store};
use hashbrown::HashMap;

impl Simplifier<'_> {
    /// One of the operands, simplified.
    pub(super) fn or(&mut self, operands: Vec<Formula>) -> Formula {
        let plain = self.store.or(operands);
        let Node::Or(operands) = self.store.get(plain).clone() else { return plain };
        if operands.len() > MAX_COMPARED_OPERANDS || !self.may_work() {
            return plain;
        }
        self.depth += 1;
        let simpler = self.simpler_or(&operands);
        self.depth -= 1;
        simpler.unwrap_or(plain)
    }

    fn simpler_or(&mut self, operands: &[Formula]) -> Option<Formula> {
        if self.is_exhaustive(operands) {
            return Some(Formula::TRUE);
        }
        let kept = self.without_implied(operands);
        if kept.len() < operands.len() {
            return Some(self.or(kept));
        }
        let kept = self.assume_literals(operands);
        if kept != *operands {
            return Some(self.or(kept));
        }
        self.group(operands)
    }

    /// Whether one of two always holds.
    fn is_exhaustive(&mut self, operands: &[Formula]) -> bool {
        operands.iter().any(|&one| {
            let not_one = self.not(one);
            operands.iter().any(|&two| one != two && self.implies(not_one, two))
        })
    }

    /// Drops what implies something else.
    fn without_implied(&mut self, operands: &[Formula]) -> Vec<Formula> {
        let mut kept = operands.to_vec();
        for &operand in operands.iter().rev() {
            if kept.iter().any(|&other| other != operand && self.implies(operand, other)) {
                kept.retain(|&other| other != operand);
            }
        }
        kept
    }

    /// In `a | f`, `f` matters only where `a` is false.
    fn assume_literals(&mut self, operands: &[Formula]) -> Vec<Formula> {
        let literals: Vec<Formula> =
            operands.iter().copied().filter(|&operand| matches!(self.store.get(operand), Node::Literal(..))).collect();
        let mut facts: HashMap<Formula, Formula> = HashMap::new();
        for literal in literals {
            facts.insert(literal, Formula::FALSE);
            facts.insert(self.not(literal), Formula::TRUE);
        }
        let replace = |&operand: &Formula| match self.store.get(operand) {
            Node::And(_) => replace_now(self.store, operand, &facts, MAX_LAW_DEPTH),
            _ => operand,
        };
        operands.iter().map(replace).collect()
    }

    /// Puts two operands together.
    fn group(&mut self, operands: &[Formula]) -> Option<Formula> {
        for (place, &one) in operands.iter().enumerate() {
            for (other_place, &two) in operands.iter().enumerate() {
                if let Some(both) = (place != other_place).then(|| self.join(one, two)).flatten() {
                    let others = operands.iter().copied().filter(|&operand| operand != one && operand != two);
                    let all = others.chain([both]).collect();
                    return Some(self.or(all));
                }
            }
        }
        None
    }

    fn join(&mut self, one: Formula, two: Formula) -> Option<Formula> {
        let nodes = (self.store.get(one).clone(), self.store.get(two).clone());
        match nodes {
            (Node::Next(one), Node::Next(two)) => {
                let either = self.or(vec![one, two]);
                return Some(self.next(either));
            }
            (Node::Until(left, one), Node::Until(other, two)) if left == other => {
                let either = self.or(vec![one, two]);
                return Some(self.until(left, either));
            }
            // Both are again and again.
            (Node::Release(Formula::FALSE, one), Node::Release(Formula::FALSE, two))
                if self.is_eventual(one) && self.is_eventual(two) =>
            {
                let either = self.or(vec![one, two]);
                return Some(self.globally(either));
            }
            (Node::Release(one, right), Node::Release(two, other)) if right == other => {
                let either = self.or(vec![one, two]);
                return Some(self.release(either, right));
            }
            (Node::Until(left, right), Node::Release(Formula::FALSE, always)) if left == always => {
                return Some(self.weak_until(left, right));
            }
            _ => {}
        }
        self.timeless_in(one, two)
    }

    /// An eventual formula beside an until, or a timeless one beside a release, inside.
    fn timeless_in(&mut self, outer: Formula, part: Formula) -> Option<Formula> {
        if self.style == Style::Outwards {
            return None;
        }
        match self.store.get(outer).clone() {
            Node::Until(left, right) if self.is_eventual(part) => {
                let either = self.or(vec![right, part]);
                Some(self.store.until(left, either))
            }
            Node::Release(left, right) if self.is_timeless(part) && !self.is_timeless(outer) => {
                let either = self.or(vec![right, part]);
                Some(self.store.release(left, either))
            }
            Node::Release(left, right) if self.is_eventual(part) && !self.is_eventual(outer) => {
                let (left, right) = (self.or(vec![left, part]), self.or(vec![right, part]));
                Some(self.store.release(left, right))
            }
            _ => None,
        }
    }
}

/// Replaces literals by constants where they speak of the first position and do not lie deep.
fn replace_now(store: &mut Store, formula: Formula, facts: &HashMap<Formula, Formula>, depth: usize) -> Formula {
    match store.get(formula).clone() {
        Node::Literal(..) => facts.get(&formula).copied().unwrap_or(formula),
        Node::And(operands) if depth > 0 => {
            let replace = |&operand: &Formula| replace_now(store, operand, facts, depth - 1);
            let operands: Vec<Formula> = operands.iter().map(replace).collect();
            store.and(operands)
        }
        Node::Or(operands) if depth > 0 => {
            let replace = |&operand: &Formula| replace_now(store, operand, facts, depth - 1);
            let operands: Vec<Formula> = operands.iter().map(replace).collect();
            store.or(operands)
        }
        _ => formula,
    }
}
