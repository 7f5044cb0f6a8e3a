//! Fractions of units.
//!
//! States are at multiples of a part of a unit. The part is a whole unit until a finer one is required.

use super::super::System;
use crate::code::TermId;

impl System {
    /// The number of parts in a unit. All times of states and steps are in parts.
    pub fn parts_per_unit(&self) -> u32 {
        self.code.parts.0.unsigned_abs()
    }

    /// Divides each part further. States keep their numbers, and their times are rescaled. `false`, without effect, if
    /// a time would exceed the limit.
    pub fn cut_units(&mut self, factor: u32) -> bool {
        let terms: Vec<TermId> = self.states.iter().map(|&(term, _)| term).collect();
        let finer = i32::try_from(factor).ok().and_then(|factor| self.code.with_finer_parts(factor, &terms));
        let Some((code, terms)) = finer else { return false };
        self.code = code;
        for (state, term) in self.states.iter_mut().zip(terms) {
            state.0 = term;
        }
        let numbers = std::mem::take(&mut self.numbers);
        let states = &self.states;
        self.numbers = numbers.into_iter().map(|((_, key), id)| ((states[id.0 as usize].0, key), id)).collect();
        // Cached bodies have times in the old parts.
        self.bodies.clear();
        self.settled.clear();
        self.last = None;
        true
    }
}
