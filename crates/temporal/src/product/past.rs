//! Pure past, remembered in one bit for each operator.
//!
//! A formula without future operators is a function of what has happened. So it is not guessed but computed on the way:
//! for each operator of the past one bit says what matters of the position before, and the formula itself becomes an
//! atom.

use hashbrown::HashMap;
use ltl::logic::{Atom, Formula, Node, Store};

/// Truth values, or what stands for them.
pub trait Values {
    /// One of them.
    type Value: Copy;
    /// A value that is known.
    fn known(&mut self, value: bool) -> Self::Value;
    /// The opposite.
    fn not(&mut self, value: Self::Value) -> Self::Value;
    /// Whether both are true.
    fn and(&mut self, one: Self::Value, other: Self::Value) -> Self::Value;

    /// Whether one of them is true.
    fn or(&mut self, one: Self::Value, other: Self::Value) -> Self::Value {
        let (one, other) = (self.not(one), self.not(other));
        let neither = self.and(one, other);
        self.not(neither)
    }
}

/// Truth values that are known.
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

/// Operators of the past, and what they remember. Bits of operands come before those of the operators above them.
#[derive(Clone, Debug, Default)]
pub struct Past {
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
        let formula = replace_past::<Mixed>(store, formula, |store, part| {
            let place = past.add(store, part)?;
            past.told.push(place);
            Ok(store.atom(Atom((past.n_atoms() - 1) as u32)))
        })?;
        Ok((past, formula))
    }

    /// How many atoms there are with those for the past.
    pub fn n_atoms(&self) -> usize {
        self.n_facts + self.told.len()
    }

    /// The facts below operators of the past, as bits.
    pub(super) fn facts(&self) -> u64 {
        let bits = self.parts.iter().map(|(node, _)| match node {
            Node::Literal(atom, _) => 1 << atom.0,
            _ => 0,
        });
        bits.fold(0, |all, bit| all | bit)
    }

    /// How many atoms are facts.
    pub(super) fn n_facts(&self) -> usize {
        self.n_facts
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

    /// What is remembered before anything has happened, bit by bit.
    pub fn first_memory(&self) -> Vec<bool> {
        let n_bits = self.parts.iter().filter(|(_, memory)| memory.is_some()).count();
        (0..n_bits).map(|bit| self.initial >> bit & 1 == 1).collect()
    }

    /// What all parts come to at a position, from atoms for facts and what was remembered.
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
                // The past of the future was refused.
                _ => with.known(matches!(node, Node::True)),
            };
            values.push(value);
        }
    }

    /// The atoms of the past, by what its parts come to.
    pub fn told<T: Copy>(&self, values: &[T]) -> impl DoubleEndedIterator<Item = T> {
        self.told.iter().map(|&place| values[place])
    }

    /// What is to be remembered for the next position.
    pub fn kept<T: Copy>(&self, values: &[T]) -> impl DoubleEndedIterator<Item = T> {
        let remembered = self.parts.iter().enumerate().filter(|(_, (_, memory))| memory.is_some());
        remembered.map(|(place, (node, _))| match node {
            Node::Yesterday(operand) | Node::WeakYesterday(operand) => values[self.places[operand]],
            _ => values[place],
        })
    }

    /// The letter with the atoms of the past added, and what to remember for the next position.
    pub(super) fn tell(&self, letter: u64, memory: u64, values: &mut Vec<bool>) -> (u64, u64) {
        let bit_of = |word: u64| move |bit: u32| word >> bit & 1 == 1;
        self.compute(&mut Truth, bit_of(letter), bit_of(memory), values);
        let push = |word: u64, bit: bool| word << 1 | u64::from(bit);
        let told = self.told(values).rev().fold(0, push);
        (letter | told << self.n_facts, self.kept(values).rev().fold(0, push))
    }
}

/// The formula with something else instead of each operator of the past that is below no other.
pub(crate) fn replace_past<E>(
    store: &mut Store,
    formula: Formula,
    mut tell: impl FnMut(&mut Store, Formula) -> Result<Formula, E>,
) -> Result<Formula, E> {
    let mut replaced: HashMap<Formula, Formula> = HashMap::new();
    for part in outside_the_past(store, formula) {
        let node = store.get(part).clone();
        let new = if is_past(&node) { tell(store, part)? } else { rebuild(store, part, &node, &replaced) };
        replaced.insert(part, new);
    }
    Ok(replaced[&formula])
}

/// The parts of a formula that are not below an operator of the past, operands first.
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
