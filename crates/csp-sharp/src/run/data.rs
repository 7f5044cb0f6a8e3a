//! Values of variables, buffers and objects.
//!
//! A valuation is a row of cells: first the variables of fixed size, each at its place, then buffers and objects one behind the
//! other, each with its length in front. Valuations are kept once and have numbers.

use crate::code::{Code, DynamicId};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::ops::Range;

/// Number of a valuation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DataId(pub u32);

/// Rows of cells that are kept once.
#[derive(Debug)]
pub(crate) struct Rows {
    cells: Vec<i32>,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Rows {
    pub(crate) fn new() -> Rows {
        Rows { cells: Vec::new(), ends: Vec::new(), table: HashTable::new(), hasher: FixedState::default() }
    }

    pub(crate) fn get(&self, number: u32) -> &[i32] {
        row(&self.cells, &self.ends, number)
    }

    pub(crate) fn intern(&mut self, found: &[i32]) -> u32 {
        let Rows { cells, ends, table, hasher } = self;
        let hash = hasher.hash_one(found);
        if let Some(&known) = table.find(hash, |&known| row(cells, ends, known) == found) {
            return known;
        }
        let number = ends.len() as u32;
        cells.extend_from_slice(found);
        ends.push(cells.len());
        table.insert_unique(hash, number, |&known| hasher.hash_one(row(cells, ends, known)));
        number
    }
}

fn row<'c>(cells: &'c [i32], ends: &[usize], number: u32) -> &'c [i32] {
    let start = if number == 0 { 0 } else { ends[number as usize - 1] };
    &cells[start..ends[number as usize]]
}

/// What all variables, buffers and objects hold at first.
pub(crate) fn initial(code: &Code) -> Vec<i32> {
    let mut cells = code.initial.clone();
    for dynamic in &code.dynamics {
        cells.push(dynamic.initial.len() as i32);
        cells.extend_from_slice(&dynamic.initial);
    }
    cells
}

/// Where the content of a buffer or an object lies, without its length.
pub(crate) fn content(code: &Code, cells: &[i32], id: DynamicId) -> Range<usize> {
    let mut at = code.n_cells;
    for _ in 0..id.0 {
        at += 1 + cells[at] as usize;
    }
    at + 1..at + 1 + cells[at] as usize
}

/// Replaces a part of the content of a buffer or an object.
pub(crate) fn splice(code: &Code, cells: &mut Vec<i32>, id: DynamicId, part: Range<usize>, with: &[i32]) {
    let range = content(code, cells, id);
    let length = range.len() + with.len() - part.len();
    cells[range.start - 1] = length as i32;
    cells.splice(range.start + part.start..range.start + part.end, with.iter().copied());
}

/// How many messages a buffer holds.
pub(crate) fn n_messages(code: &Code, cells: &[i32], id: DynamicId) -> usize {
    cells[content(code, cells, id).start] as usize
}

/// The first message of a buffer.
pub(crate) fn first_message<'c>(code: &Code, cells: &'c [i32], id: DynamicId) -> Option<&'c [i32]> {
    let buffer = &cells[content(code, cells, id)];
    (buffer[0] > 0).then(|| &buffer[2..2 + buffer[1] as usize])
}

/// Adds a message at the end of a buffer.
pub(crate) fn append(code: &Code, cells: &mut Vec<i32>, id: DynamicId, message: &[i32]) {
    let range = content(code, cells, id);
    cells[range.start] += 1;
    let end = range.len();
    let mut added = vec![message.len() as i32];
    added.extend_from_slice(message);
    splice(code, cells, id, end..end, &added);
}

/// Takes the first message out of a buffer that is not empty.
pub(crate) fn take_first(code: &Code, cells: &mut Vec<i32>, id: DynamicId) {
    let range = content(code, cells, id);
    cells[range.start] -= 1;
    let length = cells[range.start + 1] as usize;
    splice(code, cells, id, 1..2 + length, &[]);
}
