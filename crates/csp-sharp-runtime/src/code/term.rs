//! Process terms, hash-consed.

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
    /// The greatest number of slots of a definition.
    pub const MAX: usize = 60;

    /// The bit of the slot in a bit set.
    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The events that an operator hides.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Hiding {
    /// A set of events.
    Events(SetId),
    /// All steps but the events with these names: also data operations, messages, and visible termination.
    AllBut(Arc<[EventName]>),
}

/// Number of a set of events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetId(pub u32);

/// An event with expressions as fields.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventRef {
    /// Its name.
    pub name: EventName,
    /// Its fields.
    pub fields: Arc<[ExprId]>,
}

/// A comprehension: an event for each valuation of binders.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventPattern {
    /// The binders.
    pub binders: Arc<[Binder]>,
    /// The event.
    pub event: EventRef,
}

/// An index variable with its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// The slot.
    pub slot: Slot,
    /// The values.
    pub values: BinderValues,
}

/// The values of an index variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinderValues {
    Range(ExprId, ExprId),
    List(Arc<[ExprId]>),
}

/// A program at an event, with its captures from the surrounding definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    /// The program.
    pub program: ProgramId,
    /// The captured values.
    pub arguments: Arc<[ExprId]>,
}

/// A channel, or a member of an array of channels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChannelRef {
    /// The channel or array.
    pub channel: u32,
    /// The index into the array.
    pub index: Option<ExprId>,
}

/// A field of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Pattern {
    /// Binds any value.
    Bind(Slot),
    /// Accepts this value only.
    Match(ExprId),
}

/// A flag among the free slots of a term: it contains indexed operators that are not expanded.
pub(crate) const UNEXPANDED: u64 = 1 << 63;

/// The family of components with free parameters.
pub(crate) const OPEN_FAMILY: u32 = u32::MAX;

/// A count above the limit of counter abstraction.
pub(crate) const MANY: u32 = u32::MAX;

/// A process term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Term {
    Stop,
    Skip,
    /// The terminated process.
    Finished,
    /// An event. One with a program is a data operation, which does not synchronize.
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
    /// Alphabetised parallel composition. The alphabets are those of the initial components, whose number is given.
    Parallel(u32, Arc<[TermId]>),
    /// Interleaving of identical copies: the number of copies in each state, in ascending order.
    Group(Arc<[(TermId, u32)]>),
    /// Counter abstraction of a family: counts up to this limit are exact, larger ones are [`MANY`].
    Crowd(u32, Arc<[(TermId, u32)]>),
    Interrupt(TermId, TermId),
    Hide(Hiding, TermId),
    Atomic(TermId),
    Assert(ExprId),
    Call(DefinitionId, Arc<[ExprId]>),
    /// An indexed operator that is not expanded.
    Indexed(crate::code::Operator, Arc<[Binder]>, TermId),
    /// Replication whose number is not yet a constant.
    Copies(ExprId, TermId),
    /// A parameterized family: any number of copies.
    AnyNumber(TermId),
    /// Makes termination visible as an event.
    Watched(TermId),
    /// Annotates the first step with fairness.
    Marked(Marks, TermId),
    /// Terminates after a delay.
    Wait(Timer),
    /// The first process, replaced by the second at a given time.
    Expiring(Expiry, Timer, TermId, TermId),
    /// A process with a time bound.
    Bounded(Bound, Timer, TermId),
    /// The rest of `atomic` after its first step, in the timed dialect.
    Active(TermId),
}

/// The table of terms.
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

    /// Simplification by unit laws: `Skip; P` is `P`.
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

    /// The set of events with a number.
    pub fn set(&self, id: SetId) -> &[EventPattern] {
        self.sets.get(id.0)
    }

    /// The number of a list of components.
    pub fn add_family(&mut self, components: &[TermId]) -> u32 {
        self.families.intern(components.into()).0
    }

    /// A parallel composition. Its family is determined once all parameters are instantiated.
    pub fn parallel(&mut self, exprs: &Exprs, components: Arc<[TermId]>, span: Span) -> TermId {
        let is_closed = components.iter().all(|&component| self.free(component) == 0);
        let family = if is_closed { self.add_family(&components) } else { OPEN_FAMILY };
        self.add(exprs, Term::Parallel(family, components), span)
    }

    /// The components of a family.
    pub fn family(&self, number: u32) -> &[TermId] {
        self.families.get(number)
    }

    /// The term with a number.
    pub fn get(&self, id: TermId) -> &Term {
        self.interner.get(id.0)
    }

    /// The free slots, as a bit set.
    pub fn free(&self, id: TermId) -> u64 {
        self.free[id.0 as usize]
    }

    /// Adds the span of a prefix.
    pub fn write(&mut self, id: TermId, span: Span) {
        self.origins.add(id, span);
    }

    /// Copies the spans of a term to one that substitution made of it.
    pub fn inherit(&mut self, id: TermId, from: TermId) {
        self.origins.inherit(id, from);
    }

    /// The possible spans of a prefix.
    pub fn written(&self, id: TermId) -> impl Iterator<Item = Span> {
        self.origins.of(id)
    }

    /// The span of the first occurrence.
    pub fn span(&self, id: TermId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.interner.len()
    }

    /// Whether there are no terms.
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
    /// The direct subterms, without those of calls and sets.
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
    /// Replaces the operands, except those of calls and sets, and counted copies. `change` learns of each operand
    /// whether it is active, so that its steps are steps of the whole.
    ///
    /// # Errors
    /// The first error of an operand.
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
            // The steps of the operand are steps of the whole, but no clock starts below a guard.
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

    /// Replaces the active operands.
    ///
    /// # Errors
    /// The first error of an operand.
    pub(crate) fn try_map_active<E>(self, mut change: impl FnMut(TermId) -> Result<TermId, E>) -> Result<Term, E> {
        self.try_map(&mut |operand, is_active| if is_active { change(operand) } else { Ok(operand) })
    }
}

/// The free slots of a pattern.
pub(crate) fn pattern_free(exprs: &Exprs, pattern: &EventPattern) -> u64 {
    let inside = pattern.event.fields.iter().fold(0, |all, &field| all | exprs.free(field));
    binders_free(exprs, &pattern.binders, inside)
}

/// The free slots of an indexed construct, given those of its body.
pub(crate) fn binders_free(exprs: &Exprs, binders: &[Binder], inside: u64) -> u64 {
    binders.iter().rev().fold(inside, |free, binder| {
        let values = match &binder.values {
            BinderValues::Range(low, high) => exprs.free(*low) | exprs.free(*high),
            BinderValues::List(all) => all.iter().fold(0, |free, &value| free | exprs.free(value)),
        };
        free & !binder.slot.bit() | values
    })
}
