//! Shorter formulas for the same infinite words.
//!
//! Formulas are rebuilt from their operands by constructors that know more laws than those of the store: what implies what,
//! what may be postponed, which operators can be put together. Each law is written once, for disjunctions and untils;
//! conjunctions and releases are simplified as the duals of their duals.
//!
//! A formula is *eventual* if it holds whenever it holds later, *universal* if it holds for ever once it holds, and *timeless*
//! if both: then time does not matter for it, as for `G F a` (Etessami and Holzmann, 2000).

use super::implication::Implications;
use crate::logic::{Formula, Node, Store};
use hashbrown::HashMap;

/// Where timeless parts go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Below untils and releases: they begin when they are needed.
    Inwards,
    /// Out of them: untils and releases become shorter.
    Outwards,
}

/// How many laws may be applied in all; afterwards formulas are only built.
const MAX_WORK: usize = 3_000;

/// Rebuilds formulas.
pub(super) struct Simplifier<'s> {
    store: &'s mut Store,
    style: Style,
    implications: Implications,
    work: usize,
}

/// A shorter formula that the same infinite words satisfy. There must be no past operators.
pub(super) fn simplify(store: &mut Store, formula: Formula, style: Style) -> Formula {
    let mut simplifier = Simplifier { store, style, implications: Implications::default(), work: 0 };
    let mut current = formula;
    // What one round puts together may be simplified by the next.
    for _ in 0..4 {
        let next = simplifier.round(current);
        if next == current {
            break;
        }
        current = next;
    }
    distribute(store, current)
}

/// Writes `G (a & b)` as `G a & G b`. The one is shorter and better known to other laws; the other lets tableaux see that all
/// their ways on lead to the same state.
fn distribute(store: &mut Store, formula: Formula) -> Formula {
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    let mut known: HashMap<Formula, Formula> = HashMap::with_capacity(parts.len());
    for part in parts {
        let node = store.get(part).clone();
        let new = match node {
            Node::And(operands) => store.and(operands.iter().map(|operand| known[operand])),
            Node::Or(operands) => store.or(operands.iter().map(|operand| known[operand])),
            Node::Next(operand) | Node::WeakNext(operand) => store.next(known[&operand]),
            Node::Until(left, right) => store.until(known[&left], known[&right]),
            Node::Release(left, right) => match (left, store.get(known[&right]).clone()) {
                (Formula::FALSE, Node::And(operands)) => {
                    let operands: Vec<Formula> = operands.iter().map(|&operand| store.globally(operand)).collect();
                    store.and(operands)
                }
                _ => store.release(known[&left], known[&right]),
            },
            _ => part,
        };
        known.insert(part, new);
    }
    known[&formula]
}

impl Simplifier<'_> {
    fn round(&mut self, formula: Formula) -> Formula {
        let mut parts = self.store.below(formula);
        // Operands have smaller numbers.
        parts.sort_unstable();
        let mut known: HashMap<Formula, Formula> = HashMap::with_capacity(parts.len());
        for part in parts {
            let new = match self.store.get(part).clone() {
                Node::And(operands) => self.and(operands.iter().map(|operand| known[operand]).collect()),
                Node::Or(operands) => self.or(operands.iter().map(|operand| known[operand]).collect()),
                Node::Next(operand) | Node::WeakNext(operand) => self.next(known[&operand]),
                Node::Until(left, right) => self.until(known[&left], known[&right]),
                Node::Release(left, right) => self.release(known[&left], known[&right]),
                _ => part,
            };
            known.insert(part, new);
        }
        known[&formula]
    }

    /// Whether laws may still be applied.
    fn may_work(&mut self) -> bool {
        self.work += 1;
        self.work < MAX_WORK
    }

    fn implies(&mut self, premise: Formula, conclusion: Formula) -> bool {
        self.implications.holds(self.store, premise, conclusion)
    }

    fn not(&mut self, formula: Formula) -> Formula {
        self.implications.negation(self.store, formula)
    }

    fn is_eventual(&mut self, formula: Formula) -> bool {
        self.implications.kind(self.store, formula).is_eventual
    }

    fn is_universal(&mut self, formula: Formula) -> bool {
        self.implications.kind(self.store, formula).is_universal
    }

    fn is_timeless(&mut self, formula: Formula) -> bool {
        self.is_eventual(formula) && self.is_universal(formula)
    }

    fn next(&mut self, operand: Formula) -> Formula {
        if self.is_timeless(operand) { operand } else { self.store.next(operand) }
    }

    fn finally(&mut self, operand: Formula) -> Formula {
        self.until(Formula::TRUE, operand)
    }

    fn globally(&mut self, operand: Formula) -> Formula {
        self.release(Formula::FALSE, operand)
    }

    fn weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        let either = self.or(vec![left, right]);
        self.release(right, either)
    }

    fn release(&mut self, left: Formula, right: Formula) -> Formula {
        let (left, right) = (self.not(left), self.not(right));
        let dual = self.until(left, right);
        self.not(dual)
    }

    fn and(&mut self, operands: Vec<Formula>) -> Formula {
        let operands = operands.into_iter().map(|operand| self.not(operand)).collect();
        let dual = self.or(operands);
        self.not(dual)
    }

    fn until(&mut self, left: Formula, right: Formula) -> Formula {
        let plain = self.store.until(left, right);
        let is_until = matches!(self.store.get(plain), Node::Until(..)) && plain != right;
        if !is_until || !self.may_work() {
            return plain;
        }
        if self.is_eventual(right) || self.implies(left, right) {
            return right;
        }
        let not_left = self.not(left);
        if left != Formula::TRUE && self.implies(not_left, right) {
            return self.finally(right);
        }
        let simpler = match left {
            Formula::TRUE => self.simpler_finally(right),
            _ => self.simpler_until(left, right),
        };
        simpler.or_else(|| self.timeless_out(left, right)).unwrap_or(plain)
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

    /// What an until waits for.
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

    fn or(&mut self, operands: Vec<Formula>) -> Formula {
        let plain = self.store.or(operands);
        let Node::Or(operands) = self.store.get(plain).clone() else { return plain };
        if !self.may_work() {
            return plain;
        }
        if self.is_exhaustive(&operands) {
            return Formula::TRUE;
        }
        let kept = self.without_implied(&operands);
        if kept.len() < operands.len() {
            return self.or(kept);
        }
        let kept = self.assume_literals(&operands);
        if kept != *operands {
            return self.or(kept);
        }
        self.group(&operands).unwrap_or(plain)
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
            Node::And(_) => replace_now(self.store, operand, &facts),
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

/// Replaces literals by constants where they speak of the first position.
fn replace_now(store: &mut Store, formula: Formula, facts: &HashMap<Formula, Formula>) -> Formula {
    match store.get(formula).clone() {
        Node::Literal(..) => facts.get(&formula).copied().unwrap_or(formula),
        Node::And(operands) => {
            let operands: Vec<Formula> = operands.iter().map(|&operand| replace_now(store, operand, facts)).collect();
            store.and(operands)
        }
        Node::Or(operands) => {
            let operands: Vec<Formula> = operands.iter().map(|&operand| replace_now(store, operand, facts)).collect();
            store.or(operands)
        }
        _ => formula,
    }
}
