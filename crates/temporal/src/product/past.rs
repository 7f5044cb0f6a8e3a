//! Pure past, remembered in one bit for each operator.
//!
//! A formula without future operators is a function of what has happened. So it is not guessed but computed on the way: for
//! each operator of the past one bit says what matters of the position before, and the formula itself becomes an atom.

use hashbrown::HashMap;
use ltl::logic::{Atom, Formula, Node, Store};

/// Operators of the past, and what they remember. Bits of operands come before those of the operators above them.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// Formulas of the past with their parts, operands first.
    parts: Vec<(Node, Memory)>,
    places: HashMap<Formula, usize>,
    /// What is remembered before anything has happened.
    pub(super) initial: u64,
    /// For each formula that became an atom its place among the parts.
    told: Vec<usize>,
    n_facts: usize,
}

/// The bit that a part has, if it is a temporal operator.
type Memory = Option<u32>;

/// Why a formula cannot be computed on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mixed {
    /// The past of something that lies in the future.
    Future,
    /// There is too much to remember.
    TooLarge,
}

impl Past {
    /// Replaces what is about the past by atoms, numbered from `n_facts` on.
    pub(super) fn extract(store: &mut Store, formula: Formula, n_facts: usize) -> Result<(Past, Formula), Mixed> {
        let mut past = Past { n_facts, ..Past::default() };
        let mut replaced: HashMap<Formula, Formula> = HashMap::new();
        for part in outside_the_past(store, formula) {
            let node = store.get(part).clone();
            let new = if is_past(&node) {
                let place = past.add(store, part)?;
                past.told.push(place);
                store.atom(Atom((past.n_atoms() - 1) as u32))
            } else {
                rebuild(store, part, &node, &replaced)
            };
            replaced.insert(part, new);
        }
        Ok((past, replaced[&formula]))
    }

    /// How many atoms there are with those for the past.
    pub(super) fn n_atoms(&self) -> usize {
        self.n_facts + self.told.len()
    }

    /// Whether there is anything to remember.
    pub(super) fn is_none(&self) -> bool {
        self.told.is_empty()
    }

    /// Adds a formula of the past with all its parts.
    fn add(&mut self, store: &Store, formula: Formula) -> Result<usize, Mixed> {
        let mut all = store.below(formula);
        all.sort_unstable();
        for part in all {
            if self.places.contains_key(&part) {
                continue;
            }
            let node = store.get(part).clone();
            if is_future(&node) {
                return Err(Mixed::Future);
            }
            let memory =
                is_past(&node).then(|| self.parts.iter().filter(|(_, memory)| memory.is_some()).count() as u32);
            if let Some(bit) = memory {
                if bit >= u64::BITS {
                    return Err(Mixed::TooLarge);
                }
                let was = matches!(node, Node::WeakYesterday(_) | Node::Trigger(..));
                self.initial |= u64::from(was) << bit;
            }
            self.places.insert(part, self.parts.len());
            self.parts.push((node, memory));
        }
        Ok(self.places[&formula])
    }

    /// The letter with the atoms of the past added, and what to remember for the next position.
    pub(super) fn tell(&self, letter: u64, memory: u64, values: &mut Vec<bool>) -> (u64, u64) {
        values.clear();
        let mut next = 0;
        for (node, bit) in &self.parts {
            let at = |formula: &Formula| values[self.places[formula]];
            let was = bit.is_some_and(|bit| memory >> bit & 1 == 1);
            let (value, kept) = match node {
                Node::True => (true, false),
                Node::False => (false, false),
                Node::Literal(atom, is_positive) => ((letter >> atom.0 & 1 == 1) == *is_positive, false),
                Node::And(operands) => (operands.iter().all(at), false),
                Node::Or(operands) => (operands.iter().any(at), false),
                Node::Yesterday(operand) | Node::WeakYesterday(operand) => (was, at(operand)),
                Node::Since(left, right) => {
                    let now = at(right) || at(left) && was;
                    (now, now)
                }
                Node::Trigger(left, right) => {
                    let now = at(right) && (at(left) || was);
                    (now, now)
                }
                Node::Next(_) | Node::WeakNext(_) | Node::Until(..) | Node::Release(..) => {
                    unreachable!("the past of the future was refused")
                }
            };
            next |= bit.map_or(0, |bit| u64::from(kept) << bit);
            values.push(value);
        }
        let told = self.told.iter().enumerate();
        let letter =
            told.fold(letter, |letter, (number, &place)| letter | u64::from(values[place]) << (self.n_facts + number));
        (letter, next)
    }
}

/// The parts of a formula that are not below an operator of the past, operands first.
fn outside_the_past(store: &Store, formula: Formula) -> Vec<Formula> {
    let mut all = vec![formula];
    let mut next = 0;
    while let Some(&part) = all.get(next) {
        next += 1;
        if !is_past(store.get(part)) {
            store.get(part).for_operands(|operand| {
                if !all.contains(&operand) {
                    all.push(operand);
                }
            });
        }
    }
    all.sort_unstable();
    all
}

fn is_past(node: &Node) -> bool {
    matches!(node, Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..))
}

fn is_future(node: &Node) -> bool {
    matches!(node, Node::Next(_) | Node::WeakNext(_) | Node::Until(..) | Node::Release(..))
}

/// The same formula with other operands.
fn rebuild(store: &mut Store, formula: Formula, node: &Node, replaced: &HashMap<Formula, Formula>) -> Formula {
    match node {
        Node::And(operands) => store.and(operands.iter().map(|operand| replaced[operand])),
        Node::Or(operands) => store.or(operands.iter().map(|operand| replaced[operand])),
        Node::Next(operand) => store.next(replaced[operand]),
        Node::WeakNext(operand) => store.weak_next(replaced[operand]),
        Node::Until(left, right) => store.until(replaced[left], replaced[right]),
        Node::Release(left, right) => store.release(replaced[left], replaced[right]),
        _ => formula,
    }
}
