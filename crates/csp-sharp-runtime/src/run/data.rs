//! Valuations of variables, buffers and objects.
//!
//! A valuation is a sequence of cells: first the variables of fixed size, each at its offset, then buffers and objects
//! in order, each preceded by its length. Valuations are hash-consed.

use crate::code::{Code, DynamicId};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

/// Number of a valuation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DataId(pub u32);

/// The number of cells of a chunk of a long row.
const CHUNK: usize = 128;
/// The greatest length of a flat row; longer ones are chunked.
const LONGEST_FLAT: usize = 2 * CHUNK;

/// Hash-consed rows of cells.
///
/// A long row is stored as a list of numbers of chunks. The rows of a run differ in few cells, so a step on a buffer
/// with thousands of messages adds a few chunks, and not a copy of the row.
#[derive(Debug)]
pub(crate) struct Rows {
    flat: Interner,
    chunks: Interner,
    lists: Interner,
    /// The location of each row.
    places: Vec<Place>,
    /// The numbers of flat rows, and of lists of chunks.
    numbers: [Vec<u32>; 2],
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Flat(u32),
    Chunks(u32),
}

impl Rows {
    pub(crate) fn new() -> Rows {
        let [flat, chunks, lists] = [Interner::new(), Interner::new(), Interner::new()];
        Rows { flat, chunks, lists, places: Vec::new(), numbers: [Vec::new(), Vec::new()] }
    }

    pub(crate) fn get(&self, number: u32) -> Cow<'_, [i32]> {
        match self.places[number as usize] {
            Place::Flat(flat) => Cow::Borrowed(self.flat.get(flat)),
            Place::Chunks(list) => {
                let chunks = self.lists.get(list);
                let mut cells = Vec::with_capacity(chunks.len() * CHUNK);
                chunks.iter().for_each(|&chunk| cells.extend_from_slice(self.chunks.get(chunk as u32)));
                Cow::Owned(cells)
            }
        }
    }

    pub(crate) fn intern(&mut self, cells: &[i32]) -> u32 {
        let (place, inner) = if cells.len() <= LONGEST_FLAT {
            let flat = self.flat.intern(cells);
            (Place::Flat(flat), flat)
        } else {
            let list: Vec<i32> = cells.chunks(CHUNK).map(|chunk| self.chunks.intern(chunk) as i32).collect();
            let list = self.lists.intern(&list);
            (Place::Chunks(list), list)
        };
        let numbers = &mut self.numbers[usize::from(matches!(place, Place::Chunks(_)))];
        if inner as usize == numbers.len() {
            numbers.push(self.places.len() as u32);
            self.places.push(place);
        }
        numbers[inner as usize]
    }
}

/// Hash-consed sequences of numbers.
#[derive(Debug)]
struct Interner {
    cells: Vec<i32>,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Interner {
    fn new() -> Interner {
        Interner { cells: Vec::new(), ends: Vec::new(), table: HashTable::new(), hasher: FixedState::default() }
    }

    fn get(&self, number: u32) -> &[i32] {
        sequence(&self.cells, &self.ends, number)
    }

    fn intern(&mut self, found: &[i32]) -> u32 {
        let Interner { cells, ends, table, hasher } = self;
        let hash = hasher.hash_one(found);
        if let Some(&known) = table.find(hash, |&known| sequence(cells, ends, known) == found) {
            return known;
        }
        let number = ends.len() as u32;
        cells.extend_from_slice(found);
        ends.push(cells.len());
        table.insert_unique(hash, number, |&known| hasher.hash_one(sequence(cells, ends, known)));
        number
    }
}

fn sequence<'c>(cells: &'c [i32], ends: &[usize], number: u32) -> &'c [i32] {
    let start = if number == 0 { 0 } else { ends[number as usize - 1] };
    &cells[start..ends[number as usize]]
}

/// The initial values of all variables, buffers and objects.
pub(crate) fn initial(code: &Code) -> Vec<i32> {
    let mut cells = code.initial.clone();
    for dynamic in &code.dynamics {
        cells.push(dynamic.initial.len() as i32);
        cells.extend_from_slice(&dynamic.initial);
    }
    cells
}

/// The cells of a buffer or an object, without its length.
pub(crate) fn content(code: &Code, cells: &[i32], id: DynamicId) -> Range<usize> {
    let mut at = code.n_cells;
    for _ in 0..id.0 {
        at += 1 + cells[at] as usize;
    }
    at + 1..at + 1 + cells[at] as usize
}

/// Replaces some cells of a buffer or an object.
pub(crate) fn splice(code: &Code, cells: &mut Vec<i32>, id: DynamicId, part: Range<usize>, with: &[i32]) {
    let range = content(code, cells, id);
    let length = range.len() + with.len() - part.len();
    cells[range.start - 1] = length as i32;
    cells.splice(range.start + part.start..range.start + part.end, with.iter().copied());
}

/// The number of messages in a buffer.
pub(crate) fn n_messages(code: &Code, cells: &[i32], id: DynamicId) -> usize {
    cells[content(code, cells, id).start] as usize
}

/// The first message of a buffer.
pub(crate) fn first_message<'c>(code: &Code, cells: &'c [i32], id: DynamicId) -> Option<&'c [i32]> {
    let buffer = &cells[content(code, cells, id)];
    (buffer[0] > 0).then(|| &buffer[2..2 + buffer[1] as usize])
}

/// Appends a message to a buffer.
pub(crate) fn append(code: &Code, cells: &mut Vec<i32>, id: DynamicId, message: &[i32]) {
    let range = content(code, cells, id);
    cells[range.start] += 1;
    let end = range.len();
    let mut added = vec![message.len() as i32];
    added.extend_from_slice(message);
    splice(code, cells, id, end..end, &added);
}

/// Removes the first message of a buffer, which must not be empty.
pub(crate) fn take_first(code: &Code, cells: &mut Vec<i32>, id: DynamicId) {
    let range = content(code, cells, id);
    cells[range.start] -= 1;
    let length = cells[range.start + 1] as usize;
    splice(code, cells, id, 1..2 + length, &[]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_hash_consed_and_long_ones_are_chunked() {
        let mut rows = Rows::new();
        let row = |length: usize| -> Vec<i32> { (0..length as i32).map(|cell| cell % 7).collect() };
        let lengths = [0, 1, LONGEST_FLAT, LONGEST_FLAT + 1, 10 * CHUNK, 10 * CHUNK + 3];
        let numbers: Vec<u32> = lengths.iter().map(|&length| rows.intern(&row(length))).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
        for (&length, &number) in lengths.iter().zip(&numbers) {
            assert_eq!(rows.get(number)[..], row(length));
            assert_eq!(rows.intern(&row(length)), number);
        }
    }

    #[test]
    fn long_rows_share_equal_chunks() {
        let mut rows = Rows::new();
        let mut row = vec![0; 100 * CHUNK];
        for place in 0..1000 {
            row[place] = 1;
            rows.intern(&row);
        }
        assert!(rows.chunks.cells.len() < 1010 * CHUNK, "one chunk changes at a time");
        assert_eq!(rows.places.len(), 1000);
    }
}
