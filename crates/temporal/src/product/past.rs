//! Past operators by history variables: Havelund and Roşu (2002), *Synthesizing monitors for safety properties*.
//!
//! The truth of a formula without future operators is a function of the prefix read so far. So it is not guessed by the
//! automaton but computed along the run: each past operator has one bit for its value at the previous position, and the
//! formula itself becomes an atom.

use hashbrown::HashMap;
use ltl::logic::{Atom, Formula, Node, Store};

/// Boolean values, concrete or symbolic.
pub trait Values {
    /// The type of values.
    type Value: Copy;
    /// A constant.
    fn known(&mut self, value: bool) -> Self::Value;
    /// Negation.
    fn not(&mut self, value: Self::Value) -> Self::Value;
    /// Conjunction.
    fn and(&mut self, one: Self::Value, other: Self::Value) -> Self::Value;

    /// Disjunction.
    fn or(&mut self, one: Self::Value, other: Self::Value) -> Self::Value {
        let (one, other) = (self.not(one), self.not(other));
        let neither = self.and(one, other);
        self.not(neither)
    }
}

/// Concrete truth values.
struct Truth;

impl Values for Truth {
    type Value = bool;

    fn known(&mut self, value: bool) -> bool {
        value
    }

    fn not(&mut self, value: bool) -> bool {
        !value
    }

    fn and(&mut self, one: bool, other: bool) -> bool {
        one && other
    }
}

/// Past operators with their memory bits. Bits of operands come before those of the operators above them.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// Past formulas with their parts, operands first.
    parts: Vec<(Node, Memory)>,
    places: HashMap<Formula, usize>,
    /// The memory before the first position.
    pub(super) initial: u64,
    /// For each formula that became an atom its position among the parts.
    atoms: Vec<usize>,
    n_facts: usize,
}

/// The memory bit of a part, if it is a temporal operator.
type Memory = Option<u32>;

/// The reason why a formula is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mixed {
    /// A past operator over a future one.
    Future,
    /// Too many memory bits.
    TooLarge,
}

impl Past {
    /// Replaces past formulas by atoms, numbered from `n_facts` on.
    pub(super) fn extract(store: &mut Store, formula: Formula, n_facts: usize) -> Result<(Past, Formula), Mixed> {
        let mut past = Past { n_facts, ..Past::default() };
        let formula = replace_past::<Mixed>(store, formula, |store, part| {
            let place = past.add(store, part)?;
            past.atoms.push(place);
            Ok(store.atom(Atom((past.n_atoms() - 1) as u32)))
        })?;
        Ok((past, formula))
    }

    /// The number of atoms, including those for the past.
    pub fn n_atoms(&self) -> usize {
        self.n_facts + self.atoms.len()
    }

    /// The facts below past operators, as bits.
    pub(super) fn facts(&self) -> u64 {
        let bits = self.parts.iter().map(|(node, _)| match node {
            Node::Literal(atom, _) => 1 << atom.0,
            _ => 0,
        });
        bits.fold(0, |all, bit| all | bit)
    }

    /// The number of atoms that are facts.
    pub(super) fn n_facts(&self) -> usize {
        self.n_facts
    }

    /// Whether there are no past operators.
    pub(super) fn is_none(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Adds a past formula with all its parts.
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

    /// The memory before the first position, bit by bit.
    pub fn first_memory(&self) -> Vec<bool> {
        let n_bits = self.parts.iter().filter(|(_, memory)| memory.is_some()).count();
        (0..n_bits).map(|bit| self.initial >> bit & 1 == 1).collect()
    }

    /// The values of all parts at a position, given the facts and the memory.
    pub fn compute<V: Values>(
        &self,
        with: &mut V,
        facts: impl Fn(u32) -> V::Value,
        memory: impl Fn(u32) -> V::Value,
        values: &mut Vec<V::Value>,
    ) {
        values.clear();
        for (node, bit) in &self.parts {
            let at = |formula: &Formula| values[self.places[formula]];
            let value = match (node, bit.map(&memory)) {
                (Node::Literal(atom, true), _) => facts(atom.0),
                (Node::Literal(atom, false), _) => with.not(facts(atom.0)),
                (Node::And(operands), _) => {
                    let yes = with.known(true);
                    operands.iter().fold(yes, |all, operand| with.and(all, at(operand)))
                }
                (Node::Or(operands), _) => {
                    let no = with.known(false);
                    operands.iter().fold(no, |any, operand| with.or(any, at(operand)))
                }
                (Node::Yesterday(_) | Node::WeakYesterday(_), Some(was)) => was,
                (Node::Since(left, right), Some(was)) => {
                    let still = with.and(at(left), was);
                    with.or(at(right), still)
                }
                (Node::Trigger(left, right), Some(was)) => {
                    let still = with.or(at(left), was);
                    with.and(at(right), still)
                }
                // Past operators over future ones were rejected.
                _ => with.known(matches!(node, Node::True)),
            };
            values.push(value);
        }
    }

    /// The atoms of the past, given the values of the parts.
    pub fn told<T: Copy>(&self, values: &[T]) -> impl DoubleEndedIterator<Item = T> {
        self.atoms.iter().map(|&place| values[place])
    }

    /// The memory for the next position.
    pub fn kept<T: Copy>(&self, values: &[T]) -> impl DoubleEndedIterator<Item = T> {
        let remembered = self.parts.iter().enumerate().filter(|(_, (_, memory))| memory.is_some());
        remembered.map(|(place, (node, _))| match node {
            Node::Yesterday(operand) | Node::WeakYesterday(operand) => values[self.places[operand]],
            _ => values[place],
        })
    }

    /// The letter with the atoms of the past, and the memory for the next position.
    pub(super) fn advance(&self, letter: u64, memory: u64, values: &mut Vec<bool>) -> (u64, u64) {
        let bit_of = |word: u64| move |bit: u32| word >> bit & 1 == 1;
        self.compute(&mut Truth, bit_of(letter), bit_of(memory), values);
        let push = |word: u64, bit: bool| word << 1 | u64::from(bit);
        let atoms = self.told(values).rev().fold(0, push);
        (letter | atoms << self.n_facts, self.kept(values).rev().fold(0, push))
    }
}

/// The formula with each outermost past operator replaced.
pub(crate) fn replace_past<E>(
    store: &mut Store,
    formula: Formula,
    mut replace: impl FnMut(&mut Store, Formula) -> Result<Formula, E>,
) -> Result<Formula, E> {
    let mut replaced: HashMap<Formula, Formula> = HashMap::new();
    for part in outside_the_past(store, formula) {
        let node = store.get(part).clone();
        let new = if is_past(&node) { replace(store, part)? } else { rebuild(store, part, &node, &replaced) };
        replaced.insert(part, new);
    }
    Ok(replaced[&formula])
}

/// The parts of a formula that are not below a past operator, operands first.
pub(crate) fn outside_the_past(store: &Store, formula: Formula) -> Vec<Formula> {
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

pub(crate) fn is_past(node: &Node) -> bool {
    matches!(node, Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..))
}

fn is_future(node: &Node) -> bool {
    matches!(node, Node::Next(_) | Node::WeakNext(_) | Node::Until(..) | Node::Release(..))
}

/// The formula with other operands.
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
