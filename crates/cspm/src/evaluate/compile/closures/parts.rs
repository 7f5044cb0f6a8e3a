//! Arguments, parts of tuples and sequences, and what is made of them.

use super::super::super::Evaluator;
use super::super::super::code::{Arg, BuiltinCall, Delay, Op, PrependAgain, Slot};
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::super::super::{pieces, seq};
use super::numbers::{Number, Operand, simple};
use super::puts::put_all;
use super::ready::ready_value;
use super::{Closures, Wanted};
use crate::builtins::Builtin;
use crate::syntax::ExprId;
use smallvec::SmallVec;
use std::rc::Rc;

impl Closures {
    /// Code for something that need not be evaluated: it may yield a thunk.
    pub(super) fn part_code(&mut self, arg: Arg) -> Code {
        match arg {
            Arg::Now(op) => self.code(op),
            Arg::Local(slot) => {
                Code::new(move |evaluator, base| Ok(evaluator.stack[base + slot as usize].peel().clone()))
            }
            Arg::Move(slot) => Code::new(move |evaluator, base| Ok(evaluator.take_raw(base + slot as usize))),
            Arg::Rest(slot, is_last) => Code::new(move |evaluator, base| evaluator.rest(base + slot as usize, is_last)),
            Arg::Cheap(cheap) => {
                let (op, delay) = *cheap;
                let Some(ready) = ready_value(&op) else {
                    return Code::new(move |evaluator, base| Ok(evaluator.delay(&delay, base)));
                };
                Code::new(move |evaluator, base| match ready.find(evaluator, base) {
                    Some(value) => Ok(value),
                    None => Ok(evaluator.delay(&delay, base)),
                })
            }
            Arg::Ready(parts) => {
                let (op, delay) = *parts;
                let is_ready = self.is_ready(&op);
                let delay = self.scoped(|this| this.delay(delay));
                let op = match op {
                    Op::Builtin(call) if call.builtin == Builtin::MapLookup => {
                        return self.look_up_if(*call, IfReady { is_ready, delay });
                    }
                    op => op,
                };
                let now = self.code::<Value>(op);
                Code::new(move |evaluator, base| match is_ready.run(evaluator, base)? {
                    true => now.run(evaluator, base),
                    false => evaluator.try_or_delay(&delay, base),
                })
            }
            Arg::Delay(delay) => {
                let delay = self.scoped(|this| this.delay(*delay));
                Code::new(move |evaluator, base| evaluator.try_or_delay(&delay, base))
            }
        }
    }

    /// Whether a predefined function on a map has its arguments at hand and cannot fail.
    fn is_ready(&self, op: &Op) -> Code<bool> {
        let never = || Code::new(|_, _| Ok(false));
        let Op::Builtin(call) = op else { return never() };
        let [Arg::Now(Op::Local(map) | Op::Move(map)), Arg::Now(key), ..] = &call.args[..] else { return never() };
        let Some(key) = ready_value(key) else { return never() };
        let (builtin, map) = (call.builtin, *map as usize);
        Code::new(move |evaluator, base| {
            let Value::Map(map) = evaluator.stack[base + map].peel() else { return Ok(false) };
            let Some(key) = key.find(evaluator, base) else { return Ok(false) };
            Ok(match builtin {
                Builtin::MapLookup => map.get(&key).is_some_and(|value| !matches!(value.peel(), Value::Thunk(_))),
                _ => true,
            })
        })
    }

    pub(super) fn tuple(&mut self, args: Box<[Arg]>) -> Code {
        let parts = self.parts(args);
        if let [_, _] = &*parts {
            return Code::new(move |evaluator, base| {
                let first = parts[0].value(evaluator, base)?;
                let second = parts[1].value(evaluator, base)?;
                Ok(Value::pair(first, second))
            });
        }
        Code::new(move |evaluator, base| {
            let mut items = SmallVec::with_capacity(parts.len());
            for part in &parts {
                items.push(part.value(evaluator, base)?);
            }
            Ok(Value::tuple(items))
        })
    }

    pub(super) fn sequence(&mut self, args: Box<[Arg]>) -> Code {
        let parts = self.parts(args);
        if let [_] = &*parts {
            return Code::new(move |evaluator, base| Ok(seq::from_one(parts[0].value(evaluator, base)?)));
        }
        Code::new(move |evaluator, base| {
            let mut items = Vec::with_capacity(parts.len());
            for part in &parts {
                items.push(part.value(evaluator, base)?);
            }
            Ok(seq::from_vec(items))
        })
    }

    pub(super) fn concat(&mut self, left: Op, right: Arg) -> Code {
        let right = match right {
            Arg::Now(Op::Seq(parts)) if parts.len() == 1 => return self.concat_one(left, parts),
            right => right,
        };
        let (left, right) = (self.code::<Value>(left), self.part(right));
        Code::new(move |evaluator, base| {
            let left = left.run(evaluator, base)?;
            let right = right.value(evaluator, base)?;
            evaluator.concatenated(left, right)
        })
    }

    /// `left^<element>`.
    fn concat_one(&mut self, left: Op, parts: Box<[Arg]>) -> Code {
        let (left, parts) = (self.code::<Value>(left), self.parts(parts));
        Code::new(move |evaluator, base| {
            let left = left.run(evaluator, base)?;
            let element = parts[0].value(evaluator, base)?;
            Ok(seq::append_one(left, element))
        })
    }

    pub(super) fn prepend(&mut self, head: Arg, tail: Arg) -> Code {
        let (head, tail) = (self.part(head), self.part(tail));
        Code::new(move |evaluator, base| {
            let head = head.value(evaluator, base)?;
            let tail = tail.value(evaluator, base)?;
            Ok(seq::cons(head, tail))
        })
    }

    /// `<head> ^ f(args)` as the value of `f`.
    pub(super) fn prepend_again(&mut self, parts: PrependAgain) -> Code {
        let Some(function) = self.function else { unreachable!("only definitions call themselves") };
        let head = self.part(parts.head);
        let tail = parts.tail;
        let (args, n_arguments) = self.new_arguments(parts.again);
        let again = Code::new(move |evaluator, base| put_all(&args, evaluator, base));
        let (n_variables, site) = (self.n_variables as usize, parts.site);
        let prepend = pieces::Prepend { function, tail, again, n_arguments, n_variables, site };
        Code::new(move |evaluator, base| {
            let head = head.value(evaluator, base)?;
            evaluator.prepended(head, &prepend, base)
        })
    }

    /// A question to a map, which stays where it is if it is used again.
    pub(super) fn look_up<T: Wanted>(&mut self, call: BuiltinCall) -> Code<T> {
        self.look_up_if(call, Always)
    }

    /// The same, unless what is not at hand is left for later.
    fn look_up_if<T: Wanted>(&mut self, call: BuiltinCall, otherwise: impl Otherwise<T>) -> Code<T> {
        let BuiltinCall { builtin, args, site } = call;
        let mut args = args.into_iter();
        let (Some(Arg::Now(map)), Some(Arg::Now(key))) = (args.next(), args.next()) else {
            unreachable!("both arguments are needed");
        };
        let slot = match &map {
            Op::Local(slot) | Op::Move(slot) => Some(*slot),
            _ => None,
        };
        let is_last = matches!(map, Op::Move(_));
        let quick_key = simple::<()>(&key);
        let (map, key) = (self.code::<Value>(map), self.code::<Value>(key));
        let question = Question { builtin, map, key, site };
        let general = |question: Question, otherwise| {
            Code::new(move |evaluator, base| Otherwise::run(&otherwise, &question, evaluator, base))
        };
        let Some(slot) = slot else { return general(question, otherwise) };
        match quick_key {
            Some(Operand::Variable(key)) => Asked { slot, is_last, key, question, otherwise }.into_code(),
            Some(Operand::Offset(key)) => Asked { slot, is_last, key, question, otherwise }.into_code(),
            Some(Operand::Fixed(key)) => Asked { slot, is_last, key, question, otherwise }.into_code(),
            _ => general(question, otherwise),
        }
    }

    /// A change of a map.
    pub(super) fn update(&mut self, call: BuiltinCall) -> Code {
        let (args, site) = (self.parts(call.args), call.site);
        Code::new(move |evaluator, base| {
            let [map, key, value] = &*args else { unreachable!("three arguments") };
            let mut map = map.value(evaluator, base)?;
            let key = key.value(evaluator, base)?;
            let value = value.value(evaluator, base)?;
            if let (Value::Map(map), Value::Int(_)) = (&mut map, &key) {
                Rc::make_mut(map).insert(key, value);
            } else {
                map = evaluator.map_update(map, key, value, site)?;
            }
            Ok(map)
        })
    }

    /// A value as text.
    pub(super) fn show(&mut self, arg: Arg, site: ExprId) -> Code {
        let part = self.part(arg);
        Code::new(move |evaluator, base| match part.value(evaluator, base)? {
            Value::Int(number) => Ok(seq::from_number(number)),
            value => evaluator.shown(value, site),
        })
    }
}

/// A question to a map.
struct Question {
    builtin: Builtin,
    map: Code,
    key: Code,
    site: ExprId,
}

impl Question {
    #[inline(never)]
    fn run<T: Wanted>(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        let map = self.map.run(evaluator, base)?;
        let key = self.key.run(evaluator, base)?;
        let value = evaluator.map_with_key(self.builtin, map, key, self.site)?;
        T::of_value(value, evaluator)
    }
}

/// What is done about a question whose answer is not at hand.
trait Otherwise<T>: 'static {
    fn run(&self, question: &Question, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T>;
}

/// Ask it.
struct Always;

impl<T: Wanted> Otherwise<T> for Always {
    #[inline(always)]
    fn run(&self, question: &Question, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        question.run(evaluator, base)
    }
}

/// Ask it if the answer is there, and leave it for later otherwise.
struct IfReady {
    is_ready: Code<bool>,
    delay: Delay,
}

impl Otherwise<Value> for IfReady {
    #[inline(never)]
    fn run(&self, question: &Question, evaluator: &mut Evaluator<'_>, base: usize) -> Eval {
        match self.is_ready.run(evaluator, base)? {
            true => question.run(evaluator, base),
            false => evaluator.try_or_delay(&self.delay, base),
        }
    }
}

/// The same where the map is a variable and the key is mostly a number at hand.
struct Asked<K, O> {
    slot: Slot,
    is_last: bool,
    key: K,
    question: Question,
    otherwise: O,
}

impl<K: Number, O> Asked<K, O> {
    fn into_code<T: Wanted>(self) -> Code<T>
    where
        O: Otherwise<T>,
    {
        Code::new(move |evaluator, base| match self.found(evaluator, base) {
            Some(found) => T::of_value(found, evaluator),
            None => self.otherwise.run(&self.question, evaluator, base),
        })
    }

    /// The answer, if it is at hand.
    #[inline(always)]
    fn found(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Option<Value> {
        let frame = evaluator.frame(base);
        let Some(Value::Map(map)) = frame.get(self.slot as usize) else { return None };
        let found = match (map.get_number(self.key.peek(frame)?), self.question.builtin) {
            (found, Builtin::MapMember) => Value::bool(found.is_some()),
            (Some(Value::Thunk(_)) | None, _) => return None,
            (Some(value), _) => value.clone(),
        };
        if self.is_last {
            drop(evaluator.take_raw(base + self.slot as usize));
        }
        Some(found)
    }
}
