//! Symbolic firing rules: the moves of a term under any valuation.
//!
//! A move has conditions, in the order of their evaluation, and effects. Where the label or the target depends on a
//! value (in fields of events, messages, and arguments of calls), there is a move for each possible value. A fault is a
//! move as well, whose conditions fault exactly where the step does.

use super::channels::Messages;
use super::compose::{self, Joint};
use super::range::{self, Ranges};
pub(super) use super::symbolic_move::{Condition, Effect, Move, Sort, fault, is_silent, program, step};
use super::{Limit, NotLowered};
use crate::code::IfKind;
use crate::code::{AttachedCode, Code, DefinitionId, EventRef, ExprId, Term, TermId, Type};
use crate::run::{ParticipantsId, System, substitute};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::{MAX_CALLS, MAX_MOVES, MAX_VALUES};
use lts::Label;
use model::data::Interval;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// The moves of a term.
pub(super) type TermMoves = Rc<[Move<TermId>]>;

/// The symbolic interpreter: computes moves under an abstract valuation.
pub(super) struct Symbolic<'s> {
    pub(super) system: &'s mut System,
    /// The range of each variable.
    pub(super) variables: Vec<Interval>,
    /// The messages of each channel; those of arrays of channels are consecutive.
    pub(super) messages: Vec<Messages>,
    first_channel: Vec<u32>,
    known: HashMap<TermId, TermMoves>,
    /// Whether a new message was found, so that earlier results are incomplete.
    pub(super) has_grown: bool,
    /// Whether copies are represented by counters, so that the identity of the one that moves is lost.
    pub(super) has_groups: bool,
    depth: u32,
    may_continue: &'s dyn Fn() -> bool,
}

pub(super) type Found = Vec<Move<TermId>>;

/// Possible values of some expressions, with the conditions under which they occur.
pub(super) type Case = (Vec<Condition>, SmallVec<[i32; 4]>);

impl<'s> Symbolic<'s> {
    pub(super) fn new(system: &'s mut System, may_continue: &'s dyn Fn() -> bool) -> Symbolic<'s> {
        let code = system.code();
        let variables = first_values(code).collect();
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
            may_continue,
        }
    }

    /// The initial range of each variable.
    pub(super) fn first_values(&self) -> impl Iterator<Item = Interval> {
        first_values(self.system.code())
    }

    /// Resets the ranges to the initial values.
    pub(super) fn reset_values(&mut self) {
        self.variables = self.first_values().collect();
    }

    /// Removes all messages.
    pub(super) fn clear_messages(&mut self) {
        self.messages.fill(Messages::default());
    }

    /// Polls for cancellation.
    ///
    /// # Errors
    /// When cancelled.
    pub(super) fn poll(&self) -> Result<(), NotLowered> {
        if (self.may_continue)() { Ok(()) } else { Err(NotLowered::Stopped) }
    }

    /// Clears the cache of moves, which depends on ranges and messages.
    pub(super) fn clear_moves(&mut self) {
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

    /// The moves of a term.
    pub(super) fn moves(&mut self, id: TermId) -> Result<TermMoves, NotLowered> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        self.depth += 1;
        if self.depth > MAX_CALLS {
            return Err(NotLowered::Large(Limit::Calls));
        }
        let moves = stacker::maybe_grow(128 * 1024, 1024 * 1024, || match self.inherited_moves(id)? {
            Some(moves) => Ok(moves),
            None => {
                let mut found = Vec::new();
                self.find(id, &mut found)?;
                Ok(found.into_iter().filter_map(|next| self.simplified(next)).collect())
            }
        });
        self.depth -= 1;
        let moves: TermMoves = moves?;
        if moves.len() > MAX_MOVES {
            return Err(NotLowered::Large(Limit::Moves));
        }
        self.known.insert(id, moves.clone());
        Ok(moves)
    }

    /// The moves of a term that are those of other terms, without further conditions; they are simplified already.
    fn inherited_moves(&mut self, id: TermId) -> Result<Option<TermMoves>, NotLowered> {
        let code = self.code();
        match code.terms.get(id).clone() {
            Term::Choice(all) => {
                let mut moves = Vec::new();
                for &branch in all.iter() {
                    moves.extend_from_slice(&self.moves(branch)?);
                }
                Ok(Some(moves.into()))
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(self.system.code_mut(), id, &[]);
                if expanded == id {
                    return Err(NotLowered::of(&substitute::no_count(self.code(), id)));
                }
                self.moves(expanded).map(Some)
            }
            Term::Call(definition, arguments) if arguments.iter().all(|&one| code.exprs.value(one).is_some()) => {
                let body = self.system.body(definition, &arguments);
                self.moves(body).map(Some)
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => {
                let Some(value) = code.exprs.value(condition) else { return Ok(None) };
                let moves = self.moves(if value == 0 { otherwise } else { then })?;
                // The condition is evaluated by the first step, so the branch is not urgent.
                Ok(moves.iter().all(|next| !next.is_urgent).then_some(moves))
            }
            _ => Ok(None),
        }
    }

    /// Removes the conditions of a move that always hold; `None` if it never happens. If a condition surely faults,
    /// only the fault is left.
    fn simplified(&self, mut next: Move<TermId>) -> Option<Move<TermId>> {
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
            if ranges.surely_faults(expr) {
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
                let fault = Move { conditions: kept, effects: Vec::new(), sort: Sort::Fault, ..next };
                return may_fail.then_some(fault);
            }
            if self.code().exprs.value(expr).is_none() {
                kept.push(condition);
            }
        }
        next.conditions = kept;
        Some(next)
    }

    fn find(&mut self, id: TermId, found: &mut Found) -> Result<(), NotLowered> {
        let term = self.code().terms.get(id).clone();
        match &term {
            Term::Event(event, code, next) => self.event(id, event, code.as_ref(), *next, found),
            Term::Send(to, values, code, next) => self.send(id, *to, values, code.as_ref(), *next, found),
            Term::Receive(from, guard, patterns, code, next) => {
                self.receive(id, (*from, *guard, patterns, code.as_ref(), *next), found)
            }
            Term::Guard(condition, next) => {
                self.watch(Condition::True(*condition), *condition, id, found);
                self.under(&[Condition::True(*condition)], *next, found)
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => {
                self.watch(Condition::True(*condition), *condition, id, found);
                let start = found.len();
                self.under(&[Condition::True(*condition)], *then, found)?;
                self.under(&[Condition::False(*condition)], *otherwise, found)?;
                // The condition is evaluated by the first step, so the branch is not urgent.
                found[start..].iter_mut().for_each(|next| next.is_urgent = false);
                Ok(())
            }
            Term::Call(definition, arguments) => self.call(id, *definition, arguments, found),
            Term::Sequence(..)
            | Term::External(_)
            | Term::Interrupt(..)
            | Term::Hide(..)
            | Term::Atomic(_)
            | Term::Watched(_)
            | Term::Marked(..) => self.find_below(id, &term, found),
            Term::Interleave(all) => self.side_by_side(id, None, all, found),
            Term::Parallel(family, all) => self.side_by_side(id, Some(*family), all, found),
            Term::Group(members) => self.group(id, members, found),
            Term::Wait(_) | Term::Expiring(..) | Term::Bounded(..) => self.find_timed(id, &term, found),
            Term::Crowd(..) | Term::AnyNumber(_) | Term::Active(_) => Err(NotLowered::Operator),
            Term::Choice(_) | Term::Indexed(..) | Term::Copies(..) => unreachable!("it takes over the moves of others"),
            Term::Stop
            | Term::Skip
            | Term::Finished
            | Term::Assert(_)
            | Term::Silent(..)
            | Term::If(..)
            | Term::Case(..)
            | Term::Internal(_) => {
                self.find_own(id, &term, found);
                Ok(())
            }
        }
    }

    /// Moves of terms without active operands.
    fn find_own(&mut self, id: TermId, term: &Term, found: &mut Found) {
        let silent = |conditions, next| Move { conditions, ..step(Label::TAU, Sort::Own, next) };
        match term {
            Term::Skip => found.push(self.tick()),
            Term::Assert(condition) => {
                found.push(Move { conditions: vec![Condition::True(*condition)], ..self.tick() });
                found.push(fault(vec![Condition::False(*condition), Condition::Wrong], id));
            }
            Term::Silent(code, next) => {
                let effects = program(code.as_ref());
                found.push(Move { effects, is_urgent: true, ..silent(Vec::new(), *next) });
            }
            Term::If(kind, condition, then, otherwise) => {
                let is_urgent = *kind == IfKind::Blocking;
                found.push(Move { is_urgent, ..silent(vec![Condition::True(*condition)], *then) });
                if *kind == IfKind::Step {
                    found.push(silent(vec![Condition::False(*condition)], *otherwise));
                }
            }
            Term::Case(branches, default) => {
                let mut conditions = Vec::new();
                for &(condition, next) in branches.iter() {
                    found.push(silent([&conditions[..], &[Condition::True(condition)]].concat(), next));
                    conditions.push(Condition::False(condition));
                }
                found.push(silent(conditions, *default));
            }
            Term::Internal(all) => {
                let urgent = |&branch: &TermId| Move { is_urgent: true, ..silent(Vec::new(), branch) };
                found.extend(all.iter().map(urgent));
            }
            // Deadlocked or terminated.
            _ => {}
        }
    }

    /// Moves of operators with active operands.
    fn find_below(&mut self, id: TermId, term: &Term, found: &mut Found) -> Result<(), NotLowered> {
        match term {
            Term::Sequence(first, second) => {
                for next in self.moves(*first)?.iter() {
                    found.push(match next.sort {
                        Sort::Tick => {
                            let (label, sort) = (Label::TAU, Sort::Own);
                            Move { label, sort, is_urgent: true, change: *second, ..next.clone() }
                        }
                        _ => self.around(id, next, |target| Term::Sequence(target, *second)),
                    });
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
                for next in self.moves(*left)?.iter() {
                    found.push(self.around_unless_ended(id, next, |target| Term::Interrupt(target, *right)));
                }
                for next in self.moves(*right)?.iter() {
                    found.push(match is_silent(next) {
                        true => self.around(id, next, |target| Term::Interrupt(*left, target)),
                        false => next.clone(),
                    });
                }
            }
            Term::Hide(hiding, inside) => {
                for next in self.moves(*inside)?.iter() {
                    let next = compose::hidden(self.system, hiding, id, next)?;
                    found.push(self.around_unless_ended(id, &next, |target| Term::Hide(hiding.clone(), target)));
                }
            }
            Term::Atomic(inside) => {
                for next in self.moves(*inside)?.iter() {
                    let next = Move { is_atomic: true, ..next.clone() };
                    found.push(self.around_unless_ended(id, &next, Term::Atomic));
                }
            }
            Term::Watched(inside) => {
                for next in self.moves(*inside)?.iter() {
                    found.push(match next.sort {
                        Sort::Tick => compose::watched(self.system, next),
                        _ => self.around(id, next, Term::Watched),
                    });
                }
            }
            Term::Marked(marks, inside) => {
                for next in self.moves(*inside)?.iter() {
                    let participants = self.system.participants_mut().marked(next.participants, *marks);
                    found.push(Move { participants, ..next.clone() });
                }
            }
            _ => unreachable!("no other operator is above what moves"),
        }
        Ok(())
    }

    /// The moves of a call, for all possible values of its arguments.
    fn call(
        &mut self,
        id: TermId,
        definition: DefinitionId,
        arguments: &[ExprId],
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        for (conditions, values) in self.split(arguments)? {
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
        Ok(())
    }

    /// The moves of a term under additional conditions.
    fn under(&mut self, conditions: &[Condition], id: TermId, found: &mut Found) -> Result<(), NotLowered> {
        for next in self.moves(id)?.iter() {
            found.push(Move { conditions: [conditions, &next.conditions].concat(), ..next.clone() });
        }
        Ok(())
    }

    /// The fault of an expression that is evaluated whatever its value is.
    fn watch(&self, condition: Condition, expr: ExprId, id: TermId, found: &mut Found) {
        if self.may_fail(expr) {
            found.push(fault(vec![condition, Condition::Never], id));
        }
    }

    fn tick(&self) -> Move<TermId> {
        step(Label::TICK, Sort::Tick, self.system.finished())
    }

    /// Lifts a move of the operand of a static operator.
    pub(super) fn around(
        &mut self,
        id: TermId,
        next: &Move<TermId>,
        term: impl FnOnce(TermId) -> Term,
    ) -> Move<TermId> {
        let change = self.system.add(term(next.change), id);
        Move { change, ..next.clone() }
    }

    /// Lifts a move of the operand of a static operator, unless it terminates.
    fn around_unless_ended(
        &mut self,
        id: TermId,
        next: &Move<TermId>,
        term: impl FnOnce(TermId) -> Term,
    ) -> Move<TermId> {
        if next.sort == Sort::Tick { next.clone() } else { self.around(id, next, term) }
    }

    /// All possible values of some expressions, with the conditions under which they occur. Literals need no
    /// conditions.
    pub(super) fn split(&self, exprs: &[ExprId]) -> Result<Vec<Case>, NotLowered> {
        let mut all: Vec<Case> = vec![Case::default()];
        for &expr in exprs {
            if let Some(value) = self.code().exprs.value(expr) {
                all.iter_mut().for_each(|(_, values)| values.push(value));
                continue;
            }
            let Interval { low, high } = self.ranges().of(expr).range;
            if (high - low).saturating_mul(all.len() as i128) > MAX_VALUES {
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

    fn side_by_side(
        &mut self,
        id: TermId,
        family: Option<u32>,
        parts: &[TermId],
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let children = parts.iter().map(|&part| self.moves(part)).collect::<Result<Vec<_>, _>>()?;
        let children: Vec<&[Move<TermId>]> = children.iter().map(|moves| &moves[..]).collect();
        let composed =
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
        found.extend(composed);
        Ok(())
    }

    /// The moves of copies that are represented by counters.
    fn group(&mut self, id: TermId, members: &[(TermId, u32)], found: &mut Found) -> Result<(), NotLowered> {
        // A copy may synchronize with another one in the same state, so states with several copies are doubled here and
        // the targets are counted again.
        let twice = |&(member, count): &(TermId, u32)| std::iter::repeat_n(member, if count > 1 { 2 } else { 1 });
        let places: Vec<(TermId, bool)> = members
            .iter()
            .flat_map(|member| twice(member).enumerate().map(|(copy, member)| (member, copy == 0)))
            .collect();
        let children = places.iter().map(|&(part, _)| self.moves(part)).collect::<Result<Vec<_>, _>>()?;
        let children: Vec<&[Move<TermId>]> = children.iter().map(|moves| &moves[..]).collect();
        let composed =
            compose::compose(self.system, &self.messages, None, &children, &mut |system, joint| match joint {
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
        // The moves of equal copies are equal.
        let mut visited = hashbrown::HashSet::new();
        for next in composed {
            // Copies have no identity, so the participants are dropped; fairness annotations are kept.
            let sets = self.system.participants_mut();
            let participants = sets.marked(ParticipantsId::WHOLE, sets.marks(next.participants));
            let next = Move { participants, ..next };
            if visited.insert(next.clone()) {
                found.push(next);
            }
        }
        Ok(())
    }
}

/// The initial range of each variable; for an array the hull of its elements.
fn first_values(code: &Code) -> impl Iterator<Item = Interval> {
    let hull = |cells: &[i32]| cells.iter().map(|&value| range::one(value)).reduce(Interval::hull);
    code.variables.iter().map(move |variable| {
        hull(&code.initial[variable.offset..variable.offset + variable.n_cells()]).unwrap_or(range::one(0))
    })
}
