//! The instructions that need nothing but the frame.
//!
//! Most steps of most loops move numbers between slots, compare them, or take a sequence apart that is there already.
//! They are run here in a loop that knows the frame and the place in the code, and nothing else, so that both stay in
//! registers. Whatever needs more, a thunk that is to be opened or a sum that does not fit, is left to the machine.

use super::arithmetic::{compute, holds_for};
use super::code::Pattern;
use super::frames::discard;
use super::instruction::{Binary, Instruction, LookUp, Operand};
use super::seq;
use super::value::Value;
use crate::builtins::Builtin;
use std::rc::Rc;

/// Runs instructions from `at` on; the place of the first one that is left to the machine.
#[inline(always)]
pub fn run(
    code: &[Instruction],
    mut at: usize,
    frame: &mut [Value],
    steps_left: &mut u32,
    n_variables: usize,
) -> usize {
    loop {
        match &code[at] {
            Instruction::Int(into, number) => put(frame, *into, Value::Int(*number)),
            Instruction::AddInt(add) => {
                let Value::Int(number) = frame[add.from as usize] else { return at };
                let Some(sum) = number.checked_add(add.number) else { return at };
                put(frame, add.into, Value::Int(sum));
            }
            Instruction::EqualInt(test) => {
                let Value::Int(number) = frame[test.slot as usize] else { return at };
                if (number == test.number) != test.expected {
                    at = test.place as usize;
                    continue;
                }
            }
            Instruction::LessInt(test) => {
                let Value::Int(number) = frame[test.slot as usize] else { return at };
                if (number < test.number) != test.expected {
                    at = test.place as usize;
                    continue;
                }
            }
            Instruction::GreaterInt(test) => {
                let Value::Int(number) = frame[test.slot as usize] else { return at };
                if (number > test.number) != test.expected {
                    at = test.place as usize;
                    continue;
                }
            }
            Instruction::Equal(test) => {
                let Value::Int(left) = frame[test.left as usize] else { return at };
                let Value::Int(right) = frame[test.right as usize] else { return at };
                if (left == right) != test.expected {
                    at = test.place as usize;
                    continue;
                }
            }
            Instruction::Less(test) => {
                let Value::Int(left) = frame[test.left as usize] else { return at };
                let Value::Int(right) = frame[test.right as usize] else { return at };
                if (left < right) != test.expected {
                    at = test.place as usize;
                    continue;
                }
            }
            Instruction::Try(into, binary, place) => {
                let number = numbers(binary, frame).and_then(|(left, right)| compute(binary.op, left, right));
                let Some(number) = number else {
                    at = *place as usize;
                    continue;
                };
                put(frame, *into, Value::Int(number));
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
                    return at;
                }
            }
            Instruction::LookUp(look_up) => {
                let Some(value) = look_up_number(frame, look_up) else { return at };
                put(frame, look_up.into, value);
            }
            Instruction::Update(update) => {
                let Some(key) = number(&update.key, frame) else { return at };
                let Value::Map(_) = &frame[update.map as usize] else { return at };
                let value = take_raw(&mut frame[update.value as usize]);
                let mut map = take_raw(&mut frame[update.map as usize]);
                if let Value::Map(map) = &mut map {
                    Rc::make_mut(map).insert(Value::Int(key), value);
                }
                put(frame, update.into, map);
            }
            Instruction::Arithmetic(into, binary) => {
                let Some((left, right)) = numbers(binary, frame) else { return at };
                let Some(number) = compute(binary.op, left, right) else { return at };
                put(frame, *into, Value::Int(number));
            }
            Instruction::Compare(binary, expected, place) => {
                let Some((left, right)) = numbers(binary, frame) else { return at };
                if holds_for(binary.op, left, right) != *expected {
                    at = *place as usize;
                    continue;
                }
            }
            Instruction::Copy(into, from) => match &frame[*from as usize] {
                Value::Thunk(_) => return at,
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
                _ => return at,
            },
            Instruction::Uncons(uncons) => {
                let (head, tail) = match &mut frame[uncons.slot as usize] {
                    Value::Seq(seq) if uncons.is_kept => seq::uncons(seq),
                    slot @ Value::Seq(_) => match std::mem::replace(slot, Value::Hole) {
                        Value::Seq(seq) => seq::take_apart(seq),
                        _ => return at,
                    },
                    Value::Thunk(_) => return at,
                    _ => {
                        at = uncons.otherwise as usize;
                        continue;
                    }
                };
                bind(frame, uncons.head, head);
                bind(frame, uncons.tail, tail);
            }
            Instruction::Empty(slot, place) => match frame[*slot as usize] {
                Value::EmptySeq => {}
                Value::Thunk(_) => return at,
                _ => {
                    at = *place as usize;
                    continue;
                }
            },
            Instruction::TestSlot(slot, expected, place) => match frame[*slot as usize] {
                Value::Bool(truth) if truth.get() == *expected => {}
                Value::Bool(_) => {
                    at = *place as usize;
                    continue;
                }
                _ => return at,
            },
            Instruction::Jump(place) => {
                at = *place as usize;
                continue;
            }
            Instruction::Repeat(n_arguments) => {
                if *steps_left <= 1 {
                    return at;
                }
                *steps_left -= 1;
                clear(&mut frame[*n_arguments as usize..n_variables]);
                at = 0;
                continue;
            }
            _ => return at,
        }
        at += 1;
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
