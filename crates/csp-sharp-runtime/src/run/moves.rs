//! Firing rules of the operators.
//!
//! The moves of a term under a valuation are a list of [`Move`]s. Data operations do not synchronize, so their programs
//! are executed as soon as the move is found. An output on a synchronous channel is only offered: compositions match it
//! with inputs of other components, and pass it on to the enclosing operators.

use super::data::{self, DataId};
use super::evaluate::Context;
use super::execute::Run;
use super::fault::{Answer, Fault, FaultKind};
use super::message::{Message, fields};
use super::participants::ParticipantsId;
use super::timed::GuardId;
use super::{Inputs, System, substitute};
use crate::code::IfKind;
use crate::code::{AttachedCode, ChannelRef, Code, DefinitionId, DynamicId, ExprId, Pattern, Slot, Term, TermId};
use limits::input::csp_sharp::MAX_OPEN_CALLS;
use lts::Label;
use smallvec::SmallVec;
use source::Span;
use std::sync::Arc;

/// The kind of a move, as far as surrounding operators depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// Independent of other components: silent, a data operation, or a message.
    Own,
    /// An event without a program, on which components synchronize.
    Plain,
    /// Termination.
    Tick,
    /// An output that needs a receiver, by its number among the offers.
    Offer(u32),
}

/// A move of a term under a valuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub label: Label,
    pub sort: Sort,
    pub target: TermId,
    pub data: DataId,
    /// The participants.
    pub participants: ParticipantsId,
    /// Whether it is inside of `atomic`.
    pub is_atomic: bool,
    /// Whether `atomic` has already taken its first step, in the timed dialect.
    pub is_started: bool,
    /// The clock guard.
    pub guard: GuardId,
    /// Whether it is the expiry of a timed operator.
    pub is_expiry: bool,
}

impl Move {
    /// Whether it is invisible. A synchronous communication is visible, and so are its output and input.
    pub(super) fn is_silent(&self, selection: Selection<'_>) -> bool {
        self.label == Label::TAU && !matches!(self.sort, Sort::Offer(_)) && matches!(selection, Selection::Moves)
    }
}

/// An offered output, or the output for which inputs are sought.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub channel: u32,
    pub index: u32,
    pub values: Message,
    /// The valuation after the sender's program.
    pub after: DataId,
}

/// The moves to be computed.
#[derive(Clone, Copy)]
pub(super) enum Selection<'w> {
    /// All moves.
    Moves,
    /// Only inputs of this message.
    Inputs(&'w Offer),
}

/// The computed moves and offers.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub moves: Vec<Move>,
    pub offers: Vec<Offer>,
}

impl System {
    /// The moves of a term under a valuation.
    pub(super) fn moves(&mut self, id: TermId, at: DataId, selection: Selection<'_>, found: &mut Found) -> Answer<()> {
        self.depth += 1;
        if self.depth > MAX_OPEN_CALLS {
            let kind = if self.n_calls > MAX_OPEN_CALLS / 100 { FaultKind::Unfolding } else { FaultKind::Nesting };
            return Err(Fault::new(self.code.terms.span(id), kind));
        }
        self.spend(1)?;
        let outcome = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.moves_inside(id, at, selection, found));
        self.depth = self.depth.saturating_sub(1);
        // A received array has no span of its own.
        outcome.map_err(|mut fault| {
            if fault.span == Span::default() {
                fault.span = self.code.terms.span(id);
            }
            fault
        })
    }

    fn moves_inside(&mut self, id: TermId, at: DataId, selection: Selection<'_>, found: &mut Found) -> Answer<()> {
        let term = self.code.terms.get(id).clone();
        match &term {
            Term::Receive(from, guard, patterns, code, next) => {
                self.receive((*from, *guard, patterns, code.as_ref(), *next), at, selection, found)
            }
            Term::Guard(condition, next) => {
                if self.holds(*condition, at)? {
                    self.moves(*next, at, selection, found)?;
                }
                Ok(())
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => {
                let branch = if self.holds(*condition, at)? { then } else { otherwise };
                self.moves(*branch, at, selection, found)
            }
            Term::Choice(all) => all.iter().try_for_each(|&branch| self.moves(branch, at, selection, found)),
            Term::Call(definition, arguments) => {
                let body = self.called(*definition, arguments, at)?;
                self.n_calls += 1;
                self.moves(body, at, selection, found)?;
                self.n_calls -= 1;
                Ok(())
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(&mut self.code, id, &[]);
                if expanded == id {
                    return Err(substitute::no_count(&self.code, id));
                }
                self.moves(expanded, at, selection, found)
            }
            Term::Sequence(..)
            | Term::External(_)
            | Term::Interrupt(..)
            | Term::Hide(..)
            | Term::Atomic(_)
            | Term::Active(_)
            | Term::Watched(_)
            | Term::Marked(..) => self.moves_below(id, &term, at, selection, found),
            Term::Wait(_) | Term::Expiring(..) | Term::Bounded(..) => self.timed_moves(id, &term, at, selection, found),
            Term::Interleave(all) => self.compose(id, None, all, at, selection, found),
            Term::Parallel(family, all) => self.compose(id, Some(*family), all, at, selection, found),
            Term::Group(members) => self.group((id, None), members, at, selection, found),
            Term::Crowd(most, members) => self.group((id, Some(*most)), members, at, selection, found),
            Term::AnyNumber(_) => Err(Fault::new(self.code.terms.span(id), FaultKind::AnyNumber)),
            _ if matches!(selection, Selection::Moves) => self.own_moves(&term, at, found),
            _ => Ok(()),
        }
    }

    /// Moves of terms without active operands, except inputs of an offered message.
    fn own_moves(&mut self, term: &Term, at: DataId, found: &mut Found) -> Answer<()> {
        match term {
            Term::Skip => self.finish(at, found),
            Term::Assert(condition) => {
                if !self.holds(*condition, at)? {
                    let span = self.code.exprs.span(*condition);
                    return Err(self.context(at).fault(span, FaultKind::Assertion, &[*condition]));
                }
                self.finish(at, found);
            }
            Term::Event(event, code, next) => {
                let label = self.event_label_at(event, at)?;
                let data = self.run(code.as_ref(), at, at)?;
                let sort = if code.is_some() { Sort::Own } else { Sort::Plain };
                found.moves.push(step(label, sort, *next, data));
            }
            Term::Silent(code, next) => {
                let data = self.run(code.as_ref(), at, at)?;
                found.moves.push(step(Label::TAU, Sort::Own, *next, data));
            }
            Term::Send(to, values, code, next) => self.send(*to, values, code.as_ref(), *next, at, found)?,
            Term::If(kind, condition, then, otherwise) => {
                let holds = self.holds(*condition, at)?;
                if holds || *kind == IfKind::Step {
                    let branch = if holds { then } else { otherwise };
                    found.moves.push(step(Label::TAU, Sort::Own, *branch, at));
                }
            }
            Term::Case(branches, default) => {
                let mut branch = *default;
                for &(condition, next) in branches.iter() {
                    if self.holds(condition, at)? {
                        branch = next;
                        break;
                    }
                }
                found.moves.push(step(Label::TAU, Sort::Own, branch, at));
            }
            Term::Internal(all) => {
                found.moves.extend(all.iter().map(|&branch| step(Label::TAU, Sort::Own, branch, at)));
            }
            // Deadlocked or terminated.
            _ => {}
        }
        Ok(())
    }

    /// Moves of operators that only annotate those of their operand.
    fn moves_marked(
        &mut self,
        id: TermId,
        term: &Term,
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let start = found.moves.len();
        let (Term::Atomic(inside) | Term::Active(inside) | Term::Watched(inside) | Term::Marked(_, inside)) = term
        else {
            unreachable!("no other operator is above what moves")
        };
        self.moves(*inside, at, selection, found)?;
        match term {
            Term::Atomic(_) => {
                self.change(&mut found.moves[start..], |system, next| {
                    next.is_atomic = true;
                    if next.sort != Sort::Tick {
                        let left = if system.code.is_timed { Term::Active } else { Term::Atomic };
                        next.target = system.add(left(next.target), id);
                    }
                });
            }
            Term::Active(_) => {
                self.change(&mut found.moves[start..], |system, next| {
                    (next.is_atomic, next.is_started) = (true, true);
                    if next.sort != Sort::Tick {
                        next.target = system.add(Term::Active(next.target), id);
                    }
                });
            }
            Term::Watched(_) => {
                self.change(&mut found.moves[start..], |system, next| match next.sort {
                    Sort::Tick => (next.label, next.sort) = (system.terminate, Sort::Own),
                    _ => next.target = system.add(Term::Watched(next.target), id),
                });
            }
            Term::Marked(marks, _) => {
                self.change(&mut found.moves[start..], |system, next| {
                    next.participants = system.participants.marked(next.participants, *marks);
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves of operators with active operands.
    fn moves_below(
        &mut self,
        id: TermId,
        term: &Term,
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let start = found.moves.len();
        match term {
            Term::Sequence(first, second) => {
                self.moves(*first, at, selection, found)?;
                self.change(&mut found.moves[start..], |system, next| match next.sort {
                    Sort::Tick => (next.label, next.sort, next.target) = (Label::TAU, Sort::Own, *second),
                    _ => next.target = system.add(Term::Sequence(next.target, *second), id),
                });
            }
            Term::External(all) => {
                for (place, &branch) in all.iter().enumerate() {
                    let start = found.moves.len();
                    self.moves(branch, at, selection, found)?;
                    self.spend((found.moves.len() - start).saturating_mul(1 + all.len() / 16))?;
                    self.change(&mut found.moves[start..], |system, next| {
                        if next.is_silent(selection) {
                            let mut changed = all.to_vec();
                            changed[place] = next.target;
                            next.target = system.add(Term::External(changed.into()), id);
                        }
                    });
                }
            }
            Term::Interrupt(left, right) => {
                self.moves(*left, at, selection, found)?;
                self.change(&mut found.moves[start..], |system, next| {
                    if next.sort != Sort::Tick {
                        next.target = system.add(Term::Interrupt(next.target, *right), id);
                    }
                });
                let middle = found.moves.len();
                self.moves(*right, at, selection, found)?;
                self.change(&mut found.moves[middle..], |system, next| {
                    if next.is_silent(selection) {
                        next.target = system.add(Term::Interrupt(*left, next.target), id);
                    }
                });
            }
            Term::Hide(hiding, inside) => {
                self.moves(*inside, at, selection, found)?;
                for next in &mut found.moves[start..] {
                    if matches!(next.sort, Sort::Own | Sort::Plain) && self.hides(hiding, next.label, id)? {
                        (next.label, next.sort) = (Label::TAU, Sort::Own);
                    }
                }
                self.change(&mut found.moves[start..], |system, next| {
                    if next.sort != Sort::Tick && next.target != system.finished {
                        next.target = system.add(Term::Hide(hiding.clone(), next.target), id);
                    }
                });
            }
            _ => self.moves_marked(id, term, at, selection, found)?,
        }
        Ok(())
    }

    pub(super) fn change(&mut self, moves: &mut [Move], change: impl Fn(&mut System, &mut Move)) {
        moves.iter_mut().for_each(|next| change(self, next));
    }

    /// The body of a call under a valuation.
    pub(super) fn called(&mut self, definition: DefinitionId, arguments: &Arc<[ExprId]>, at: DataId) -> Answer<TermId> {
        if arguments.iter().all(|&argument| self.code.exprs.is_value(argument)) {
            return Ok(self.body(definition, arguments));
        }
        let System { code, rows, counts, .. } = self;
        let arguments = substitute::arguments(code, arguments, &rows.get(at.0), counts)?;
        Ok(self.body(definition, &arguments))
    }

    fn finish(&mut self, at: DataId, found: &mut Found) {
        found.moves.push(step(Label::TICK, Sort::Tick, self.finished, at));
    }

    pub(crate) fn add(&mut self, term: Term, like: TermId) -> TermId {
        let Code { exprs, terms, .. } = &mut self.code;
        let span = terms.span(like);
        terms.add(exprs, term, span)
    }

    pub(super) fn context(&self, at: DataId) -> Context<'_> {
        Context { code: &self.code, cells: self.rows.get(at.0), locals: &[], counts: &self.counts }
    }

    pub(super) fn holds(&self, condition: ExprId, at: DataId) -> Answer<bool> {
        self.context(at).is_true(condition)
    }

    /// Executes a program, if there is one, on a valuation. Its captures are evaluated in the valuation before the
    /// step.
    fn run(&mut self, code: Option<&AttachedCode>, before: DataId, on: DataId) -> Answer<DataId> {
        let Some(attached) = code else { return Ok(on) };
        let mut arguments: SmallVec<[i32; 8]> = SmallVec::new();
        for &argument in attached.arguments.iter() {
            arguments.push(self.context(before).value(argument)?);
        }
        let mut cells = std::mem::take(&mut self.scratch);
        cells.clear();
        cells.extend_from_slice(&self.rows.get(on.0));
        let outcome = Run::program(&self.code, attached.program, &arguments, &mut cells, &self.counts);
        let data = outcome.map(|()| DataId(self.rows.intern(&cells)));
        self.scratch = cells;
        data
    }

    fn message(&self, exprs: &[ExprId], at: DataId) -> Answer<Message> {
        let context = self.context(at);
        let mut message = Message::new();
        exprs.iter().try_for_each(|&expr| context.put(expr, &mut message))?;
        Ok(message)
    }

    fn send(
        &mut self,
        to: ChannelRef,
        values: &[ExprId],
        code: Option<&AttachedCode>,
        next: TermId,
        at: DataId,
        found: &mut Found,
    ) -> Answer<()> {
        let index = self.context(at).channel_index(to.channel, to.index)?;
        let declared = &self.code.channels[to.channel as usize];
        let (capacity, buffer) = (declared.capacity as usize, DynamicId(declared.buffer + index));
        let values = self.message(values, at)?;
        if capacity == 0 {
            let after = self.run(code, at, at)?;
            found.offers.push(Offer { channel: to.channel, index, values, after });
            let offer = Sort::Offer(found.offers.len() as u32 - 1);
            found.moves.push(step(Label::TAU, offer, next, after));
            return Ok(());
        }
        if data::n_messages(&self.code, &self.rows.get(at.0), buffer) >= capacity {
            return Ok(());
        }
        let mut cells = self.rows.get(at.0).into_owned();
        data::append(&self.code, &mut cells, buffer, &values);
        let sent = DataId(self.rows.intern(&cells));
        let data = self.run(code, at, sent)?;
        let label = self.channel_label(to.channel, index, '!', &values);
        found.moves.push(step(label, Sort::Own, next, data));
        Ok(())
    }

    #[allow(clippy::type_complexity)] // The parts of the term.
    fn receive(
        &mut self,
        parts: (ChannelRef, Option<ExprId>, &[Pattern], Option<&AttachedCode>, TermId),
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let (from, guard, patterns, code, next) = parts;
        let declared = &self.code.channels[from.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        // Inputs of buffered channels do not match offers, and those of synchronous channels match nothing else.
        match selection {
            Selection::Moves if capacity > 0 => {}
            Selection::Inputs(offer) if capacity == 0 && offer.channel == from.channel => {}
            _ => return Ok(()),
        }
        let index = self.context(at).channel_index(from.channel, from.index)?;
        let buffer = DynamicId(first_buffer + index);
        let message: Message = match selection {
            Selection::Inputs(offer) if offer.index == index => offer.values.clone(),
            Selection::Inputs(_) => return Ok(()),
            Selection::Moves => match data::first_message(&self.code, &self.rows.get(at.0), buffer) {
                Some(message) => message.into(),
                None => return Ok(()),
            },
        };
        let Some(environment) = self.bind(patterns, &message, at)? else { return Ok(()) };
        if let Some(guard) = guard {
            let guard = substitute::expression(&mut self.code, guard, &environment);
            if !self.holds(guard, at)? {
                return Ok(());
            }
        }
        let taken = match selection {
            Selection::Inputs(offer) => offer.after,
            Selection::Moves => {
                let mut cells = self.rows.get(at.0).into_owned();
                data::take_first(&self.code, &mut cells, buffer);
                DataId(self.rows.intern(&cells))
            }
        };
        let code = code.map(|attached| {
            let arguments = attached.arguments.iter();
            let arguments =
                arguments.map(|&argument| substitute::expression(&mut self.code, argument, &environment)).collect();
            AttachedCode { program: attached.program, arguments }
        });
        let data = self.run(code.as_ref(), at, taken)?;
        let target = self.with_inputs(next, &environment);
        let label = match selection {
            Selection::Inputs(_) => Label::TAU,
            Selection::Moves => self.channel_label(from.channel, index, '?', &message),
        };
        found.moves.push(step(label, Sort::Own, target, data));
        Ok(())
    }

    /// The bindings of a pattern by a message; `None` if it does not match.
    fn bind(&mut self, patterns: &[Pattern], message: &[i32], at: DataId) -> Answer<Option<Inputs>> {
        if patterns.len() != fields(message).count() {
            return Ok(None);
        }
        let mut environment = Inputs::new();
        for (pattern, field) in patterns.iter().zip(fields(message)) {
            match pattern {
                Pattern::Bind(slot) => environment.push((*slot, field.expr(&mut self.code))),
                Pattern::Match(expr) => {
                    let expr = substitute::expression(&mut self.code, *expr, &environment);
                    let selection = self.message(&[expr], at)?;
                    if fields(&selection).next() != Some(field) {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(environment))
    }

    /// The continuation of an input, with received values substituted.
    pub(crate) fn with_inputs(&mut self, next: TermId, environment: &[(Slot, ExprId)]) -> TermId {
        if environment.is_empty() {
            return next;
        }
        let key = (next, SmallVec::from_slice(environment));
        if let Some(&known) = self.received.get(&key) {
            return known;
        }
        let made = substitute::term(&mut self.code, next, environment);
        if self.code.poll.stopped().is_none() {
            self.received.insert(key, made);
        }
        made
    }
}

pub(super) fn step(label: Label, sort: Sort, target: TermId, data: DataId) -> Move {
    Move {
        label,
        sort,
        target,
        data,
        participants: ParticipantsId::WHOLE,
        is_atomic: false,
        is_started: false,
        guard: GuardId::NONE,
        is_expiry: false,
    }
}
