//! Thunks: delayed computations.

use super::code::{Delay, Function};
use super::runtime_error::{Eval, Failed};
use super::value::{Pending, Thunk, Value};
use super::{Evaluator, errors};
use smallvec::SmallVec;
use std::rc::Rc;

impl Evaluator<'_> {
    /// A thunk with what it needs.
    pub(super) fn delay(&mut self, delay: &Delay, base: usize) -> Value {
        let captured = self.captured(delay, base);
        Value::Thunk(Rc::new(Thunk::new(Pending::Run(delay.function.clone(), captured))))
    }

    fn captured(&mut self, delay: &Delay, base: usize) -> SmallVec<[Value; 2]> {
        delay.captures.iter().map(|capture| self.capture(*capture, base)).collect()
    }

    #[inline(never)]
    pub(super) fn bind_recursive(&mut self, delays: &[(u32, Delay)], base: usize) {
        let thunks: Vec<Rc<Thunk>> = delays.iter().map(|_| Rc::new(Thunk::new(Pending::Done))).collect();
        for ((slot, _), thunk) in delays.iter().zip(&thunks) {
            self.stack[base + *slot as usize] = Value::Thunk(thunk.clone());
        }
        for ((_, delay), thunk) in delays.iter().zip(&thunks) {
            let captured = self.captured(delay, base);
            thunk.set_pending(Pending::Run(delay.function.clone(), captured));
        }
    }

    /// The value behind a thunk, or the value itself.
    pub(super) fn whnf(&mut self, value: Value) -> Eval {
        match value {
            Value::Thunk(thunk) => self.force(&thunk),
            value => Ok(value),
        }
    }

    /// The value of a thunk, computed if need be.
    #[inline(never)]
    pub(super) fn force(&mut self, thunk: &Rc<Thunk>) -> Eval {
        if let Some(value) = thunk.value() {
            return Ok(value.peel().clone());
        }
        let pending = thunk.start();
        let backup = if self.is_speculating() { pending.copy() } else { Pending::Done };
        let outcome = match pending {
            Pending::Done => unreachable!("a finished thunk has a value"),
            Pending::Running(span) => {
                thunk.set_pending(Pending::Running(span));
                return Err(self.fail(errors::needs_itself(span)));
            }
            Pending::Failed(fault) => Err(self.fail_again(fault)),
            Pending::Overflow(site) => Err(self.fail(errors::beyond_numbers(self.span(site)))),
            Pending::Run(function, captured) => self.run_delayed(&function, captured),
            Pending::Call(function, args, site) => {
                let base = self.stack.len();
                self.stack.extend(args);
                self.enter(&function, base, site)
            }
            Pending::Append(left, right) => self.append_lazily(left, right),
            Pending::Concat(sequences) => self.with_room(|this| this.concat_all(sequences)),
            Pending::Next(generator) => self.with_room(|this| this.next_of(*generator)),
        };
        match &outcome {
            Ok(value) => thunk.finish(value),
            Err(Failed) if self.is_aborting() => thunk.set_pending(backup),
            Err(Failed) => thunk.set_pending(Pending::Failed(self.failure_at_hand())),
        }
        outcome
    }

    pub(super) fn run_delayed(&mut self, function: &Rc<Function>, captured: SmallVec<[Value; 2]>) -> Eval {
        let base = self.stack.len();
        self.stack.resize_with(base + function.n_slots, || Value::Hole);
        for ((slot, _), value) in function.captures.iter().zip(captured) {
            self.stack[base + *slot as usize] = value;
        }
        if self.has_room() {
            return self.run(function, base, None);
        }
        self.grow(Some(function), |this| this.run(function, base, None))
    }

    fn append_lazily(&mut self, left: Value, right: Value) -> Eval {
        let left = self.with_room(|this| this.whnf(left))?;
        self.concatenated(left, right)
    }
}
