//! Firing rules in dense time.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::Answer;
use super::super::moves::{Found, Offer, Selection, Sort};
use super::{Part, Process, Time};
use crate::code::{Term, TermId};
use lts::Label;

fn is_up(time: Time) -> bool {
    time == Time::from_integer(0)
}

fn silent(next: TermId, data: DataId) -> Part {
    let process = Process::Still(next);
    Part { label: Label::TAU, sort: Sort::Own, process, data, is_atomic: false, is_started: false }
}

impl Part {
    /// Whether it is visible. Synchronous communications are.
    fn is_visible(&self, selection: Selection<'_>) -> bool {
        self.label != Label::TAU || matches!(self.sort, Sort::Offer(_)) || matches!(selection, Selection::Inputs(_))
    }

    fn is_end(&self) -> bool {
        self.sort == Sort::Tick
    }

    fn put(self, around: impl FnOnce(Box<Process>) -> Process) -> Part {
        Part { process: around(self.process.into()), ..self }
    }
}

/// Steps, with the messages that some of them offer.
#[derive(Default)]
struct Steps {
    parts: Vec<Part>,
    offers: Vec<Offer>,
}

impl Steps {
    fn map(mut self, change: impl FnMut(Part) -> Part) -> Steps {
        self.parts = self.parts.into_iter().map(change).collect();
        self
    }

    fn add(&mut self, more: Steps) {
        let n_offers = self.offers.len() as u32;
        self.offers.extend(more.offers);
        self.parts.extend(more.parts.into_iter().map(|part| match part.sort {
            Sort::Offer(offer) => Part { sort: Sort::Offer(offer + n_offers), ..part },
            _ => part,
        }));
    }
}

impl System {
    /// The steps of an activated process.
    pub(super) fn parts(&mut self, process: &Process, at: DataId) -> Answer<Vec<Part>> {
        Ok(self.dense_find(process, at, Selection::Moves)?.parts)
    }

    fn dense_find(&mut self, process: &Process, at: DataId, selection: Selection<'_>) -> Answer<Steps> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.dense_find_inside(process, at, selection))
    }

    fn dense_find_inside(&mut self, process: &Process, at: DataId, selection: Selection<'_>) -> Answer<Steps> {
        Ok(match process {
            Process::Still(term) => self.still_steps(*term, at, selection)?,
            Process::Wait(..)
            | Process::Timeout(..)
            | Process::TimedInterrupt(..)
            | Process::Within(..)
            | Process::Deadline(..)
            | Process::WaitUntil(..) => self.timed_parts(process, at, selection)?,
            Process::Guard(condition, inside) => match self.holds(*condition, at)? {
                true => {
                    let inside = self.begin((**inside).clone(), at)?;
                    self.dense_find(&inside, at, selection)?
                }
                false => Steps::default(),
            },
            Process::Sequence(first, second) => {
                self.dense_find(first, at, selection)?.map(|part| match part.is_end() {
                    true => silent(*second, part.data).atomic_as(&part),
                    false => part.put(|first| Process::Sequence(first, *second)),
                })
            }
            Process::Choice(all) => {
                let mut steps = Steps::default();
                for one in all {
                    steps.add(self.dense_find(one, at, selection)?);
                }
                steps
            }
            Process::External(all) => {
                let mut steps = Steps::default();
                for (place, one) in all.iter().enumerate() {
                    steps.add(self.dense_find(one, at, selection)?.map(|part| match part.is_visible(selection) {
                        true => part,
                        false => part.put(|one| Process::External(replaced(all, &[(place, *one)]))),
                    }));
                }
                steps
            }
            Process::Interrupt(left, right) => {
                let mut steps = self.dense_find(left, at, selection)?.map(|part| match part.is_end() {
                    true => part,
                    false => part.put(|left| Process::Interrupt(left, right.clone())),
                });
                steps.add(self.dense_find(right, at, selection)?.map(|part| match part.is_visible(selection) {
                    true => part,
                    false => part.put(|right| Process::Interrupt(left.clone(), right)),
                }));
                steps
            }
            Process::Interleave(all) => self.side_by_side(all, None, at, selection, &|all| Process::Interleave(all))?,
            Process::Parallel(family, all) => {
                self.side_by_side(all, Some(*family), at, selection, &|all| Process::Parallel(*family, all))?
            }
            Process::Hide(hiding, inside) => {
                let mut steps = self.dense_find(inside, at, selection)?;
                for part in &mut steps.parts {
                    if matches!(part.sort, Sort::Own | Sort::Plain) && self.hides(hiding, part.label, self.finished)? {
                        (part.label, part.sort) = (Label::TAU, Sort::Own);
                    }
                }
                let finished = Process::Still(self.finished);
                steps.map(|part| match part.is_end() || part.process == finished {
                    true => part,
                    false => part.put(|inside| Process::Hide(hiding.clone(), inside)),
                })
            }
            Process::Atomic(is_started, inside) => self.dense_find(inside, at, selection)?.map(|part| {
                let part = Part { is_atomic: true, is_started: part.is_started || *is_started, ..part };
                if part.is_end() { part } else { part.put(|inside| Process::Atomic(true, inside)) }
            }),
            Process::Watched(inside) => {
                let terminate = self.terminate;
                self.dense_find(inside, at, selection)?.map(|part| match part.is_end() {
                    true => Part { label: terminate, sort: Sort::Own, ..part },
                    false => part.put(Process::Watched),
                })
            }
        })
    }

    /// The steps of timed operators.
    fn timed_parts(&mut self, process: &Process, at: DataId, selection: Selection<'_>) -> Answer<Steps> {
        let mut steps = Steps::default();
        let is_asked = matches!(selection, Selection::Moves);
        match process {
            Process::Wait(low, _) => {
                if is_asked && is_up(*low) {
                    let skip = self.add(Term::Skip, self.finished);
                    steps.parts.push(silent(skip, at));
                }
            }
            Process::Timeout(inside, left, second) => {
                steps = self.dense_find(inside, at, selection)?.map(|part| match part.is_visible(selection) {
                    true => part,
                    false => part.put(|inside| Process::Timeout(inside, *left, *second)),
                });
                steps.parts.extend((is_asked && is_up(*left)).then(|| silent(*second, at)));
            }
            Process::TimedInterrupt(inside, left, second) => {
                steps = self.dense_find(inside, at, selection)?.map(|part| match part.is_end() {
                    true => part,
                    false => part.put(|inside| Process::TimedInterrupt(inside, *left, *second)),
                });
                steps.parts.extend((is_asked && is_up(*left)).then(|| silent(*second, at)));
            }
            Process::Within(inside, low, high) => {
                steps = self.dense_find(inside, at, selection)?;
                steps.parts.retain(|part| is_up(*low) || !part.is_visible(selection));
                steps = steps.map(|part| match part.is_visible(selection) {
                    true => part,
                    false => part.put(|inside| Process::Within(inside, *low, *high)),
                });
            }
            Process::Deadline(inside, left) => {
                steps = self.dense_find(inside, at, selection)?.map(|part| match part.is_end() {
                    true => part,
                    false => part.put(|inside| Process::Deadline(inside, *left)),
                });
            }
            Process::WaitUntil(inside, left) => {
                steps = self.dense_find(inside, at, selection)?;
                steps.parts.retain(|part| is_up(*left) || !part.is_end());
                steps = steps.map(|part| match part.is_end() {
                    true => part,
                    false => part.put(|inside| Process::WaitUntil(inside, *left)),
                });
            }
            _ => unreachable!("all others have no time"),
        }
        Ok(steps)
    }

    /// The steps of a process without running times.
    fn still_steps(&mut self, term: TermId, at: DataId, selection: Selection<'_>) -> Answer<Steps> {
        let mut found = Found::default();
        self.moves(term, at, selection, &mut found)?;
        let part = |next: &super::super::moves::Move| Part {
            label: next.label,
            sort: next.sort,
            process: Process::Still(next.target),
            data: next.data,
            is_atomic: false,
            is_started: false,
        };
        Ok(Steps { parts: found.moves.iter().map(part).collect(), offers: found.offers })
    }

    /// The steps of a composition. Components of a family synchronize on the events of their alphabets.
    fn side_by_side(
        &mut self,
        all: &[Process],
        family: Option<u32>,
        at: DataId,
        selection: Selection<'_>,
        compose: &dyn Fn(Vec<Process>) -> Process,
    ) -> Answer<Steps> {
        let mut each = Vec::with_capacity(all.len());
        for one in all {
            each.push(self.dense_find(one, at, selection)?);
        }
        let mut steps = Steps::default();
        for (place, found) in each.iter().enumerate() {
            for part in &found.parts {
                let members = match (part.sort, family) {
                    (Sort::Plain, Some(family)) => self.members(family, part.label)?.to_vec(),
                    _ => Vec::new(),
                };
                let others: Vec<usize> =
                    members.iter().map(|&member| member as usize).filter(|&member| member != place).collect();
                let alone = |part: &Part| part.clone().put(|one| compose(replaced(all, &[(place, *one)])));
                match part.sort {
                    Sort::Tick => {}
                    Sort::Own | Sort::Plain if others.is_empty() => steps.parts.push(alone(part)),
                    Sort::Own => steps.parts.push(alone(part)),
                    Sort::Plain => {
                        let is_first = others.iter().all(|&other| other > place) || !members.contains(&(place as u32));
                        if is_first {
                            steps.parts.extend(together(all, &each, place, part, &others, compose));
                        }
                    }
                    Sort::Offer(offer) => {
                        let offer = found.offers[offer as usize].clone();
                        self.taken(all, place, part, &offer, at, compose, &mut steps)?;
                        steps.offers.push(offer);
                        let sort = Sort::Offer(steps.offers.len() as u32 - 1);
                        steps.parts.push(Part { sort, ..alone(part) });
                    }
                }
            }
        }
        if matches!(selection, Selection::Moves) && each.iter().all(|found| found.parts.iter().any(Part::is_end)) {
            let end = silent(self.finished, at);
            steps.parts.push(Part { label: Label::TICK, sort: Sort::Tick, ..end });
        }
        Ok(steps)
    }

    /// Synchronous communication of a message that one component offers, with each receiver.
    #[allow(clippy::too_many_arguments)] // They are the two sides of one step.
    fn taken(
        &mut self,
        all: &[Process],
        place: usize,
        sending: &Part,
        offer: &Offer,
        at: DataId,
        compose: &dyn Fn(Vec<Process>) -> Process,
        steps: &mut Steps,
    ) -> Answer<()> {
        for (other, receiver) in all.iter().enumerate().filter(|(other, _)| *other != place) {
            for input in self.dense_find(receiver, at, Selection::Inputs(offer))?.parts {
                let label = self.channel_label(offer.channel, offer.index, '.', &offer.values);
                let changed = replaced(all, &[(place, sending.process.clone()), (other, input.process)]);
                steps.parts.push(Part {
                    label,
                    sort: Sort::Own,
                    process: compose(changed),
                    data: input.data,
                    is_atomic: sending.is_atomic || input.is_atomic,
                    is_started: sending.is_started || input.is_started,
                });
            }
        }
        Ok(())
    }
}

impl Part {
    fn atomic_as(self, other: &Part) -> Part {
        Part { is_atomic: other.is_atomic, is_started: other.is_started, ..self }
    }
}

fn replaced(all: &[Process], changes: &[(usize, Process)]) -> Vec<Process> {
    let mut all = all.to_vec();
    for (place, process) in changes {
        all[*place] = process.clone();
    }
    all
}

/// A synchronization of several components: one step for each combination of their steps.
fn together(
    all: &[Process],
    each: &[Steps],
    place: usize,
    part: &Part,
    others: &[usize],
    compose: &dyn Fn(Vec<Process>) -> Process,
) -> Vec<Part> {
    let mut choices = vec![(replaced(all, &[(place, part.process.clone())]), part.clone())];
    for &other in others {
        let takes = |taken: &&Part| taken.sort == Sort::Plain && taken.label == part.label;
        let mut longer = Vec::new();
        for (processes, so_far) in &choices {
            for taken in each[other].parts.iter().filter(takes) {
                let is_atomic = so_far.is_atomic || taken.is_atomic;
                let is_started = so_far.is_started || taken.is_started;
                let changed = replaced(processes, &[(other, taken.process.clone())]);
                longer.push((changed, Part { is_atomic, is_started, ..so_far.clone() }));
            }
        }
        choices = longer;
    }
    choices.into_iter().map(|(all, part)| Part { process: compose(all), ..part }).collect()
}
