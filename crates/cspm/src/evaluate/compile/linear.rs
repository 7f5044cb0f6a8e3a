//! From trees to rows of instructions.
//!
//! Choices become jumps, calls and arithmetic get slots for their operands, and the rest stays a tree that one
//! instruction evaluates. The order of evaluation is that of the tree. An operand that is a variable is read when the
//! instruction runs, after the operands behind it were computed; so it is looked at before them, and a number that was
//! looked at stays in its slot even if they take the variable.

use super::super::code::{
    Arg, Binding, BuiltinCall, Call, Let, Match, Op, Pattern, PrependAgain, Repeat, SeqCases, Slot,
};
use super::super::instruction::{Again, Binary, CallAt, Instruction, IntTest, Operand, Place, Prepend};
use super::super::instruction::{LookUp, SlotTest, Uncons, Update};
use super::operands::{arithmetic, comparison, is_look_up, is_plain_arithmetic, is_simple, uses};
use crate::builtins::Builtin;
use crate::stack;
use crate::syntax::{BinaryOp, ExprId};
use std::ops::Range;

/// Where the value of an operation goes.
#[derive(Clone, Copy)]
enum Goal {
    /// It is the value of the function.
    Return,
    Slot(Slot),
}

/// Instructions in the making.
#[derive(Default)]
struct Linear {
    code: Vec<Instruction>,
    /// What is done when little arithmetic turns out to be more; it comes last.
    detours: Vec<Detour>,
    /// The first slot that is not in use.
    free: Slot,
    n_slots: Slot,
}

/// An argument that is delayed because something it needs is not at hand.
struct Detour {
    from: Label,
    into: Slot,
    arg: Arg,
    back: Place,
}

/// Instructions that jump to a place which is not known yet.
#[derive(Default)]
struct Label(Vec<usize>);

/// The instructions of a body, and how many slots they use.
pub(super) fn linear(body: Op, n_slots: Slot) -> (Box<[Instruction]>, Slot) {
    let mut linear = Linear { free: n_slots, n_slots, ..Linear::default() };
    linear.op(body, Goal::Return);
    for detour in std::mem::take(&mut linear.detours) {
        linear.place(detour.from);
        linear.add(Instruction::Arg(detour.into, detour.arg));
        linear.add(Instruction::Jump(detour.back));
    }
    (linear.code.into(), linear.n_slots)
}

impl Linear {
    fn add(&mut self, instruction: Instruction) {
        self.code.push(instruction);
    }

    /// Adds an instruction that jumps to a label.
    fn jump(&mut self, label: &mut Label, instruction: impl FnOnce(Place) -> Instruction) {
        label.0.push(self.code.len());
        self.add(instruction(0));
    }

    /// Puts a label here.
    fn place(&mut self, label: Label) {
        let here = self.code.len() as Place;
        for at in label.0 {
            match &mut self.code[at] {
                Instruction::EqualInt(IntTest { place, .. })
                | Instruction::LessInt(IntTest { place, .. })
                | Instruction::GreaterInt(IntTest { place, .. })
                | Instruction::Equal(SlotTest { place, .. })
                | Instruction::Less(SlotTest { place, .. })
                | Instruction::MatchPart(_, _, place)
                | Instruction::Compare(_, _, place)
                | Instruction::Try(_, _, place)
                | Instruction::Test(_, _, place)
                | Instruction::TestSlot(_, _, place)
                | Instruction::Empty(_, place)
                | Instruction::Match(_, _, place)
                | Instruction::Jump(place)
                | Instruction::Uncons(Uncons { otherwise: place, .. }) => *place = here,
                other => unreachable!("not a jump: {other:?}"),
            }
        }
    }

    fn slots(&mut self, count: Slot) -> Slot {
        let first = self.free;
        self.free += count;
        self.n_slots = self.n_slots.max(self.free);
        first
    }

    /// What `work` puts into new slots is done with afterwards.
    fn scoped<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let free = self.free;
        let result = work(self);
        self.free = free;
        result
    }

    fn op(&mut self, op: Op, goal: Goal) {
        stack::grow(|| self.scoped(|this| this.op_here(op, goal)));
    }

    fn op_here(&mut self, op: Op, goal: Goal) {
        match (op, goal) {
            (Op::Int(number), Goal::Slot(slot)) => self.add(Instruction::Int(slot, number)),
            (Op::Int(number), Goal::Return) => self.add(Instruction::ReturnNumber(Operand::Int(number))),
            (Op::Local(from), Goal::Slot(slot)) => self.add(Instruction::Value(slot, from, false)),
            (Op::Move(from), Goal::Slot(slot)) => self.add(Instruction::Value(slot, from, true)),
            (Op::Local(slot) | Op::Move(slot), Goal::Return) => self.add(Instruction::Return(slot)),
            (Op::If(parts), goal) => {
                let (condition, then, otherwise) = *parts;
                let mut no = Label::default();
                self.condition(condition, true, &mut no);
                self.op(then, goal);
                self.otherwise(no, otherwise, goal);
            }
            (Op::Arithmetic(inner), goal) => {
                let (left, right) = self.operands(inner.left, inner.right, true);
                let binary = Binary { op: inner.op, left, right, site: inner.site };
                match goal {
                    Goal::Slot(slot) => self.add(arithmetic(slot, binary)),
                    Goal::Return => {
                        let slot = self.slots(1);
                        self.add(arithmetic(slot, binary));
                        self.add(Instruction::ReturnNumber(Operand::Last(slot)));
                    }
                }
            }
            (Op::Call(call), goal) => {
                let into = match goal {
                    Goal::Slot(slot) => slot,
                    Goal::Return => self.slots(1),
                };
                let (call, _) = self.arguments(*call);
                self.add(Instruction::Call(call, into));
                if let Goal::Return = goal {
                    self.add(Instruction::Return(into));
                }
            }
            (Op::TailCall(call), Goal::Return) => {
                let (call, count) = self.arguments(*call);
                self.add(Instruction::TailCall(call, count));
            }
            (Op::Repeat(repeat), Goal::Return) => self.repeat(*repeat),
            (Op::Const(value), Goal::Slot(slot)) => self.add(Instruction::Const(slot, value)),
            (Op::Tuple(parts), Goal::Slot(slot)) => {
                let parts = self.parts(parts);
                self.add(Instruction::Tuple(slot, parts));
            }
            (Op::Seq(parts), Goal::Slot(slot)) => {
                let parts = self.parts(parts);
                self.add(Instruction::Seq(slot, parts));
            }
            (Op::Builtin(call), Goal::Slot(slot)) if is_look_up(&call) => self.look_up(*call, slot),
            (Op::Builtin(call), Goal::Slot(slot)) if call.builtin == Builtin::MapUpdate => self.update(*call, slot),
            (Op::Builtin(call), Goal::Slot(slot)) if call.builtin == Builtin::Show => {
                let shown = self.parts(call.args);
                self.add(Instruction::Show(slot, shown.start, call.site));
            }
            (op @ (Op::Tuple(_) | Op::Seq(_) | Op::Prepend(_) | Op::Concat(_) | Op::Const(_)), Goal::Return) => {
                self.return_from_slot(op)
            }
            (Op::Builtin(call), Goal::Return) if is_look_up(&call) || call.builtin == Builtin::MapUpdate => {
                self.return_from_slot(Op::Builtin(call));
            }
            (Op::Let(inner), goal) => self.lets(*inner, goal),
            (Op::SeqCases(cases), goal) => self.cases(*cases, goal),
            (Op::Match(equations), goal) => self.equations(*equations, goal),
            (Op::Prepend(parts), Goal::Slot(slot)) => {
                let parts = self.parts(Box::new([parts.0, parts.1]));
                self.add(Instruction::Cons(slot, parts.start));
            }
            (Op::Concat(parts), Goal::Slot(slot)) => {
                let parts = self.parts(Box::new([Arg::Now(parts.0), parts.1]));
                self.add(Instruction::Append(slot, parts.start));
            }
            (Op::PrependAgain(parts), Goal::Return) => self.prepend(*parts),
            // Nested deeply as a tree, but not here.
            (Op::Grow(inner), goal) => self.op(*inner, goal),
            (op, Goal::Slot(slot)) => self.add(Instruction::Eval(slot, op)),
            (op, Goal::Return) => self.add(Instruction::ReturnEval(op)),
        }
    }

    fn return_from_slot(&mut self, op: Op) {
        let slot = self.slots(1);
        self.op(op, Goal::Slot(slot));
        self.add(Instruction::Return(slot));
    }

    /// What follows the other branch, which begins at a label.
    fn otherwise(&mut self, label: Label, op: Op, goal: Goal) {
        let mut end = Label::default();
        if let Goal::Slot(_) = goal {
            self.jump(&mut end, Instruction::Jump);
        }
        self.place(label);
        self.op(op, goal);
        self.place(end);
    }

    /// Goes on at the label unless the condition turns out as expected.
    fn condition(&mut self, op: Op, expected: bool, label: &mut Label) {
        stack::grow(|| self.scoped(|this| this.condition_here(op, expected, label)));
    }

    fn condition_here(&mut self, op: Op, expected: bool, label: &mut Label) {
        match op {
            Op::Compare(inner) => {
                let (left, right) = self.operands(inner.left, inner.right, inner.of_numbers);
                let binary = Binary { op: inner.op, left, right, site: inner.site };
                self.jump(label, |place| comparison(binary, expected, place));
            }
            Op::Not(inner) => self.condition(*inner, !expected, label),
            Op::And(parts) if expected => {
                self.condition(parts.0, true, label);
                self.condition(parts.1, true, label);
            }
            Op::Or(parts) if !expected => {
                self.condition(parts.0, false, label);
                self.condition(parts.1, false, label);
            }
            Op::And(parts) | Op::Or(parts) => {
                // The first part may settle the matter by itself.
                let mut settled = Label::default();
                self.condition(parts.0, !expected, &mut settled);
                self.condition(parts.1, expected, label);
                self.place(settled);
            }
            Op::Grow(inner) => self.condition(*inner, expected, label),
            op if matches!(op, Op::Call(_)) || matches!(&op, Op::Builtin(call) if is_look_up(call)) => {
                let slot = self.slots(1);
                self.op(op, Goal::Slot(slot));
                self.jump(label, |place| Instruction::TestSlot(slot, expected, place));
            }
            op => self.jump(label, |place| Instruction::Test(op, expected, place)),
        }
    }

    /// Two operands, in the order of their evaluation.
    fn operands(&mut self, left: Op, right: Op, of_numbers: bool) -> (Operand, Operand) {
        let waits = is_simple(&left) && !is_simple(&right);
        let left = match (self.operand(left), waits) {
            (Operand::Slot(slot) | Operand::Last(slot), true) if of_numbers => {
                self.add(Instruction::Number(slot));
                Operand::Slot(slot)
            }
            (Operand::Slot(slot), true) => {
                let copy = self.slots(1);
                self.add(Instruction::Value(copy, slot, false));
                Operand::Last(copy)
            }
            (left, _) => left,
        };
        (left, self.operand(right))
    }

    fn operand(&mut self, op: Op) -> Operand {
        match op {
            Op::Int(number) => Operand::Int(number),
            Op::Local(slot) => Operand::Slot(slot),
            Op::Move(slot) => Operand::Last(slot),
            op => {
                let slot = self.slots(1);
                self.op(op, Goal::Slot(slot));
                Operand::Last(slot)
            }
        }
    }

    /// Puts arguments where the frame of the callee begins; their number.
    fn arguments(&mut self, call: Call) -> (CallAt, Slot) {
        let count = call.args.len() as Slot;
        let first = self.slots(count);
        for (slot, arg) in (first..).zip(call.args) {
            self.arg(arg, slot);
        }
        (CallAt { function: call.function, first, site: call.site }, count)
    }

    fn arg(&mut self, arg: Arg, into: Slot) {
        match arg {
            Arg::Now(op) => self.op(op, Goal::Slot(into)),
            Arg::Local(slot) => self.add(Instruction::Copy(into, slot)),
            Arg::Move(slot) => self.add(Instruction::Take(into, slot)),
            Arg::Rest(slot, is_last) => self.add(Instruction::Rest(into, slot, is_last)),
            Arg::Cheap(cheap) if is_plain_arithmetic(&cheap.0) => self.scoped(|this| {
                let mut from = Label::default();
                this.attempt(&cheap.0, into, &mut from);
                let back = this.code.len() as Place;
                this.detours.push(Detour { from, into, arg: Arg::Cheap(cheap), back });
            }),
            arg => self.add(Instruction::Arg(into, arg)),
        }
    }

    /// `<head> ^ tail`, of which the tail is the function itself once more.
    fn prepend(&mut self, parts: PrependAgain) {
        let head = self.slots(1);
        self.arg(parts.head, head);
        self.add(Instruction::Prepend(Box::new(Prepend { head, tail: parts.tail })));
        let n_arguments = self.new_arguments(parts.again);
        self.add(Instruction::Again(Again { head, n_arguments, site: parts.site }));
    }

    /// Arithmetic as far as everything is at hand; goes on at the label otherwise. Nothing is taken from the frame.
    fn attempt(&mut self, op: &Op, into: Slot, label: &mut Label) {
        let Op::Arithmetic(inner) = op else { return };
        let mut operand = |op: &Op| match op {
            Op::Int(number) => Operand::Int(*number),
            Op::Local(slot) | Op::Move(slot) => Operand::Slot(*slot),
            op => {
                let slot = self.slots(1);
                self.attempt(op, slot, label);
                Operand::Last(slot)
            }
        };
        let (left, right) = (operand(&inner.left), operand(&inner.right));
        let binary = Binary { op: inner.op, left, right, site: inner.site };
        self.jump(label, |place| Instruction::Try(into, binary, place));
    }

    /// Puts parts into new slots in a row.
    fn parts(&mut self, parts: Box<[Arg]>) -> Range<Slot> {
        let first = self.slots(parts.len() as Slot);
        let end = first + parts.len() as Slot;
        for (slot, part) in (first..).zip(parts) {
            self.arg(part, slot);
        }
        first..end
    }

    /// A question to a map.
    fn look_up(&mut self, call: BuiltinCall, into: Slot) {
        let mut args = call.args.into_iter();
        let (Some(Arg::Now(map)), Some(Arg::Now(key))) = (args.next(), args.next()) else {
            unreachable!("both arguments are needed");
        };
        let (map, key) = self.operands(map, key, false);
        self.add(Instruction::LookUp(LookUp { into, builtin: call.builtin, map, key, site: call.site }));
    }

    /// A change of a map: its arguments are at hand before the value is looked at, which may take variables.
    fn update(&mut self, call: BuiltinCall, into: Slot) {
        let mut args = call.args.into_iter();
        let (Some(Arg::Now(map)), Some(Arg::Now(key)), Some(value)) = (args.next(), args.next(), args.next()) else {
            unreachable!("map and key are needed");
        };
        let map = match map {
            Op::Move(slot) => slot,
            op => {
                let slot = self.slots(1);
                self.op(op, Goal::Slot(slot));
                slot
            }
        };
        let key = match key {
            Op::Local(slot) if uses(&value, slot) => {
                let copy = self.slots(1);
                self.add(Instruction::Value(copy, slot, false));
                Operand::Last(copy)
            }
            key => self.operand(key),
        };
        let slot = self.slots(1);
        self.arg(value, slot);
        self.add(Instruction::Update(Update { into, map, key, value: slot, site: call.site }));
    }

    fn repeat(&mut self, repeat: Repeat) {
        let n_arguments = self.new_arguments(repeat);
        self.add(Instruction::Repeat(n_arguments));
    }

    /// An argument goes straight to its slot unless one behind it needs what is there. How many there are.
    fn new_arguments(&mut self, repeat: Repeat) -> Slot {
        let mut args: Vec<(Slot, Arg)> = repeat.args.into();
        let mut waiting = Vec::new();
        while !args.is_empty() {
            let (slot, arg) = args.remove(0);
            let into = if args.iter().any(|(_, later)| uses(later, slot)) { self.slots(1) } else { slot };
            self.arg(arg, into);
            if into != slot {
                waiting.push(Instruction::Take(slot, into));
            }
        }
        self.code.extend(waiting);
        repeat.n_arguments as Slot
    }

    fn lets(&mut self, inner: Let, goal: Goal) {
        for binding in inner.bindings {
            match binding {
                Binding::Plain(slot, arg) => self.scoped(|this| this.arg(arg, slot)),
                Binding::Parts(parts, site) => self.scoped(|this| {
                    let slot = this.slots(1);
                    this.op(parts.0, Goal::Slot(slot));
                    this.add(Instruction::Parts(slot, parts.1, site));
                }),
                Binding::Recursive(delays) => self.add(Instruction::Recursive(delays)),
            }
        }
        self.op(inner.body, goal);
    }

    fn cases(&mut self, cases: SeqCases, goal: Goal) {
        let mut empty = Label::default();
        self.uncons(cases.slot, cases.head, cases.tail, false, &mut empty);
        self.op(cases.body, goal);
        self.otherwise(empty, cases.empty, goal);
    }

    /// Takes a sequence apart. The pattern for the rest matches anything.
    fn uncons(&mut self, slot: Slot, head: Pattern, tail: Pattern, is_kept: bool, label: &mut Label) {
        let mut part = |pattern: Pattern| match pattern {
            Pattern::Any => (None, None),
            Pattern::Bind(slot) => (Some(slot), None),
            pattern => (Some(self.slots(1)), Some(pattern)),
        };
        let ((head, head_pattern), (tail, tail_pattern)) = (part(head), part(tail));
        self.jump(label, |otherwise| Instruction::Uncons(Uncons { slot, head, tail, is_kept, otherwise }));
        for (slot, pattern) in [(head, head_pattern), (tail, tail_pattern)] {
            if let (Some(slot), Some(pattern)) = (slot, pattern) {
                self.jump(label, |place| Instruction::MatchPart(slot, pattern, place));
            }
        }
    }

    fn equations(&mut self, mut inner: Match, goal: Goal) {
        let mut end = Label::default();
        for equation in std::mem::take(&mut inner.equations) {
            let mut next = Label::default();
            self.scoped(|this| {
                for (slot, pattern) in equation.patterns {
                    this.pattern(slot, pattern, &mut next);
                }
                this.op(equation.body, goal);
            });
            if let Goal::Slot(_) = goal {
                self.jump(&mut end, Instruction::Jump);
            }
            self.place(next);
        }
        self.add(Instruction::NoEquation(Box::new(inner)));
        self.place(end);
    }

    fn pattern(&mut self, slot: Slot, pattern: Pattern, label: &mut Label) {
        match pattern {
            Pattern::Int(number) => {
                let (left, right) = (Operand::Slot(slot), Operand::Int(number));
                let binary = Binary { op: BinaryOp::Equal, left, right, site: ExprId(0) };
                self.jump(label, |place| comparison(binary, true, place));
            }
            Pattern::Seq(parts) if parts.is_empty() => self.jump(label, |place| Instruction::Empty(slot, place)),
            Pattern::Uncons(parts) => self.uncons(slot, parts.0, parts.1, false, label),
            Pattern::Affixes { prefix, middle, suffix }
                if prefix.len() == 1 && suffix.is_empty() && middle.is_irrefutable() =>
            {
                let head = prefix.into_iter().next().unwrap_or(Pattern::Any);
                self.uncons(slot, head, *middle, true, label);
            }
            pattern => self.jump(label, |place| Instruction::Match(slot, pattern, place)),
        }
    }
}
