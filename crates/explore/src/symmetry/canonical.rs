//! Canonical forms of configurations of interchangeable blocks, by color refinement and individualization: McKay and
//! Piperno (2014), *Practical graph isomorphism, II*.
//!
//! Colors of blocks are invariant under permutations of blocks. The initial color is the family of a block; refinement
//! hashes it with the classes that the states of machines give the block, and with the colors of the other blocks
//! there. Blocks of the same color are usually *twins* in the end: their exchange preserves the configuration, so their
//! order is arbitrary. Otherwise one block of the color is individualized, in each essentially different way, and the
//! smallest configuration is the result. After a collision of hashes, or if there are too many ways, the result may
//! differ between members of an orbit; it is always a member of the orbit.

use super::automorphism::Automorphism;
use super::interchange::{Interchange, Mark};
use super::sorting::exchanges;
use limits::effort::symmetry::{MAX_COLORINGS, MAX_MARKS};

/// Reusable buffers for canonical forms.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    colors: Vec<u64>,
    cells: Cells,
    /// The accumulated hash of each block.
    sums: Vec<u64>,
    /// The number of marks of a state in each cell, and their class.
    counts: Vec<(u32, Class)>,
    keys: Vec<(u32, u64)>,
    values: Vec<u32>,
    n_work: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    One(u32),
    Several,
}

/// Blocks by color.
#[derive(Debug, Default)]
struct Cells {
    order: Vec<u32>,
    /// For each block the start of its cell in that order.
    start: Vec<u32>,
    /// The size of each cell, at its start.
    size: Vec<u32>,
    n_cells: usize,
}

impl Cells {
    fn of(&mut self, colors: &[u64]) {
        self.order.clear();
        self.order.extend(0..colors.len() as u32);
        self.order.sort_unstable_by_key(|&block| colors[block as usize]);
        self.start.resize(colors.len(), 0);
        self.size.clear();
        self.size.resize(colors.len(), 0);
        self.n_cells = 0;
        let mut start = 0;
        for cell in self.order.chunk_by(|&one, &other| colors[one as usize] == colors[other as usize]) {
            cell.iter().for_each(|&block| self.start[block as usize] = start);
            self.size[start as usize] = cell.len() as u32;
            start += cell.len() as u32;
            self.n_cells += 1;
        }
    }

    fn members(&self, start: u32) -> &[u32] {
        &self.order[start as usize..(start + self.size[start as usize]) as usize]
    }

    fn is_single(&self, block: u32) -> bool {
        self.size[self.start[block as usize] as usize] == 1
    }
}

/// Mixes the bits of a number (the finalizer of SplitMix64).
#[inline]
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[inline]
fn mix_two(one: u64, other: u64) -> u64 {
    mix(one.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ mix(other))
}

impl Interchange {
    /// Replaces the values of a configuration by those of its canonical form.
    pub(super) fn arrange(&self, values: &mut [u32], space: &mut Workspace) {
        let found = self.colorings(values, space);
        match found.as_slice() {
            [] => {
                let colors = std::mem::take(&mut space.colors);
                self.arrange_by(&colors, values, space);
                space.colors = colors;
            }
            candidates => {
                let arranged = |colors: &Vec<u64>| {
                    let mut values = values.to_vec();
                    self.arrange_by(colors, &mut values, space);
                    values
                };
                let least = candidates.iter().map(arranged).min().expect("there is a candidate");
                values.copy_from_slice(&least);
            }
        }
    }

    /// An automorphism that takes a configuration to its canonical form.
    pub(super) fn arranging(&self, values: &[u32]) -> Automorphism {
        let mut space = Workspace::default();
        let mut candidates = self.colorings(values, &mut space);
        if candidates.is_empty() {
            candidates.push(std::mem::take(&mut space.colors));
        }
        let arranged = |colors: Vec<u64>| {
            let mut arranged = values.to_vec();
            let exchanges = self.arrange_by(&colors, &mut arranged, &mut space);
            (arranged, exchanges)
        };
        let least = candidates.into_iter().map(arranged).min_by(|one, other| one.0.cmp(&other.0));
        let (_, exchanges) = least.expect("there is a candidate");
        let all = exchanges.into_iter().flat_map(|(one, other)| self.exchange(one, other));
        all.fold(Automorphism::default(), |done, next| done.then(next))
    }

    /// Sorts blocks by color; returns the exchanges of the sorting.
    fn arrange_by(&self, colors: &[u64], values: &mut [u32], space: &mut Workspace) -> Vec<(usize, usize)> {
        let orbit = |machine: u32| self.label(machine as usize, values[machine as usize]).map_or(0, |it| it.orbit);
        space.keys.clear();
        // Small states come first, as in the other stages.
        space.keys.extend((0..).zip(colors).map(|(block, &color)| (self.named_by[block].map_or(0, orbit), color)));
        let mut all = Vec::new();
        for family in &self.families {
            let found = exchanges(&space.keys[family.clone()]);
            all.extend(found.into_iter().map(|(one, other)| (family.start + one, family.start + other)));
        }
        for &(one, other) in &all {
            self.exchange_values(one, other, values, &mut space.values);
        }
        all
    }

    fn exchange_values(&self, one: usize, other: usize, values: &mut [u32], before: &mut Vec<u32>) {
        for automorphism in self.exchange(one, other) {
            before.clear();
            before.extend_from_slice(values);
            automorphism.apply_to_values(before, values);
        }
    }

    /// The colorings in which blocks of the same color are twins; none if the workspace already holds the only one.
    fn colorings(&self, values: &[u32], space: &mut Workspace) -> Vec<Vec<u64>> {
        space.n_work = 0;
        let colors = &mut space.colors;
        colors.clear();
        colors.extend((0..).zip(&self.families).flat_map(|(number, family)| family.clone().map(move |_| mix(number))));
        self.refine(values, space);
        if self.target(values, space).is_none() {
            return Vec::new();
        }
        let mut candidates = vec![space.colors.clone()];
        loop {
            let mut next: Vec<(u64, Vec<u64>)> = Vec::new();
            let mut is_done = true;
            for candidate in &candidates {
                space.colors.clone_from(candidate);
                space.cells.of(candidate);
                match self.target(values, space) {
                    None => next.push((signature(space), candidate.clone())),
                    Some(start) => {
                        is_done = false;
                        self.single_out(values, start, candidate, space, &mut next);
                    }
                }
            }
            if is_done {
                return candidates;
            }
            let least = next.iter().map(|(signature, _)| *signature).min();
            next.retain(|(signature, _)| Some(*signature) == least);
            next.truncate(MAX_COLORINGS);
            candidates = next.into_iter().map(|(_, colors)| colors).collect();
        }
    }

    /// Refines the coloring until it is stable.
    fn refine(&self, values: &[u32], space: &mut Workspace) {
        let n_blocks = self.n_blocks();
        space.cells.of(&space.colors);
        loop {
            let n_before = space.cells.n_cells;
            let Workspace { colors, sums, .. } = space;
            sums.clear();
            sums.resize(n_blocks, 0);
            for (place, &value) in values.iter().enumerate() {
                let Some(label) = self.label(place, value) else { continue };
                space.n_work += label.marks.len();
                let part = |mark: &Mark| mix_two(colors[mark.block as usize], u64::from(mark.class));
                let all = label.marks.iter().map(part).fold(0, u64::wrapping_add);
                let kind = mix_two(all, u64::from(label.orbit));
                for mark in label.marks {
                    let sum = &mut sums[mark.block as usize];
                    *sum = sum.wrapping_add(mix_two(kind, u64::from(mark.class)));
                }
            }
            colors.iter_mut().zip(sums).for_each(|(color, sum)| *color = mix_two(*color, *sum));
            space.cells.of(&space.colors);
            if space.cells.n_cells == n_before || space.cells.n_cells == n_blocks {
                return;
            }
        }
    }

    /// The cell to individualize a block of, by its start; none if blocks of the same color are twins.
    ///
    /// A state is harmless if its marks are in cells of one block, in cells that it marks completely with one class,
    /// and at most one besides. If all states are harmless, the exchange of two blocks of the same color takes each
    /// state to one with the same marks.
    fn target(&self, values: &[u32], space: &mut Workspace) -> Option<u32> {
        let Workspace { cells, counts, colors, .. } = space;
        if cells.n_cells == self.n_blocks() {
            return None;
        }
        counts.resize(self.n_blocks(), (0, Class::Several));
        let mut least: Option<(u32, u64, u32)> = None;
        for (place, &value) in values.iter().enumerate() {
            let Some(label) = self.label(place, value).filter(|label| label.marks.len() > 1) else { continue };
            space.n_work += label.marks.len();
            let loose = || label.marks.iter().filter(|mark| !cells.is_single(mark.block));
            for mark in loose() {
                let count = &mut counts[cells.start[mark.block as usize] as usize];
                let class = Class::One(mark.class);
                *count = (count.0 + 1, if count.0 == 0 || count.1 == class { class } else { Class::Several });
            }
            let is_partial = |mark: &&Mark| {
                let start = cells.start[mark.block as usize] as usize;
                counts[start].0 < cells.size[start] || counts[start].1 == Class::Several
            };
            if loose().filter(is_partial).count() > 1 {
                let key = |mark: &Mark| {
                    let start = cells.start[mark.block as usize];
                    (cells.size[start as usize], colors[mark.block as usize], start)
                };
                least = least.into_iter().chain(loose().filter(is_partial).map(key)).min();
            }
            for mark in loose() {
                counts[cells.start[mark.block as usize] as usize].0 = 0;
            }
        }
        least.map(|(.., start)| start)
    }

    /// Adds the colorings in which a block of a cell is individualized, with their signatures; twins are individualized
    /// together.
    fn single_out(
        &self,
        values: &[u32],
        start: u32,
        colors: &[u64],
        space: &mut Workspace,
        found: &mut Vec<(u64, Vec<u64>)>,
    ) {
        let members = space.cells.members(start).to_vec();
        let mut different: Vec<u32> = Vec::new();
        for &member in &members {
            if !different.iter().any(|&other| self.are_twins(member, other, values, space)) {
                different.push(member);
            }
            if space.n_work > MAX_MARKS && different.len() > 1 {
                break;
            }
        }
        if different.len() == 1 {
            space.colors.copy_from_slice(colors);
            (0..).zip(&members).for_each(|(number, &member)| {
                let color = &mut space.colors[member as usize];
                *color = mix_two(*color, number);
            });
            self.refine(values, space);
            return found.push((signature(space), space.colors.clone()));
        }
        for member in different {
            space.colors.copy_from_slice(colors);
            space.colors[member as usize] = mix_two(colors[member as usize], 1);
            self.refine(values, space);
            found.push((signature(space), space.colors.clone()));
            if space.n_work > MAX_MARKS {
                break;
            }
        }
    }

    /// Whether the exchange of two blocks preserves a configuration.
    fn are_twins(&self, one: u32, other: u32, values: &[u32], space: &mut Workspace) -> bool {
        space.n_work += values.len();
        let mut image = values.to_vec();
        self.exchange_values(one as usize, other as usize, &mut image, &mut space.values);
        image == values
    }
}

/// A hash of a coloring that is invariant under permutations of blocks.
fn signature(space: &Workspace) -> u64 {
    let colors = space.cells.order.iter().map(|&block| space.colors[block as usize]);
    colors.fold(0, mix_two)
}
