//! Parts of units of time.
//!
//! States are at whole numbers of parts of a unit. As long as nobody asks for another moment, the only part is the unit itself.

use super::super::System;
use crate::code::TermId;

impl System {
    /// Into how many parts units are cut: all times of states and steps are numbers of these.
    pub fn parts_per_unit(&self) -> u32 {
        self.code.parts.0.unsigned_abs()
    }

    /// Cuts each part of a unit into so many. States keep their numbers: each is what it was, with its times told in the new parts. Whether
    /// that was possible; if not, nothing has changed.
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
        // What was found out about definitions is told in other parts.
        self.bodies.clear();
        self.settled.clear();
        self.last = None;
        true
    }
}
