//! Source spans of prefixes.
//!
//! Terms are hash-consed, so a prefix may have several occurrences in the source; the run that reached it determines
//! which one is executed.

use super::TermId;
use hashbrown::HashMap;
use source::Span;

/// Absent span.
const NONE: u32 = u32::MAX;

/// The spans of prefixes, by term.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    spans: Vec<Span>,
    /// The first span of each term.
    first: Vec<u32>,
    /// Further spans, of the few terms that have them.
    others: HashMap<TermId, Vec<u32>>,
}

impl Origins {
    /// Adds an occurrence of a term.
    pub(super) fn add(&mut self, term: TermId, span: Span) {
        self.spans.push(span);
        self.put(term, self.spans.len() as u32 - 1);
    }

    /// Copies the spans of a term to one that substitution made of it.
    pub(super) fn inherit(&mut self, term: TermId, from: TermId) {
        let Some(&place) = self.first.get(from.0 as usize).filter(|&&place| place != NONE) else { return };
        self.put(term, place);
        for place in self.others.get(&from).cloned().unwrap_or_default() {
            self.put(term, place);
        }
    }

    fn put(&mut self, term: TermId, place: u32) {
        let number = term.0 as usize;
        if self.first.len() <= number {
            self.first.resize(number + 1, NONE);
        }
        let first = &mut self.first[number];
        if *first == NONE {
            *first = place;
        } else if *first != place {
            let others = self.others.entry(term).or_default();
            if !others.contains(&place) {
                others.push(place);
            }
        }
    }

    /// The possible spans of a term.
    pub(super) fn of(&self, term: TermId) -> impl Iterator<Item = Span> {
        let first = self.first.get(term.0 as usize).copied().filter(|&place| place != NONE);
        let all = first.into_iter().chain(self.others.get(&term).into_iter().flatten().copied());
        all.map(|place| self.spans[place as usize])
    }
}
