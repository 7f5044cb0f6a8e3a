//! Search for automorphisms by partition refinement: Darga, Liffiton, Sakallah and Markov (2004), *Exploiting structure
//! in symmetry detection for CNF*.
//!
//! A first path individualizes a point, refines the partition, and repeats this until the partition is discrete. Its
//! points are the *base*. Then the search ascends the path: at each level it fixes the earlier base points and looks
//! for an automorphism that takes the base point to each other point of its cell. That point is individualized instead;
//! if the refinement has the same shape, the two partitions determine the images of singletons. Members of equal cells
//! are assumed to be fixed, which is usually right long before the partition is discrete; if not, further points are
//! individualized, with bounded backtracking. All points of an orbit have the same answer.

use super::automorphism::Automorphism;
use super::exact::Exact;
use super::graph::Graph;
use super::orbits::Orbits;
use super::partition::{Partition, Split};
use super::points::Points;
use super::stopper::Stopper;
use limits::effort::symmetry::{MAX_LEVELS, MAX_TRIES, MIN_WORK};

/// A point of the base with its generators.
pub(super) struct Level {
    pub(super) base: u32,
    /// They fix the earlier base points, and move this one. With those of the deeper levels they generate the known
    /// part of the stabilizer.
    pub(super) generators: Vec<Automorphism>,
}

/// The levels with generators, in the order of the base.
pub(super) fn find(
    points: &Points,
    graph: &Graph,
    exact: &Exact<'_>,
    budget: &mut u64,
    stopper: &mut Stopper<'_>,
) -> Vec<Level> {
    let mut partition = Partition::new(graph);
    if partition.refine(graph, None, budget).is_err() {
        return Vec::new();
    }
    // The first path leaves half of the budget to the ascent.
    let mut half = *budget / 2;
    *budget -= half;
    let path = descend(points, graph, &mut partition, &mut half, stopper);
    *budget += half;
    let mut search = Search { points, graph, exact, path: &path, partition, budget, stopper, n_tries: 0 };
    search.ascend()
}

/// The first path.
struct Path {
    /// Base points, each with the number of earlier splits.
    bases: Vec<(u32, usize)>,
    /// The vertices in the order of the last partition, which refines all others: their cells are ranges of it.
    elements: Vec<u32>,
    position: Vec<u32>,
    splits: Vec<Split>,
}

impl Path {
    fn n_splits_before(&self, level: usize) -> usize {
        self.bases.get(level).map_or(self.splits.len(), |&(_, n_splits)| n_splits)
    }
}

fn descend(
    points: &Points,
    graph: &Graph,
    partition: &mut Partition,
    budget: &mut u64,
    stopper: &mut Stopper<'_>,
) -> Path {
    let mut bases = Vec::new();
    // Similar machines come first, one after the other, then all other points.
    let mut order: Vec<u32> = (0..points.len()).collect();
    order[..points.n_machines() as usize].sort_by_key(|&machine| partition.cell_of(machine));
    for point in order {
        if partition.is_alone(point) {
            continue;
        }
        if bases.len() == MAX_LEVELS {
            break;
        }
        let (n_splits, budget_before) = (partition.splits().len(), *budget);
        partition.single_out(point);
        let refined = partition.refine(graph, None, budget);
        if refined.is_err() || stopper.work(budget_before - *budget).is_none() {
            partition.undo(n_splits);
            break;
        }
        bases.push((point, n_splits));
    }
    let elements = partition.elements().to_vec();
    let position = (0..elements.len() as u32).map(|vertex| partition.position(vertex)).collect();
    Path { bases, elements, position, splits: partition.splits().to_vec() }
}

struct Search<'a, 'p> {
    points: &'a Points,
    graph: &'a Graph,
    exact: &'a Exact<'a>,
    path: &'a Path,
    partition: Partition,
    budget: &'a mut u64,
    stopper: &'a mut Stopper<'p>,
    /// The number of attempts for the current point.
    n_tries: usize,
}

impl Search<'_, '_> {
    /// Searches all levels, from the last one upwards.
    fn ascend(&mut self) -> Vec<Level> {
        let mut orbits = Orbits::new(self.points.end_of_configuration());
        let mut levels = Vec::new();
        for (level, &(base, n_splits)) in self.path.bases.iter().enumerate().rev() {
            self.partition.undo(n_splits);
            // An automorphism that fixes all configurations reduces nothing.
            if base < self.points.end_of_configuration() {
                let generators = self.images(level, base, &mut orbits);
                if !generators.is_empty() {
                    levels.push(Level { base, generators });
                }
            }
        }
        levels.reverse();
        levels
    }

    /// Automorphisms that take a base point to all points of its orbit, up to composition.
    fn images(&mut self, level: usize, base: u32, orbits: &mut Orbits) -> Vec<Automorphism> {
        let mut generators = Vec::new();
        let mut impossible: Vec<u32> = Vec::new();
        let mut cell = self.partition.members(self.partition.cell_of(base)).to_vec();
        cell.sort_unstable();
        for point in cell {
            let is_known = |other: u32, orbits: &mut Orbits| orbits.smallest(other) == orbits.smallest(point);
            if *self.budget == 0 || is_known(base, orbits) || impossible.iter().any(|&other| is_known(other, orbits)) {
                continue;
            }
            self.n_tries = 0;
            let budget_before = *self.budget;
            match self.take(level, point, self.partition.splits().len()) {
                Some(automorphism) => {
                    self.points.moved(&automorphism).into_iter().for_each(|(from, to)| orbits.join(from, to));
                    generators.push(automorphism);
                }
                None => impossible.push(point),
            }
            // The test of candidates costs more than the refinement.
            if self.stopper.work((budget_before - *self.budget).max(MIN_WORK)).is_none() {
                *self.budget = 0;
            }
        }
        generators
    }

    /// An automorphism that takes the base point of a level to this point and fixes the earlier ones; `n_before` splits
    /// are common to both sides.
    fn take(&mut self, level: usize, point: u32, n_before: usize) -> Option<Automorphism> {
        let n_splits = self.partition.splits().len();
        self.n_tries += 1;
        self.partition.single_out(point);
        let refined = self.partition.refine(self.graph, Some(&self.path.splits), self.budget);
        let is_same = refined.is_ok() && self.partition.splits().len() == self.path.n_splits_before(level + 1);
        let found = if is_same { self.guess(n_before).or_else(|| self.take_next(level + 1, n_before)) } else { None };
        self.partition.undo(n_splits);
        found
    }

    /// Continues [`Self::take`] with the base points from a level on.
    fn take_next(&mut self, level: usize, n_before: usize) -> Option<Automorphism> {
        let &(base, _) = self.path.bases.get(level)?;
        let cell = self.partition.cell_at(self.path.position[base as usize]);
        let mut choices = self.partition.members(cell).to_vec();
        // Fixing a point is tried first.
        choices.sort_unstable_by_key(|&choice| (choice != base, choice));
        for choice in choices {
            if self.n_tries >= MAX_TRIES || *self.budget == 0 {
                return None;
            }
            let found = self.take(level, choice, n_before);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The map given by the two partitions, if it is an automorphism.
    fn guess(&mut self, n_before: usize) -> Option<Automorphism> {
        let moved = self.moved(n_before)?;
        *self.budget = self.budget.saturating_sub(moved.len() as u64 + self.exact.n_rules());
        let automorphism = self.points.automorphism(&moved)?;
        self.exact.accepts(&automorphism).then_some(automorphism)
    }

    /// The points in different cells on the two sides, with their assumed images. Only members of cells split on one of
    /// the sides qualify.
    fn moved(&self, n_before: usize) -> Option<Vec<(u32, u32)>> {
        let mut cut_off: Vec<u32> = Vec::new();
        for split in &self.partition.splits()[n_before..] {
            let range = split.start as usize..(split.start + split.len) as usize;
            let both = self.path.elements[range.clone()].iter().chain(&self.partition.elements()[range]);
            cut_off.extend(both.filter(|&&vertex| vertex < self.points.len()));
        }
        cut_off.sort_unstable();
        cut_off.dedup();
        let cell_before = |point: u32| self.partition.cell_at(self.path.position[point as usize]);
        cut_off.retain(|&point| cell_before(point) != self.partition.cell_of(point));
        let mut before: Vec<(u32, u32)> = cut_off.iter().map(|&point| (cell_before(point), point)).collect();
        let mut after: Vec<(u32, u32)> = cut_off.iter().map(|&point| (self.partition.cell_of(point), point)).collect();
        before.sort_unstable();
        after.sort_unstable();
        let pair = |(from, to): (&(u32, u32), &(u32, u32))| (from.0 == to.0).then_some((from.1, to.1));
        let mut moved = before.iter().zip(&after).map(pair).collect::<Option<Vec<_>>>()?;
        moved.sort_unstable();
        Some(moved)
    }
}
