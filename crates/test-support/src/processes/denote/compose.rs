//! Parallel composition of behaviors.
//!
//! All traces of the two sides are merged in all possible ways. A letter is synchronized, independent on both sides, in
//! one alphabet only, or in none; that also determines which sides must refuse it. Termination is always synchronized.

use super::TooBig;
use crate::processes::behavior::{Behaviors, Letters, Refusals, TICK_BIT, Trace, visible_length, with};
use std::collections::HashMap;

/// Limit on the number of merge steps.
const MAX_TRIED: usize = 100_000;

/// Synchronization of two processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// These letters are synchronized, all others are independent.
    Shared(Letters),
    /// Alphabet of each side; the common letters are synchronized.
    Alphabets(Letters, Letters),
}

impl Meeting {
    fn together(self) -> Letters {
        TICK_BIT
            | match self {
                Meeting::Shared(letters) => letters,
                Meeting::Alphabets(left, right) => left & right,
            }
    }

    /// Letters that each side can perform, synchronized or not.
    fn allowed(self) -> (Letters, Letters) {
        match self {
            Meeting::Shared(_) => (Letters::MAX, Letters::MAX),
            Meeting::Alphabets(left, right) => (left | TICK_BIT, right | TICK_BIT),
        }
    }

    /// Refusals of the composition, for refusals `left` and `right` of the sides: a synchronized letter is refused if
    /// either side refuses it, a letter of one side if that side does, an independent letter if both do, and any other
    /// always.
    fn refusals(self, left: Refusals, right: Refusals) -> Refusals {
        let (together, (mine, yours)) = (self.together(), self.allowed());
        Refusals::where_(|set| {
            let common = set & together;
            let splits = (0..=common).filter(|split| split & !common == 0);
            let (only_mine, only_yours) = (set & mine & !together, set & yours & !together);
            splits.into_iter().any(|split| left.has(only_mine | split) && right.has(only_yours | (common & !split)))
        })
    }
}

/// Behaviors of the parallel composition.
pub fn compose(left: &Behaviors, right: &Behaviors, meeting: Meeting, max_length: usize) -> Result<Behaviors, TooBig> {
    let mut merger = Merger { meeting, max_length, n_tried: 0, merged: Vec::new() };
    let mut behaviors = Behaviors::default();
    let mut known: HashMap<(Refusals, Refusals), Refusals> = HashMap::new();
    for (mine, my_refusals) in left.traces() {
        for (yours, your_refusals) in right.traces() {
            merger.merge(mine, yours, Trace::new())?;
            let merged = std::mem::take(&mut merger.merged);
            if left.divergences.contains(mine) || right.divergences.contains(yours) {
                behaviors.divergences.extend(merged);
                continue;
            }
            let pair = (my_refusals, your_refusals);
            let refusals = *known.entry(pair).or_insert_with(|| meeting.refusals(pair.0, pair.1));
            for trace in merged {
                behaviors.add(trace, refusals);
            }
        }
    }
    Ok(behaviors)
}

struct Merger {
    meeting: Meeting,
    max_length: usize,
    n_tried: usize,
    merged: Vec<Trace>,
}

impl Merger {
    /// Enumerates all merges of the two traces.
    fn merge(&mut self, mine: &[u8], yours: &[u8], done: Trace) -> Result<(), TooBig> {
        self.n_tried += 1;
        if self.n_tried > MAX_TRIED {
            return Err(TooBig);
        }
        if visible_length(&done) > self.max_length {
            return Ok(());
        }
        if mine.is_empty() && yours.is_empty() {
            self.merged.push(done);
            return Ok(());
        }
        let (together, allowed) = (self.meeting.together(), self.meeting.allowed());
        let first_in = |trace: &[u8], set: Letters| trace.first().copied().filter(|letter| set >> letter & 1 == 1);
        if let Some(letter) = first_in(mine, together)
            && yours.first() == Some(&letter)
        {
            self.merge(&mine[1..], &yours[1..], with(&done, letter))?;
        }
        if let Some(letter) = first_in(mine, allowed.0 & !together) {
            self.merge(&mine[1..], yours, with(&done, letter))?;
        }
        if let Some(letter) = first_in(yours, allowed.1 & !together) {
            self.merge(mine, &yours[1..], with(&done, letter))?;
        }
        Ok(())
    }
}
