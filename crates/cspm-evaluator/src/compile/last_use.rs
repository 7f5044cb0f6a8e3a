//! Last uses.
//!
//! The last use of a variable takes the value out of its slot instead of copying it. That frees a list while it is
//! being consumed, and lets an operation that holds the only reference to a map or a buffer change it in place. The
//! pass goes backwards in the order of evaluation and keeps the set of slots that are still needed later; what is
//! inside a loop runs again, so whatever a loop takes from outside counts as needed at its end.

use super::super::code::{Arg, Binding, Capture, Field, Op, Pattern, ProcessOp, ReplicatedOp, Slot, Step};
use super::super::code::{Delay, DotPart, EventsOp, Match, Repeat, TiesOp};
use cspm::stack;

/// Slots needed later.
#[derive(Clone)]
struct Live(Vec<bool>);

impl Live {
    fn add(&mut self, other: &Live) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn remove(&mut self, slot: Slot) {
        self.0[slot as usize] = false;
    }

    /// Notes a use; whether it was the last one.
    fn is_last(&mut self, slot: Slot) -> bool {
        !std::mem::replace(&mut self.0[slot as usize], true)
    }
}

/// Marks the last uses in the body of a function.
pub(super) fn mark_function(body: &mut Op, n_slots: Slot) {
    mark(body, &mut Live(vec![false; n_slots as usize]));
}

/// Whether an operation uses a slot anywhere.
pub(super) fn uses(op: &mut Op, slot: Slot, n_slots: Slot) -> bool {
    let mut live = Live(vec![false; n_slots as usize]);
    note_uses(op, &mut live);
    live.0[slot as usize]
}

/// Marks the last uses in a lazy comprehension, whose rounds share a frame.
pub(super) fn mark_comprehension(steps: &mut [Step], results: &mut [Arg], n_slots: Slot) {
    let results: Vec<Operand> = results.iter_mut().map(Operand::Arg).collect();
    mark_steps(steps, results, Conditions::Speculatively, &mut Live(vec![false; n_slots as usize]));
}

/// How the conditions of a comprehension are evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conditions {
    Once,
    /// Speculatively at first, so they take nothing away.
    Speculatively,
}

/// A part of an operation that uses slots.
pub(super) enum Operand<'o> {
    Op(&'o mut Op),
    Arg(&'o mut Arg),
    Captures(&'o mut [Capture]),
    /// Slots that are needed as they are.
    Kept(&'o [Slot]),
}

impl Operand<'_> {
    fn reborrow(&mut self) -> Operand<'_> {
        match self {
            Operand::Op(op) => Operand::Op(op),
            Operand::Arg(arg) => Operand::Arg(arg),
            Operand::Captures(captures) => Operand::Captures(captures),
            Operand::Kept(slots) => Operand::Kept(slots),
        }
    }
}

fn mark_operand(operand: Operand, live: &mut Live) {
    match operand {
        Operand::Op(op) => mark(op, live),
        Operand::Arg(arg) => mark_arg(arg, live),
        Operand::Captures(captures) => mark_captures(captures, live),
        Operand::Kept(slots) => keep(slots, live),
    }
}

fn keep(slots: &[Slot], live: &mut Live) {
    slots.iter().for_each(|&slot| {
        live.is_last(slot);
    });
}

fn mark_captures(captures: &mut [Capture], live: &mut Live) {
    captures.iter_mut().rev().for_each(|capture| capture.is_last = live.is_last(capture.slot));
}

fn mark_arg(arg: &mut Arg, live: &mut Live) {
    match arg {
        Arg::Now(op) => mark(op, live),
        Arg::Local(slot) | Arg::Move(slot) => {
            let slot = *slot;
            *arg = if live.is_last(slot) { Arg::Move(slot) } else { Arg::Local(slot) };
        }
        Arg::Rest(slot, is_last) => *is_last = live.is_last(*slot),
        Arg::Cheap(cheap) => {
            // Either the numbers are read or the variables captured; reading numbers never empties a slot.
            mark_captures(&mut cheap.1.captures, live);
        }
        Arg::Ready(ready) => {
            // One or the other happens; the variables are the same.
            let mut after = live.clone();
            mark(&mut ready.0, &mut after);
            mark_delay(&mut ready.1, live);
            live.add(&after);
        }
        Arg::Delay(delay) => mark_delay(delay, live),
    }
}

fn mark_repeat(repeat: &mut Repeat, live: &mut Live) {
    keep(&repeat.kept, live);
    repeat.args.iter_mut().rev().for_each(|(_, arg)| mark_arg(arg, live));
}

/// Speculation on the expression may fail before it is delayed, so it takes nothing away.
fn mark_delay(delay: &mut Delay, live: &mut Live) {
    mark_captures(&mut delay.captures, live);
    if let Some(op) = &mut delay.at_once {
        note_uses(op, live);
    }
}

fn mark(op: &mut Op, live: &mut Live) {
    stack::grow(|| mark_here(op, live));
}

fn mark_here(op: &mut Op, live: &mut Live) {
    match op {
        Op::Local(slot) | Op::Move(slot) => {
            let slot = *slot;
            *op = if live.is_last(slot) { Op::Move(slot) } else { Op::Local(slot) };
        }
        Op::If(parts) => {
            let mut otherwise = live.clone();
            mark(&mut parts.2, &mut otherwise);
            mark(&mut parts.1, live);
            live.add(&otherwise);
            mark(&mut parts.0, live);
        }
        Op::And(parts) | Op::Or(parts) => {
            let mut after = live.clone();
            mark(&mut parts.1, &mut after);
            live.add(&after);
            mark(&mut parts.0, live);
        }
        Op::Let(inner) => {
            mark(&mut inner.body, live);
            inner.bindings.iter_mut().rev().for_each(|binding| mark_binding(binding, live));
        }
        Op::Match(inner) => mark_equations(inner, live),
        Op::Select(inner) => {
            remove_bound(&inner.pattern, live);
            mark(&mut inner.value, live);
        }
        Op::Comprehension(inner) => {
            let results = inner.results.iter_mut().map(Operand::Op).collect();
            mark_steps(&mut inner.steps, results, Conditions::Once, live);
        }
        Op::PrependAgain(inner) => {
            // Starting over takes what it can: speculation keeps a copy of what the tail captures.
            let mut after = live.clone();
            mark_repeat(&mut inner.again, &mut after);
            mark_delay(&mut inner.tail, live);
            live.add(&after);
            mark_arg(&mut inner.head, live);
        }
        // Loops and choices without end: everything stays where it is.
        Op::Process(_) => note_uses(op, live),
        _ => {
            let mut operands = Vec::new();
            operands_of(op, &mut operands);
            operands.into_iter().rev().for_each(|operand| mark_operand(operand, live));
        }
    }
}

fn mark_binding(binding: &mut Binding, live: &mut Live) {
    match binding {
        Binding::Plain(slot, arg) => {
            live.remove(*slot);
            mark_arg(arg, live);
        }
        Binding::Parts(parts, _) => {
            remove_bound(&parts.1, live);
            mark(&mut parts.0, live);
        }
        Binding::Recursive(delays) => {
            // Each of them may be captured by all others: nothing here is a last use.
            delays.iter().flat_map(|(_, delay)| &delay.captures).for_each(|capture| {
                live.is_last(capture.slot);
            });
            delays.iter().for_each(|(slot, _)| live.remove(*slot));
        }
    }
}

/// An equation that fails to match leaves what the next ones need.
fn mark_equations(inner: &mut Match, live: &mut Live) {
    let after = live.clone();
    let mut if_failed = Live(vec![false; live.0.len()]);
    for equation in inner.equations.iter_mut().rev() {
        let mut here = after.clone();
        mark(&mut equation.body, &mut here);
        equation.patterns.iter().for_each(|(_, pattern)| remove_bound(pattern, &mut here));
        here.add(&if_failed);
        if_failed = here;
    }
    *live = if_failed;
    (0..inner.n_arguments).for_each(|slot| {
        live.is_last(slot as Slot);
    });
}

/// Steps nest: everything behind a generator is the body of its loop.
fn mark_steps(steps: &mut [Step], mut results: Vec<Operand>, conditions: Conditions, live: &mut Live) {
    let Some((step, rest)) = steps.split_first_mut() else {
        results.into_iter().rev().for_each(|operand| mark_operand(operand, live));
        return;
    };
    match step {
        Step::Filter(condition) => {
            let before = live.clone();
            mark_steps(rest, results, conditions, live);
            live.add(&before);
            match conditions {
                Conditions::Once => mark(&mut condition.op, live),
                Conditions::Speculatively => note_uses(&mut condition.op, live),
            }
        }
        Step::Generator { source, pattern, .. } => {
            let mut inside = Live(vec![false; live.0.len()]);
            results.iter_mut().for_each(|operand| note_operand(operand.reborrow(), &mut inside));
            for step in rest.iter_mut() {
                note_step(step, &mut inside);
            }
            rest.iter().for_each(|step| remove_bound_by_step(step, &mut inside));
            remove_bound(pattern, &mut inside);
            live.add(&inside);
            mark_steps(rest, results, conditions, live);
            remove_bound(pattern, live);
            mark(source, live);
        }
    }
}

fn remove_bound_by_step(step: &Step, live: &mut Live) {
    if let Step::Generator { pattern, .. } = step {
        remove_bound(pattern, live);
    }
}

fn remove_bound(pattern: &Pattern, live: &mut Live) {
    match pattern {
        Pattern::Bind(slot) => live.remove(*slot),
        Pattern::Tuple(parts) | Pattern::Seq(parts) => parts.iter().for_each(|part| remove_bound(part, live)),
        Pattern::Affixes { prefix, middle, suffix } => {
            prefix.iter().chain([&**middle]).chain(suffix).for_each(|part| remove_bound(part, live));
        }
        Pattern::Singleton(inner) => remove_bound(inner, live),
        Pattern::Dots(parts) => parts.iter().for_each(|part| match part {
            DotPart::Head(_) => {}
            DotPart::Fields(pattern, _) => remove_bound(pattern, live),
        }),
        Pattern::Both(both) | Pattern::Uncons(both) => {
            remove_bound(&both.0, live);
            remove_bound(&both.1, live);
        }
        _ => {}
    }
}

fn note_step(step: &mut Step, live: &mut Live) {
    match step {
        Step::Generator { source, .. } => note_uses(source, live),
        Step::Filter(condition) => note_uses(&mut condition.op, live),
    }
}

fn note_operand(operand: Operand, live: &mut Live) {
    match operand {
        Operand::Op(op) => note_uses(op, live),
        Operand::Arg(Arg::Now(op)) => note_uses(op, live),
        Operand::Arg(Arg::Local(slot) | Arg::Move(slot) | Arg::Rest(slot, _)) => {
            live.is_last(*slot);
        }
        Operand::Arg(Arg::Cheap(cheap) | Arg::Ready(cheap)) => note_captures(&cheap.1.captures, live),
        Operand::Arg(Arg::Delay(delay)) => note_captures(&delay.captures, live),
        Operand::Captures(captures) => note_captures(captures, live),
        Operand::Kept(slots) => keep(slots, live),
    }
}

fn note_captures(captures: &[Capture], live: &mut Live) {
    captures.iter().for_each(|capture| {
        live.is_last(capture.slot);
    });
}

/// Adds every slot that an operation uses anywhere.
fn note_uses(op: &mut Op, live: &mut Live) {
    stack::grow(|| {
        if let Op::Local(slot) | Op::Move(slot) = op {
            live.is_last(*slot);
        }
        let mut operands = Vec::new();
        operands_of(op, &mut operands);
        operands.into_iter().for_each(|operand| note_operand(operand, live));
    });
}

/// The parts of an operation in the order in which they are evaluated.
pub(super) fn operands_of<'o>(op: &'o mut Op, out: &mut Vec<Operand<'o>>) {
    match op {
        Op::Int(_) | Op::Const(_) | Op::Local(_) | Op::Move(_) | Op::Global(..) | Op::Whole(_) => {}
        Op::Damaged(_) | Op::Code(_) | Op::Truth(_) | Op::Number(_) => {}
        Op::If(parts) => out.extend([&mut parts.0, &mut parts.1, &mut parts.2].map(Operand::Op)),
        Op::And(parts) | Op::Or(parts) => out.extend([&mut parts.0, &mut parts.1].map(Operand::Op)),
        Op::Not(inner) | Op::Negate(inner, _) | Op::Length(inner, _) | Op::Grow(inner) => out.push(Operand::Op(inner)),
        Op::Arithmetic(inner) => out.extend([&mut inner.left, &mut inner.right].map(Operand::Op)),
        Op::Compare(inner) => out.extend([&mut inner.left, &mut inner.right].map(Operand::Op)),
        Op::Tuple(args) | Op::Seq(args) => out.extend(args.iter_mut().map(Operand::Arg)),
        Op::Set(ops, _) | Op::EnumSet(ops, _) | Op::Dots(ops, _) => out.extend(ops.iter_mut().map(Operand::Op)),
        Op::Map(entries) => {
            for (key, value) in entries {
                out.extend([Operand::Op(key), Operand::Arg(value)]);
            }
        }
        Op::Concat(parts) => out.extend([Operand::Op(&mut parts.0), Operand::Arg(&mut parts.1)]),
        Op::Prepend(parts) => out.extend([&mut parts.0, &mut parts.1].map(Operand::Arg)),
        Op::PrependAgain(inner) => {
            out.extend([Operand::Arg(&mut inner.head), Operand::Captures(&mut inner.tail.captures)]);
        }
        Op::Call(call) | Op::TailCall(call) | Op::ProcessCall(call) => {
            out.extend(call.args.iter_mut().map(Operand::Arg));
        }
        Op::Repeat(repeat) => {
            out.extend(repeat.args.iter_mut().map(|(_, arg)| Operand::Arg(arg)));
            out.push(Operand::Kept(&repeat.kept));
        }
        Op::Apply(apply) | Op::TailApply(apply) => {
            out.push(Operand::Op(&mut apply.function));
            out.extend(apply.args.iter_mut().map(Operand::Arg));
        }
        Op::Builtin(call) => out.extend(call.args.iter_mut().map(Operand::Arg)),
        Op::Closure(closure) => out.push(Operand::Captures(&mut closure.captures)),
        Op::Let(inner) => {
            for binding in &mut inner.bindings {
                match binding {
                    Binding::Plain(_, arg) => out.push(Operand::Arg(arg)),
                    Binding::Parts(parts, _) => out.push(Operand::Op(&mut parts.0)),
                    Binding::Recursive(delays) => {
                        out.extend(delays.iter_mut().map(|(_, delay)| Operand::Captures(&mut delay.captures)));
                    }
                }
            }
            out.push(Operand::Op(&mut inner.body));
        }
        Op::Match(inner) => out.extend(inner.equations.iter_mut().map(|equation| Operand::Op(&mut equation.body))),
        Op::Select(inner) => out.push(Operand::Op(&mut inner.value)),
        Op::Range(inner) => {
            out.push(Operand::Op(&mut inner.from));
            out.extend(inner.to.iter_mut().map(Operand::Op));
        }
        Op::Comprehension(inner) => {
            steps_of(&mut inner.steps, out);
            out.extend(inner.results.iter_mut().map(Operand::Op));
        }
        Op::LazyComprehension(inner) => out.push(Operand::Captures(&mut inner.captures)),
        Op::Process(process) => process_operands(process, out),
    }
}

fn steps_of<'o>(steps: &'o mut [Step], out: &mut Vec<Operand<'o>>) {
    out.extend(steps.iter_mut().map(|step| match step {
        Step::Generator { source, .. } => Operand::Op(source),
        Step::Filter(condition) => Operand::Op(&mut condition.op),
    }));
}

fn events_of(events: &mut EventsOp) -> Operand<'_> {
    Operand::Op(&mut events.set)
}

fn ties_of<'o>(ties: &'o mut TiesOp, out: &mut Vec<Operand<'o>>) {
    steps_of(&mut ties.steps, out);
    for (from, to, _) in &mut ties.pairs {
        out.extend([from, to].map(Operand::Op));
    }
}

fn process_operands<'o>(process: &'o mut ProcessOp, out: &mut Vec<Operand<'o>>) {
    match process {
        ProcessOp::Stop | ProcessOp::Skip => {}
        ProcessOp::Prefix(prefix) => {
            out.push(Operand::Op(&mut prefix.event));
            for field in &mut prefix.fields {
                match field {
                    Field::Output(op, _) | Field::From(_, _, op, _) => out.push(Operand::Op(op)),
                    Field::Any(..) => {}
                }
            }
            out.push(Operand::Op(&mut prefix.process));
            if let Some(timing) = &mut prefix.timing {
                out.extend(timing.duration.iter_mut().map(Operand::Op));
            }
        }
        ProcessOp::ExternalChoice(operands) => out.extend(operands.iter_mut().map(Operand::Op)),
        ProcessOp::Infix(_, left, right) => out.extend([left, right].map(Operand::Op)),
        ProcessOp::Hide(process, events) | ProcessOp::Project(process, events) => {
            out.extend([Operand::Op(process), events_of(events)]);
        }
        ProcessOp::WithSet(_, left, events, right) => {
            out.extend([Operand::Op(left), events_of(events), Operand::Op(right)]);
        }
        ProcessOp::AlphaParallel(left, a, b, right) => {
            out.extend([Operand::Op(left), events_of(a), events_of(b), Operand::Op(right)]);
        }
        ProcessOp::Link(left, ties, right) => {
            out.extend([Operand::Op(left), Operand::Op(right)]);
            ties_of(ties, out);
        }
        ProcessOp::Rename(process, ties) => {
            out.push(Operand::Op(process));
            ties_of(ties, out);
        }
        ProcessOp::Replicated(replicated) => {
            steps_of(&mut replicated.steps, out);
            match &mut replicated.op {
                ReplicatedOp::AlphaParallel(events)
                | ReplicatedOp::Parallel(events)
                | ReplicatedOp::SyncChoice(events) => out.push(events_of(events)),
                ReplicatedOp::Link(ties) => ties_of(ties, out),
                _ => {}
            }
            out.push(Operand::Op(&mut replicated.process));
            out.extend(replicated.empty.iter_mut().map(Operand::Op));
        }
        ProcessOp::Delayed { count, process, .. } => out.extend([count, process].map(Operand::Op)),
    }
}
