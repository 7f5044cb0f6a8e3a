//! Symbolic moves of compositions.
//!
//! The target of a component's move is a term if the whole composition is one machine, and an action of the component's
//! machine otherwise. The code is generic in that, which is the only difference of the two cases.

use super::channels::Messages;
use super::moves::{Move, Sort};
use super::{Limit, NotLowered};
use crate::code::{Hiding, OPEN_FAMILY, TermId};
use crate::run::{GuardId, System, TeamId, is_first};
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

/// Synchronising moves, each with the position of its component.
type Team<'c, T> = Vec<(usize, &'c Move<T>)>;

/// The moves of a composition. Components of a family synchronise on the events of their alphabets.
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
    let takers = find_takers(children);
    let mut composing = Composing { system, children, make, found: Vec::new() };
    for (place, moves) in children.iter().enumerate() {
        for next in *moves {
            match next.sort {
                Sort::Own | Sort::Fault | Sort::Taker(..) => composing.alone(place, next),
                Sort::Plain => composing.plain(family, place, next)?,
                Sort::Offer(channel, message) => {
                    let label = messages[channel as usize].labels[message as usize];
                    let takers = takers.get(&(channel, message)).map_or(&[][..], Vec::as_slice);
                    for &(other, taker) in takers.iter().filter(|(other, _)| *other != place) {
                        let met = composing.together(&[(place, next), (other, taker)], false);
                        composing.push(Move { label, sort: Sort::Own, ..met })?;
                    }
                    composing.alone(place, next);
                }
                Sort::Tick => {}
            }
        }
    }
    composing.terminate()?;
    Ok(composing.found)
}

/// The inputs of components, by channel and message.
fn find_takers<'c, T>(children: &[&'c [Move<T>]]) -> HashMap<(u32, u32), Team<'c, T>> {
    let mut takers: HashMap<(u32, u32), Team<'c, T>> = HashMap::new();
    for (place, moves) in children.iter().enumerate() {
        for next in *moves {
            if let Sort::Taker(channel, message) = next.sort {
                takers.entry((channel, message)).or_default().push((place, next));
            }
        }
    }
    takers
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
    fn alone(&mut self, place: usize, next: &Move<T>) {
        let made = self.together(&[(place, next)], false);
        self.found.push(made);
    }

    /// Combines synchronising moves.
    fn together(&mut self, team: &[(usize, &Move<T>)], ends: bool) -> Move<T> {
        let (_, first) = team[0];
        let changes: Vec<(usize, &T)> = team.iter().map(|(place, next)| (*place, &next.change)).collect();
        let change = (self.make)(self.system, if ends { Joint::Ends(&changes) } else { Joint::Moves(&changes) });
        let teams = self.system.teams_mut();
        let processes: Vec<TeamId> = team.iter().map(|&(place, next)| teams.at(place as u32, next.team)).collect();
        let processes = if ends { TeamId::WHOLE } else { teams.join_all(&processes) };
        let guards = team.iter().map(|(_, next)| next.guard);
        let guard = guards.fold(GuardId::NONE, |one, other| self.system.guards_mut().and(one, other));
        Move {
            conditions: team.iter().flat_map(|(_, next)| next.conditions.iter().cloned()).collect(),
            effects: team.iter().flat_map(|(_, next)| next.effects.iter().cloned()).collect(),
            label: first.label,
            sort: first.sort,
            team: processes,
            is_atomic: !ends && team.iter().any(|(_, next)| next.is_atomic),
            guard,
            is_urgent: team.iter().any(|(_, next)| next.is_urgent),
            change,
        }
    }

    fn plain(&mut self, family: Option<u32>, place: usize, next: &'c Move<T>) -> Result<(), NotLowered> {
        let Some(family) = family else {
            self.alone(place, next);
            return Ok(());
        };
        let members = self.system.members(family, next.label).map_err(|fault| NotLowered::of(&fault))?;
        let others: Vec<usize> =
            members.iter().map(|&member| member as usize).filter(|&member| member != place).collect();
        if others.is_empty() {
            self.alone(place, next);
        } else if is_first(&members, place) {
            let fits = |other: &Move<T>| other.sort == Sort::Plain && other.label == next.label;
            for team in self.teams(vec![vec![(place, next)]], &others, &fits)? {
                let made = self.together(&team, false);
                self.push(made)?;
            }
        }
        Ok(())
    }

    /// Distributed termination.
    fn terminate(&mut self) -> Result<(), NotLowered> {
        let all: Vec<usize> = (0..self.children.len()).collect();
        for team in self.teams(vec![Vec::new()], &all, &|next| next.sort == Sort::Tick)? {
            let made = self.together(&team, true);
            self.push(made)?;
        }
        Ok(())
    }

    /// Extends sets of synchronising moves by one move of each of some other components.
    fn teams(
        &self,
        begun: Vec<Team<'c, T>>,
        others: &[usize],
        fits: &dyn Fn(&Move<T>) -> bool,
    ) -> Result<Vec<Team<'c, T>>, NotLowered> {
        let mut all = begun;
        for &other in others {
            let taking: Vec<&'c Move<T>> = self.children[other].iter().filter(|next| fits(next)).collect();
            if taking.is_empty() {
                return Ok(Vec::new());
            }
            let longer = all.iter().flat_map(|team| taking.iter().map(|&next| [&team[..], &[(other, next)]].concat()));
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
