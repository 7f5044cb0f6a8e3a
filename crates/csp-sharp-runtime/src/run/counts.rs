//! How many processes are at a place.
//!
//! `#P()` is the number of members of a composition, copies included, that are the process `P()` at that moment. Where copies are only counted up
//! to some number, it may be known of a sum only that it is larger than another number. Comparing that with a fixed number often has an answer all the
//! same; where it has none, there is no value, and whoever asks has to count further.

use super::System;
use crate::code::Binary;
use crate::code::{MANY, Term, TermId};

/// A number of copies, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    Exactly(u32),
    MoreThan(u32),
}

impl Count {
    pub(super) fn is_known(self) -> bool {
        matches!(self, Count::Exactly(_))
    }

    fn and(self, other: Count) -> Count {
        match (self, other) {
            (Count::Exactly(one), Count::Exactly(two)) => Count::Exactly(one.saturating_add(two)),
            (Count::MoreThan(one), Count::Exactly(two)) | (Count::Exactly(one), Count::MoreThan(two)) => {
                Count::MoreThan(one.saturating_add(two))
            }
            (Count::MoreThan(one), Count::MoreThan(two)) => Count::MoreThan(one.saturating_add(two).saturating_add(1)),
        }
    }

    /// What comparing it with a number says, if that is the same for all numbers that it may be.
    pub(super) fn compare(self, operator: Binary, other: i32) -> Option<bool> {
        let (least, is_known) = match self {
            Count::Exactly(count) => (i64::from(count), true),
            Count::MoreThan(count) => (i64::from(count) + 1, false),
        };
        let other = i64::from(other);
        match operator {
            Binary::Less => (is_known || least >= other).then_some(least < other),
            Binary::AtMost => (is_known || least > other).then_some(least <= other),
            Binary::Greater => (is_known || least > other).then_some(least > other),
            Binary::AtLeast => (is_known || least >= other).then_some(least >= other),
            Binary::Equal => (is_known || least > other).then_some(least == other),
            Binary::Unequal => (is_known || least > other).then_some(least != other),
            _ => None,
        }
    }
}

impl System {
    /// How many processes in a term are each of those that are counted.
    pub(super) fn counts_in(&self, term: TermId) -> Vec<Count> {
        let mut counts = vec![Count::Exactly(0); self.code.counted.len()];
        if counts.is_empty() {
            return counts;
        }
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.code.terms.get(term) {
                Term::Hide(_, next) | Term::Watched(next) => open.push(*next),
                Term::Interleave(all) | Term::Parallel(_, all) => open.extend(all.iter()),
                Term::Group(members) => {
                    members.iter().for_each(|&(member, count)| self.count(&mut counts, member, Count::Exactly(count)));
                }
                Term::Crowd(most, members) => {
                    for &(member, count) in members.iter() {
                        let more = if count == MANY { Count::MoreThan(*most) } else { Count::Exactly(count) };
                        self.count(&mut counts, member, more);
                    }
                }
                _ => self.count(&mut counts, term, Count::Exactly(1)),
            }
        }
        counts
    }

    fn count(&self, counts: &mut [Count], process: TermId, more: Count) {
        for (known, _) in counts.iter_mut().zip(&self.code.counted).filter(|(_, counted)| **counted == process) {
            *known = known.and(more);
        }
    }
}
