//! Formula progression: Bacchus and Kabanza (2000), *Using temporal logics to express search control knowledge for
//! planning*; extended by past operators.

use hashbrown::HashMap;
use ltl::logic::{Formula, Letter, Node, Store};

/// The formula that a run satisfies from now on exactly if, after these positions, the whole run satisfies the given
/// one from its beginning. It is simplified only a little, but [`Formula::FALSE`] is unsatisfiable.
///
/// A past operator becomes its value at the previous position, as a formula about now.
pub fn progress(store: &mut Store, formula: Formula, letters: &[Letter]) -> Formula {
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    let mut left = formula;
    let mut earlier: HashMap<Formula, Formula> = HashMap::new();
    for letter in letters {
        let mut position = Position { store: &mut *store, letter, earlier: &earlier, known: HashMap::new() };
        left = position.after(left);
        let values = parts.iter().map(|&part| (part, position.after(part))).collect();
        earlier = values;
    }
    left
}

struct Position<'a> {
    store: &'a mut Store,
    letter: &'a Letter,
    /// The values of the parts at the previous position, as formulas about this one; empty at the first.
    earlier: &'a HashMap<Formula, Formula>,
    known: HashMap<Formula, Formula>,
}

impl Position<'_> {
    /// A formula about this position, as one about the next.
    fn after(&mut self, formula: Formula) -> Formula {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let after = match self.store.get(formula).clone() {
            Node::True => Formula::TRUE,
            Node::False => Formula::FALSE,
            Node::Literal(atom, is_positive) if self.letter.contains(&atom) == is_positive => Formula::TRUE,
            Node::Literal(..) => Formula::FALSE,
            Node::And(operands) => self.all(&operands),
            Node::Or(operands) => self.any(&operands),
            Node::Next(operand) | Node::WeakNext(operand) => operand,
            Node::Until(left, right) => self.until(left, right, formula),
            Node::Release(left, right) => self.release(left, right, formula),
            Node::Yesterday(operand) => self.before(operand, Formula::FALSE),
            Node::WeakYesterday(operand) => self.before(operand, Formula::TRUE),
            Node::Since(left, right) => {
                let before = self.before(formula, Formula::FALSE);
                self.until(left, right, before)
            }
            Node::Trigger(left, right) => {
                let before = self.before(formula, Formula::TRUE);
                self.release(left, right, before)
            }
        };
        self.known.insert(formula, after);
        after
    }

    fn all(&mut self, operands: &[Formula]) -> Formula {
        let operands: Vec<Formula> = operands.iter().map(|&operand| self.after(operand)).collect();
        self.store.and(operands)
    }

    fn any(&mut self, operands: &[Formula]) -> Formula {
        let operands: Vec<Formula> = operands.iter().map(|&operand| self.after(operand)).collect();
        self.store.or(operands)
    }

    /// The value of a part at the previous position, as a formula about the next.
    fn before(&mut self, part: Formula, at_the_start: Formula) -> Formula {
        match self.earlier.get(&part) {
            Some(&earlier) => self.after(earlier),
            None => at_the_start,
        }
    }

    /// The unfolding of an until: the right side, or the left one and a further formula.
    fn until(&mut self, left: Formula, right: Formula, otherwise: Formula) -> Formula {
        let (left, right) = (self.after(left), self.after(right));
        let waits = self.store.and([left, otherwise]);
        self.store.or([right, waits])
    }

    /// The unfolding of a release: the right side, and the left one or a further formula.
    fn release(&mut self, left: Formula, right: Formula, otherwise: Formula) -> Formula {
        let (left, right) = (self.after(left), self.after(right));
        let released = self.store.or([left, otherwise]);
        self.store.and([right, released])
    }
}
