//! Safety check of a network against an observer: the interface without packed words.

use crate::data::bounds::may_fail;
use crate::divergence::{DivergenceLimits, first_divergence, may_diverge};
use crate::failure::failed_step;
use crate::observer::Observer;
use crate::occupied::occupied_among;
use crate::path::steps_along;
use crate::probe::{Found, probe, series};
use crate::product::{Product, WithoutChaos, ambiguous, findings};
use crate::reduction::Reduction;
use crate::search::{self, Search, SearchEnd, Stage};
use crate::space::{FAILURE, Steps};
use crate::states::Place;
use crate::suspended::SuspendedSearch;
use crate::translation::Translation;
use crate::width::{NotCompiled, TooWide, with_width};
use limits::effort::divergence::MIN_STATES;
use lts::{Counterexample, Fault, Label, Reason, StateId, Verdict};
use model::network::{FailedStep, LocalState, MachineId, Network, NetworkStep, Occupied};
use progress::{Interrupt, Limits, NoProgress, Progress, Statistics, Stop};

/// The result of a search of a network with an observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The verdict. No run with another fault is shorter than a counterexample. A divergence may have a shorter run, if
    /// its cycle needs states that the search did not visit.
    pub verdict: Verdict<Counterexample<NetworkStep, FailedStep>>,
    /// Statistics of the search. States are pairs with the observer's nodes; termination is not followed.
    pub statistics: Statistics,
}

/// Searches a network for a violation that the observer recognizes.
///
/// The result, counts included, does not depend on the number of workers. No state is visited if the rules alone decide
/// the question.
///
/// A failing step is reported before the network terminates, whatever the observer checks, even where a specification
/// allows everything. It counts as found in its source state: it precedes a refusal or a deadlock of that state, and a
/// forbidden event after it.
pub fn check(
    network: &Network,
    observer: &Observer,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, TooWide> {
    check_reduced(network, observer, &Reduction::None, limits, progress)
}

/// [`check`] with a reduction that is [invisible](crate::reduction) to the observer. The verdict is the same, but a
/// counterexample need not be among the shortest.
pub fn check_reduced(
    network: &Network,
    observer: &Observer,
    reduction: &Reduction,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Report, TooWide> {
    Ok(Check::within(network, observer, reduction, progress)?.run(limits, progress))
}

/// A check that can be suspended and resumed.
pub struct Check<'a> {
    /// The product; none if the rules alone prove the property, or if compilation was cancelled.
    pairs: Option<Pairs<'a>>,
    /// The reason why compilation was cancelled.
    interrupted: Option<Interrupt>,
    options: SearchOptions,
}

/// Options of a search, beyond the findings of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchOptions {
    checks_cycles: bool,
    /// The network has open machines, which are compiled further: a failing step is no finding.
    pub(crate) is_open: bool,
    /// The number of states from which on divergence is checked before the search is complete.
    n_before_cycles: u64,
}

struct Pairs<'a> {
    product: Product<'a>,
    search: Box<dyn Searching>,
}

impl<'a> Check<'a> {
    /// A check before its first step, with a reduction that is [invisible](crate::reduction) to the observer.
    ///
    /// # Errors
    /// When a state needs too many words.
    pub fn new(network: &'a Network, observer: &'a Observer, reduction: &Reduction) -> Result<Check<'a>, TooWide> {
        Check::within(network, observer, reduction, &NoProgress)
    }

    /// [`Check::new`] with cancellation during compilation. A cancelled check reports the reason from every search.
    ///
    /// # Errors
    /// When a state needs too many words.
    pub fn within(
        network: &'a Network,
        observer: &'a Observer,
        reduction: &Reduction,
        progress: &dyn Progress,
    ) -> Result<Check<'a>, TooWide> {
        let checks_cycles = observer.finds_divergences() && may_diverge(network);
        let options = SearchOptions { checks_cycles, is_open: false, n_before_cycles: MIN_STATES };
        if !checks_cycles && observer.finds_only_divergences() && !may_fail(network) {
            return Ok(Check { pairs: None, interrupted: None, options });
        }
        let product = match Product::new(network, observer, reduction, progress) {
            Ok(product) => product,
            Err(NotCompiled::TooWide(why)) => return Err(why),
            Err(NotCompiled::Interrupted(why)) => return Ok(Check { pairs: None, interrupted: Some(why), options }),
        };
        let search = with_width!(product.network().n_words(), W => {
            Box::new(Search::<W>::default()) as Box<dyn Searching>
        })?;
        Ok(Check { pairs: Some(Pairs { product, search }), interrupted: None, options })
    }

    /// A check of a network with open machines, in whose open states every step fails. A search that reaches an open
    /// state ends with [`Reason::Open`]. It resumes a suspended search, if there is one, of a network that this one
    /// extends.
    ///
    /// # Errors
    /// When a state needs too many words.
    pub fn open(
        network: &'a Network,
        observer: &'a Observer,
        left: Option<SuspendedSearch>,
        progress: &dyn Progress,
    ) -> Result<Check<'a>, TooWide> {
        let mut check = Check::within(network, observer, &Reduction::None, progress)?;
        check.options.is_open = true;
        if let (Some(pairs), Some(left)) = (&mut check.pairs, left) {
            check.options.n_before_cycles = left.n_before_cycles;
            pairs.search = left.continued(&pairs.product.layout())?;
        }
        Ok(check)
    }

    /// Suspends the search, to resume it in an extended network. None if there is nothing to search.
    pub fn leave(self) -> Option<SuspendedSearch> {
        let Pairs { product, search } = self.pairs?;
        Some(SuspendedSearch { layout: product.layout(), search, n_before_cycles: self.options.n_before_cycles })
    }

    /// Whether the rules alone exclude every counterexample, so that there is nothing to search.
    pub fn is_trivial(&self) -> bool {
        self.pairs.is_none() && self.interrupted.is_none()
    }

    /// Bytes of the stored states.
    pub fn memory(&self) -> u64 {
        self.pairs.as_ref().map_or(0, |pairs| pairs.search.memory())
    }

    /// The local states that machines with open states have occupied.
    pub fn occupied(&self, open: &[(MachineId, Vec<LocalState>)]) -> Vec<Occupied> {
        match &self.pairs {
            None => Vec::new(),
            Some(Pairs { product, search }) => {
                occupied_among(product.network(), open, |meet| search.for_each_state(&mut |_, words| meet(words)))
            }
        }
    }

    /// Searches until a violation is found, all states are visited, or a limit is reached. The result is that of a
    /// search that was never suspended.
    pub fn run(&mut self, limits: &Limits, progress: &dyn Progress) -> Report {
        if let Some(why) = self.interrupted {
            let verdict = Verdict::Unknown(Stop::Interrupted(why).into());
            return Report { verdict, statistics: Statistics::default() };
        }
        match &mut self.pairs {
            None => Report { verdict: Verdict::Holds, statistics: Statistics::default() },
            Some(Pairs { product, search }) => search.search(product, &mut self.options, limits, progress),
        }
    }

    /// Searches depth first for a counterexample, within a budget of states and separately from the states that are
    /// stored. The counterexample need not be among the shortest.
    ///
    /// # Errors
    /// If it is cancelled.
    pub fn probe(
        &self,
        max_states: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Counterexample<NetworkStep, FailedStep>>, Interrupt> {
        if let Some(why) = self.interrupted {
            return Err(why);
        }
        match &self.pairs {
            None => Ok(None),
            Some(Pairs { product, search }) => search.probe(product, self.options, max_states, progress),
        }
    }
}

/// A search over states of any width.
pub(crate) trait Searching {
    fn search(
        &mut self,
        product: &Product<'_>,
        options: &mut SearchOptions,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Report;

    fn memory(&self) -> u64;

    /// Reports all states, level by level.
    fn for_each_state(&self, report: &mut dyn FnMut(Stage, &[u64]));

    /// The search with its states translated to `n_words` words.
    fn translated(&self, translation: &Translation, n_words: usize) -> Result<Box<dyn Searching>, TooWide>;

    fn probe(
        &self,
        product: &Product<'_>,
        options: SearchOptions,
        max_states: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Counterexample<NetworkStep, FailedStep>>, Interrupt>;
}

impl<const W: usize> Searching for Search<W> {
    fn search(
        &mut self,
        product: &Product<'_>,
        options: &mut SearchOptions,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Report {
        Round { product, limits, progress, search: self }.run(options)
    }

    fn memory(&self) -> u64 {
        self.statistics.memory
    }

    fn for_each_state(&self, report: &mut dyn FnMut(Stage, &[u64])) {
        Search::for_each_state(self, report);
    }

    fn translated(&self, translation: &Translation, n_words: usize) -> Result<Box<dyn Searching>, TooWide> {
        with_width!(n_words, V => Box::new(Search::translated::<V>(self, translation)) as Box<dyn Searching>)
    }

    fn probe(
        &self,
        product: &Product<'_>,
        options: SearchOptions,
        max_states: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Counterexample<NetworkStep, FailedStep>>, Interrupt> {
        for how in series(max_states) {
            match probe::<W>(&WithoutChaos(product), how, options.checks_cycles, progress)? {
                None => {}
                // An open state: its steps are unknown, not wrong.
                Some(Found::State(_, FAILURE)) if options.is_open => {}
                Some(found) => return Ok(Some(counterexample_of(product, found))),
            }
        }
        Ok(None)
    }
}

/// The finding of a probe as steps of the network.
fn counterexample_of<const W: usize>(
    product: &Product<'_>,
    found: Found<W>,
) -> Counterexample<NetworkStep, FailedStep> {
    match found {
        Found::State(path, finding) => counterexample_at_end(product, &path, finding),
        Found::Cycle(path, start) => divergence(product, &path[..=start], &path[start..], 0),
    }
}

/// A divergence that begins at the end of a path, with a silent cycle back to one of its own states.
fn divergence<const W: usize>(
    product: &Product<'_>,
    path: &[[u64; W]],
    lasso: &[[u64; W]],
    loop_start: usize,
) -> Counterexample<NetworkStep, FailedStep> {
    if let Some(quotient) = product.quotient() {
        return quotient.divergence(product, path, lasso, loop_start);
    }
    let mut steps = steps_along(product, product.network(), path);
    let fault = Fault::Divergence(steps.len() + loop_start);
    steps.extend(silent_steps(product, lasso));
    Counterexample { steps, fault }
}

/// The counterexample of a path at whose end the product reports a finding.
fn counterexample_at_end<const W: usize>(
    product: &Product<'_>,
    path: &[[u64; W]],
    finding: u32,
) -> Counterexample<NetworkStep, FailedStep> {
    if let Some(quotient) = product.quotient() {
        return quotient.counterexample_at_end(product, path, finding);
    }
    let node = |state: &[u64; W]| StateId(product.node(state));
    let last = &path[path.len() - 1];
    let fault = match finding {
        findings::EVENT => Fault::Event(product.observer().allowed(node(&path[path.len() - 2]))),
        findings::REFUSAL => {
            Fault::Refusal { accepted: offers(product, last), demanded: product.observer().demanded(node(last)) }
        }
        findings::REVIVAL => revival(product, last, node(last)),
        findings::AMBIGUITY => {
            let mut steps = Steps::new();
            _ = product.network().successors(last, &mut steps);
            let event = ambiguous(&steps).expect("it was found just now");
            Fault::Nondeterminism(event, Vec::new())
        }
        FAILURE => {
            let network = product.network();
            Fault::Failure(failed_step(network.network(), &network.unpack(last)))
        }
        _ => Fault::Deadlock,
    };
    Counterexample { steps: steps_along(product, product.network(), path), fault }
}

/// The violation of the revivals model in a stable state that offers an event with too few others.
fn revival<const W: usize>(product: &Product<'_>, state: &[u64; W], node: StateId) -> Fault<FailedStep> {
    let accepted = offers(product, state);
    let allowed = product.observer().allowed(node);
    let events = accepted.iter().copied().filter(|event| allowed.contains(event));
    let is_offered = |set: &[Label]| set.iter().all(|label| accepted.contains(label));
    let found = lts::unrevived(events, &product.observer().demanded(node), is_offered);
    let (event, demanded) = found.expect("the search found an event that lacks others");
    Fault::Revival { event, accepted, demanded }
}

/// The labels of all steps of a state, in ascending order.
fn offers<const W: usize>(product: &Product<'_>, state: &[u64; W]) -> Vec<Label> {
    let mut steps = Steps::new();
    _ = product.network().successors(state, &mut steps);
    let mut labels: Vec<Label> = steps.iter().map(|step| step.label).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// The silent steps along a path; other steps may lead to the same states.
fn silent_steps<const W: usize>(product: &Product<'_>, path: &[[u64; W]]) -> Vec<NetworkStep> {
    let network = product.network();
    let step = |pair: &[[u64; W]]| network.step_between(&pair[0], Label::TAU, &pair[1]);
    path.windows(2).map(|pair| step(pair).expect("the way is silent")).collect()
}

/// The number of further states that may be visited to find a divergence with a shorter run.
fn max_beyond(n_states: u64) -> u64 {
    n_states.max(1000)
}

/// A search up to its end or a limit.
struct Round<'a, 'n, const W: usize> {
    product: &'a Product<'n>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    search: &'a mut Search<W>,
}

impl<const W: usize> Round<'_, '_, W> {
    fn run(mut self, options: &mut SearchOptions) -> Report {
        let outcome = self.search.run(self.product, self.limits, self.progress);
        let statistics = self.search.statistics;
        let is_at_open_state =
            options.is_open && matches!(outcome, SearchEnd::Found(search::Found { finding: FAILURE, .. }));
        let mut checks_cycles = options.checks_cycles;
        if checks_cycles && is_at_open_state {
            checks_cycles = statistics.n_states >= options.n_before_cycles;
            options.n_before_cycles *= if checks_cycles { 2 } else { 1 };
        }
        let divergence = if checks_cycles { self.divergence(&outcome, is_at_open_state) } else { Ok(None) };
        let verdict = match (outcome, divergence) {
            (_, Ok(Some(counterexample))) => Verdict::Fails(counterexample),
            (SearchEnd::Found(_), Err(stop @ Stop::Interrupted(_))) if is_at_open_state => {
                Verdict::Unknown(stop.into())
            }
            (SearchEnd::Found(_), _) if is_at_open_state => Verdict::Unknown(Reason::Open),
            (SearchEnd::Found(found), _) => Verdict::Fails(self.counterexample(&found)),
            (SearchEnd::Stopped(stop), _) | (SearchEnd::Exhausted, Err(stop)) => Verdict::Unknown(stop.into()),
            (SearchEnd::Exhausted, Ok(None)) => Verdict::Holds,
        };
        Report { verdict, statistics }
    }

    /// A divergence with a shorter run than the finding of the search.
    fn divergence(
        &mut self,
        outcome: &SearchEnd,
        can_resume: bool,
    ) -> Result<Option<Counterexample<NetworkStep, FailedStep>>, Stop> {
        let statistics = self.search.statistics;
        let (max_depth, max_beyond) = match outcome {
            SearchEnd::Exhausted => (u64::MAX, Some(0)),
            _ if can_resume => (u64::MAX, None),
            SearchEnd::Found(found) => (found.depth, Some(max_beyond(statistics.n_states))),
            SearchEnd::Stopped(Stop::Interrupted(_)) => return Ok(None),
            // A resumed search must visit all states itself.
            SearchEnd::Stopped(_) => (u64::MAX, None),
        };
        let keep_on = || self.progress.tick(&statistics);
        let limits = DivergenceLimits { max_depth, max_beyond, n_workers: self.limits.n_workers, keep_on: &keep_on };
        let Search { states, levels, .. } = &mut *self.search;
        let found = first_divergence(states, levels, &WithoutChaos(self.product), &limits)?;
        Ok(found.map(|found| {
            let lasso: Vec<_> = found.lasso.iter().map(|&place| self.search.states.get(place)).collect();
            divergence(self.product, &self.path_to(found.lasso[0], found.depth), &lasso, found.loop_start)
        }))
    }

    fn counterexample(&self, found: &search::Found) -> Counterexample<NetworkStep, FailedStep> {
        counterexample_at_end(self.product, &self.path_to(found.place, found.depth), found.finding)
    }

    fn path_to(&self, place: Place, depth: u64) -> Vec<[u64; W]> {
        self.search.path_to(self.product, place, depth, self.limits.n_workers)
    }
}
