//! Room on the machine stack, and steps counted.
//!
//! The machine stack grows in segments up to the limit; then the recursion is reported as too deep. Every few thousand
//! steps the evaluator polls for cancellation.

use super::code::Function;
use super::runtime_error::Eval;
use super::{Evaluator, Interrupt, errors};
use limits::input::stack::{EVALUATOR_SEGMENT, RED_ZONE};
use limits::intervals::polling::EVALUATOR_STEPS_PER_POLL;

impl Evaluator<'_> {
    /// Counts a step; now and then looks whether it is time to stop.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> Eval<()> {
        self.steps_left = self.steps_left.wrapping_sub(1);
        if self.steps_left == 0 { self.look_at_limits() } else { Ok(()) }
    }

    /// Counts several steps.
    pub(super) fn ticks(&mut self, count: usize) -> Eval<()> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        // The last step looks at the limits, if it gets there.
        self.steps_left = self.steps_left.saturating_sub(count).max(1);
        if self.steps_left == 1 { self.tick() } else { Ok(()) }
    }

    /// The reason to stop, if there is one: cancellation, or a restart with larger domains.
    pub(super) fn look(&self) -> Option<Interrupt> {
        self.watch.look().or_else(|| self.has_grown().then_some(Interrupt::Restart))
    }

    #[inline(never)]
    fn look_at_limits(&mut self) -> Eval<()> {
        if self.is_speculating() {
            return Err(self.abort());
        }
        self.steps_left = EVALUATOR_STEPS_PER_POLL;
        match self.look() {
            Some(interrupt) => Err(self.stop(interrupt)),
            None => Ok(()),
        }
    }

    /// Runs `work` with room on the machine stack, unless the limit is reached.
    #[inline(always)]
    pub(super) fn with_room<R>(&mut self, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if self.has_room() { work(self) } else { self.grow(None, work) }
    }

    /// Whether the machine stack has room for more calls.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        stack_position() > self.stack_end
    }

    /// Goes on in a new segment of machine stack; `what` is named if there is none left.
    #[inline(never)]
    pub(super) fn grow<R>(&mut self, what: Option<&Function>, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if (self.n_segments + 1) * EVALUATOR_SEGMENT > self.stack_bytes {
            let (span, name) = what.map_or((self.here, ""), |function| (function.span, &function.name));
            return Err(self.give_up(errors::recursion_too_deep(span, name)));
        }
        let end = self.stack_end;
        self.n_segments += 1;
        let result = stacker::grow(EVALUATOR_SEGMENT, || {
            self.find_stack_end();
            work(self)
        });
        self.n_segments -= 1;
        self.stack_end = end;
        result
    }

    /// Notes how far the current machine stack reaches. It grows downwards.
    pub(super) fn find_stack_end(&mut self) {
        let left = stacker::remaining_stack().unwrap_or(2 * RED_ZONE);
        self.stack_end = stack_position().saturating_sub(left).saturating_add(RED_ZONE);
    }
}

/// About where on the machine stack we are.
#[inline(always)]
fn stack_position() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}
