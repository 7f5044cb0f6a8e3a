//! Runs that are made longer from their end, or from both ends.
//!
//! What goes wrong stands at the end from the first question on, and states are put before it; from the start, none or as many states follow. It is asked
//! whether the two parts meet. With several steps at once, the first part may stand still for some of them, and the second may begin
//! later: so runs of all these lengths are asked about, and of no other but those that are known not to go wrong.

use crate::bounded::{Found, Rounds, tick};
use crate::frame::Frame;
use crate::property::Judged;
use crate::unrolling::Unrolling;
use crate::{Direction, Lit};
use progress::{Interrupt, Progress};

/// Two parts of runs: one from the start, and one to something wrong.
pub(crate) struct Meeting<'s> {
    runs: Unrolling<'s>,
    direction: Direction,
}

/// What a question added.
#[derive(Default)]
struct Added {
    /// For each state of the first part that is new whether a step leads there.
    moving: Vec<Lit>,
    /// For each state of the second part that is new whether a step leads from there.
    preceding: Vec<Lit>,
}

impl<'s> Meeting<'s> {
    /// The start, and something wrong.
    pub(crate) fn new(mut runs: Unrolling<'s>, direction: Direction) -> Meeting<'s> {
        runs.extend();
        runs.begin();
        runs.end_wrong();
        Meeting { runs, direction }
    }

    /// How many of some steps are put behind the start, if runs have so many already.
    fn share(&self, depth: u64, n_steps: u64) -> u64 {
        match self.direction {
            Direction::Both => n_steps / 2 + u64::from(n_steps % 2 == 1 && depth % 2 == 1),
            Direction::Forward | Direction::Backward => 0,
        }
    }

    fn lengthen(&mut self, depth: u64, n_steps: u64, progress: &dyn Progress) -> Result<Added, Interrupt> {
        let mut added = Added::default();
        // Runs without a step are there already.
        let n_steps = if depth == 0 { n_steps - 1 } else { n_steps };
        for place in 0..n_steps {
            tick(depth + place, progress)?;
            let moves = self.runs.clauses.solver.variable();
            let part = if place < self.share(depth, n_steps) { &mut added.moving } else { &mut added.preceding };
            // What stands still once does so from then on, and what begins later has nothing before it.
            if let Some(&before) = part.last() {
                self.runs.clauses.add(&[!moves, before]);
            }
            part.push(moves);
            if place < self.share(depth, n_steps) {
                self.runs.stand_still_unless(moves);
                self.runs.extend_if(moves);
            } else {
                self.runs.prepend_if(moves);
            }
        }
        Ok(added)
    }

    /// For each state with which the second part may begin, the oldest first, a literal that is true only if the first part ends there.
    fn meetings(&mut self, added: &Added) -> Vec<Lit> {
        let first = self.runs.ending.len() - 1 - added.preceding.len();
        let places = first..self.runs.ending.len();
        let follows = [self.runs.clauses.yes].into_iter().chain(added.preceding.iter().copied());
        places
            .zip(follows)
            .map(|(place, follows)| {
                let meets = self.runs.meets(place);
                self.runs.clauses.and(meets, follows)
            })
            .collect()
    }

    /// The states of a solution in which one of the meetings takes place.
    fn path(&self, meetings: &[Lit]) -> Vec<&Frame> {
        let Unrolling { clauses, frames, ending, .. } = &self.runs;
        let solver = &*clauses.solver;
        let first = ending.len() - meetings.len();
        let met = meetings.iter().position(|&meets| solver.is_true(meets)).unwrap_or(0);
        let before = frames[..frames.len() - 1].iter().take_while(|frame| frame.is_left(solver));
        before.chain(ending[..=first + met].iter().rev()).collect()
    }

    /// No run of these lengths goes wrong: so what was added is part of longer ones, right, and not the start.
    fn exclude(&mut self, added: Added, n_frames: usize, n_ending: usize) {
        let Unrolling { network, property, clauses, frames, ending, .. } = &mut self.runs;
        added.moving.iter().chain(&added.preceding).for_each(|&moves| clauses.add(&[moves]));
        // The last state is the one that is wrong.
        for frame in frames[n_frames..].iter().chain(&ending[n_ending.max(1)..]) {
            Judged { network, property, clauses, frame }.assume_right();
        }
        self.runs.exclude_start(n_ending);
    }
}

impl Rounds for Meeting<'_> {
    fn ask_next(
        &mut self,
        depth: u64,
        n_steps: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Option<Found>>, Interrupt> {
        let is_first = depth == 0;
        let (n_frames, n_ending) = if is_first { (0, 0) } else { (self.runs.frames.len(), self.runs.ending.len()) };
        let added = self.lengthen(depth, n_steps, progress)?;
        let meetings = self.meetings(&added);
        let meets = self.runs.clauses.any(&meetings);
        if self.runs.clauses.solver.solve(&[meets])? {
            let path = self.path(&meetings);
            return Ok(Some(self.runs.counterexample(&path, 0)));
        }
        self.exclude(added, n_frames, n_ending);
        Ok(None)
    }

    fn n_conflicts(&self) -> u64 {
        self.runs.clauses.solver.n_conflicts()
    }
}

impl Unrolling<'_> {
    /// The last state of runs that are made longer from their end, in which something is wrong.
    pub(crate) fn end_wrong(&mut self) {
        self.prepend_if(self.clauses.yes);
        let Unrolling { network, property, clauses, ending, .. } = self;
        let wrong = Judged { network, property, clauses, frame: &ending[0] }.wrong();
        self.clauses.add(&[wrong]);
    }

    /// The states that lead to the last one, from the one with this number on, are not the start: what leads from there to something wrong was asked for.
    pub(crate) fn exclude_start(&mut self, first: usize) {
        for place in first..self.ending.len() {
            let start = self.start_at(&self.ending[place]);
            self.clauses.exclude(&start);
        }
    }

    /// Without a step, the last state takes no rule, and so the next one is the same.
    fn stand_still_unless(&mut self, moves: Lit) {
        let Unrolling { clauses, frames, .. } = self;
        if let Some(last) = frames.last() {
            last.shows.values().for_each(|&shows| clauses.add(&[moves, !shows]));
        }
    }

    /// A literal that is true only if the last state behind the start is one of those that lead to the end.
    fn meets(&mut self, place: usize) -> Lit {
        let Unrolling { clauses, frames, ending, .. } = self;
        let (last, other) = (&frames[frames.len() - 1], &ending[place]);
        let meets = clauses.solver.variable();
        last.equals(meets, other, clauses);
        meets
    }
}
