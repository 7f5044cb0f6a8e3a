//! Steps inside of `atomic` go first.
//!
//! Where one of them is possible, no other step is: an obstacle is in the way of all others. Networks know what machines can do, and
//! not what variables are, so it must not depend on values whether one of them is possible: a step that asks for nothing is, and so
//! are steps of one state of a machine whose conditions leave no case out, as those of `if` and `case` do.

use super::NotLowered;
use super::machine::Made;
use super::moves::{Condition, Move, Sort, Symbolic};
use super::range::Range;
use super::tree::Parts;
use hashbrown::HashMap;
use model::network::{Action, Edge, LocalState, MachineId, Obstacle, Way};

/// Cases that are looked at for one state.
const MAX_CASES: usize = 10_000;

/// What is in the way of steps that are not atomic, if any are. Machines get an action where they certainly can move.
pub(super) fn obstacle(
    symbolic: &Symbolic<'_>,
    made: &mut [Made],
    moves: &[&Move<Parts>],
) -> Result<Option<Obstacle>, NotLowered> {
    let atomic: Vec<&Move<Parts>> =
        moves.iter().copied().filter(|next| next.is_atomic && next.sort != Sort::Fault).collect();
    if atomic.is_empty() {
        return Ok(None);
    }
    let mut ways = Vec::new();
    let mut by_action: HashMap<(MachineId, Action), Vec<&[Condition]>> = HashMap::new();
    for next in atomic {
        match (&next.change[..], next.conditions.is_empty()) {
            ([part], _) => by_action.entry(*part).or_default().push(&next.conditions),
            (_, true) => ways.push(Way { parts: next.change.clone().into(), unless: [].into() }),
            (_, false) => return Err(NotLowered::Atomic),
        }
    }
    for (number, made) in made.iter_mut().enumerate() {
        let machine = MachineId(number as u32);
        let ready = Action(made.actions.len() as u32);
        let mut is_ready_somewhere = false;
        for (state, edges) in made.edges.iter_mut().enumerate() {
            let found = edges.iter().filter_map(|edge| by_action.get(&(machine, edge.action)));
            let cases: Vec<&[Condition]> = found.flatten().copied().collect();
            if cases.is_empty() {
                continue;
            }
            let cases: Vec<Vec<&Condition>> = cases.iter().map(|case| case.iter().collect()).collect();
            if !are_all(symbolic, &cases, &mut 0) {
                return Err(NotLowered::Atomic);
            }
            edges.push(Edge { action: ready, target: LocalState(state as u32) });
            is_ready_somewhere = true;
        }
        if is_ready_somewhere {
            ways.push(Way { parts: [(machine, ready)].into(), unless: [].into() });
        }
    }
    Ok(Some(Obstacle { ways }))
}

/// Whether one of some lists of conditions is true in any case.
fn are_all(symbolic: &Symbolic<'_>, cases: &[Vec<&Condition>], n_cases: &mut usize) -> bool {
    *n_cases += 1;
    if cases.iter().any(Vec::is_empty) {
        return true;
    }
    let Some(first) = cases.first().filter(|_| *n_cases < MAX_CASES) else { return false };
    match first[0] {
        Condition::True(expr) | Condition::False(expr) => [true, false].into_iter().all(|truth| {
            let left = settled(cases, &|condition| match condition {
                Condition::True(other) if other == expr => Some(truth),
                Condition::False(other) if other == expr => Some(!truth),
                _ => None,
            });
            are_all(symbolic, &left, n_cases)
        }),
        Condition::Is(expr, _) => {
            let Range { low, high } = symbolic.ranges().of(*expr).range;
            (low..=high).all(|value| {
                let left = settled(cases, &|condition| match condition {
                    Condition::Is(other, wanted) if other == expr => Some(i64::from(*wanted) == value),
                    _ => None,
                });
                are_all(symbolic, &left, n_cases)
            })
        }
        Condition::Room(_) | Condition::First(..) | Condition::Wrong | Condition::Never => false,
    }
}

/// What is left of lists of conditions when it is known of some of them whether they are true.
fn settled<'c>(cases: &[Vec<&'c Condition>], truth: &dyn Fn(&Condition) -> Option<bool>) -> Vec<Vec<&'c Condition>> {
    let is_possible = |case: &&Vec<&'c Condition>| case.iter().all(|condition| truth(condition) != Some(false));
    let possible = cases.iter().filter(is_possible);
    possible.map(|case| case.iter().copied().filter(|condition| truth(condition).is_none()).collect()).collect()
}
