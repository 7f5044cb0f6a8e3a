//! A search beside a solver: the first answer wins, and the other is told to stop.

use crate::formulas::{Formulas, SatEngine, decide_by_formulas};
use crate::network::{NetworkAnswer, unknown};
use crate::plan::Way;
use crate::{Claim, Specification, Verdict};
use explore::{Limits, Observer, side_by_side};
use lts::{Model, Watch};
use model::network::Network;
use progress::{Activity, Attempt, Interrupt, Outcome, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use symbolic::Settings;

/// What a solver is asked, in a form that another thread can be given.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(crate) network: &'a Network,
    /// Its specification, if there is one, is what is to be refined in the model.
    pub(crate) observer: &'a Observer,
    pub(crate) model: Model,
    pub(crate) depth: u64,
    pub(crate) limits: Limits,
}

/// The answer of a search, or of a solver that was faster. The search reports to what it is given.
pub(crate) fn race(
    beside: Beside<'_>,
    progress: &dyn Progress,
    search: impl FnOnce(&dyn Progress) -> NetworkAnswer,
) -> NetworkAnswer {
    let way = Way::Induction(beside.depth).name();
    let race = Race { progress, is_over: AtomicBool::new(false) };
    progress.attempt(way);
    let solve = || {
        let answer = beside.decide(&race);
        if is_answer(&answer) {
            race.is_over.store(true, Ordering::Relaxed);
        }
        answer
    };
    let (other, answer) = side_by_side(solve, || {
        let answer = search(&race);
        race.is_over.store(true, Ordering::Relaxed);
        answer
    });
    let other = other.filter(is_answer);
    // Where both have an answer it is the same, and that of the search tells more.
    let wins = other.is_some() && !is_answer(&answer);
    let outcome = match () {
        () if wins => Outcome::Decided,
        () if is_answer(&answer) => Outcome::Overtaken,
        () => Outcome::InVain,
    };
    progress.attempted(Attempt::new(way, outcome, 0));
    other.filter(|_| wins).unwrap_or(answer)
}

pub(crate) fn is_answer(answer: &NetworkAnswer) -> bool {
    !matches!(answer.verdict, Verdict::Unknown(_))
}

impl Beside<'_> {
    fn decide(&self, progress: &dyn Progress) -> NetworkAnswer {
        let claim = match self.observer.specification() {
            None => Claim::DeadlockFree(self.model),
            Some(form) => match Specification::new(form.clone(), self.model, &mut Watch::new(progress)) {
                Ok(specification) => Claim::Refines(specification.into()),
                Err(stop) => return unknown(stop.into()),
            },
        };
        let settings = Settings { depth: self.depth, ..Settings::default() };
        let how = Formulas { engine: SatEngine::Induction, settings };
        decide_by_formulas(&claim, self.network, how, &self.limits, progress).0
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

    fn enter(&self, activity: Activity) {
        self.progress.enter(activity);
    }

    fn attempt(&self, way: &'static str) {
        self.progress.attempt(way);
    }

    fn attempted(&self, attempt: Attempt) {
        self.progress.attempted(attempt);
    }
}
