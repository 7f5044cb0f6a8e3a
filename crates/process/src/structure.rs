//! The structure of terms: what each operator is applied to, and to which group of operators it belongs.
//!
//! An operand is *on* when its steps matter for the steps of the whole, *off* when it has not started yet: the right
//! side of `P ; Q` is off, both sides of `P [] Q` are on. Everything that treats operators alike asks here; the steps
//! of an operator are in `operators`, its rules in networks in `compile`.

use crate::{Relation, Term, TermId, Terms};
use model::EventId;
use std::sync::Arc;

/// An argument of an operator.
pub(crate) enum Argument<'t> {
    /// An operand that is on.
    On(TermId),
    /// An operand that is off.
    Off(TermId),
    Events(&'t [EventId]),
    Pairs(&'t Relation),
    Number(u32),
}

use Argument::{Events, Number, Off, On, Pairs};

impl Term {
    /// Visits the arguments in order. Alphabets are left out: they stay with their operands.
    pub(crate) fn visit<'t>(&'t self, mut visit: impl FnMut(Argument<'t>)) {
        match self {
            Term::Stop | Term::Skip | Term::Div | Term::Omega => {}
            Term::Chaos(events) | Term::Run(events) => visit(Events(events)),
            // A call stands for its body, so it has no operands.
            Term::Call(call) => visit(Number(call.0)),
            Term::Failed(failure) => visit(Number(failure.0)),
            Term::Prefix(event, next) => [Number(event.0), Off(*next)].into_iter().for_each(visit),
            Term::PrefixAny(events, next) => [Events(events), Off(*next)].into_iter().for_each(visit),
            Term::InternalChoice(operands) => operands.iter().for_each(|&operand| visit(Off(operand))),
            Term::ExternalChoice(operands) | Term::Interleave(operands) => {
                operands.iter().for_each(|&operand| visit(On(operand)));
            }
            Term::Parallel(operands, events) | Term::SyncChoice(operands, events) => {
                operands.iter().for_each(|&operand| visit(On(operand)));
                visit(Events(events));
            }
            Term::AlphaParallel(operands) => operands.iter().for_each(|(operand, _)| visit(On(*operand))),
            Term::SlidingChoice(left, right) | Term::Sequential(left, right) => {
                [On(*left), Off(*right)].into_iter().for_each(visit);
            }
            Term::Interrupt(left, right) => [On(*left), On(*right)].into_iter().for_each(visit),
            Term::Exception(left, events, right) => {
                [On(*left), Events(events), Off(*right)].into_iter().for_each(visit);
            }
            Term::SyncInterrupt(left, events, right) => {
                [On(*left), Events(events), On(*right)].into_iter().for_each(visit);
            }
            Term::Link(left, relation, right) => {
                [On(*left), Pairs(relation), On(*right)].into_iter().for_each(visit);
            }
            Term::Hide(operand, events) | Term::Project(operand, events) => {
                [On(*operand), Events(events)].into_iter().for_each(visit);
            }
            Term::Rename(operand, relation) => [On(*operand), Pairs(relation)].into_iter().for_each(visit),
            Term::Prioritise(operand, levels) => {
                visit(On(*operand));
                levels.iter().for_each(|level| visit(Events(level)));
            }
            Term::PrioritiseBy(operand, order) => {
                [On(*operand), Events(&order.events), Pairs(&order.above)].into_iter().for_each(visit);
            }
            Term::Buffer(capacity, relation)
            | Term::WeakBuffer(capacity, _, relation)
            | Term::SignalBuffer(capacity, _, _, relation) => {
                [Number(*capacity), Pairs(relation)].into_iter().for_each(visit);
            }
            Term::Holding(buffer, owed) => {
                visit(Off(*buffer));
                owed.iter().for_each(|event| visit(Number(event.0)));
            }
            Term::Loop(operand) => visit(On(*operand)),
            Term::Compressed(compression, operand) => {
                [Number(*compression as u32), On(*operand)].into_iter().for_each(visit);
            }
            Term::TraceWatchdog(operand, events, alarm) | Term::FailureWatchdog(operand, events, alarm) => {
                [Off(*operand), Events(events), Number(alarm.0)].into_iter().for_each(visit);
            }
        }
    }

    /// Every operand in order, on or off.
    pub fn operands(&self) -> Vec<TermId> {
        let mut operands = Vec::new();
        self.visit(|argument| {
            if let On(operand) | Off(operand) = argument {
                operands.push(operand);
            }
        });
        operands
    }

    /// Adds the operands that are on, in order.
    pub(crate) fn push_started(&self, out: &mut Vec<TermId>) {
        self.visit(|argument| {
            if let On(operand) = argument {
                out.push(operand);
            }
        });
    }

    /// Applies the operator to other operands. The n-ary forms take any number, all others as many as they have.
    ///
    /// # Panics
    /// When an operator of fixed arity gets too few operands, or an alphabetized one more than it has alphabets.
    pub fn with_operands(&self, operands: &[TermId]) -> Term {
        match self {
            Term::ExternalChoice(_) => Term::ExternalChoice(operands.into()),
            Term::InternalChoice(_) => Term::InternalChoice(operands.into()),
            Term::Interleave(_) => Term::Interleave(operands.into()),
            Term::Parallel(_, events) => Term::Parallel(operands.into(), events.clone()),
            Term::SyncChoice(_, events) => Term::SyncChoice(operands.into(), events.clone()),
            Term::AlphaParallel(old) => Term::AlphaParallel(
                operands.iter().enumerate().map(|(i, &operand)| (operand, old[i].1.clone())).collect::<Arc<[_]>>(),
            ),
            Term::SlidingChoice(..) => Term::SlidingChoice(operands[0], operands[1]),
            Term::Sequential(..) => Term::Sequential(operands[0], operands[1]),
            Term::Interrupt(..) => Term::Interrupt(operands[0], operands[1]),
            Term::Exception(_, events, _) => Term::Exception(operands[0], events.clone(), operands[1]),
            Term::Link(_, relation, _) => Term::Link(operands[0], relation.clone(), operands[1]),
            Term::SyncInterrupt(_, events, _) => Term::SyncInterrupt(operands[0], events.clone(), operands[1]),
            Term::Prefix(event, _) => Term::Prefix(*event, operands[0]),
            Term::PrefixAny(events, _) => Term::PrefixAny(events.clone(), operands[0]),
            Term::Hide(_, events) => Term::Hide(operands[0], events.clone()),
            Term::Project(_, events) => Term::Project(operands[0], events.clone()),
            Term::Rename(_, relation) => Term::Rename(operands[0], relation.clone()),
            Term::Prioritise(_, levels) => Term::Prioritise(operands[0], levels.clone()),
            Term::PrioritiseBy(_, order) => Term::PrioritiseBy(operands[0], order.clone()),
            Term::Loop(_) => Term::Loop(operands[0]),
            Term::Compressed(compression, _) => Term::Compressed(*compression, operands[0]),
            Term::TraceWatchdog(_, events, alarm) => Term::TraceWatchdog(operands[0], events.clone(), *alarm),
            Term::FailureWatchdog(_, events, alarm) => Term::FailureWatchdog(operands[0], events.clone(), *alarm),
            Term::Holding(_, owed) => Term::Holding(operands[0], owed.clone()),
            leaf => leaf.clone(),
        }
    }

    /// Whether its operands run in parallel, each as a component of its own.
    pub fn is_parallel(&self) -> bool {
        matches!(self, Term::Interleave(_) | Term::Parallel(..) | Term::AlphaParallel(_) | Term::Link(..))
    }

    /// Whether it only changes what is seen of its operand.
    pub(crate) fn is_relabeling(&self) -> bool {
        matches!(self, Term::Hide(..) | Term::Project(..) | Term::Rename(..))
    }

    /// Whether its machine is made from the whole of its operand.
    pub(crate) fn is_made_explicit(&self) -> bool {
        match self {
            Term::Compressed(compression, _) => !compression.selects(),
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => true,
            _ => false,
        }
    }

    /// Whether it withdraws events of its operand.
    pub(crate) fn is_priority(&self) -> bool {
        matches!(self, Term::Prioritise(..) | Term::PrioritiseBy(..))
    }

    /// How it is written, if it can pile up while a process runs.
    pub fn symbol(&self) -> Option<&'static str> {
        Some(match self {
            Term::ExternalChoice(_) => "[]",
            Term::SlidingChoice(..) => "[>",
            Term::Sequential(..) => ";",
            Term::Interrupt(..) => "/\\",
            Term::Exception(..) => "[|A|>",
            Term::Interleave(_) => "|||",
            Term::Parallel(..) => "[|A|]",
            Term::AlphaParallel(_) => "[A||B]",
            Term::Link(..) => "[a<->b]",
            Term::SyncChoice(..) => "[+A+]",
            Term::SyncInterrupt(..) => "/+A+\\",
            Term::Prioritise(..) => "prioritise",
            Term::PrioritiseBy(..) => "prioritisepo",
            _ => return None,
        })
    }

    /// Whether it stands above its operands until something happens.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(
            self,
            Term::Prefix(..)
                | Term::PrefixAny(..)
                | Term::ExternalChoice(_)
                | Term::InternalChoice(_)
                | Term::SlidingChoice(..)
                | Term::Sequential(..)
                | Term::Loop(_)
                | Term::Interrupt(..)
                | Term::Exception(..)
                | Term::SyncChoice(..)
                | Term::SyncInterrupt(..)
        )
    }
}

impl Terms {
    /// Whether a new term may terminate sooner or later. A call may.
    pub(crate) fn may_terminate_once_made(&self, term: &Term) -> bool {
        let may = |operand: &TermId| self.may_terminate(*operand);
        // A terminated operand does not keep the others from terminating together.
        let may_together = |operand: &TermId| may(operand) || *self.get(*operand) == Term::Omega;
        match term {
            Term::Skip | Term::Call(_) | Term::Failed(_) => true,
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => true,
            Term::Loop(_) | Term::Holding(..) => false,
            Term::Sequential(left, right) => may(left) && may(right),
            parallel if parallel.is_parallel() => parallel.operands().iter().all(may_together),
            other => other.operands().iter().any(may),
        }
    }
}
