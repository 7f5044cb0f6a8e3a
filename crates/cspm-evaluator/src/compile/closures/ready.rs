//! Operations that are computed at once if their inputs are evaluated.

use super::super::super::code::{Condition, NumberTest, Op, Side, Step};
use super::super::super::run::Inputs;
use super::super::super::value::Value;
use super::Closures;
use cspm::stack;

/// The inputs of a little arithmetic or a comparison, if the operation is nothing else.
pub(super) fn inputs_of(op: &Op) -> Option<Inputs> {
    let mut inputs = Inputs::default();
    is_little(op, &mut inputs).then_some(inputs)
}

fn is_little(op: &Op, inputs: &mut Inputs) -> bool {
    stack::grow(|| match op {
        Op::Int(_) | Op::Const(Value::Bool(_) | Value::Char(_)) => true,
        Op::Local(slot) | Op::Move(slot) => {
            inputs.add_small(*slot);
            true
        }
        Op::Global(name, _) => {
            inputs.globals.push(*name);
            true
        }
        Op::Arithmetic(inner) => is_little(&inner.left, inputs) && is_little(&inner.right, inputs),
        Op::Compare(inner) => is_little(&inner.left, inputs) && is_little(&inner.right, inputs),
        Op::And(parts) | Op::Or(parts) => is_little(&parts.0, inputs) && is_little(&parts.1, inputs),
        Op::Not(inner) | Op::Negate(inner, _) | Op::Grow(inner) => is_little(inner, inputs),
        _ => false,
    })
}

/// The inputs of a generator that draws from its source at once.
fn inputs_of_source(op: &Op) -> Option<Inputs> {
    let mut inputs = Inputs::default();
    let is_easy = match op {
        Op::Const(_) => true,
        Op::Local(slot) | Op::Move(slot) => {
            inputs.computed.push(*slot);
            true
        }
        Op::Range(range) => {
            is_little(&range.from, &mut inputs) && range.to.as_ref().is_some_and(|to| is_little(to, &mut inputs))
        }
        _ => false,
    };
    is_easy.then_some(inputs)
}

impl Closures {
    /// The steps of a comprehension that goes on as long as that is easy.
    pub(super) fn steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Generator { source, at_hand, .. } => {
                    *at_hand = inputs_of_source(source);
                    self.compile(source);
                }
                Step::Filter(condition) => self.filter(condition),
            }
        }
    }

    fn filter(&mut self, condition: &mut Condition) {
        condition.at_hand = inputs_of(&condition.op);
        condition.test = number_test(&condition.op);
        self.compile(&mut condition.op);
    }
}

/// A condition as a comparison of variables with each other or with numbers, if that is what it is.
fn number_test(op: &Op) -> Option<NumberTest> {
    let side = |op: &Op| match op {
        Op::Int(number) => Some(Side::Int(*number)),
        Op::Local(slot) | Op::Move(slot) => Some(Side::Slot(*slot)),
        _ => None,
    };
    match op {
        Op::Compare(inner) => Some(NumberTest { op: inner.op, left: side(&inner.left)?, right: side(&inner.right)? }),
        _ => None,
    }
}
