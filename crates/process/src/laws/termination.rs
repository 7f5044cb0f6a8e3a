//! Whether terms may terminate, as far as they tell without being opened.

use crate::{Term, TermId, Terms};

impl Terms {
    /// Whether a new term may terminate sooner or later. A call may.
    pub(crate) fn may_terminate_once_made(&self, term: &Term) -> bool {
        let may = |operand: &TermId| self.may_terminate(*operand);
        // What has terminated does not keep others from it.
        let may_beside = |operand: &TermId| may(operand) || *self.get(*operand) == Term::Omega;
        match term {
            Term::Skip | Term::Call(_) | Term::Failed(_) => true,
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => true,
            Term::Stop | Term::Div | Term::Omega | Term::Run(_) | Term::Chaos(_) | Term::Loop(_) => false,
            Term::Buffer(..) | Term::WeakBuffer(..) | Term::SignalBuffer(..) | Term::Holding(..) => false,
            Term::Prefix(_, next) | Term::PrefixAny(_, next) => may(next),
            Term::ExternalChoice(operands) | Term::InternalChoice(operands) | Term::SyncChoice(operands, _) => {
                operands.iter().any(may)
            }
            Term::SlidingChoice(left, right)
            | Term::Interrupt(left, right)
            | Term::SyncInterrupt(left, _, right)
            | Term::Exception(left, _, right) => may(left) || may(right),
            Term::Sequential(left, right) => may(left) && may(right),
            Term::Interleave(operands) | Term::Parallel(operands, _) => operands.iter().all(may_beside),
            Term::AlphaParallel(operands) => operands.iter().all(|(operand, _)| may_beside(operand)),
            Term::Link(left, _, right) => may_beside(left) && may_beside(right),
            Term::Hide(operand, _)
            | Term::Project(operand, _)
            | Term::Rename(operand, _)
            | Term::Prioritise(operand, _)
            | Term::PrioritiseBy(operand, _)
            | Term::Compressed(_, operand) => may(operand),
        }
    }
}
