//! The firing rules of every operator, one file for each family.
//!
//! A rule says how the steps of a whole follow from the steps of its operands that are on. Two things hold for all of
//! them and are not repeated: an internal step of an operand that is on is an internal step of the whole, with the
//! operand replaced; and termination leads to [`Term::Omega`]. The rules are those of Roscoe's *Understanding
//! Concurrent Systems*, with termination as a signal and parallel operators that terminate when all their operands
//! have.

mod buffer;
mod choice;
mod compressed;
mod leaf;
mod link;
mod owners;
mod parallel;
mod priority;
mod relabel;
mod sequence;
mod synchronizing;

pub(crate) use link::partners;
pub(crate) use owners::KnownOwners;
pub(crate) use priority::Priority;

use crate::table::Place;
use crate::{Label, Part, Step, StepError, StepTable, TeamId, Term, TermId, Termination, Terms, Unfold};
use model::EventId;

/// The steps of one term in the making.
pub(crate) struct Firing<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) table: &'a mut StepTable,
    pub(crate) unfold: &'a mut dyn Unfold,
    /// Where its steps begin in the table.
    pub(crate) start: usize,
    /// How its operands terminate.
    pub(crate) termination: Termination,
}

/// Result of a rule: its steps are in the table, or there is a reason why not.
type Fired = Result<(), StepError>;

impl Firing<'_> {
    /// Adds all steps of `term`, whose started operands are known.
    pub(crate) fn fire(&mut self, id: TermId) -> Fired {
        match self.terms.get(id).clone() {
            Term::Stop | Term::Omega => Ok(()),
            Term::Skip => self.fire_skip(),
            Term::Div => self.alone(Label::TAU, id),
            Term::Chaos(events) => self.fire_chaos(id, events),
            Term::Run(events) => self.fire_prefix(&events, id),
            Term::Prefix(event, next) => self.fire_prefix(&[event], next),
            Term::PrefixAny(events, next) => self.fire_prefix(&events, next),
            Term::ExternalChoice(operands) => self.fire_external_choice(&operands),
            Term::InternalChoice(operands) => self.fire_internal_choice(&operands),
            Term::SlidingChoice(left, right) => self.fire_sliding_choice(left, right),
            Term::Sequential(left, right) => self.fire_sequential(left, right),
            Term::Loop(operand) => self.fire_sequential(operand, id),
            Term::Interrupt(left, right) => self.fire_interrupt(left, right),
            Term::Exception(left, events, right) => self.fire_exception(left, events, right),
            Term::Interleave(operands) => self.fire_interleave(&operands),
            Term::Parallel(operands, events) => self.fire_parallel(&operands, &events),
            Term::AlphaParallel(operands) => self.fire_alpha_parallel(&operands),
            Term::Link(left, relation, right) => self.fire_link(left, &relation, right),
            Term::Hide(operand, events) => self.fire_hide(operand, &events),
            Term::Project(operand, events) => self.fire_project(operand, &events),
            Term::Rename(operand, relation) => self.fire_rename(operand, &relation),
            Term::SyncChoice(operands, events) => self.fire_sync_choice(&operands, &events),
            Term::SyncInterrupt(left, events, right) => self.fire_sync_interrupt(left, &events, right),
            term @ (Term::Prioritise(operand, _) | Term::PrioritiseBy(operand, _)) => {
                self.fire_priority(&term, operand)
            }
            Term::Buffer(..) | Term::WeakBuffer(..) | Term::SignalBuffer(..) => self.fire_buffer(id, &[]),
            Term::Holding(buffer, owed) => self.fire_buffer(buffer, &owed),
            Term::Compressed(compression, operand) => self.fire_selection(compression, operand),
            Term::TraceWatchdog(..) => Err(StepError::Unsupported("trace_watchdog")),
            Term::FailureWatchdog(..) => Err(StepError::Unsupported("failure_watchdog")),
            Term::Failed(failure) => Err(StepError::Failed(failure)),
            Term::Call(_) => Err(StepError::Unsupported("a call that was not opened")),
        }
    }

    /// The steps of an operand.
    fn steps(&self, operand: TermId) -> &[Step] {
        self.table.known(Place { term: operand, termination: self.termination })
    }

    fn n_steps(&self, operand: TermId) -> usize {
        self.steps(operand).len()
    }

    fn step(&self, operand: TermId, index: usize) -> Step {
        self.steps(operand)[index]
    }

    fn omega(&mut self) -> TermId {
        self.terms.intern(Term::Omega)
    }

    /// A step in which no operand takes part.
    fn alone(&mut self, label: Label, target: TermId) -> Fired {
        self.add((label, target, TeamId::WHOLE), &[])
    }

    /// A step that comes from one step of the operand at `position`, taken by the same team.
    fn pass(&mut self, label: Label, target: TermId, step: Step, (position, index): (usize, usize)) -> Fired {
        let part = Part { operand: position as u32, step: index as u32 };
        self.add((label, target, step.team), &[part])
    }

    /// Adds a step.
    fn add(&mut self, step: (Label, TermId, TeamId), parts: &[Part]) -> Fired {
        self.work(1 + parts.len())?;
        self.table.add(self.start, step, parts)
    }

    /// Counts what is done.
    fn work(&mut self, amount: usize) -> Fired {
        self.table.work(self.unfold, amount)
    }

    /// A term made of the operands with one of them replaced.
    fn interned(
        &mut self,
        rebuild: impl Fn(Vec<TermId>) -> Term,
        operands: &[TermId],
        (position, by): (usize, TermId),
    ) -> Result<TermId, StepError> {
        self.work(operands.len())?;
        let mut operands = operands.to_vec();
        operands[position] = by;
        Ok(self.terms.intern(rebuild(operands)))
    }

    /// Passes a step with the operand's own label; termination ends the whole.
    fn pass_unchanged(&mut self, target: TermId, step: Step, at: (usize, usize)) -> Fired {
        let target = if step.label == Label::TICK { self.omega() } else { target };
        self.pass(step.label, target, step, at)
    }
}

pub(crate) fn has(set: &[EventId], label: Label) -> bool {
    EventId::of(label).is_some_and(|event| contains(set, event))
}

pub(crate) fn contains(set: &[EventId], event: EventId) -> bool {
    set.binary_search(&event).is_ok()
}
