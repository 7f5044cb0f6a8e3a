//! Linear time: LTL with past, in negation normal form.

use super::table::Table;
use hashbrown::{HashMap, HashSet};

/// An atomic proposition at a position of a run: a fact about a state or about the step that leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(pub u32);

/// A formula, by its number in a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Formula(u32);

/// The top operator of a formula. Operands of [`Node::And`] and [`Node::Or`] are at least two, in ascending order, and
/// flattened.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True.
    True,
    /// False.
    False,
    /// An atom, or its negation if the second part is false.
    Literal(Atom, bool),
    /// Conjunction.
    And(Box<[Formula]>),
    /// Disjunction.
    Or(Box<[Formula]>),
    /// Strong next: there is a next position, and the operand holds there.
    Next(Formula),
    /// Weak next: if there is a next position, the operand holds there.
    WeakNext(Formula),
    /// Strong until.
    Until(Formula, Formula),
    /// Release, the dual of until.
    Release(Formula, Formula),
    /// Strong yesterday: there is a previous position, and the operand holds there.
    Yesterday(Formula),
    /// Weak yesterday: if there is a previous position, the operand holds there.
    WeakYesterday(Formula),
    /// Since, the past of until.
    Since(Formula, Formula),
    /// Trigger, the dual of since.
    Trigger(Formula, Formula),
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
        store.intern(Node::False);
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
    pub fn get(&self, formula: Formula) -> &Node {
        self.nodes.get(formula.0)
    }

    /// Number of formulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no formulas; always false.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    fn intern(&mut self, node: Node) -> Formula {
        Formula(self.nodes.number(node))
    }

    /// An atom.
    pub fn atom(&mut self, atom: Atom) -> Formula {
        self.intern(Node::Literal(atom, true))
    }

    /// Conjunction.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.join(operands, Formula::TRUE)
    }

    /// Disjunction.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.join(operands, Formula::FALSE)
    }

    /// A conjunction or a disjunction, selected by its neutral element.
    fn join(&mut self, operands: impl IntoIterator<Item = Formula>, neutral: Formula) -> Formula {
        let is_and = neutral == Formula::TRUE;
        let dominant = if is_and { Formula::FALSE } else { Formula::TRUE };
        let mut all: Vec<Formula> = Vec::new();
        for operand in operands {
            match self.get(operand) {
                Node::And(inner) if is_and => all.extend(inner),
                Node::Or(inner) if !is_and => all.extend(inner),
                _ => all.push(operand),
            }
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|&operand| operand != neutral);
        if all.contains(&dominant) || self.has_opposites(&all) {
            return dominant;
        }
        match (&all[..], is_and) {
            ([], _) => neutral,
            ([only], _) => *only,
            (_, true) => self.intern(Node::And(all.into())),
            (_, false) => self.intern(Node::Or(all.into())),
        }
    }

    /// Whether an atom and its negation are among the operands.
    fn has_opposites(&self, operands: &[Formula]) -> bool {
        operands.iter().any(|&operand| match self.get(operand) {
            Node::Literal(atom, true) => {
                let opposite = self.nodes.find(&Node::Literal(*atom, false));
                opposite.is_some_and(|opposite| operands.binary_search(&Formula(opposite)).is_ok())
            }
            _ => false,
        })
    }

    /// Implication.
    pub fn implies(&mut self, premise: Formula, conclusion: Formula) -> Formula {
        let not_premise = self.not(premise);
        self.or([not_premise, conclusion])
    }

    /// Equivalence.
    pub fn equivalent(&mut self, left: Formula, right: Formula) -> Formula {
        let (forth, back) = (self.implies(left, right), self.implies(right, left));
        self.and([forth, back])
    }

    /// `X f`, strong next.
    pub fn next(&mut self, operand: Formula) -> Formula {
        if operand == Formula::FALSE { operand } else { self.intern(Node::Next(operand)) }
    }

    /// `Xw f`, weak next.
    pub fn weak_next(&mut self, operand: Formula) -> Formula {
        if operand == Formula::TRUE { operand } else { self.intern(Node::WeakNext(operand)) }
    }

    /// `l U r`.
    pub fn until(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::FALSE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Until(left, right)),
        }
    }

    /// `l R r`.
    pub fn release(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::TRUE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// `l W r`, weak until.
    pub fn weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        let either = self.or([left, right]);
        self.release(right, either)
    }

    /// `l M r`, strong release.
    pub fn strong_release(&mut self, left: Formula, right: Formula) -> Formula {
        let both = self.and([left, right]);
        self.until(right, both)
    }

    /// `F f`, eventually.
    pub fn finally(&mut self, operand: Formula) -> Formula {
        self.until(Formula::TRUE, operand)
    }

    /// `G f`, globally.
    pub fn globally(&mut self, operand: Formula) -> Formula {
        self.release(Formula::FALSE, operand)
    }

    /// `Y f`, strong yesterday.
    pub fn yesterday(&mut self, operand: Formula) -> Formula {
        if operand == Formula::FALSE { operand } else { self.intern(Node::Yesterday(operand)) }
    }

    /// `Yw f`, weak yesterday.
    pub fn weak_yesterday(&mut self, operand: Formula) -> Formula {
        if operand == Formula::TRUE { operand } else { self.intern(Node::WeakYesterday(operand)) }
    }

    /// `l S r`.
    pub fn since(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::FALSE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Since(left, right)),
        }
    }

    /// `l T r`.
    pub fn trigger(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::TRUE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Trigger(left, right)),
        }
    }

    /// `l B r`, weak since.
    pub fn weak_since(&mut self, left: Formula, right: Formula) -> Formula {
        let either = self.or([left, right]);
        self.trigger(right, either)
    }

    /// `O f`, once.
    pub fn once(&mut self, operand: Formula) -> Formula {
        self.since(Formula::TRUE, operand)
    }

    /// `H f`, historically.
    pub fn historically(&mut self, operand: Formula) -> Formula {
        self.trigger(Formula::FALSE, operand)
    }

    /// Negation, by the dual of each operator.
    pub fn not(&mut self, formula: Formula) -> Formula {
        let mut known: HashMap<Formula, Formula> = HashMap::new();
        // Operands first: their numbers are smaller than the formula's own.
        let mut parts = self.below(formula);
        parts.sort_unstable();
        for part in parts {
            let node = self.get(part).clone();
            let dual = self.dual(&node, &known);
            known.insert(part, dual);
        }
        known[&formula]
    }

    fn dual(&mut self, node: &Node, known: &HashMap<Formula, Formula>) -> Formula {
        match node {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Literal(atom, is_positive) => self.intern(Node::Literal(*atom, !is_positive)),
            Node::And(operands) => self.or(operands.iter().map(|operand| known[operand])),
            Node::Or(operands) => self.and(operands.iter().map(|operand| known[operand])),
            Node::Next(operand) => self.weak_next(known[operand]),
            Node::WeakNext(operand) => self.next(known[operand]),
            Node::Until(left, right) => self.release(known[left], known[right]),
            Node::Release(left, right) => self.until(known[left], known[right]),
            Node::Yesterday(operand) => self.weak_yesterday(known[operand]),
            Node::WeakYesterday(operand) => self.yesterday(known[operand]),
            Node::Since(left, right) => self.trigger(known[left], known[right]),
            Node::Trigger(left, right) => self.since(known[left], known[right]),
        }
    }

    /// A formula and all its subformulas, each once, in no particular order.
    pub fn below(&self, formula: Formula) -> Vec<Formula> {
        let mut all = vec![formula];
        let mut met: HashSet<Formula> = HashSet::from([formula]);
        let mut next = 0;
        while let Some(&part) = all.get(next) {
            next += 1;
            self.get(part).for_operands(|operand| {
                if met.insert(operand) {
                    all.push(operand);
                }
            });
        }
        all
    }
}

impl Node {
    /// Visits the operands.
    pub fn for_operands(&self, mut visit: impl FnMut(Formula)) {
        match self {
            Node::True | Node::False | Node::Literal(..) => {}
            Node::And(operands) | Node::Or(operands) => operands.iter().copied().for_each(visit),
            Node::Next(operand) | Node::WeakNext(operand) | Node::Yesterday(operand) | Node::WeakYesterday(operand) => {
                visit(*operand)
            }
            Node::Until(left, right)
            | Node::Release(left, right)
            | Node::Since(left, right)
            | Node::Trigger(left, right) => {
                visit(*left);
                visit(*right);
            }
        }
    }
}
