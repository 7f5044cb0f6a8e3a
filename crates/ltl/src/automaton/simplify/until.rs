//! Laws of untils.

use super::{Simplifier, Style};
use crate::logic::{Formula, Node};

impl Simplifier<'_> {
    /// `left U right`, simplified.
    pub(super) fn until(&mut self, left: Formula, right: Formula) -> Formula {
        let plain = self.store.until(left, right);
        let is_until = matches!(self.store.get(plain), Node::Until(..)) && plain != right;
        if !is_until || !self.may_work() {
            return plain;
        }
        self.depth += 1;
        let simpler = self.simpler(left, right);
        self.depth -= 1;
        simpler.unwrap_or(plain)
    }

    fn simpler(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.is_eventual(right) || self.implies(left, right) {
            return Some(right);
        }
        let not_left = self.not(left);
        if left != Formula::TRUE && self.implies(not_left, right) {
            return Some(self.finally(right));
        }
        let simpler = match left {
            Formula::TRUE => self.simpler_finally(right),
            _ => self.simpler_until(left, right),
        };
        simpler.or_else(|| self.timeless_out(left, right))
    }

    /// Laws of `F r`.
    fn simpler_finally(&mut self, right: Formula) -> Option<Formula> {
        match self.store.get(right).clone() {
            Node::Until(_, last) => Some(self.finally(last)),
            Node::Next(operand) => {
                let operand = self.finally(operand);
                Some(self.next(operand))
            }
            // G g or a moment of both, and it does not matter which untils come before.
            Node::Release(left, right) if left != Formula::FALSE => {
                let (always, both) = (self.globally(right), self.and(vec![left, right]));
                let either = self.or(vec![always, both]);
                Some(self.finally(either))
            }
            Node::Release(_, body) => self.finally_globally(body),
            Node::Or(operands) => {
                let last: Vec<Formula> = operands.iter().map(|&operand| self.without_untils(operand)).collect();
                (*last != *operands).then(|| {
                    let either = self.or(last);
                    self.finally(either)
                })
            }
            _ => None,
        }
    }

    /// The promise of an until.
    fn without_untils(&self, formula: Formula) -> Formula {
        match self.store.get(formula) {
            Node::Until(_, last) => *last,
            _ => formula,
        }
    }

    /// `F G (a | u)` is `F G a | F u` for universal `u`.
    fn finally_globally(&mut self, body: Formula) -> Option<Formula> {
        let Node::Or(operands) = self.store.get(body).clone() else { return None };
        let stays = |this: &mut Self, part| this.style == Style::Inwards && this.is_timeless(part);
        let (universal, others) = self.split(&operands, |this, part| this.is_universal(part) && !stays(this, part));
        if universal.is_empty() {
            return None;
        }
        let others = self.or(others);
        let always = self.globally(others);
        let one = self.or([universal, vec![always]].concat());
        Some(self.finally(one))
    }

    fn split(
        &mut self,
        operands: &[Formula],
        mut is_first: impl FnMut(&mut Self, Formula) -> bool,
    ) -> (Vec<Formula>, Vec<Formula>) {
        operands.iter().partition(|&&operand| is_first(self, operand))
    }

    /// Laws of `l U r` where `l` is not true.
    fn simpler_until(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        match (self.store.get(left).clone(), self.store.get(right).clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let operand = self.until(left, right);
                Some(self.next(operand))
            }
            (_, Node::Or(operands)) if operands.contains(&self.store.globally(left)) => {
                let always = self.store.globally(left);
                let others = self.or(operands.iter().copied().filter(|&operand| operand != always).collect());
                Some(self.weak_until(left, others))
            }
            (_, Node::Until(middle, _)) if self.implies(left, middle) => Some(right),
            (_, Node::Until(middle, last)) if self.implies(middle, left) => Some(self.until(left, last)),
            (Node::Until(first, last), _) if last == right => Some(self.until(first, right)),
            (Node::Or(operands), _) => {
                let (needless, others) = self.split(&operands, |this, operand| this.implies(operand, right));
                (!needless.is_empty()).then(|| {
                    let left = self.or(others);
                    self.until(left, right)
                })
            }
            // A conjunct that holds anyway as long as the right side is to come.
            (Node::And(operands), _) => {
                let until = self.store.until(left, right);
                let later = self.finally(right);
                let (needless, others) = self.split(&operands, |_, operand| operand == later || operand == until);
                (!needless.is_empty()).then(|| {
                    let left = self.and(others);
                    self.until(left, right)
                })
            }
            _ => None,
        }
    }

    /// Timeless parts of the right side, outside; eventual ones if they stand alone.
    fn timeless_out(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.style == Style::Inwards {
            return None;
        }
        let node = self.store.get(right).clone();
        let (out, within) = match &node {
            Node::And(operands) => self.split(operands, Self::is_timeless),
            Node::Or(operands) => self.split(operands, Self::is_eventual),
            _ => return None,
        };
        if out.is_empty() {
            return None;
        }
        let is_and = matches!(node, Node::And(_));
        let within = if is_and { self.and(within) } else { self.or(within) };
        let until = self.until(left, within);
        let all = [out, vec![until]].concat();
        Some(if is_and { self.and(all) } else { self.or(all) })
    }
}
