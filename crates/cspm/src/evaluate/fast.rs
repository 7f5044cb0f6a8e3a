//! The instructions that need nothing but the frame.
//!
//! Most steps of most loops move numbers between slots, compare them, or take a sequence apart that is there already.
//! They are run here in a loop that knows the frame and the place in the code, and nothing else, so that both stay in
//! registers. Whatever needs more, a thunk that is to be opened or a sum that does not fit, is left to the machine.

use super::instruction::{Binary, Instruction, Operand};
use super::interpret::{compute, discard, holds_for};
use super::seq;
use super::value::Value;

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
            Instruction::Arithmetic(into, binary) | Instruction::Cheap(into, binary, _) => {
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
