//! Guards of edges: conjunctions of literals, as two bit sets.

use limits::effort::formula_automata::MAX_COVER;

/// A conjunction of literals over at most 64 atoms. Bit `i` stands for `Atom(i)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Guard {
    /// Atoms that must be true.
    pub positive: u64,
    /// Atoms that must be false.
    pub negative: u64,
}

impl Guard {
    /// The guard without literals.
    pub const TRUE: Guard = Guard { positive: 0, negative: 0 };

    /// Whether a valuation, the set of true atoms, satisfies the guard.
    pub fn matches(self, valuation: u64) -> bool {
        valuation & self.positive == self.positive && valuation & self.negative == 0
    }

    /// The atoms of the guard.
    pub(super) fn atoms(self) -> u64 {
        self.positive | self.negative
    }

    /// The conjunction, unless it is contradictory.
    pub(super) fn and(self, other: Guard) -> Option<Guard> {
        let both = Guard { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether each valuation that satisfies this guard satisfies the other one.
    pub(super) fn implies(self, other: Guard) -> bool {
        self.positive & other.positive == other.positive && self.negative & other.negative == other.negative
    }

    /// The guard without the literals of some atoms.
    fn without(self, atoms: u64) -> Guard {
        Guard { positive: self.positive & !atoms, negative: self.negative & !atoms }
    }

    /// Whether each valuation that satisfies this guard satisfies one of the others.
    pub(super) fn is_covered(self, others: &[Guard]) -> bool {
        if others.iter().any(|&other| self.implies(other)) {
            return true;
        }
        // A cover needs two guards that overlap.
        let overlapping: Vec<Guard> = others.iter().copied().filter(|&other| self.and(other).is_some()).collect();
        let Some(first) = overlapping.first().filter(|_| overlapping.len() > 1) else { return false };
        let free = first.atoms() & !self.atoms();
        let atom = free & free.wrapping_neg();
        let (yes, no) = (Guard { positive: atom, negative: 0 }, Guard { positive: 0, negative: atom });
        [yes, no].into_iter().all(|half| self.and(half).is_some_and(|half| half.is_covered(&overlapping)))
    }

    /// The difference of two guards, if it is a guard again.
    pub(super) fn minus(self, other: Guard) -> Option<Guard> {
        let more = other.without(self.atoms());
        let is_one = more.atoms().count_ones() == 1 && self.and(other).is_some();
        is_one.then_some(Guard { positive: self.positive | more.negative, negative: self.negative | more.positive })
    }
}

/// Simplifies a disjunction of guards.
pub(super) fn simplify(guards: &mut Vec<Guard>) {
    guards.sort_unstable();
    guards.dedup();
    if guards.len() <= MAX_COVER {
        for place in 0..guards.len() {
            guards[place] = enlarge(guards[place], guards);
        }
    }
    let mut place = 0;
    while place < guards.len() {
        let guard = guards.swap_remove(place);
        let is_needless = match guards.len() {
            0..=MAX_COVER => guard.is_covered(guards),
            _ => guards.iter().any(|&other| guard.implies(other)),
        };
        if !is_needless {
            guards.push(guard);
            let last = guards.len() - 1;
            guards.swap(place, last);
            place += 1;
        }
    }
    guards.sort_unstable();
}

/// Drops literals that are redundant beside the other guards.
fn enlarge(guard: Guard, guards: &[Guard]) -> Guard {
    let mut larger = guard;
    let mut left = guard.atoms();
    while left != 0 {
        let atom = left & left.wrapping_neg();
        left &= !atom;
        let candidate = larger.without(atom);
        if candidate.is_covered(guards) {
            larger = candidate;
        }
    }
    larger
}
