//! Process terms.

use super::origins::Origins;
use super::{DefinitionId, EventName, ExprId, Exprs, Interner, ProgramId, Timer};
use crate::code::{Bound, Expiry, IfKind};
use model::participants::Marks;
use smallvec::{SmallVec, smallvec};
use source::Span;
use std::sync::Arc;

/// Number of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

/// A parameter, an index or an input variable of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Slot(pub u8);

impl Slot {
    /// How many a definition may have.
    pub const MAX: usize = 60;

    /// Its bit in a set of slots.
    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

/// What an operator hides.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Hiding {
    /// These events.
    Events(SetId),
    /// All steps but events with these names: also data operations, messages and termination, where that is an event.
    AllBut(Arc<[EventName]>),
}

/// Number of a set of events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetId(pub u32);

/// An event whose fields are expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventRef {
    /// Its name.
    pub name: EventName,
    /// Its fields.
    pub fields: Arc<[ExprId]>,
}

/// Events of a set: one for each value of some indices.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventPattern {
    /// The indices.
    pub binders: Arc<[Binder]>,
    /// The event for each.
    pub event: EventRef,
}

/// An index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// Which one.
    pub slot: Slot,
    /// Its values.
    pub values: BinderValues,
}

/// Values of an index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinderValues {
    Range(ExprId, ExprId),
    List(Arc<[ExprId]>),
}

/// A program at an event, with what it knows of the definition around it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    /// The program.
    pub program: ProgramId,
    /// The values of its first local variables.
    pub arguments: Arc<[ExprId]>,
}

/// A channel, or one of an array of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChannelRef {
    /// Which channel.
    pub channel: u32,
    /// Which one of the array.
    pub index: Option<ExprId>,
}

/// What is received.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Pattern {
    /// Anything, which then has a name.
    Bind(Slot),
    /// This value.
    Match(ExprId),
}

/// Among the slots of a term: it has operators over indices that were not replaced yet.
pub(crate) const UNEXPANDED: u64 = 1 << 63;

/// Components that have parameters without values.
pub(crate) const OPEN_FAMILY: u32 = u32::MAX;

/// More copies than are counted.
pub(crate) const MANY: u32 = u32::MAX;

/// A process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Term {
    Stop,
    Skip,
    /// What has terminated.
    Finished,
    /// An event; with a program it is a data operation, which meets nobody.
    Event(EventRef, Option<Code>, TermId),
    /// A silent step.
    Silent(Option<Code>, TermId),
    Send(ChannelRef, Arc<[ExprId]>, Option<Code>, TermId),
    Receive(ChannelRef, Option<ExprId>, Arc<[Pattern]>, Option<Code>, TermId),
    Guard(ExprId, TermId),
    If(IfKind, ExprId, TermId, TermId),
    Case(Arc<[(ExprId, TermId)]>, TermId),
    Sequence(TermId, TermId),
    Choice(Arc<[TermId]>),
    External(Arc<[TermId]>),
    Internal(Arc<[TermId]>),
    Interleave(Arc<[TermId]>),
    /// Components that meet on events of their alphabets. The alphabets are those of the components it began with, which have a number.
    Parallel(u32, Arc<[TermId]>),
    /// How many copies there are in which state, in ascending order.
    Group(Arc<[(TermId, u32)]>),
    /// The same for some number of copies that is not known: numbers up to this one are told, larger ones are [`MANY`].
    Crowd(u32, Arc<[(TermId, u32)]>),
    Interrupt(TermId, TermId),
    Hide(Hiding, TermId),
    Atomic(TermId),
    Assert(ExprId),
    Call(DefinitionId, Arc<[ExprId]>),
    /// An operator over indices that have no values yet.
    Indexed(crate::code::Operator, Arc<[Binder]>, TermId),
    /// So many copies, before the number is known.
    Copies(ExprId, TermId),
    /// Any number of copies.
    AnyNumber(TermId),
    /// The same, where it is seen that it terminates.
    Watched(TermId),
    /// The same, whose first step is marked.
    Marked(Marks, TermId),
    /// Terminates when it is time.
    Wait(Timer),
    /// The first, and at its time the second.
    Expiring(Expiry, Timer, TermId, TermId),
    /// The same, with a bound on when it does something.
    Bounded(Bound, Timer, TermId),
    /// What is left of `atomic` after its first step, where time passes.
    Active(TermId),
}

/// All terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    interner: Interner<Term>,
    free: Vec<u64>,
    spans: Vec<Span>,
    sets: Interner<Arc<[EventPattern]>>,
    families: Interner<Arc<[TermId]>>,
    origins: Origins,
}

impl Terms {
    /// The number of a term.
    pub fn add(&mut self, exprs: &Exprs, term: Term, span: Span) -> TermId {
        if let Some(simple) = self.simplify(&term) {
            return simple;
        }
        let (number, is_new) = self.interner.intern(term);
        if is_new {
            let free = self.free_in(exprs, self.interner.get(number));
            self.free.push(free);
            self.spans.push(span);
        }
        TermId(number)
    }

    /// What is another term at once: `Skip; P` is `P`.
    fn simplify(&self, term: &Term) -> Option<TermId> {
        match term {
            Term::Sequence(first, second) if *self.get(*first) == Term::Skip => Some(*second),
            _ => None,
        }
    }

    /// The number of a set of events.
    pub fn add_set(&mut self, patterns: Arc<[EventPattern]>) -> SetId {
        SetId(self.sets.intern(patterns).0)
    }

    /// The events of a set.
    pub fn set(&self, id: SetId) -> &[EventPattern] {
        self.sets.get(id.0)
    }

    /// The number of components that run in parallel.
    pub fn add_family(&mut self, components: &[TermId]) -> u32 {
        self.families.intern(components.into()).0
    }

    /// Components that run in parallel. Who meets whom is settled when all parameters have values.
    pub fn parallel(&mut self, exprs: &Exprs, components: Arc<[TermId]>, span: Span) -> TermId {
        let is_closed = components.iter().all(|&component| self.free(component) == 0);
        let family = if is_closed { self.add_family(&components) } else { OPEN_FAMILY };
        self.add(exprs, Term::Parallel(family, components), span)
    }

    /// The components with a number.
    pub fn family(&self, number: u32) -> &[TermId] {
        self.families.get(number)
    }

    /// A term by its number.
    pub fn get(&self, id: TermId) -> &Term {
        self.interner.get(id.0)
    }

    /// The slots in it that have no value yet, as bits.
    pub fn free(&self, id: TermId) -> u64 {
        self.free[id.0 as usize]
    }

    /// A prefix is written here.
    pub fn write(&mut self, id: TermId, span: Span) {
        self.origins.add(id, span);
    }

    /// A term was made of another one by putting in values: it is written where that is.
    pub fn inherit(&mut self, id: TermId, from: TermId) {
        self.origins.inherit(id, from);
    }

    /// Where a prefix may be written.
    pub fn written(&self, id: TermId) -> impl Iterator<Item = Span> {
        self.origins.of(id)
    }

    /// Where it was written first.
    pub fn span(&self, id: TermId) -> Span {
        self.spans[id.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.interner.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.interner.is_empty()
    }

    fn free_in(&self, exprs: &Exprs, term: &Term) -> u64 {
        let all = |terms: &[TermId]| terms.iter().fold(0, |all, &term| all | self.free(term));
        let expressions = |ids: &[ExprId]| ids.iter().fold(0, |all, &id| all | exprs.free(id));
        let code = |code: &Option<Code>| code.as_ref().map_or(0, |code| expressions(&code.arguments));
        let channel = |channel: &ChannelRef| channel.index.map_or(0, |index| exprs.free(index));
        match term {
            Term::Stop | Term::Skip | Term::Finished => 0,
            Term::Event(event, attached, next) => expressions(&event.fields) | code(attached) | self.free(*next),
            Term::Silent(attached, next) => code(attached) | self.free(*next),
            Term::Send(to, values, attached, next) => {
                channel(to) | expressions(values) | code(attached) | self.free(*next)
            }
            Term::Receive(from, guard, patterns, attached, next) => {
                let (mut matched, mut bound) = (0, 0);
                for pattern in patterns.iter() {
                    match pattern {
                        Pattern::Bind(slot) => bound |= slot.bit(),
                        Pattern::Match(expr) => matched |= exprs.free(*expr) & !bound,
                    }
                }
                let inside = guard.map_or(0, |guard| exprs.free(guard)) | code(attached) | self.free(*next);
                channel(from) | matched | inside & !bound
            }
            Term::Guard(condition, next) => exprs.free(*condition) | self.free(*next),
            Term::If(_, condition, then, otherwise) => {
                exprs.free(*condition) | self.free(*then) | self.free(*otherwise)
            }
            Term::Case(branches, default) => branches
                .iter()
                .fold(self.free(*default), |all, (condition, next)| all | exprs.free(*condition) | self.free(*next)),
            Term::Sequence(first, second) | Term::Interrupt(first, second) => self.free(*first) | self.free(*second),
            Term::Choice(terms)
            | Term::External(terms)
            | Term::Internal(terms)
            | Term::Interleave(terms)
            | Term::Parallel(_, terms) => all(terms),
            Term::Group(members) | Term::Crowd(_, members) => {
                members.iter().fold(0, |all, (member, _)| all | self.free(*member))
            }
            Term::Hide(Hiding::Events(set), next) => {
                let patterns = self.set(*set).iter();
                patterns.fold(self.free(*next), |all, pattern| all | pattern_free(exprs, pattern))
            }
            Term::Hide(Hiding::AllBut(_), next) => self.free(*next),
            Term::Atomic(next)
            | Term::Active(next)
            | Term::Watched(next)
            | Term::AnyNumber(next)
            | Term::Marked(_, next) => self.free(*next),
            Term::Wait(timer) => expressions(&[timer.low, timer.high]),
            Term::Expiring(_, timer, first, second) => {
                expressions(&[timer.low, timer.high]) | self.free(*first) | self.free(*second)
            }
            Term::Bounded(_, timer, next) => expressions(&[timer.low, timer.high]) | self.free(*next),
            Term::Assert(condition) => exprs.free(*condition),
            Term::Call(_, arguments) => expressions(arguments),
            Term::Indexed(_, binders, body) => binders_free(exprs, binders, self.free(*body)) | UNEXPANDED,
            Term::Copies(count, body) => exprs.free(*count) | self.free(*body) | UNEXPANDED,
        }
    }
}

impl Term {
    /// What it is made of, those of calls and sets left out.
    pub fn operands(&self) -> SmallVec<[TermId; 4]> {
        match self {
            Term::Stop | Term::Skip | Term::Finished | Term::Assert(_) | Term::Call(..) | Term::Wait(_) => {
                SmallVec::new()
            }
            Term::Event(_, _, next)
            | Term::Silent(_, next)
            | Term::Send(_, _, _, next)
            | Term::Receive(_, _, _, _, next)
            | Term::Guard(_, next)
            | Term::Hide(_, next)
            | Term::Atomic(next)
            | Term::Active(next)
            | Term::Bounded(_, _, next)
            | Term::Indexed(_, _, next)
            | Term::Copies(_, next)
            | Term::AnyNumber(next)
            | Term::Watched(next)
            | Term::Marked(_, next) => smallvec![*next],
            Term::If(_, _, first, second)
            | Term::Sequence(first, second)
            | Term::Interrupt(first, second)
            | Term::Expiring(_, _, first, second) => smallvec![*first, *second],
            Term::Case(branches, default) => branches.iter().map(|(_, next)| *next).chain([*default]).collect(),
            Term::Choice(all)
            | Term::External(all)
            | Term::Internal(all)
            | Term::Interleave(all)
            | Term::Parallel(_, all) => all.iter().copied().collect(),
            Term::Group(members) | Term::Crowd(_, members) => members.iter().map(|(member, _)| *member).collect(),
        }
    }
}

impl Term {
    /// The same with other operands, those of calls and sets, and copies that are counted, left as they are. Told of each operand is whether
    /// it stands at an active place, so that its steps are steps of the whole.
    ///
    /// # Errors
    /// The first one of an operand.
    pub(crate) fn try_map<E>(self, change: &mut dyn FnMut(TermId, bool) -> Result<TermId, E>) -> Result<Term, E> {
        let mut all = |members: Arc<[TermId]>, is_active: bool| -> Result<Arc<[TermId]>, E> {
            members.iter().map(|&member| change(member, is_active)).collect()
        };
        Ok(match self {
            Term::Choice(members) => Term::Choice(all(members, true)?),
            Term::External(members) => Term::External(all(members, true)?),
            Term::Internal(members) => Term::Internal(all(members, false)?),
            Term::Interleave(members) => Term::Interleave(all(members, true)?),
            Term::Parallel(family, members) => Term::Parallel(family, all(members, true)?),
            Term::Interrupt(left, right) => Term::Interrupt(change(left, true)?, change(right, true)?),
            Term::Sequence(first, second) => Term::Sequence(change(first, true)?, change(second, false)?),
            Term::Hide(hiding, next) => Term::Hide(hiding, change(next, true)?),
            Term::Atomic(next) => Term::Atomic(change(next, true)?),
            Term::Active(next) => Term::Active(change(next, true)?),
            Term::Watched(next) => Term::Watched(change(next, true)?),
            Term::Marked(marks, next) => Term::Marked(marks, change(next, true)?),
            Term::Expiring(expiry, timer, first, second) => {
                Term::Expiring(expiry, timer, change(first, true)?, change(second, false)?)
            }
            Term::Bounded(bound, timer, next) => Term::Bounded(bound, timer, change(next, true)?),
            Term::Event(event, attached, next) => Term::Event(event, attached, change(next, false)?),
            Term::Silent(attached, next) => Term::Silent(attached, change(next, false)?),
            Term::Send(to, values, attached, next) => Term::Send(to, values, attached, change(next, false)?),
            Term::Receive(from, guard, patterns, attached, next) => {
                Term::Receive(from, guard, patterns, attached, change(next, false)?)
            }
            // Its steps are steps of the whole, but no time begins behind a guard.
            Term::Guard(condition, next) => Term::Guard(condition, change(next, false)?),
            Term::If(kind, condition, then, otherwise) => {
                Term::If(kind, condition, change(then, false)?, change(otherwise, false)?)
            }
            Term::Case(branches, default) => {
                let branches = branches.iter().map(|&(condition, next)| Ok((condition, change(next, false)?)));
                Term::Case(branches.collect::<Result<_, E>>()?, change(default, false)?)
            }
            Term::Indexed(operator, binders, body) => Term::Indexed(operator, binders, change(body, false)?),
            other => other,
        })
    }

    /// The same with other operands at active places.
    ///
    /// # Errors
    /// The first one of an operand.
    pub(crate) fn try_map_active<E>(self, mut change: impl FnMut(TermId) -> Result<TermId, E>) -> Result<Term, E> {
        self.try_map(&mut |operand, is_active| if is_active { change(operand) } else { Ok(operand) })
    }
}

/// The slots of a pattern that have no value.
pub(crate) fn pattern_free(exprs: &Exprs, pattern: &EventPattern) -> u64 {
    let inside = pattern.event.fields.iter().fold(0, |all, &field| all | exprs.free(field));
    binders_free(exprs, &pattern.binders, inside)
}

/// The slots that are left, given those inside of some indices.
pub(crate) fn binders_free(exprs: &Exprs, binders: &[Binder], inside: u64) -> u64 {
    binders.iter().rev().fold(inside, |free, binder| {
        let values = match &binder.values {
            BinderValues::Range(low, high) => exprs.free(*low) | exprs.free(*high),
            BinderValues::List(all) => all.iter().fold(0, |free, &value| free | exprs.free(value)),
        };
        free & !binder.slot.bit() | values
    })
}
