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
    fn listener(&self) -> Option<&dyn Progress> {
        Some(self.progress)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        if self.is_over.load(Ordering::Relaxed) {
            return ControlFlow::Break(Interrupt::Request);
        }
        self.progress.tick(so_far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::observer_of;
    use crate::{Method, decide};
    use progress::Nobody;
    use test_support::mutate::{Random, seed};
    use test_support::networks::{random_network, without_priorities};

    const LIMITS: Limits = Limits { n_workers: 1, max_states: u64::MAX, max_memory: u64::MAX };
    const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

    /// What solvers say counts where they are first: it is nothing, or what the search says.
    #[test]
    fn solvers_are_right_by_themselves() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let mut counts = [0; 3];
        for round in 0..120 {
            let network = random_network(&mut random);
            let allowed = without_priorities(random_network(&mut random));
            let spec = explore::to_lts(&allowed, &LIMITS, &Nobody).expect("it is small").lts;
            let model = *random.pick(&MODELS);
            let claim = match random.below(2) {
                0 => Claim::DeadlockFree(model),
                _ => Claim::Refines(Specification::new(spec, model, &mut Watch::none()).expect("it is small").into()),
            };
            let observer = observer_of(&claim, &Nobody).expect("one run is enough");
            let ways = [Way::Bounded(6), Way::Induction(6), Way::Frames];
            let beside = Beside { network: &network, observer: &observer, model, ways: &ways, limits: LIMITS };
            let expected = decide(&claim, &network, Method::Search, &LIMITS, &Nobody).verdict;
            for way in ways {
                let found = beside.decide(way, &Nobody).expect("it is the way of a solver");
                match (&found.verdict, &expected) {
                    (Verdict::Holds, Verdict::Holds) => counts[0] += 1,
                    (Verdict::Fails(_), Verdict::Fails(_)) => counts[1] += 1,
                    (Verdict::Unknown(_), _) => counts[2] += 1,
                    other => panic!("TEST_SEED={seed} round {round} {way:?} {claim:?}: {other:?}"),
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 5), "too little happened: {counts:?}");
    }
}
