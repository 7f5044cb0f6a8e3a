//! Parallel composition on behaviors.
//!
//! Every trace of one side is merged in every way with every trace of the other. A letter is either taken by both
//! together, by either alone, by one side only, or by nobody; that also decides who must refuse it. Termination is always
//! taken together.

use super::TooBig;
use crate::processes::behavior::{Behaviors, Letters, Refusals, TICK_BIT, Trace, visible_length, with};
use std::collections::HashMap;

/// How many merged traces are bearable.
const MAX_MERGED: usize = 40_000;

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
    if left.failures.len() * right.failures.len() > MAX_MERGED {
        return Err(TooBig);
    }
    let mut n_merged = 0;
    let mut behaviors = Behaviors::default();
    let mut known: HashMap<(Refusals, Refusals), Refusals> = HashMap::new();
    for (mine, my_refusals) in left.traces() {
        for (yours, your_refusals) in right.traces() {
            let is_divergent = left.divergences.contains(mine) || right.divergences.contains(yours);
            let mut merged = Vec::new();
            merge(mine, yours, meeting, Trace::new(), max_length, &mut merged);
            n_merged += merged.len();
            if n_merged > MAX_MERGED {
                return Err(TooBig);
            }
            if is_divergent {
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

/// Every way to take the two traces to their ends.
fn merge(mine: &[u8], yours: &[u8], meeting: Meeting, done: Trace, max_length: usize, out: &mut Vec<Trace>) {
    if visible_length(&done) > max_length || out.len() > MAX_MERGED {
        return;
    }
    if mine.is_empty() && yours.is_empty() {
        out.push(done);
        return;
    }
    let (together, allowed) = (meeting.together(), meeting.allowed());
    let is_in = |letter: u8, set: Letters| set >> letter & 1 == 1;
    if let (Some(&letter), Some(other)) = (mine.first(), yours.first())
        && letter == *other
        && is_in(letter, together)
    {
        merge(&mine[1..], &yours[1..], meeting, with(&done, letter), max_length, out);
    }
    if let Some(&letter) = mine.first()
        && is_in(letter, allowed.0 & !together)
    {
        merge(&mine[1..], yours, meeting, with(&done, letter), max_length, out);
    }
    if let Some(&letter) = yours.first()
        && is_in(letter, allowed.1 & !together)
    {
        merge(mine, &yours[1..], meeting, with(&done, letter), max_length, out);
    }
}
