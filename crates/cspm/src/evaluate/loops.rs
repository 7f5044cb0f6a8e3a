//! Loops on numbers.
//!
//! A function that goes on with itself, over a sequence or not, mostly compares numbers, adds them and looks into maps. Such
//! a function has, beside its closures, its rounds as a row of small steps on registers that hold numbers and nothing else,
//! with a place for each sequence it goes along. No step can fail, run code of the script or look at what is yet to be
//! computed; where one would have to, or where the round ends in something larger, nothing of the round has been done
//! yet, or is taken back: what was reached before goes back to the frame, and the closures take the round from its beginning.
//! So these rounds need not know everything, and errors, laziness and limits are left to the closures.
//!
//! Rounds that yield an element each, `<x>^f(y)`, collect a piece, and what follows is a call for later. Rounds that write text
//! behind an argument collect what they write.

mod changes;

use super::Evaluator;
use super::arithmetic::compute;
use super::code::{FunctionId, Slot};
use super::map::Map;
use super::seq::{self, Cursor, First, Front};
use super::value::{Pending, Thunk, Value};
use crate::syntax::{BinaryOp, ExprId};
use changes::Changes;
use std::cell::Cell;
use std::rc::Rc;

/// How many registers there are.
pub const N_REGISTERS: usize = 64;
/// How many sequences a loop may go along.
pub const N_CURSORS: usize = 2;
/// How many maps it may use.
pub const N_MAPS: usize = 2;
/// Rounds that take about as long as a step of the closures.
const ROUNDS_PER_STEP: usize = 8;
/// The most elements that are collected before somebody asks for them.
const LONGEST_PIECE: usize = 256;
/// Trust in a loop to begin with, and the most it can earn.
const TRUST: i16 = 16;
/// Calls after which a loop that was of no use is tried once more.
const REST: i16 = 1000;

/// A register.
pub type Register = u8;
/// Which of the sequences.
pub type Place = u8;
/// Which of the maps.
pub type Store = u8;
/// A step to go on with.
pub type Target = u16;

/// A step of a round. Where a register, a sequence or a map does not have what a step needs, the round is left to the closures.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub enum Step {
    /// The first register becomes the sum of the others.
    Add(Register, Register, Register),
    /// It becomes their difference.
    Subtract(Register, Register, Register),
    /// It becomes their product.
    Multiply(Register, Register, Register),
    /// It becomes their quotient.
    Divide(Register, Register, Register),
    /// It becomes the remainder.
    Modulo(Register, Register, Register),
    /// The first register becomes the second.
    Copy(Register, Register),
    /// Goes elsewhere unless the numbers are equal.
    UnlessEqual(Register, Register, Target),
    /// Goes elsewhere unless they differ.
    UnlessDifferent(Register, Register, Target),
    /// Goes elsewhere unless the first is less.
    UnlessLess(Register, Register, Target),
    /// Goes elsewhere unless the first is no more than the second.
    UnlessAtMost(Register, Register, Target),
    /// Goes elsewhere.
    Jump(Target),
    /// Goes elsewhere at the end of a sequence.
    UnlessMore(Place, Target),
    /// Goes elsewhere unless a sequence has ended.
    UnlessEnd(Place, Target),
    /// Takes a look at the number in front of a sequence, or goes elsewhere at its end.
    First(Place, Register, Target),
    /// Goes elsewhere with the number in front of a sequence, unless it has ended.
    Peek(Place, Register, Target),
    /// An item of the tuple there.
    Item(Place, u8, Register),
    /// Goes elsewhere unless a map has a key.
    UnlessMember(Store, Register, Target),
    /// The number that a map has for a key.
    Lookup(Store, Register, Register),
    /// Adds an element to the piece. From here on a round is certain to come to its end.
    Push(Register),
    /// Lets a map have a number for a key.
    Update(Store, Register, Register),
    /// The same with one of the constants.
    UpdateConstant(Store, Register, u8),
    /// Writes one of the constants behind the text.
    Write(u8),
    /// Writes a number there.
    WriteNumber(Register),
    /// What was changed is not taken back any more: from here on the round is certain to come to its end.
    Settle,
    /// Goes past an element.
    Skip(Place),
    /// Starts over.
    Again,
    /// Goes past an element and starts over.
    SkipAgain(Place),
    /// The first register becomes the sum of the others, and the round starts over.
    AddAgain(Register, Register, Register),
    /// The same with their difference.
    SubtractAgain(Register, Register, Register),
    /// The first register becomes the sum of the others; goes past an element and starts over.
    AddSkipAgain(Register, Register, Register, Place),
    /// Goes past an element and starts over, behind an element of the piece.
    PushSkipAgain(Register, Place),
    /// The function yields a number.
    YieldNumber(Register),
    /// It yields one of the constants.
    YieldConstant(u8),
    /// It yields what is left of a sequence.
    YieldSequence(Place),
    /// It yields what follows the first element, which is there.
    YieldRest(Place),
    /// It yields the text.
    YieldText,
    /// A round for the closures.
    Give,
}

/// Why the rounds ended.
#[derive(Clone, Copy)]
enum End {
    Number(i64),
    Constant(u8),
    Sequence(Place),
    Rest(Place),
    Text,
    /// The next round is for the closures.
    Given,
}

/// A loop.
#[derive(Debug)]
pub struct Loop {
    /// The function.
    pub function: FunctionId,
    /// How many arguments it has.
    pub n_arguments: usize,
    /// The arguments that are numbers, with their registers.
    pub numbers: Box<[(Slot, Register)]>,
    /// Registers that always hold the same number.
    pub fixed: Box<[(Register, i64)]>,
    /// The arguments that are sequences, in the order of their places.
    pub sequences: Box<[Slot]>,
    /// The arguments that are maps.
    pub maps: Box<[Slot]>,
    /// The argument that text is written behind.
    pub text: Option<Slot>,
    /// Values without parts, and text.
    pub constants: Box<[Value]>,
    /// A round.
    pub steps: Box<[Step]>,
    /// Whether changes of maps have to be taken back when a round is left to the closures.
    pub keeps_journal: bool,
    /// Where the call behind the element stands, if rounds yield elements.
    pub yields_elements: Option<ExprId>,
    /// How useful it was.
    pub trust: Trust,
}

/// How useful a loop was lately.
#[derive(Debug)]
pub struct Trust(Cell<i16>);

impl Default for Trust {
    fn default() -> Trust {
        Trust(Cell::new(TRUST))
    }
}

impl Trust {
    #[inline(always)]
    fn is_there(&self) -> bool {
        self.0.get() > 0 || self.rest()
    }

    /// Counts calls; whether to try once more.
    #[inline(never)]
    fn rest(&self) -> bool {
        let is_over = self.0.get() <= -REST;
        self.0.set(if is_over { 1 } else { self.0.get() - 1 });
        is_over
    }

    #[inline(always)]
    fn change(&self, was_useful: bool) {
        self.0.set((self.0.get() + if was_useful { 1 } else { -1 }).min(TRUST));
    }
}

/// What rounds work on besides sequences.
struct State {
    registers: [i64; N_REGISTERS],
    maps: [Option<Rc<Map>>; N_MAPS],
    piece: Vec<i64>,
    changes: Changes,
}

impl Loop {
    /// As many rounds as possible in the frame at `base`; the value, if it was reached. Otherwise the next round is for the
    /// closures, and the frame is as they want it.
    #[inline(always)]
    pub fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Option<Value> {
        if !self.trust.is_there() {
            return None;
        }
        self.run_trusted(evaluator, base)
    }

    #[inline(never)]
    fn run_trusted(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Option<Value> {
        let mut state = State {
            registers: [0; N_REGISTERS],
            maps: [None, None],
            piece: std::mem::take(&mut evaluator.numbers),
            changes: Changes::default(),
        };
        if !self.is_at_hand(evaluator.frame(base), &mut state.registers) {
            self.trust.change(false);
            evaluator.numbers = state.piece;
            return None;
        }
        for &(register, number) in &self.fixed {
            state.registers[register as usize] = number;
        }
        let limit = (evaluator.steps_left as usize).saturating_sub(1) * ROUNDS_PER_STEP;
        let limit = if self.yields_elements.is_some() { limit.min(LONGEST_PIECE) } else { limit };
        let frame = evaluator.frame_mut(base);
        let mut taken = [Value::EmptySeq, Value::EmptySeq];
        for (taken, &slot) in taken.iter_mut().zip(&self.sequences) {
            *taken = take_evaluated(&mut frame[slot as usize]);
        }
        for (map, &slot) in state.maps.iter_mut().zip(&self.maps) {
            if let Value::Map(taken) = take_evaluated(&mut frame[slot as usize]) {
                *map = Some(taken);
            }
        }
        let (end, n_rounds, left) = {
            let fronts = [Front::new(&taken[0]), Front::new(&taken[1])];
            let mut cursors = [fronts[0].cursor(), fronts[1].cursor()];
            let (end, n_rounds) = self.rounds(&mut state, &mut cursors, limit);
            (end, n_rounds, [cursors[0].left(), cursors[1].left()])
        };
        if let (End::Given, true) = (end, self.keeps_journal || self.text.is_some()) {
            state.changes.take_back(&mut state.maps);
        }
        evaluator.steps_left -= (n_rounds / ROUNDS_PER_STEP) as u32;
        self.trust.change(n_rounds > 0 || !matches!(end, End::Given));
        let value = self.ended(end, &mut state, taken, left, evaluator, base);
        state.piece.clear();
        evaluator.numbers = state.piece;
        value
    }

    /// Whether all arguments that the rounds look at are there, as what they should be.
    #[inline(always)]
    fn is_at_hand(&self, frame: &[Value], registers: &mut [i64; N_REGISTERS]) -> bool {
        let is_number = |&(slot, register): &(Slot, Register)| match frame[slot as usize].peel() {
            Value::Int(number) => {
                registers[register as usize] = *number;
                true
            }
            _ => false,
        };
        let is_sequence = |&slot: &Slot| matches!(frame[slot as usize].peel(), Value::Seq(_) | Value::EmptySeq);
        let is_map = |&slot: &Slot| matches!(frame[slot as usize].peel(), Value::Map(_));
        self.numbers.iter().all(is_number)
            && self.sequences.iter().all(is_sequence)
            && self.maps.iter().all(is_map)
            && self.text.iter().all(is_sequence)
    }

    #[inline(always)]
    fn rounds(&self, state: &mut State, cursors: &mut [Cursor<'_>; N_CURSORS], mut limit: usize) -> (End, usize) {
        let State { registers, maps, piece, changes } = state;
        let steps = &*self.steps;
        let (mut n_rounds, mut at) = (0, 0);
        macro_rules! register {
            ($register:expr) => {
                registers[$register as usize % N_REGISTERS]
            };
        }
        macro_rules! set {
            ($into:expr, $number:expr) => {
                match $number {
                    Some(number) => register!($into) = number,
                    None => return (End::Given, n_rounds),
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
                    None => return (End::Given, n_rounds),
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
                Step::UnlessMore(place, target) => match place!(place).first() {
                    First::Number(_) | First::Value(_) => {}
                    First::End => at = target as usize,
                    First::Unknown => return (End::Given, n_rounds),
                },
                Step::UnlessEnd(place, target) => match place!(place).first() {
                    First::Number(_) | First::Value(_) => at = target as usize,
                    First::End => {}
                    First::Unknown => return (End::Given, n_rounds),
                },
                Step::First(place, into, target) => match place!(place).first() {
                    First::Number(number) => register!(into) = number,
                    First::Value(value) => set!(into, number(value)),
                    First::End => at = target as usize,
                    First::Unknown => return (End::Given, n_rounds),
                },
                Step::Peek(place, into, target) => {
                    match place!(place).first() {
                        First::Number(number) => register!(into) = number,
                        First::Value(value) => set!(into, number(value)),
                        First::End => continue,
                        First::Unknown => return (End::Given, n_rounds),
                    }
                    at = target as usize;
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

    /// The value, or the frame as the closures want it.
    #[inline(always)]
    fn ended(
        &self,
        end: End,
        state: &mut State,
        taken: [Value; N_CURSORS],
        left: [Result<Value, usize>; N_CURSORS],
        evaluator: &mut Evaluator<'_>,
        base: usize,
    ) -> Option<Value> {
        let rest = match end {
            End::Number(number) => return Some(Value::Int(number)),
            End::Constant(constant) => Some(self.constants[constant as usize].clone()),
            End::Sequence(_) | End::Rest(_) | End::Text | End::Given => None,
        };
        if let Some(rest) = rest {
            return Some(collected(&mut state.piece, rest));
        }
        self.go_on_later(end, state, taken, left, evaluator, base)
    }

    #[inline(never)]
    fn go_on_later(
        &self,
        end: End,
        state: &mut State,
        taken: [Value; N_CURSORS],
        left: [Result<Value, usize>; N_CURSORS],
        evaluator: &mut Evaluator<'_>,
        base: usize,
    ) -> Option<Value> {
        let State { registers, maps, piece, changes } = state;
        let text = std::mem::take(&mut changes.text);
        let frame = evaluator.frame_mut(base);
        for &(slot, register) in &self.numbers {
            frame[slot as usize] = Value::Int(registers[register as usize]);
        }
        if let (Some(slot), false) = (self.text, text.is_empty()) {
            let before = take_evaluated(&mut frame[slot as usize]);
            frame[slot as usize] = seq::append(before, seq::from_ascii(text));
        }
        for (map, &slot) in maps.iter_mut().zip(&self.maps) {
            if let Some(map) = map.take() {
                frame[slot as usize] = Value::Map(map);
            }
        }
        for ((taken, left), &slot) in taken.into_iter().zip(left).zip(&self.sequences) {
            frame[slot as usize] = match left {
                Ok(rest) => rest,
                Err(count) => seq::without_front(taken, count),
            };
        }
        let is_value = |rest: &Value| !piece.is_empty() || !matches!(rest, Value::Thunk(_));
        match end {
            End::Sequence(place) | End::Rest(place) => {
                let slot = &mut frame[self.sequences[place as usize] as usize];
                let rest = match (end, &*slot) {
                    (End::Rest(_), Value::Seq(seq)) => seq::uncons(seq).1.peel().clone(),
                    (_, sequence) => sequence.clone(),
                };
                // What has yet to be computed is for the closures, from the beginning of the round.
                if !is_value(&rest) {
                    return None;
                }
                *slot = Value::Hole;
                Some(collected(piece, rest))
            }
            End::Text => Some(collected(piece, take_evaluated(&mut frame[self.text? as usize]))),
            _ if piece.is_empty() => None,
            _ => {
                let site = self.yields_elements?;
                let args = (0..self.n_arguments).map(|index| evaluator.take_raw(base + index)).collect();
                let call = Pending::Call(evaluator.program.code(self.function), args, site);
                Some(collected(piece, Value::Thunk(Rc::new(Thunk::new(call)))))
            }
        }
    }
}

/// A piece and what follows.
#[inline(always)]
fn collected(piece: &mut Vec<i64>, rest: Value) -> Value {
    if piece.is_empty() { rest } else { seq::numbers_before(piece, rest) }
}

/// Takes the value out of a slot, which is no thunk that has yet to be computed.
#[inline(always)]
fn take_evaluated(slot: &mut Value) -> Value {
    match std::mem::replace(slot, Value::Hole) {
        Value::Thunk(thunk) => thunk.value().map_or(Value::Hole, |value| value.peel().clone()),
        value => value,
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
