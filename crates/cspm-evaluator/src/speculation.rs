//! Speculative evaluation: delayed expressions are computed before they are needed.
//!
//! The strategy is that of Ennals and Peyton Jones (ICFP 2003): speculate, abort what is expensive, and adapt by
//! profiles. A thunk costs several times as much as computing the expression at once, and most thunks are needed in the
//! end. So an expression that is not certain to be needed is computed speculatively, within a budget of steps.
//! Evaluation has no effects: a speculation that fails or exceeds the budget is aborted, and the expression is delayed
//! after all. A profile for each expression counts successes and failures, which bounds the work wasted on it. Nested
//! speculations share the budget of the outermost; beyond a few levels none is begun, which turns a recursion that
//! builds a sequence into one that builds it in pieces.

use super::Evaluator;
use super::code::Delay;
use super::runtime_error::{Eval, Failed};
use super::value::Value;
pub use limits::effort::evaluator::RUNNING_OUT;
use limits::effort::evaluator::{
    ABORT_PRICE, FAILURE_PRICE, INITIAL_CREDIT, MAX_CREDIT, MAX_NESTED_SPECULATION, SPECULATION_STEPS,
};
use std::cell::Cell;

/// Skipped speculations on long sequences before the known limit of the length is doubled.
const RETRY_INTERVAL: u8 = u8::MAX;

/// How useful speculation on an expression was.
#[derive(Debug, Default)]
pub struct Profile {
    /// Speculation needs credit.
    credit: Cell<i8>,
    /// The total length of sequences for which a speculation was aborted.
    too_long: Cell<Option<usize>>,
    /// Speculations skipped because of that.
    n_skipped: Cell<u8>,
}

impl Profile {
    /// The profile of an expression to speculate on.
    pub fn promising() -> Profile {
        Profile { credit: Cell::new(INITIAL_CREDIT), ..Profile::default() }
    }

    fn record_success(&self) {
        self.credit.set((self.credit.get() + 1).min(MAX_CREDIT));
    }

    fn record_failure(&self, is_aborted: bool) {
        self.credit.set(self.credit.get() - if is_aborted { ABORT_PRICE } else { FAILURE_PRICE });
    }

    /// Notes that a speculation over sequences of this length was aborted. The length is the reason, so shorter ones
    /// stay promising.
    fn record_length(&self, length: usize) {
        if self.too_long.get().is_none_or(|known| length < known) {
            self.too_long.set(Some(length));
        }
        self.credit.set((self.credit.get() + ABORT_PRICE - FAILURE_PRICE).min(MAX_CREDIT));
    }

    /// Whether speculation over sequences of this length is skipped.
    fn is_too_long(&self, length: usize) -> bool {
        let Some(known) = self.too_long.get().filter(|known| length >= *known) else { return false };
        self.n_skipped.set(self.n_skipped.get().wrapping_add(1));
        if self.n_skipped.get() == RETRY_INTERVAL {
            self.too_long.set(known.checked_mul(2));
        }
        true
    }
}

/// The outcome of a speculation.
enum Outcome<R> {
    Done(R),
    /// The budget was exceeded.
    Aborted,
    /// It failed, or was not begun.
    Delayed,
}

/// The speculations under way.
#[derive(Debug, Default)]
pub struct Speculation {
    n_nested: u32,
    /// Steps that were left before the next look at the limits when the outermost speculation began.
    steps_before: u32,
    is_aborting: bool,
}

impl Evaluator<'_> {
    /// Whether a speculation is under way.
    pub(super) fn is_speculating(&self) -> bool {
        self.speculation.n_nested > 0
    }

    /// Whether a speculation is being aborted: nothing failed, and unfinished thunks must be restored.
    pub(super) fn is_aborting(&self) -> bool {
        self.speculation.is_aborting
    }

    /// Aborts the speculations under way.
    #[cold]
    pub(super) fn abort(&mut self) -> Failed {
        self.speculation.is_aborting = true;
        // Steps that are still counted on the way out must not lead here again.
        self.steps_left = u32::MAX;
        Failed
    }

    /// Whether there is credit, and room for one more speculation.
    pub(super) fn may_speculate(&self, profile: &Profile) -> bool {
        profile.credit.get() > 0 && self.speculation.n_nested < MAX_NESTED_SPECULATION
    }

    /// Begins a speculation; whether it is the outermost.
    fn begin_speculation(&mut self) -> bool {
        let is_outermost = self.speculation.n_nested == 0;
        if is_outermost {
            self.speculation.steps_before = self.steps_left;
            self.steps_left = SPECULATION_STEPS;
        }
        self.speculation.n_nested += 1;
        is_outermost
    }

    /// Ends a speculation; whether it was aborted.
    fn end_speculation(&mut self, is_outermost: bool) -> bool {
        self.speculation.n_nested -= 1;
        let is_aborted = self.speculation.is_aborting;
        if is_outermost {
            let used = if is_aborted { SPECULATION_STEPS } else { SPECULATION_STEPS - self.steps_left };
            self.steps_left = self.speculation.steps_before.saturating_sub(used).max(1);
            self.speculation.is_aborting = false;
        }
        is_aborted
    }

    /// Whether the budget of the speculation under way is half used up.
    pub(super) fn is_running_out(&self) -> bool {
        self.is_speculating() && self.steps_left <= RUNNING_OUT
    }

    /// The value of a delayed expression if speculation succeeds, and a thunk otherwise. Divide and conquer has parts
    /// of all sizes; those that are as long as parts that were aborted are skipped.
    #[inline(never)]
    pub(super) fn speculate_or_delay(&mut self, delay: &Delay, base: usize) -> Eval {
        if delay.profile.too_long.get().is_some() && delay.profile.is_too_long(self.captured_length(delay, base)) {
            return Ok(self.delay(delay, base));
        }
        match self.outcome(&delay.profile, |this| this.compute_delayed(delay, base))? {
            Outcome::Done(value) => return Ok(value),
            Outcome::Aborted => {
                let length = self.captured_length(delay, base);
                if length > 0 {
                    delay.profile.record_length(length);
                }
            }
            Outcome::Delayed => {}
        }
        Ok(self.delay(delay, base))
    }

    /// The total length of the sequences that an expression captures; an unknown length counts as very long.
    fn captured_length(&self, delay: &Delay, base: usize) -> usize {
        const UNKNOWN: usize = 1 << 32;
        let length = |slot: u32| match self.stack[base + slot as usize].peel() {
            Value::Seq(seq) => seq.known_length().unwrap_or(UNKNOWN),
            _ => 0,
        };
        delay.captures.iter().fold(0, |sum, capture| length(capture.slot).saturating_add(sum))
    }

    /// The result of `work` if speculation succeeds; `work` must leave the frame as it is.
    #[inline(always)]
    pub(super) fn speculate<R>(
        &mut self,
        profile: &Profile,
        work: impl FnOnce(&mut Self) -> Eval<R>,
    ) -> Eval<Option<R>> {
        match self.outcome(profile, work)? {
            Outcome::Done(value) => Ok(Some(value)),
            Outcome::Aborted | Outcome::Delayed => Ok(None),
        }
    }

    #[inline(always)]
    fn outcome<R>(&mut self, profile: &Profile, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<Outcome<R>> {
        if !self.may_speculate(profile) {
            return Ok(Outcome::Delayed);
        }
        let height = self.stack.len();
        let is_outermost = self.begin_speculation();
        let outcome = work(self);
        let is_aborted = self.end_speculation(is_outermost);
        match outcome {
            Ok(value) => {
                profile.record_success();
                return Ok(Outcome::Done(value));
            }
            Err(Failed) if is_aborted && !is_outermost => return Err(Failed),
            Err(Failed) if !is_aborted && self.is_interrupted() => return Err(Failed),
            Err(Failed) => {}
        }
        self.fault = None;
        self.stack.truncate(height);
        profile.record_failure(is_aborted);
        Ok(if is_aborted { Outcome::Aborted } else { Outcome::Delayed })
    }

    fn compute_delayed(&mut self, delay: &Delay, base: usize) -> Eval {
        if let Some(op) = &delay.at_once {
            return self.eval(op, base);
        }
        let captured = delay.captures.iter().map(|capture| self.stack[base + capture.slot as usize].peel().clone());
        let captured = captured.collect();
        self.run_delayed(&delay.function, captured)
    }
}
