//! Small members of orbits.
//!
//! At each level of the chain every candidate is looked at through every element of the transversal, but only at the places
//! that the groups further down keep: those values are final up to what these groups make of them, so only what is
//! smallest there can become the smallest of all. For interchangeable processes without shared data this is sorting by
//! selection. Ties are kept, except where one is known to be as good as another, or there are too many.

use super::Symmetry;
use super::automorphism::{Automorphism, Move};
use super::chain::{Element, Level};
use model::network::{Configuration, LocalState, ModeId};

/// How many candidates are kept; the result may not be the smallest if there are more.
const MAX_CANDIDATES: usize = 32;

/// Memory for the search of a representative, to be used again.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Values of all candidates one after the other, with where each came from.
    values: Vec<u32>,
    candidates: Vec<Trail>,
    next_values: Vec<u32>,
    next: Vec<Trail>,
    /// What is smallest at the places of the level, and which elements make it of which candidates.
    least: Vec<u32>,
    ties: Vec<(u32, u32)>,
    history: Vec<Trail>,
}

/// How a candidate came about.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// Where the candidate it was made of is in the history.
    parent: u32,
    /// The element that made it, and its level.
    level: u32,
    element: u32,
}

const NOBODY: u32 = u32::MAX;

impl Symmetry {
    /// Replaces the values of a configuration, those of the machines and behind them the mode, by those of another one of its
    /// orbit: always the same one if ties are few, and a small one in any case.
    pub fn representative(&self, values: &mut [u32], scratch: &mut Scratch) {
        let best = self.search(values, scratch);
        values.copy_from_slice(&scratch.values[best * values.len()..][..values.len()]);
    }

    /// The same for a configuration; also tells what takes it there.
    pub fn representative_with(&self, configuration: &Configuration) -> (Configuration, Automorphism) {
        let mut values: Vec<u32> = configuration.locals.iter().map(|local| local.0).collect();
        values.push(configuration.mode.0);
        let mut scratch = Scratch::default();
        let best = self.search(&values, &mut scratch);
        let mut values = scratch.values[best * values.len()..][..values.len()].to_vec();
        let mode = ModeId(values.pop().expect("the mode is the last value"));
        let locals = values.into_iter().map(LocalState).collect();
        (Configuration { mode, locals }, self.walked(&scratch, best))
    }

    /// What was done to get a candidate.
    fn walked(&self, scratch: &Scratch, candidate: usize) -> Automorphism {
        let mut walked = Automorphism::default();
        let mut trail = scratch.candidates[candidate];
        while trail.level != NOBODY {
            let element = &self.levels[trail.level as usize].transversal[trail.element as usize];
            walked = element.automorphism.then(&walked);
            trail = scratch.history[trail.parent as usize];
        }
        walked
    }

    /// Finds candidates, and which one is the smallest.
    fn search(&self, values: &[u32], scratch: &mut Scratch) -> usize {
        scratch.values.clear();
        scratch.values.extend_from_slice(values);
        scratch.history.clear();
        scratch.candidates.clear();
        scratch.candidates.push(Trail { parent: NOBODY, level: NOBODY, element: 0 });
        for (number, level) in self.levels.iter().enumerate() {
            scratch.compare(level, values.len());
            scratch.advance(number as u32, level, values.len());
        }
        let chunks = scratch.values.chunks_exact(values.len());
        chunks.enumerate().min_by(|one, other| one.1.cmp(other.1)).map_or(0, |(place, _)| place)
    }
}

impl Scratch {
    /// Finds what makes the places of a level smallest.
    fn compare(&mut self, level: &Level, width: usize) {
        self.least.clear();
        self.least.resize(level.places.len(), u32::MAX);
        self.ties.clear();
        for (candidate, values) in self.values.chunks_exact(width).enumerate() {
            for (number, element) in level.transversal.iter().enumerate() {
                if is_least(level, element, values, &mut self.least, &mut self.ties) {
                    self.ties.push((candidate as u32, number as u32));
                }
            }
        }
    }

    /// Makes the candidates of the next level.
    fn advance(&mut self, number: u32, level: &Level, width: usize) {
        let first = self.history.len() as u32;
        self.history.extend_from_slice(&self.candidates);
        self.next.clear();
        self.next_values.clear();
        for &(candidate, element) in &self.ties {
            if self.next.len() == MAX_CANDIDATES {
                break;
            }
            let values = &self.values[candidate as usize * width..][..width];
            let trail = Trail { parent: first + candidate, level: number, element };
            let made = self.next.iter().zip(self.next_values.chunks_exact(width));
            if !is_spare(level, values, trail, made) {
                let start = self.next_values.len();
                self.next_values.extend_from_slice(values);
                let (before, image) = self.next_values.split_at_mut(start);
                level.transversal[element as usize].automorphism.apply_to_values(values, image);
                if before.chunks_exact(width).any(|other| other == image) {
                    self.next_values.truncate(start);
                } else {
                    self.next.push(trail);
                }
            }
        }
        std::mem::swap(&mut self.candidates, &mut self.next);
        std::mem::swap(&mut self.values, &mut self.next_values);
    }
}

/// Whether an element makes the places of a level as small as the smallest so far; what is larger is forgotten.
#[inline]
fn is_least(level: &Level, element: &Element, values: &[u32], least: &mut [u32], ties: &mut Vec<(u32, u32)>) -> bool {
    let mut is_less = false;
    for ((place, source), least) in level.places.iter().zip(&element.sources).zip(least) {
        let value = source.states.image(values[source.place as usize]);
        let value = place.smallest.as_ref().map_or(value, |smallest| smallest[value as usize]);
        if !is_less && value > *least {
            return false;
        }
        is_less |= value < *least;
        *least = value;
    }
    if is_less {
        ties.clear();
    }
    true
}

/// Whether the next level's group makes the same of a candidate as of one that is made already.
///
/// An element that keeps what it is applied to makes the same as the first element, which makes nothing else of it. And let
/// `u` and `v` be elements, `x` the point that `v` exchanges with the base point `b`. If `u` keeps `x`, then `w`, which is first
/// `v`, then `u` undone, then `v` again, keeps `b`, so it belongs to the next level's group. If `v` keeps what `u` made of the values, then
/// `w` makes of that what `v` makes of the values.
fn is_spare<'a>(
    level: &Level,
    values: &[u32],
    trail: Trail,
    mut made: impl Iterator<Item = (&'a Trail, &'a [u32])>,
) -> bool {
    let element = &level.transversal[trail.element as usize];
    if trail.element == 0 {
        return false;
    }
    if element.automorphism.keeps_values(values) {
        return true;
    }
    element.exchanged.is_some_and(|point| {
        made.any(|(other, image)| {
            other.parent == trail.parent
                && level.transversal[other.element as usize].automorphism.machine(point) == point
                && element.automorphism.keeps_values(image)
        })
    })
}

impl Automorphism {
    /// Writes what it makes of values; the others are there already.
    fn apply_to_values(&self, values: &[u32], image: &mut [u32]) {
        for one in &self.moves {
            image[one.to as usize] = one.states.image(values[one.from as usize]);
        }
        let mode = values.len() - 1;
        image[mode] = self.modes.image(values[mode]);
    }

    /// Whether it makes the same of these values.
    fn keeps_values(&self, values: &[u32]) -> bool {
        let mode = values[values.len() - 1];
        let keeps = |one: &Move| one.states.image(values[one.from as usize]) == values[one.to as usize];
        self.moves.iter().all(keeps) && self.modes.image(mode) == mode
    }
}
