//! Backward and bidirectional bounded search.
//!
//! The violation is fixed at the end from the first query on, and frames are added before it; from the initial state,
//! no or as many frames are added. The query is whether the two parts meet. With parallel steps, the first part may
//! stutter in some frames, and the second one may begin later, so that each query covers all these lengths.

use crate::bounded::{Found, Rounds, tick};
use crate::frame::Frame;
use crate::property::Judged;
use crate::unrolling::Unrolling;
use crate::{Direction, Lit};
use progress::{Interrupt, Progress};

/// The two parts of the unrolling: from the initial state, and to the violation.
pub(crate) struct BidirectionalSearch<'s> {
    runs: Unrolling<'s>,
    direction: Direction,
}

/// The frames that a query added.
#[derive(Default)]
struct Added {
    /// For each new frame of the first part whether a step leads to it.
    moving: Vec<Lit>,
    /// For each new frame of the second part whether a step leads from it.
    preceding: Vec<Lit>,
}

impl<'s> BidirectionalSearch<'s> {
    /// The initial state, and a violating state.
    pub(crate) fn new(mut runs: Unrolling<'s>, direction: Direction) -> BidirectionalSearch<'s> {
        runs.extend();
        runs.begin();
        runs.end_wrong();
        BidirectionalSearch { runs, direction }
    }

    /// The share of new steps that extend the first part.
    fn share(&self, depth: u64, n_steps: u64) -> u64 {
        match self.direction {
            Direction::Both => n_steps / 2 + u64::from(n_steps % 2 == 1 && depth % 2 == 1),
            Direction::Forward | Direction::Backward => 0,
        }
    }

    fn lengthen(&mut self, depth: u64, n_steps: u64, progress: &dyn Progress) -> Result<Added, Interrupt> {
        let mut added = Added::default();
        // Runs without steps exist already.
        let n_steps = if depth == 0 { n_steps - 1 } else { n_steps };
        for place in 0..n_steps {
            tick(depth + place, progress)?;
            let moves = self.runs.clauses.solver.variable();
            let part = if place < self.share(depth, n_steps) { &mut added.moving } else { &mut added.preceding };
            // A frame that stutters does so from then on, and a frame before the beginning has no predecessor.
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

    /// For each frame with which the second part may begin, the oldest first, a literal that implies that the first
    /// part ends there.
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

    /// The frames of an assignment in which one of the meetings takes place.
    fn path(&self, meetings: &[Lit]) -> Vec<&Frame> {
        let Unrolling { clauses, frames, ending, .. } = &self.runs;
        let solver = &*clauses.solver;
        let first = ending.len() - meetings.len();
        let met = meetings.iter().position(|&meets| solver.is_true(meets)).unwrap_or(0);
        let before = frames[..frames.len() - 1].iter().take_while(|frame| frame.is_left(solver));
        before.chain(ending[..=first + met].iter().rev()).collect()
    }

    /// Runs of these lengths do not violate the property, so the added frames do not either, and are not initial.
    fn exclude(&mut self, added: Added, n_frames: usize, n_ending: usize) {
        let Unrolling { network, property, clauses, frames, ending, .. } = &mut self.runs;
        added.moving.iter().chain(&added.preceding).for_each(|&moves| clauses.add(&[moves]));
        // The last frame is the violating one.
        for frame in frames[n_frames..].iter().chain(&ending[n_ending.max(1)..]) {
            Judged { network, property, clauses, frame }.assume_right();
        }
        self.runs.exclude_start(n_ending);
    }
}

impl Rounds for BidirectionalSearch<'_> {
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
    /// Adds the last, violating frame of a backward unrolling.
    pub(crate) fn end_wrong(&mut self) {
        self.prepend_if(self.clauses.yes);
        let Unrolling { network, property, clauses, ending, .. } = self;
        let wrong = Judged { network, property, clauses, frame: &ending[0] }.wrong();
        self.clauses.add(&[wrong]);
    }

    /// The frames from this number on are not initial, as shorter runs were refuted.
    pub(crate) fn exclude_start(&mut self, first: usize) {
        for place in first..self.ending.len() {
            let start = self.start_at(&self.ending[place]);
            self.clauses.exclude(&start);
        }
    }

    /// Without a step, the last frame takes no rule and equals the next one.
    fn stand_still_unless(&mut self, moves: Lit) {
        let Unrolling { clauses, frames, .. } = self;
        if let Some(last) = frames.last() {
            last.shows.values().for_each(|&shows| clauses.add(&[moves, !shows]));
        }
    }

    /// A literal that implies that the last frame of the first part equals a frame of the second part.
    fn meets(&mut self, place: usize) -> Lit {
        let Unrolling { clauses, frames, ending, .. } = self;
        let (last, other) = (&frames[frames.len() - 1], &ending[place]);
        let meets = clauses.solver.variable();
        last.equals(meets, other, clauses);
        meets
    }
}
