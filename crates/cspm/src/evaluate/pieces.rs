//! Sequences that a recursion builds from the front.
//!
//! `f(x) = <y> ^ f(z)` asks for one element and delays the rest, which costs a thunk per element. As with other delayed
//! expressions (see [`super::trial`]) the rest is tried at once: the function starts over in its frame with the new
//! arguments, and its elements are collected until it yields something else or the piece is long enough; what then
//! remains is the call with the arguments at hand, for later. A trial in vain is forgotten with all it has collected.

use super::Evaluator;
use super::code::Function;
use super::instruction::Instruction;
use super::machine::Position;
use super::runtime_error::Eval;
use super::seq;
use super::value::Value;
use smallvec::SmallVec;
use std::rc::Rc;

/// The most elements that are collected before somebody asks for them.
pub const LONGEST_PIECE: usize = 64;
/// Pieces up to this length are cells.
const SHORT_PIECE: usize = 3;

impl Evaluator<'_> {
    /// The sequence that begins with what the instruction at a position prepends.
    #[inline(never)]
    pub(super) fn collected(&mut self, function: &Rc<Function>, position: Position) -> Eval {
        let Some(Instruction::Prepend(prepend)) = function.code.get(position.at) else {
            unreachable!("only such an instruction prepends");
        };
        let base = position.base;
        let head = base + prepend.head as usize;
        if !self.may_try(&prepend.tail.hope) {
            let (head, tail) = (self.take_raw(head), self.delay(&prepend.tail, base));
            return Ok(seq::cons(head, tail));
        }
        let head = self.stack[head].clone();
        let frame: SmallVec<[Value; 8]> =
            self.stack[base..base + function.n_variables].iter().map(|value| value.peel().clone()).collect();
        let mut piece = Vec::with_capacity(8);
        let start = Position { at: position.at + 1, ..position };
        let rest = self.attempt(&prepend.tail.hope, |this| this.execute_from(function, start, Some(&mut piece)))?;
        let Some(rest) = rest else {
            for (index, value) in (base..).zip(frame) {
                self.put(index, value);
            }
            let tail = self.delay(&prepend.tail, base);
            return Ok(seq::cons(head, tail));
        };
        if piece.len() <= SHORT_PIECE {
            return Ok(piece.into_iter().rev().fold(rest, |rest, element| seq::cons(element, rest)));
        }
        Ok(seq::append(seq::from_vec(piece), rest))
    }
}
