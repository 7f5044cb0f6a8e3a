//! In which order machines are put together.
//!
//! The cost of an order is the size of its largest intermediate piece. A [`Shape`] estimates it without composing
//! one: how many states each piece has, and who takes part in which rules. A [`Strategy`] chooses the next pair. All of
//! them are gone through on the shape first, with guesses for the sizes of pieces, and the one with the smallest
//! largest piece is taken first.
//!
//! Rules are all that machines have to do with each other, whatever operators they come from: each is an event of its
//! own, shared by exactly those who take part. That is the alphabetized form, in which parallel composition is
//! associative, and so any order will do. An event is hidden as soon as nobody outside takes part.

use super::Action;
use hashbrown::{HashMap, HashSet};
use limits::effort::composition::MAX_LOOKS;
use lts::Label;
use model::network::{MachineId, Rule};

/// How to choose who is put together next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Those who are likely to make the smallest piece.
    Smallest,
    /// Those who have the least to do with others.
    FewestPartners,
    /// One piece grows: who is likely to keep it smallest joins it.
    Growing,
    /// The same, beginning with the last machine. If there is a watchdog, that is it: so it moves down to those it
    /// watches.
    FromTheLast,
}

impl Strategy {
    /// All of them; earlier ones are taken where others promise no more.
    pub const ALL: [Strategy; 4] =
        [Strategy::Smallest, Strategy::FewestPartners, Strategy::Growing, Strategy::FromTheLast];

    /// The piece that grows from the start on, among so many.
    pub(super) fn first(self, n_places: usize) -> Option<usize> {
        if self == Strategy::FromTheLast { n_places.checked_sub(1) } else { None }
    }

    /// Whether one piece takes in all others.
    pub(super) fn grows(self) -> bool {
        matches!(self, Strategy::Growing | Strategy::FromTheLast)
    }

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Smallest => "smallest",
            Strategy::FewestPartners => "fewest-partners",
            Strategy::Growing => "growing",
            Strategy::FromTheLast => "from-the-last",
        }
    }
}

/// A network of which only sizes are known.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How many states each piece has; nothing where one was that is a part of another now.
    pub(super) sizes: Vec<Option<f64>>,
    /// The participating pieces, in ascending order, and whether the rule is invisible.
    rules: Vec<(Vec<usize>, bool)>,
    /// The piece that grows.
    pub(super) grown: Option<usize>,
}

/// The rules that two pieces share.
#[derive(Clone, Copy, Debug)]
struct Bond {
    /// How many rules become silent if they are one.
    n_inside: usize,
    /// How many do not.
    n_outside: usize,
}

impl Shape {
    pub(super) fn of(sizes: impl Iterator<Item = Option<usize>>, rules: &[Rule], grown: Option<usize>) -> Shape {
        let place = |&(machine, _): &(MachineId, Action)| machine.index();
        let parts = |rule: &Rule| {
            let mut parts: Vec<usize> = rule.parts.iter().map(place).collect();
            parts.sort_unstable();
            (parts, rule.shows == Label::TAU)
        };
        let sizes = sizes.map(|size| size.map(|n| n as f64)).collect();
        Shape { sizes, rules: rules.iter().map(parts).collect(), grown }
    }

    /// Pairs that take part in rules together.
    fn bonds(&self) -> HashMap<[usize; 2], Bond> {
        let mut n_rules = vec![0; self.sizes.len()];
        let mut bonds: HashMap<[usize; 2], Bond> = HashMap::new();
        for (parts, is_silent) in &self.rules {
            for (number, &left) in parts.iter().enumerate() {
                n_rules[left] += 1;
                for &right in &parts[number + 1..] {
                    let bond = bonds.entry([left, right]).or_insert(Bond { n_inside: 0, n_outside: 0 });
                    bond.n_inside += usize::from(parts.len() == 2 && *is_silent);
                }
            }
        }
        for (&[left, right], bond) in &mut bonds {
            // A rule of both counts for each, which is well: it keeps two pieces busy.
            bond.n_outside = n_rules[left] + n_rules[right] - 2 * bond.n_inside;
        }
        bonds
    }

    /// How many states two pieces are likely to have together: what others see of a piece keeps its states apart.
    fn likely_size(&self, [left, right]: [usize; 2], bond: Bond) -> f64 {
        let Bond { n_inside, n_outside } = bond;
        let share = (n_outside + 1) as f64 / (n_outside + n_inside + 1) as f64;
        self.sizes[left].unwrap_or(1.0) * self.sizes[right].unwrap_or(1.0) * share
    }

    /// The pair that is put together next, if there is one that is not better apart.
    pub(super) fn next_pair(&self, strategy: Strategy, apart: &HashSet<[usize; 2]>) -> Option<[usize; 2]> {
        Some(self.next_bond(strategy, apart)?.0)
    }

    fn next_bond(&self, strategy: Strategy, apart: &HashSet<[usize; 2]>) -> Option<([usize; 2], Bond)> {
        let bonds = self.bonds();
        let cost = |&(pair, bond): &([usize; 2], Bond)| {
            let is_elsewhere = strategy.grows() && self.grown.is_some_and(|grown| !pair.contains(&grown));
            let n_outside = if strategy == Strategy::FewestPartners { bond.n_outside } else { 0 };
            (is_elsewhere, n_outside, self.likely_size(pair, bond))
        };
        let pairs = bonds.into_iter().filter(|(pair, _)| !apart.contains(pair));
        pairs.min_by(|left, right| {
            let (one, two) = (cost(left), cost(right));
            (one.0, one.1).cmp(&(two.0, two.1)).then(one.2.total_cmp(&two.2)).then(left.0.cmp(&right.0))
        })
    }

    /// The shape after composing a pair, by the estimate.
    fn join(&mut self, pair: [usize; 2], bond: Bond) -> f64 {
        let size = self.likely_size(pair, bond);
        let [left, right] = pair;
        self.sizes[left] = Some(size);
        self.sizes[right] = None;
        self.grown = Some(left);
        for (parts, _) in &mut self.rules {
            if let Some(place) = parts.iter().position(|&part| part == right) {
                parts.remove(place);
                if !parts.contains(&left) {
                    parts.push(left);
                    parts.sort_unstable();
                }
            }
        }
        self.rules.retain(|(parts, is_silent)| parts.len() > 1 || !is_silent);
        size
    }

    /// How large the largest piece is likely to get, if pieces grow no further than this.
    fn likely_peak(mut self, strategy: Strategy, max_size: f64) -> f64 {
        let mut peak = 1.0;
        while let Some((pair, bond)) = self.next_bond(strategy, &HashSet::new()) {
            if self.likely_size(pair, bond) > max_size {
                return f64::INFINITY;
            }
            peak = f64::max(peak, self.join(pair, bond));
        }
        peak
    }
}

/// Pairs of machines that take part in some rules together, counted for each rule, and each rule at least once.
pub(super) fn n_bonds(rules: impl Iterator<Item = usize>) -> usize {
    rules.map(|n_parts| (n_parts * n_parts.saturating_sub(1) / 2).max(1)).sum()
}

/// The strategies, the one first that promises the smallest pieces.
pub(super) fn promising(shape: &Shape, max_size: f64) -> Vec<Strategy> {
    let n_bonds = n_bonds(shape.rules.iter().map(|(parts, _)| parts.len()));
    if shape.sizes.len().saturating_mul(n_bonds) > MAX_LOOKS {
        return vec![Strategy::Smallest];
    }
    let peak = |strategy: Strategy| {
        Shape { grown: strategy.first(shape.sizes.len()), ..shape.clone() }.likely_peak(strategy, max_size)
    };
    let mut ranked: Vec<(f64, Strategy)> =
        Strategy::ALL.into_iter().map(|strategy| (peak(strategy), strategy)).collect();
    ranked.sort_by(|left, right| left.0.total_cmp(&right.0));
    ranked.into_iter().map(|(_, strategy)| strategy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of such sizes, and who takes part in silent rules.
    fn shape(sizes: &[usize], rules: &[&[u32]]) -> Shape {
        let parts = |places: &&[u32]| places.iter().map(|&place| (MachineId(place), Action(2))).collect::<Vec<_>>();
        let rules: Vec<Rule> = rules.iter().map(|places| Rule::new(parts(places), Label::TAU)).collect();
        Shape::of(sizes.iter().map(|&size| Some(size)), &rules, None)
    }

    fn order(mut shape: Shape, strategy: Strategy) -> Vec<[usize; 2]> {
        shape.grown = strategy.first(shape.sizes.len());
        let mut order = Vec::new();
        while let Some((pair, bond)) = shape.next_bond(strategy, &HashSet::new()) {
            order.push(pair);
            shape.join(pair, bond);
        }
        order
    }

    #[test]
    fn strategies_choose_in_their_own_order() {
        let line = shape(&[4, 4, 2, 2, 9], &[&[0, 1], &[1, 2], &[2, 3], &[3, 4]]);
        assert_eq!(order(line.clone(), Strategy::Smallest), [[2, 3], [1, 2], [0, 1], [0, 4]]);
        assert_eq!(order(line.clone(), Strategy::FromTheLast), [[3, 4], [2, 3], [1, 2], [0, 1]]);
        assert_eq!(order(line.clone(), Strategy::Growing), [[2, 3], [1, 2], [0, 1], [0, 4]]);
        // Those at the ends have the fewest partners.
        assert_eq!(order(line, Strategy::FewestPartners)[0], [0, 1]);
    }

    /// Whether all strategies are gone through depends on what that takes, which grows with the square of participants.
    #[test]
    fn wide_rules_are_not_gone_through_in_all_orders() {
        let sizes = [3; 40];
        let all: Vec<u32> = (0..40).collect();
        let narrow: Vec<&[u32]> = vec![&all[..2]; 200];
        assert_eq!(promising(&shape(&sizes, &narrow), f64::INFINITY).len(), Strategy::ALL.len());
        let wide: Vec<&[u32]> = vec![&all; 200];
        assert_eq!(promising(&shape(&sizes, &wide), f64::INFINITY), [Strategy::Smallest]);
    }

    #[test]
    fn two_islands_are_left_two() {
        let islands = shape(&[3, 3, 3, 3], &[&[0, 1], &[2, 3]]);
        for strategy in Strategy::ALL {
            assert_eq!(order(islands.clone(), strategy).len(), 2, "{strategy:?}");
        }
    }

    #[test]
    fn the_strategy_with_the_smallest_pieces_comes_first() {
        // Whoever takes the small ones in the middle first has to put two large pieces together in the end.
        let line = shape(&[9, 2, 2, 9], &[&[0, 1], &[0, 1], &[0, 1], &[1, 2], &[2, 3], &[2, 3], &[2, 3]]);
        let ranked = promising(&line, f64::INFINITY);
        assert_eq!(ranked.len(), Strategy::ALL.len());
        let peak = |strategy: Strategy| {
            Shape { grown: strategy.first(4), ..line.clone() }.likely_peak(strategy, f64::INFINITY)
        };
        assert!(ranked.is_sorted_by(|one, two| peak(*one) <= peak(*two)), "{ranked:?}");
        assert_eq!(peak(ranked[0]), Strategy::ALL.map(peak).into_iter().fold(f64::INFINITY, f64::min));
    }
}
