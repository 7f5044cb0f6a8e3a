//! What a term can do, whatever the values of variables are.
//!
//! These are the firing rules again, this time without a valuation: a move has conditions, in the order in which they are looked at, and
//! effects. Where it depends on a value what happens, or what comes next, there is a move for each value that is possible: fields of
//! events, messages, arguments of calls. A step that goes wrong is a move as well, whose conditions have no value exactly where the
//! step goes wrong.

use super::compose::{self, Joint};
use super::range::{Range, Ranges};
use super::residual::residual;
use super::{Limit, NotLowered};
use crate::code::{AttachedCode, ChannelRef, Code, EventRef, ExprId, Pattern, ProgramId, Slot, Term, TermId, Type};
use crate::run::{System, TeamId, substitute};
use crate::syntax::IfKind;
use hashbrown::HashMap;
use lts::Label;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// Calls inside of calls before anything happens beyond this have no end, or might as well have none.
const MAX_CALLS: u32 = 2_000;
/// Values that are told apart in one place.
const MAX_VALUES: i64 = 600;
/// Messages that are told apart in one channel.
const MAX_MESSAGES: usize = 4_000;
/// Moves of one term.
const MAX_MOVES: usize = 20_000;

/// What is asked before a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Condition {
    True(ExprId),
    False(ExprId),
    /// An expression has a value.
    Is(ExprId, i32),
    /// There is room in a buffer.
    Room(u32),
    /// This message is the first in a buffer.
    First(u32, u32),
    /// Nothing that has a value.
    Wrong,
    /// Nothing that is ever true.
    Never,
}

/// What a move does to variables and buffers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Effect {
    /// A program runs.
    Run(ProgramId, Arc<[ExprId]>),
    /// A message is put into a buffer.
    Put(u32, u32),
    /// The first message is taken out of a buffer.
    Take(u32),
}

/// What a move is to the operators around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sort {
    /// It concerns nobody else.
    Own,
    /// An event without a program.
    Plain,
    /// Termination.
    Tick,
    /// A message, by its channel and its number, that somebody has to take.
    Offer(u32, u32),
    /// The other side of it.
    Taker(u32, u32),
    /// A step that goes wrong.
    Fault,
}

/// Something that can happen. What it makes of a process is a term, or what machines do together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move<T> {
    pub(super) conditions: Vec<Condition>,
    pub(super) effects: Vec<Effect>,
    pub(super) label: Label,
    pub(super) sort: Sort,
    pub(super) team: TeamId,
    pub(super) is_atomic: bool,
    pub(super) change: T,
}

/// The moves of a term.
pub(super) type TermMoves = Rc<[Move<TermId>]>;

/// The messages of a channel, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    pub(super) all: Vec<SmallVec<[i32; 4]>>,
    /// What is seen when one is handed over.
    pub(super) labels: Vec<Label>,
    numbers: HashMap<SmallVec<[i32; 4]>, u32>,
}

/// A script looked at without a valuation.
pub(super) struct Symbolic<'s> {
    pub(super) system: &'s mut System,
    /// What each variable may hold.
    pub(super) variables: Vec<Range>,
    /// The messages of each channel; those of an array of channels one after the other.
    pub(super) messages: Vec<Messages>,
    first_channel: Vec<u32>,
    known: HashMap<TermId, TermMoves>,
    /// Whether a message was met that nobody could have known of before.
    pub(super) has_grown: bool,
    /// Whether there are copies that are only counted, so that nobody knows which one moves.
    pub(super) has_groups: bool,
    depth: u32,
}

type Found = Vec<Move<TermId>>;

/// Values that some expressions may have, and the conditions under which they do.
type Case = (Vec<Condition>, SmallVec<[i32; 4]>);

impl<'s> Symbolic<'s> {
    pub(super) fn new(system: &'s mut System) -> Symbolic<'s> {
        let code = system.code();
        let hull = |cells: &[i32]| cells.iter().map(|&value| Range::one(value)).reduce(Range::hull);
        let variables = code.variables.iter().map(|variable| {
            hull(&code.initial[variable.offset..variable.offset + variable.n_cells()]).unwrap_or(Range::one(0))
        });
        let variables = variables.collect();
        let mut first_channel = Vec::new();
        let mut n_channels = 0;
        for channel in &code.channels {
            first_channel.push(n_channels);
            n_channels += channel.count.unwrap_or(1);
        }
        let messages = vec![Messages::default(); n_channels as usize];
        Symbolic {
            system,
            variables,
            messages,
            first_channel,
            known: HashMap::new(),
            has_grown: false,
            has_groups: false,
            depth: 0,
        }
    }

    /// Forgets what depends on values that were thought possible.
    pub(super) fn begin_again(&mut self) {
        self.known.clear();
        self.has_grown = false;
    }

    pub(super) fn code(&self) -> &Code {
        self.system.code()
    }

    pub(super) fn ranges(&self) -> Ranges<'_> {
        Ranges::new(self.system.code(), &self.variables)
    }

    fn may_fail(&self, expr: ExprId) -> bool {
        self.ranges().of(expr).may_fail
    }

    pub(super) fn channel_number(&self, channel: u32, index: u32) -> u32 {
        self.first_channel[channel as usize] + index
    }

    /// What a term can do.
    pub(super) fn moves(&mut self, id: TermId) -> Result<TermMoves, NotLowered> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        self.depth += 1;
        if self.depth > MAX_CALLS {
            return Err(NotLowered::Large(Limit::Calls));
        }
        let mut found = Vec::new();
        let outcome = stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.find(id, &mut found));
        self.depth -= 1;
        outcome?;
        if found.len() > MAX_MOVES {
            return Err(NotLowered::Large(Limit::Moves));
        }
        let moves: TermMoves = found.into_iter().filter_map(|next| self.settled(next)).collect();
        self.known.insert(id, moves.clone());
        Ok(moves)
    }

    /// A move without what is true anyway; nothing if it never happens. Where a condition has no value for sure, it only goes wrong.
    fn settled(&self, mut next: Move<TermId>) -> Option<Move<TermId>> {
        let mut ranges = self.ranges();
        let (mut kept, mut may_fail) = (Vec::with_capacity(next.conditions.len()), false);
        for condition in next.conditions {
            let expr = match &condition {
                Condition::True(expr) | Condition::False(expr) | Condition::Is(expr, _) => *expr,
                _ => {
                    kept.push(condition);
                    continue;
                }
            };
            if ranges.is_wrong(expr) {
                kept.push(condition);
                return Some(Move { conditions: kept, effects: Vec::new(), sort: Sort::Fault, ..next });
            }
            may_fail |= ranges.of(expr).may_fail;
            match &condition {
                Condition::Is(_, value) => ranges.assume_is(expr, *value),
                _ => ranges.assume(expr, matches!(condition, Condition::True(_))),
            }
            if ranges.is_impossible {
                kept.extend([condition, Condition::Never]);
                let watched = Move { conditions: kept, effects: Vec::new(), sort: Sort::Fault, ..next };
                return may_fail.then_some(watched);
            }
            if self.code().exprs.value(expr).is_none() {
                kept.push(condition);
            }
        }
        next.conditions = kept;
        Some(next)
    }

    fn find(&mut self, id: TermId, found: &mut Found) -> Result<(), NotLowered> {
        match self.code().terms.get(id).clone() {
            Term::Stop | Term::Finished => {}
            Term::Skip => found.push(self.tick()),
            Term::Assert(condition) => {
                found.push(Move { conditions: vec![Condition::True(condition)], ..self.tick() });
                found.push(fault(vec![Condition::False(condition), Condition::Wrong], id));
            }
            Term::Event(event, code, next) => self.event(id, &event, code.as_ref(), next, found)?,
            Term::Silent(code, next) => {
                found.push(Move { effects: program(code.as_ref()), ..step(Label::TAU, Sort::Own, next) });
            }
            Term::Send(to, values, code, next) => self.send(id, to, &values, code.as_ref(), next, found)?,
            Term::Receive(from, guard, patterns, code, next) => {
                self.receive(id, (from, guard, &patterns, code.as_ref(), next), found)?;
            }
            Term::Guard(condition, next) => {
                self.watch(Condition::True(condition), condition, id, found);
                self.under(&[Condition::True(condition)], next, found)?;
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => {
                self.watch(Condition::True(condition), condition, id, found);
                self.under(&[Condition::True(condition)], then, found)?;
                self.under(&[Condition::False(condition)], otherwise, found)?;
            }
            Term::If(kind, condition, then, otherwise) => {
                let silent =
                    |condition, next| Move { conditions: vec![condition], ..step(Label::TAU, Sort::Own, next) };
                found.push(silent(Condition::True(condition), then));
                if kind == IfKind::Step {
                    found.push(silent(Condition::False(condition), otherwise));
                }
            }
            Term::Case(branches, default) => {
                let mut conditions = Vec::new();
                for &(condition, next) in branches.iter() {
                    let taken = [&conditions[..], &[Condition::True(condition)]].concat();
                    found.push(Move { conditions: taken, ..step(Label::TAU, Sort::Own, next) });
                    conditions.push(Condition::False(condition));
                }
                found.push(Move { conditions, ..step(Label::TAU, Sort::Own, default) });
            }
            Term::Internal(all) => found.extend(all.iter().map(|&branch| step(Label::TAU, Sort::Own, branch))),
            Term::Sequence(first, second) => {
                for next in self.moves(first)?.iter() {
                    found.push(match next.sort {
                        Sort::Tick => Move { label: Label::TAU, sort: Sort::Own, change: second, ..next.clone() },
                        _ => self.around(id, next, |target| Term::Sequence(target, second)),
                    });
                }
            }
            Term::Choice(all) => {
                for &branch in all.iter() {
                    found.extend(self.moves(branch)?.iter().cloned());
                }
            }
            Term::External(all) => {
                for (place, &branch) in all.iter().enumerate() {
                    for next in self.moves(branch)?.iter() {
                        found.push(match is_silent(next) {
                            true => self.around(id, next, |target| {
                                let mut changed = all.to_vec();
                                changed[place] = target;
                                Term::External(changed.into())
                            }),
                            false => next.clone(),
                        });
                    }
                }
            }
            Term::Interrupt(left, right) => {
                for next in self.moves(left)?.iter() {
                    found.push(match next.sort {
                        Sort::Tick => next.clone(),
                        _ => self.around(id, next, |target| Term::Interrupt(target, right)),
                    });
                }
                for next in self.moves(right)?.iter() {
                    found.push(match is_silent(next) {
                        true => self.around(id, next, |target| Term::Interrupt(left, target)),
                        false => next.clone(),
                    });
                }
            }
            Term::Hide(set, inside) => {
                for next in self.moves(inside)?.iter() {
                    let next = compose::hidden(self.system, set, id, next)?;
                    found.push(match next.sort {
                        Sort::Tick => next,
                        _ => self.around(id, &next, |target| Term::Hide(set, target)),
                    });
                }
            }
            Term::Atomic(inside) => {
                for next in self.moves(inside)?.iter() {
                    let next = Move { is_atomic: true, ..next.clone() };
                    found.push(match next.sort {
                        Sort::Tick => next,
                        _ => self.around(id, &next, Term::Atomic),
                    });
                }
            }
            Term::Watched(inside) => {
                for next in self.moves(inside)?.iter() {
                    found.push(match next.sort {
                        Sort::Tick => compose::watched(self.system, next),
                        _ => self.around(id, next, Term::Watched),
                    });
                }
            }
            Term::Call(definition, arguments) => {
                for (conditions, values) in self.split(&arguments)? {
                    if arguments.iter().any(|&argument| self.may_fail(argument)) {
                        found.push(fault([&conditions[..], &[Condition::Never]].concat(), id));
                    }
                    let code = self.system.code_mut();
                    let values = arguments.iter().zip(&values).map(|(&argument, &value)| {
                        match (code.exprs.value(argument), code.exprs.ty(argument)) {
                            (Some(_), _) => argument,
                            (None, Type::Boolean) => code.exprs.bool(value != 0),
                            (None, _) => code.exprs.int(value),
                        }
                    });
                    let values: Arc<[ExprId]> = values.collect();
                    let body = self.system.body(definition, &values);
                    self.under(&conditions, body, found)?;
                }
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(self.system.code_mut(), id, &[]);
                if expanded == id {
                    return Err(NotLowered::Wrong);
                }
                found.extend(self.moves(expanded)?.iter().cloned());
            }
            Term::Interleave(all) => self.side_by_side(id, None, &all, found)?,
            Term::Parallel(family, all) => self.side_by_side(id, Some(family), &all, found)?,
            Term::Group(members) => self.group(id, &members, found)?,
        }
        Ok(())
    }

    /// The moves of a term, if some conditions are true.
    fn under(&mut self, conditions: &[Condition], id: TermId, found: &mut Found) -> Result<(), NotLowered> {
        for next in self.moves(id)?.iter() {
            found.push(Move { conditions: [conditions, &next.conditions].concat(), ..next.clone() });
        }
        Ok(())
    }

    /// A condition that is looked at whatever comes of it: where it has no value, the step goes wrong.
    fn watch(&self, condition: Condition, expr: ExprId, id: TermId, found: &mut Found) {
        if self.may_fail(expr) {
            found.push(fault(vec![condition, Condition::Never], id));
        }
    }

    fn tick(&self) -> Move<TermId> {
        step(Label::TICK, Sort::Tick, self.system.finished())
    }

    /// A move inside of an operator that stays.
    fn around(&mut self, id: TermId, next: &Move<TermId>, term: impl FnOnce(TermId) -> Term) -> Move<TermId> {
        let change = self.system.add(term(next.change), id);
        Move { change, ..next.clone() }
    }

    /// All values that some expressions may have, each with the conditions under which they do. Those that have a value ask for nothing.
    fn split(&self, exprs: &[ExprId]) -> Result<Vec<Case>, NotLowered> {
        let mut all: Vec<Case> = vec![Case::default()];
        for &expr in exprs {
            if let Some(value) = self.code().exprs.value(expr) {
                all.iter_mut().for_each(|(_, values)| values.push(value));
                continue;
            }
            let Range { low, high } = self.ranges().of(expr).range;
            if (high - low).saturating_mul(all.len() as i64) > MAX_VALUES {
                return Err(NotLowered::Large(Limit::Values));
            }
            let mut longer = Vec::new();
            for (conditions, values) in all {
                for value in low as i32..=high as i32 {
                    let conditions = [&conditions[..], &[Condition::Is(expr, value)]].concat();
                    let values = values.iter().copied().chain([value]).collect();
                    longer.push((conditions, values));
                }
            }
            all = longer;
        }
        Ok(all)
    }

    fn event(
        &mut self,
        id: TermId,
        event: &EventRef,
        code: Option<&AttachedCode>,
        next: TermId,
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let is_plain = code.is_none();
        for (conditions, values) in self.split(&event.fields)? {
            if is_plain && event.fields.iter().any(|&field| self.may_fail(field)) {
                found.push(fault([&conditions[..], &[Condition::Never]].concat(), id));
            }
            let label = self.system.label_of_values(event, &values);
            let sort = if is_plain { Sort::Plain } else { Sort::Own };
            found.push(Move { conditions, effects: program(code), ..step(label, sort, next) });
        }
        Ok(())
    }

    /// The members of an array of channels that are meant, each with the conditions under which it is.
    fn channels(
        &self,
        id: TermId,
        channel: ChannelRef,
        found: &mut Found,
    ) -> Result<Vec<(Vec<Condition>, u32)>, NotLowered> {
        let Some(index) = channel.index else { return Ok(vec![(Vec::new(), 0)]) };
        let count = self.code().channels[channel.channel as usize].count.unwrap_or(1);
        let mut members = Vec::new();
        for (conditions, values) in self.split(&[index])? {
            match u32::try_from(values[0]) {
                Ok(value) if value < count => members.push((conditions, value)),
                _ => found.push(fault([&conditions[..], &[Condition::Wrong]].concat(), id)),
            }
        }
        Ok(members)
    }

    fn message(&mut self, channel: u32, index: u32, values: &SmallVec<[i32; 4]>) -> Result<u32, NotLowered> {
        let number = self.channel_number(channel, index);
        let label = self.system.channel_label(channel, index, '.', values);
        let messages = &mut self.messages[number as usize];
        if let Some(&known) = messages.numbers.get(values) {
            return Ok(known);
        }
        if messages.all.len() >= MAX_MESSAGES {
            return Err(NotLowered::Large(Limit::Values));
        }
        let made = messages.all.len() as u32;
        messages.all.push(values.clone());
        messages.labels.push(label);
        messages.numbers.insert(values.clone(), made);
        self.has_grown = true;
        Ok(made)
    }

    fn send(
        &mut self,
        id: TermId,
        to: ChannelRef,
        values: &[ExprId],
        code: Option<&AttachedCode>,
        next: TermId,
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let declared = &self.code().channels[to.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        for (place, index) in self.channels(id, to, found)? {
            for (conditions, values) in self.split(values)? {
                let mut conditions = [&place[..], &conditions].concat();
                let channel = self.channel_number(to.channel, index);
                let message = self.message(to.channel, index, &values)?;
                if capacity == 0 {
                    // Whoever offers runs its program before it is known whether somebody takes the message.
                    if let Some(code) = code
                        && self.program_may_fail(code)?
                    {
                        return Err(NotLowered::Failing);
                    }
                    if self.conditions_may_fail(&conditions) {
                        found.push(fault([&conditions[..], &[Condition::Never]].concat(), id));
                    }
                    let offer = step(Label::TAU, Sort::Offer(channel, message), next);
                    found.push(Move { conditions, effects: program(code), ..offer });
                    continue;
                }
                let buffer = first_buffer + index;
                conditions.push(Condition::Room(buffer));
                let mut effects = vec![Effect::Put(buffer, message)];
                effects.extend(program(code));
                let label = self.system.channel_label(to.channel, index, '!', &values);
                found.push(Move { conditions, effects, ..step(label, Sort::Own, next) });
            }
        }
        Ok(())
    }

    fn program_may_fail(&mut self, code: &AttachedCode) -> Result<bool, NotLowered> {
        let statements = residual(self.system.code_mut(), code.program, &code.arguments)?;
        let mut ranges = self.ranges();
        ranges.run(&statements, &mut |_, _| {});
        Ok(ranges.may_fail)
    }

    #[allow(clippy::type_complexity)] // The parts of the term.
    fn receive(
        &mut self,
        id: TermId,
        parts: (ChannelRef, Option<ExprId>, &[Pattern], Option<&AttachedCode>, TermId),
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let (from, guard, patterns, code, next) = parts;
        let declared = &self.code().channels[from.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        let n_before = found.len();
        for (place, index) in self.channels(id, from, found)? {
            let channel = self.channel_number(from.channel, index);
            let buffer = first_buffer + index;
            let all = self.messages[channel as usize].all.clone();
            for (number, message) in (0..).zip(&all) {
                let mut conditions = place.clone();
                if capacity > 0 {
                    conditions.push(Condition::First(buffer, number));
                }
                if patterns.len() != message.len() {
                    if capacity == 0 {
                        return Err(NotLowered::Failing);
                    }
                    conditions.push(Condition::Wrong);
                    found.push(fault(conditions, id));
                    continue;
                }
                let Some(environment) = self.bind(patterns, message, &mut conditions) else {
                    if self.conditions_may_fail(&conditions) {
                        conditions.push(Condition::Never);
                        found.push(fault(conditions, id));
                    }
                    continue;
                };
                if let Some(guard) = guard {
                    let guard = substitute::expression(self.system.code_mut(), guard, &environment);
                    conditions.push(Condition::True(guard));
                }
                let code = code.map(|attached| self.attached(attached, &environment));
                let change = self.system.with_inputs(next, &environment);
                let mut effects = if capacity > 0 { vec![Effect::Take(buffer)] } else { Vec::new() };
                effects.extend(program(code.as_ref()));
                let (label, sort) = match capacity {
                    0 => (Label::TAU, Sort::Taker(channel, number)),
                    _ => (self.system.channel_label(from.channel, index, '?', message), Sort::Own),
                };
                found.push(Move { conditions, effects, ..step(label, sort, change) });
            }
        }
        // Whoever waits for a message looks at nothing before there is one.
        let is_wrong = |next: &Move<TermId>| next.sort == Sort::Fault || self.conditions_may_fail(&next.conditions);
        if capacity == 0 && found[n_before..].iter().any(is_wrong) {
            return Err(NotLowered::Failing);
        }
        Ok(())
    }

    fn attached(&mut self, attached: &AttachedCode, environment: &[(Slot, ExprId)]) -> AttachedCode {
        let code = self.system.code_mut();
        let arguments = attached.arguments.iter();
        let arguments = arguments.map(|&argument| substitute::expression(code, argument, environment)).collect();
        AttachedCode { program: attached.program, arguments }
    }

    pub(super) fn conditions_may_fail(&self, conditions: &[Condition]) -> bool {
        let mut ranges = self.ranges();
        conditions.iter().any(|condition| match condition {
            Condition::True(expr) | Condition::False(expr) => {
                let may_fail = ranges.of(*expr).may_fail;
                ranges.assume(*expr, matches!(condition, Condition::True(_)));
                may_fail
            }
            Condition::Is(expr, value) => {
                let may_fail = ranges.of(*expr).may_fail;
                ranges.assume_is(*expr, *value);
                may_fail
            }
            Condition::Room(_) | Condition::First(..) | Condition::Never => false,
            Condition::Wrong => true,
        })
    }

    /// The values that a message gives to the names in a pattern; nothing if it does not match.
    #[allow(clippy::type_complexity)] // It is a list of pairs.
    fn bind(
        &mut self,
        patterns: &[Pattern],
        message: &[i32],
        conditions: &mut Vec<Condition>,
    ) -> Option<SmallVec<[(Slot, ExprId); 4]>> {
        let mut environment: SmallVec<[(Slot, ExprId); 4]> = SmallVec::new();
        for (pattern, &value) in patterns.iter().zip(message) {
            match pattern {
                Pattern::Bind(slot) => environment.push((*slot, self.system.code_mut().exprs.int(value))),
                Pattern::Match(expr) => {
                    let expr = substitute::expression(self.system.code_mut(), *expr, &environment);
                    match self.code().exprs.value(expr) {
                        Some(known) if known != value => return None,
                        Some(_) => {}
                        None => conditions.push(Condition::Is(expr, value)),
                    }
                }
            }
        }
        Some(environment)
    }

    fn side_by_side(
        &mut self,
        id: TermId,
        family: Option<u32>,
        parts: &[TermId],
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let children = parts.iter().map(|&part| self.moves(part)).collect::<Result<Vec<_>, _>>()?;
        let children: Vec<&[Move<TermId>]> = children.iter().map(|moves| &moves[..]).collect();
        let made =
            compose::compose(self.system, &self.messages, family, &children, &mut |system, joint| match joint {
                Joint::Ends(_) => system.finished(),
                Joint::Moves(moved) => {
                    let mut parts = parts.to_vec();
                    moved.iter().for_each(|&(place, target)| parts[place] = *target);
                    let term = match family {
                        Some(family) => Term::Parallel(family, parts.into()),
                        None => Term::Interleave(parts.into()),
                    };
                    system.add(term, id)
                }
            })?;
        found.extend(made);
        Ok(())
    }

    /// The moves of copies that are only counted.
    fn group(&mut self, id: TermId, members: &[(TermId, u32)], found: &mut Found) -> Result<(), NotLowered> {
        // A copy meets another one in the same state as well: so such states are there twice, and what comes of it is put together.
        let twice = |&(member, count): &(TermId, u32)| std::iter::repeat_n(member, if count > 1 { 2 } else { 1 });
        let places: Vec<(TermId, bool)> = members
            .iter()
            .flat_map(|member| twice(member).enumerate().map(|(copy, member)| (member, copy == 0)))
            .collect();
        let children = places.iter().map(|&(part, _)| self.moves(part)).collect::<Result<Vec<_>, _>>()?;
        let children: Vec<&[Move<TermId>]> = children.iter().map(|moves| &moves[..]).collect();
        let made = compose::compose(self.system, &self.messages, None, &children, &mut |system, joint| match joint {
            Joint::Ends(_) => system.finished(),
            Joint::Moves(moved) => {
                let mut all = members.to_vec();
                for &(place, target) in moved {
                    let member = places[place].0;
                    let left = all.iter_mut().find(|(known, count)| *known == member && *count > 0);
                    left.expect("as many move as there are").1 -= 1;
                    all.push((*target, 1));
                }
                let span = system.code().terms.span(id);
                substitute::group(system.code_mut(), all, span)
            }
        })?;
        self.has_groups = true;
        // Steps of equal copies are told once.
        let mut met = hashbrown::HashSet::new();
        for next in made {
            let next = Move { team: TeamId::WHOLE, ..next };
            if met.insert(next.clone()) {
                found.push(next);
            }
        }
        Ok(())
    }
}

/// Whether a move leaves a choice open.
fn is_silent(next: &Move<TermId>) -> bool {
    next.sort == Sort::Own && next.label == Label::TAU
}

fn step(label: Label, sort: Sort, change: TermId) -> Move<TermId> {
    Move { conditions: Vec::new(), effects: Vec::new(), label, sort, team: TeamId::WHOLE, is_atomic: false, change }
}

fn fault(conditions: Vec<Condition>, at: TermId) -> Move<TermId> {
    Move { conditions, ..step(Label::TAU, Sort::Fault, at) }
}

fn program(code: Option<&AttachedCode>) -> Vec<Effect> {
    code.map(|code| Effect::Run(code.program, code.arguments.clone())).into_iter().collect()
}
