//! Permutations of numbers.

use limits::effort::symmetry::MAX_DENSE;
use std::sync::Arc;

/// A permutation of all numbers with finite support.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Permutation(Images);

/// Equal permutations have equal images: the form depends on the support only.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Images {
    /// The support in order, for labels and actions: their numbers are large, and few are moved.
    Sparse(Arc<[(u32, u32)]>),
    /// The images of all numbers up to the last moved one, for states: they are looked up often, and most are moved.
    Dense(Arc<[u32]>),
}

impl Default for Permutation {
    fn default() -> Permutation {
        Permutation::new(Vec::new())
    }
}

impl Permutation {
    /// From pairs of different numbers and their images.
    fn new(mut moved: Vec<(u32, u32)>) -> Permutation {
        moved.sort_unstable();
        match moved.last() {
            Some(&(last, _)) if (last as usize) < MAX_DENSE * moved.len() => {
                let mut images: Vec<u32> = (0..=last).collect();
                moved.iter().for_each(|&(from, to)| images[from as usize] = to);
                Permutation(Images::Dense(images.into()))
            }
            _ => Permutation(Images::Sparse(moved.into())),
        }
    }

    /// A permutation with these images, if they are distinct. Numbers that are images without having one are mapped to
    /// numbers that are not.
    pub(super) fn extending(pairs: &[(u32, u32)]) -> Option<Permutation> {
        let (mut from, mut to): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        from.sort_unstable();
        to.sort_unstable();
        if [&from, &to].iter().any(|side| side.windows(2).any(|pair| pair[0] == pair[1])) {
            return None;
        }
        let without_image = to.iter().filter(|number| from.binary_search(number).is_err());
        let not_an_image = from.iter().filter(|number| to.binary_search(number).is_err());
        let more = without_image.copied().zip(not_an_image.copied());
        Some(Permutation::new(pairs.iter().copied().chain(more).filter(|(from, to)| from != to).collect()))
    }

    /// The image of a number.
    #[inline]
    pub(super) fn image(&self, number: u32) -> u32 {
        match &self.0 {
            Images::Dense(images) => images.get(number as usize).copied().unwrap_or(number),
            Images::Sparse(moved) => match moved.binary_search_by_key(&number, |&(from, _)| from) {
                Ok(place) => moved[place].1,
                Err(_) => number,
            },
        }
    }

    /// The support, with images.
    pub(super) fn moved(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (sparse, dense): (&[(u32, u32)], &[u32]) = match &self.0 {
            Images::Sparse(moved) => (moved, &[]),
            Images::Dense(images) => (&[], images),
        };
        let dense = (0..).zip(dense.iter().copied()).filter(|(from, to)| from != to);
        sparse.iter().copied().chain(dense)
    }

    /// Its size in memory, in numbers.
    pub(super) fn size(&self) -> usize {
        match &self.0 {
            Images::Sparse(moved) => 2 * moved.len(),
            Images::Dense(images) => images.len(),
        }
    }

    /// Whether it is the identity.
    pub(super) fn is_identity(&self) -> bool {
        self.size() == 0
    }

    /// The composition: first this one, then the next.
    pub(super) fn then(&self, next: &Permutation) -> Permutation {
        if self.is_identity() {
            return next.clone();
        }
        if next.is_identity() {
            return self.clone();
        }
        let here = self.moved().map(|(from, to)| (from, next.image(to)));
        let there = next.moved().filter(|&(from, _)| self.image(from) == from);
        Permutation::new(here.chain(there).filter(|(from, to)| from != to).collect())
    }

    /// The inverse.
    pub(super) fn inverse(&self) -> Permutation {
        Permutation::new(self.moved().map(|(from, to)| (to, from)).collect())
    }
}
