//! The steps of terms, computed once for each term.
//!
//! The steps of a term follow from the steps of those operands that are on, so a table is filled bottom up. The terms
//! that wait for their operands stand on an explicit stack, and depth costs heap, not stack. A call waits for its body,
//! and a term that comes to wait for itself is an unguarded recursion: terms are finite, so the loop goes through
//! calls, and no event lies on it. Recursion that never meets itself again is cut after a number of open calls.
//!
//! A call and a compression share the steps of what they stand for.
//!
//! Below a priority, parallel operators terminate in another way than elsewhere, so a term has steps for each of the
//! two ways.

use crate::operators::{Firing, KnownOwners};
use crate::step::Teams;
use crate::{CallId, Label, Part, Step, StepError, TeamId, Term, TermId, Terms, Unfold};
use hashbrown::{HashMap, HashSet};
use limits::effort::machines::LINEAR_STEPS;
pub use limits::input::processes::{MAX_OPEN_CALLS, MAX_STEPS};
use limits::intervals::polling::OPERANDS_PER_POLL;

/// How the operands of parallel operators terminate. Traces do not differ; what states offer does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Termination {
    /// Each on its own, unseen. This is how termination is a signal, which no environment refuses.
    #[default]
    Apart,
    /// All at once, so each offers what it offers until the last one is ready. This is how it is below a priority: a
    /// process that could terminate would have no time to wait otherwise.
    Together,
}

/// A cache of steps for the terms of one [`Terms`].
#[derive(Debug, Default)]
pub struct StepTable {
    /// For each way to terminate.
    entries: [Vec<Entry>; 2],
    termination: Termination,
    steps: Vec<Step>,
    parts: Vec<Part>,
    teams: Teams,
    bodies: HashMap<CallId, TermId>,
    /// Steps of the term being computed, for those that have many.
    seen: HashSet<(Label, TermId, TeamId)>,
    pub(crate) owners: KnownOwners,
    /// Work since the last poll for cancellation.
    n_done: usize,
}

/// A term and how it terminates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) term: TermId,
    pub(crate) termination: Termination,
}

impl Place {
    /// How the operands of the term terminate.
    pub(crate) fn below(self, terms: &Terms) -> Termination {
        match terms.get(self.term) {
            Term::Prioritise(..) | Term::PrioritiseBy(..) => Termination::Together,
            _ => self.termination,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    Unknown,
    /// Waiting for its operands.
    Open,
    /// The range of its steps.
    Known(u32, u32),
}

impl StepTable {
    /// An empty table.
    pub fn new() -> StepTable {
        StepTable::default()
    }

    /// From now on, terms are meant to terminate like this; returns how it was before.
    pub fn set_termination(&mut self, termination: Termination) -> Termination {
        std::mem::replace(&mut self.termination, termination)
    }

    /// The steps of a term: every one once, always in the same order.
    ///
    /// Two steps with equal label and target are different if different components take them.
    pub fn steps(&mut self, terms: &mut Terms, unfold: &mut dyn Unfold, term: TermId) -> Result<&[Step], StepError> {
        let place = self.place(term);
        if !matches!(self.entry(place), Entry::Known(..)) {
            let mut waiting = vec![place];
            self.fill(terms, unfold, &mut waiting).inspect_err(|_| {
                for place in waiting {
                    self.close_unfinished(place);
                }
            })?;
        }
        Ok(self.known(place))
    }

    /// The term as it is meant at the moment.
    pub(crate) fn place(&self, term: TermId) -> Place {
        Place { term, termination: self.termination }
    }

    /// The steps of the operands in a step; empty where the operator acted alone.
    pub fn parts(&self, step: &Step) -> &[Part] {
        &self.parts[step.parts.0 as usize..][..step.parts.1 as usize]
    }

    /// The teams that occur in steps.
    pub fn teams(&self) -> &Teams {
        &self.teams
    }

    /// The body of a call that was opened.
    pub fn body(&self, call: CallId) -> Option<TermId> {
        self.bodies.get(&call).copied()
    }

    fn fill(&mut self, terms: &mut Terms, unfold: &mut dyn Unfold, waiting: &mut Vec<Place>) -> Result<(), StepError> {
        let mut n_open_calls = 0;
        while let Some(&place) = waiting.last() {
            match self.entry(place) {
                Entry::Known(..) => {
                    waiting.pop();
                }
                Entry::Unknown => {
                    self.set(place, Entry::Open);
                    if let &Term::Call(call) = terms.get(place.term) {
                        n_open_calls += 1;
                        if n_open_calls > MAX_OPEN_CALLS {
                            return Err(StepError::Endless(call, MAX_OPEN_CALLS));
                        }
                    }
                    self.push_needed(terms, unfold, waiting)?;
                }
                Entry::Open => {
                    n_open_calls -= usize::from(matches!(terms.get(place.term), Term::Call(_)));
                    let range = self.fire(terms, unfold, place)?;
                    self.set(place, range);
                    waiting.pop();
                }
            }
        }
        Ok(())
    }

    /// Adds what the last of the waiting terms waits for.
    fn push_needed(
        &mut self,
        terms: &mut Terms,
        unfold: &mut dyn Unfold,
        waiting: &mut Vec<Place>,
    ) -> Result<(), StepError> {
        let n_before = waiting.len();
        let place = waiting[n_before - 1];
        let mut needed = Vec::new();
        match terms.get(place.term) {
            &Term::Call(call) => needed.push(self.open_call(terms, unfold, call)?),
            // A watchdog is made of the whole of its specification, which so must not wait for it.
            Term::TraceWatchdog(operand, ..) | Term::FailureWatchdog(operand, ..) => needed.push(*operand),
            term => term.push_started(&mut needed),
        }
        self.work(unfold, 1 + needed.len())?;
        let termination = place.below(terms);
        waiting.extend(needed.into_iter().rev().map(|term| Place { term, termination }));
        if let Some(index) = (n_before..waiting.len()).rev().find(|&index| self.entry(waiting[index]) == Entry::Open) {
            let again = waiting[index];
            waiting.truncate(n_before);
            return Err(StepError::Unguarded(self.calls_since(terms, waiting, again)));
        }
        Ok(())
    }

    /// The body of a call, opened once.
    pub(crate) fn open_call(
        &mut self,
        terms: &mut Terms,
        unfold: &mut dyn Unfold,
        call: CallId,
    ) -> Result<TermId, StepError> {
        if let Some(&body) = self.bodies.get(&call) {
            return Ok(body);
        }
        let body = unfold.unfold(terms, call).map_err(StepError::Evaluation)?;
        self.bodies.insert(call, body);
        Ok(body)
    }

    /// The calls among the open terms from `first` on.
    fn calls_since(&self, terms: &Terms, waiting: &[Place], first: Place) -> Vec<CallId> {
        let open = waiting.iter().filter(|&&place| self.entry(place) == Entry::Open);
        let cycle = open.skip_while(|&&place| place != first);
        let call = |place: &Place| if let Term::Call(call) = terms.get(place.term) { Some(*call) } else { None };
        cycle.filter_map(call).collect()
    }

    /// Computes the steps of a term whose started operands are known.
    fn fire(&mut self, terms: &mut Terms, unfold: &mut dyn Unfold, place: Place) -> Result<Entry, StepError> {
        let termination = place.below(terms);
        match terms.get(place.term) {
            Term::Call(call) => Ok(self.entry(Place { term: self.bodies[call], termination })),
            Term::Compressed(compression, operand) if !compression.selects() => {
                Ok(self.entry(Place { term: *operand, termination }))
            }
            _ => {
                let (start, n_parts) = (self.steps.len(), self.parts.len());
                self.seen.clear();
                Firing { terms, table: self, unfold, start, termination }.fire(place.term).inspect_err(|_| {
                    self.steps.truncate(start);
                    self.parts.truncate(n_parts);
                })?;
                Ok(Entry::Known(start as u32, (self.steps.len() - start) as u32))
            }
        }
    }

    /// Counts what is done, and asks from time to time whether to go on.
    pub(crate) fn work(&mut self, unfold: &mut dyn Unfold, amount: usize) -> Result<(), StepError> {
        self.n_done += amount;
        if self.n_done < OPERANDS_PER_POLL {
            return Ok(());
        }
        self.n_done = 0;
        unfold.may_go_on().map_err(StepError::Evaluation)
    }

    /// The steps of a known term.
    pub(crate) fn known(&self, place: Place) -> &[Step] {
        match self.entry(place) {
            Entry::Known(start, n_steps) => &self.steps[start as usize..][..n_steps as usize],
            _ => &[],
        }
    }

    /// Adds a step to those that began at `start`, unless it is there.
    pub(crate) fn add(
        &mut self,
        start: usize,
        (label, target, team): (Label, TermId, TeamId),
        parts: &[Part],
    ) -> Result<(), StepError> {
        if !self.is_new(start, label, target, team) {
            return Ok(());
        }
        let n_parts = self.parts.len();
        if self.steps.len() - start >= MAX_STEPS || n_parts.max(self.steps.len()) >= u32::MAX as usize - parts.len() {
            return Err(StepError::TooManySteps(MAX_STEPS));
        }
        self.parts.extend_from_slice(parts);
        self.steps.push(Step { label, target, team, parts: (n_parts as u32, parts.len() as u32) });
        Ok(())
    }

    fn is_new(&mut self, start: usize, label: Label, target: TermId, team: TeamId) -> bool {
        let steps = &self.steps[start..];
        if steps.len() < LINEAR_STEPS {
            return !steps.iter().any(|step| (step.label, step.target, step.team) == (label, target, team));
        }
        if self.seen.is_empty() {
            self.seen.extend(steps.iter().map(|step| (step.label, step.target, step.team)));
        }
        self.seen.insert((label, target, team))
    }

    pub(crate) fn team(&mut self, members: &[(u32, TeamId)]) -> TeamId {
        self.teams.intern(members)
    }

    /// All that are in some of these teams.
    pub(crate) fn all_teams(&mut self, teams: impl Iterator<Item = TeamId>) -> TeamId {
        self.teams.union(teams)
    }

    fn entry(&self, place: Place) -> Entry {
        let entries = &self.entries[place.termination as usize];
        entries.get(place.term.index()).copied().unwrap_or(Entry::Unknown)
    }

    fn set(&mut self, place: Place, entry: Entry) {
        let entries = &mut self.entries[place.termination as usize];
        let index = place.term.index();
        if entries.len() <= index {
            entries.resize(index + 1, Entry::Unknown);
        }
        entries[index] = entry;
    }

    fn close_unfinished(&mut self, place: Place) {
        if self.entry(place) == Entry::Open {
            self.set(place, Entry::Unknown);
        }
    }
}
