//! Persistent valuations: the values of all cells, in copy-on-write chunks.
//!
//! The states of a long run differ from each other in a few cells. With a queue of thousands of places a flat row for
//! each state would take memory quadratic in the length of the run, so a clone shares all chunks that are not written.
//! The persistent vectors of `imbl` and `rpds` cannot share chunks that become equal later (`share_with`).

use std::fmt;
use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

/// The number of cells of a chunk.
const CHUNK: usize = 64;

/// The values of all cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Valuation {
    /// All of equal length but the last one, and none empty, so that equal valuations have equal chunks.
    chunks: Vec<Arc<Vec<i64>>>,
}

impl Valuation {
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = &i64> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The values of a range of cells, clipped to the existing ones.
    pub fn range(&self, cells: Range<usize>) -> Vec<i64> {
        let end = cells.end.min(self.len());
        let mut values = Vec::with_capacity(end.saturating_sub(cells.start));
        let mut at = cells.start;
        while at < end {
            let chunk = &self.chunks[at / CHUNK][at % CHUNK..];
            let chunk = &chunk[..chunk.len().min(end - at)];
            values.extend_from_slice(chunk);
            at += chunk.len();
        }
        values
    }

    /// Writes values to the cells from `first` on.
    pub fn write(&mut self, first: usize, values: &[i64]) {
        for (place, &value) in values.iter().enumerate() {
            // Writing an equal value would copy a shared chunk.
            if self[first + place] != value {
                self[first + place] = value;
            }
        }
    }

    /// Appends a cell.
    pub fn push(&mut self, value: i64) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Arc::make_mut(last).push(value),
            _ => self.chunks.push(Arc::new(vec![value])),
        }
    }

    /// Shares the chunks that are equal in another valuation of the same cells.
    pub fn share_with(&mut self, other: &Valuation) {
        for (chunk, known) in self.chunks.iter_mut().zip(&other.chunks) {
            if chunk == known {
                *chunk = Arc::clone(known);
            }
        }
    }
}

impl Index<usize> for Valuation {
    type Output = i64;

    fn index(&self, cell: usize) -> &i64 {
        &self.chunks[cell / CHUNK][cell % CHUNK]
    }
}

impl IndexMut<usize> for Valuation {
    fn index_mut(&mut self, cell: usize) -> &mut i64 {
        &mut Arc::make_mut(&mut self.chunks[cell / CHUNK])[cell % CHUNK]
    }
}

impl Extend<i64> for Valuation {
    fn extend<I: IntoIterator<Item = i64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<i64> for Valuation {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Valuation {
        values.into_iter().collect::<Vec<i64>>().into()
    }
}

impl From<Vec<i64>> for Valuation {
    fn from(values: Vec<i64>) -> Valuation {
        Valuation { chunks: values.chunks(CHUNK).map(|chunk| Arc::new(chunk.to_vec())).collect() }
    }
}

impl fmt::Debug for Valuation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_shares_unwritten_chunks() {
        let before: Valuation = (0..1000).collect();
        let mut after = before.clone();
        after[700] = -1;
        let n_shared = before.chunks.iter().zip(&after.chunks).filter(|(one, other)| Arc::ptr_eq(one, other)).count();
        assert_eq!((before.len(), n_shared, before.chunks.len()), (1000, 15, 16));
        assert_eq!((before[700], after[700], after[701]), (700, -1, 701));
        assert_eq!(after.range(699..702), [699, -1, 701]);
        assert_eq!(after.range(998..2000), [998, 999]);
        let mut alike: Valuation = (0..1000).collect();
        alike.share_with(&after);
        assert_eq!(alike, before);
        assert!(Arc::ptr_eq(&alike.chunks[0], &after.chunks[0]) && alike[700] == 700);
    }

    #[test]
    fn writing_an_equal_value_copies_nothing() {
        let before: Valuation = (0..100).collect();
        let mut after = before.clone();
        after.write(0, &before.range(0..100));
        assert!(before.chunks.iter().zip(&after.chunks).all(|(one, other)| Arc::ptr_eq(one, other)));
        after.write(98, &[7, 8]);
        assert_eq!(after.range(97..100), [97, 7, 8]);
    }
}
