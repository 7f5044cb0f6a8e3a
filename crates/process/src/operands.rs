//! What a term is made of, without regard to which operator it is.
//!
//! An operand is *on* when its steps matter for the steps of the whole, *off* when it has not started yet: the right side
//! of `P ; Q` is off, both sides of `P [] Q` are on. Everything that walks terms (steps, text, shrinking in tests) asks here.

use crate::{Term, TermId};
use std::sync::Arc;

impl Term {
    /// Every operand in order, on or off.
    pub fn operands(&self) -> Vec<TermId> {
        match self {
            Term::SlidingChoice(left, right)
            | Term::Sequential(left, right)
            | Term::Interrupt(left, right)
            | Term::Exception(left, _, right)
            | Term::Link(left, _, right)
            | Term::SyncInterrupt(left, _, right) => vec![*left, *right],
            Term::Prefix(_, operand) | Term::PrefixAny(_, operand) => vec![*operand],
            Term::InternalChoice(operands) => operands.to_vec(),
            Term::TraceWatchdog(operand, ..) | Term::FailureWatchdog(operand, ..) | Term::Holding(operand, _) => {
                vec![*operand]
            }
            _ => {
                let mut operands = Vec::new();
                self.push_started(&mut operands);
                operands
            }
        }
    }

    /// Adds the operands that are on, in order. A call and what it stands for are not told apart here: a call has none.
    pub(crate) fn push_started(&self, out: &mut Vec<TermId>) {
        match self {
            Term::Stop | Term::Skip | Term::Div | Term::Omega | Term::Chaos(_) | Term::Run(_) => {}
            Term::Call(_) | Term::Failed(_) => {}
            Term::Prefix(..) | Term::PrefixAny(..) | Term::InternalChoice(_) => {}
            Term::Buffer(..) | Term::WeakBuffer(..) | Term::SignalBuffer(..) | Term::Holding(..) => {}
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => {}
            Term::ExternalChoice(operands)
            | Term::Interleave(operands)
            | Term::Parallel(operands, _)
            | Term::SyncChoice(operands, _) => out.extend_from_slice(operands),
            Term::AlphaParallel(operands) => out.extend(operands.iter().map(|(operand, _)| *operand)),
            Term::Interrupt(left, right) | Term::Link(left, _, right) | Term::SyncInterrupt(left, _, right) => {
                out.extend([*left, *right]);
            }
            Term::SlidingChoice(operand, _)
            | Term::Sequential(operand, _)
            | Term::Exception(operand, ..)
            | Term::Hide(operand, _)
            | Term::Project(operand, _)
            | Term::Rename(operand, _)
            | Term::Prioritise(operand, _)
            | Term::PrioritiseBy(operand, _)
            | Term::Loop(operand)
            | Term::Compressed(_, operand) => out.push(*operand),
        }
    }

    /// The same operator on other operands. The n-ary forms take any number, all others as many as they have.
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
}
