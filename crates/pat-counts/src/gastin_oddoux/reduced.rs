//! Formulas in negation normal form, simplified during construction.
//!
//! The rules are those of LTL2BA, in its order, because rewriting and absorption determine the states of the automaton.

use Operator::{And, Or, Release, Until};
use Tree::{Binary, False, Literal, Next, True};
use std::cmp::Ordering;
use std::rc::Rc;

/// Formula in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    True,
    False,
    /// Atom, negated if the second part is false.
    Literal(u32, bool),
    Next(Rc<Tree>),
    Binary(Operator, Rc<Tree>, Rc<Tree>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    And,
    Or,
    Until,
    Release,
}

impl Operator {
    fn dual(self) -> Operator {
        match self {
            And => Or,
            Or => And,
            Until => Release,
            Release => Until,
        }
    }
}

impl Tree {
    fn is_true(&self) -> bool {
        matches!(self, True)
    }

    fn is_false(&self) -> bool {
        matches!(self, False)
    }

    /// Operands of this operator, if it is the outermost one.
    fn parts(&self, operator: Operator) -> Option<(&Rc<Tree>, &Rc<Tree>)> {
        match self {
            Binary(own, left, right) if *own == operator => Some((left, right)),
            _ => None,
        }
    }

    /// Operand of an outermost `F`.
    fn finally(&self) -> Option<&Rc<Tree>> {
        self.parts(Until).filter(|(left, _)| left.is_true()).map(|(_, right)| right)
    }

    /// Operand of an outermost `G`.
    fn globally(&self) -> Option<&Rc<Tree>> {
        self.parts(Release).filter(|(left, _)| left.is_false()).map(|(_, right)| right)
    }

    fn next(&self) -> Option<&Rc<Tree>> {
        match self {
            Next(operand) => Some(operand),
            _ => None,
        }
    }

    /// Operands of an associative operator, from left to right.
    fn joined(&self, operator: Operator) -> Vec<&Tree> {
        match self.parts(operator) {
            Some((left, right)) => [left.joined(operator), right.joined(operator)].concat(),
            None => vec![self],
        }
    }

    /// Whether the formula has an eventuality.
    pub(super) fn has_until(&self) -> bool {
        match self {
            True | False | Literal(..) => false,
            Next(operand) => operand.has_until(),
            Binary(operator, left, right) => *operator == Until || left.has_until() || right.has_until(),
        }
    }

    /// Equality modulo commutativity and associativity.
    pub(super) fn is_same(&self, other: &Tree) -> bool {
        match (self, other) {
            (True, True) | (False, False) => true,
            (Literal(atom, is_positive), Literal(other, is_other)) => atom == other && is_positive == is_other,
            (Next(operand), Next(other)) => operand.is_same(other),
            (Binary(operator, left, right), Binary(other_operator, other_left, other_right)) => {
                let is_pairwise = || left.is_same(other_left) && right.is_same(other_right);
                operator == other_operator
                    && (is_pairwise() || (matches!(operator, And | Or) && self.joins_the_same(other, *operator)))
            }
            _ => false,
        }
    }

    fn joins_the_same(&self, other: &Tree, operator: Operator) -> bool {
        let (own, others) = (self.joined(operator), other.joined(operator));
        let is_within =
            |some: &[&Tree], all: &[&Tree]| some.iter().all(|one| all.iter().any(|other| one.is_same(other)));
        is_within(&own, &others) && is_within(&others, &own)
    }

    /// Sound, incomplete syntactic implication.
    fn implies(&self, other: &Tree) -> bool {
        if self.is_same(other) || other.is_true() || self.is_false() {
            return true;
        }
        let by_other = match other {
            Binary(And, left, right) | Binary(Release, left, right) => self.implies(left) && self.implies(right),
            Binary(Or, left, right) => self.implies(left) || self.implies(right),
            Binary(Until, _, right) => self.implies(right),
            _ => false,
        };
        let by_self = || match self {
            Binary(Or, left, right) | Binary(Until, left, right) => left.implies(other) && right.implies(other),
            Binary(And, left, right) => left.implies(other) || right.implies(other),
            Binary(Release, _, right) => right.implies(other),
            _ => false,
        };
        let by_both = || match (self, other) {
            (Binary(operator @ (Until | Release), left, right), Binary(own, other_left, other_right)) => {
                operator == own && left.implies(other_left) && right.implies(other_right)
            }
            _ => false,
        };
        by_other || by_self() || by_both()
    }
}

fn binary(operator: Operator, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
    Rc::new(Binary(operator, Rc::clone(left), Rc::clone(right)))
}

/// Constructor of simplified formulas. Names of atoms determine the order of operands.
pub(super) struct Reducer<'n> {
    pub(super) names: &'n [String],
}

impl Reducer<'_> {
    pub(super) fn next(&self, operand: &Rc<Tree>) -> Rc<Tree> {
        match **operand {
            True | False => Rc::clone(operand),
            _ => self.simpler(&Rc::new(Next(Rc::clone(operand)))),
        }
    }

    pub(super) fn always(&self, operand: &Rc<Tree>) -> Rc<Tree> {
        match &**operand {
            True | False => Rc::clone(operand),
            Binary(Release, left, _) if left.is_false() => Rc::clone(operand),
            Binary(Release, _, right) => self.simpler(&binary(Release, &Rc::new(False), right)),
            _ => self.simpler(&binary(Release, &Rc::new(False), operand)),
        }
    }

    pub(super) fn eventually(&self, operand: &Rc<Tree>) -> Rc<Tree> {
        match &**operand {
            True | False => Rc::clone(operand),
            Binary(Until, left, _) if left.is_true() => Rc::clone(operand),
            Binary(Until, _, right) => self.simpler(&binary(Until, &Rc::new(True), right)),
            _ => self.simpler(&binary(Until, &Rc::new(True), operand)),
        }
    }

    pub(super) fn not(&self, operand: &Rc<Tree>) -> Rc<Tree> {
        self.simpler(&self.negation(operand))
    }

    pub(super) fn join(&self, operator: Operator, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        self.simpler(&binary(operator, left, right))
    }

    pub(super) fn implication(&self, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        match left.implies(right) {
            true => Rc::new(True),
            false => self.canonical(&binary(Or, &self.negation(left), right)),
        }
    }

    pub(super) fn equivalence(&self, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        if left.implies(right) && right.implies(left) {
            return Rc::new(True);
        }
        let both = self.canonical(&binary(And, left, right));
        let neither = self.canonical(&binary(And, &self.negation(left), &self.negation(right)));
        self.canonical(&binary(Or, &both, &neither))
    }

    fn negation(&self, tree: &Rc<Tree>) -> Rc<Tree> {
        let negated = match &**tree {
            True => Rc::new(False),
            False => Rc::new(True),
            Literal(atom, is_positive) => Rc::new(Literal(*atom, !is_positive)),
            Next(operand) => Rc::new(Next(self.negation(operand))),
            Binary(operator, left, right) => binary(operator.dual(), &self.negation(left), &self.negation(right)),
        };
        self.canonical(&negated)
    }

    /// Normal form modulo associativity, commutativity and idempotence.
    fn canonical(&self, tree: &Rc<Tree>) -> Rc<Tree> {
        match &**tree {
            True | False | Literal(..) => Rc::clone(tree),
            Next(operand) => Rc::new(Next(self.canonical(operand))),
            Binary(operator, left, right) => {
                let (right, left) = (self.canonical(right), self.canonical(left));
                match operator {
                    And | Or => self.in_order(*operator, &binary(*operator, &left, &right)),
                    Until | Release => binary(*operator, &left, &right),
                }
            }
        }
    }

    fn in_order(&self, operator: Operator, tree: &Tree) -> Rc<Tree> {
        let mut parts: Vec<&Tree> = tree.joined(operator);
        parts.sort_by(|one, other| in_words(&self.text(one), &self.text(other)));
        let decides = |part: &&Tree| if operator == And { part.is_false() } else { part.is_true() };
        if parts.iter().any(decides) {
            return Rc::new(if operator == And { False } else { True });
        }
        let mut kept: Vec<&Tree> = Vec::new();
        for part in parts {
            let is_seen = !part.is_true() && !part.is_false() && !kept.iter().any(|other| other.is_same(part));
            if is_seen {
                kept.push(part);
            }
        }
        let Some(last) = kept.pop() else { return Rc::new(if operator == And { True } else { False }) };
        kept.iter()
            .rev()
            .fold(Rc::new(last.clone()), |rest, part| Rc::new(Binary(operator, Rc::new((*part).clone()), rest)))
    }

    /// Text that determines the order of formulas.
    fn text(&self, tree: &Tree) -> String {
        match tree {
            True => "T".to_owned(),
            False => "F".to_owned(),
            Literal(atom, true) => self.names[*atom as usize].clone(),
            Literal(atom, false) => format!("!{}", self.names[*atom as usize]),
            Next(operand) => format!("X{}", self.text(operand)),
            Binary(operator, left, right) => {
                let sign = match operator {
                    And => '&',
                    Or => '|',
                    Until => 'U',
                    Release => 'V',
                };
                format!("{sign}{}{}", self.text(right), self.text(left))
            }
        }
    }

    /// Applies LTL2BA's simplification rules: once after constructing an operator, and again for parenthesized
    /// formulas.
    pub(super) fn simpler(&self, tree: &Rc<Tree>) -> Rc<Tree> {
        match &**tree {
            Next(operand) if has_two_sides(operand) => Rc::clone(operand),
            Binary(Until, left, right) => self.simpler_until(tree, left, right),
            Binary(Release, left, right) => self.simpler_release(tree, left, right),
            Binary(And, left, right) => self.simpler_and(tree, left, right),
            Binary(Or, left, right) => self.simpler_or(tree, left, right),
            _ => Rc::clone(tree),
        }
    }

    fn simpler_until(&self, tree: &Rc<Tree>, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        if right.is_true() || right.is_false() || left.is_false() || left.implies(right) {
            return Rc::clone(right);
        }
        if let Some((first, second)) = left.parts(Until)
            && first.is_same(right)
        {
            return binary(Until, second, right);
        }
        if let Some((first, _)) = right.parts(Until)
            && left.implies(first)
        {
            return Rc::clone(right);
        }
        if let (Some(first), Some(second)) = (left.next(), right.next()) {
            return Rc::new(Next(binary(Until, first, second)));
        }
        if let (true, Some(operand)) = (left.is_true(), right.next()) {
            return Rc::new(Next(binary(Until, left, operand)));
        }
        if left.is_true() && right.globally().is_some_and(|operand| operand.finally().is_some()) {
            return Rc::clone(right);
        }
        if !left.is_true() && self.negation(right).implies(left) {
            return binary(Until, &Rc::new(True), right);
        }
        Rc::clone(tree)
    }

    fn simpler_release(&self, tree: &Rc<Tree>, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        if right.is_true() || right.is_false() || left.is_true() || right.implies(left) {
            return Rc::clone(right);
        }
        if let (true, Some((_, second))) = (left.is_false(), right.parts(Release)) {
            return binary(Release, left, second);
        }
        if let (true, Some(operand)) = (left.is_false(), right.next()) {
            return Rc::new(Next(binary(Release, left, operand)));
        }
        if left.is_false() && right.finally().is_some_and(|operand| operand.globally().is_some()) {
            return Rc::clone(right);
        }
        if let Some((first, _)) = right.parts(Release)
            && first.implies(left)
        {
            return Rc::clone(right);
        }
        if !left.is_false() && left.implies(&self.negation(right)) {
            return binary(Release, &Rc::new(False), right);
        }
        Rc::clone(tree)
    }

    fn simpler_and(&self, tree: &Rc<Tree>, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        let ends_in = |tree: &Tree, operator, end: &Tree| tree.parts(operator).is_some_and(|(_, own)| own.is_same(end));
        if ends_in(right, Until, left) || ends_in(left, Release, right) {
            return Rc::clone(left);
        }
        if ends_in(left, Until, right) || ends_in(right, Release, left) {
            return Rc::clone(right);
        }
        match (&**left, &**right) {
            (Binary(Until, first, end), Binary(Until, second, other)) if other.is_same(end) => {
                return binary(Until, &binary(And, first, second), end);
            }
            (Binary(Release, end, first), Binary(Release, other, second)) if other.is_same(end) => {
                return binary(Release, other, &binary(And, first, second));
            }
            (Next(first), Next(second)) => return Rc::new(Next(binary(And, second, first))),
            (Binary(Release, _, end), Binary(Until, _, other)) if end.is_same(other) => return Rc::clone(left),
            _ => {}
        }
        if left.is_same(right) || right.is_false() || left.is_true() || right.implies(left) {
            return Rc::clone(right);
        }
        if right.is_true() || left.is_false() || left.implies(right) {
            return Rc::clone(left);
        }
        let stays = |tree: &Tree| tree.finally().and_then(|operand| operand.globally().cloned());
        if let (Some(first), Some(second)) = (stays(left), stays(right)) {
            let globally = binary(Release, &Rc::new(False), &binary(And, &first, &second));
            return binary(Until, &Rc::new(True), &globally);
        }
        if left.implies(&self.negation(right)) || right.implies(&self.negation(left)) {
            return Rc::new(False);
        }
        Rc::clone(tree)
    }

    fn simpler_or(&self, tree: &Rc<Tree>, left: &Rc<Tree>, right: &Rc<Tree>) -> Rc<Tree> {
        let ends_in = |tree: &Tree, operator, end: &Tree| tree.parts(operator).is_some_and(|(_, own)| own.is_same(end));
        if ends_in(right, Until, left) {
            return Rc::clone(right);
        }
        if ends_in(right, Release, left) {
            return Rc::clone(left);
        }
        if let (Binary(Until, end, first), Binary(Until, other, second)) = (&**left, &**right)
            && end.is_same(other)
        {
            return binary(Until, other, &binary(Or, first, second));
        }
        if left.is_same(right) || right.is_false() || left.is_true() || right.implies(left) {
            return Rc::clone(left);
        }
        if right.is_true() || left.is_false() || left.implies(right) {
            return Rc::clone(right);
        }
        match (&**left, &**right) {
            (Binary(Release, first, end), Binary(Release, second, other)) if end.is_same(other) => {
                return binary(Release, &binary(Or, first, second), other);
            }
            (Binary(Release, _, end), Binary(Until, _, other)) if end.is_same(other) => return Rc::clone(right),
            _ => {}
        }
        let recurs = |tree: &Tree| tree.globally().and_then(|operand| operand.finally().cloned());
        if let (Some(first), Some(second)) = (recurs(left), recurs(right)) {
            let finally = binary(Until, &Rc::new(True), &binary(Or, &first, &second));
            return binary(Release, &Rc::new(False), &finally);
        }
        if self.negation(right).implies(left) || self.negation(left).implies(right) {
            return Rc::new(True);
        }
        Rc::clone(tree)
    }
}

/// Whether the truth of a formula is independent of finite prefixes, by syntax: `G F` or `F G` at the top.
fn has_two_sides(tree: &Tree) -> bool {
    tree.globally().is_some_and(|operand| operand.finally().is_some())
        || tree.finally().is_some_and(|operand| operand.globally().is_some())
}

/// Dictionary order: signs before letters, and letter case only as a tie-breaker.
fn in_words(one: &str, other: &str) -> Ordering {
    let key = |text: &str| -> Vec<(bool, char)> {
        text.chars().map(|sign| (sign.is_alphanumeric(), sign.to_ascii_lowercase())).collect()
    };
    let small_first = || other.cmp(one);
    key(one).cmp(&key(other)).then_with(small_first)
}
