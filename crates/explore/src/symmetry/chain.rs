//! A group of automorphisms, level by level.
//!
//! Each level has a base point. Its group keeps the base points before it; the group of the next level keeps this one, too.
//! The *transversal* of a level has one automorphism for each point that can be taken to its base point, so every
//! automorphism is a product of one element from each level, in one way only.

use super::automorphism::{Automorphism, Move};
use super::orbits::Orbits;
use super::permutation::Permutation;
use super::points::Points;
use super::search;
use std::collections::HashSet;

/// How much memory the automorphisms of all levels may take, in numbers. What does not fit is left out, which costs some
/// of the reduction.
const MAX_SIZE: usize = 1 << 24;

/// A level of the chain.
#[derive(Debug)]
pub(super) struct Level {
    /// The base point's machine comes first. All of them are kept by the next level's group.
    pub(super) places: Vec<Place>,
    /// The first one moves nothing.
    pub(super) transversal: Vec<Element>,
}

/// A place of configurations at which this level's group does something that the next level's does not.
#[derive(Debug)]
pub(super) struct Place {
    /// A machine; the number behind the last one for the mode.
    pub(super) number: u32,
    /// For each value the smallest one that the next level's group makes of it, unless that is always the same.
    pub(super) smallest: Option<Box<[u32]>>,
}

/// An element of a transversal.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) automorphism: Automorphism,
    /// For each place of the level where its value comes from.
    pub(super) sources: Vec<Source>,
    /// The machine that it exchanges with the base point, if it exchanges the two.
    pub(super) exchanged: Option<u32>,
}

/// Where an element takes a value from.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) place: u32,
    /// What becomes of it.
    pub(super) states: Permutation,
}

/// The chain of what the search found, and the machines by orbits.
pub(super) fn chain(points: &Points, found: Vec<search::Level>) -> (Vec<Level>, Orbits) {
    let mut orbits = Orbits::new(points.end_of_configuration());
    let mut generators: Vec<Automorphism> = Vec::new();
    let mut levels = Vec::new();
    let mut room = MAX_SIZE;
    for level in found.into_iter().rev() {
        let mut below = orbits.clone();
        for generator in &level.generators {
            points.moved(generator).into_iter().for_each(|(from, to)| orbits.join(from, to));
        }
        let places = places(points, level.base, &mut below, &mut orbits);
        let automorphisms = transversal(points, level.base, &generators, &level.generators, &mut room);
        let elements = automorphisms.into_iter().map(|(point, it)| element(points, level.base, point, it, &places));
        levels.push(Level { transversal: elements.collect(), places });
        generators.extend(level.generators);
    }
    levels.reverse();
    (levels, orbits)
}

/// The places that matter at a level; `below` are the orbits of the next level's group, `here` those of its own.
fn places(points: &Points, base: u32, below: &mut Orbits, here: &mut Orbits) -> Vec<Place> {
    let n_machines = points.n_machines();
    let is_kept = |orbits: &mut Orbits, place: u32| place == n_machines || orbits.size(place) == 1;
    let mut numbers: Vec<u32> = (0..=n_machines).filter(|&place| is_kept(below, place)).collect();
    numbers.retain(|&place| {
        !is_kept(here, place) || points.values(place).any(|value| below.size(value) != here.size(value))
    });
    numbers.sort_by_key(|&place| place != base && !points.values(place).contains(&base));
    numbers.into_iter().map(|number| Place { number, smallest: smallest(points, number, below) }).collect()
}

fn smallest(points: &Points, place: u32, below: &mut Orbits) -> Option<Box<[u32]>> {
    let values = points.values(place);
    let smallest = values.clone().map(|value| below.smallest(value) - values.start);
    let smallest: Box<[u32]> = smallest.collect();
    let is_trivial = (0..).zip(&smallest).all(|(value, &smallest)| value == smallest);
    (!is_trivial).then_some(smallest)
}

/// For each point that can be taken to the base point one automorphism that does so.
///
/// If `t` takes a point to the base point and `g` keeps the base point, then first undoing `g`, then `t`, then `g` takes the image
/// under `g` there. That is done wherever possible, because it makes exchanges of exchanges.
fn transversal(
    points: &Points,
    base: u32,
    below: &[Automorphism],
    here: &[Automorphism],
    room: &mut usize,
) -> Vec<(u32, Automorphism)> {
    let with_inverse = |generators: &[Automorphism]| -> Vec<(Automorphism, Automorphism)> {
        generators.iter().map(|generator| (generator.clone(), generator.inverse())).collect()
    };
    let (below, here) = (with_inverse(below), with_inverse(here));
    let mut known = Known { points, found: vec![(base, Automorphism::default())], is_known: HashSet::from([base]) };
    // What was conjugated, and what was composed.
    let (mut n_conjugated, mut n_composed) = (0, 0);
    loop {
        if let Some((point, element)) = known.found.get(n_conjugated).cloned() {
            n_conjugated += 1;
            for (generator, inverse) in &below {
                known.add(generator, point, room, || inverse.then(&element).then(generator));
            }
        } else if let Some((point, element)) = known.found.get(n_composed).cloned() {
            n_composed += 1;
            for (generator, inverse) in here.iter().chain(&below) {
                known.add(generator, point, room, || inverse.then(&element));
                known.add(inverse, point, room, || generator.then(&element));
            }
        } else {
            return known.found;
        }
    }
}

/// A transversal in the making.
struct Known<'a> {
    points: &'a Points,
    found: Vec<(u32, Automorphism)>,
    is_known: HashSet<u32>,
}

impl Known<'_> {
    /// Adds an element for the image of a point, unless there is one or no room for it.
    fn add(&mut self, by: &Automorphism, point: u32, room: &mut usize, element: impl FnOnce() -> Automorphism) {
        let image = self.points.image(by, point);
        if *room > 0 && self.is_known.insert(image) {
            let element = element();
            *room = room.saturating_sub(element.size());
            self.found.push((image, element));
        }
    }
}

fn element(points: &Points, base: u32, point: u32, automorphism: Automorphism, places: &[Place]) -> Element {
    let mut by_target: Vec<(u32, &Move)> = automorphism.moves.iter().map(|one| (one.to, one)).collect();
    by_target.sort_unstable_by_key(|&(to, _)| to);
    let source = |place: &Place| match by_target.binary_search_by_key(&place.number, |&(to, _)| to) {
        Ok(found) => Source { place: by_target[found].1.from, states: by_target[found].1.states.clone() },
        Err(_) if place.number == points.n_machines() => {
            Source { place: place.number, states: automorphism.modes.clone() }
        }
        Err(_) => Source { place: place.number, states: Permutation::default() },
    };
    let sources = places.iter().map(source).collect();
    let is_machine = base < points.n_machines() && base != point;
    let exchanged = (is_machine && automorphism.machine(base) == point).then_some(point);
    Element { sources, exchanged, automorphism }
}
