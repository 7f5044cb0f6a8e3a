//! Sequences that a recursion builds from the front.
//!
//! `f(x) = <y> ^ f(z)` asks for one element and delays the rest, which costs a thunk per element. As with other delayed
//! expressions (see [`super::speculation`]) the rest is computed speculatively: the function starts over in its frame
//! with the new arguments, and its elements are collected until it yields something else or the piece is long enough;
//! what then remains is the call with the evaluated arguments, delayed. What an aborted speculation has collected is
//! dropped.

use super::Evaluator;
use super::code::{Delay, FunctionId};
use super::run::Code;
use super::runtime_error::Eval;
use super::seq;
use super::speculation::RUNNING_OUT;
use super::value::{Pending, Thunk, Value};
use cspm::syntax::ExprId;
use limits::effort::evaluator::{LONGEST_PIECE, SHORT_PIECE};
use std::rc::Rc;

/// `<head> ^ f(args)` as the value of `f`.
#[derive(Debug)]
pub struct Prepend {
    /// The function.
    pub function: FunctionId,
    /// The rest behind the element, delayed.
    pub tail: Delay,
    /// Starts the function over with its new arguments.
    pub again: Code<()>,
    /// How many arguments it has.
    pub n_arguments: usize,
    /// Where the call stands.
    pub site: ExprId,
}

/// Elements that are being collected.
#[derive(Debug)]
pub struct Piece {
    /// The frame of the function that yields them.
    base: usize,
    elements: Vec<Value>,
}

impl Evaluator<'_> {
    /// Whether elements of the current function are being collected.
    #[inline(always)]
    pub(super) fn is_collecting(&self, base: usize) -> bool {
        self.piece.as_ref().is_some_and(|piece| piece.base == base)
    }

    /// Collects an element of the function, which has its new arguments already.
    #[inline(always)]
    pub(super) fn collect_one(&mut self, head: Value, prepend: &Prepend, base: usize) -> Eval {
        let Some(piece) = &mut self.piece else { unreachable!("elements are being collected") };
        piece.elements.push(head);
        if piece.elements.len() > LONGEST_PIECE || self.steps_left <= RUNNING_OUT {
            return Ok(self.later(prepend, base));
        }
        Ok(Value::Hole)
    }

    /// The call for later, with the arguments at the bottom of the frame.
    #[inline(never)]
    fn later(&mut self, prepend: &Prepend, base: usize) -> Value {
        let args = (0..prepend.n_arguments).map(|index| self.take_raw(base + index)).collect();
        let function = self.program.code(prepend.function);
        Value::Thunk(Rc::new(Thunk::new(Pending::Call(function, args, prepend.site))))
    }

    /// The sequence that begins with an element of the function.
    #[inline(never)]
    pub(super) fn collected(&mut self, head: Value, prepend: &Prepend, base: usize) -> Eval {
        if !self.may_speculate(&prepend.tail.profile) {
            let tail = self.delay(&prepend.tail, base);
            return Ok(seq::cons(head, tail));
        }
        // Kept for the rest if it is not computed now: starting over overwrites the frame, which is not needed any
        // more.
        let captures = prepend.tail.captures.iter();
        let captured = captures.map(|capture| self.stack[base + capture.slot as usize].peel().clone()).collect();
        let mut elements = Vec::with_capacity(8);
        elements.push(head.clone());
        let outer = self.piece.replace(Piece { base, elements });
        let rest = self.speculate(&prepend.tail.profile, |this| this.collect_elements(prepend, base));
        let piece = std::mem::replace(&mut self.piece, outer).map_or_else(Vec::new, |piece| piece.elements);
        let Some(rest) = rest? else {
            let tail = Thunk::new(Pending::Run(prepend.tail.function.clone(), captured));
            return Ok(seq::cons(head, Value::Thunk(Rc::new(tail))));
        };
        if piece.len() <= SHORT_PIECE {
            return Ok(piece.into_iter().rev().fold(rest, |rest, element| seq::cons(element, rest)));
        }
        Ok(seq::append(seq::from_vec(piece), rest))
    }

    /// The rest behind the collected elements; possibly a thunk.
    fn collect_elements(&mut self, prepend: &Prepend, base: usize) -> Eval {
        let function = self.program.code(prepend.function);
        prepend.again.run(self, base)?;
        loop {
            self.tick()?;
            match (function.code.run(self, base)?, self.next.take()) {
                (Value::Hole, None) => {}
                (Value::Hole, Some((callee, site))) => {
                    let piece = self.piece.take();
                    let value = self.execute(&callee, base, Some(site));
                    self.piece = piece;
                    return value;
                }
                (value, _) => return Ok(value),
            }
        }
    }
}
