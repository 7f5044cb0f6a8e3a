//! Symbolic moves of compositions.
//!
//! The target of a component's move is a term if the whole composition is one machine, and an action of the component's
//! machine otherwise. The code is generic in that, which is the only difference of the two cases.

use super::channels::Messages;
use super::moves::{Move, Sort};
use super::{Limit, NotLowered};
use crate::code::{Hiding, OPEN_FAMILY, TermId};
use crate::run::{GuardId, ParticipantsId, System, is_first};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::MAX_COMBINATIONS;
use lts::Label;

/// The joint move of some components, each with its position.
pub(super) enum Joint<'a, T> {
    /// The other components stay in their states.
    Moves(&'a [(usize, &'a T)]),
    /// All components terminate.
    Ends(&'a [(usize, &'a T)]),
}

/// Constructs the target of a joint move.
type Make<'m, T> = dyn FnMut(&mut System, Joint<'_, T>) -> T + 'm;

/// Synchronizing moves, each with the position of its component.
type Synchronization<'c, T> = Vec<(usize, &'c Move<T>)>;

/// The moves of a composition. Components of a family synchronize on the events of their alphabets.
pub(super) fn compose<T: Clone>(
    system: &mut System,
    messages: &[Messages],
    family: Option<u32>,
    children: &[&[Move<T>]],
    make: &mut Make<'_, T>,
) -> Result<Vec<Move<T>>, NotLowered> {
    if family == Some(OPEN_FAMILY) {
        return Err(NotLowered::Wrong);
    }
    let receivers = find_receivers(children);
    let mut composing = Composing { system, children, make, found: Vec::new() };
    for (place, moves) in children.iter().enumerate() {
        for next in *moves {
            match next.sort {
                Sort::Own | Sort::Fault | Sort::Input(..) => composing.lift(place, next),
                Sort::Plain => composing.plain(family, place, next)?,
                Sort::Offer(channel, message) => {
                    let label = messages[channel as usize].labels[message as usize];
                    let receivers = receivers.get(&(channel, message)).map_or(&[][..], Vec::as_slice);
                    for &(other, receiver) in receivers.iter().filter(|(other, _)| *other != place) {
                        let joined = composing.synchronize(&[(place, next), (other, receiver)], false);
                        composing.push(Move { label, sort: Sort::Own, ..joined })?;
                    }
                    composing.lift(place, next);
                }
                Sort::Tick => {}
            }
        }
    }
    composing.terminate()?;
    Ok(composing.found)
}

/// The inputs of components, by channel and message.
fn find_receivers<'c, T>(children: &[&'c [Move<T>]]) -> HashMap<(u32, u32), Synchronization<'c, T>> {
    let mut receivers: HashMap<(u32, u32), Synchronization<'c, T>> = HashMap::new();
    for (place, moves) in children.iter().enumerate() {
        for next in *moves {
            if let Sort::Input(channel, message) = next.sort {
                receivers.entry((channel, message)).or_default().push((place, next));
            }
        }
    }
    receivers
}

struct Composing<'c, 'm, T> {
    system: &'c mut System,
    children: &'c [&'c [Move<T>]],
    make: &'c mut Make<'m, T>,
    found: Vec<Move<T>>,
}

impl<'c, T: Clone> Composing<'c, '_, T> {
    fn push(&mut self, next: Move<T>) -> Result<(), NotLowered> {
        self.found.push(next);
        if self.found.len() > MAX_COMBINATIONS { Err(NotLowered::Large(Limit::Moves)) } else { Ok(()) }
    }

    /// Lifts the move of one component to the composition.
    fn lift(&mut self, place: usize, next: &Move<T>) {
        let joined = self.synchronize(&[(place, next)], false);
        self.found.push(joined);
    }

    /// Combines synchronizing moves.
    fn synchronize(&mut self, joint: &[(usize, &Move<T>)], ends: bool) -> Move<T> {
        let (_, first) = joint[0];
        let changes: Vec<(usize, &T)> = joint.iter().map(|(place, next)| (*place, &next.change)).collect();
        let change = (self.make)(self.system, if ends { Joint::Ends(&changes) } else { Joint::Moves(&changes) });
        let table = self.system.participants_mut();
        let sets: Vec<ParticipantsId> =
            joint.iter().map(|&(place, next)| table.at(place as u32, next.participants)).collect();
        let participants = if ends { ParticipantsId::WHOLE } else { table.join_all(&sets) };
        let guards = joint.iter().map(|(_, next)| next.guard);
        let guard = guards.fold(GuardId::NONE, |one, other| self.system.guards_mut().and(one, other));
        Move {
            conditions: joint.iter().flat_map(|(_, next)| next.conditions.iter().cloned()).collect(),
            effects: joint.iter().flat_map(|(_, next)| next.effects.iter().cloned()).collect(),
            label: first.label,
            sort: first.sort,
            participants,
            is_atomic: !ends && joint.iter().any(|(_, next)| next.is_atomic),
            guard,
            is_urgent: joint.iter().any(|(_, next)| next.is_urgent),
            change,
        }
    }

    fn plain(&mut self, family: Option<u32>, place: usize, next: &'c Move<T>) -> Result<(), NotLowered> {
        let Some(family) = family else {
            self.lift(place, next);
            return Ok(());
        };
        let members = self.system.members(family, next.label).map_err(|fault| NotLowered::of(&fault))?;
        let others: Vec<usize> =
            members.iter().map(|&member| member as usize).filter(|&member| member != place).collect();
        if others.is_empty() {
            self.lift(place, next);
        } else if is_first(&members, place) {
            let fits = |other: &Move<T>| other.sort == Sort::Plain && other.label == next.label;
            for joint in self.combinations(vec![vec![(place, next)]], &others, &fits)? {
                let joined = self.synchronize(&joint, false);
                self.push(joined)?;
            }
        }
        Ok(())
    }

    /// Distributed termination.
    fn terminate(&mut self) -> Result<(), NotLowered> {
        let all: Vec<usize> = (0..self.children.len()).collect();
        for joint in self.combinations(vec![Vec::new()], &all, &|next| next.sort == Sort::Tick)? {
            let joined = self.synchronize(&joint, true);
            self.push(joined)?;
        }
        Ok(())
    }

    /// Extends sets of synchronizing moves by one move of each of some other components.
    fn combinations(
        &self,
        initial: Vec<Synchronization<'c, T>>,
        others: &[usize],
        fits: &dyn Fn(&Move<T>) -> bool,
    ) -> Result<Vec<Synchronization<'c, T>>, NotLowered> {
        let mut all = initial;
        for &other in others {
            let candidates: Vec<&'c Move<T>> = self.children[other].iter().filter(|next| fits(next)).collect();
            if candidates.is_empty() {
                return Ok(Vec::new());
            }
            let longer =
                all.iter().flat_map(|joint| candidates.iter().map(|&next| [&joint[..], &[(other, next)]].concat()));
            all = longer.collect();
            if all.len() > MAX_COMBINATIONS {
                return Err(NotLowered::Large(Limit::Moves));
            }
        }
        Ok(all)
    }
}

/// A move below a hiding operator.
pub(super) fn hidden<T: Clone>(
    system: &mut System,
    hiding: &Hiding,
    at: TermId,
    next: &Move<T>,
) -> Result<Move<T>, NotLowered> {
    let is_seen = matches!(next.sort, Sort::Own | Sort::Plain) && next.label != Label::TAU;
    if is_seen && system.hides(hiding, next.label, at).map_err(|fault| NotLowered::of(&fault))? {
        return Ok(Move { label: Label::TAU, sort: Sort::Own, is_urgent: true, ..next.clone() });
    }
    Ok(next.clone())
}

/// A move below an operator that makes termination visible.
pub(super) fn watched<T: Clone>(system: &System, next: &Move<T>) -> Move<T> {
    match next.sort {
        Sort::Tick => Move { label: system.terminate(), sort: Sort::Own, ..next.clone() },
        _ => next.clone(),
    }
}
