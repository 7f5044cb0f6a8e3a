//! The firing rules of the operators.
//!
//! What a term can do in a valuation is a list of [`Move`]s. Programs run as soon as their move is found, because data operations meet
//! nobody. A message for a channel without a buffer is only offered: operators that put processes side by side ask all others
//! whether they take it, and pass it on to the operators around them.

use super::data::{self, DataId};
use super::evaluate::Context;
use super::execute::Run;
use super::fault::{Answer, Fault, FaultKind};
use super::teams::TeamId;
use super::{Inputs, System, substitute};
use crate::code::{AttachedCode, ChannelRef, Code, DynamicId, ExprId, Pattern, Slot, Term, TermId};
use crate::syntax::IfKind;
use lts::Label;
use smallvec::SmallVec;
use source::Span;

/// Operators and calls inside of each other beyond this are taken for ones without end.
const MAX_CALLS: u32 = 10_000;

/// What a move is to the operators around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// It concerns nobody else: silent, a data operation, a message.
    Own,
    /// An event without a program: others may have to take part.
    Plain,
    /// Termination.
    Tick,
    /// A message that somebody has to take, by its number among the offers.
    Offer(u32),
}

/// Something that can happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub label: Label,
    pub sort: Sort,
    pub target: TermId,
    pub data: DataId,
    /// The processes that take part.
    pub team: TeamId,
    /// Whether it comes from inside of `atomic`.
    pub is_atomic: bool,
}

impl Move {
    /// Whether nobody sees it. A message that is handed over is seen, and so are both sides of it.
    fn is_silent(&self, wanted: Wanted<'_>) -> bool {
        self.label == Label::TAU && !matches!(self.sort, Sort::Offer(_)) && matches!(wanted, Wanted::Moves)
    }
}

/// A message that is offered, or looked for.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub channel: u32,
    pub index: u32,
    pub values: SmallVec<[i32; 4]>,
    /// The valuation after the sender's program.
    pub after: DataId,
}

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'w> {
    /// Everything.
    Moves,
    /// Only who takes a message.
    Takers(&'w Offer),
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub moves: Vec<Move>,
    pub offers: Vec<Offer>,
}

impl System {
    /// What a term can do in a valuation.
    pub(super) fn moves(&mut self, id: TermId, at: DataId, wanted: Wanted<'_>, found: &mut Found) -> Answer<()> {
        self.depth += 1;
        if self.depth > MAX_CALLS {
            let kind = if self.n_calls > MAX_CALLS / 100 { FaultKind::Unfolding } else { FaultKind::Nesting };
            return Err(Fault::new(self.code.terms.span(id), kind));
        }
        let outcome = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.moves_inside(id, at, wanted, found));
        self.depth = self.depth.saturating_sub(1);
        outcome
    }

    fn moves_inside(&mut self, id: TermId, at: DataId, wanted: Wanted<'_>, found: &mut Found) -> Answer<()> {
        let is_for_all = matches!(wanted, Wanted::Moves);
        match self.code.terms.get(id).clone() {
            Term::Stop | Term::Finished => {}
            Term::Skip => {
                if is_for_all {
                    self.finish(at, found);
                }
            }
            Term::Assert(condition) => {
                if is_for_all {
                    if !self.holds(condition, at)? {
                        let context = self.context(at);
                        let span = self.code.exprs.span(condition);
                        return Err(context.fault(span, FaultKind::Assertion, &[condition]));
                    }
                    self.finish(at, found);
                }
            }
            Term::Event(event, code, next) => {
                if is_for_all {
                    let label = self.event_label_at(&event, at)?;
                    let data = self.run(code.as_ref(), at, at)?;
                    let sort = if code.is_some() { Sort::Own } else { Sort::Plain };
                    found.moves.push(step(label, sort, next, data));
                }
            }
            Term::Silent(code, next) => {
                if is_for_all {
                    let data = self.run(code.as_ref(), at, at)?;
                    found.moves.push(step(Label::TAU, Sort::Own, next, data));
                }
            }
            Term::Send(to, values, code, next) => {
                if is_for_all {
                    self.send(to, &values, code.as_ref(), next, at, found)?;
                }
            }
            Term::Receive(from, guard, patterns, code, next) => {
                self.receive(id, (from, guard, &patterns, code.as_ref(), next), at, wanted, found)?;
            }
            Term::Guard(condition, next) => {
                if self.holds(condition, at)? {
                    self.moves(next, at, wanted, found)?;
                }
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => {
                let branch = if self.holds(condition, at)? { then } else { otherwise };
                self.moves(branch, at, wanted, found)?;
            }
            Term::If(kind, condition, then, otherwise) => {
                if is_for_all {
                    let holds = self.holds(condition, at)?;
                    if holds || kind == IfKind::Step {
                        let branch = if holds { then } else { otherwise };
                        found.moves.push(step(Label::TAU, Sort::Own, branch, at));
                    }
                }
            }
            Term::Case(branches, default) => {
                if is_for_all {
                    let mut branch = default;
                    for &(condition, next) in branches.iter() {
                        if self.holds(condition, at)? {
                            branch = next;
                            break;
                        }
                    }
                    found.moves.push(step(Label::TAU, Sort::Own, branch, at));
                }
            }
            Term::Internal(all) => {
                if is_for_all {
                    found.moves.extend(all.iter().map(|&branch| step(Label::TAU, Sort::Own, branch, at)));
                }
            }
            Term::Sequence(first, second) => {
                let start = found.moves.len();
                self.moves(first, at, wanted, found)?;
                for index in start..found.moves.len() {
                    let Move { sort, target, .. } = found.moves[index];
                    let next = &mut found.moves[index];
                    if sort == Sort::Tick {
                        (next.label, next.sort, next.target) = (Label::TAU, Sort::Own, second);
                    } else {
                        next.target = self.add(Term::Sequence(target, second), id);
                    }
                }
            }
            Term::Choice(all) => {
                for &branch in all.iter() {
                    self.moves(branch, at, wanted, found)?;
                }
            }
            Term::External(all) => {
                for (place, &branch) in all.iter().enumerate() {
                    let start = found.moves.len();
                    self.moves(branch, at, wanted, found)?;
                    for index in start..found.moves.len() {
                        if found.moves[index].is_silent(wanted) {
                            let mut changed = all.to_vec();
                            changed[place] = found.moves[index].target;
                            found.moves[index].target = self.add(Term::External(changed.into()), id);
                        }
                    }
                }
            }
            Term::Interrupt(left, right) => {
                let start = found.moves.len();
                self.moves(left, at, wanted, found)?;
                let middle = found.moves.len();
                self.moves(right, at, wanted, found)?;
                for index in start..found.moves.len() {
                    let Move { sort, target, .. } = found.moves[index];
                    if index < middle && sort != Sort::Tick {
                        found.moves[index].target = self.add(Term::Interrupt(target, right), id);
                    } else if index >= middle && found.moves[index].is_silent(wanted) {
                        found.moves[index].target = self.add(Term::Interrupt(left, target), id);
                    }
                }
            }
            Term::Hide(hiding, inside) => {
                let start = found.moves.len();
                self.moves(inside, at, wanted, found)?;
                for index in start..found.moves.len() {
                    let Move { label, sort, target, .. } = found.moves[index];
                    if sort == Sort::Tick {
                        continue;
                    }
                    if !matches!(sort, Sort::Offer(_)) && self.hides(&hiding, label, id)? {
                        (found.moves[index].label, found.moves[index].sort) = (Label::TAU, Sort::Own);
                    }
                    if target != self.finished {
                        found.moves[index].target = self.add(Term::Hide(hiding.clone(), target), id);
                    }
                }
            }
            Term::Atomic(inside) => {
                let start = found.moves.len();
                self.moves(inside, at, wanted, found)?;
                for index in start..found.moves.len() {
                    found.moves[index].is_atomic = true;
                    if found.moves[index].sort != Sort::Tick {
                        let target = found.moves[index].target;
                        found.moves[index].target = self.add(Term::Atomic(target), id);
                    }
                }
            }
            Term::Watched(inside) => {
                let start = found.moves.len();
                self.moves(inside, at, wanted, found)?;
                for index in start..found.moves.len() {
                    if found.moves[index].sort == Sort::Tick {
                        (found.moves[index].label, found.moves[index].sort) = (self.terminate, Sort::Own);
                    } else {
                        let target = found.moves[index].target;
                        found.moves[index].target = self.add(Term::Watched(target), id);
                    }
                }
            }
            Term::Call(definition, arguments) => {
                let arguments = if arguments.iter().all(|&argument| self.code.exprs.value(argument).is_some()) {
                    arguments
                } else {
                    let System { code, rows, counts, .. } = self;
                    substitute::arguments(code, &arguments, rows.get(at.0), counts)?
                };
                let body = self.body(definition, &arguments);
                self.n_calls += 1;
                self.moves(body, at, wanted, found)?;
                self.n_calls -= 1;
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(&mut self.code, id, &[]);
                if expanded == id {
                    return Err(substitute::no_count(&self.code, id));
                }
                self.moves(expanded, at, wanted, found)?;
            }
            Term::Interleave(all) => self.compose(id, None, &all, at, wanted, found)?,
            Term::Parallel(family, all) => self.compose(id, Some(family), &all, at, wanted, found)?,
            Term::Group(members) => self.group((id, None), &members, at, wanted, found)?,
            Term::Crowd(most, members) => self.group((id, Some(most)), &members, at, wanted, found)?,
            Term::AnyNumber(_) => return Err(Fault::new(self.code.terms.span(id), FaultKind::AnyNumber)),
        }
        Ok(())
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

    fn holds(&self, condition: ExprId, at: DataId) -> Answer<bool> {
        self.context(at).is_true(condition)
    }

    /// Runs a program, if there is one, on a valuation. Its arguments are evaluated in the valuation before the step.
    fn run(&mut self, code: Option<&AttachedCode>, before: DataId, on: DataId) -> Answer<DataId> {
        let Some(attached) = code else { return Ok(on) };
        let mut arguments: SmallVec<[i32; 8]> = SmallVec::new();
        for &argument in attached.arguments.iter() {
            arguments.push(self.context(before).value(argument)?);
        }
        let mut cells = std::mem::take(&mut self.scratch);
        cells.clear();
        cells.extend_from_slice(self.rows.get(on.0));
        let outcome = Run::program(&self.code, attached.program, &arguments, &mut cells, &self.counts);
        let data = outcome.map(|()| DataId(self.rows.intern(&cells)));
        self.scratch = cells;
        data
    }

    fn values(&self, exprs: &[ExprId], at: DataId) -> Answer<SmallVec<[i32; 4]>> {
        let context = self.context(at);
        exprs.iter().map(|&expr| context.value(expr)).collect()
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
        let values = self.values(values, at)?;
        if capacity == 0 {
            let after = self.run(code, at, at)?;
            found.offers.push(Offer { channel: to.channel, index, values, after });
            let offer = Sort::Offer(found.offers.len() as u32 - 1);
            found.moves.push(step(Label::TAU, offer, next, after));
            return Ok(());
        }
        if data::n_messages(&self.code, self.rows.get(at.0), buffer) >= capacity {
            return Ok(());
        }
        let mut cells = self.rows.get(at.0).to_vec();
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
        id: TermId,
        parts: (ChannelRef, Option<ExprId>, &[Pattern], Option<&AttachedCode>, TermId),
        at: DataId,
        wanted: Wanted<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let (from, guard, patterns, code, next) = parts;
        let declared = &self.code.channels[from.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        // A channel with a buffer has nothing to do with offers, and the other way round.
        match wanted {
            Wanted::Moves if capacity > 0 => {}
            Wanted::Takers(offer) if capacity == 0 && offer.channel == from.channel => {}
            _ => return Ok(()),
        }
        let index = self.context(at).channel_index(from.channel, from.index)?;
        let buffer = DynamicId(first_buffer + index);
        let message: SmallVec<[i32; 4]> = match wanted {
            Wanted::Takers(offer) if offer.index == index => offer.values.clone(),
            Wanted::Takers(_) => return Ok(()),
            Wanted::Moves => match data::first_message(&self.code, self.rows.get(at.0), buffer) {
                Some(message) => message.into(),
                None => return Ok(()),
            },
        };
        let Some(environment) = self.bind(id, patterns, &message, at)? else { return Ok(()) };
        if let Some(guard) = guard {
            let guard = substitute::expression(&mut self.code, guard, &environment);
            if !self.holds(guard, at)? {
                return Ok(());
            }
        }
        let taken = match wanted {
            Wanted::Takers(offer) => offer.after,
            Wanted::Moves => {
                let mut cells = self.rows.get(at.0).to_vec();
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
        let label = match wanted {
            Wanted::Takers(_) => Label::TAU,
            Wanted::Moves => self.channel_label(from.channel, index, '?', &message),
        };
        found.moves.push(step(label, Sort::Own, target, data));
        Ok(())
    }

    /// The values that a message gives to the names in a pattern; nothing if it does not match.
    fn bind(&mut self, id: TermId, patterns: &[Pattern], message: &[i32], at: DataId) -> Answer<Option<Inputs>> {
        if patterns.len() != message.len() {
            let name = match self.code.terms.get(id) {
                Term::Receive(from, ..) => self.code.channels[from.channel as usize].name.to_string(),
                _ => String::new(),
            };
            let span: Span = self.code.terms.span(id);
            return Err(Fault::new(span, FaultKind::Fields(name, patterns.len(), message.len())));
        }
        let mut environment = Inputs::new();
        for (pattern, &value) in patterns.iter().zip(message) {
            match pattern {
                Pattern::Bind(slot) => environment.push((*slot, self.code.exprs.int(value))),
                Pattern::Match(expr) => {
                    let expr = substitute::expression(&mut self.code, *expr, &environment);
                    if self.context(at).value(expr)? != value {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(environment))
    }

    /// What goes on with values that were received.
    pub(crate) fn with_inputs(&mut self, next: TermId, environment: &[(Slot, ExprId)]) -> TermId {
        if environment.is_empty() {
            return next;
        }
        let key = (next, SmallVec::from_slice(environment));
        if let Some(&known) = self.received.get(&key) {
            return known;
        }
        let made = substitute::term(&mut self.code, next, environment);
        self.received.insert(key, made);
        made
    }
}

pub(super) fn step(label: Label, sort: Sort, target: TermId, data: DataId) -> Move {
    Move { label, sort, target, data, team: TeamId::WHOLE, is_atomic: false }
}
