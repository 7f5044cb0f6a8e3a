//! A quick hash for terms.
//!
//! Terms are looked up for every step, and the event sets in them are long and nearly always the same. A digest takes
//! the operands in full but of a set or relation only its length and its ends. Equal terms have equal digests, and
//! different ones that collide are distinguished by comparison.

use crate::Term;
use crate::structure::Argument;
use std::hash::{BuildHasher, Hash, Hasher};

/// The digest of a term.
pub(crate) fn digest(term: &Term, hasher: &impl BuildHasher) -> u64 {
    let mut state = hasher.build_hasher();
    std::mem::discriminant(term).hash(&mut state);
    term.visit(|argument| match argument {
        Argument::On(operand) | Argument::Off(operand) => operand.hash(&mut state),
        Argument::Events(events) => (events.len(), events.first(), events.last()).hash(&mut state),
        Argument::Pairs(relation) => (relation.len(), relation.first(), relation.last()).hash(&mut state),
        Argument::Number(number) => number.hash(&mut state),
    });
    state.finish()
}
