//! The instructions that need nothing but frames.
//!
//! Most steps of most loops move numbers between slots, compare them, take a sequence apart that is there already, or
//! call a function and return from it. They are run here in a loop that knows the frame, the place in the code and
//! the calls that wait, and nothing else, so that these stay in registers: no function is counted as in use while it
//! runs, because nothing here can free one. Whatever needs more, a thunk that is to be opened or a sum that does not
//! fit, is left to the machine.

use super::arithmetic::{compute, holds_for};
use super::code::{Function, Pattern};
use super::frames::discard;
use super::instruction::{Binary, Instruction, LookUp, Operand};
use super::machine::{Position, Waiting};
use super::pieces::LONGEST_PIECE;
use super::seq;
use super::trial::RUNNING_OUT;
use super::value::Value;
use crate::builtins::Builtin;
use std::rc::Rc;

/// What instructions work on.
pub struct Frames<'r> {
    /// The functions compiled so far, by their numbers.
    pub codes: &'r [Option<Rc<Function>>],
    /// The stack of all frames.
    pub stack: &'r mut Vec<Value>,
    /// The calls that wait for another.
    pub waiting: &'r mut Vec<Waiting>,
    /// Steps before the next look at the limits.
    pub steps_left: &'r mut u32,
    /// So many calls waited at the beginning; there it ends.
    pub floor: usize,
    /// So many calls may wait at most.
    pub most_waiting: usize,
    /// The elements that the function at the floor prepends, if they are collected.
    pub piece: Option<&'r mut Vec<Value>>,
}

/// Why the loop was left.
pub enum Left {
    /// The instruction at this position is left to the machine.
    At(Position),
    /// The call that it began with has ended.
    Returned(Value),
}

/// Runs instructions from a position in a function on.
#[inline(never)]
pub fn run<'r>(frames: Frames<'r>, mut function: &'r Function, position: Position) -> Left {
    let Frames { codes, stack, waiting, steps_left, floor, most_waiting, mut piece } = frames;
    let Position { mut base, mut at, mut site, .. } = position;
    let mut code = &*function.code;
    let mut frame = &mut stack[base..base + function.n_slots];
    'run: loop {
        let value = 'returned: {
            match &code[at] {
                Instruction::Int(into, number) => put_number(frame, *into, *number),
                Instruction::AddInt(add) => {
                    let Value::Int(number) = frame[add.from as usize] else { break 'run };
                    let Some(sum) = number.checked_add(add.number) else { break 'run };
                    put_number(frame, add.into, sum);
                }
                Instruction::Add(add) => {
                    let Value::Int(left) = frame[add.left as usize] else { break 'run };
                    let Value::Int(right) = frame[add.right as usize] else { break 'run };
                    let Some(sum) = left.checked_add(right) else { break 'run };
                    put_number(frame, add.into, sum);
                }
                Instruction::Subtract(subtract) => {
                    let Value::Int(left) = frame[subtract.left as usize] else { break 'run };
                    let Value::Int(right) = frame[subtract.right as usize] else { break 'run };
                    let Some(difference) = left.checked_sub(right) else { break 'run };
                    put_number(frame, subtract.into, difference);
                }
                Instruction::EqualInt(test) => {
                    let Value::Int(number) = frame[test.slot as usize] else { break 'run };
                    if (number == test.number) != test.expected {
                        at = test.place as usize;
                        continue 'run;
                    }
                }
                Instruction::LessInt(test) => {
                    let Value::Int(number) = frame[test.slot as usize] else { break 'run };
                    if (number < test.number) != test.expected {
                        at = test.place as usize;
                        continue 'run;
                    }
                }
                Instruction::GreaterInt(test) => {
                    let Value::Int(number) = frame[test.slot as usize] else { break 'run };
                    if (number > test.number) != test.expected {
                        at = test.place as usize;
                        continue 'run;
                    }
                }
                Instruction::Equal(test) => {
                    let Value::Int(left) = frame[test.left as usize] else { break 'run };
                    let Value::Int(right) = frame[test.right as usize] else { break 'run };
                    if (left == right) != test.expected {
                        at = test.place as usize;
                        continue 'run;
                    }
                }
                Instruction::Less(test) => {
                    let Value::Int(left) = frame[test.left as usize] else { break 'run };
                    let Value::Int(right) = frame[test.right as usize] else { break 'run };
                    if (left < right) != test.expected {
                        at = test.place as usize;
                        continue 'run;
                    }
                }
                Instruction::Try(into, binary, place) => {
                    let number = numbers(binary, frame).and_then(|(left, right)| compute(binary.op, left, right));
                    let Some(number) = number else {
                        at = *place as usize;
                        continue 'run;
                    };
                    put_number(frame, *into, number);
                }
                Instruction::Const(into, value) => put(frame, *into, value.clone()),
                Instruction::Tuple(into, parts) => {
                    let items = frame[parts.start as usize..parts.end as usize].iter_mut().map(take_raw).collect();
                    put(frame, *into, Value::tuple(items));
                }
                Instruction::Seq(into, parts) => {
                    let items = frame[parts.start as usize..parts.end as usize].iter_mut().map(take_raw).collect();
                    put(frame, *into, seq::from_vec(items));
                }
                Instruction::Parts(slot, pattern, _) | Instruction::MatchPart(slot, pattern, _) => {
                    if !bind_items(frame, *slot, pattern) {
                        break 'run;
                    }
                }
                Instruction::LookUp(look_up) => {
                    let Some(value) = look_up_number(frame, look_up) else { break 'run };
                    put(frame, look_up.into, value);
                }
                Instruction::Update(update) => {
                    let Some(key) = number(&update.key, frame) else { break 'run };
                    let Value::Map(_) = &frame[update.map as usize] else { break 'run };
                    let value = take_raw(&mut frame[update.value as usize]);
                    let mut map = take_raw(&mut frame[update.map as usize]);
                    if let Value::Map(map) = &mut map {
                        Rc::make_mut(map).insert(Value::Int(key), value);
                    }
                    put(frame, update.into, map);
                }
                Instruction::Arithmetic(into, binary) => {
                    let Some((left, right)) = numbers(binary, frame) else { break 'run };
                    let Some(number) = compute(binary.op, left, right) else { break 'run };
                    put_number(frame, *into, number);
                }
                Instruction::Compare(binary, expected, place) => {
                    let Some((left, right)) = numbers(binary, frame) else { break 'run };
                    if holds_for(binary.op, left, right) != *expected {
                        at = *place as usize;
                        continue 'run;
                    }
                }
                Instruction::Copy(into, from) => match &frame[*from as usize] {
                    Value::Thunk(_) => break 'run,
                    value => {
                        let value = value.clone();
                        put(frame, *into, value);
                    }
                },
                Instruction::Take(into, from) => {
                    let value = take_raw(&mut frame[*from as usize]);
                    put(frame, *into, value);
                }
                Instruction::Number(slot) => match frame[*slot as usize] {
                    Value::Int(_) => {}
                    _ => break 'run,
                },
                Instruction::Uncons(uncons) => {
                    let (head, tail) = match &mut frame[uncons.slot as usize] {
                        Value::Seq(seq) if uncons.is_kept && uncons.tail.is_none() => (seq::first(seq), Value::Hole),
                        Value::Seq(seq) if uncons.is_kept => seq::uncons(seq),
                        slot @ Value::Seq(_) => match std::mem::replace(slot, Value::Hole) {
                            Value::Seq(seq) => seq::take_apart(seq),
                            _ => break 'run,
                        },
                        Value::Thunk(_) => break 'run,
                        _ => {
                            at = uncons.otherwise as usize;
                            continue 'run;
                        }
                    };
                    bind(frame, uncons.head, head);
                    bind(frame, uncons.tail, tail);
                }
                Instruction::Empty(slot, place) => match frame[*slot as usize] {
                    Value::EmptySeq => {}
                    Value::Thunk(_) => break 'run,
                    _ => {
                        at = *place as usize;
                        continue 'run;
                    }
                },
                Instruction::TestSlot(slot, expected, place) => match frame[*slot as usize] {
                    Value::Bool(truth) if truth.get() == *expected => {}
                    Value::Bool(_) => {
                        at = *place as usize;
                        continue 'run;
                    }
                    _ => break 'run,
                },
                Instruction::Jump(place) => {
                    at = *place as usize;
                    continue 'run;
                }
                Instruction::Repeat(n_arguments) => {
                    if *steps_left <= 1 {
                        break 'run;
                    }
                    *steps_left -= 1;
                    clear(&mut frame[*n_arguments as usize..function.n_variables]);
                    at = 0;
                    continue 'run;
                }
                Instruction::Call(call, into) => {
                    let (Some(Some(callee)), Some(caller)) = (codes.get(call.function.0 as usize), function.id) else {
                        break 'run;
                    };
                    let callee_base = base + call.first as usize;
                    if *steps_left <= 1 || waiting.len() >= most_waiting {
                        break 'run;
                    }
                    *steps_left -= 1;
                    waiting.push(Waiting { function: Some(caller), base, at: at + 1, into: *into, site });
                    (function, base, at, site) = (callee, callee_base, 0, Some(call.site));
                    code = &function.code;
                    frame = frame_at(stack, base, function.n_slots);
                    continue 'run;
                }
                Instruction::TailCall(call, count) => {
                    let Some(Some(callee)) = codes.get(call.function.0 as usize) else { break 'run };
                    if *steps_left <= 1 {
                        break 'run;
                    }
                    *steps_left -= 1;
                    hand_over(frame, call.first, *count);
                    (function, at, site) = (callee, 0, Some(call.site));
                    code = &function.code;
                    frame = frame_at(stack, base, function.n_slots);
                    continue 'run;
                }
                Instruction::Value(into, from, is_last) => {
                    let from = &mut frame[*from as usize];
                    let value = match from {
                        Value::Thunk(_) => break 'run,
                        _ if *is_last => take_raw(from),
                        value => value.clone(),
                    };
                    put(frame, *into, value);
                }
                Instruction::Show(into, slot, _) => {
                    let Value::Int(number) = frame[*slot as usize] else { break 'run };
                    put(frame, *into, seq::from_number(number));
                }
                Instruction::Append(into, parts) => {
                    let left = take_raw(&mut frame[*parts as usize]);
                    let right = take_raw(&mut frame[*parts as usize + 1]);
                    let whole = match (left, right) {
                        (Value::EmptySeq, right @ Value::Thunk(_)) => {
                            frame[*parts as usize] = Value::EmptySeq;
                            frame[*parts as usize + 1] = right;
                            break 'run;
                        }
                        (left, right) => seq::append(left, right),
                    };
                    put(frame, *into, whole);
                }
                Instruction::Cons(into, parts) => {
                    let head = take_raw(&mut frame[*parts as usize]);
                    let tail = take_raw(&mut frame[*parts as usize + 1]);
                    put(frame, *into, seq::cons(head, tail));
                }
                Instruction::Rest(into, slot, is_last) => {
                    let slot = &mut frame[*slot as usize];
                    let rest = match slot {
                        Value::Seq(seq) if !is_last => seq::uncons(seq).1,
                        Value::Seq(_) => match std::mem::replace(slot, Value::Hole) {
                            Value::Seq(seq) => seq::take_apart(seq).1,
                            _ => break 'run,
                        },
                        _ => break 'run,
                    };
                    put(frame, *into, rest);
                }
                Instruction::Prepend(_) => {
                    if piece.is_none() || waiting.len() != floor {
                        break 'run;
                    }
                }
                Instruction::Again(again) => {
                    let Some(piece) = &mut piece else { break 'run };
                    if piece.len() >= LONGEST_PIECE || *steps_left <= RUNNING_OUT {
                        break 'run;
                    }
                    *steps_left -= 1;
                    piece.push(take_raw(&mut frame[again.head as usize]));
                    clear(&mut frame[again.n_arguments as usize..function.n_variables]);
                    at = 0;
                    continue 'run;
                }
                Instruction::Return(slot) => {
                    let slot = &mut frame[*slot as usize];
                    if matches!(slot, Value::Thunk(_)) || !is_waited_for(waiting, floor) {
                        break 'run;
                    }
                    break 'returned take_raw(slot);
                }
                Instruction::ReturnNumber(operand) => {
                    let Some(number) = number(operand, frame) else { break 'run };
                    if !is_waited_for(waiting, floor) {
                        break 'run;
                    }
                    break 'returned Value::Int(number);
                }
                _ => break 'run,
            }
            at += 1;
            continue 'run;
        };
        clear(&mut frame[..function.n_variables]);
        if waiting.len() == floor {
            return Left::Returned(value);
        }
        // Read one by one: as a whole it would be read while its parts are still being written.
        let Some(caller) = waiting.last() else { unreachable!("such a call waits here") };
        let into = caller.into;
        (base, at, site) = (caller.base, caller.at, caller.site);
        let id = caller.function.map_or(usize::MAX, |id| id.0 as usize);
        waiting.truncate(waiting.len() - 1);
        let Some(Some(caller)) = codes.get(id) else { unreachable!("it has run before") };
        function = caller;
        code = &function.code;
        frame = &mut stack[base..base + function.n_slots];
        put(frame, into, value);
    }
    Left::At(Position { function: function.id, base, at, site })
}

/// The slots of a frame, for which the stack grows if need be.
#[inline(always)]
fn frame_at(stack: &mut Vec<Value>, base: usize, n_slots: usize) -> &mut [Value] {
    if stack.len() < base + n_slots {
        grow(stack, base + n_slots);
    }
    &mut stack[base..base + n_slots]
}

#[cold]
#[inline(never)]
fn grow(stack: &mut Vec<Value>, height: usize) {
    stack.resize_with(height, || Value::Hole);
}

/// Whether returning to the call that waits for the one at hand is a matter of this loop.
#[inline(always)]
fn is_waited_for(waiting: &[Waiting], floor: usize) -> bool {
    waiting.len() == floor || waiting.last().is_some_and(|caller| caller.function.is_some())
}

/// Moves the arguments of a tail call to the bottom of the frame.
pub fn hand_over(frame: &mut [Value], first: u32, count: u32) {
    for index in 0..count {
        let value = std::mem::replace(&mut frame[(first + index) as usize], Value::Hole);
        put(frame, index, value);
    }
    if let Some(rest) = frame.get_mut(count as usize..first as usize) {
        clear(rest);
    }
}

/// What a map has at a number, if all is at hand.
#[inline(always)]
fn look_up_number(frame: &mut [Value], look_up: &LookUp) -> Option<Value> {
    let key = number(&look_up.key, frame)?;
    let (Operand::Slot(slot) | Operand::Last(slot)) = look_up.map else { return None };
    let Value::Map(map) = &frame[slot as usize] else { return None };
    let value = match (map.get(&Value::Int(key)), look_up.builtin) {
        (found, Builtin::MapMember) => Value::bool(found.is_some()),
        (Some(Value::Thunk(_)) | None, _) => return None,
        (Some(value), _) => value.clone(),
    };
    if let Operand::Last(slot) = look_up.map {
        put(frame, slot, Value::Hole);
    }
    Some(value)
}

/// Binds the items of a tuple that is there, if the pattern consists of names; the tuple is taken from its slot.
#[inline(always)]
fn bind_items(frame: &mut [Value], slot: u32, pattern: &Pattern) -> bool {
    let (Pattern::Tuple(parts), Value::Tuple(node)) = (pattern, &frame[slot as usize]) else { return false };
    let is_name = |part: &Pattern| matches!(part, Pattern::Bind(_) | Pattern::Any);
    if node.items.len() != parts.len() || !parts.iter().all(is_name) {
        return false;
    }
    let Value::Tuple(mut node) = std::mem::replace(&mut frame[slot as usize], Value::Hole) else { return false };
    let mut bind_item = |part: &Pattern, item: Value| match part {
        Pattern::Bind(slot) => put(frame, *slot, item),
        _ => discard(item),
    };
    match Rc::get_mut(&mut node) {
        Some(node) => parts.iter().zip(&mut node.items).for_each(|(part, item)| bind_item(part, take_raw(item))),
        None => parts.iter().zip(&node.items).for_each(|(part, item)| bind_item(part, item.clone())),
    }
    true
}

/// Both operands, if they are at hand.
#[inline(always)]
fn numbers(binary: &Binary, frame: &[Value]) -> Option<(i64, i64)> {
    Some((number(&binary.left, frame)?, number(&binary.right, frame)?))
}

#[inline(always)]
fn number(operand: &Operand, frame: &[Value]) -> Option<i64> {
    match operand {
        Operand::Int(number) => Some(*number),
        Operand::Slot(slot) | Operand::Last(slot) => match &frame[*slot as usize] {
            Value::Int(number) => Some(*number),
            _ => None,
        },
    }
}

#[inline(always)]
fn put(frame: &mut [Value], slot: u32, value: Value) {
    discard(std::mem::replace(&mut frame[slot as usize], value));
}

/// The same for a number, which is made after the slot was found: nothing is to be cleaned up if it is not there.
#[inline(always)]
fn put_number(frame: &mut [Value], slot: u32, number: i64) {
    let slot = &mut frame[slot as usize];
    discard(std::mem::replace(slot, Value::Int(number)));
}

#[inline(always)]
fn bind(frame: &mut [Value], slot: Option<u32>, value: Value) {
    match slot {
        Some(slot) => put(frame, slot, value),
        None => discard(value),
    }
}

/// Takes a value at its last use. Numbers stay where they are, for messages.
#[inline(always)]
pub fn take_raw(slot: &mut Value) -> Value {
    match slot {
        Value::Int(number) => Value::Int(*number),
        slot => std::mem::replace(slot, Value::Hole),
    }
}

/// Empties slots. Frames mostly hold numbers and empty slots at the end, which need no cleaning up.
#[inline(always)]
pub fn clear(slots: &mut [Value]) {
    for slot in slots {
        if !slot.is_plain() {
            *slot = Value::Hole;
        }
    }
}
