//! Is there a run of at most so many steps that goes wrong?

use crate::property::Property;
use crate::unrolling::Unrolling;
use crate::{Answer, Solver};
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Progress, Statistics};

/// Looks for a run that breaks a property, of length 0, 1, 2 and so on up to `max_depth`: what is found first is shortest.
pub fn search_bounded(
    network: &Network,
    property: &Property<'_>,
    solver: &mut dyn Solver,
    max_depth: u64,
    progress: &dyn Progress,
) -> Answer {
    let mut runs = Unrolling::new(network, property, solver);
    for depth in 0..=max_depth {
        if let Some(verdict) = runs.break_next(depth, progress) {
            return Answer { verdict, depth: depth.saturating_sub(1) };
        }
    }
    Answer { verdict: Verdict::Unknown(Reason::Depth), depth: max_depth }
}

impl Unrolling<'_> {
    /// Makes runs from the start longer by a step, and answers unless none of these goes wrong at its end. Depth is how many steps
    /// they have.
    pub(crate) fn break_next(&mut self, depth: u64, progress: &dyn Progress) -> Option<Verdict<Found>> {
        if let std::ops::ControlFlow::Break(why) = progress.tick(&Statistics { depth, ..Statistics::default() }) {
            return Some(Verdict::Unknown(why.into()));
        }
        self.extend();
        if depth == 0 {
            self.begin();
        }
        let wrong = self.wrong();
        match self.clauses.solver.solve(&[wrong]) {
            Ok(true) => Some(match self.counterexample() {
                Some(found) => Verdict::Fails(found),
                // A command has more rounds than are followed.
                None => Verdict::Unknown(Reason::TooLarge),
            }),
            Ok(false) => {
                self.assume_right();
                None
            }
            Err(why) => Some(Verdict::Unknown(why.into())),
        }
    }
}

/// A run that breaks a property.
pub(crate) type Found = lts::Counterexample<model::network::NetworkStep, model::network::FailedStep>;
