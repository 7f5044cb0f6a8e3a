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
mod rounds;
mod steps;
mod trust;

pub use steps::{N_CURSORS, N_MAPS, N_REGISTERS, Place, Register, Step, Store, Target};
pub use trust::Trust;

use super::Evaluator;
use super::code::{FunctionId, Slot};
use super::seq::{self, Front};
use super::value::{Pending, Thunk, Value};
use crate::syntax::ExprId;
use changes::Changes;
use rounds::{End, State, with_rest};
use std::rc::Rc;

/// Rounds that take about as long as a step of the closures.
const ROUNDS_PER_STEP: usize = 8;
/// The most elements that are collected before somebody asks for them.
const LONGEST_PIECE: usize = 256;

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
            let end = with_rest(end, &mut state, &cursors);
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
            End::Collected => Some(Value::EmptySeq),
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
