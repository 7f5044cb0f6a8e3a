//! Denotational semantics of terms.
//!
//! Each operator is a function on sets of behaviors, in the stable failures model and in the failures-divergences model
//! (Roscoe, 2010, Understanding Concurrent Systems), with termination as a signal; no operational step is taken. Traces
//! are cut at a length, and the result is exact up to it. Prefix needs its operand up to one event less, so guarded
//! recursion terminates. Hiding needs longer traces: enough for every behavior of the operand between two visible
//! events without a repeated state, as a hidden run longer than the number of states must be infinite.

mod compose;
mod operators;

use super::behavior::{Behaviors, Letters, Refusals, SIGMA, TICK, Trace, with};
use super::world::{World, event};
use compose::{Meeting, compose};
use model::EventId;
use operators as op;
use process::{HIDDEN, Relation, Term, TermId};
use std::collections::HashMap;
use std::rc::Rc;

/// Semantic model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Semantics {
    /// Traces and refusals of stable states.
    StableFailures,
    /// Refusals and divergences, closed under divergence.
    FailuresDivergences,
}

/// Error for sets that exceed the size limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooBig;

const MAX_TRACES: usize = 1500;
const MAX_STATES: usize = 12;
const MAX_LENGTH: usize = 24;

/// Memoizing computation of behaviors.
pub struct Denoter<'a> {
    world: &'a mut World,
    semantics: Semantics,
    known: HashMap<(TermId, usize), Rc<Behaviors>>,
}

/// Result of [`Denoter::denote`].
pub type Denoted = Result<Rc<Behaviors>, TooBig>;

impl Denoter<'_> {
    /// Denoter for the terms of a world.
    pub fn new(world: &mut World, semantics: Semantics) -> Denoter<'_> {
        Denoter { world, semantics, known: HashMap::new() }
    }

    /// Behaviors of a term with traces of at most `max_length` events.
    ///
    /// # Errors
    /// When there are too many.
    ///
    /// # Panics
    /// For operators without a denotation in these models, such as priority.
    pub fn denote(&mut self, term: TermId, max_length: usize) -> Denoted {
        if max_length > MAX_LENGTH {
            return Err(TooBig);
        }
        if let Some(known) = self.known.get(&(term, max_length)) {
            return Ok(known.clone());
        }
        let behaviors = Rc::new(self.apply(term, max_length)?.normalized(max_length));
        if behaviors.failures.len() > MAX_TRACES {
            return Err(TooBig);
        }
        self.known.insert((term, max_length), behaviors.clone());
        Ok(behaviors)
    }

    fn apply(&mut self, id: TermId, n: usize) -> Result<Behaviors, TooBig> {
        Ok(match self.world.terms.get(id).clone() {
            Term::Stop => op::stop(),
            Term::Skip => op::skip(),
            Term::Div => self.bottom(),
            Term::Run(events) => op::all_traces(letters(&events), n, Refusals::of_offer(letters(&events)))?,
            Term::Chaos(events) => op::all_traces(letters(&events), n, Refusals::ALL)?,
            Term::Call(call) => (*self.denote(self.world.definitions.bodies[call.0 as usize], n)?).clone(),
            Term::Prefix(event, next) => self.prefix(&[event], next, n)?,
            Term::PrefixAny(events, next) => self.prefix(&events, next, n)?,
            Term::ExternalChoice(operands) => self.fold(&operands, n, op::stop(), op::external_choice)?,
            Term::SyncChoice(operands, events) => self.sync_choice(&operands, letters(&events), n)?,
            Term::InternalChoice(operands) => self.fold(&operands, n, Behaviors::default(), op::internal_choice)?,
            Term::SlidingChoice(left, right) => op::sliding_choice(&*self.denote(left, n)?, &*self.denote(right, n)?),
            Term::Sequential(left, right) => op::sequential(&*self.denote(left, n)?, &*self.denote(right, n)?),
            Term::Loop(operand) => self.fixed_point(operand, n)?,
            Term::Interrupt(left, right) => op::sync_interrupt(&*self.denote(left, n)?, &*self.denote(right, n)?, 0),
            Term::SyncInterrupt(left, events, right) => {
                op::sync_interrupt(&*self.denote(left, n)?, &*self.denote(right, n)?, letters(&events))
            }
            Term::Exception(left, events, right) => {
                op::exception(&*self.denote(left, n)?, &*self.denote(right, n)?, letters(&events))
            }
            Term::Interleave(operands) => self.parallel(&operands, 0, n)?,
            Term::Parallel(operands, events) => self.parallel(&operands, letters(&events), n)?,
            Term::AlphaParallel(operands) => {
                let mut whole = (op::skip(), 0);
                for (operand, alphabet) in operands.iter() {
                    let meeting = Meeting::Alphabets(whole.1, letters(alphabet));
                    let composed = compose(&whole.0, &*self.denote(*operand, n)?, meeting, n)?;
                    whole = (composed.normalized(n), whole.1 | letters(alphabet));
                }
                whole.0
            }
            Term::Link(left, relation, right) => self.link(left, &relation, right, n)?,
            Term::Hide(operand, events) => self.hide(operand, letters(&events), n)?,
            Term::Project(operand, events) => self.hide(operand, SIGMA & !letters(&events), n)?,
            Term::Rename(operand, relation) => self.rename(operand, &relation, n)?,
            Term::Buffer(capacity, relation) => buffer(capacity as usize, &relation, n)?,
            Term::Compressed(compression, operand) if !compression.selects() => (*self.denote(operand, n)?).clone(),
            other => unreachable!("{other:?} has no meaning by behaviors"),
        })
    }

    /// Least element of the model: the start of fixed-point iterations.
    fn bottom(&self) -> Behaviors {
        let mut behaviors = Behaviors::default();
        match self.semantics {
            Semantics::StableFailures => behaviors.add(Trace::new(), Refusals::NONE),
            Semantics::FailuresDivergences => drop(behaviors.divergences.insert(Trace::new())),
        }
        behaviors
    }

    fn prefix(&mut self, events: &[EventId], next: TermId, n: usize) -> Result<Behaviors, TooBig> {
        let mut behaviors = Behaviors::default();
        behaviors.add(Trace::new(), Refusals::of_offer(letters(events)));
        if n > 0 && !events.is_empty() {
            let next = self.denote(next, n - 1)?;
            for event in events {
                op::add_after(&mut behaviors, &[event.0 as u8], &next);
            }
        }
        Ok(behaviors)
    }

    fn fold(
        &mut self,
        operands: &[TermId],
        n: usize,
        unit: Behaviors,
        operator: impl Fn(&Behaviors, &Behaviors) -> Behaviors,
    ) -> Result<Behaviors, TooBig> {
        let mut whole = unit;
        for &operand in operands {
            whole = operator(&whole, &*self.denote(operand, n)?).normalized(n);
        }
        Ok(whole)
    }

    /// Folds without a unit: one operand is itself, none is `STOP`.
    fn sync_choice(&mut self, operands: &[TermId], shared: Letters, n: usize) -> Result<Behaviors, TooBig> {
        match operands.split_first() {
            None => Ok(op::stop()),
            Some((&first, rest)) => {
                let first = (*self.denote(first, n)?).clone();
                self.fold(rest, n, first, |left, right| op::sync_choice(left, right, shared))
            }
        }
    }

    /// The unit is `SKIP` only if nothing is shared, so it is used for the empty composition alone.
    fn parallel(&mut self, operands: &[TermId], shared: Letters, n: usize) -> Result<Behaviors, TooBig> {
        let Some((&first, rest)) = operands.split_first() else { return Ok(op::skip()) };
        let mut whole = (*self.denote(first, n)?).clone();
        for &operand in rest {
            whole = compose(&whole, &*self.denote(operand, n)?, Meeting::Shared(shared), n)?.normalized(n);
        }
        Ok(whole)
    }

    /// Least fixed point of `X = P ; X`, for `loop(P)`.
    fn fixed_point(&mut self, operand: TermId, n: usize) -> Result<Behaviors, TooBig> {
        let body = self.denote(operand, n)?;
        let mut solution = self.bottom();
        loop {
            let next = op::sequential(&body, &solution).normalized(n);
            if next == solution {
                return Ok(solution);
            }
            if next.failures.len() > MAX_TRACES {
                return Err(TooBig);
            }
            solution = next;
        }
    }

    fn hide(&mut self, operand: TermId, hidden: Letters, n: usize) -> Result<Behaviors, TooBig> {
        let (length, run) = self.length_before_hiding(operand, n)?;
        let operand = self.denote(operand, length)?;
        Ok(op::hide(&operand, hidden, self.infinite_run(run)))
    }

    /// Renames with fresh names for events that map to the internal event, and hides these.
    fn rename(&mut self, operand: TermId, relation: &Relation, n: usize) -> Result<Behaviors, TooBig> {
        if !relation.iter().any(|pair| pair.1 == HIDDEN) {
            return op::rename(&*self.denote(operand, n)?, &related(relation));
        }
        let fresh = event('e');
        let seen: Relation = relation.iter().map(|&(from, to)| (from, if to == HIDDEN { fresh } else { to })).collect();
        let (length, run) = self.length_before_hiding(operand, n)?;
        let renamed = op::rename(&*self.denote(operand, length)?, &related(&seen))?;
        Ok(op::hide(&renamed, 1 << fresh.0, self.infinite_run(run)))
    }

    /// Trace length of an operand that determines the traces of length `n` after hiding, and the length from which a
    /// run of hidden events must be infinite, if there are such runs.
    fn length_before_hiding(&mut self, operand: TermId, n: usize) -> Result<(usize, Option<usize>), TooBig> {
        match longest_trace(self.world, operand) {
            Some(longest) => Ok((longest, None)),
            None => {
                let n_states = self.world.lts(operand, MAX_STATES).ok_or(TooBig)?.n_states();
                Ok((n + (n + 1) * n_states, Some(n_states)))
            }
        }
    }

    /// Length from which a run of hidden events must be infinite, if the model has divergences.
    fn infinite_run(&self, run: Option<usize>) -> Option<usize> {
        run.filter(|_| self.semantics == Semantics::FailuresDivergences)
    }

    /// Renames linked events to common fresh names on both sides, synchronizes them, and hides them.
    fn link(&mut self, left: TermId, relation: &Relation, right: TermId, n: usize) -> Result<Behaviors, TooBig> {
        let (length, run) = match (longest_trace(self.world, left), longest_trace(self.world, right)) {
            (Some(left), Some(right)) => (left + right, None),
            _ => {
                let n_left = self.world.lts(left, MAX_STATES).ok_or(TooBig)?.n_states();
                let n_right = self.world.lts(right, MAX_STATES).ok_or(TooBig)?.n_states();
                (n + (n + 1) * n_left * n_right, Some(n_left * n_right))
            }
        };
        let fresh: Vec<u8> = ['d', 'e'].map(|letter| event(letter).0 as u8).to_vec();
        assert!(relation.len() <= fresh.len(), "no more fresh names");
        let name = |pick: fn(&(EventId, EventId)) -> EventId| -> Vec<(u8, u8)> {
            relation.iter().zip(&fresh).map(|(pair, &fresh)| (pick(pair).0 as u8, fresh)).collect()
        };
        let left = op::rename(&*self.denote(left, length)?, &name(|pair| pair.0))?;
        let right = op::rename(&*self.denote(right, length)?, &name(|pair| pair.1))?;
        let names = fresh.iter().take(relation.len()).fold(0, |set, letter| set | 1 << letter);
        let composed = compose(&left, &right, Meeting::Shared(names), length)?.normalized(length);
        Ok(op::hide(&composed, names, self.infinite_run(run)))
    }
}

/// Upper bound on the length of traces, if they are bounded.
fn longest_trace(world: &World, term: TermId) -> Option<usize> {
    let term = world.terms.get(term);
    let own = match term {
        Term::Call(_) | Term::Loop(_) | Term::Run(_) | Term::Chaos(_) | Term::Buffer(..) => return None,
        Term::Prefix(..) | Term::PrefixAny(..) => 1,
        _ => 0,
    };
    term.operands().iter().try_fold(own, |sum, &operand| Some(sum + longest_trace(world, operand)?))
}

/// Buffer: accepts inputs while it is not full, and offers the output of the oldest item while it is not empty.
fn buffer(capacity: usize, relation: &Relation, n: usize) -> Result<Behaviors, TooBig> {
    let mut behaviors = Behaviors::default();
    let mut open = vec![(Trace::new(), Vec::new())];
    while let Some((trace, owed)) = open.pop() {
        let mut moves: Vec<(u8, Vec<u8>)> = Vec::new();
        if owed.len() < capacity {
            moves.extend(relation.iter().map(|(input, output)| (input.0 as u8, with(&owed, output.0 as u8))));
        }
        moves.extend(owed.split_first().map(|(&next, rest)| (next, rest.to_vec())));
        behaviors.add(trace.clone(), Refusals::of_offer(moves.iter().fold(0, |set, (letter, _)| set | 1 << letter)));
        if trace.len() < n {
            open.extend(moves.into_iter().map(|(letter, owed)| (with(&trace, letter), owed)));
        }
        if behaviors.failures.len() > MAX_TRACES {
            return Err(TooBig);
        }
    }
    Ok(behaviors)
}

fn letters(events: &[EventId]) -> Letters {
    events.iter().fold(0, |set, event| set | 1 << event.0)
}

/// Relation on letters.
fn related(relation: &Relation) -> Vec<(u8, u8)> {
    debug_assert!(relation.iter().all(|pair| pair.0.0 < TICK as u32 && pair.1.0 < TICK as u32));
    relation.iter().map(|pair| (pair.0.0 as u8, pair.1.0 as u8)).collect()
}
