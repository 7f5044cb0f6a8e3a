//! Checking a network: what a caller asks and gets, without packed words.

use crate::divergence::{Quest, first_divergence, may_diverge};
use crate::observer::Observer;
use crate::product::{Product, findings};
use crate::search::{self, Limits, Search};
use crate::space::{Space, Steps};
use crate::states::Place;
use crate::width::{TooWide, with_width};
use lts::{Label, StateId};
use model::network::{Configuration, Network};
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
    /// The steps from the initial state, silent ones included, and where each leads.
    pub steps: Vec<(Label, Configuration)>,
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
    /// The last state has no steps.
    Deadlock,
    /// The last state can go on silently for ever.
    Divergence {
        /// The node of the last state; without a specification there is one node only.
        node: StateId,
        /// Silent steps from the last state lead through these.
        silent: Vec<Configuration>,
        /// The steps from this place on can be repeated.
        loop_start: usize,
    },
}

/// Searches a network for what an observer finds.
///
/// The result, counts included, does not depend on the number of workers. No state is visited where the rules alone answer
/// the question.
pub fn check(
    network: &Network,
    observer: &Observer,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, TooWide> {
    let looks_for_cycles = observer.finds_divergences() && may_diverge(network);
    if !looks_for_cycles && observer.finds_only_divergences() {
        return Ok(Report { outcome: Outcome::Exhausted, statistics: Statistics::default() });
    }
    let product = Product::new(network, observer);
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
        let quest = Quest { max_depth, max_beyond, n_workers: self.limits.n_workers, keep_on: &keep_on };
        let Search { states, levels, .. } = &mut self.search;
        let found = first_divergence(states, levels, self.product, &quest)?;
        Ok(found.map(|found| {
            let silent = found.way[1..].iter().map(|&place| self.configuration(&self.search.states.get(place)));
            let violation = Violation::Divergence {
                node: self.node(&self.search.states.get(found.way[0])),
                silent: silent.collect(),
                loop_start: found.loop_start,
            };
            Counterexample { steps: self.labeled(&self.path_to(found.way[0], found.depth)), violation }
        }))
    }

    fn counterexample(&self, found: &search::Found) -> Counterexample {
        let path = self.path_to(found.place, found.depth);
        let violation = match found.what {
            findings::EVENT => Violation::Event { node: self.node(&path[path.len() - 2]) },
            findings::REFUSAL => Violation::Refusal { node: self.node(&path[path.len() - 1]) },
            _ => Violation::Deadlock,
        };
        Counterexample { steps: self.labeled(&path), violation }
    }

    fn path_to(&self, place: Place, depth: u64) -> Vec<[u64; W]> {
        self.search.path_to(self.product, place, depth, self.limits.n_workers)
    }

    /// The steps of a path with their labels.
    fn labeled(&self, path: &[[u64; W]]) -> Vec<(Label, Configuration)> {
        let mut steps = Steps::new();
        let mut label = |source: &[u64; W], target: &[u64; W]| {
            steps.clear();
            self.product.expand(source, &mut steps);
            let step = steps.iter().find(|step| step.target == *target);
            step.expect("a path follows steps").label
        };
        path.windows(2).map(|pair| (label(&pair[0], &pair[1]), self.configuration(&pair[1]))).collect()
    }

    fn node(&self, state: &[u64; W]) -> StateId {
        StateId(self.product.node(state))
    }

    fn configuration(&self, state: &[u64; W]) -> Configuration {
        self.product.network().unpack(state)
    }
}
