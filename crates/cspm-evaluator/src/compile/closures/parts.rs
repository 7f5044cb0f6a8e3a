//! Arguments, parts of tuples and sequences, and what is made of them.

use super::super::super::Evaluator;
use super::super::super::code::{Arg, BuiltinCall, Delay, Op, PrependAgain, Slot};
use super::super::super::run::{Code, Ready};
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::super::super::{pieces, seq};
use super::numbers::{Number, Operand, simple};
use super::puts::{Put, put_all};
use super::ready::inputs_of;
use super::{Closures, Wanted};
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;
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
                let Some(inputs) = inputs_of(&op) else {
                    return Code::new(move |evaluator, base| Ok(evaluator.delay(&delay, base)));
                };
                let ready = Ready::new(inputs, self.code::<Value>(op));
                Code::new(move |evaluator, base| match ready.find(evaluator, base) {
                    Some(value) => Ok(value),
                    None => Ok(evaluator.delay(&delay, base)),
                })
            }
            Arg::Ready(parts) => self.scoped(|this| this.map_call(parts.0, parts.1)),
            Arg::Delay(delay) => {
                let delay = self.scoped(|this| this.delay(*delay));
                Code::new(move |evaluator, base| evaluator.speculate_or_delay(&delay, base))
            }
        }
    }

    /// A predefined function on a map, called at once if that cannot fail and needs no evaluation.
    fn map_call(&mut self, op: Op, delay: Delay) -> Code {
        let Op::Builtin(mut call) = op else { unreachable!("only calls of predefined functions are ready") };
        let [Arg::Now(map), Arg::Now(key), ..] = &mut *call.args else { unreachable!("both arguments are needed") };
        let (Op::Local(slot) | Op::Move(slot), Some(mut inputs)) = (&*map, inputs_of(key)) else {
            return self.part_code(Arg::Delay(Box::new(delay)));
        };
        let (index, is_last) = (*slot as usize, matches!(map, Op::Move(_)));
        inputs.computed.push(*slot);
        // The key is found first, and may fail; what follows does not.
        let found_key = self.slots(1);
        let key = Ready::new(inputs, self.code::<Value>(std::mem::replace(key, Op::Move(found_key))));
        let delay = self.delay(delay);
        if call.builtin != Builtin::MapLookup {
            let now = self.code::<Value>(Op::Builtin(call));
            return Code::new(move |evaluator, base| match key.find(evaluator, base) {
                Some(key) => {
                    evaluator.put(base + found_key as usize, key);
                    now.run(evaluator, base)
                }
                None => evaluator.speculate_or_delay(&delay, base),
            });
        }
        Code::new(move |evaluator, base| {
            let key = key.find(evaluator, base);
            let Value::Map(map) = evaluator.stack[base + index].peel() else {
                return evaluator.speculate_or_delay(&delay, base);
            };
            let Some(found) = key.and_then(|key| map.get(&key)).map(|value| value.peel().clone()) else {
                return evaluator.speculate_or_delay(&delay, base);
            };
            if is_last {
                drop(evaluator.take_raw(base + index));
            }
            Ok(found)
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
        let args: Rc<[Put]> = args.into();
        let (n_variables, site) = (self.n_variables as usize, parts.site);
        let same = args.clone();
        let again = Code::new(move |evaluator, base| {
            put_all(&same, evaluator, base)?;
            evaluator.clear(base + n_arguments, base + n_variables);
            Ok(())
        });
        let prepend = pieces::Prepend { function, tail, again, n_arguments, site };
        Code::new(move |evaluator, base| {
            let head = head.value(evaluator, base)?;
            if !evaluator.is_collecting(base) {
                return evaluator.collected(head, &prepend, base);
            }
            put_all(&args, evaluator, base)?;
            evaluator.clear(base + n_arguments, base + n_variables);
            evaluator.collect_one(head, &prepend, base)
        })
    }

    /// A question to a map, which stays where it is if it is used again.
    pub(super) fn look_up<T: Wanted>(&mut self, call: BuiltinCall) -> Code<T> {
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
        match (slot, quick_key) {
            (Some(slot), Some(Operand::Variable(key))) => Asked { slot, is_last, key, question }.into_code(),
            (Some(slot), Some(Operand::Offset(key))) => Asked { slot, is_last, key, question }.into_code(),
            _ => Code::new(move |evaluator, base| question.run(evaluator, base)),
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

/// A lookup where the map is a variable and the key is mostly an evaluated number.
struct Asked<K> {
    slot: Slot,
    is_last: bool,
    key: K,
    question: Question,
}

impl<K: Number> Asked<K> {
    fn into_code<T: Wanted>(self) -> Code<T> {
        Code::new(move |evaluator, base| match self.found(evaluator, base) {
            Some(found) => T::of_value(found, evaluator),
            None => self.question.run(evaluator, base),
        })
    }

    /// The answer, if it is evaluated.
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
