//! Trying at once what may never be needed.
//!
//! An argument that is not certain to be needed is delayed, and a delayed expression costs several times as much as
//! one that is computed at once. Most are needed in the end, so they are tried at once, within a budget of steps:
//! evaluation has no effects, hence a trial that takes too long or fails can be abandoned and the expression delayed
//! after all. An expression that disappoints repeatedly is not tried again, so the work wasted on it is bounded.
//! Trials inside trials share the budget of the outermost; deeper than a few they are not begun, which turns a
//! recursion that builds a sequence into one that builds it in pieces.

use super::Evaluator;
use super::code::Delay;
use super::runtime_error::{Eval, Failed};
use super::value::Value;
use std::cell::Cell;

/// Trials are nested so deep at most.
const MAX_NESTED_TRIALS: u32 = 40;
/// Steps that the outermost trial may take.
const BUDGET: u32 = 2000;
/// With so few steps left a trial should better end soon by itself.
pub const RUNNING_OUT: u32 = BUDGET / 2;
/// The hope to begin with.
const INITIAL_HOPE: i8 = 8;
/// The most hope that success can build up.
const MAX_HOPE: i8 = 40;
/// What it costs to be abandoned.
const ABANDONED: i8 = 8;
/// What it costs to fail.
const FAILED: i8 = 2;

/// Times that sequences were too long before twice as long ones get a chance.
const PASSED_OVER: u8 = u8::MAX;

/// How promising it is to try an expression.
#[derive(Debug, Default)]
pub struct Hope {
    hope: Cell<i8>,
    /// An expression over sequences of so many elements was abandoned.
    too_long: Cell<Option<usize>>,
    /// How often that spared a trial.
    n_passed_over: Cell<u8>,
}

impl Hope {
    /// An expression that is worth a few tries.
    pub fn some() -> Hope {
        Hope { hope: Cell::new(INITIAL_HOPE), ..Hope::default() }
    }

    /// Trying was worth it.
    pub fn encourage(&self) {
        self.hope.set((self.hope.get() + 1).min(MAX_HOPE));
    }

    /// Trying was in vain.
    pub fn disappoint(&self, is_abandoned: bool) {
        self.hope.set(self.hope.get() - if is_abandoned { ABANDONED } else { FAILED });
    }

    /// Trying took too long for sequences of so many elements; shorter ones may do better.
    fn note_length(&self, length: usize) {
        if self.too_long.get().is_none_or(|known| length < known) {
            self.too_long.set(Some(length));
        }
        // It is the length that is to blame.
        self.hope.set((self.hope.get() + ABANDONED - FAILED).min(MAX_HOPE));
    }

    /// Whether so many elements are too many.
    fn is_too_long(&self, length: usize) -> bool {
        let Some(known) = self.too_long.get().filter(|known| length >= *known) else { return false };
        self.n_passed_over.set(self.n_passed_over.get().wrapping_add(1));
        if self.n_passed_over.get() == PASSED_OVER {
            self.too_long.set(known.checked_mul(2));
        }
        true
    }
}

/// What came of a trial.
enum Tried<R> {
    Done(R),
    /// It took too long.
    Abandoned,
    /// It failed, or was not made.
    Not,
}

/// The trials under way.
#[derive(Debug, Default)]
pub struct Trial {
    n_nested: u32,
    /// Steps that were left before the look at the limits when the outermost trial began.
    steps_before: u32,
    is_abandoning: bool,
}

impl Evaluator<'_> {
    /// Whether a trial is under way.
    pub(super) fn is_trying(&self) -> bool {
        self.trial.n_nested > 0
    }

    /// Whether a trial is being abandoned: nothing failed, and what was begun must be left as it was.
    pub(super) fn is_abandoning(&self) -> bool {
        self.trial.is_abandoning
    }

    /// Abandons the trial under way.
    #[cold]
    pub(super) fn abandon(&mut self) -> Failed {
        self.trial.is_abandoning = true;
        // Whoever still counts steps on the way out must not get here again.
        self.steps_left = u32::MAX;
        Failed
    }

    /// Whether there is hope, and room for one more trial.
    pub(super) fn may_try(&self, hope: &Hope) -> bool {
        hope.hope.get() > 0 && self.trial.n_nested < MAX_NESTED_TRIALS
    }

    /// Begins a trial; whether it is the outermost.
    pub(super) fn begin_trial(&mut self) -> bool {
        let is_outermost = self.trial.n_nested == 0;
        if is_outermost {
            self.trial.steps_before = self.steps_left;
            self.steps_left = BUDGET;
        }
        self.trial.n_nested += 1;
        is_outermost
    }

    /// Ends a trial; whether it was abandoned.
    pub(super) fn end_trial(&mut self, is_outermost: bool) -> bool {
        self.trial.n_nested -= 1;
        let is_abandoned = self.trial.is_abandoning;
        if is_outermost {
            let used = if is_abandoned { BUDGET } else { BUDGET - self.steps_left };
            self.steps_left = self.trial.steps_before.saturating_sub(used).max(1);
            self.trial.is_abandoning = false;
        }
        is_abandoned
    }

    /// Whether a trial is under way that should better end soon by itself.
    pub(super) fn is_running_out(&self) -> bool {
        self.is_trying() && self.steps_left <= RUNNING_OUT
    }

    /// The value of a delayed expression if trying it succeeds, and a thunk otherwise. Work that is divided has parts
    /// of all sizes: of the larger ones, which take too long, none is tried any more.
    #[inline(never)]
    pub(super) fn try_or_delay(&mut self, delay: &Delay, base: usize) -> Eval {
        if delay.hope.too_long.get().is_some() && delay.hope.is_too_long(self.captured_length(delay, base)) {
            return Ok(self.delay(delay, base));
        }
        match self.tried(&delay.hope, |this| this.try_now(delay, base))? {
            Tried::Done(value) => return Ok(value),
            Tried::Abandoned => {
                let length = self.captured_length(delay, base);
                if length > 0 {
                    delay.hope.note_length(length);
                }
            }
            Tried::Not => {}
        }
        Ok(self.delay(delay, base))
    }

    /// How many elements the sequences that an expression needs have; those of which nobody knows have very many.
    fn captured_length(&self, delay: &Delay, base: usize) -> usize {
        const UNKNOWN: usize = 1 << 32;
        let length = |slot: u32| match self.stack[base + slot as usize].peel() {
            Value::Seq(seq) => seq.known_length().unwrap_or(UNKNOWN),
            _ => 0,
        };
        delay.captures.iter().fold(0, |sum, capture| length(capture.slot).saturating_add(sum))
    }

    /// What `work` yields if trying it succeeds; it must leave the frame as it is.
    #[inline(always)]
    pub(super) fn attempt<R>(&mut self, hope: &Hope, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<Option<R>> {
        match self.tried(hope, work)? {
            Tried::Done(value) => Ok(Some(value)),
            Tried::Abandoned | Tried::Not => Ok(None),
        }
    }

    #[inline(always)]
    fn tried<R>(&mut self, hope: &Hope, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<Tried<R>> {
        if !self.may_try(hope) {
            return Ok(Tried::Not);
        }
        let height = self.stack.len();
        let is_outermost = self.begin_trial();
        let outcome = work(self);
        let is_abandoned = self.end_trial(is_outermost);
        match outcome {
            Ok(value) => {
                hope.encourage();
                return Ok(Tried::Done(value));
            }
            Err(Failed) if is_abandoned && !is_outermost => return Err(Failed),
            Err(Failed) if !is_abandoned && self.is_interrupted() => return Err(Failed),
            Err(Failed) => {}
        }
        self.fault = None;
        self.stack.truncate(height);
        hope.disappoint(is_abandoned);
        Ok(if is_abandoned { Tried::Abandoned } else { Tried::Not })
    }

    fn try_now(&mut self, delay: &Delay, base: usize) -> Eval {
        if let Some(op) = &delay.at_once {
            return self.eval(op, base);
        }
        let captured = delay.captures.iter().map(|capture| self.stack[base + capture.slot as usize].peel().clone());
        let captured = captured.collect();
        self.run_delayed(&delay.function, captured)
    }
}
