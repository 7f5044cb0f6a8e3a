//! Truth assignments of a formula at a position of a run.
//!
//! A moment assigns a truth value to each part of the formula. It is consistent if it agrees with the facts of the
//! position and with the moments before and after. The assignments that agree with the facts and the previous moment
//! are computed here; values that depend on the future are guesses, which the next moment confirms.

use super::world::LetterId;
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use limits::effort::products::MAX_GUESSES;
use ltl::logic::{Atom, Formula, Node, Store};

/// The facts of a position.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Letter {
    /// The atoms that are true.
    pub atoms: FixedBitSet,
    /// Whether there is no next position.
    pub ends: bool,
}

/// The parts of a formula that are true at a position, by their numbers in the closure.
type Truth = FixedBitSet;

/// The limit of assignments is exceeded.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

/// The number of a moment.
pub type MomentId = u32;

/// All discovered moments.
pub struct Moments<'a> {
    closure: &'a Closure<'a>,
    moments: Vec<(LetterId, Truth)>,
    numbers: HashMap<(LetterId, Truth), MomentId>,
    /// The successors of a moment at a position with given facts.
    following: HashMap<(MomentId, LetterId), Vec<MomentId>>,
}

impl<'a> Moments<'a> {
    pub fn new(closure: &'a Closure<'a>) -> Moments<'a> {
        Moments { closure, moments: Vec::new(), numbers: HashMap::new(), following: HashMap::new() }
    }

    /// The facts of a moment.
    pub fn letter(&self, moment: MomentId) -> LetterId {
        self.moments[moment as usize].0
    }

    /// The initial moments of runs that satisfy the formula.
    pub fn first(&mut self, number: LetterId, letter: &Letter) -> Result<Vec<MomentId>, TooMany> {
        let truths = self.closure.first(letter)?;
        Ok(truths.into_iter().map(|truth| self.number(number, truth)).collect())
    }

    /// The possible successors of a moment.
    pub fn next(&mut self, before: MomentId, number: LetterId, letter: &Letter) -> Result<&[MomentId], TooMany> {
        if !self.following.contains_key(&(before, number)) {
            let truths = self.closure.next(&self.moments[before as usize].1, letter)?;
            let moments = truths.into_iter().map(|truth| self.number(number, truth)).collect();
            self.following.insert((before, number), moments);
        }
        Ok(&self.following[&(before, number)])
    }

    fn number(&mut self, letter: LetterId, truth: Truth) -> MomentId {
        let Moments { moments, numbers, .. } = self;
        *numbers.entry((letter, truth)).or_insert_with_key(|moment| {
            moments.push(moment.clone());
            moments.len() as MomentId - 1
        })
    }

    /// The eventualities: parts that consistent moments alone could defer for ever.
    pub fn promises(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.closure.promises()
    }

    /// Whether a moment does not defer an eventuality: it is not assumed, or fulfilled.
    pub fn keeps(&self, promise: usize, moment: MomentId) -> bool {
        self.closure.keeps(promise, &self.moments[moment as usize].1)
    }
}

/// The closure of a formula: all its parts, operands first.
pub struct Closure<'a> {
    nodes: Vec<&'a Node>,
    places: HashMap<Formula, usize>,
}

impl<'a> Closure<'a> {
    pub fn new(store: &'a Store, formula: Formula) -> Closure<'a> {
        let mut parts = store.below(formula);
        // Operands have smaller numbers.
        parts.sort_unstable();
        let nodes = parts.iter().map(|&part| store.get(part)).collect();
        Closure { nodes, places: parts.into_iter().enumerate().map(|(place, part)| (part, place)).collect() }
    }

    /// The atoms of the formula.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.nodes.iter().filter_map(|node| match node {
            Node::Literal(atom, _) => Some(*atom),
            _ => None,
        })
    }

    /// The assignments at the first position of a run that satisfies the formula.
    fn first(&self, letter: &Letter) -> Result<Vec<Truth>, TooMany> {
        let mut truths = self.complete(None, &vec![None; self.nodes.len()], letter)?;
        // The formula is the last of its parts.
        truths.retain(|truth| truth.contains(self.nodes.len() - 1));
        Ok(truths)
    }

    /// The assignments at the position after another.
    fn next(&self, before: &Truth, letter: &Letter) -> Result<Vec<Truth>, TooMany> {
        match self.demanded(before) {
            Some(demanded) => self.complete(Some(before), &demanded, letter),
            None => Ok(Vec::new()),
        }
    }

    /// A formula in positive form is monotone in its parts, so wrong assumptions of falsehood, for example of a
    /// release, do no harm.
    fn promises(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&place| matches!(self.nodes[place], Node::Until(..)))
    }

    fn keeps(&self, promise: usize, truth: &Truth) -> bool {
        let fulfills = |node: &Node| matches!(node, Node::Until(_, right) if self.holds(truth, *right));
        !truth.contains(promise) || fulfills(self.nodes[promise])
    }

    fn holds(&self, truth: &Truth, part: Formula) -> bool {
        truth.contains(self.places[&part])
    }

    /// The values that a moment requires of the next one; none if it is contradictory.
    fn demanded(&self, before: &Truth) -> Option<Vec<Option<bool>>> {
        let mut demanded = vec![None; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let value = before.contains(place);
            let (place, value) = match node {
                Node::Next(operand) | Node::WeakNext(operand) => (self.places[operand], value),
                Node::Until(left, right) if self.holds(before, *left) && !self.holds(before, *right) => (place, value),
                Node::Release(left, right) if !self.holds(before, *left) && self.holds(before, *right) => {
                    (place, value)
                }
                _ => continue,
            };
            if demanded[place].replace(value).is_some_and(|other| other != value) {
                return None;
            }
        }
        Some(demanded)
    }

    /// All assignments that agree with the facts, the required values, and the previous moment, if there is one.
    fn complete(
        &self,
        before: Option<&Truth>,
        demanded: &[Option<bool>],
        letter: &Letter,
    ) -> Result<Vec<Truth>, TooMany> {
        let mut truths = vec![Truth::with_capacity(self.nodes.len())];
        for (place, demanded) in demanded.iter().enumerate() {
            let mut longer = Vec::new();
            for truth in truths {
                let values = self.possible(place, &truth, before, letter).iter();
                for &value in values.filter(|&value| demanded.is_none_or(|demanded| demanded == *value)) {
                    let mut truth = truth.clone();
                    truth.set(place, value);
                    longer.push(truth);
                }
            }
            truths = longer;
            if truths.len() > MAX_GUESSES {
                return Err(TooMany);
            }
        }
        Ok(truths)
    }

    /// The possible values of a part, given those of its operands.
    fn possible(&self, place: usize, truth: &Truth, before: Option<&Truth>, letter: &Letter) -> &'static [bool] {
        let now = |part: &Formula| self.holds(truth, *part);
        let earlier = |place: usize, at_the_start| before.map_or(at_the_start, |before| before.contains(place));
        let value = match self.nodes[place] {
            Node::True => true,
            Node::False => false,
            Node::Literal(atom, is_positive) => letter.atoms.contains(atom.0 as usize) == *is_positive,
            Node::And(operands) => operands.iter().all(now),
            Node::Or(operands) => operands.iter().any(now),
            Node::Next(_) if letter.ends => false,
            Node::WeakNext(_) if letter.ends => true,
            Node::Until(left, right) if letter.ends || now(right) || !now(left) => now(right),
            Node::Release(left, right) if letter.ends || !now(right) || now(left) => now(right),
            Node::Next(_) | Node::WeakNext(_) | Node::Until(..) | Node::Release(..) => return &[false, true],
            Node::Yesterday(operand) => earlier(self.places[operand], false),
            Node::WeakYesterday(operand) => earlier(self.places[operand], true),
            Node::Since(left, right) => now(right) || now(left) && earlier(place, false),
            Node::Trigger(left, right) => now(right) && (now(left) || earlier(place, true)),
        };
        if value { &[true] } else { &[false] }
    }
}
