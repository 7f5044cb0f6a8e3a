//! Steps inside of `atomic` go first.
//!
//! Where one of them is possible, no other step is: an obstacle is in the way of all others, with a way for each of them that asks what it asks.

use super::NotLowered;
use super::moves::{Move, Sort};
use super::tree::Parts;
use model::data::ExpressionId;
use model::network::{Obstacle, Way};

/// What a move asks of variables.
type Guard<'a> = dyn FnMut(&Move<Parts>) -> Result<Option<ExpressionId>, NotLowered> + 'a;

/// What is in the way of steps that are not atomic, if any are; given what moves ask of variables.
pub(super) fn obstacle(moves: &[&Move<Parts>], guard: &mut Guard<'_>) -> Result<Option<Obstacle>, NotLowered> {
    let atomic = moves.iter().filter(|next| next.is_atomic && next.sort != Sort::Fault);
    let way =
        |next: &&Move<Parts>| Ok(Way { parts: next.change.clone().into(), condition: guard(next)?, unless: [].into() });
    let ways = atomic.map(way).collect::<Result<Vec<Way>, NotLowered>>()?;
    Ok((!ways.is_empty()).then_some(Obstacle { ways }))
}
