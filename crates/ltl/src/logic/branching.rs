//! Branching time: CTL.
//!
//! A formula is true or false of a state. Paths are maximal: infinite, or ending in a state without steps. So in a
//! state without steps `EX f` is false, and `EG f` and `E g U f` equal `f`. Three operators suffice, because universal
//! quantification is the dual of existential quantification.

use super::Atom;
use super::table::Table;

/// A formula, by its number in a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Formula(u32);

/// The top operator of a formula. Operands have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True.
    True,
    /// A fact about the state.
    Atom(Atom),
    /// Negation.
    Not(Formula),
    /// Conjunction.
    And(Formula, Formula),
    /// Disjunction.
    Or(Formula, Formula),
    /// `EX`; with an atom, restricted to steps of which the atom is true.
    ExistsNext(Option<Atom>, Formula),
    /// `E U`.
    ExistsUntil(Formula, Formula),
    /// `EG`.
    ExistsGlobally(Formula),
}

/// Hash-consed formulas.
#[derive(Clone, Debug)]
pub struct Store {
    nodes: Table<Node>,
}

impl Default for Store {
    fn default() -> Store {
        let mut store = Store { nodes: Table::default() };
        store.intern(Node::True);
        store.intern(Node::Not(Formula::TRUE));
        store
    }
}

impl Formula {
    /// True.
    pub const TRUE: Formula = Formula(0);
    /// False.
    pub const FALSE: Formula = Formula(1);

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Store {
    /// The top operator of a formula.
    pub fn get(&self, formula: Formula) -> Node {
        *self.nodes.get(formula.0)
    }

    /// All formulas in the order of their numbers: operands come before formulas that use them.
    pub fn formulas(&self) -> impl ExactSizeIterator<Item = Formula> + use<> {
        (0..self.nodes.len() as u32).map(Formula)
    }

    fn intern(&mut self, node: Node) -> Formula {
        Formula(self.nodes.number(node))
    }

    /// A fact about the state.
    pub fn atom(&mut self, atom: Atom) -> Formula {
        self.intern(Node::Atom(atom))
    }

    /// Negation.
    pub fn not(&mut self, operand: Formula) -> Formula {
        match self.get(operand) {
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(operand)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, left: Formula, right: Formula) -> Formula {
        match (left.min(right), left.max(right)) {
            (Formula::TRUE, other) => other,
            (Formula::FALSE, _) | (_, Formula::FALSE) => Formula::FALSE,
            (left, right) if left == right => left,
            (left, right) => self.intern(Node::And(left, right)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, left: Formula, right: Formula) -> Formula {
        match (left.min(right), left.max(right)) {
            (Formula::TRUE, _) => Formula::TRUE,
            (Formula::FALSE, other) => other,
            (left, right) if left == right => left,
            (left, right) => self.intern(Node::Or(left, right)),
        }
    }

    /// Implication.
    pub fn implies(&mut self, premise: Formula, conclusion: Formula) -> Formula {
        let premise_fails = self.not(premise);
        self.or(premise_fails, conclusion)
    }

    /// Equivalence.
    pub fn equivalent(&mut self, left: Formula, right: Formula) -> Formula {
        let (forth, back) = (self.implies(left, right), self.implies(right, left));
        self.and(forth, back)
    }

    /// `EX f`, and with an atom `EX[a] f`: some step, of which the atom is true, leads to `f`.
    pub fn exists_next(&mut self, step: Option<Atom>, operand: Formula) -> Formula {
        if operand == Formula::FALSE { operand } else { self.intern(Node::ExistsNext(step, operand)) }
    }

    /// `AX f`, and with an atom `AX[a] f`: all steps of which the atom is true lead to `f`.
    pub fn forall_next(&mut self, step: Option<Atom>, operand: Formula) -> Formula {
        let fails = self.not(operand);
        let can_fail = self.exists_next(step, fails);
        self.not(can_fail)
    }

    /// `E l U r`.
    pub fn exists_until(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::FALSE, _) => right,
            _ => self.intern(Node::ExistsUntil(left, right)),
        }
    }

    /// `EG f`.
    pub fn exists_globally(&mut self, operand: Formula) -> Formula {
        match operand {
            Formula::TRUE | Formula::FALSE => operand,
            _ => self.intern(Node::ExistsGlobally(operand)),
        }
    }

    /// `E l W r`.
    pub fn exists_weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        let (until, always) = (self.exists_until(left, right), self.exists_globally(left));
        self.or(until, always)
    }

    /// `A l U r`: there is no path on which `r` fails for ever, or until both fail.
    pub fn forall_until(&mut self, left: Formula, right: Formula) -> Formula {
        let (left_fails, right_fails) = (self.not(left), self.not(right));
        let both_fail = self.and(left_fails, right_fails);
        let violated = self.exists_weak_until(right_fails, both_fail);
        self.not(violated)
    }

    /// `A l W r`: there is no path on which `r` fails until both do.
    pub fn forall_weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        let (left_fails, right_fails) = (self.not(left), self.not(right));
        let both_fail = self.and(left_fails, right_fails);
        let violated = self.exists_until(right_fails, both_fail);
        self.not(violated)
    }
}
