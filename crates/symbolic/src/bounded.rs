//! Is there a run of at most so many steps that goes wrong?

use crate::certify::base_proof;
use crate::property::Property;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Frequency, Lit, Settings};
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// Runs that are so many times as long are not asked about one by one.
const EIGHTH: u64 = 8;

/// A run that breaks a property.
pub(crate) type Found = lts::Counterexample<model::network::NetworkStep, model::network::FailedStep>;

/// Looks for a run that breaks a property, of length 0, 1, 2 and so on: what is found first is shortest, if it is asked after each step.
pub fn search_bounded(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let mut solver = Batsat::new(progress);
    let mut runs = Unrolling::new(network, property, settings.encoding, &mut solver);
    let mut depth = 0;
    while depth <= settings.depth {
        let n_steps = settings.frequency.n_steps(depth).min(settings.depth - depth + 1);
        if let Some(verdict) = runs.break_next(depth, n_steps, progress) {
            return Answer::new(verdict, depth.saturating_sub(1));
        }
        depth += n_steps;
    }
    let answer = Answer::new(Verdict::Unknown(Reason::Depth), settings.depth);
    if settings.with_proof {
        return answer.proved(base_proof(network, property, settings, settings.depth, progress));
    }
    answer
}

impl Frequency {
    /// How many steps are added to runs of a length.
    fn n_steps(self, depth: u64) -> u64 {
        match self {
            Frequency::Steps(n_steps) => n_steps.max(1),
            Frequency::Auto => (depth / EIGHTH).max(1),
        }
    }
}

impl Unrolling<'_> {
    /// Makes runs from the start longer by some steps, and answers unless none of these goes wrong in one of the states that are added. The first of them is
    /// behind so many steps.
    pub(crate) fn break_next(&mut self, depth: u64, n_steps: u64, progress: &dyn Progress) -> Option<Verdict<Found>> {
        match self.ask_next(depth, n_steps, progress) {
            Ok(None) => None,
            Ok(Some(None)) => Some(Verdict::Unknown(Reason::TooLarge)),
            Ok(Some(Some(found))) => Some(Verdict::Fails(found)),
            Err(why) => Some(Verdict::Unknown(why.into())),
        }
    }

    /// Whether runs go wrong, and the one that does; nothing if it only seemed so, because a command has more rounds than are followed.
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
            if let ControlFlow::Break(why) =
                progress.tick(&Statistics { depth: depth + place, ..Statistics::default() })
            {
                return Err(why);
            }
            // A run may end before those behind it.
            let moves = if place == 0 { self.clauses.yes } else { self.clauses.solver.variable() };
            if let Some(&before) = moving.last() {
                self.clauses.add(&[!moves, before]);
            }
            ways.push(self.extend_to_wrong(moves));
            moving.push(moves);
        }
        let wrong = self.clauses.any(&ways);
        if self.clauses.solver.solve(&[wrong])? {
            return Ok(Some(self.counterexample(first)));
        }
        for (place, moves) in (first..).zip(moving) {
            self.clauses.add(&[moves]);
            self.assume_right(place);
        }
        Ok(None)
    }

    /// One more state behind a run from the start; whether it is reached and wrong.
    pub(crate) fn extend_to_wrong(&mut self, moves: Lit) -> Lit {
        self.extend_if(moves);
        if self.frames.len() == 1 {
            self.begin();
        }
        let wrong = self.wrong();
        self.clauses.and(wrong, moves)
    }
}
