//! Is there a run that goes wrong, however long?
//!
//! To prove that runs of one length do not go wrong is what takes a solver most of its time; where one does, that is often found sooner. As long as questions are easy, each length is asked
//! about, and what is found is as short as can be. When one gets hard, it is left open after a while, and longer runs are asked about as well: each round has one more length, half as long again, and
//! twice the patience with all that are open. So a length at which the answer is easy is met soon, also if the lengths before it are not.
//!
//! Patience is counted in conflicts, not in seconds: the same network is always asked the same questions.

use crate::bounded::{Found, tick};
use crate::certify::base_proof;
use crate::stopping::unless_stopped;
use crate::stride::Stride;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Lit, Property, Settings};
use limits::effort::sat::FIRST_CONFLICTS;
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Interrupt, Progress};

/// Looks for a run of at most so many steps that breaks a property. What is found need not be shortest.
pub(crate) fn hunt(network: &Network, property: &Property<'_>, settings: &Settings, progress: &dyn Progress) -> Answer {
    let mut solver = Batsat::new(progress);
    let runs = match Unrolling::new(network, property, settings.encoding, &mut solver) {
        Ok(runs) => runs,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let mut hunt = Hunt::new(runs, FIRST_CONFLICTS);
    let verdict = match unless_stopped(|| hunt.run(settings.depth, progress)) {
        Ok(Some(found)) => found.map_or(Verdict::Unknown(Reason::TooLarge), Verdict::Fails),
        Ok(None) => Verdict::Unknown(Reason::Depth),
        Err(why) => Verdict::Unknown(why.into()),
    };
    let is_done = verdict == Verdict::Unknown(Reason::Depth);
    let answer = Answer::new(verdict, (hunt.n_right as u64).saturating_sub(1));
    if is_done && settings.with_proof {
        return answer.proved(base_proof(network, property, settings, settings.depth, progress));
    }
    answer
}

/// Runs up to some lengths.
struct Hunt<'s> {
    runs: Unrolling<'s>,
    /// For each state whether a run gets there.
    moving: Vec<Lit>,
    /// For some lengths, in order, whether a run is wrong in one of so many states.
    open: Vec<(usize, Lit)>,
    /// So many states are known to be right.
    n_right: usize,
    /// How often a solver may be wrong before a question is left open, at first.
    patience: u64,
    /// How often that was so.
    n_left_open: usize,
}

impl<'s> Hunt<'s> {
    fn new(mut runs: Unrolling<'s>, patience: u64) -> Hunt<'s> {
        if runs.order.is_some() {
            runs.stride = Stride::Many;
        }
        Hunt { runs, moving: Vec::new(), open: Vec::new(), n_right: 0, patience, n_left_open: 0 }
    }

    /// A run that goes wrong; nothing in its place if it only seemed so; nothing if none does.
    fn run(&mut self, depth: u64, progress: &dyn Progress) -> Result<Option<Option<Found>>, Interrupt> {
        let n_most = usize::try_from(depth).unwrap_or(usize::MAX).saturating_add(1);
        let mut patience = self.patience;
        loop {
            let n_frames = self.runs.frames.len();
            if n_frames < n_most {
                let n_next = if self.open.is_empty() { n_frames + 1 } else { n_frames + n_frames / 2 + 1 };
                self.lengthen(n_next.min(n_most), progress)?;
            }
            for (n_frames, wrong) in self.open.clone() {
                match self.runs.clauses.solver.solve_within(&[wrong], patience)? {
                    None => self.n_left_open += 1,
                    Some(true) => {
                        let path: Vec<_> = self.runs.frames.iter().take(n_frames).collect();
                        return Ok(Some(self.runs.counterexample(&path, self.n_right)));
                    }
                    Some(false) => self.exclude(n_frames),
                }
            }
            match self.open.is_empty() {
                true if self.n_right == n_most => return Ok(None),
                true => patience = self.patience,
                false => patience = patience.saturating_mul(2),
            }
        }
    }

    /// Runs get so many states.
    fn lengthen(&mut self, n_frames: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        let mut ways: Vec<Lit> = self.open.last().map(|open| open.1).into_iter().collect();
        for place in self.runs.frames.len()..n_frames {
            tick(place as u64, progress)?;
            let clauses = &mut self.runs.clauses;
            // A run may end before those behind it.
            let moves = if place == 0 { clauses.yes } else { clauses.solver.variable() };
            if let Some(&before) = self.moving.last() {
                clauses.add(&[!moves, before]);
            }
            ways.push(self.runs.extend_to_wrong(moves));
            self.moving.push(moves);
        }
        let wrong = self.runs.clauses.any(&ways);
        self.open.push((n_frames, wrong));
        Ok(())
    }

    /// No run is wrong in one of its first states.
    fn exclude(&mut self, n_frames: usize) {
        for place in self.n_right..n_frames {
            self.runs.clauses.add(&[self.moving[place]]);
            self.runs.assume_right(place);
        }
        self.n_right = self.n_right.max(n_frames);
        let (excluded, open) = self.open.iter().partition(|open| open.0 <= n_frames);
        self.open = open;
        let excluded: Vec<(usize, Lit)> = excluded;
        excluded.iter().for_each(|(_, wrong)| self.runs.clauses.add(&[!*wrong]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{random_pair, random_property};
    use crate::{Encoding, search_bounded};
    use progress::Nobody;
    use test_support::mutate::{Random, seed};

    /// Questions that are left open come back, and take nothing away.
    #[test]
    fn who_has_no_patience_finds_the_same() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_found, mut n_excluded, mut n_left_open) = (0, 0, 0);
        for round in 0..400 {
            let (network, form) = random_pair(&mut random);
            let property = random_property(&mut random, &form);
            let settings = Settings { depth: 10, ..Settings::default() };
            let expected = search_bounded(&network, &property, &settings, &Nobody);
            let mut solver = Batsat::new(&Nobody);
            let runs = Unrolling::new(&network, &property, Encoding::OneHot, &mut solver).expect("nobody stops it");
            let mut hunt = Hunt::new(runs, 1);
            let found = hunt.run(settings.depth, &Nobody).expect("nobody stops it");
            let context = format!("TEST_SEED={seed} round {round} {property:?} {network:?}");
            match &expected.verdict {
                Verdict::Fails(_) => {
                    assert!(matches!(found, Some(Some(_))), "{context}");
                    n_found += 1;
                }
                Verdict::Unknown(Reason::Depth) => {
                    // Several steps at once may lead farther than single ones.
                    let is_right = match &found {
                        None => hunt.n_right == 11,
                        Some(longer) => longer.as_ref().is_some_and(|longer| longer.steps.len() > 10),
                    };
                    assert!(is_right, "{context}: {found:?}");
                    n_excluded += 1;
                }
                _ => {}
            }
            n_left_open += hunt.n_left_open;
        }
        let is_enough = n_found > 50 && n_excluded > 50 && n_left_open > 20;
        assert!(is_enough, "too little happened: {n_found} {n_excluded} {n_left_open}");
    }
}
