//! Process expressions become terms.
//!
//! Operands are evaluated at once, up to calls of named processes, which stay folded. What cannot matter is left out
//! right here: `STOP` as an operand of `[]`, hiding nothing, renaming nothing.

use super::active_domains::Origin;
use super::code::{EventsOp, Op, ProcessOp, Replicated, ReplicatedOp};
use super::runtime_error::Eval;
use super::set::Set;
use super::value::Value;
use super::{Evaluator, errors};
use cspm::resolve::NameId;
use cspm::syntax::{ExprId, ProcessOp as Infix, SetOp};
use limits::input::cspm::MAX_TOCKS;
use model::{EventId, EventSet};
use process::{FailureId, Term, TermId};
use std::rc::Rc;
use std::sync::Arc;

impl Evaluator<'_> {
    /// A term as a value.
    pub(super) fn term(&mut self, term: Term) -> Value {
        Value::process(self.terms.intern(term))
    }

    /// A process operand.
    pub(super) fn operand(&mut self, op: &Op, base: usize) -> Eval<TermId> {
        let value = self.eval(op, base)?;
        self.expect_process(value)
    }

    /// The continuation of an event. If that fails, it matters only when the process gets there.
    pub(super) fn continuation(&mut self, op: &Op, base: usize) -> Eval<TermId> {
        let height = self.stack.len();
        match self.operand(op, base) {
            Err(failed) if !self.is_at_limit() && !self.is_aborting() => {
                self.stack.truncate(height);
                let failure = FailureId(self.failures.len() as u32);
                let diagnostic = self.report(failed);
                self.failures.push(*diagnostic);
                Ok(self.terms.intern(Term::Failed(failure)))
            }
            outcome => outcome,
        }
    }

    #[inline(never)]
    pub(super) fn process_op(&mut self, op: &ProcessOp, base: usize) -> Eval {
        let term = match op {
            ProcessOp::Stop => Term::Stop,
            ProcessOp::Skip => Term::Skip,
            ProcessOp::Prefix(prefix) => return self.prefix(prefix, base).map(Value::process),
            ProcessOp::ExternalChoice(operands) => {
                let operands = self.operand_list(operands, base)?;
                return Ok(Value::process(self.external_choice(operands)));
            }
            ProcessOp::Infix(op, left, right) => return self.infix(*op, left, right, base),
            ProcessOp::Hide(process, events) => {
                let process = self.operand(process, base)?;
                match self.events_in(events, base)? {
                    none if none.is_empty() => return Ok(Value::process(process)),
                    events => Term::Hide(process, events),
                }
            }
            ProcessOp::Project(process, events) => {
                Term::Project(self.operand(process, base)?, self.events_in(events, base)?)
            }
            ProcessOp::WithSet(op, left, events, right) => self.with_set(*op, (left, events, right), base)?,
            ProcessOp::AlphaParallel(left, a, b, right) => {
                let left = (self.operand(left, base)?, self.events_in(a, base)?);
                let right = (self.operand(right, base)?, self.events_in(b, base)?);
                Term::AlphaParallel(Arc::new([left, right]))
            }
            ProcessOp::Link(left, ties, right) => {
                let (left, right) = (self.operand(left, base)?, self.operand(right, base)?);
                let ties = self.link_ties(ties, base)?;
                Term::Link(left, ties, right)
            }
            ProcessOp::Rename(process, ties) => {
                let process = self.operand(process, base)?;
                match self.ties(ties, base)? {
                    none if none.is_empty() => return Ok(Value::process(process)),
                    ties => Term::Rename(process, ties),
                }
            }
            ProcessOp::Replicated(replicated) => return self.replicated(replicated, base),
            ProcessOp::Delayed { tock, count, process, site } => {
                let count = self.int(count, base)?;
                let process = self.operand(process, base)?;
                return Ok(Value::process(self.tocks(*tock, count, process, *site)?));
            }
        };
        Ok(self.term(term))
    }

    fn infix(&mut self, op: Infix, left: &Op, right: &Op, base: usize) -> Eval {
        let term = match op {
            Infix::ExternalChoice => unreachable!("its operands are in a list"),
            Infix::InternalChoice => Term::InternalChoice(self.two(left, right, base)?),
            Infix::Interleave => Term::Interleave(self.chained(op, left, right, base)?.into()),
            Infix::Sequential => {
                // `P ; Q ; R` as `P ; (Q ; R)`, which has the same steps, and only one operator to rebuild for each.
                let operands = self.chained(op, left, right, base)?;
                return Ok(Value::process(self.one_after_the_other(operands)));
            }
            Infix::Interrupt => Term::Interrupt(self.operand(left, base)?, self.operand(right, base)?),
            Infix::SlidingChoice => Term::SlidingChoice(self.operand(left, base)?, self.operand(right, base)?),
        };
        Ok(self.term(term))
    }

    fn with_set(&mut self, op: SetOp, (left, events, right): (&Op, &EventsOp, &Op), base: usize) -> Eval<Term> {
        Ok(match op {
            SetOp::Parallel | SetOp::SyncChoice => {
                let operands = self.two(left, right, base)?;
                let events = self.events_in(events, base)?;
                match op {
                    SetOp::Parallel => Term::Parallel(operands, events),
                    _ => Term::SyncChoice(operands, events),
                }
            }
            SetOp::Exception | SetOp::SyncInterrupt => {
                let left = self.operand(left, base)?;
                let events = self.events_in(events, base)?;
                let right = self.operand(right, base)?;
                match op {
                    SetOp::Exception => Term::Exception(left, events, right),
                    _ => Term::SyncInterrupt(left, events, right),
                }
            }
        })
    }

    fn operand_list(&mut self, operands: &[Op], base: usize) -> Eval<Vec<TermId>> {
        operands.iter().map(|operand| self.operand(operand, base)).collect()
    }

    fn two(&mut self, left: &Op, right: &Op, base: usize) -> Eval<Arc<[TermId]>> {
        Ok(Arc::new([self.operand(left, base)?, self.operand(right, base)?]))
    }

    /// `[]` of these processes.
    pub(super) fn external_choice(&mut self, operands: Vec<TermId>) -> TermId {
        let mut flat: Vec<TermId> = Vec::with_capacity(operands.len());
        for operand in operands {
            match self.terms.get(operand) {
                Term::Stop => {}
                Term::ExternalChoice(inner) => flat.extend(inner.iter()),
                _ => flat.push(operand),
            }
        }
        match flat[..] {
            [] => self.terms.intern(Term::Stop),
            [only] => only,
            _ => self.terms.intern(Term::ExternalChoice(flat.into())),
        }
    }

    /// `|~|` of these processes, at least one.
    pub(super) fn internal_choice(&mut self, operands: Vec<TermId>) -> TermId {
        match operands[..] {
            [only] => only,
            _ => self.terms.intern(Term::InternalChoice(operands.into())),
        }
    }

    fn replicated(&mut self, replicated: &Replicated, base: usize) -> Eval {
        let Replicated { op, steps, process, tock, empty, site } = replicated;
        if let ReplicatedOp::Link(ties) = op {
            return self.replicated_link(ties, replicated, base);
        }
        let shared = match op {
            ReplicatedOp::Parallel(events) | ReplicatedOp::SyncChoice(events) => Some(self.events_in(events, base)?),
            _ => None,
        };
        let mut operands: Vec<TermId> = Vec::new();
        let mut alphabets: Vec<EventSet> = Vec::new();
        self.rounds(steps, base, &mut |this| {
            if let ReplicatedOp::AlphaParallel(events) = op {
                alphabets.push(this.events_in(events, base)?);
            }
            operands.push(this.operand(process, base)?);
            Ok(())
        })?;
        if operands.is_empty()
            && let Some(empty) = empty
        {
            return self.eval(empty, base);
        }
        let tock = tock.map(|tock| self.tock_set(tock, *site)).transpose()?;
        let term = match (op, tock, shared) {
            (ReplicatedOp::ExternalChoice, None, _) => return Ok(Value::process(self.external_choice(operands))),
            (ReplicatedOp::InternalChoice, _, _) if operands.is_empty() => {
                return Err(self.fail(errors::empty_internal_choice(self.span(*site))));
            }
            (ReplicatedOp::InternalChoice, ..) => return Ok(Value::process(self.internal_choice(operands))),
            (ReplicatedOp::Sequential, ..) => return Ok(Value::process(self.one_after_the_other(operands))),
            (ReplicatedOp::Interleave, None, _) => Term::Interleave(operands.into()),
            (ReplicatedOp::ExternalChoice, Some(tock), _) => Term::SyncChoice(operands.into(), tock),
            (ReplicatedOp::Interleave, Some(tock), _) => Term::Parallel(operands.into(), tock),
            (ReplicatedOp::AlphaParallel(_), ..) => Term::AlphaParallel(operands.into_iter().zip(alphabets).collect()),
            (ReplicatedOp::SyncChoice(_), _, Some(_)) if operands.is_empty() => Term::Stop,
            (ReplicatedOp::SyncChoice(_), _, Some(events)) => Term::SyncChoice(operands.into(), events),
            (_, _, Some(events)) => Term::Parallel(operands.into(), events),
            (_, _, None) => unreachable!("its set was evaluated above"),
        };
        Ok(match &term {
            // A single process synchronizes with no other.
            Term::Interleave(only) | Term::Parallel(only, _) | Term::SyncChoice(only, _) if only.len() == 1 => {
                Value::process(only[0])
            }
            _ => self.term(term),
        })
    }

    /// The operands of an operator that is applied to its own result on the left, again and again: they become those of
    /// one operator, equally far from the top.
    fn chained(&mut self, op: Infix, left: &Op, right: &Op, base: usize) -> Eval<Vec<TermId>> {
        let (mut first, mut operands) = (left, vec![right]);
        while let Op::Process(inner) = first
            && let ProcessOp::Infix(same, left, right) = &**inner
            && *same == op
        {
            operands.push(right);
            first = left;
        }
        operands.push(first);
        operands.iter().rev().map(|operand| self.operand(operand, base)).collect()
    }

    fn one_after_the_other(&mut self, operands: Vec<TermId>) -> TermId {
        let mut rest = operands.into_iter().rev();
        let Some(last) = rest.next() else { return self.terms.intern(Term::Skip) };
        rest.fold(last, |rest, process| self.terms.intern(Term::Sequential(process, rest)))
    }

    /// A set of events, with `tock` where a timed section adds it.
    pub(super) fn events_in(&mut self, events: &EventsOp, base: usize) -> Eval<EventSet> {
        let value = self.eval(&events.set, base)?;
        let set = self.expect_set(value)?;
        let plain = self.event_set(&set, events.site)?;
        let Some(tock) = events.tock else { return Ok(plain) };
        let tock = self.event_id(&Value::bare(tock), events.site)?;
        Ok(match plain.binary_search(&tock) {
            Ok(_) => plain,
            Err(place) => plain[..place].iter().copied().chain([tock]).chain(plain[place..].iter().copied()).collect(),
        })
    }

    fn tock_set(&mut self, tock: NameId, site: ExprId) -> Eval<EventSet> {
        Ok(Arc::new([self.event_id(&Value::bare(tock), site)?]))
    }

    /// `process` after so many tocks.
    pub(super) fn tocks(&mut self, tock: NameId, count: i64, process: TermId, site: ExprId) -> Eval<TermId> {
        if !(0..=MAX_TOCKS).contains(&count) {
            return Err(self.fail(errors::bad_delay(self.span(site), count)));
        }
        let tock = self.event_id(&Value::bare(tock), site)?;
        Ok((0..count).fold(process, |process, _| self.terms.intern(Term::Prefix(tock, process))))
    }

    /// The elements of a set as events.
    pub(super) fn event_set(&mut self, set: &Rc<Set>, site: ExprId) -> Eval<EventSet> {
        if let Some(known) = set.events.get() {
            return Ok(known.clone());
        }
        let mut events = Vec::new();
        match self.seen_events(set, site)? {
            Some(seen) => {
                for event in &seen {
                    events.push(self.event_seen(event, Origin::ActiveDomain, site)?);
                }
            }
            None => {
                let elements = self.elements(set, site);
                self.active_domains.are_wanted |= elements.is_err();
                for element in elements? {
                    events.push(self.event_id(&element, site)?);
                }
            }
        }
        events.sort_unstable();
        events.dedup();
        let events: EventSet = events.into();
        let _ = set.events.set(events.clone());
        Ok(events)
    }

    /// The number of an event.
    pub(super) fn event_id(&mut self, event: &Value, site: ExprId) -> Eval<EventId> {
        self.event_seen(event, Origin::Elsewhere, site)
    }

    /// The number of an event whose values come from somewhere.
    pub(super) fn event_seen(&mut self, event: &Value, from: Origin, site: ExprId) -> Eval<EventId> {
        self.note_event(event, from)?;
        // There may be millions of them in one expression.
        self.tick()?;
        if let Some(known) = self.event_numbers.find(event) {
            return Ok(known);
        }
        if !self.is_complete(event)? || event.head().is_none() {
            let text = self.brief(event);
            return Err(self.inconsistent(self.span(site), format!("`{text}` is not a complete event")));
        }
        let text = self.show_text(event)?;
        let id = self.events.intern(&text);
        self.event_numbers.insert(event.clone(), id);
        Ok(id)
    }
}
