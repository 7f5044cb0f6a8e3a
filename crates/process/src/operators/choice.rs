//! The three choices.

use super::{Fired, Firing};
use crate::{Label, Term, TermId};

impl Firing<'_> {
    /// Anything but an internal step decides.
    pub(super) fn fire_external_choice(&mut self, operands: &[TermId]) -> Fired {
        let rebuild = |operands: Vec<TermId>| Term::ExternalChoice(operands.into());
        for (position, &operand) in operands.iter().enumerate() {
            for index in 0..self.n_steps(operand) {
                let step = self.step(operand, index);
                let target = match step.label {
                    Label::TAU => self.interned(rebuild, operands, (position, step.target))?,
                    _ => step.target,
                };
                self.pass_unchanged(target, step, (position, index))?;
            }
        }
        Ok(())
    }

    pub(super) fn fire_internal_choice(&mut self, operands: &[TermId]) -> Fired {
        operands.iter().try_for_each(|&operand| self.alone(Label::TAU, operand))
    }

    /// The left side may act until the right one takes over, which it may at any time.
    pub(super) fn fire_sliding_choice(&mut self, left: TermId, right: TermId) -> Fired {
        for index in 0..self.n_steps(left) {
            let step = self.step(left, index);
            let target = match step.label {
                Label::TAU => self.terms.intern(Term::SlidingChoice(step.target, right)),
                _ => step.target,
            };
            self.pass_unchanged(target, step, (0, index))?;
        }
        self.alone(Label::TAU, right)
    }
}
