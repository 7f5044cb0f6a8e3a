//! Parallel composition in its three forms, and what linked parallel shares with it.
//!
//! An operand acts alone on the events it does not share, and takes shared events together with all operands that share
//! them. Termination is distributed: an operand terminates on its own, seen as an internal step, and when all have
//! terminated the whole does. Below a priority, all terminate at once. Either way, an operator without operands
//! terminates.

use super::{Fired, Firing, contains};
use crate::{Label, Part, StepError, TeamId, Term, TermId, Termination};
use limits::input::processes::MAX_JOINT;
use model::{EventId, EventSet};

/// One way to take an event together: a step of each operand that shares it.
pub(super) struct Joint {
    pub(super) event: EventId,
    pub(super) parts: Vec<Part>,
}

/// A step an operand could contribute to a joint one.
type Offer = (EventId, Part);

impl Firing<'_> {
    pub(super) fn fire_interleave(&mut self, operands: &[TermId]) -> Fired {
        let rebuild = |operands: Vec<TermId>| Term::Interleave(operands.into());
        self.fire_independent(operands, |_, _| true, rebuild)?;
        self.fire_termination(operands)
    }

    pub(super) fn fire_parallel(&mut self, operands: &[TermId], shared: &EventSet) -> Fired {
        let rebuild = |operands: Vec<TermId>| Term::Parallel(operands.into(), shared.clone());
        self.fire_independent(operands, |_, event| !contains(shared, event), rebuild)?;
        let n_sharing = |_| operands.len();
        let offers = self.offers(operands, |_, event| contains(shared, event));
        self.for_each_joint(offers, n_sharing, |firing, joint| firing.fire_joint(operands, joint, rebuild))?;
        self.fire_termination(operands)
    }

    pub(super) fn fire_alpha_parallel(&mut self, components: &[(TermId, EventSet)]) -> Fired {
        let operands: Vec<TermId> = components.iter().map(|(operand, _)| *operand).collect();
        let rebuild = |operands: Vec<TermId>| {
            Term::AlphaParallel(
                operands.into_iter().zip(components).map(|(new, (_, set))| (new, set.clone())).collect(),
            )
        };
        self.fire_independent(&operands, |_, _| false, rebuild)?;
        let owners = self.table.owners.of(components.iter().map(|(_, alphabet)| alphabet));
        let n_sharing = |event| owners.count(event);
        let offers = self.offers(&operands, |position, event| contains(&components[position].1, event));
        self.for_each_joint(offers, n_sharing, |firing, joint| firing.fire_joint(&operands, joint, rebuild))?;
        self.fire_termination(&operands)
    }

    /// Steps of single operands: internal ones, terminations, and the events that `is_alone` allows.
    pub(super) fn fire_independent(
        &mut self,
        operands: &[TermId],
        is_alone: impl Fn(usize, EventId) -> bool,
        rebuild: impl Fn(Vec<TermId>) -> Term,
    ) -> Fired {
        let omega = self.omega();
        for (position, &operand) in operands.iter().enumerate() {
            for index in 0..self.n_steps(operand) {
                let step = self.step(operand, index);
                let (label, moved) = match step.label {
                    Label::TICK if self.termination == Termination::Together => continue,
                    Label::TICK => (Label::TAU, omega),
                    label if EventId::of(label).is_some_and(|event| !is_alone(position, event)) => continue,
                    label => (label, step.target),
                };
                let target = self.interned(&rebuild, operands, (position, moved))?;
                let part = Part { operand: position as u32, step: index as u32 };
                let team = self.table.team(&[(position as u32, step.team)]);
                self.add((label, target, team), &[part])?;
            }
        }
        Ok(())
    }

    /// The step by which the whole terminates: once every operand has, or, if they do that together, can. Where all
    /// operands have terminated, only the operator itself is left, which is what `SKIP` is.
    pub(super) fn fire_termination(&mut self, operands: &[TermId]) -> Fired {
        let omega = self.omega();
        let mut ticks: Vec<Vec<Part>> = Vec::new();
        for (position, &operand) in operands.iter().enumerate().filter(|(_, operand)| **operand != omega) {
            let part = |(step, _)| Part { operand: position as u32, step: step as u32 };
            let steps = self.steps(operand).iter().enumerate().filter(|(_, step)| step.label == Label::TICK);
            let offered: Vec<Part> = steps.map(part).collect();
            if offered.is_empty() || self.termination == Termination::Apart {
                return Ok(());
            }
            ticks.push(offered);
        }
        for_each_way(&ticks, |parts| {
            let (_, team) = self.move_together(operands, parts);
            self.add((Label::TICK, omega, team), parts)
        })
    }

    fn fire_joint(&mut self, operands: &[TermId], joint: &Joint, rebuild: impl Fn(Vec<TermId>) -> Term) -> Fired {
        self.work(operands.len())?;
        let (moved, team) = self.move_together(operands, &joint.parts);
        let target = self.terms.intern(rebuild(moved));
        self.add((joint.event.label(), target, team), &joint.parts)
    }

    /// The operands after a joint step, and the team that takes it.
    pub(super) fn move_together(&mut self, operands: &[TermId], parts: &[Part]) -> (Vec<TermId>, TeamId) {
        let step = |part: &Part| self.step(operands[part.operand as usize], part.step as usize);
        let members: Vec<_> = parts.iter().map(|part| (part.operand, step(part).team)).collect();
        (self.moved(operands, parts), self.table.team(&members))
    }

    /// The operands after a joint step.
    pub(super) fn moved(&self, operands: &[TermId], parts: &[Part]) -> Vec<TermId> {
        let mut moved = operands.to_vec();
        for part in parts {
            let operand = &mut moved[part.operand as usize];
            *operand = self.step(*operand, part.step as usize).target;
        }
        moved
    }

    /// Every step of the operands on an event they share, by event, then operand, then step.
    pub(super) fn offers(&self, operands: &[TermId], shares: impl Fn(usize, EventId) -> bool) -> Vec<Offer> {
        let mut offers = Vec::new();
        for (position, &operand) in operands.iter().enumerate() {
            for (index, step) in self.steps(operand).iter().enumerate() {
                if let Some(event) = EventId::of(step.label)
                    && shares(position, event)
                {
                    offers.push((event, Part { operand: position as u32, step: index as u32 }));
                }
            }
        }
        offers.sort_by_key(|(event, _)| *event);
        offers
    }

    /// Every way in which all that share an event take it together; `n_sharing` says how many these are.
    pub(super) fn for_each_joint(
        &mut self,
        offers: Vec<Offer>,
        n_sharing: impl Fn(EventId) -> usize,
        mut fire: impl FnMut(&mut Self, &Joint) -> Fired,
    ) -> Fired {
        for group in offers.chunk_by(|left, right| left.0 == right.0) {
            let event = group[0].0;
            let by_operand: Vec<_> = group.chunk_by(|left, right| left.1.operand == right.1.operand).collect();
            if by_operand.len() < n_sharing(event) {
                continue;
            }
            let parts: Vec<Vec<Part>> =
                by_operand.iter().map(|offers| offers.iter().map(|offer| offer.1).collect()).collect();
            for_each_way(&parts, |parts| fire(self, &Joint { event, parts: parts.to_vec() }))?;
        }
        Ok(())
    }
}

/// Every way to choose one part of each operand.
fn for_each_way(parts: &[Vec<Part>], mut fire: impl FnMut(&[Part]) -> Fired) -> Fired {
    let n_choices: Vec<usize> = parts.iter().map(Vec::len).collect();
    let n_ways = n_choices.iter().try_fold(1, |product: usize, &n| product.checked_mul(n));
    if n_ways.is_none_or(|n_ways| n_ways > MAX_JOINT) {
        return Err(StepError::TooManySteps(MAX_JOINT));
    }
    let mut chosen = vec![0; parts.len()];
    loop {
        let way: Vec<Part> = parts.iter().zip(&chosen).map(|(parts, &index)| parts[index]).collect();
        fire(&way)?;
        if !advance(&mut chosen, &n_choices) {
            return Ok(());
        }
    }
}

/// Moves to the next combination, the last place first. False after the last one.
fn advance(chosen: &mut [usize], n_choices: &[usize]) -> bool {
    for (place, &n) in chosen.iter_mut().zip(n_choices).rev() {
        *place += 1;
        if *place < n {
            return true;
        }
        *place = 0;
    }
    false
}
