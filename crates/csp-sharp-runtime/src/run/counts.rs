//! Values of process counters.
//!
//! `#P()` is the number of components of a composition, copies included, whose current state is the process `P()`.
//! Under counter abstraction a sum may only be known to exceed a number. Its comparison with a constant is often still
//! decided; otherwise the expression faults, and the analysis needs a larger limit.

use super::System;
use crate::code::Binary;
use crate::code::{MANY, Term, TermId};

/// A number of copies, exact or bounded from below.
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

    /// The comparison with a number, if it is decided.
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
    /// The numbers of the counted processes in a term.
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
