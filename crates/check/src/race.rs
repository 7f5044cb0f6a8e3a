//! A search beside solvers: the first answer wins, and the others are told to stop.

use crate::formulas::{Formulas, SatEngine, decide_by_formulas};
use crate::network::{NetworkAnswer, unknown};
use crate::plan::Way;
use crate::{Claim, Reason, Specification, Verdict};
use explore::{Limits, Observer, side_by_side};
use lts::{Model, Watch};
use model::network::Network;
use progress::{Attempt, Interrupt, Outcome, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use symbolic::{Frequency, Settings};

/// What solvers are asked, in a form that other threads can be given.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(crate) network: &'a Network,
    /// Its specification, if there is one, is what is to be refined in the model.
    pub(crate) observer: &'a Observer,
    pub(crate) model: Model,
    /// How each of the solvers goes about it.
    pub(crate) ways: &'a [Way],
    pub(crate) limits: Limits,
}

/// The answer of a search, or of a solver that was faster. The search reports to what it is given.
pub(crate) fn race(
    beside: Beside<'_>,
    progress: &dyn Progress,
    search: impl FnOnce(&dyn Progress) -> NetworkAnswer,
) -> NetworkAnswer {
    let race = Race { progress, is_over: AtomicBool::new(false) };
    beside.ways.iter().for_each(|way| progress.attempt(way.name()));
    let mut search = Some(search);
    let (others, answer) = beside.run(beside.ways, &race, &mut || search.take().map(|search| search(&race)));
    // Where several have an answer it is the same, and that of the search tells more.
    let is_decided = answer.as_ref().is_some_and(is_answer);
    let winner = others.iter().position(|other| !is_decided && other.as_ref().is_some_and(is_answer));
    for (place, way) in beside.ways.iter().enumerate() {
        let outcome = match winner {
            Some(winner) if winner == place => Outcome::Decided,
            None if !is_decided => Outcome::InVain,
            _ => Outcome::Overtaken,
        };
        progress.attempted(Attempt::new(way.name(), outcome, 0));
    }
    let other = winner.and_then(|winner| others.into_iter().nth(winner)).flatten();
    other.or(answer).unwrap_or_else(|| unknown(Reason::Unsupported))
}

pub(crate) fn is_answer(answer: &NetworkAnswer) -> bool {
    !matches!(answer.verdict, Verdict::Unknown(_))
}

impl Beside<'_> {
    /// What solvers come to, in the order of their ways, and a search beside all of them.
    fn run(
        &self,
        ways: &[Way],
        race: &Race<'_>,
        search: &mut dyn FnMut() -> Option<NetworkAnswer>,
    ) -> (Vec<Option<NetworkAnswer>>, Option<NetworkAnswer>) {
        let ended = |answer: Option<NetworkAnswer>, is_search: bool| {
            if is_search || answer.as_ref().is_some_and(is_answer) {
                race.is_over.store(true, Ordering::Relaxed);
            }
            answer
        };
        let Some((&way, others)) = ways.split_first() else { return (Vec::new(), ended(search(), true)) };
        let solve = || ended(self.decide(way, race), false);
        let (here, (mut rest, answer)) = side_by_side(solve, || self.run(others, race, search));
        rest.insert(0, here.flatten());
        (rest, answer)
    }

    fn decide(&self, way: Way, progress: &dyn Progress) -> Option<NetworkAnswer> {
        let (engine, settings) = match way {
            // What is found need not be shortest here.
            Way::Bounded(depth) => {
                (SatEngine::Bounded, Settings { depth, frequency: Frequency::Auto, ..Settings::default() })
            }
            Way::Induction(depth) => (SatEngine::Induction, Settings { depth, ..Settings::default() }),
            Way::Frames => (SatEngine::Frames, Settings { depth: u64::MAX, ..Settings::default() }),
            _ => return None,
        };
        let claim = match self.observer.specification() {
            None => Claim::DeadlockFree(self.model),
            Some(form) => match Specification::new(form.clone(), self.model, &mut Watch::new(progress)) {
                Ok(specification) => Claim::Refines(specification.into()),
                Err(stop) => return Some(unknown(stop.into())),
            },
        };
        let how = Formulas { engine, settings };
        Some(decide_by_formulas(&claim, self.network, how, &self.limits, progress).0)
    }
}

/// Passes on what it hears until the race is over.
struct Race<'a> {
    progress: &'a dyn Progress,
    is_over: AtomicBool,
}

impl Progress for Race<'_> {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        if self.is_over.load(Ordering::Relaxed) {
            return ControlFlow::Break(Interrupt::Request);
        }
        self.progress.tick(so_far)
    }

    fn attempt(&self, way: &'static str) {
        self.progress.attempt(way);
    }

    fn attempted(&self, attempt: Attempt) {
        self.progress.attempted(attempt);
    }
}
