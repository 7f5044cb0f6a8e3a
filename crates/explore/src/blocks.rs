//! A growable array in blocks of one memory page.
//!
//! It grows without moving its items, so growth never needs twice the memory. All blocks of all such arrays have about
//! the same size, so the allocator can reuse a freed block for another array.

use std::ops::{Index, IndexMut};

/// Bytes of a block: a page of memory. Allocators tend to round larger powers of two up.
const BLOCK_BYTES: usize = 4096;

/// An array in blocks of one page.
#[derive(Debug)]
pub(crate) struct Blocks<T> {
    /// All full except the last one.
    blocks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Blocks { blocks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Blocks<T> {
    /// The number of items of a block.
    const BLOCK: usize = BLOCK_BYTES / size_of::<T>().next_power_of_two();

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Allocated bytes.
    pub(crate) fn memory(&self) -> usize {
        let n_last = self.blocks.last().map_or(0, Vec::capacity);
        (self.blocks.len().saturating_sub(1) * Self::BLOCK + n_last) * size_of::<T>()
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len == self.blocks.len() * Self::BLOCK {
            self.start_block();
        }
        self.blocks[self.len / Self::BLOCK].push(item);
        self.len += 1;
    }

    /// Sets the length, which must not shrink, and overwrites all items.
    pub(crate) fn refill(&mut self, len: usize, item: T) {
        self.blocks.iter_mut().for_each(|block| block.fill(item));
        while self.len < len {
            if self.len == self.blocks.len() * Self::BLOCK {
                self.start_block();
            }
            let start = self.len / Self::BLOCK * Self::BLOCK;
            self.len = len.min(start + Self::BLOCK);
            let block = &mut self.blocks[start / Self::BLOCK];
            block.reserve_exact(self.len - start - block.len());
            block.resize(self.len - start, item);
        }
    }

    fn start_block(&mut self) {
        // The first block grows with its items: most searches are small.
        self.blocks.push(if self.blocks.is_empty() { Vec::new() } else { Vec::with_capacity(Self::BLOCK) });
    }

    /// All items in order, block by block.
    pub(crate) fn slices(&self) -> impl Iterator<Item = &[T]> {
        self.blocks.iter().map(Vec::as_slice)
    }
}

impl<T: Copy> Index<usize> for Blocks<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: usize) -> &T {
        &self.blocks[place / Self::BLOCK][place % Self::BLOCK]
    }
}

impl<T: Copy> IndexMut<usize> for Blocks<T> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.blocks[place / Self::BLOCK][place % Self::BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_behave_like_one_array() {
        for n in [1, 2, 127, 128, 129, 256, 1000] {
            let (mut blocks, mut array) = (Blocks::<[u64; 3]>::default(), Vec::new());
            for (number, len) in [(1, n / 2), (2, n), (3, n)] {
                blocks.refill(len, [number; 3]);
                array = vec![[number; 3]; len];
            }
            for n_more in [300, 1000, 10] {
                for number in 0..n_more {
                    array.push([number; 3]);
                    blocks.push([number; 3]);
                }
                array[n_more as usize / 2] = [7; 3];
                blocks[n_more as usize / 2] = [7; 3];
                assert!(blocks.slices().flatten().eq(&array));
                assert!((0..array.len()).all(|place| blocks[place] == array[place]));
                assert_eq!(blocks.len(), array.len());
                assert!(blocks.memory() >= array.len() * 24);
            }
        }
    }
}
