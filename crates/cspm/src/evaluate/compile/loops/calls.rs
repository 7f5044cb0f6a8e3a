//! Calls that a plan follows.
//!
//! What another function makes of the numbers, maps, tuples and rows at hand is found by going through its body, as often as it
//! starts over: over a row that is known to its last element it comes to an end, and what is left are the steps. Where the
//! ways through a body part, they meet again in front of the next round, so that a body costs its steps once for each round.

use super::super::super::code::{Arg, Call, Match, Op, Pattern, Repeat, SeqCases, Slot};
use super::super::super::loops::Step;
use super::super::super::value::Value;
use super::rounds::update_of;
use super::{Held, Hole, Kind, NOWHERE, Plan, Point, Register, Version};
use crate::builtins::Builtin;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Calls that are followed inside of each other.
const MOST_OPEN: usize = 3;
/// How many times bodies are gone through in one plan.
const MOST_FOLLOWED: usize = 64;
/// The longest row that is known element by element.
const LONGEST_ROW: usize = 16;

/// What the body of another function comes to.
enum Outcome {
    Value(Held),
    /// It starts over with these arguments.
    Again(BTreeMap<Slot, Held>),
}

/// Two ways that meet.
struct Meeting {
    /// How the first one ended.
    end: Point,
    /// The maps behind both.
    versions: Vec<Version>,
    /// Numbers that become one: the register, and those of the two ways.
    numbers: Vec<(Register, Register, Register)>,
}

impl Plan<'_, '_> {
    /// What is known of a value, with the steps that make it.
    pub(super) fn value(&mut self, op: &Op) -> Option<Held> {
        self.deeper(|this| this.value_here(op))
    }

    fn value_here(&mut self, op: &Op) -> Option<Held> {
        match op {
            Op::Local(slot) | Op::Move(slot) => self.held_in(*slot),
            Op::Tuple(parts) => Some(Held::Tuple(self.parts(parts)?.into())),
            Op::Seq(parts) if parts.len() <= LONGEST_ROW => Some(Held::Row(self.parts(parts)?.into(), 0)),
            Op::Const(Value::EmptySeq) => Some(Held::Row([].into(), 0)),
            Op::Builtin(call) if call.builtin == Builtin::MapUpdate => {
                let (store, key) = self.asked(call)?;
                let step = match call.args.get(2)? {
                    Arg::Now(Op::Const(value)) if value.is_plain() => {
                        Step::UpdateConstant(store, key, self.constant(value))
                    }
                    value => Step::Update(store, key, self.argument(value)?),
                };
                self.steps.push(step);
                self.has_changed = true;
                let version = self.next_version();
                self.versions[store as usize] = version;
                Some(Held::Map(store, version))
            }
            Op::Call(call) => self.followed(call),
            op => self.number(op).map(Held::Number),
        }
    }

    /// The same for something that need not be computed: if it cannot be, the round is for the closures.
    pub(super) fn part(&mut self, arg: &Arg) -> Option<Held> {
        match arg {
            Arg::Now(op) => self.value(op),
            Arg::Local(slot) | Arg::Move(slot) => self.held_in(*slot),
            Arg::Cheap(parts) | Arg::Ready(parts) => self.value(&parts.0),
            Arg::Delay(delay) => self.value(delay.at_once.as_ref()?),
            Arg::Rest(slot, _) => match self.held_in(*slot)? {
                Held::Row(row, at) if at < row.len() => Some(Held::Row(row, at + 1)),
                Held::Row(..) => None,
                _ => match self.sequence_in(*slot)? {
                    (place, false) => Some(Held::Sequence(place, true)),
                    _ => None,
                },
            },
        }
    }

    /// Several parts. Those that change maps come last, because others may look at the maps as they are.
    pub(super) fn parts(&mut self, args: &[Arg]) -> Option<Vec<Held>> {
        let mut parts = vec![Held::Argument(0); args.len()];
        for is_change in [false, true] {
            for (part, arg) in parts.iter_mut().zip(args).filter(|(_, arg)| update_of(arg).is_some() == is_change) {
                *part = self.part(arg)?;
            }
        }
        Some(parts)
    }

    /// What a call comes to, if it can be followed to its end.
    pub(super) fn followed(&mut self, call: &Call) -> Option<Held> {
        let args = self.parts(&call.args)?;
        let tree = self.program.tree(call.function)?;
        self.inside(args, |this| {
            loop {
                match this.outcome(&tree)? {
                    Outcome::Value(held) => return Some(held),
                    Outcome::Again(args) => this.held = args,
                }
                this.may_follow()?;
            }
        })
    }

    /// Whether one more body may be gone through.
    fn may_follow(&mut self) -> Option<()> {
        self.n_followed += 1;
        (self.n_followed <= MOST_FOLLOWED && !self.is_too_large()).then_some(())
    }

    /// Works on the body of another function with these arguments.
    pub(super) fn inside<R>(&mut self, args: Vec<Held>, work: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        self.may_follow()?;
        if self.n_open >= MOST_OPEN {
            return None;
        }
        let outside = std::mem::replace(&mut self.held, (0..).zip(args).collect());
        self.n_open += 1;
        let found = work(self);
        self.n_open -= 1;
        self.held = outside;
        found
    }

    fn outcome(&mut self, op: &Op) -> Option<Outcome> {
        self.deeper(|this| this.outcome_here(op))
    }

    fn outcome_here(&mut self, op: &Op) -> Option<Outcome> {
        match op {
            Op::Grow(inner) => self.outcome(inner),
            Op::Let(inner) => {
                self.bind_all(&inner.bindings)?;
                self.outcome(&inner.body)
            }
            Op::If(parts) => {
                let fails = self.condition(&parts.0)?;
                let (point, n_computed) = (self.point(), self.computed.len());
                let then = self.outcome(&parts.1)?;
                let leaves = self.going(Step::Jump(NOWHERE));
                let end = self.point();
                self.back_to(point);
                self.land(&fails);
                let otherwise = self.outcome(&parts.2);
                self.computed.truncate(n_computed);
                let has_changed = end.has_changed;
                let met = otherwise.and_then(|otherwise| self.meet((then, end, leaves), otherwise));
                // If they do not meet, the first way is left to the closures behind what it has changed.
                self.has_changed |= has_changed;
                met
            }
            Op::SeqCases(cases) => self.cases_of_row(cases),
            Op::Match(inner) => self.equation_for_rows(inner),
            Op::Repeat(repeat) => self.again(repeat).map(Outcome::Again),
            Op::TailCall(call) => self.followed(call).map(Outcome::Value),
            op => self.value(op).map(Outcome::Value),
        }
    }

    fn cases_of_row(&mut self, cases: &SeqCases) -> Option<Outcome> {
        let Held::Row(row, at) = self.held_in(cases.slot)? else { return None };
        let Some(first) = row.get(at) else { return self.outcome(&cases.empty) };
        self.bind(&cases.head, first.clone())?;
        self.bind(&cases.tail, Held::Row(row.clone(), at + 1))?;
        self.outcome(&cases.body)
    }

    /// The equation that matches, if no step is needed to tell.
    fn equation_for_rows(&mut self, inner: &Match) -> Option<Outcome> {
        for equation in &inner.equations {
            let mut is_matched = true;
            for (slot, pattern) in &equation.patterns {
                let Held::Row(row, at) = self.held_in(*slot)? else { return None };
                is_matched &= self.is_row_matched(pattern, Held::Row(row, at))?;
            }
            if is_matched {
                return self.outcome(&equation.body);
            }
        }
        None
    }

    fn is_row_matched(&mut self, pattern: &Pattern, held: Held) -> Option<bool> {
        let Held::Row(row, at) = held else { return None };
        let (head, tail) = match pattern {
            Pattern::Seq(parts) if parts.is_empty() => return Some(at == row.len()),
            Pattern::Uncons(parts) => (&parts.0, &parts.1),
            Pattern::Affixes { prefix, middle, suffix, .. } if suffix.is_empty() => match &**prefix {
                [head] => (head, &**middle),
                _ => return None,
            },
            _ => return None,
        };
        let Some(first) = row.get(at) else { return Some(false) };
        self.bind(head, first.clone())?;
        self.bind(tail, Held::Row(row.clone(), at + 1))?;
        Some(true)
    }

    fn again(&mut self, repeat: &Repeat) -> Option<BTreeMap<Slot, Held>> {
        let mut args = BTreeMap::new();
        for &slot in &repeat.kept {
            args.insert(slot, self.held_in(slot)?);
        }
        for is_change in [false, true] {
            for (slot, arg) in repeat.args.iter().filter(|(_, arg)| update_of(arg).is_some() == is_change) {
                args.insert(*slot, self.part(arg)?);
            }
        }
        Some(args)
    }

    /// Lets two ways meet here: the first ended at `leaves`, the second ends here.
    fn meet(&mut self, (then, end, leaves): (Outcome, Point, Hole), otherwise: Outcome) -> Option<Outcome> {
        let mut versions = self.versions.clone();
        for (store, version) in versions.iter_mut().enumerate() {
            if end.versions.get(store).copied().unwrap_or(0) != *version {
                *version = self.next_version();
            }
        }
        let mut meeting = Meeting { end, versions, numbers: Vec::new() };
        let outcome = match (then, otherwise) {
            (Outcome::Value(left), Outcome::Value(right)) => Outcome::Value(self.common(left, right, &mut meeting)?),
            (Outcome::Again(left), Outcome::Again(right)) if left.keys().eq(right.keys()) => {
                let mut args = BTreeMap::new();
                for ((slot, left), right) in left.into_iter().zip(right.into_values()) {
                    args.insert(slot, self.common(left, right, &mut meeting)?);
                }
                Outcome::Again(args)
            }
            _ => return None,
        };
        let Meeting { versions, numbers, .. } = meeting;
        self.steps.extend(numbers.iter().map(|&(into, _, right)| Step::Copy(into, right)));
        if numbers.is_empty() {
            self.land(&[leaves]);
        } else {
            let past = self.going(Step::Jump(NOWHERE));
            self.land(&[leaves]);
            self.steps.extend(numbers.iter().map(|&(into, left, _)| Step::Copy(into, left)));
            self.land(&[past]);
        }
        self.versions = versions;
        Some(outcome)
    }

    /// What can be said of a value that is one thing after the first way and another after the second.
    fn common(&mut self, left: Held, right: Held, meeting: &mut Meeting) -> Option<Held> {
        match (self.settled(left), self.settled(right)) {
            (Held::Map(store, version), Held::Map(same, other)) if store == same => {
                let at = store as usize;
                let is_there = meeting.end.versions.get(at) == Some(&version) && self.versions.get(at) == Some(&other);
                is_there.then(|| Held::Map(store, meeting.versions[at]))
            }
            (Held::Tuple(left), Held::Tuple(right)) if left.len() == right.len() => {
                Some(Held::Tuple(self.common_parts(&left, &right, meeting)?))
            }
            (Held::Row(left, at), Held::Row(right, other)) if left.len() == right.len() && at == other => {
                Some(Held::Row(self.common_parts(&left, &right, meeting)?, at))
            }
            (left, right) if left == right => Some(left),
            (left, right) => {
                let (left, right) = (self.number_held(&left)?, self.number_held(&right)?);
                let into = self.register();
                meeting.numbers.push((into, left, right));
                Some(Held::Number(into))
            }
        }
    }

    fn common_parts(&mut self, left: &[Held], right: &[Held], meeting: &mut Meeting) -> Option<Rc<[Held]>> {
        left.iter().zip(right).map(|(left, right)| self.common(left.clone(), right.clone(), meeting)).collect()
    }

    /// The same, said by what an argument is as far as that is known.
    fn settled(&self, held: Held) -> Held {
        let Held::Argument(slot) = held else { return held };
        match self.kinds.get(&slot) {
            Some(Kind::Number(register)) => Held::Number(*register),
            Some(Kind::Map(store)) => Held::Map(*store, 0),
            Some(Kind::Sequence(_) | Kind::Text) | None => held,
        }
    }
}
