//! Arguments, parts of tuples and sequences, and what is made of them.

use super::super::super::code::{Arg, BuiltinCall, Op, PrependAgain};
use super::super::super::run::Code;
use super::super::super::value::Value;
use super::super::super::{pieces, seq};
use super::puts::put_all;
use super::ready::ready_value;
use super::{Closures, Wanted, values};
use crate::builtins::Builtin;
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
                let (now, delay) = (self.code::<Value>(op), self.scoped(|this| this.delay(delay)));
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
        Code::new(move |evaluator, base| {
            let mut items = Vec::with_capacity(parts.len());
            for part in &parts {
                items.push(part.value(evaluator, base)?);
            }
            Ok(seq::from_vec(items))
        })
    }

    pub(super) fn concat(&mut self, left: Op, right: Arg) -> Code {
        let (left, right) = (self.code::<Value>(left), self.part(right));
        Code::new(move |evaluator, base| {
            let left = left.run(evaluator, base)?;
            let right = right.value(evaluator, base)?;
            evaluator.concatenated(left, right)
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
        let BuiltinCall { builtin, args, site } = call;
        let mut args = args.into_iter();
        let (Some(Arg::Now(map)), Some(Arg::Now(key))) = (args.next(), args.next()) else {
            unreachable!("both arguments are needed");
        };
        let slot = match map {
            Op::Local(slot) => slot as usize,
            map => {
                let (map, key) = (self.code::<Value>(map), self.code::<Value>(key));
                return Code::new(move |evaluator, base| {
                    let map = map.run(evaluator, base)?;
                    let key = key.run(evaluator, base)?;
                    let value = evaluator.map_with_key(builtin, map, key, site)?;
                    T::of_value(value, evaluator)
                });
            }
        };
        let key = self.code::<Value>(key);
        Code::new(move |evaluator, base| {
            evaluator.look_at(base + slot)?;
            let key = key.run(evaluator, base)?;
            if let (Value::Map(map), Value::Int(_)) = (&evaluator.stack[base + slot], &key) {
                match (map.get(&key), builtin) {
                    (found, Builtin::MapMember) => {
                        let truth = found.is_some();
                        return T::of_truth(truth, evaluator);
                    }
                    (Some(Value::Thunk(_)) | None, _) => {}
                    (Some(value), _) => {
                        let value = value.clone();
                        return T::of_value(value, evaluator);
                    }
                }
            }
            let map = evaluator.local(base + slot)?;
            let value = evaluator.map_with_key(builtin, map, key, site)?;
            T::of_value(value, evaluator)
        })
    }

    /// A change of a map.
    pub(super) fn update(&mut self, call: BuiltinCall) -> Code {
        let args = self.parts(call.args);
        let site = call.site;
        Code::new(move |evaluator, base| {
            let mut args = values(&args, evaluator, base)?;
            let (Some(value), Some(key), Some(mut map)) = (args.pop(), args.pop(), args.pop()) else {
                unreachable!("three arguments");
            };
            if let (Value::Map(map), Value::Int(_)) = (&mut map, &key) {
                Rc::make_mut(map).insert(key, value);
            } else {
                map = evaluator.map_update(map, key, value, site)?;
            }
            Ok(map)
        })
    }
}
