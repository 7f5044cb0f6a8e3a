//! A cache of recent labels.
//!
//! A file has few labels and many steps. A small direct-mapped table, indexed by the end of a label's name, where names
//! differ most, has the last label of each index, which one comparison confirms. Only misses hash whole names.

use crate::{Label, Labels};

const PLACE_BITS: u32 = 7;

#[derive(Debug)]
pub(super) struct Recent {
    labels: [Label; 1 << PLACE_BITS],
}

impl Recent {
    pub(super) fn new() -> Recent {
        Recent { labels: [Label::TAU; 1 << PLACE_BITS] }
    }

    /// The label of this name, if there is one.
    #[inline]
    pub(super) fn find(&mut self, name: &[u8], labels: &Labels) -> Option<Label> {
        let recent = &mut self.labels[place(name)];
        if labels.name_bytes(*recent) != name {
            *recent = labels.find_bytes(name)?;
        }
        Some(*recent)
    }
}

/// The index of a name, from its last eight bytes or, if it has fewer, from its first and last four.
#[inline]
fn place(name: &[u8]) -> usize {
    let word = match (name.last_chunk(), name.first_chunk(), name.last_chunk()) {
        (Some(&eight), ..) => u64::from_le_bytes(eight),
        (None, Some(&first), Some(&last)) => {
            u64::from(u32::from_le_bytes(first)) << 32 | u64::from(u32::from_le_bytes(last))
        }
        _ => name.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    // Multiplicative hashing: the product spreads all bits to the highest ones.
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PLACE_BITS)) as usize
}
