//! Priority of steps inside of `atomic`.
//!
//! Where an atomic step is enabled, all others are disabled: they have an inhibitor with an alternative for each atomic
//! step.

use super::NotLowered;
use super::moves::{Move, Sort};
use super::tree::Parts;
use model::data::ExpressionId;
use model::network::{Inhibitor, Way};

/// The guard of a move on variables.
type Guard<'a> = dyn FnMut(&Move<Parts>) -> Result<Option<ExpressionId>, NotLowered> + 'a;

/// The inhibitor of steps that are not atomic, if there are atomic ones.
pub(super) fn inhibitor(moves: &[&Move<Parts>], guard: &mut Guard<'_>) -> Result<Option<Inhibitor>, NotLowered> {
    let atomic = moves.iter().filter(|next| next.is_atomic && next.sort != Sort::Fault);
    let alternative =
        |next: &&Move<Parts>| Ok(Way { parts: next.change.clone().into(), condition: guard(next)?, unless: [].into() });
    let alternatives = atomic.map(alternative).collect::<Result<Vec<Way>, NotLowered>>()?;
    Ok((!alternatives.is_empty()).then_some(Inhibitor { ways: alternatives }))
}
