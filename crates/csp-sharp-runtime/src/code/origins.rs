//! Where prefixes are written.
//!
//! Equal terms are one, wherever they are written; so a prefix may come from several places, and only who knows how it was come by can
//! tell which one is meant.

use super::TermId;
use hashbrown::HashMap;
use source::Span;

/// No place.
const NONE: u32 = u32::MAX;

/// The places of prefixes, by term.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    spans: Vec<Span>,
    /// The first place of each term.
    first: Vec<u32>,
    /// All others, of the few terms that have them.
    others: HashMap<TermId, Vec<u32>>,
}

impl Origins {
    /// A term is written here.
    pub(super) fn add(&mut self, term: TermId, span: Span) {
        self.spans.push(span);
        self.put(term, self.spans.len() as u32 - 1);
    }

    /// A term was made of another one by putting in values.
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

    /// Where a term may be written.
    pub(super) fn of(&self, term: TermId) -> impl Iterator<Item = Span> {
        let first = self.first.get(term.0 as usize).copied().filter(|&place| place != NONE);
        let all = first.into_iter().chain(self.others.get(&term).into_iter().flatten().copied());
        all.map(|place| self.spans[place as usize])
    }
}
