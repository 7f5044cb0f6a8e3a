//! Firing rules of compositions.

use super::data::DataId;
use super::fault::Answer;
use super::moves::{Found, Move, Offer, Selection, Sort, step};
use super::participants::ParticipantsId;
use super::timed::GuardId;
use super::{System, substitute};
use crate::code::{MANY, OPEN_FAMILY, Term, TermId};
use limits::intervals::polling::COMPONENTS_PER_UNIT;
use lts::Label;
use smallvec::{SmallVec, smallvec};

impl System {
    /// The moves of a composition. Components of a family synchronize on the events of their alphabets.
    pub(super) fn compose(
        &mut self,
        id: TermId,
        family: Option<u32>,
        parts: &[TermId],
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        if family == Some(OPEN_FAMILY) {
            return Err(substitute::no_count(&self.code, id));
        }
        let mut own = self.spare.pop().unwrap_or_default();
        let mut ends = self.spare_ends.pop().unwrap_or_default();
        for &part in parts {
            self.moves(part, at, selection, &mut own)?;
            ends.push(own.moves.len());
        }
        let mut start = 0;
        // The guards under which all components can terminate.
        let mut ends_of_all: SmallVec<[GuardId; 2]> = smallvec![GuardId::NONE];
        // In the timed dialect, PAT orders moves of single components before synchronizations.
        let mut later = self.spare.pop().unwrap_or_default();
        let is_timed = self.code.is_timed;
        for (place, &end) in ends.iter().enumerate() {
            let mut ends_of_one: SmallVec<[GuardId; 2]> = SmallVec::new();
            for index in start..end {
                let next = own.moves[index];
                match next.sort {
                    Sort::Tick => ends_of_one.push(next.guard),
                    Sort::Own => found.moves.push(self.replaced(id, family, parts, place, &next)?),
                    Sort::Plain => {
                        let Some(number) = family else {
                            found.moves.push(self.replaced(id, family, parts, place, &next)?);
                            continue;
                        };
                        let members = self.members(number, next.label)?;
                        let others = members.iter().filter(|&&member| member as usize != place).count();
                        if others == 0 {
                            found.moves.push(self.replaced(id, family, parts, place, &next)?);
                        } else if is_first(&members, place) {
                            let found = if is_timed { &mut later } else { &mut *found };
                            self.synchronize((id, number, parts), &members, (&own, &ends), (place, next), found)?;
                        }
                    }
                    Sort::Offer(offer) => {
                        let offer = own.offers[offer as usize].clone();
                        self.hand_over(id, family, parts, (place, next), &offer, at, found)?;
                        found.offers.push(offer);
                        let mut passed = self.replaced(id, family, parts, place, &next)?;
                        passed.sort = Sort::Offer(found.offers.len() as u32 - 1);
                        found.moves.push(passed);
                    }
                }
            }
            ends_of_all = self.guards.and_each(&ends_of_all, &ends_of_one);
            start = end;
        }
        found.moves.append(&mut later.moves);
        self.spare.push(later);
        if matches!(selection, Selection::Moves) {
            let end = step(Label::TICK, Sort::Tick, self.finished, at);
            found.moves.extend(ends_of_all.iter().map(|&guard| Move { guard, ..end }));
        }
        own.moves.clear();
        own.offers.clear();
        ends.clear();
        self.spare.push(own);
        self.spare_ends.push(ends);
        Ok(())
    }

    /// A composition of these components. Its list of components is counted as work.
    fn composed(&mut self, id: TermId, family: Option<u32>, parts: Vec<TermId>) -> Answer<TermId> {
        self.spend(1 + parts.len() / COMPONENTS_PER_UNIT)?;
        let term = match family {
            Some(family) => Term::Parallel(family, parts.into()),
            None => Term::Interleave(parts.into()),
        };
        Ok(self.add(term, id))
    }

    /// Lifts a move of one component to the composition.
    fn replaced(
        &mut self,
        id: TermId,
        family: Option<u32>,
        parts: &[TermId],
        place: usize,
        next: &Move,
    ) -> Answer<Move> {
        let mut changed = parts.to_vec();
        changed[place] = next.target;
        Ok(Move {
            target: self.composed(id, family, changed)?,
            participants: self.participants.at(place as u32, next.participants),
            ..*next
        })
    }

    /// A synchronization of several components: one move for each combination of their moves. It is computed once, at
    /// the first participant.
    fn synchronize(
        &mut self,
        (id, family, parts): (TermId, u32, &[TermId]),
        members: &[u32],
        (own, ends): (&Found, &[usize]),
        (place, next): (usize, Move),
        found: &mut Found,
    ) -> Answer<()> {
        let others = members.iter().map(|&member| member as usize).filter(|&member| member != place);
        let candidates_of = |member: usize| -> (usize, Vec<Move>) {
            let start = if member == 0 { 0 } else { ends[member - 1] };
            let moves = own.moves[start..ends[member]].iter();
            (member, moves.filter(|other| other.sort == Sort::Plain && other.label == next.label).copied().collect())
        };
        let others: Vec<(usize, Vec<Move>)> = others.map(candidates_of).collect();
        if others.iter().any(|(_, candidates)| candidates.is_empty()) {
            return Ok(());
        }
        // The chosen move of each other participant; the first one changes fastest.
        let mut chosen = vec![0; others.len()];
        loop {
            let mut changed = parts.to_vec();
            changed[place] = next.target;
            let mut joint = next;
            let mut sets = vec![self.participants.at(place as u32, next.participants)];
            for ((member, candidates), &choice) in others.iter().zip(&chosen) {
                let other = &candidates[choice];
                changed[*member] = other.target;
                joint.is_atomic |= other.is_atomic;
                joint.is_started |= other.is_started;
                joint.guard = self.guards.and(joint.guard, other.guard);
                sets.push(self.participants.at(*member as u32, other.participants));
            }
            self.spend(1 + others.len())?;
            let (target, participants) = (self.composed(id, Some(family), changed)?, self.participants.join_all(&sets));
            found.moves.push(Move { target, participants, ..joint });
            let last = others.iter().zip(&chosen).position(|((_, candidates), &choice)| choice + 1 < candidates.len());
            let Some(last) = last else { return Ok(()) };
            chosen[..last].fill(0);
            chosen[last] += 1;
        }
    }

    /// The joint move of two moves.
    fn joined(&mut self, one: &Move, other: &Move) -> Move {
        Move {
            participants: self.participants.join(one.participants, other.participants),
            is_atomic: one.is_atomic || other.is_atomic,
            is_started: one.is_started || other.is_started,
            guard: self.guards.and(one.guard, other.guard),
            ..*one
        }
    }

    /// Synchronous communication of a message that one component offers.
    #[allow(clippy::too_many_arguments)] // They are the two sides of one step.
    fn hand_over(
        &mut self,
        id: TermId,
        family: Option<u32>,
        parts: &[TermId],
        (place, next): (usize, Move),
        offer: &Offer,
        at: DataId,
        found: &mut Found,
    ) -> Answer<()> {
        let mut inputs = self.spare.pop().unwrap_or_default();
        for (other, &part) in parts.iter().enumerate() {
            if other == place {
                continue;
            }
            inputs.moves.clear();
            self.moves(part, at, Selection::Inputs(offer), &mut inputs)?;
            for index in 0..inputs.moves.len() {
                let receiver = inputs.moves[index];
                let mut changed = parts.to_vec();
                changed[place] = next.target;
                changed[other] = receiver.target;
                let label = self.channel_label(offer.channel, offer.index, '.', &offer.values);
                let one = Move { participants: self.participants.at(place as u32, next.participants), ..next };
                let two = Move { participants: self.participants.at(other as u32, receiver.participants), ..receiver };
                let target = self.composed(id, family, changed)?;
                found.moves.push(Move {
                    label,
                    sort: Sort::Own,
                    target,
                    data: receiver.data,
                    ..self.joined(&one, &two)
                });
            }
        }
        inputs.moves.clear();
        inputs.offers.clear();
        self.spare.push(inputs);
        Ok(())
    }

    /// The moves of copies that are represented by counters, up to a limit if one is given. Copies in the same state
    /// have equal moves.
    pub(super) fn group(
        &mut self,
        (id, most): (TermId, Option<u32>),
        members: &[(TermId, u32)],
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let mut n_ticks = 0;
        for (place, &(member, _)) in members.iter().enumerate() {
            let mut own = self.spare.pop().unwrap_or_default();
            self.moves(member, at, selection, &mut own)?;
            n_ticks += usize::from(own.moves.iter().any(|next| next.sort == Sort::Tick));
            for index in 0..own.moves.len() {
                let next = own.moves[index];
                let mut sort = next.sort;
                match next.sort {
                    Sort::Tick => continue,
                    Sort::Own | Sort::Plain => {}
                    Sort::Offer(offer) => {
                        let offer = own.offers[offer as usize].clone();
                        self.hand_over_in_group((id, most), members, (place, next), &offer, at, found)?;
                        found.offers.push(offer);
                        sort = Sort::Offer(found.offers.len() as u32 - 1);
                    }
                }
                let participants = self.place_of_copy(member, next.participants);
                self.spend(1 + members.len() / COMPONENTS_PER_UNIT)?;
                for target in self.regrouped((id, most), members, &[(place, next.target)]) {
                    found.moves.push(Move { target, sort, participants, ..next });
                }
            }
            own.moves.clear();
            own.offers.clear();
            self.spare.push(own);
        }
        if n_ticks == members.len() && matches!(selection, Selection::Moves) {
            found.moves.push(step(Label::TICK, Sort::Tick, self.finished, at));
        }
        Ok(())
    }

    fn hand_over_in_group(
        &mut self,
        (id, most): (TermId, Option<u32>),
        members: &[(TermId, u32)],
        (place, next): (usize, Move),
        offer: &Offer,
        at: DataId,
        found: &mut Found,
    ) -> Answer<()> {
        for (other, &(member, count)) in members.iter().enumerate() {
            if other == place && count < 2 {
                continue;
            }
            let mut inputs = Found::default();
            self.moves(member, at, Selection::Inputs(offer), &mut inputs)?;
            for receiver in inputs.moves {
                let label = self.channel_label(offer.channel, offer.index, '.', &offer.values);
                let one = Move { participants: self.place_of_copy(members[place].0, next.participants), ..next };
                let two = Move { participants: self.place_of_copy(member, receiver.participants), ..receiver };
                let joint = self.joined(&one, &two);
                self.spend(1 + members.len() / COMPONENTS_PER_UNIT)?;
                for target in self.regrouped((id, most), members, &[(place, next.target), (other, receiver.target)]) {
                    found.moves.push(Move { label, sort: Sort::Own, target, data: receiver.data, ..joint });
                }
            }
        }
        Ok(())
    }

    /// The participant when a copy moves. Copies have no identity, so it is the state that the copy leaves; a copy is
    /// one process, even if it is a composition. Fairness annotations are kept.
    fn place_of_copy(&mut self, member: TermId, participants: ParticipantsId) -> ParticipantsId {
        let (place, marks) =
            (self.participants.at(member.0, ParticipantsId::WHOLE), self.participants.marks(participants));
        self.participants.marked(place, marks)
    }

    /// The counters after some copies changed state. [`MANY`] decremented is [`MANY`], or the limit.
    fn regrouped(
        &mut self,
        (id, most): (TermId, Option<u32>),
        members: &[(TermId, u32)],
        changes: &[(usize, TermId)],
    ) -> SmallVec<[TermId; 3]> {
        let mut left: SmallVec<[Vec<(TermId, u32)>; 3]> = SmallVec::new();
        left.push(members.to_vec());
        for &(place, _) in changes {
            for index in 0..left.len() {
                match (most, left[index][place].1) {
                    (Some(most), MANY) => {
                        let mut fewer = left[index].clone();
                        fewer[place].1 = most;
                        left.push(fewer);
                    }
                    _ => left[index][place].1 -= 1,
                }
            }
        }
        let span = self.code.terms.span(id);
        let mut all = SmallVec::new();
        for mut members in left {
            members.extend(changes.iter().map(|&(_, target)| (target, 1)));
            let target = substitute::counted(&mut self.code, most, members, span);
            if !all.contains(&target) {
                all.push(target);
            }
        }
        all
    }
}

/// Whether a component is the first participant, or does not participate.
pub(crate) fn is_first(members: &[u32], place: usize) -> bool {
    let place = place as u32;
    !members.contains(&place) || members.iter().all(|&member| member >= place)
}
