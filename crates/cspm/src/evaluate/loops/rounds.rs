//! Rounds, one step after the other.
//!
//! Loops spend their time here, in the only place where steps are told apart.

use super::super::arithmetic::compute;
use super::super::map::Map;
use super::super::seq::{Cursor, First};
use super::super::value::Value;
use super::Loop;
use super::changes::Changes;
use super::steps::{N_CURSORS, N_MAPS, N_REGISTERS, Place, Step};
use crate::syntax::BinaryOp;
use std::rc::Rc;

/// What rounds work on besides sequences.
pub(super) struct State {
    pub(super) registers: [i64; N_REGISTERS],
    pub(super) maps: [Option<Rc<Map>>; N_MAPS],
    pub(super) piece: Vec<i64>,
    pub(super) changes: Changes,
}

/// Why the rounds ended.
#[derive(Clone, Copy)]
pub(super) enum End {
    Number(i64),
    Constant(u8),
    Sequence(Place),
    Rest(Place),
    Text,
    /// With what was collected, and nothing behind it.
    Collected,
    /// The next round is for the closures.
    Given,
}

/// Why and how rounds ended: with what is left of a sequence, that goes behind what was collected if it is at hand.
#[inline(always)]
pub(super) fn with_rest(end: End, state: &mut State, cursors: &[Cursor<'_>; N_CURSORS]) -> End {
    match end {
        End::Sequence(place)
            if !state.piece.is_empty() && cursors[place as usize % N_CURSORS].is_added_to(&mut state.piece) =>
        {
            End::Collected
        }
        end => end,
    }
}

impl Loop {
    /// As many rounds as possible, but no more than `limit`; why they ended, and how many there were.
    #[inline(always)]
    pub(super) fn rounds(
        &self,
        state: &mut State,
        cursors: &mut [Cursor<'_>; N_CURSORS],
        mut limit: usize,
    ) -> (End, usize) {
        let State { registers, maps, piece, changes } = state;
        let steps = &*self.steps;
        let (mut n_rounds, mut at) = (0, 0);
        // Words for the steps below; functions for the same, which say by a value how it goes on, are slower.
        macro_rules! given {
            () => {
                return (End::Given, n_rounds)
            };
        }
        macro_rules! register {
            ($register:expr) => {
                registers[$register as usize % N_REGISTERS]
            };
        }
        macro_rules! set {
            ($into:expr, $number:expr) => {
                match $number {
                    Some(number) => register!($into) = number,
                    None => given!(),
                }
            };
        }
        macro_rules! unless {
            ($truth:expr, $target:expr) => {
                if !$truth {
                    at = $target as usize;
                }
            };
        }
        macro_rules! place {
            ($place:expr) => {
                cursors[$place as usize % N_CURSORS]
            };
        }
        macro_rules! map {
            ($map:expr) => {
                match &mut maps[$map as usize % N_MAPS] {
                    Some(map) => map,
                    None => given!(),
                }
            };
        }
        macro_rules! again {
            () => {{
                n_rounds += 1;
                at = 0;
                if n_rounds >= limit {
                    break;
                }
            }};
        }
        macro_rules! has_more {
            ($place:expr) => {
                match place!($place).first() {
                    First::Number(_) | First::Value(_) => true,
                    First::End => false,
                    First::Unknown => given!(),
                }
            };
        }
        macro_rules! has_first {
            ($place:expr, $into:expr) => {
                match place!($place).first() {
                    First::Number(number) => {
                        register!($into) = number;
                        true
                    }
                    First::Value(value) => {
                        set!($into, number(value));
                        true
                    }
                    First::End => false,
                    First::Unknown => given!(),
                }
            };
        }
        while let Some(step) = steps.get(at) {
            at += 1;
            match *step {
                Step::Add(into, left, right) => set!(into, register!(left).checked_add(register!(right))),
                Step::Subtract(into, left, right) => set!(into, register!(left).checked_sub(register!(right))),
                Step::Multiply(into, left, right) => set!(into, register!(left).checked_mul(register!(right))),
                Step::Divide(into, left, right) => {
                    set!(into, compute(BinaryOp::Divide, register!(left), register!(right)));
                }
                Step::Modulo(into, left, right) => {
                    set!(into, compute(BinaryOp::Modulo, register!(left), register!(right)));
                }
                Step::Copy(into, from) => register!(into) = register!(from),
                Step::UnlessEqual(left, right, target) => unless!(register!(left) == register!(right), target),
                Step::UnlessDifferent(left, right, target) => unless!(register!(left) != register!(right), target),
                Step::UnlessLess(left, right, target) => unless!(register!(left) < register!(right), target),
                Step::UnlessAtMost(left, right, target) => unless!(register!(left) <= register!(right), target),
                Step::Jump(target) => at = target as usize,
                Step::UnlessMore(place, target) => unless!(has_more!(place), target),
                Step::UnlessEnd(place, target) => unless!(!has_more!(place), target),
                Step::First(place, into, target) => unless!(has_first!(place, into), target),
                Step::Peek(place, into, target) => unless!(!has_first!(place, into), target),
                Step::PeekBoth(place, into, also, target, further) => {
                    match (place!(place).number(), place!(place + 1).number()) {
                        (Some(one), Some(other)) => {
                            (register!(into), register!(also)) = (one, other);
                            at = further as usize;
                        }
                        _ => unless!(!has_first!(place, into), target),
                    }
                }
                Step::Item(place, index, into) => set!(into, item(place!(place).first(), index)),
                Step::UnlessMember(store, key, target) => {
                    unless!(map!(store).get_number(register!(key)).is_some(), target);
                }
                Step::Lookup(store, key, into) => {
                    set!(into, map!(store).get_number(register!(key)).and_then(number));
                }
                Step::Push(from) => piece.push(register!(from)),
                Step::Update(store, key, from) => {
                    let (key, value) = (register!(key), Value::Int(register!(from)));
                    changes.update(map!(store), store, key, value, self.keeps_journal);
                }
                Step::UpdateConstant(store, key, constant) => {
                    let (key, value) = (register!(key), self.constants[constant as usize].clone());
                    changes.update(map!(store), store, key, value, self.keeps_journal);
                }
                Step::Write(constant) => changes.write(&self.constants[constant as usize]),
                Step::WriteNumber(from) => changes.write_number(register!(from)),
                Step::Settle => {
                    if !changes.settle() {
                        limit = 0;
                    }
                }
                Step::Skip(place) => place!(place).skip(),
                Step::Again => again!(),
                Step::SkipAgain(place) => {
                    place!(place).skip();
                    again!();
                }
                Step::AddAgain(into, left, right) => {
                    set!(into, register!(left).checked_add(register!(right)));
                    again!();
                }
                Step::SubtractAgain(into, left, right) => {
                    set!(into, register!(left).checked_sub(register!(right)));
                    again!();
                }
                Step::AddSkipAgain(into, left, right, place) => {
                    set!(into, register!(left).checked_add(register!(right)));
                    place!(place).skip();
                    again!();
                }
                Step::PushUnlessMore(from, bound, place, target) => match register!(from) <= register!(bound) {
                    true => {
                        piece.push(register!(from));
                        place!(place).skip();
                        again!();
                    }
                    false => at = target as usize,
                },
                Step::PushSkipAgain(from, place) => {
                    piece.push(register!(from));
                    place!(place).skip();
                    again!();
                }
                Step::YieldNumber(from) => return (End::Number(register!(from)), n_rounds),
                Step::YieldConstant(constant) => return (End::Constant(constant), n_rounds),
                Step::YieldSequence(place) => return (End::Sequence(place), n_rounds),
                Step::YieldRest(place) => return (End::Rest(place), n_rounds),
                Step::YieldText => return (End::Text, n_rounds),
                Step::Give => break,
            }
        }
        (End::Given, n_rounds)
    }
}

#[inline(always)]
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        value => number_behind(value),
    }
}

#[inline(never)]
fn number_behind(value: &Value) -> Option<i64> {
    match value.peel() {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// An item of a tuple, if it is a number.
#[inline(always)]
fn item(first: First<'_>, index: u8) -> Option<i64> {
    let First::Value(value) = first else { return None };
    match value.peel() {
        Value::Tuple(node) => number(node.items.get(index as usize)?),
        _ => None,
    }
}
