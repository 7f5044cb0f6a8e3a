//! A quick hash for terms.
//!
//! Terms are looked up for every step, and the event sets in them are long and nearly always the same. A digest takes the
//! operands in full but of a set or relation only its length and its ends. Equal terms have equal digests, and different
//! ones that meet are told apart by comparison.

use crate::{Relation, Term};
use model::EventId;
use std::hash::{BuildHasher, Hash, Hasher};

/// The digest of a term.
pub(crate) fn digest(term: &Term, hasher: &impl BuildHasher) -> u64 {
    let mut state = hasher.build_hasher();
    std::mem::discriminant(term).hash(&mut state);
    write(term, &mut state);
    state.finish()
}

fn write(term: &Term, state: &mut impl Hasher) {
    match term {
        Term::Stop | Term::Skip | Term::Div | Term::Omega => {}
        Term::Chaos(events) | Term::Run(events) => write_set(events, state),
        Term::Call(call) => call.hash(state),
        Term::Failed(failure) => failure.hash(state),
        Term::Prefix(event, next) => (event, next).hash(state),
        Term::PrefixAny(events, next) => {
            next.hash(state);
            write_set(events, state);
        }
        Term::ExternalChoice(operands) | Term::InternalChoice(operands) | Term::Interleave(operands) => {
            operands.hash(state);
        }
        Term::Parallel(operands, events) | Term::SyncChoice(operands, events) => {
            operands.hash(state);
            write_set(events, state);
        }
        Term::AlphaParallel(operands) => {
            for (operand, _) in operands.iter() {
                operand.hash(state);
            }
        }
        Term::SlidingChoice(left, right) | Term::Sequential(left, right) | Term::Interrupt(left, right) => {
            (left, right).hash(state);
        }
        Term::Exception(left, events, right) | Term::SyncInterrupt(left, events, right) => {
            (left, right).hash(state);
            write_set(events, state);
        }
        Term::Link(left, relation, right) => {
            (left, right).hash(state);
            write_relation(relation, state);
        }
        Term::Hide(operand, events) | Term::Project(operand, events) => {
            operand.hash(state);
            write_set(events, state);
        }
        Term::Rename(operand, relation) => {
            operand.hash(state);
            write_relation(relation, state);
        }
        Term::Prioritise(operand, levels) => {
            operand.hash(state);
            levels.iter().for_each(|level| write_set(level, state));
        }
        Term::PrioritiseBy(operand, order) => {
            operand.hash(state);
            write_set(&order.events, state);
            write_relation(&order.above, state);
        }
        Term::Buffer(capacity, relation)
        | Term::WeakBuffer(capacity, _, relation)
        | Term::SignalBuffer(capacity, _, _, relation) => {
            capacity.hash(state);
            write_relation(relation, state);
        }
        Term::Holding(buffer, owed) => (buffer, owed).hash(state),
        Term::Loop(operand) => operand.hash(state),
        Term::Compressed(compression, operand) => (compression, operand).hash(state),
        Term::TraceWatchdog(operand, events, alarm) | Term::FailureWatchdog(operand, events, alarm) => {
            (operand, alarm).hash(state);
            write_set(events, state);
        }
    }
}

fn write_set(events: &[EventId], state: &mut impl Hasher) {
    (events.len(), events.first(), events.last()).hash(state);
}

fn write_relation(relation: &Relation, state: &mut impl Hasher) {
    (relation.len(), relation.first(), relation.last()).hash(state);
}
