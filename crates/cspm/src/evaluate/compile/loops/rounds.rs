//! The ways through the body of a function, and how it starts over.

use super::super::super::code::{
    Arg, Binding, BuiltinCall, Let, Match, Op, Pattern, PrependAgain, Repeat, SeqCases, Slot,
};
use super::super::super::loops::{N_CURSORS, Place, Register, Step};
use super::super::super::value::Value;
use super::{DEEPEST, Held, Hole, Kind, NOWHERE, Plan};
use crate::builtins::Builtin;

impl Plan<'_, '_> {
    /// What the function comes to.
    pub(super) fn tail(&mut self, op: &Op) {
        if self.depth > DEEPEST || self.is_too_large() {
            self.risk(Step::Give);
            return;
        }
        self.depth += 1;
        if self.tail_here(op).is_none() {
            self.risk(Step::Give);
        }
        self.depth -= 1;
    }

    /// The same, unless it is for the closures.
    fn tail_here(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Grow(inner) => self.tail(inner),
            Op::If(parts) => {
                let fails = self.condition(&parts.0)?;
                let point = self.point();
                self.tail(&parts.1);
                self.back_to(point);
                self.land(&fails);
                self.tail(&parts.2);
            }
            Op::Compare(_) | Op::Not(_) | Op::And(_) | Op::Or(_) => {
                let fails = self.condition(op)?;
                let (truth, falsity) = (self.constant(&Value::bool(true)), self.constant(&Value::bool(false)));
                self.steps.push(Step::YieldConstant(truth));
                self.land(&fails);
                self.steps.push(Step::YieldConstant(falsity));
            }
            Op::Let(inner) => self.bindings(inner)?,
            Op::SeqCases(cases) => self.cases(cases)?,
            Op::Match(inner) => self.equations(inner)?,
            Op::Repeat(repeat) => self.repeat(repeat, None)?,
            Op::PrependAgain(prepend) => self.prepend(prepend)?,
            Op::Const(value) if value.is_plain() => {
                let constant = self.constant(value);
                self.steps.push(Step::YieldConstant(constant));
            }
            Op::Local(slot) | Op::Move(slot) => self.variable(*slot)?,
            op => {
                let number = self.number(op)?;
                self.steps.push(Step::YieldNumber(number));
            }
        }
        Some(())
    }

    /// An argument of which nothing is known tells nothing about itself where it is the value.
    fn variable(&mut self, slot: Slot) -> Option<()> {
        let step = match self.held_in(slot)? {
            Held::Number(register) => Step::YieldNumber(register),
            Held::Sequence(place, is_rest) => self.rest_of(place, is_rest)?,
            Held::Argument(slot) => match self.kinds.get(&slot)? {
                Kind::Number(register) => Step::YieldNumber(*register),
                Kind::Sequence(place) => self.rest_of(*place, false)?,
                Kind::Text => Step::YieldText,
                Kind::Map(_) => return None,
            },
            Held::Map(..) | Held::Tuple(_) | Held::Row(..) => return None,
        };
        self.steps.push(step);
        Some(())
    }

    /// Yields a sequence. Should it have yet to be computed, the round is for the closures, so nothing may have changed.
    fn rest_of(&self, place: Place, is_rest: bool) -> Option<Step> {
        let step = if is_rest { Step::YieldRest(place) } else { Step::YieldSequence(place) };
        (!self.has_changed).then_some(step)
    }

    fn bindings(&mut self, inner: &Let) -> Option<()> {
        self.bind_all(&inner.bindings)?;
        self.tail(&inner.body);
        Some(())
    }

    /// Local constants that can be known.
    pub(super) fn bind_all(&mut self, bindings: &[Binding]) -> Option<()> {
        for binding in bindings {
            match binding {
                Binding::Plain(slot, arg) => {
                    let held = self.part(arg)?;
                    self.held.insert(*slot, held);
                }
                Binding::Parts(parts, _) => {
                    let held = self.value(&parts.0)?;
                    self.bind(&parts.1, held)?;
                }
                Binding::Recursive(_) => return None,
            }
        }
        Some(())
    }

    /// Binds what is known to a pattern that it matches for certain.
    pub(super) fn bind(&mut self, pattern: &Pattern, held: Held) -> Option<()> {
        match (pattern, held) {
            (Pattern::Any, _) => {}
            (Pattern::Bind(slot), held) => {
                self.held.insert(*slot, held);
            }
            (Pattern::Tuple(patterns), Held::Tuple(parts)) if patterns.len() == parts.len() => {
                for (pattern, part) in patterns.iter().zip(&*parts) {
                    self.bind(pattern, part.clone())?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn cases(&mut self, cases: &SeqCases) -> Option<()> {
        let (place, false) = self.sequence_in(cases.slot)? else { return None };
        let point = self.point();
        let ends = self.more(place, &cases.head, &cases.tail)?;
        self.tail(&cases.body);
        self.back_to(point);
        self.land(ends.as_slice());
        self.tail(&cases.empty);
        Some(())
    }

    /// Takes a sequence apart that is not empty; the step that goes elsewhere if it is, unless that is known already.
    fn more(&mut self, place: Place, head: &Pattern, tail: &Pattern) -> Option<Option<Hole>> {
        let peeked = self.peeked.get(place as usize).copied().flatten();
        let hole = match (head, peeked) {
            (Pattern::Any, Some(_)) => None,
            (Pattern::Any, None) => Some(self.going(Step::UnlessMore(place, NOWHERE))),
            (Pattern::Bind(slot), Some(register)) => {
                self.held.insert(*slot, Held::Number(register));
                None
            }
            (Pattern::Bind(slot), None) => {
                let register = self.register();
                self.held.insert(*slot, Held::Number(register));
                *self.of_numbers.get_mut(place as usize)? = true;
                Some(self.going(Step::First(place, register, NOWHERE)))
            }
            (Pattern::Tuple(parts), _) => {
                let hole = self.going(Step::UnlessMore(place, NOWHERE));
                for (index, part) in (0..=u8::MAX).zip(parts) {
                    match part {
                        Pattern::Any => {}
                        Pattern::Bind(slot) => {
                            let register = self.register();
                            self.held.insert(*slot, Held::Number(register));
                            self.risk(Step::Item(place, index, register));
                        }
                        _ => return None,
                    }
                }
                Some(hole)
            }
            _ => return None,
        };
        match tail {
            Pattern::Any => {}
            Pattern::Bind(slot) => {
                self.held.insert(*slot, Held::Sequence(place, true));
            }
            _ => return None,
        }
        Some(hole)
    }

    fn equations(&mut self, inner: &Match) -> Option<()> {
        for equation in &inner.equations {
            let (point, mut fails) = (self.point(), Vec::new());
            for (slot, pattern) in &equation.patterns {
                fails.extend(self.test(*slot, pattern)?);
            }
            self.tail(&equation.body);
            self.back_to(point);
            self.land(&fails);
            // If that is all that failed, the sequence goes on.
            if let &[only] = &fails[..]
                && let Step::Peek(place, register, _) = self.steps[only]
            {
                self.peeked[place as usize] = Some(register);
            }
        }
        // None of them matches: an error.
        self.risk(Step::Give);
        Some(())
    }

    /// The step that goes elsewhere unless a pattern matches, if there is any.
    fn test(&mut self, slot: Slot, pattern: &Pattern) -> Option<Option<Hole>> {
        match pattern {
            Pattern::Int(number) => {
                let (register, number) = (self.number_in(slot)?, self.number_of(*number));
                Some(Some(self.going(Step::UnlessEqual(register, number, NOWHERE))))
            }
            Pattern::Seq(parts) if parts.is_empty() => {
                let (place, false) = self.sequence_in(slot)? else { return None };
                let is_of_numbers = self.of_numbers.get(place as usize).copied()?;
                let step = match is_of_numbers {
                    true => Step::Peek(place, self.register(), NOWHERE),
                    false => Step::UnlessEnd(place, NOWHERE),
                };
                Some(Some(self.going(step)))
            }
            Pattern::Uncons(parts) => {
                let (place, false) = self.sequence_in(slot)? else { return None };
                self.more(place, &parts.0, &parts.1)
            }
            Pattern::Affixes { prefix, middle, suffix, .. } if suffix.is_empty() => {
                let [head] = &**prefix else { return None };
                let (place, false) = self.sequence_in(slot)? else { return None };
                self.more(place, head, middle)
            }
            _ => None,
        }
    }

    fn prepend(&mut self, prepend: &PrependAgain) -> Option<()> {
        let head = self.argument(&prepend.head)?;
        self.repeat(&prepend.again, Some(head))?;
        self.yields_elements = Some(prepend.site);
        Some(())
    }

    /// Starts over with new arguments, behind an element if there is one.
    fn repeat(&mut self, repeat: &Repeat, element: Option<Register>) -> Option<()> {
        self.n_arguments = repeat.n_arguments;
        let (mut copies, mut skips) = (Vec::new(), [false; N_CURSORS]);
        let mut maps: Vec<(Slot, Held)> = Vec::new();
        for &slot in &repeat.kept {
            if let Some(Kind::Sequence(place)) = self.kinds.get(&slot).copied() {
                *skips.get_mut(place as usize)? = self.same_sequence(slot, place)?;
            }
        }
        // What changes maps and texts comes last: others may look at them as they are.
        let (late, early): (Vec<_>, Vec<_>) = repeat.args.iter().partition(|(slot, arg)| self.is_change(*slot, arg));
        for (slot, arg) in early {
            match self.kinds.get(slot).copied() {
                Some(Kind::Sequence(place)) => {
                    *skips.get_mut(place as usize)? = match arg {
                        Arg::Local(from) | Arg::Move(from) => self.same_sequence(*from, place)?,
                        Arg::Rest(from, _) if !self.same_sequence(*from, place)? => true,
                        _ => return None,
                    };
                }
                Some(Kind::Number(register)) => copies.push((register, self.argument(arg)?)),
                Some(Kind::Map(_) | Kind::Text) => return None,
                None => match self.part(arg)? {
                    held @ Held::Map(..) => maps.push((*slot, held)),
                    held => copies.push((self.number_held(&Held::Argument(*slot))?, self.number_held(&held)?)),
                },
            }
        }
        let is_in_place = element.is_none() && late.is_empty();
        for (slot, arg) in late {
            maps.extend(self.change(*slot, arg)?.map(|held| (*slot, held)));
        }
        for &slot in &repeat.kept {
            maps.push((slot, self.held_in(slot)?));
        }
        self.are_there(&maps)?;
        // From here on the round is certain to start over.
        if is_in_place && self.last_landing < self.steps.len() {
            self.compute_in_place(&mut copies);
        }
        if self.has_changed {
            self.steps.push(Step::Settle);
        }
        if let (Some(element), [], [true, false] | [false, true]) = (element, &copies[..], skips) {
            self.steps.push(Step::PushSkipAgain(element, Place::from(!skips[0])));
            self.n_rounds += 1;
            return Some(());
        }
        self.steps.extend(element.map(Step::Push));
        self.set(&copies);
        let mut skipped: Vec<Place> = (0..).zip(skips).filter(|(_, is_due)| *is_due).map(|(place, _)| place).collect();
        let last = skipped.pop();
        self.steps.extend(skipped.into_iter().map(Step::Skip));
        self.start_over(last);
        self.n_rounds += 1;
        Some(())
    }

    /// Starts over, past an element of a sequence if there is one; in one step with what was computed last.
    fn start_over(&mut self, skipped: Option<Place>) {
        // Others go on behind that step.
        let last = if self.last_landing < self.steps.len() { self.steps.last().copied() } else { None };
        let fused = match (last, skipped) {
            (Some(Step::Add(into, left, right)), None) => Some(Step::AddAgain(into, left, right)),
            (Some(Step::Subtract(into, left, right)), None) => Some(Step::SubtractAgain(into, left, right)),
            (Some(Step::Add(into, left, right)), Some(place)) => Some(Step::AddSkipAgain(into, left, right, place)),
            _ => None,
        };
        if fused.is_some() {
            self.steps.pop();
        }
        self.steps.push(fused.unwrap_or_else(|| skipped.map_or(Step::Again, Step::SkipAgain)));
    }

    /// Whether all maps among the arguments are there as they should be: each may have changed for the sake of another.
    fn are_there(&mut self, arguments: &[(Slot, Held)]) -> Option<()> {
        for (slot, held) in arguments {
            match (self.kinds.get(slot).copied(), held) {
                (Some(Kind::Map(store)), held) => (self.map_held(held)? == store).then_some(())?,
                (_, Held::Map(..)) => return None,
                _ => {}
            }
        }
        Some(())
    }

    /// Whether an argument is a map or a text, as far as that can be seen.
    fn is_change(&self, slot: Slot, arg: &Arg) -> bool {
        let is_map_held = match arg {
            Arg::Local(from) | Arg::Move(from) => matches!(self.held.get(from), Some(Held::Map(..))),
            _ => false,
        };
        match self.kinds.get(&slot) {
            Some(Kind::Map(_) | Kind::Text) => true,
            Some(_) => false,
            None => is_map_held || update_of(arg).is_some() || self.is_written_behind(slot, arg),
        }
    }

    /// Makes a map or a text what an argument says; the map.
    fn change(&mut self, slot: Slot, arg: &Arg) -> Option<Option<Held>> {
        if self.is_written_behind(slot, arg) {
            self.write_behind(slot, arg)?;
            return Some(None);
        }
        if !self.kinds.contains_key(&slot) {
            self.map_held(&Held::Argument(slot))?;
        }
        matches!(self.kinds.get(&slot), Some(Kind::Map(_))).then_some(())?;
        Some(Some(self.part(arg)?))
    }

    /// Whether a slot holds what follows the first element of the sequence, and not the sequence; nothing if neither.
    fn same_sequence(&mut self, slot: Slot, place: Place) -> Option<bool> {
        match self.sequence_in(slot)? {
            (same, is_rest) if same == place => Some(is_rest),
            _ => None,
        }
    }

    /// Lets the only new number be computed where it belongs, if that was the last step.
    fn compute_in_place(&mut self, copies: &mut Vec<(Register, Register)>) {
        let ([(into, from)], Some(last)) = (&copies[..], self.steps.last_mut()) else { return };
        match last {
            Step::Add(target, ..)
            | Step::Subtract(target, ..)
            | Step::Multiply(target, ..)
            | Step::Divide(target, ..)
            | Step::Modulo(target, ..)
                if target == from =>
            {
                *target = *into;
                copies.clear();
            }
            _ => {}
        }
    }

    /// Gives arguments their new numbers, all at once.
    fn set(&mut self, copies: &[(Register, Register)]) {
        let mut later = Vec::new();
        for (index, &(into, from)) in copies.iter().enumerate() {
            // Somebody behind it still needs what is there.
            if copies[index + 1..].iter().any(|(_, needed)| *needed == into) {
                let between = self.register();
                self.steps.push(Step::Copy(between, from));
                later.push(Step::Copy(into, between));
            } else {
                self.steps.push(Step::Copy(into, from));
            }
        }
        self.steps.extend(later);
    }
}

/// An argument as a change of a map, if that is what it is.
pub(super) fn update_of(arg: &Arg) -> Option<&BuiltinCall> {
    let op = match arg {
        Arg::Now(op) => op,
        Arg::Ready(parts) => &parts.0,
        _ => return None,
    };
    match op {
        Op::Builtin(call) if call.builtin == Builtin::MapUpdate => Some(call),
        _ => None,
    }
}
