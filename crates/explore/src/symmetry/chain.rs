//! A stabilizer chain of a group of automorphisms: Sims (1970), *Computational methods in the study of permutation
//! groups*.
//!
//! Each level has a base point. The group of a level fixes the base points of all levels before it. The *transversal*
//! of a level has one automorphism for each point of the orbit of its base point, which takes that point to the base
//! point. So every automorphism is a unique product of one element from each level. Levels that amount to sorting are
//! merged into a sorting stage.

use super::automorphism::{Automorphism, Move};
use super::interchange::Interchange;
use super::orbits::Orbits;
use super::permutation::Permutation;
use super::points::Points;
use super::search;
use super::sorting::{Sorting, conjugate};
use super::stopper::Stopper;
use limits::effort::symmetry::{MAX_TRANSVERSAL_ELEMENTS, MAX_TRANSVERSAL_SIZE};
use std::collections::HashSet;
use std::sync::Arc;

/// The method for representatives of interchangeable blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forms {
    /// By canonical forms.
    Canonical,
    /// By trying the elements of transversals, as for arbitrary groups.
    #[cfg(test)]
    Chosen,
}

/// A stage of the computation of a representative.
#[derive(Debug)]
pub(super) enum Stage {
    /// One level.
    Choose(Level),
    /// Several levels, as a sorting of blocks.
    Sort(Sorting),
    /// Several levels, as a permutation of blocks that refer to each other.
    Interchange(Interchange),
}

/// A level of the chain.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) places: Vec<Place>,
    /// The first element is the identity.
    pub(super) transversal: Vec<Element>,
}

/// A component of configurations that is relevant at a level: its value is changed by the group of this level and fixed
/// by that of the next one.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The number of a machine; the next number after the last one is that of the mode.
    pub(super) number: u32,
    /// For each value the smallest of its orbit under the group of the next level; none if that group fixes all values.
    pub(super) smallest: Option<Arc<[u32]>>,
}

/// An element of a transversal.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) automorphism: Automorphism,
    /// For each place of the level the source of its value.
    pub(super) sources: Vec<Source>,
    /// The machine that it exchanges with the base point, if it is such an exchange.
    pub(super) exchanged: Option<u32>,
}

/// The source of a value.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) place: u32,
    /// The permutation applied to the value.
    pub(super) states: Permutation,
}

/// A level of the search with its places.
pub(super) struct Step {
    pub(super) base: u32,
    pub(super) generators: Vec<Automorphism>,
    /// The places, beginning with that of the base point.
    pub(super) places: Vec<Place>,
}

impl Stage {
    /// The factor of this stage in the order of the group.
    pub(super) fn n_choices(&self) -> f64 {
        match self {
            Stage::Choose(level) => level.transversal.len() as f64,
            Stage::Sort(sorting) => sorting.n_orders(),
            Stage::Interchange(interchange) => interchange.n_orders(),
        }
    }

    /// The approximate cost, in the units of [`Costs`](crate::space::Costs).
    pub(super) fn cost(&self) -> u64 {
        let cost = match self {
            // A factor for several candidates.
            Stage::Choose(level) => level.transversal.len() * level.places.len(),
            Stage::Sort(sorting) => sorting.blocks.iter().map(Vec::len).sum(),
            Stage::Interchange(interchange) => 8 * interchange.n_places() + 16 * interchange.n_blocks(),
        };
        cost as u64
    }

    /// Generators of the group of this stage.
    pub(super) fn automorphisms(&self) -> impl Iterator<Item = &Automorphism> {
        let (elements, exchanges, interchange): (&[Element], &[Automorphism], _) = match self {
            Stage::Choose(level) => (&level.transversal[1..], &[], None),
            Stage::Sort(sorting) => (&[], sorting.exchanges(), None),
            Stage::Interchange(interchange) => (&[], &[], Some(interchange)),
        };
        let interchanges = interchange.into_iter().flat_map(Interchange::exchanges);
        elements.iter().map(|element| &element.automorphism).chain(exchanges).chain(interchanges)
    }
}

/// The chain of the levels that the search found, and the orbits of the group. Points of configurations are either
/// reachable or irrelevant.
pub(super) fn chain(
    points: &Points,
    found: Vec<search::Level>,
    forms: Forms,
    is_reached: &dyn Fn(u32) -> bool,
    stopper: &mut Stopper<'_>,
) -> (Vec<Stage>, Orbits) {
    let mut orbits = Orbits::new(points.end_of_configuration());
    let mut steps = Vec::new();
    for search::Level { base, generators } in found.into_iter().rev() {
        let mut below = orbits.clone();
        for generator in &generators {
            points.moved(generator).into_iter().for_each(|(from, to)| orbits.join(from, to));
        }
        if stopper.work(u64::from(points.end_of_configuration())).is_none() {
            break;
        }
        let places = places(points, base, &mut below, &mut orbits);
        steps.push(Step { base, generators, places });
    }
    let interchange = match forms {
        Forms::Canonical => Interchange::longest(points, &steps, is_reached, stopper),
        #[cfg(test)]
        Forms::Chosen => None,
    };
    (stages(points, steps, interchange, stopper), orbits)
}

/// The stages for levels, which are given from the last one upwards.
fn stages(
    points: &Points,
    steps: Vec<Step>,
    interchange: Option<(Interchange, usize)>,
    stopper: &mut Stopper<'_>,
) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut below: Vec<Automorphism> = Vec::new();
    let mut room = Room { size: MAX_TRANSVERSAL_SIZE, n_elements: MAX_TRANSVERSAL_ELEMENTS };
    let mut start = 0;
    if let Some((interchange, length)) = interchange {
        stages.push(Stage::Interchange(interchange));
        below.extend(steps[..length].iter().flat_map(|step| &step.generators).cloned());
        start = length;
    }
    while start < steps.len() {
        let run = Sorting::longest(&steps[start..]);
        let end = start + run.as_ref().map_or(1, |(_, length)| *length);
        let stage = match run {
            Some((sorting, _)) => Stage::Sort(sorting),
            None => Stage::Choose(level(points, &steps[start], &below, &mut room, stopper)),
        };
        stages.extend((stage.n_choices() > 1.0).then_some(stage));
        below.extend(steps[start..end].iter().flat_map(|step| &step.generators).cloned());
        start = end;
    }
    stages.reverse();
    stages
}

/// The relevant places of a level; `below` are the orbits of the group of the next level, `here` those of its own.
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

fn smallest(points: &Points, place: u32, below: &mut Orbits) -> Option<Arc<[u32]>> {
    let values = points.values(place);
    let smallest: Arc<[u32]> = values.clone().map(|value| below.smallest(value) - values.start).collect();
    let is_trivial = (0..).zip(smallest.iter()).all(|(value, &smallest)| value == smallest);
    (!is_trivial).then_some(smallest)
}

fn level(points: &Points, step: &Step, below: &[Automorphism], room: &mut Room, stopper: &mut Stopper<'_>) -> Level {
    let element = |(point, automorphism)| element(points, step, point, automorphism);
    let transversal = transversal(points, step, below, room, stopper).into_iter().map(element).collect();
    Level { transversal, places: step.places.clone() }
}

/// The transversal of a level: for each point of the orbit of the base point one automorphism that takes it there;
/// `below` generates the group of the next level.
///
/// If `t` takes a point to the base point and `g` fixes the base point, then the conjugate of `t` by `g` takes the
/// image of the point there. Conjugates are preferred to products, because conjugates of exchanges are exchanges.
fn transversal(
    points: &Points,
    step: &Step,
    below: &[Automorphism],
    room: &mut Room,
    stopper: &mut Stopper<'_>,
) -> Vec<(u32, Automorphism)> {
    let (base, here) = (step.base, &step.generators);
    let mut known =
        Known { room, stopper, found: vec![(base, Automorphism::default())], visited: HashSet::from([base]) };
    let (mut n_conjugated, mut n_composed) = (0, 0);
    loop {
        if let Some((point, element)) = known.found.get(n_conjugated).cloned() {
            n_conjugated += 1;
            for generator in below {
                known.add(points.image(generator, point), || conjugate(&element, generator));
            }
        } else if let Some((point, element)) = known.found.get(n_composed).cloned() {
            n_composed += 1;
            for generator in here.iter().chain(below) {
                let inverse = generator.inverse();
                known.add(points.image(generator, point), || inverse.then(&element));
                known.add(points.image(&inverse, point), || generator.then(&element));
            }
        } else {
            return known.found;
        }
    }
}

/// The remaining memory for transversals.
#[derive(Clone, Copy)]
struct Room {
    size: usize,
    n_elements: usize,
}

/// A transversal under construction.
struct Known<'a, 'p> {
    room: &'a mut Room,
    stopper: &'a mut Stopper<'p>,
    found: Vec<(u32, Automorphism)>,
    visited: HashSet<u32>,
}

impl Known<'_, '_> {
    /// Adds an element for a point, unless there is one or the memory is exhausted.
    fn add(&mut self, point: u32, element: impl FnOnce() -> Automorphism) {
        let has_room = self.room.size > 0 && self.room.n_elements > 0;
        if has_room && !self.stopper.is_stopped() && self.visited.insert(point) {
            let element = element();
            // A factor for sorting each permutation several times.
            _ = self.stopper.work(16 * element.size() as u64);
            self.room.size = self.room.size.saturating_sub(element.size());
            self.room.n_elements -= 1;
            self.found.push((point, element));
        }
    }
}

fn element(points: &Points, step: &Step, point: u32, automorphism: Automorphism) -> Element {
    let mut by_target: Vec<(u32, &Move)> = automorphism.moves.iter().map(|one| (one.to, one)).collect();
    by_target.sort_unstable_by_key(|&(to, _)| to);
    let source = |place: &Place| match by_target.binary_search_by_key(&place.number, |&(to, _)| to) {
        Ok(found) => Source { place: by_target[found].1.from, states: by_target[found].1.states.clone() },
        Err(_) if place.number == points.n_machines() => {
            Source { place: place.number, states: automorphism.modes.clone() }
        }
        Err(_) => Source { place: place.number, states: Permutation::default() },
    };
    let sources = step.places.iter().map(source).collect();
    let is_machine = step.base < points.n_machines() && step.base != point;
    let exchanged = (is_machine && automorphism.machine(step.base) == point).then_some(point);
    Element { sources, exchanged, automorphism }
}
