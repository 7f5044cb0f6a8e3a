//! Bounded model checking with geometric depths, for counterexamples at unknown depth.
//!
//! Proving that no run of some length is a counterexample takes most of a solver's time; finding a counterexample is
//! often faster. While queries are easy, each length is asked, and the first counterexample is shortest. When a query
//! exceeds its conflict budget, it is postponed, and longer runs are asked as well: each round adds one length, half as
//! long again, and doubles the budget of all postponed queries. So a length at which the query is easy is reached soon,
//! even if shorter ones are hard.
//!
//! Budgets are conflicts, not seconds, so the sequence of queries is deterministic.

use crate::bounded::{Found, tick};
use crate::certify::base_proof;
use crate::parallel_steps::StepSemantics;
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Lit, Property, Settings};
use limits::effort::sat::FIRST_CONFLICTS;
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Interrupt, Progress};

/// Searches for a counterexample with at most so many steps, not necessarily a shortest one.
pub(crate) fn search_geometric(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let mut solver = Batsat::new(progress);
    let runs = match Unrolling::new(network, property, settings.encoding, &mut solver) {
        Ok(runs) => runs,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let mut hunt = GeometricSearch::new(runs, FIRST_CONFLICTS);
    let verdict = match unless_stopped(|| hunt.run(settings.depth, progress)) {
        Ok(Some(found)) => found.map_or(Verdict::Unknown(Reason::TooLarge), Verdict::Fails),
        Ok(None) => Verdict::Unknown(Reason::Depth),
        Err(why) => Verdict::Unknown(why.into()),
    };
    let is_done = verdict == Verdict::Unknown(Reason::Depth);
    let answer = Answer::new(verdict, (hunt.n_safe as u64).saturating_sub(1));
    if is_done && settings.with_proof {
        return answer.proved(base_proof(network, property, settings, settings.depth, progress));
    }
    answer
}

/// Queries about runs up to some lengths.
struct GeometricSearch<'s> {
    runs: Unrolling<'s>,
    /// For each frame whether a run reaches it.
    moving: Vec<Lit>,
    /// Postponed queries: for some lengths, in order, whether a run violates the property in a frame up to there.
    postponed: Vec<(usize, Lit)>,
    /// Frames that are known not to violate the property.
    n_safe: usize,
    /// The first conflict budget of a query.
    first_budget: u64,
    /// Number of postponed queries.
    n_postponed: usize,
}

impl<'s> GeometricSearch<'s> {
    fn new(mut runs: Unrolling<'s>, first_budget: u64) -> GeometricSearch<'s> {
        if runs.order.is_some() {
            runs.step_semantics = StepSemantics::Parallel;
        }
        GeometricSearch { runs, moving: Vec::new(), postponed: Vec::new(), n_safe: 0, first_budget, n_postponed: 0 }
    }

    /// The counterexample; None in its place if the interpreter refutes it; None if there is none.
    fn run(&mut self, depth: u64, progress: &dyn Progress) -> Result<Option<Option<Found>>, Interrupt> {
        let n_most = usize::try_from(depth).unwrap_or(usize::MAX).saturating_add(1);
        let mut first_budget = self.first_budget;
        loop {
            let n_frames = self.runs.frames.len();
            if n_frames < n_most {
                let n_next = if self.postponed.is_empty() { n_frames + 1 } else { n_frames + n_frames / 2 + 1 };
                self.lengthen(n_next.min(n_most), progress)?;
            }
            for (n_frames, wrong) in self.postponed.clone() {
                match self.runs.clauses.solver.solve_within(&[wrong], first_budget)? {
                    None => self.n_postponed += 1,
                    Some(true) => {
                        let path: Vec<_> = self.runs.frames.iter().take(n_frames).collect();
                        return Ok(Some(self.runs.counterexample(&path, self.n_safe)));
                    }
                    Some(false) => self.exclude(n_frames),
                }
            }
            match self.postponed.is_empty() {
                true if self.n_safe == n_most => return Ok(None),
                true => first_budget = self.first_budget,
                false => first_budget = first_budget.saturating_mul(2),
            }
        }
    }

    /// Extends the unrolling to so many frames.
    fn lengthen(&mut self, n_frames: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        let mut ways: Vec<Lit> = self.postponed.last().map(|open| open.1).into_iter().collect();
        for place in self.runs.frames.len()..n_frames {
            tick(place as u64, progress)?;
            let clauses = &mut self.runs.clauses;
            // A run may end before the last frame.
            let moves = if place == 0 { clauses.yes } else { clauses.solver.variable() };
            if let Some(&before) = self.moving.last() {
                clauses.add(&[!moves, before]);
            }
            ways.push(self.runs.extend_to_wrong(moves));
            self.moving.push(moves);
        }
        let wrong = self.runs.clauses.any(&ways);
        self.postponed.push((n_frames, wrong));
        Ok(())
    }

    /// No run violates the property in one of these frames.
    fn exclude(&mut self, n_frames: usize) {
        for place in self.n_safe..n_frames {
            self.runs.clauses.add(&[self.moving[place]]);
            self.runs.assume_right(place);
        }
        self.n_safe = self.n_safe.max(n_frames);
        let (excluded, open) = self.postponed.iter().partition(|open| open.0 <= n_frames);
        self.postponed = open;
        let excluded: Vec<(usize, Lit)> = excluded;
        excluded.iter().for_each(|(_, wrong)| self.runs.clauses.add(&[!*wrong]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{random_pair, random_property};
    use crate::{Encoding, search_bounded};
    use progress::NoProgress;
    use test_support::mutate::{Random, seed};

    /// Postponed queries are asked again, and exclude no counterexample.
    #[test]
    fn who_has_no_patience_finds_the_same() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_found, mut n_excluded, mut n_postponed) = (0, 0, 0);
        for round in 0..400 {
            let (network, form) = random_pair(&mut random);
            let property = random_property(&mut random, &form);
            let settings = Settings { depth: 10, ..Settings::default() };
            let expected = search_bounded(&network, &property, &settings, &NoProgress);
            let mut solver = Batsat::new(&NoProgress);
            let runs = Unrolling::new(&network, &property, Encoding::OneHot, &mut solver).expect("nobody stops it");
            let mut hunt = GeometricSearch::new(runs, 1);
            let found = hunt.run(settings.depth, &NoProgress).expect("nobody stops it");
            let context = format!("TEST_SEED={seed} round {round} {property:?} {network:?}");
            match &expected.verdict {
                Verdict::Fails(_) => {
                    assert!(matches!(found, Some(Some(_))), "{context}");
                    n_found += 1;
                }
                Verdict::Unknown(Reason::Depth) => {
                    // Parallel steps may lead farther than single ones.
                    let is_right = match &found {
                        None => hunt.n_safe == 11,
                        Some(longer) => longer.as_ref().is_some_and(|longer| longer.steps.len() > 10),
                    };
                    assert!(is_right, "{context}: {found:?}");
                    n_excluded += 1;
                }
                _ => {}
            }
            n_postponed += hunt.n_postponed;
        }
        let is_enough = n_found > 50 && n_excluded > 50 && n_postponed > 20;
        assert!(is_enough, "too little happened: {n_found} {n_excluded} {n_postponed}");
    }
}
