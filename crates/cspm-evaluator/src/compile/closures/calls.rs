//! Calls.

use super::super::super::Evaluator;
use super::super::super::code::{Apply, Arg, Call, Repeat, Slot};
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::super::uses::uses;
use super::puts::{Put, put_all};
use super::{Closures, Wanted, values};

impl Closures {
    /// Puts arguments where the frame of the callee begins.
    fn arguments(&mut self, args: Box<[Arg]>) -> (Slot, Box<[Put]>) {
        let first = self.slots(args.len() as Slot);
        let args = (first..).zip(args).map(|(slot, arg)| self.put(arg, slot)).collect();
        (first, args)
    }

    pub(super) fn call<T: Wanted>(&mut self, call: Call) -> Code<T> {
        let (function, site) = (call.function, call.site);
        let (first, args) = self.arguments(call.args);
        Code::new(move |evaluator, base| {
            put_all(&args, evaluator, base)?;
            let value = evaluator.call(function, base + first as usize, site)?;
            T::of_value(value, evaluator)
        })
    }

    /// Leaves the frame to another function.
    pub(super) fn tail_call(&mut self, call: Call) -> Code {
        let (function, site, count) = (call.function, call.site, call.args.len());
        let (first, args) = self.arguments(call.args);
        Code::new(move |evaluator, base| {
            put_all(&args, evaluator, base)?;
            evaluator.hand_over(base, first as usize, count);
            evaluator.next = Some((evaluator.program.code(function), site));
            Ok(Value::Hole)
        })
    }

    /// Starts the function over.
    pub(super) fn repeat(&mut self, repeat: Repeat) -> Code {
        let (args, n_arguments) = self.new_arguments(repeat);
        let again = Again { args, n_arguments, n_variables: self.n_variables as usize };
        Code::new(move |evaluator, base| again.run(evaluator, base))
    }

    /// An argument goes straight to its slot unless one behind it needs what is there. How many there are.
    pub(super) fn new_arguments(&mut self, repeat: Repeat) -> (Box<[Put]>, usize) {
        let mut args: Vec<(Slot, Arg)> = repeat.args.into();
        let (mut codes, mut waiting) = (Vec::new(), Vec::new());
        while !args.is_empty() {
            let (slot, arg) = args.remove(0);
            let into = if args.iter().any(|(_, later)| uses(later, slot)) { self.slots(1) } else { slot };
            codes.push(self.put(arg, into));
            if into != slot {
                waiting.push(self.put(Arg::Move(into), slot));
            }
        }
        codes.extend(waiting);
        (codes.into(), repeat.n_arguments)
    }

    /// A call of whatever function it is.
    pub(super) fn apply(&mut self, apply: Apply) -> Code {
        let site = apply.site;
        let (function, args) = (self.code::<Value>(apply.function), self.parts(apply.args));
        Code::new(move |evaluator, base| {
            let function = function.run(evaluator, base)?;
            let args = values(&args, evaluator, base)?;
            evaluator.apply(function, args, site)
        })
    }

    pub(super) fn tail_apply(&mut self, apply: Apply) -> Code {
        let site = apply.site;
        let (function, args) = (self.code::<Value>(apply.function), self.parts(apply.args));
        let n_variables = self.n_variables as usize;
        Code::new(move |evaluator, base| {
            let function = function.run(evaluator, base)?;
            let args = values(&args, evaluator, base)?;
            evaluator.tail_apply(function, args, site, (base, n_variables))
        })
    }
}

/// Starts a function over with these arguments.
struct Again {
    args: Box<[Put]>,
    n_arguments: usize,
    n_variables: usize,
}

impl Again {
    #[inline(always)]
    fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval {
        put_all(&self.args, evaluator, base)?;
        evaluator.clear(base + self.n_arguments, base + self.n_variables);
        Ok(Value::Hole)
    }
}
