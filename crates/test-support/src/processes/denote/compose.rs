//! Parallel composition on behaviors.
//!
//! Every trace of one side is merged in every way with every trace of the other. A letter is either taken by both
//! together, by either alone, by one side only, or by nobody; that also decides who must refuse it. Termination is always
//! taken together.

use super::TooBig;
use crate::processes::behavior::{Behaviors, Letters, Refusals, TICK_BIT, Trace, visible_length, with};
use std::collections::HashMap;

/// How many steps of merging are bearable.
const MAX_TRIED: usize = 100_000;

/// How two processes share their letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// These are taken together, all others by either side alone.
    Shared(Letters),
    /// Each side has an alphabet and never leaves it.
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

    /// What each side may do, alone or together.
    fn allowed(self) -> (Letters, Letters) {
        match self {
            Meeting::Shared(_) => (Letters::MAX, Letters::MAX),
            Meeting::Alphabets(left, right) => (left | TICK_BIT, right | TICK_BIT),
        }
    }

    /// The sets refused when the sides refuse `left` and `right`: a common letter if either does, a letter of one side if
    /// that one does, a letter both may take alone if both do, and a letter of nobody always.
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

/// The behaviors of two processes side by side.
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
    /// Finds every way to take the two traces to their ends.
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
