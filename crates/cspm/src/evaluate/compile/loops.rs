//! From the tree of a function to its rounds on numbers.
//!
//! The plan follows the body as far as it is made of comparisons, arithmetic, questions to maps, first elements of sequences
//! and the function itself once more; everything else is a round for the closures. Which arguments are numbers,
//! sequences or maps is seen from how they are used: should a call come with something else, the closures run it. The
//! body is gone through twice, because what an argument is may be seen behind the first place where it is needed.
//!
//! In a round everything that may not work out comes first, and what changes arguments, sequences, maps and the piece
//! comes last.

use super::super::code::{Arg, Binding, BuiltinCall, Compare, FunctionId, Let, Match, Op, Pattern, PrependAgain};
use super::super::code::{Repeat, SeqCases, Slot};
use super::super::loops::{Loop, N_CURSORS, N_MAPS, N_REGISTERS, Place, Register, Step, Store, Target, Trust};
use super::super::value::Value;
use crate::builtins::Builtin;
use crate::syntax::{BinaryOp, ExprId};
use std::collections::BTreeMap;

/// Steps that a plan may have.
const MOST_STEPS: usize = 200;
/// How deep expressions may be nested.
const DEEPEST: usize = 40;

/// Where steps go whose target is never settled, because the way there is for the closures.
const NOWHERE: Target = Target::MAX;

/// What an argument is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number(Register),
    Sequence(Place),
    Map(Store),
}

/// What a slot holds at some point of a round.
#[derive(Clone, Copy)]
enum Held {
    Number(Register),
    /// A sequence, or what follows its first element.
    Sequence(Place, bool),
}

/// Where a step is that has to be told its target.
type Hole = usize;

/// The rounds of a function, if it has some that are worth it.
pub(super) fn plan(body: &Op, function: FunctionId) -> Option<Loop> {
    let mut plan = Plan::default();
    for _ in 0..2 {
        plan.begin();
        plan.tail(body);
        if plan.n_rounds == 0 || plan.is_too_large() {
            return None;
        }
    }
    if plan.kinds.keys().any(|&slot| slot as usize >= plan.n_arguments) {
        return None;
    }
    let mut numbers: Vec<(Slot, Register)> = Vec::new();
    let (mut sequences, mut maps) = (vec![0; plan.n_places as usize], vec![0; plan.n_stores as usize]);
    for (&slot, kind) in &plan.kinds {
        match kind {
            Kind::Number(register) => numbers.push((slot, *register)),
            Kind::Sequence(place) => sequences[*place as usize] = slot,
            Kind::Map(store) => maps[*store as usize] = slot,
        }
    }
    Some(Loop {
        function,
        n_arguments: plan.n_arguments,
        numbers: numbers.into(),
        fixed: plan.fixed.into(),
        sequences: sequences.into(),
        maps: maps.into(),
        constants: plan.constants.into(),
        steps: plan.steps.into(),
        yields_elements: plan.yields_elements,
        trust: Trust::default(),
    })
}

#[derive(Default)]
struct Plan {
    kinds: BTreeMap<Slot, Kind>,
    held: BTreeMap<Slot, Held>,
    steps: Vec<Step>,
    fixed: Vec<(Register, i64)>,
    constants: Vec<Value>,
    n_registers: usize,
    n_places: Place,
    n_stores: Store,
    n_arguments: usize,
    /// How many ways through the body start over.
    n_rounds: usize,
    yields_elements: Option<ExprId>,
    depth: usize,
}

impl Plan {
    /// Forgets everything but what arguments are.
    fn begin(&mut self) {
        let kinds = std::mem::take(&mut self.kinds);
        let (n_places, n_stores, n_arguments) = (self.n_places, self.n_stores, self.n_arguments);
        *self = Plan { n_places, n_stores, n_arguments, ..Plan::default() };
        for (slot, kind) in kinds {
            let kind = match kind {
                Kind::Number(_) => Kind::Number(self.register()),
                kind => kind,
            };
            self.kinds.insert(slot, kind);
        }
    }

    fn is_too_large(&self) -> bool {
        self.n_registers > N_REGISTERS
            || self.n_places as usize > N_CURSORS
            || self.n_stores as usize > N_MAPS
            || self.steps.len() > MOST_STEPS
            || self.constants.len() > MOST_STEPS
    }

    fn register(&mut self) -> Register {
        self.n_registers += 1;
        // More of them than there are make the plan too large.
        Register::try_from(self.n_registers - 1).unwrap_or(0)
    }

    fn number_of(&mut self, number: i64) -> Register {
        if let Some((register, _)) = self.fixed.iter().find(|(_, known)| *known == number) {
            return *register;
        }
        let register = self.register();
        self.fixed.push((register, number));
        register
    }

    fn constant(&mut self, value: &Value) -> u8 {
        self.constants.push(value.clone());
        u8::try_from(self.constants.len() - 1).unwrap_or(0)
    }

    fn here(&self) -> Target {
        Target::try_from(self.steps.len()).unwrap_or(0)
    }

    /// A step that goes elsewhere, to be settled later.
    fn going(&mut self, step: Step) -> Hole {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Lets steps go on here.
    fn land(&mut self, holes: &[Hole]) {
        let here = self.here();
        for &hole in holes {
            match &mut self.steps[hole] {
                Step::UnlessEqual(_, _, target)
                | Step::UnlessDifferent(_, _, target)
                | Step::UnlessLess(_, _, target)
                | Step::UnlessAtMost(_, _, target)
                | Step::UnlessMore(_, target)
                | Step::UnlessEnd(_, target)
                | Step::First(_, _, target)
                | Step::UnlessMember(_, _, target)
                | Step::Jump(target) => *target = here,
                _ => {}
            }
        }
    }

    fn number_in(&mut self, slot: Slot) -> Option<Register> {
        match self.held.get(&slot) {
            Some(Held::Number(register)) => return Some(*register),
            Some(Held::Sequence(..)) => return None,
            None => {}
        }
        match self.kinds.get(&slot) {
            Some(Kind::Number(register)) => Some(*register),
            Some(_) => None,
            None => {
                let register = self.register();
                self.kinds.insert(slot, Kind::Number(register));
                Some(register)
            }
        }
    }

    fn sequence_in(&mut self, slot: Slot) -> Option<(Place, bool)> {
        match self.held.get(&slot) {
            Some(Held::Sequence(place, is_rest)) => return Some((*place, *is_rest)),
            Some(Held::Number(_)) => return None,
            None => {}
        }
        match self.kinds.get(&slot) {
            Some(Kind::Sequence(place)) => Some((*place, false)),
            Some(_) => None,
            None => {
                self.n_places += 1;
                self.kinds.insert(slot, Kind::Sequence(self.n_places - 1));
                Some((self.n_places - 1, false))
            }
        }
    }

    fn map_in(&mut self, op: &Op) -> Option<Store> {
        let (Op::Local(slot) | Op::Move(slot)) = op else { return None };
        if self.held.contains_key(slot) {
            return None;
        }
        match self.kinds.get(slot) {
            Some(Kind::Map(store)) => Some(*store),
            Some(_) => None,
            None => {
                self.n_stores += 1;
                self.kinds.insert(*slot, Kind::Map(self.n_stores - 1));
                Some(self.n_stores - 1)
            }
        }
    }

    /// The register of a number.
    fn number(&mut self, op: &Op) -> Option<Register> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let register = self.number_here(op);
        self.depth -= 1;
        register
    }

    fn number_here(&mut self, op: &Op) -> Option<Register> {
        match op {
            Op::Int(number) => Some(self.number_of(*number)),
            Op::Local(slot) | Op::Move(slot) => self.number_in(*slot),
            Op::Grow(inner) => self.number(inner),
            Op::Arithmetic(inner) => {
                let (left, right) = (self.number(&inner.left)?, self.number(&inner.right)?);
                let into = self.register();
                self.steps.push(match inner.op {
                    BinaryOp::Add => Step::Add(into, left, right),
                    BinaryOp::Subtract => Step::Subtract(into, left, right),
                    BinaryOp::Multiply => Step::Multiply(into, left, right),
                    BinaryOp::Modulo => Step::Modulo(into, left, right),
                    _ => Step::Divide(into, left, right),
                });
                Some(into)
            }
            Op::Negate(inner, _) => {
                let (zero, number, into) = (self.number_of(0), self.number(inner)?, self.register());
                self.steps.push(Step::Subtract(into, zero, number));
                Some(into)
            }
            Op::Builtin(call) if call.builtin == Builtin::MapLookup => {
                let (store, key) = self.asked(call)?;
                let into = self.register();
                self.steps.push(Step::Lookup(store, key, into));
                Some(into)
            }
            _ => None,
        }
    }

    /// The map and the key of a question.
    fn asked(&mut self, call: &BuiltinCall) -> Option<(Store, Register)> {
        match &*call.args {
            [Arg::Now(map), Arg::Now(key), ..] => Some((self.map_in(map)?, self.number(key)?)),
            _ => None,
        }
    }

    /// The same for an argument that need not be computed: if it cannot be, the round is for the closures.
    fn argument(&mut self, arg: &Arg) -> Option<Register> {
        match arg {
            Arg::Now(op) => self.number(op),
            Arg::Local(slot) | Arg::Move(slot) => self.number_in(*slot),
            Arg::Cheap(parts) | Arg::Ready(parts) => self.number(&parts.0),
            Arg::Rest(..) | Arg::Delay(_) => None,
        }
    }

    /// Goes on here if the condition holds; the steps that go elsewhere.
    fn condition(&mut self, op: &Op) -> Option<Vec<Hole>> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let holes = self.condition_here(op);
        self.depth -= 1;
        holes
    }

    fn condition_here(&mut self, op: &Op) -> Option<Vec<Hole>> {
        match op {
            Op::Grow(inner) => self.condition(inner),
            Op::Compare(inner) => self.comparison(inner).map(|hole| vec![hole]),
            Op::Not(inner) => {
                let fails = self.condition(inner)?;
                let holds = self.going(Step::Jump(NOWHERE));
                self.land(&fails);
                Some(vec![holds])
            }
            Op::And(parts) => {
                let mut fails = self.condition(&parts.0)?;
                fails.extend(self.condition(&parts.1)?);
                Some(fails)
            }
            Op::Or(parts) => {
                let fails = self.condition(&parts.0)?;
                let holds = self.going(Step::Jump(NOWHERE));
                self.land(&fails);
                let fails = self.condition(&parts.1)?;
                self.land(&[holds]);
                Some(fails)
            }
            Op::Builtin(call) if call.builtin == Builtin::MapMember => {
                let (store, key) = self.asked(call)?;
                Some(vec![self.going(Step::UnlessMember(store, key, NOWHERE))])
            }
            _ => None,
        }
    }

    fn comparison(&mut self, compare: &Compare) -> Option<Hole> {
        let (left, right) = (self.number(&compare.left)?, self.number(&compare.right)?);
        let step = match compare.op {
            BinaryOp::Equal => Step::UnlessEqual(left, right, NOWHERE),
            BinaryOp::NotEqual => Step::UnlessDifferent(left, right, NOWHERE),
            BinaryOp::Less => Step::UnlessLess(left, right, NOWHERE),
            BinaryOp::LessEqual => Step::UnlessAtMost(left, right, NOWHERE),
            BinaryOp::Greater => Step::UnlessLess(right, left, NOWHERE),
            BinaryOp::GreaterEqual => Step::UnlessAtMost(right, left, NOWHERE),
            _ => return None,
        };
        Some(self.going(step))
    }

    /// What the function comes to.
    fn tail(&mut self, op: &Op) {
        if self.depth > DEEPEST || self.is_too_large() {
            self.steps.push(Step::Give);
            return;
        }
        self.depth += 1;
        if self.tail_here(op).is_none() {
            self.steps.push(Step::Give);
        }
        self.depth -= 1;
    }

    /// The same, unless it is for the closures.
    fn tail_here(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Grow(inner) => self.tail(inner),
            Op::If(parts) => {
                let fails = self.condition(&parts.0)?;
                let held = self.held.clone();
                self.tail(&parts.1);
                self.held = held;
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
        match (self.held.get(&slot).copied(), self.kinds.get(&slot).copied()) {
            (Some(Held::Number(register)), _) | (None, Some(Kind::Number(register))) => {
                self.steps.push(Step::YieldNumber(register));
            }
            (Some(Held::Sequence(place, true)), _) => {
                self.steps.push(Step::YieldRest(place));
            }
            (Some(Held::Sequence(place, false)), _) | (None, Some(Kind::Sequence(place))) => {
                self.steps.push(Step::YieldSequence(place));
            }
            (None, _) => return None,
        }
        Some(())
    }

    fn bindings(&mut self, inner: &Let) -> Option<()> {
        for binding in &inner.bindings {
            let Binding::Plain(slot, arg) = binding else { return None };
            let held = match arg {
                Arg::Rest(argument, _) => match self.sequence_in(*argument)? {
                    (place, false) => Held::Sequence(place, true),
                    _ => return None,
                },
                arg => Held::Number(self.argument(arg)?),
            };
            self.held.insert(*slot, held);
        }
        self.tail(&inner.body);
        Some(())
    }

    fn cases(&mut self, cases: &SeqCases) -> Option<()> {
        let (place, false) = self.sequence_in(cases.slot)? else { return None };
        let held = self.held.clone();
        let ends = self.more(place, &cases.head, &cases.tail)?;
        self.tail(&cases.body);
        self.held = held;
        self.land(&[ends]);
        self.tail(&cases.empty);
        Some(())
    }

    /// Takes a sequence apart that is not empty; the step that goes elsewhere if it is.
    fn more(&mut self, place: Place, head: &Pattern, tail: &Pattern) -> Option<Hole> {
        let hole = match head {
            Pattern::Any => self.going(Step::UnlessMore(place, NOWHERE)),
            Pattern::Bind(slot) => {
                let register = self.register();
                self.held.insert(*slot, Held::Number(register));
                self.going(Step::First(place, register, NOWHERE))
            }
            Pattern::Tuple(parts) => {
                let hole = self.going(Step::UnlessMore(place, NOWHERE));
                for (index, part) in (0..=u8::MAX).zip(parts) {
                    match part {
                        Pattern::Any => {}
                        Pattern::Bind(slot) => {
                            let register = self.register();
                            self.held.insert(*slot, Held::Number(register));
                            self.steps.push(Step::Item(place, index, register));
                        }
                        _ => return None,
                    }
                }
                hole
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
            let (held, mut fails) = (self.held.clone(), Vec::new());
            for (slot, pattern) in &equation.patterns {
                fails.push(self.test(*slot, pattern)?);
            }
            self.tail(&equation.body);
            self.held = held;
            self.land(&fails);
        }
        // None of them matches: an error.
        self.steps.push(Step::Give);
        Some(())
    }

    fn test(&mut self, slot: Slot, pattern: &Pattern) -> Option<Hole> {
        match pattern {
            Pattern::Int(number) => {
                let (register, number) = (self.number_in(slot)?, self.number_of(*number));
                Some(self.going(Step::UnlessEqual(register, number, NOWHERE)))
            }
            Pattern::Seq(parts) if parts.is_empty() => {
                let (place, false) = self.sequence_in(slot)? else { return None };
                Some(self.going(Step::UnlessEnd(place, NOWHERE)))
            }
            Pattern::Uncons(parts) => {
                let (place, false) = self.sequence_in(slot)? else { return None };
                self.more(place, &parts.0, &parts.1)
            }
            Pattern::Affixes { prefix, middle, suffix } if suffix.is_empty() => {
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
        let (mut copies, mut updates) = (Vec::new(), Vec::new());
        let mut skips = [false; N_CURSORS];
        for &slot in &repeat.kept {
            if let Some(Kind::Sequence(place)) = self.kinds.get(&slot) {
                let place = *place;
                *skips.get_mut(place as usize)? = self.same_sequence(slot, place)?;
            }
        }
        for (slot, arg) in &repeat.args {
            match self.kinds.get(slot).copied() {
                Some(Kind::Sequence(place)) => {
                    *skips.get_mut(place as usize)? = match arg {
                        Arg::Local(from) | Arg::Move(from) => self.same_sequence(*from, place)?,
                        Arg::Rest(from, _) if !self.same_sequence(*from, place)? => true,
                        _ => return None,
                    };
                }
                Some(Kind::Map(store)) => updates.extend(self.update(arg, *slot, store)?),
                Some(Kind::Number(register)) => copies.push((register, self.argument(arg)?)),
                None if update_of(arg).is_some() => {
                    let store = self.map_in(&Op::Local(*slot))?;
                    updates.extend(self.update(arg, *slot, store)?);
                }
                None => {
                    let number = self.argument(arg)?;
                    copies.push((self.number_in(*slot)?, number));
                }
            }
        }
        if element.is_none() && updates.is_empty() {
            self.compute_in_place(&mut copies);
        }
        if let (Some(element), [], [], [true, false] | [false, true]) = (element, &updates[..], &copies[..], skips) {
            self.steps.push(Step::PushSkipAgain(element, Place::from(!skips[0])));
            self.n_rounds += 1;
            return Some(());
        }
        self.steps.extend(element.map(Step::Push));
        self.steps.extend(updates);
        self.set(&copies);
        let mut skipped: Vec<Place> = (0..).zip(skips).filter(|(_, is_due)| *is_due).map(|(place, _)| place).collect();
        let last = skipped.pop();
        self.steps.extend(skipped.into_iter().map(Step::Skip));
        self.steps.push(last.map_or(Step::Again, Step::SkipAgain));
        self.n_rounds += 1;
        Some(())
    }

    /// Whether a slot holds what follows the first element of the sequence, and not the sequence; nothing if neither.
    fn same_sequence(&mut self, slot: Slot, place: Place) -> Option<bool> {
        match self.sequence_in(slot)? {
            (same, is_rest) if same == place => Some(is_rest),
            _ => None,
        }
    }

    /// The step that makes a map what an argument says, if there is anything to do.
    fn update(&mut self, arg: &Arg, slot: Slot, store: Store) -> Option<Option<Step>> {
        if let Arg::Local(same) | Arg::Move(same) = arg {
            return (*same == slot).then_some(None);
        }
        let call = update_of(arg)?;
        let (of, key) = self.asked(call)?;
        if of != store {
            return None;
        }
        Some(Some(match call.args.get(2)? {
            Arg::Now(Op::Const(value)) if value.is_plain() => Step::UpdateConstant(store, key, self.constant(value)),
            value => Step::Update(store, key, self.argument(value)?),
        }))
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
fn update_of(arg: &Arg) -> Option<&BuiltinCall> {
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
