//! Bounded model checking (Biere, Cimatti, Clarke and Zhu, 1999, "Symbolic model checking without BDDs").

use crate::bidirectional::BidirectionalSearch;
use crate::certify::base_proof;
use crate::geometric::search_geometric;
use crate::pace::Pace;
use crate::property::Property;
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Direction, Frequency, Lit, Settings, Solver};
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// A run that violates a property.
pub(crate) type Found = lts::Counterexample<model::network::NetworkStep, model::network::FailedStep>;

/// Unrollings whose length grows from query to query.
pub(crate) trait Rounds {
    /// Extends the unrolling by some steps. None if no run of these lengths, the shortest of which is `n_steps`,
    /// violates the property; otherwise the violating run, or None in its place if the interpreter refutes it because a
    /// loop of a command was unrolled too little.
    fn ask_next(
        &mut self,
        depth: u64,
        n_steps: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Option<Found>>, Interrupt>;

    /// Conflicts of the solver so far.
    fn n_conflicts(&self) -> u64;

    /// The outcome of a query as a verdict, if there is one.
    fn break_next(&mut self, depth: u64, n_steps: u64, progress: &dyn Progress) -> Option<Verdict<Found>> {
        match unless_stopped(|| self.ask_next(depth, n_steps, progress)) {
            Ok(None) => None,
            Ok(Some(None)) => Some(Verdict::Unknown(Reason::TooLarge)),
            Ok(Some(Some(found))) => Some(Verdict::Fails(found)),
            Err(why) => Some(Verdict::Unknown(why.into())),
        }
    }
}

/// An unrolling in a direction.
pub(crate) fn rounds<'s>(
    network: &'s Network,
    property: &'s Property<'s>,
    settings: &Settings,
    direction: Direction,
    solver: &'s mut dyn Solver,
) -> Result<Box<dyn Rounds + 's>, Interrupt> {
    let runs = Unrolling::new(network, property, settings.encoding, solver)?;
    match direction {
        Direction::Forward => Ok(Box::new(runs)),
        Direction::Backward | Direction::Both => {
            unless_stopped(move || Ok(Box::new(BidirectionalSearch::new(runs, direction)) as Box<dyn Rounds + 's>))
        }
    }
}

/// Searches for violating runs of increasing length. With a query for each length, the first one is shortest.
pub fn search_bounded(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    if settings.frequency == Frequency::Auto && settings.direction == Direction::Forward {
        return search_geometric(network, property, settings, progress);
    }
    let mut solver = Batsat::new(progress);
    let mut rounds = match rounds(network, property, settings, settings.direction, &mut solver) {
        Ok(rounds) => rounds,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let mut pace = Pace::new(settings.frequency);
    let mut depth = 0;
    while depth <= settings.depth {
        let n_steps = pace.n_steps().min(settings.depth - depth + 1);
        if let Some(verdict) = rounds.break_next(depth, n_steps, progress) {
            return Answer::new(verdict, depth.saturating_sub(1));
        }
        pace.asked(rounds.n_conflicts());
        depth += n_steps;
    }
    let answer = Answer::new(Verdict::Unknown(Reason::Depth), settings.depth);
    if settings.with_proof {
        return answer.proved(base_proof(network, property, settings, settings.depth, progress));
    }
    answer
}

/// Reports the depth, and polls for cancellation.
pub(crate) fn tick(depth: u64, progress: &dyn Progress) -> Result<(), Interrupt> {
    match progress.tick(&Statistics { depth, ..Statistics::default() }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(why) => Err(why),
    }
}

impl Rounds for Unrolling<'_> {
    fn ask_next(
        &mut self,
        depth: u64,
        n_steps: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Option<Found>>, Interrupt> {
        let first = self.frames.len();
        let mut moving = Vec::new();
        let mut ways = Vec::new();
        for place in 0..n_steps {
            tick(depth + place, progress)?;
            // A run may end before the last frame.
            let moves = if place == 0 { self.clauses.yes } else { self.clauses.solver.variable() };
            if let Some(&before) = moving.last() {
                self.clauses.add(&[!moves, before]);
            }
            ways.push(self.extend_to_wrong(moves));
            moving.push(moves);
        }
        let wrong = self.clauses.any(&ways);
        if self.clauses.solver.solve(&[wrong])? {
            let path: Vec<_> = self.frames.iter().collect();
            return Ok(Some(self.counterexample(&path, first)));
        }
        for (place, moves) in (first..).zip(moving) {
            self.clauses.add(&[moves]);
            self.assume_right(place);
        }
        Ok(None)
    }

    fn n_conflicts(&self) -> u64 {
        self.clauses.solver.n_conflicts()
    }
}

impl Unrolling<'_> {
    /// Adds a frame behind a run from the initial state; the literal says that it is reached and violates the property.
    pub(crate) fn extend_to_wrong(&mut self, moves: Lit) -> Lit {
        self.extend_if(moves);
        if self.frames.len() == 1 {
            self.begin();
        }
        let wrong = self.wrong();
        self.clauses.and(wrong, moves)
    }
}
