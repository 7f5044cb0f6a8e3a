//! Compressions that select among behaviors instead of preserving them.
//!
//! All other compressions share the steps of their operand. `chase` follows internal steps as long as there are any,
//! always the first, and offers nothing on the way; `deter` also keeps only the first step for each event, and where a
//! state can terminate nothing else, since no environment prevents that: the result is deterministic. Both are shown
//! one step at a time, so that chasing for ever is the divergence it is.

use super::{Fired, Firing};
use crate::{Compression, Label, Term, TermId};
use hashbrown::HashSet;

impl Firing<'_> {
    pub(super) fn fire_selection(&mut self, compression: Compression, operand: TermId) -> Fired {
        let steps = self.steps(operand);
        if let Some(index) = steps.iter().position(|step| step.label == Label::TAU) {
            return self.fire_selected(compression, operand, index);
        }
        let termination = steps.iter().position(|step| step.label == Label::TICK);
        if let Some(index) = termination.filter(|_| compression == Compression::Deter) {
            return self.fire_selected(compression, operand, index);
        }
        let mut met = HashSet::new();
        for index in 0..self.n_steps(operand) {
            let is_first = met.insert(self.step(operand, index).label);
            if is_first || compression != Compression::Deter {
                self.fire_selected(compression, operand, index)?;
            }
        }
        Ok(())
    }

    fn fire_selected(&mut self, compression: Compression, operand: TermId, index: usize) -> Fired {
        let step = self.step(operand, index);
        let target = self.terms.intern(Term::Compressed(compression, step.target));
        self.pass_unchanged(target, step, (0, index))
    }
}
