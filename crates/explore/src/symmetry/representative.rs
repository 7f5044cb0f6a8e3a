//! Small representatives of orbits.
//!
//! At each level of the chain, every candidate is compared under every element of the transversal, but only at the
//! places that the groups of deeper levels fix. Those values are final up to the action of these groups, so only
//! candidates that are minimal there can lead to the minimum. For interchangeable processes without shared data this is
//! selection sort. Ties are kept, unless they are known to be equivalent, or there are too many.

use super::Symmetry;
use super::automorphism::{Automorphism, Move};
use super::canonical::Workspace;
use super::chain::{Element, Level, Stage};
use super::sorting::Sorting;
use limits::effort::symmetry::MAX_CANDIDATES;
use model::network::Configuration;

/// Reusable buffers for representatives.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The values of all candidates, concatenated, with their origins.
    values: Vec<u32>,
    candidates: Vec<Trail>,
    /// The values of the next candidates.
    next_values: Vec<u32>,
    next: Vec<Trail>,
    /// The smallest values at the places of the level, with the pairs of candidate and element that lead to them.
    least: Vec<u32>,
    ties: Vec<(u32, u32)>,
    /// The candidates of all earlier levels.
    history: Vec<Trail>,
    order: Vec<u32>,
    sorted: Vec<u32>,
    space: Workspace,
}

/// The origin of a candidate.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// The position of its predecessor in the history.
    parent: u32,
    /// The element of the transversal that was applied to the predecessor.
    element: u32,
}

impl Symmetry {
    /// Replaces the values of a reachable configuration, the states of all machines followed by the mode, by those of a
    /// small member of its orbit; the member is unique for an orbit with few ties.
    pub fn representative(&self, values: &mut [u32], scratch: &mut Scratch) {
        let best = self.search(values, scratch);
        values.copy_from_slice(&scratch.values[best * values.len()..][..values.len()]);
    }

    /// The representative of a configuration, and an automorphism that takes the configuration to it.
    pub fn representative_with(&self, configuration: &Configuration) -> (Configuration, Automorphism) {
        let mut values: Vec<u32> = configuration.locals.iter().map(|local| local.0).collect();
        values.push(configuration.mode.0);
        let mut scratch = Scratch::default();
        let best = self.search(&values, &mut scratch);
        let there = self.replay(values, &scratch.elements(best));
        (there.apply(configuration), there)
    }

    /// The composition of the chosen elements, applied to values.
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

    /// Computes the candidates; returns the smallest one.
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
    /// The elements that led to a candidate, level by level.
    fn elements(&self, candidate: usize) -> Vec<u32> {
        let mut elements = Vec::new();
        let mut trail = self.candidates[candidate];
        // The first candidate is the first entry of the history and has no predecessor.
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

    /// Finds the smallest values at the places of a level.
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

    /// Computes the candidates of the next level.
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

/// Whether an element leads to values at the places of a level as small as the smallest so far, which it updates.
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

/// Whether a candidate is equivalent to an earlier one under the group of the next level.
///
/// An element that fixes the values has the same result as the identity. And let `u` and `v` be elements, and let `v`
/// exchange the point `x` with the base point `b`. If `u` fixes `x`, then `w = v · u⁻¹ · v`, applied from left to
/// right, fixes `b`, so it belongs to the group of the next level. If `v` fixes the image of the values under `u`, then
/// `w` takes that image to the image of the values under `v`.
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
    /// Writes the image of values at the places of the level; the others are copied before.
    pub(super) fn apply_to_values(&self, values: &[u32], image: &mut [u32]) {
        for one in &self.moves {
            image[one.to as usize] = one.states.image(values[one.from as usize]);
        }
        let mode = values.len() - 1;
        image[mode] = self.modes.image(values[mode]);
    }

    /// Whether it fixes these values.
    fn keeps_values(&self, values: &[u32]) -> bool {
        let mode = values[values.len() - 1];
        let keeps = |one: &Move| one.states.image(values[one.from as usize]) == values[one.to as usize];
        self.moves.iter().all(keeps) && self.modes.image(mode) == mode
    }
}
