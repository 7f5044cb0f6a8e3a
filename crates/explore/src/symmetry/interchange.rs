//! Interchangeable blocks whose states may refer to other blocks.
//!
//! A *family* is a set of base points on which the group acts as the full symmetric group; each of its members stands
//! for a *block*: all points that are exchanged along with it. The group of several families is the product of their
//! symmetric groups.
//!
//! A state of a machine induces an [ordered partition](Label) of the blocks: blocks whose exchange fixes the state are
//! in one class, and exchanges take classes to classes. A lock held by block 3 has the classes {3} and all others. If
//! these classes can be named consistently, and distinct states of an orbit have distinct classes, the group acts on
//! states as it permutes named partitions. So a configuration is a relational structure over blocks, and its
//! representative a [canonical form](super::canonical) of that.

use super::automorphism::Automorphism;
use super::chain::Step;
use super::points::Points;
use super::sorting::{conjugate, exchange_of};
use super::stopper::Stopper;
use limits::effort::symmetry::MAX_IMAGES;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;

/// Families of interchangeable blocks.
#[derive(Debug)]
pub(super) struct Interchange {
    /// The range of blocks of each family. Blocks are numbered in the order of the chain.
    pub(super) families: Vec<Range<usize>>,
    /// For each block the exchange with the last one of its family; the identity for the last one.
    with_last: Vec<Automorphism>,
    /// For each block the last one of its family.
    last_of: Vec<usize>,
    /// The machine that names each block, if one does.
    pub(super) named_by: Vec<Option<u32>>,
    labels: Labels,
}

/// The classes of blocks for the states of machines and the modes.
#[derive(Debug)]
struct Labels {
    /// The first label of each place of configurations.
    first: Vec<usize>,
    entries: Vec<Entry>,
    marks: Vec<Mark>,
}

/// The label of one point.
#[derive(Clone, Copy, Debug)]
struct Entry {
    orbit: u32,
    start: u32,
    n_marks: u32,
}

/// The label of a state of a machine, or of a mode: an ordered partition of blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'a> {
    /// The number of its orbit, in the order of the smallest members.
    pub(super) orbit: u32,
    /// The blocks outside of the default class, with their classes, in the order of blocks. The largest class is the
    /// default if it contains most blocks of the family.
    pub(super) marks: &'a [Mark],
}

/// A block and its class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mark {
    pub(super) block: u32,
    pub(super) class: u32,
}

const UNKNOWN: Entry = Entry { orbit: u32::MAX, start: 0, n_marks: 0 };

impl Interchange {
    /// The families of the longest run of levels, from the last one upwards, and its length; none for runs that amount
    /// to sorting. The core has the potentially reachable states.
    pub(super) fn longest(
        points: &Points,
        levels: &[Step],
        is_reached: &dyn Fn(u32) -> bool,
        stopper: &mut Stopper<'_>,
    ) -> Option<(Interchange, usize)> {
        let mut families: Vec<Family> = Vec::new();
        let n_levels = levels.iter().take_while(|level| extend(&mut families, points, level).is_some()).count();
        let is_sorting = levels[..n_levels].iter().all(|level| exchange_of(level).is_some());
        if n_levels < 2 || is_sorting {
            return None;
        }
        let mut interchange = Interchange::new(points, families);
        interchange.labels = interchange.labels(points, is_reached, stopper)?;
        Some((interchange, n_levels))
    }

    fn new(points: &Points, families: Vec<Family>) -> Interchange {
        let (mut ranges, mut with_last, mut named_by) = (Vec::new(), Vec::new(), Vec::new());
        for family in families {
            let start = with_last.len();
            let machine = |&point: &u32| (point < points.n_machines()).then_some(point);
            named_by.extend(family.points.iter().rev().map(machine));
            with_last.extend(family.with_last.into_iter().rev());
            with_last.push(Automorphism::default());
            ranges.push(start..with_last.len());
        }
        let last_of = ranges.iter().flat_map(|family| family.clone().map(|_| family.end - 1)).collect();
        let labels = Labels { first: Vec::new(), entries: Vec::new(), marks: Vec::new() };
        Interchange { families: ranges, with_last, last_of, named_by, labels }
    }

    /// The number of blocks.
    pub(super) fn n_blocks(&self) -> usize {
        self.with_last.len()
    }

    /// The number of places of a configuration.
    pub(super) fn n_places(&self) -> usize {
        self.labels.first.len()
    }

    /// The order of the group.
    pub(super) fn n_orders(&self) -> f64 {
        self.families.iter().flat_map(|family| 1..=family.len()).map(|n| n as f64).product()
    }

    /// Generators of the group.
    pub(super) fn exchanges(&self) -> impl Iterator<Item = &Automorphism> {
        self.families.iter().flat_map(|family| &self.with_last[family.start..family.end - 1])
    }

    /// Automorphisms whose composition exchanges two blocks of one family.
    pub(super) fn exchange(&self, one: usize, other: usize) -> impl Iterator<Item = &Automorphism> {
        let (low, high) = (one.min(other), one.max(other));
        let n_exchanges = if self.last_of[high] == high { 1 } else { 3 };
        [low, high, low].into_iter().take(n_exchanges).map(|block| &self.with_last[block])
    }

    /// The label of a value at a place of a configuration; none if the value is unreachable.
    #[inline]
    pub(super) fn label(&self, place: usize, value: u32) -> Option<Label<'_>> {
        let Labels { first, entries, marks } = &self.labels;
        let entry = entries.get(first[place] + value as usize)?;
        let marks = &marks[entry.start as usize..(entry.start + entry.n_marks) as usize];
        (entry.orbit != UNKNOWN.orbit).then_some(Label { orbit: entry.orbit, marks })
    }

    /// The image of a point when two blocks are exchanged.
    fn exchanged(&self, points: &Points, one: usize, other: usize, point: u32) -> u32 {
        self.exchange(one, other).fold(point, |point, automorphism| points.image(automorphism, point))
    }

    /// Names the classes of all points; none if that is impossible, or cancelled.
    fn labels(&self, points: &Points, is_reached: &dyn Fn(u32) -> bool, stopper: &mut Stopper<'_>) -> Option<Labels> {
        let first_point = points.n_machines();
        let n_points = (points.end_of_configuration() - first_point) as usize;
        if (n_points as u64).saturating_mul(self.n_blocks() as u64) > MAX_IMAGES {
            return None;
        }
        let first = (0..=points.n_machines()).map(|place| (points.values(place).start - first_point) as usize);
        let mut labels = Labels { first: first.collect(), entries: vec![UNKNOWN; n_points], marks: Vec::new() };
        let mut n_orbits = 0;
        for point in (first_point..points.end_of_configuration()).filter(|&point| is_reached(point)) {
            if labels.entries[(point - first_point) as usize].orbit == UNKNOWN.orbit {
                self.label_orbit(points, point, n_orbits, &mut labels, stopper)?;
                n_orbits += 1;
            }
        }
        // Images of reachable points are reachable.
        let is_known = |entry: &Entry| entry.orbit != UNKNOWN.orbit;
        (first_point..)
            .zip(&labels.entries)
            .all(|(point, entry)| is_known(entry) == is_reached(point))
            .then_some(labels)
    }

    /// Names the classes of all points of an orbit, starting from one of them.
    fn label_orbit(
        &self,
        points: &Points,
        start: u32,
        orbit: u32,
        labels: &mut Labels,
        stopper: &mut Stopper<'_>,
    ) -> Option<()> {
        let first_point = points.n_machines();
        let marks = self.classes(points, start);
        let mut visited: HashSet<Box<[Mark]>> = HashSet::from([marks.clone().into()]);
        labels.add(start - first_point, orbit, &marks);
        let mut open = VecDeque::from([start]);
        let mut image = Vec::new();
        while let Some(point) = open.pop_front() {
            stopper.work(self.n_blocks() as u64)?;
            for (block, &last) in self.last_of.iter().enumerate().filter(|(block, last)| block != *last) {
                let target = points.image(&self.with_last[block], point);
                let Entry { start, n_marks, .. } = labels.entries[(point - first_point) as usize];
                image.clear();
                image.extend_from_slice(&labels.marks[start as usize..(start + n_marks) as usize]);
                exchange_marks(&mut image, block as u32, last as u32);
                let known = *labels.entries.get((target - first_point) as usize)?;
                if known.orbit == UNKNOWN.orbit {
                    // Points of an orbit must have distinct classes.
                    if !visited.insert(image.clone().into()) {
                        return None;
                    }
                    labels.add(target - first_point, orbit, &image);
                    open.push_back(target);
                } else if known.orbit != orbit || labels.of(known) != image {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The classes of blocks for a point: blocks whose exchange fixes it are in the same class.
    fn classes(&self, points: &Points, point: u32) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut n_classes = 0;
        for family in &self.families {
            let mut classes: Vec<Vec<usize>> = Vec::new();
            for block in family.clone() {
                let is_in = |class: &&mut Vec<usize>| self.exchanged(points, class[0], block, point) == point;
                match classes.iter_mut().find(is_in) {
                    Some(class) => class.push(block),
                    None => classes.push(vec![block]),
                }
            }
            for (class, blocks) in (n_classes..).zip(&classes).filter(|(_, blocks)| 2 * blocks.len() <= family.len()) {
                marks.extend(blocks.iter().map(|&block| Mark { block: block as u32, class }));
            }
            n_classes += classes.len() as u32;
        }
        marks.sort_unstable_by_key(|mark| mark.block);
        marks
    }
}

impl Labels {
    fn add(&mut self, place: u32, orbit: u32, marks: &[Mark]) {
        let start = self.marks.len() as u32;
        self.marks.extend_from_slice(marks);
        self.entries[place as usize] = Entry { orbit, start, n_marks: marks.len() as u32 };
    }

    fn of(&self, entry: Entry) -> &[Mark] {
        &self.marks[entry.start as usize..(entry.start + entry.n_marks) as usize]
    }
}

/// The classes after the exchange of two blocks.
fn exchange_marks(marks: &mut [Mark], one: u32, other: u32) {
    let mut is_changed = false;
    for mark in marks.iter_mut() {
        let image = if mark.block == one {
            other
        } else if mark.block == other {
            one
        } else {
            continue;
        };
        mark.block = image;
        is_changed = true;
    }
    if is_changed {
        marks.sort_unstable_by_key(|mark| mark.block);
    }
}

/// A family under construction, its last member first.
struct Family {
    points: Vec<u32>,
    /// For each member after the first the exchange with the first.
    with_last: Vec<Automorphism>,
}

/// Adds the base point of the next level upwards to a family if its only generator exchanges it with a member of that,
/// or else to a new one.
fn extend(families: &mut Vec<Family>, points: &Points, level: &Step) -> Option<()> {
    let [generator] = &level.generators[..] else { return None };
    let (base, image) = (level.base, points.image(generator, level.base));
    let mut members = families.iter().flat_map(|family| &family.points);
    if points.image(generator, image) != base
        || members.any(|&point| point != image && points.image(generator, point) != point)
    {
        return None;
    }
    let place = |family: &mut Family| family.points.iter().position(|&point| point == image);
    let Some((family, partner)) = families.iter_mut().find_map(|family| place(family).map(|place| (family, place)))
    else {
        families.push(Family { points: vec![image, base], with_last: vec![generator.clone()] });
        return Some(());
    };
    let with_last = match partner {
        0 => generator.clone(),
        _ => conjugate(&family.with_last[partner - 1], generator),
    };
    family.points.push(base);
    family.with_last.push(with_last);
    Some(())
}
