//! Bit-parallel tests of 64 instances at a time.
//!
//! An instance is enabled depending on some bits of the state. These are cut into pieces of eight bits; for each value
//! of a piece, a table has the bit set of the instances of the group that it allows. The intersection over all pieces
//! is the set of enabled instances: one table lookup per piece, without branches.

use super::instance::{Among, Instances};
use std::ops::Range;

/// The number of instances of a group.
pub(super) const GROUP: usize = 64;
const PIECE_BITS: u32 = 8;
const PIECE_VALUES: usize = 1 << PIECE_BITS;

/// Groups of instances with consecutive numbers.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    pieces: Vec<Piece>,
    /// The table of each piece.
    tables: Vec<[u64; PIECE_VALUES]>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    first_instance: u32,
    /// The bit set of its instances.
    all: u64,
    /// The range of its pieces.
    pieces: (u32, u32),
}

/// Some bits of a word.
#[derive(Clone, Copy, Debug)]
struct Piece {
    word: u32,
    shift: u32,
}

impl Groups {
    /// Groups for the first `n_grouped` instances.
    pub(super) fn new(instances: &Instances, n_grouped: usize, n_words: usize) -> Groups {
        let mut groups = Groups::default();
        for first in (0..n_grouped).step_by(GROUP) {
            let members = first..n_grouped.min(first + GROUP);
            let start = groups.pieces.len() as u32;
            for word in 0..n_words as u32 {
                groups.add_pieces(instances, members.clone(), word);
            }
            groups.groups.push(Group {
                first_instance: first as u32,
                all: u64::MAX >> (GROUP - members.len()),
                pieces: (start, groups.pieces.len() as u32),
            });
        }
        groups
    }

    /// Whether an instance fits into a group: a field with several allowed values must fit into a piece.
    pub(super) fn admit(instances: &Instances, number: usize) -> bool {
        instances.among(number).iter().all(|among| among.field.width <= PIECE_BITS)
    }

    /// Adds pieces for the bits of a word that some members test.
    fn add_pieces(&mut self, instances: &Instances, members: Range<usize>, word: u32) {
        let tests = |member| {
            let touch = instances.touches(member).find(|touch| touch.word == word);
            touch.map_or((0, 0), |touch| (touch.mask, touch.value))
        };
        let tests: Vec<(u64, u64)> = members.clone().map(tests).collect();
        let among = members.enumerate().flat_map(|(place, member)| {
            let own = instances.among(member).iter().filter(|among| among.field.word == word);
            own.map(move |among| (place, among))
        });
        let among: Vec<(usize, &Among)> = among.collect();
        let mut left = tests.iter().fold(0, |bits, (mask, _)| bits | mask);
        left |= among.iter().fold(0, |bits, (_, among)| bits | among.field.mask());
        while left != 0 {
            let shift = left.trailing_zeros();
            // A field with several allowed values must not be cut.
            let ends = among.iter().map(|(_, among)| among.field).filter(|field| field.shift > shift);
            let cut = ends.filter(|field| field.shift + field.width > shift + PIECE_BITS).map(|field| field.shift);
            let width = cut.fold(PIECE_BITS, |width, end| width.min(end - shift));
            let bits = ((1u64 << width) - 1) << shift;
            let low = |word: u64| ((word & bits) >> shift) as usize;
            let mut table = [0; PIECE_VALUES];
            for (place, &(mask, value)) in tests.iter().enumerate() {
                allow(&mut table, low(mask), low(value), 1 << place);
            }
            for (place, among) in among.iter().filter(|(_, among)| among.field.mask() & bits != 0) {
                forbid(&mut table, among, shift, 1 << place);
            }
            self.pieces.push(Piece { word, shift });
            self.tables.push(table);
            left &= !bits;
        }
    }

    /// Calls `act` with the number of each enabled instance.
    #[inline]
    pub(super) fn for_each_enabled<const W: usize>(&self, state: &[u64; W], mut act: impl FnMut(usize)) {
        for group in &self.groups {
            let range = group.pieces.0 as usize..group.pieces.1 as usize;
            let mut enabled = group.all;
            for (piece, table) in self.pieces[range.clone()].iter().zip(&self.tables[range]) {
                enabled &= table[(state[piece.word as usize] >> piece.shift) as usize % PIECE_VALUES];
            }
            while enabled != 0 {
                act(group.first_instance as usize + enabled.trailing_zeros() as usize);
                enabled &= enabled - 1;
            }
        }
    }
}

/// Adds `bit` for each value of a piece that agrees with `wanted` on `mask`.
fn allow(table: &mut [u64; PIECE_VALUES], mask: usize, wanted: usize, bit: u64) {
    // Enumerates all subsets of the bits that are not tested.
    let free = !mask % PIECE_VALUES;
    let mut rest = free;
    loop {
        table[wanted | rest] |= bit;
        if rest == 0 {
            return;
        }
        rest = (rest - 1) & free;
    }
}

/// Removes `bit` for each value of a piece in which a field has none of its allowed values.
fn forbid(table: &mut [u64; PIECE_VALUES], among: &Among, shift: u32, bit: u64) {
    for (value, bits) in table.iter_mut().enumerate() {
        let own = value >> (among.field.shift - shift) & ((1 << among.field.width) - 1);
        if !among.allows(own as u32) {
            *bits &= !bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::instance::{Command, Draft, Kind};
    use super::*;
    use crate::packed::Field;
    use lts::Label;
    use model::network::RuleId;
    use test_support::mutate::{Random, seed};

    #[test]
    fn groups_agree_with_single_tests() {
        let mut random = Random::new(seed());
        let mut instances = Instances::default();
        for label in 0..150 {
            let mut draft = Draft::default();
            // Disjoint fields.
            for shift in (0..60).step_by(5).filter(|_| random.below(6) == 0).collect::<Vec<_>>() {
                let width = 1 + random.below(5) as u32;
                let field = Field { word: random.below(2) as u32, shift, width };
                if random.below(3) == 0 {
                    let values: Vec<u32> = (0..1 << width).filter(|_| random.below(2) == 0).collect();
                    draft.test_among(field, &values);
                } else {
                    draft.test(field, random.below(1 << width) as u32);
                }
            }
            instances.add(&draft, Kind { label: Label(label), rule: RuleId(0), command: Command::None });
        }
        let groups = Groups::new(&instances, 150, 2);
        for _ in 0..1000 {
            let state = [random.number(), random.number()];
            let mut enabled = Vec::new();
            groups.for_each_enabled(&state, |number| enabled.push(number));
            let expected: Vec<usize> = (0..150).filter(|&number| instances.is_enabled(number, &state)).collect();
            assert_eq!(enabled, expected, "TEST_SEED={}", seed());
        }
    }
}
