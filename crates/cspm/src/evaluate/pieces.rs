//! Sequences that a recursion builds from the front.
//!
//! `f(x) = <y> ^ f(z)` asks for one element and delays the rest, which costs a thunk per element. As with other delayed
//! expressions (see [`super::trial`]) the rest is tried at once: the function starts over in its frame with the new
//! arguments, and its elements are collected until it yields something else, fails, or the piece is long enough. What
//! then remains is the call with the arguments at hand, for later.

use super::Evaluator;
use super::code::{Arg, Call, Function, Op};
use super::instruction::{Instruction, Prepend};
use super::interpret::Args;
use super::runtime_error::{Eval, Failed};
use super::seq;
use super::value::{Pending, Thunk, Value};
use crate::syntax::ExprId;
use std::rc::Rc;

/// The most elements that are collected before somebody asks for them.
const LONGEST_PIECE: usize = 64;

/// What is left to do when collecting ends early.
enum Left<'c> {
    /// What the instruction delays; the frame is as it found it.
    Tail(&'c Prepend),
    /// A call with these arguments.
    Call(Args, ExprId),
}

impl Evaluator<'_> {
    /// The sequence that begins with what an instruction prepends.
    #[inline(never)]
    pub(super) fn collected(&mut self, prepend: &Prepend, base: usize) -> Eval {
        let head = self.arg(&prepend.head, base)?;
        if !self.may_try(&prepend.tail) {
            let tail = self.delay(&prepend.tail, base);
            return Ok(seq::cons(head, tail));
        }
        let function = self.program.code(prepend.call.function);
        let height = self.stack.len();
        let is_outermost = self.begin_trial();
        let mut piece = Vec::with_capacity(8);
        piece.push(head);
        let rest = self.collect_more(&function, prepend, base, &mut piece);
        let is_abandoned = self.end_trial(is_outermost);
        let rest = match rest {
            Ok(rest) => rest,
            Err(_) if is_abandoned && !is_outermost => return Err(Failed),
            Err(_) if !is_abandoned && self.is_interrupted() => return Err(Failed),
            Err(left) => {
                self.fault = None;
                self.stack.truncate(height);
                if piece.len() == 1 {
                    prepend.tail.disappoint(is_abandoned);
                }
                match left {
                    Left::Tail(prepend) => self.delay(&prepend.tail, base),
                    Left::Call(args, site) => later(&function, args, site),
                }
            }
        };
        if piece.len() > 1 {
            prepend.tail.encourage();
        }
        Ok(piece.into_iter().rev().fold(rest, |rest, element| seq::cons(element, rest)))
    }

    /// Collects elements; what follows them.
    fn collect_more<'c>(
        &mut self,
        function: &'c Rc<Function>,
        mut prepend: &'c Prepend,
        base: usize,
        piece: &mut Vec<Value>,
    ) -> Result<Value, Left<'c>> {
        loop {
            let Ok(args) = self.arguments(&prepend.call, base) else { return Err(Left::Tail(prepend)) };
            let site = prepend.call.site;
            if piece.len() >= LONGEST_PIECE || self.is_running_out() {
                return Ok(later(function, args, site));
            }
            for (index, arg) in args.iter().enumerate() {
                self.put(base + index, arg.clone());
            }
            self.clear(base + args.len(), base + function.n_variables);
            let outcome = match self.tick().and_then(|()| self.execute(function, base, Some(site), true)) {
                Ok(Value::Hole) => {
                    let Some((head, at)) = self.prepended.take() else { return Ok(Value::EmptySeq) };
                    piece.push(head);
                    let Some(Instruction::Prepend(next)) = function.code.get(at) else {
                        unreachable!("only such an instruction prepends");
                    };
                    prepend = next;
                    continue;
                }
                outcome => outcome,
            };
            return outcome.map_err(|Failed| Left::Call(args, site));
        }
    }

    fn arguments(&mut self, call: &Call, base: usize) -> Eval<Args> {
        let mut args = Args::new();
        for arg in &call.args {
            args.push(match arg {
                Arg::Local(slot) => self.stack[base + *slot as usize].peel().clone(),
                Arg::Now(Op::Local(slot)) => self.local(base + *slot as usize)?,
                arg => self.arg(arg, base)?,
            });
        }
        Ok(args)
    }
}

/// A call for later.
fn later(function: &Rc<Function>, args: Args, site: ExprId) -> Value {
    Value::Thunk(Rc::new(Thunk::new(Pending::Call(function.clone(), args.into_vec().into(), site))))
}
