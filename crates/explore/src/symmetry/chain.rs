//! A group of automorphisms, level by level.
//!
//! Each level has a base point. Its group keeps the base points before it; the group of the next level keeps this one,
//! too. The *transversal* of a level has one automorphism for each point that can be taken to its base point, so every
//! automorphism is a product of one element from each level, in one way only. Levels that amount to sorting are kept as
//! that.

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

/// How representatives of interchangeable blocks are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forms {
    /// By canonical forms.
    Canonical,
    /// By trying the elements of transversals, as for other groups.
    #[cfg(test)]
    Chosen,
}

/// What is done for a representative, one after the other.
#[derive(Debug)]
pub(super) enum Stage {
    /// A level.
    Choose(Level),
    /// Several levels at once.
    Sort(Sorting),
    /// The same where blocks refer to each other.
    Interchange(Interchange),
}

/// A level of the chain.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) places: Vec<Place>,
    /// The first one moves nothing.
    pub(super) transversal: Vec<Element>,
}

/// A place of configurations at which a level's group does something that the next level's does not. The next level's
/// group keeps the machine there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// A machine; the number behind the last one for the mode.
    pub(super) number: u32,
    /// For each value the smallest one that the next level's group makes of it, unless that is always the same.
    pub(super) smallest: Option<Arc<[u32]>>,
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

/// A level of the search, with its places.
pub(super) struct Step {
    pub(super) base: u32,
    pub(super) generators: Vec<Automorphism>,
    /// Those of the base point first.
    pub(super) places: Vec<Place>,
}

impl Stage {
    /// How many of the group's members differ in this stage only.
    pub(super) fn n_choices(&self) -> f64 {
        match self {
            Stage::Choose(level) => level.transversal.len() as f64,
            Stage::Sort(sorting) => sorting.n_orders(),
            Stage::Interchange(interchange) => interchange.n_orders(),
        }
    }

    /// About what it takes, in the units of [`Costs`](crate::space::Costs).
    pub(super) fn cost(&self) -> u64 {
        let cost = match self {
            // There may be several candidates.
            Stage::Choose(level) => level.transversal.len() * level.places.len(),
            Stage::Sort(sorting) => sorting.blocks.iter().map(Vec::len).sum(),
            Stage::Interchange(interchange) => 8 * interchange.n_places() + 16 * interchange.n_blocks(),
        };
        cost as u64
    }

    /// Automorphisms of which everything in this stage is made.
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

/// The chain of what the search found, and the orbits of its group. The points of configurations are reached, or never
/// matter.
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

/// Stages for levels, which are given from the last one upwards, and the families that they begin with.
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

/// For each point that can be taken to the base point one automorphism that does so; `below` generates the next level's
/// group.
///
/// If `t` takes a point to the base point and `g` keeps the base point, then the conjugate of `t` by `g` takes the
/// image of the point there. That is done wherever possible, because it makes exchanges of exchanges.
fn transversal(
    points: &Points,
    step: &Step,
    below: &[Automorphism],
    room: &mut Room,
    stopper: &mut Stopper<'_>,
) -> Vec<(u32, Automorphism)> {
    let (base, here) = (step.base, &step.generators);
    let mut known = Known { room, stopper, found: vec![(base, Automorphism::default())], met: HashSet::from([base]) };
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

/// What transversals may still take.
#[derive(Clone, Copy)]
struct Room {
    size: usize,
    n_elements: usize,
}

/// A transversal in the making.
struct Known<'a, 'p> {
    room: &'a mut Room,
    stopper: &'a mut Stopper<'p>,
    found: Vec<(u32, Automorphism)>,
    met: HashSet<u32>,
}

impl Known<'_, '_> {
    /// Adds an element for a point, unless there is one or no room for it.
    fn add(&mut self, point: u32, element: impl FnOnce() -> Automorphism) {
        let has_room = self.room.size > 0 && self.room.n_elements > 0;
        if has_room && !self.stopper.is_stopped() && self.met.insert(point) {
            let element = element();
            // Each permutation is sorted several times.
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
