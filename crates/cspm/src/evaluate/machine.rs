//! The register machine.
//!
//! Runs the instructions of a function in its frame, and of the functions that it calls. Frames lie on one stack of
//! values; the frame of a callee begins at its arguments, which the caller has put behind what it still needs, so a call
//! copies nothing. Calls under way are records on a stack of their own: recursion needs no machine stack, except
//! through operations that are trees and through thunks.

use super::Evaluator;
use super::arithmetic::{compute, holds_for};
use super::code::{Function, FunctionId, Slot};
use super::errors;
use super::fast;
use super::instruction::{Again, Binary, CallAt, Instruction, Operand, Uncons};
use super::runtime_error::{Eval, Failed};
use super::value::{Pending, Thunk, Value};
use crate::syntax::{BinaryOp, ExprId};
use std::rc::Rc;

/// Bytes that a call under way is reckoned to need.
const BYTES_PER_CALL: usize = 512;

/// A call under way that waits for another. Plain numbers: writing and reading them takes part in every call.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Waiting {
    /// The number of the function; without one, it is the last of the [`Evaluator::unnumbered`].
    pub function: Option<FunctionId>,
    pub base: usize,
    /// Where it goes on, and the slot for what it waits for.
    pub at: usize,
    pub into: Slot,
    /// Where it was called.
    pub site: Option<ExprId>,
}

/// Where the machine is.
#[derive(Debug)]
pub struct Position {
    /// The number of the function, if it has one.
    pub function: Option<FunctionId>,
    /// Where its frame begins.
    pub base: usize,
    /// The place in its code.
    pub at: usize,
    /// Where it was called.
    pub site: Option<ExprId>,
}

impl Evaluator<'_> {
    /// The value of a function whose arguments lie at the bottom of its frame.
    pub(super) fn execute(&mut self, function: &Rc<Function>, base: usize, site: Option<ExprId>) -> Eval {
        self.execute_from(function, Position { function: function.id, base, at: 0, site }, None)
    }

    /// The same from a position in the function on. If a piece is given, the function may prepend elements to it and
    /// go on, and what it yields in the end may be a thunk.
    pub(super) fn execute_from(
        &mut self,
        function: &Rc<Function>,
        position: Position,
        mut piece: Option<&mut Vec<Value>>,
    ) -> Eval {
        let floor = self.waiting.len();
        let mut function = function.clone();
        let Position { mut base, mut at, mut site, .. } = position;
        loop {
            let frames = fast::Frames {
                codes: self.program.codes(),
                stack: &mut self.stack,
                waiting: &mut self.waiting,
                steps_left: &mut self.steps_left,
                floor,
                most_waiting: self.stack_bytes / BYTES_PER_CALL,
                piece: piece.as_deref_mut(),
            };
            let start = Position { function: function.id, base, at, site };
            let reached = match fast::run(frames, &function, start) {
                fast::Left::At(position) => position,
                fast::Left::Returned(value) => return Ok(value),
            };
            (base, at, site) = (reached.base, reached.at, reached.site);
            if let Some(id) = reached.function
                && function.id != reached.function
            {
                function = self.program.code(id);
            }
            let outcome = match &function.code[at] {
                Instruction::Call(call, into) => {
                    let (call, into) = (*call, *into);
                    match self.callee(call, base) {
                        Ok(callee) => {
                            let caller = std::mem::replace(&mut function, callee);
                            self.waiting.push(Waiting { function: caller.id, base, at: at + 1, into, site });
                            if caller.id.is_none() {
                                self.unnumbered.push(caller);
                            }
                            (base, at, site) = (base + call.first as usize, 0, Some(call.site));
                            continue;
                        }
                        Err(Failed) => Err(Failed),
                    }
                }
                Instruction::TailCall(call, count) => {
                    let call = *call;
                    fast::hand_over(&mut self.stack[base..], call.first, *count);
                    match self.callee(CallAt { first: 0, ..call }, base) {
                        Ok(callee) => {
                            (function, at, site) = (callee, 0, Some(call.site));
                            continue;
                        }
                        Err(Failed) => Err(Failed),
                    }
                }
                Instruction::Return(slot) => self.take(base + *slot as usize),
                Instruction::ReturnNumber(operand) => self.number_of(*operand, base).map(Value::Int),
                Instruction::ReturnEval(op) => match self.eval(op, base) {
                    Ok(Value::Hole) => match self.next.take() {
                        Some((callee, at_site)) => {
                            self.fit(base + callee.n_slots);
                            (function, at, site) = (callee, 0, Some(at_site));
                            continue;
                        }
                        None => Ok(Value::Hole),
                    },
                    outcome => outcome,
                },
                Instruction::Prepend(_) => {
                    let position = Position { function: function.id, base, at, site };
                    self.collected(&function, position)
                }
                Instruction::Again(again) => {
                    let head = self.take_raw(base + again.head as usize);
                    if let Some(piece) = &mut piece {
                        piece.push(head);
                    }
                    Ok(self.later(&function, base, *again))
                }
                instruction => match self.step(instruction, at, base) {
                    Ok(next) => {
                        at = next;
                        continue;
                    }
                    Err(Failed) => Err(Failed),
                },
            };
            let value = match outcome {
                Ok(value) => value,
                Err(Failed) => return Err(self.unwind(&function, base, site, floor)),
            };
            self.clear(base, base + function.n_variables);
            if self.waiting.len() == floor {
                return Ok(value);
            }
            let Some(caller) = self.waiting.pop() else { return Ok(value) };
            (function, base, at, site) = (self.code_of(caller), caller.base, caller.at, caller.site);
            self.put(base + caller.into as usize, value);
        }
    }

    /// Runs an instruction that needs more than the frame; the place of the next one.
    #[inline(never)]
    fn step(&mut self, instruction: &Instruction, at: usize, base: usize) -> Eval<usize> {
        let next = at + 1;
        let branch = |holds: bool, place: u32| if holds { next } else { place as usize };
        Ok(match instruction {
            Instruction::Eval(into, op) => {
                let value = self.eval(op, base)?;
                self.put(base + *into as usize, value);
                next
            }
            Instruction::Arg(into, arg) => {
                let value = self.arg(arg, base)?;
                self.put(base + *into as usize, value);
                next
            }
            Instruction::Rest(into, slot, is_last) => {
                let rest = self.rest(base + *slot as usize, *is_last)?;
                self.put(base + *into as usize, rest);
                next
            }
            Instruction::Test(op, expected, place) => branch(self.truth(op, base)? == *expected, *place),
            Instruction::Match(slot, pattern, place) => {
                branch(self.matches_slot(pattern, base + *slot as usize, base)?, *place)
            }
            Instruction::MatchPart(slot, pattern, place) => {
                let value = self.take_raw(base + *slot as usize);
                branch(self.matches(pattern, value, base)?, *place)
            }
            Instruction::Parts(slot, pattern, site) => {
                let value = self.take(base + *slot as usize)?;
                self.bind_parts(pattern, value, *site, base)?;
                next
            }
            Instruction::Arithmetic(into, binary) => self.arithmetic_into(*into, binary, base, next)?,
            Instruction::AddInt(add) => self.arithmetic_into(add.into, &add.binary, base, next)?,
            Instruction::Add(slots) | Instruction::Subtract(slots) => {
                self.arithmetic_into(slots.into, &slots.binary, base, next)?
            }
            Instruction::Value(into, from, is_last) => {
                let index = base + *from as usize;
                let value = if *is_last { self.take(index)? } else { self.local(index)? };
                self.put(base + *into as usize, value);
                next
            }
            Instruction::Show(into, slot, site) => {
                let value = self.take(base + *slot as usize)?;
                let text = self.shown(value, *site)?;
                self.put(base + *into as usize, text);
                next
            }
            Instruction::Append(into, parts) => {
                let (left, right) = (self.take(base + *parts as usize)?, self.take_raw(base + *parts as usize + 1));
                let whole = self.concatenated(left, right)?;
                self.put(base + *into as usize, whole);
                next
            }
            Instruction::Try(_, _, place) => *place as usize,
            Instruction::LookUp(look_up) => {
                let map = self.value_of(look_up.map, base)?;
                let key = self.value_of(look_up.key, base)?;
                let value = self.map_with_key(look_up.builtin, map, key, look_up.site)?;
                self.put(base + look_up.into as usize, value);
                next
            }
            Instruction::Update(update) => {
                let map = self.take(base + update.map as usize)?;
                let key = self.value_of(update.key, base)?;
                let value = self.take_raw(base + update.value as usize);
                let map = self.map_update(map, key, value, update.site)?;
                self.put(base + update.into as usize, map);
                next
            }
            Instruction::EqualInt(test) | Instruction::LessInt(test) | Instruction::GreaterInt(test) => {
                branch(self.compare_operands(&test.binary, base)? == test.binary_expected, test.place)
            }
            Instruction::Equal(test) | Instruction::Less(test) => {
                branch(self.compare_operands(&test.binary, base)? == test.binary_expected, test.place)
            }
            Instruction::Compare(binary, expected, place) => {
                branch(self.compare_operands(binary, base)? == *expected, *place)
            }
            Instruction::TestSlot(slot, expected, place) => {
                branch(self.truth_of(base + *slot as usize)? == *expected, *place)
            }
            Instruction::Copy(into, from) => {
                let value = self.stack[base + *from as usize].peel().clone();
                self.put(base + *into as usize, value);
                next
            }
            // With its thunk opened, the instruction needs nothing but the frame.
            Instruction::Uncons(Uncons { slot, .. }) | Instruction::Empty(slot, _) => {
                self.look_at(base + *slot as usize)?;
                at
            }
            Instruction::Number(slot) => {
                self.number_of(Operand::Slot(*slot), base)?;
                next
            }
            Instruction::Recursive(delays) => {
                self.bind_recursive(delays, base);
                next
            }
            // Time to look at the limits.
            Instruction::Repeat(_) => {
                self.tick()?;
                at
            }
            Instruction::NoEquation(equations) => return Err(self.no_equation(equations, base)),
            other => unreachable!("done elsewhere: {other:?}"),
        })
    }

    /// The function that is called, with room for its frame.
    #[inline(always)]
    fn callee(&mut self, call: CallAt, base: usize) -> Eval<Rc<Function>> {
        let function = self.program.code(call.function);
        self.fit(base + call.first as usize + function.n_slots);
        self.tick()?;
        if self.waiting.len() >= self.stack_bytes / BYTES_PER_CALL {
            return Err(self.give_up(errors::recursion_too_deep(function.span, &function.name)));
        }
        Ok(function)
    }

    /// A call for later, with the arguments at the bottom of the frame.
    fn later(&mut self, function: &Rc<Function>, base: usize, again: Again) -> Value {
        let args = (0..again.n_arguments as usize).map(|index| self.take_raw(base + index)).collect();
        Value::Thunk(Rc::new(Thunk::new(Pending::Call(function.clone(), args, again.site))))
    }

    /// The function of a call that does not wait any more.
    fn code_of(&mut self, caller: Waiting) -> Rc<Function> {
        match caller.function {
            Some(id) => self.program.code(id),
            None => self.unnumbered.pop().unwrap_or_else(|| unreachable!("it was put there when the call began")),
        }
    }

    /// Makes the stack at least so high.
    #[inline(always)]
    pub(super) fn fit(&mut self, height: usize) {
        if self.stack.len() < height {
            self.stack.resize_with(height, || Value::Hole);
        }
    }

    /// Leaves all calls that a failure ends.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, function: &Function, base: usize, site: Option<ExprId>, floor: usize) -> Failed {
        self.leave(function, base, site);
        while self.waiting.len() > floor {
            let Some(caller) = self.waiting.pop() else { break };
            let function = self.code_of(caller);
            self.leave(&function, caller.base, caller.site);
        }
        Failed
    }

    #[inline(never)]
    fn arithmetic_into(&mut self, into: Slot, binary: &Binary, base: usize, next: usize) -> Eval<usize> {
        let number = self.arithmetic_of(binary, base)?;
        self.put(base + into as usize, Value::Int(number));
        Ok(next)
    }

    /// The number that an operand is, if it is at hand.
    #[inline(always)]
    fn at_hand(&self, operand: Operand, base: usize) -> Option<i64> {
        match operand {
            Operand::Int(number) => Some(number),
            Operand::Slot(slot) | Operand::Last(slot) => match self.stack[base + slot as usize] {
                Value::Int(number) => Some(number),
                _ => None,
            },
        }
    }

    #[inline(always)]
    fn number_of(&mut self, operand: Operand, base: usize) -> Eval<i64> {
        match self.at_hand(operand, base) {
            Some(number) => Ok(number),
            None => self.number_behind(operand, base),
        }
    }

    /// A number that is still to be computed; it stays in its slot.
    #[inline(never)]
    fn number_behind(&mut self, operand: Operand, base: usize) -> Eval<i64> {
        match self.value_of(operand, base)? {
            Value::Int(number) => {
                if let Operand::Last(slot) = operand {
                    self.put(base + slot as usize, Value::Int(number));
                }
                Ok(number)
            }
            other => Err(self.confused("a number", &other)),
        }
    }

    fn value_of(&mut self, operand: Operand, base: usize) -> Eval {
        match operand {
            Operand::Int(number) => Ok(Value::Int(number)),
            Operand::Slot(slot) => self.local(base + slot as usize),
            Operand::Last(slot) => self.take(base + slot as usize),
        }
    }

    #[inline(always)]
    fn arithmetic_of(&mut self, binary: &Binary, base: usize) -> Eval<i64> {
        let left = self.number_of(binary.left, base)?;
        let right = self.number_of(binary.right, base)?;
        match compute(binary.op, left, right) {
            Some(number) => Ok(number),
            None => Err(self.arithmetic_fault(binary.op, left, right, binary.site)),
        }
    }

    #[inline(never)]
    fn compare_operands(&mut self, binary: &Binary, base: usize) -> Eval<bool> {
        let left = self.value_of(binary.left, base)?;
        let right = self.value_of(binary.right, base)?;
        match (&left, &right) {
            (Value::Int(left), Value::Int(right)) => Ok(holds_for(binary.op, *left, *right)),
            _ => self.compare_by(binary.op, left, right, binary.site),
        }
    }

    fn truth_of(&mut self, index: usize) -> Eval<bool> {
        match self.take(index)? {
            Value::Bool(truth) => Ok(truth.get()),
            other => Err(self.confused("a truth value", &other)),
        }
    }

    /// Evaluates what is in a slot, in place.
    #[inline(always)]
    pub(super) fn look_at(&mut self, index: usize) -> Eval<()> {
        match self.stack[index] {
            Value::Thunk(_) => self.look_behind(index),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn look_behind(&mut self, index: usize) -> Eval<()> {
        let value = std::mem::replace(&mut self.stack[index], Value::Hole);
        // Kept until then: a trial that is abandoned leaves everything as it was.
        let outcome = self.whnf(value.clone());
        self.stack[index] = match &outcome {
            Ok(evaluated) => evaluated.clone(),
            Err(Failed) => value,
        };
        outcome.map(|_| ())
    }

    /// Empties slots.
    #[inline(always)]
    pub(super) fn clear(&mut self, from: usize, to: usize) {
        if let Some(slots) = self.stack.get_mut(from..to) {
            fast::clear(slots);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn arithmetic_fault(&mut self, op: BinaryOp, left: i64, right: i64, site: ExprId) -> Failed {
        match (op, right) {
            (BinaryOp::Divide | BinaryOp::Modulo, 0) => self.fail(errors::division_by_zero(self.span(site), op, left)),
            _ => self.overflow(site),
        }
    }
}
