//! Small members of orbits.
//!
//! At each level of the chain every candidate is looked at through every element of the transversal, but only at the
//! places that the groups further down keep: those values are final up to what these groups make of them, so only what
//! is smallest there can become the smallest of all. For interchangeable processes without shared data this is sorting
//! by selection. Ties are kept, except where one is known to be as good as another, or there are too many.

use super::Symmetry;
use super::automorphism::{Automorphism, Move};
use super::canonical::Workspace;
use super::chain::{Element, Level, Stage};
use super::sorting::Sorting;
use limits::effort::symmetry::MAX_CANDIDATES;
use model::network::Configuration;

/// Memory for the search of a representative, to be used again.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Values of all candidates one after the other, and how they came about.
    values: Vec<u32>,
    candidates: Vec<Trail>,
    /// The same in the making.
    next_values: Vec<u32>,
    next: Vec<Trail>,
    /// What is smallest at the places of the level, and which elements make it of which candidates.
    least: Vec<u32>,
    ties: Vec<(u32, u32)>,
    /// The candidates of all levels before.
    history: Vec<Trail>,
    order: Vec<u32>,
    sorted: Vec<u32>,
    space: Workspace,
}

/// How a candidate came about.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// Where in the history the candidate is that it was made of.
    parent: u32,
    /// The element of the level's transversal that made it.
    element: u32,
}

impl Symmetry {
    /// Replaces the values of a configuration, the states of all machines and behind them the mode, by those of another
    /// one of its orbit: always the same one if ties are few, and a small one in any case. The configuration has to be
    /// reachable.
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
        let there = self.replay(values, &scratch.elements(best));
        (there.apply(configuration), there)
    }

    /// What is done to values if these elements are chosen.
    fn replay(&self, mut values: Vec<u32>, elements: &[u32]) -> Automorphism {
        let mut elements = elements.iter();
        let mut there = Automorphism::default();
        for stage in &self.stages {
            let next = match stage {
                Stage::Choose(level) => {
                    let element = *elements.next().expect("there is one for each level");
                    level.transversal[element as usize].automorphism.clone()
                }
                Stage::Sort(sorting) => sorting.sorting(&values),
                Stage::Interchange(interchange) => interchange.arranging(&values),
            };
            next.apply_to_values(&values.clone(), &mut values);
            there = there.then(&next);
        }
        there
    }

    /// Finds candidates, and which one is the smallest.
    fn search(&self, values: &[u32], scratch: &mut Scratch) -> usize {
        scratch.values.clear();
        scratch.values.extend_from_slice(values);
        scratch.history.clear();
        scratch.candidates.clear();
        scratch.candidates.push(Trail { parent: 0, element: 0 });
        for stage in &self.stages {
            match stage {
                Stage::Choose(level) => {
                    scratch.compare(level, values.len());
                    scratch.advance(level, values.len());
                }
                Stage::Sort(sorting) => scratch.sort(sorting, values.len()),
                Stage::Interchange(interchange) => {
                    let Scratch { values: candidates, space, .. } = scratch;
                    candidates.chunks_exact_mut(values.len()).for_each(|one| interchange.arrange(one, space));
                }
            }
        }
        let chunks = scratch.values.chunks_exact(values.len());
        chunks.enumerate().min_by(|one, other| one.1.cmp(other.1)).map_or(0, |(place, _)| place)
    }
}

impl Scratch {
    /// The elements that made a candidate, level by level.
    fn elements(&self, candidate: usize) -> Vec<u32> {
        let mut elements = Vec::new();
        let mut trail = self.candidates[candidate];
        // The first candidate of all is the first one in the history, and made of nothing.
        let mut place = usize::MAX;
        while place != 0 && !self.history.is_empty() {
            elements.push(trail.element);
            place = trail.parent as usize;
            trail = self.history[place];
        }
        elements.reverse();
        elements
    }

    fn sort(&mut self, sorting: &Sorting, width: usize) {
        for values in self.values.chunks_exact_mut(width) {
            sorting.sort(values, &mut self.order, &mut self.sorted);
        }
    }

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
    fn advance(&mut self, level: &Level, width: usize) {
        let first = self.history.len() as u32;
        self.history.extend_from_slice(&self.candidates);
        self.next.clear();
        self.next_values.clear();
        for &(candidate, element) in &self.ties {
            if self.next.len() == MAX_CANDIDATES {
                break;
            }
            let values = &self.values[candidate as usize * width..][..width];
            let trail = Trail { parent: first + candidate, element };
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
        let value = match &place.smallest {
            Some(smallest) => smallest.get(value as usize).copied().unwrap_or(value),
            None => value,
        };
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
/// An element that keeps what it is applied to makes the same as the first element, which makes nothing else of it. And
/// let `u` and `v` be elements, `x` the point that `v` exchanges with the base point `b`. If `u` keeps `x`, then `w`,
/// which is first `v`, then `u` undone, then `v` again, keeps `b`, so it belongs to the next level's group. If `v`
/// keeps what `u` made of the values, then `w` makes of that what `v` makes of the values.
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
    pub(super) fn apply_to_values(&self, values: &[u32], image: &mut [u32]) {
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
