//! Checking a network: what a caller asks and gets, without packed words.

use crate::data::bounds::may_fail;
use crate::divergence::{DivergenceLimits, first_divergence, may_diverge};
use crate::failure::failed_step;
use crate::observer::Observer;
use crate::path::steps_along;
use crate::product::{Product, WithoutChaos, findings};
use crate::search::{self, Limits, Search};
use crate::space::FAILURE;
use crate::states::Place;
use crate::width::{TooWide, with_width};
use lts::{Label, StateId};
use model::network::{FailedStep, Network, NetworkStep};
use progress::{Progress, Statistics, Stop};

/// What a search of a network with an observer came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// What the search did. States are pairs with the observer's nodes; termination is not followed.
    pub statistics: Statistics,
}

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was looked at, and the observer found nothing.
    Exhausted,
    /// The observer found something.
    Found(Counterexample),
    /// Not everything was looked at.
    Stopped(Stop),
}

/// A run of a network, and what the observer found at its end.
///
/// No run with another violation is shorter. One that diverges may be, if that shows only in states beyond those looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<NetworkStep>,
    /// What is wrong.
    pub violation: Violation,
}

/// What an observer finds. Nodes are states of the normal form of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The last step is an event, or termination, that is not allowed.
    Event {
        /// The node before that step.
        node: StateId,
    },
    /// The last state is stable and does not offer all of any minimal acceptance of the node.
    Refusal {
        /// The node of the last state.
        node: StateId,
    },
    /// The last state is stable, and offers an event of the node without all of an acceptance that has the event.
    Revival {
        /// The node of the last state.
        node: StateId,
    },
    /// The last state has no steps.
    Deadlock,
    /// The last state can go on silently for ever.
    Divergence {
        /// The node of the last state; without a specification there is one node only.
        node: StateId,
        /// Silent steps from the last state.
        silent: Vec<NetworkStep>,
        /// The steps from this place on can be repeated.
        loop_start: usize,
    },
    /// A step of the last state goes wrong.
    Failure(FailedStep),
}

/// Searches a network for what an observer finds.
///
/// The result, counts included, does not depend on the number of workers. No state is visited where the rules alone answer
/// the question.
///
/// A step that goes wrong is found before the network terminates, whatever the observer looks for, even where a specification allows
/// everything. It counts as being found in the state before it; so it comes before a refusal or a deadlock of the same state, and before an
/// event that is not allowed after it.
pub fn check(
    network: &Network,
    observer: &Observer,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, TooWide> {
    let looks_for_cycles = observer.finds_divergences() && may_diverge(network);
    if !looks_for_cycles && observer.finds_only_divergences() && !may_fail(network) {
        return Ok(Report { outcome: Outcome::Exhausted, statistics: Statistics::default() });
    }
    let product = Product::new(network, observer)?;
    with_width!(product.network().n_words(), W => {
        Check::<W> { product: &product, limits, progress, search: Search::default() }.run(looks_for_cycles)
    })
}

/// How many states beyond those of the search may be looked at for a divergence that makes a shorter counterexample.
fn max_beyond(n_states: u64) -> u64 {
    n_states.max(1000)
}

struct Check<'a, const W: usize> {
    product: &'a Product<'a>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    search: Search<W>,
}

impl<const W: usize> Check<'_, W> {
    fn run(mut self, looks_for_cycles: bool) -> Report {
        let outcome = self.search.run(self.product, self.limits, self.progress);
        let statistics = self.search.statistics;
        let divergence = if looks_for_cycles { self.divergence(&outcome) } else { Ok(None) };
        let outcome = match (outcome, divergence) {
            (_, Ok(Some(counterexample))) => Outcome::Found(counterexample),
            (search::Outcome::Found(found), _) => Outcome::Found(self.counterexample(&found)),
            (search::Outcome::Stopped(stop), _) | (search::Outcome::Exhausted, Err(stop)) => Outcome::Stopped(stop),
            (search::Outcome::Exhausted, Ok(None)) => Outcome::Exhausted,
        };
        Report { outcome, statistics }
    }

    /// A divergence nearer than what the search found.
    fn divergence(&mut self, outcome: &search::Outcome) -> Result<Option<Counterexample>, Stop> {
        let statistics = self.search.statistics;
        let (max_depth, max_beyond) = match outcome {
            search::Outcome::Exhausted => (u64::MAX, 0),
            search::Outcome::Found(found) => (found.depth, max_beyond(statistics.n_states)),
            search::Outcome::Stopped(Stop::Interrupted(_)) => return Ok(None),
            search::Outcome::Stopped(_) => (u64::MAX, max_beyond(0)),
        };
        let keep_on = || self.progress.tick(&statistics);
        let limits = DivergenceLimits { max_depth, max_beyond, n_workers: self.limits.n_workers, keep_on: &keep_on };
        let Search { states, levels, .. } = &mut self.search;
        let found = first_divergence(states, levels, &WithoutChaos(self.product), &limits)?;
        Ok(found.map(|found| {
            let way: Vec<_> = found.way.iter().map(|&place| self.search.states.get(place)).collect();
            let violation = Violation::Divergence {
                node: self.node(&way[0]),
                silent: self.silent_steps(&way),
                loop_start: found.loop_start,
            };
            Counterexample { steps: self.steps_along(&self.path_to(found.way[0], found.depth)), violation }
        }))
    }

    fn counterexample(&self, found: &search::Found) -> Counterexample {
        let path = self.path_to(found.place, found.depth);
        let violation = match found.what {
            findings::EVENT => Violation::Event { node: self.node(&path[path.len() - 2]) },
            findings::REFUSAL => Violation::Refusal { node: self.node(&path[path.len() - 1]) },
            findings::REVIVAL => Violation::Revival { node: self.node(&path[path.len() - 1]) },
            FAILURE => Violation::Failure(self.failed_step(&path[path.len() - 1])),
            _ => Violation::Deadlock,
        };
        Counterexample { steps: self.steps_along(&path), violation }
    }

    fn path_to(&self, place: Place, depth: u64) -> Vec<[u64; W]> {
        self.search.path_to(self.product, place, depth, self.limits.n_workers)
    }

    fn steps_along(&self, path: &[[u64; W]]) -> Vec<NetworkStep> {
        steps_along(self.product, self.product.network(), path)
    }

    /// Steps along a path that are all silent, though others may lead to the same states.
    fn silent_steps(&self, path: &[[u64; W]]) -> Vec<NetworkStep> {
        let network = self.product.network();
        let step = |pair: &[[u64; W]]| network.step_between(&pair[0], Label::TAU, &pair[1]);
        path.windows(2).map(|pair| step(pair).expect("the way is silent")).collect()
    }

    fn failed_step(&self, state: &[u64; W]) -> FailedStep {
        let network = self.product.network();
        failed_step(network.network(), &network.unpack(state))
    }

    fn node(&self, state: &[u64; W]) -> StateId {
        StateId(self.product.node(state))
    }
}
