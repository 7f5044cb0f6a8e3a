//! Searches that leave out what a claim cannot see.
//!
//! Nobody has to ask for it. A search begins without: most systems are small, and then the counterexample is as short as any. When
//! it has met many states, what the [plan](crate::plan()) says is tried: each reduction that is sound on a few, and putting machines together for a
//! while. One that gets as far with a fraction of the states pays, since what it leaves out multiplies with every step. How far is told by the number of
//! steps, not by time: the same system is always decided in the same way.

use crate::formulas::{Formulas, SatEngine, decide_by_formulas};
use crate::network::{NetworkAnswer, Question, decide_unobserved, observer_of};
use crate::plan::{Asked, Features, MAX_WHOLE, Plan, Way, plan};
use crate::race::{Beside, is_answer, race};
use crate::{Answer, Claim, Counterexample, Method, Reason, Statistics, Verdict, decide};
use explore::reduction::{Kind, partial_order, symmetry};
use explore::symmetry::Symmetry;
use explore::{Check, Limits, Observer, Proviso, Reduction, Refusal};
use model::network::{FailedStep, Network, NetworkStep};
use progress::{Attempt, Interrupt, Outcome, Patience, Progress, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;
use symbolic::Settings;

/// How many times fewer states must be enough to get as far: to choose among the steps of a state, or among the states of an orbit,
/// takes several times as long as to take them all.
const MIN_GAIN: u64 = 8;
/// Participants of a rule that make nothing slow.
const FEW_PARTS: usize = 4;
/// What looking for symmetries may take while it is not known whether they help: some hundredths of a second.
const BUDGET: u64 = Symmetry::BUDGET / 10;

/// Symmetries that are worth trying, at least: they leave out no more states than that, and each takes longer.
const MIN_SYMMETRIES: u64 = 2 * MIN_GAIN;

/// How often putting machines together may ask whether to go on, before it is known to be worth more.
const MAX_TICKS: u64 = 6000;
/// The same with a watchdog among them: it sees every event, so that little becomes silent, and either pays soon or not at all.
const MAX_TICKS_WATCHED: u64 = 1000;

/// The same for a solver that looks for a proof of few steps.
const MAX_TICKS_SOLVED: u64 = 2000;

/// What may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduce {
    /// Nothing.
    None,
    /// Whatever pays.
    #[default]
    Auto,
    /// This, from the first state on, if it is sound.
    By(Kind),
}

/// What was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduced {
    /// Nothing.
    #[default]
    Nothing,
    /// Nothing, although somebody wanted it.
    Refused(Refusal),
    /// Steps and states.
    By {
        /// Whether orders of steps were left out.
        partial_order: bool,
        /// How many symmetries were used; 1 if none were.
        n_symmetries: u64,
    },
}

impl Reduced {
    pub(crate) fn of(reduction: &Reduction) -> Reduced {
        let by = |partial_order, symmetry: Option<&Symmetry>| Reduced::By {
            partial_order,
            n_symmetries: symmetry.map_or(1, |symmetry| symmetry.order() as u64),
        };
        match reduction {
            Reduction::None => Reduced::Nothing,
            Reduction::PartialOrder(_) => by(true, None),
            Reduction::Symmetry(symmetry) => by(false, Some(symmetry)),
            Reduction::Both(_, symmetry) => by(true, Some(symmetry)),
        }
    }
}

/// Decides a claim about a network of which something may be left out.
pub fn decide_reduced(
    claim: &Claim,
    network: &Network,
    reduce: Reduce,
    method: Method,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    if reduce == Reduce::None || !method.searches() {
        return decide(claim, network, method, limits, progress);
    }
    let Some(observer) = observer_of(claim, progress) else {
        let answer = decide_unobserved(claim, network, method, limits, progress);
        return if reduce == Reduce::Auto { answer } else { refused(answer, Refusal::Comparison) };
    };
    let question = Question { claim, observer: &observer, network, method, limits, progress };
    let reduction = match reduce {
        Reduce::None => Ok(Reduction::None),
        Reduce::Auto => {
            let plan = plan(&Features::of(Asked::of(claim), network, limits.n_workers));
            return Trial { question, plan: &plan, min_symmetries: MIN_SYMMETRIES }.run();
        }
        Reduce::By(Kind::PartialOrder) => order_of(network, &observer),
        Reduce::By(Kind::Symmetry) => symmetry_of(network, &observer, Symmetry::BUDGET),
    };
    match reduction {
        Ok(reduction) => question.decide(&reduction),
        Err(refusal) => refused(question.decide(&Reduction::None), refusal),
    }
}

/// Decides a claim by a plan, which need not be the usual one: what it says is tried, whether or not it may pay.
pub fn decide_by_plan(
    claim: &Claim,
    network: &Network,
    plan: &Plan,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    match observer_of(claim, progress) {
        None => decide_unobserved(claim, network, Method::Compose, limits, progress),
        Some(observer) => {
            let question = Question { claim, observer: &observer, network, method: Method::Compose, limits, progress };
            Trial { question, plan, min_symmetries: 0 }.run()
        }
    }
}

/// An answer for which nothing was left out, though somebody wanted it.
fn refused(mut answer: NetworkAnswer, refusal: Refusal) -> NetworkAnswer {
    answer.statistics.reduced = Reduced::Refused(refusal);
    answer
}

fn order_of(network: &Network, observer: &Observer) -> Result<Reduction, Refusal> {
    partial_order(network, observer).map(|order| Reduction::PartialOrder(Arc::new(order)))
}

fn symmetry_of(network: &Network, observer: &Observer, budget: u64) -> Result<Reduction, Refusal> {
    symmetry(network, observer, budget).map(|symmetry| Reduction::Symmetry(Arc::new(symmetry)))
}

/// Tries what pays.
struct Trial<'a> {
    question: Question<'a>,
    plan: &'a Plan,
    /// Fewer symmetries than this are not tried.
    min_symmetries: u64,
}

/// A search that can be gone on with, and how far it got.
struct Candidate<'a> {
    way: Way,
    depth: u64,
    reduction: Reduction,
    search: Check<'a>,
}

/// What became of a search that was tried.
enum Attempted<'a> {
    /// More states have to be met.
    CutShort(Box<Candidate<'a>>),
    /// It came to its end, or to one that somebody asked for.
    Ended(NetworkAnswer),
    /// States are too wide to be searched.
    TooWide,
}

impl<'a> Trial<'a> {
    /// The answer. The search that got farthest is gone on with, if it is not soon found.
    fn run(&self) -> NetworkAnswer {
        let Trial { plan, min_symmetries, .. } = *self;
        let best = match self.attempt(Way::Search, Reduction::None, plan.n_first) {
            Attempted::CutShort(whole) => {
                self.report(Way::Search, Outcome::Promising, plan.n_first);
                whole
            }
            Attempted::Ended(answer) => return answer,
            Attempted::TooWide => return self.question.decide(&Reduction::None),
        };
        let Some(beside) = self.beside() else { return self.try_all(best) };
        race(beside, self.question.progress, |progress| {
            let question = Question { progress, ..self.question };
            Trial { question, plan, min_symmetries }.try_all(best)
        })
    }

    /// What a solver is asked meanwhile, if the plan says so.
    fn beside(&self) -> Option<Beside<'a>> {
        let Question { claim, network, observer, limits, .. } = self.question;
        let model = match claim {
            Claim::Refines(specification) => specification.model(),
            Claim::DeadlockFree(model) => *model,
            _ => return None,
        };
        let ways = &self.plan.beside[..];
        let limits = Limits { n_workers: 1, max_states: MAX_WHOLE, ..*limits };
        (!ways.is_empty()).then_some(Beside { network, observer, model, ways, limits })
    }

    /// Tries one way after the other, and goes on with what got farthest.
    fn try_all(&self, mut best: Box<Candidate<'a>>) -> NetworkAnswer {
        let Question { network, observer, progress, .. } = self.question;
        let (mut order, mut symmetry) = (None, None);
        for &way in &self.plan.trials {
            // Some ways take long to prepare.
            if let ControlFlow::Break(why) = progress.tick(&progress::Statistics::default()) {
                return self.ended(Verdict::Unknown(why.into()), &best.reduction);
            }
            let answer = match way {
                Way::PartialOrder => {
                    order = order_of(network, observer).ok();
                    self.try_on_few(way, order.clone(), &mut best)
                }
                Way::Symmetry => {
                    symmetry = symmetry_of(network, observer, BUDGET).ok().filter(|symmetry| self.may_pay(symmetry));
                    self.try_on_few(way, symmetry.clone(), &mut best)
                }
                Way::PartialOrderAndSymmetry => self.try_on_few(way, both(&order, &symmetry), &mut best),
                Way::Composition => self.for_a_while(MAX_TICKS, |question| question.by_composition()),
                Way::Watchdog => self.for_a_while(MAX_TICKS_WATCHED, |question| question.by_watchdog()),
                Way::Dive => self.try_diving(&best),
                Way::Balance => self.try_balance(),
                Way::Induction(depth) => self.try_induction(depth),
                Way::Search | Way::Bounded(_) | Way::Frames => None,
            };
            if let Some(answer) = answer {
                return answer;
            }
        }
        let Candidate { mut search, reduction, way, .. } = *best;
        progress.attempt(way.name());
        let answer = self.question.go_on(&mut search, &reduction, 0);
        self.report(way, self.outcome(&answer), answer.statistics.n_states);
        answer
    }

    /// Whether a search is decided by what it came to; machines put together in a break report by themselves.
    fn outcome(&self, answer: &NetworkAnswer) -> Outcome {
        match answer.verdict {
            _ if answer.statistics.composed.is_some() => Outcome::Overtaken,
            Verdict::Unknown(Reason::Stopped(Stop::Interrupted(Interrupt::Request))) => Outcome::Overtaken,
            Verdict::Unknown(_) => Outcome::InVain,
            _ => Outcome::Decided,
        }
    }

    fn report(&self, way: Way, outcome: Outcome, n_states: u64) {
        self.question.progress.attempted(Attempt::new(way.name(), outcome, n_states));
    }

    /// How far a search gets with some states.
    fn attempt(&self, way: Way, reduction: Reduction, max_states: u64) -> Attempted<'a> {
        self.question.progress.attempt(way.name());
        let Ok(mut search) = self.question.search(&reduction) else { return Attempted::TooWide };
        let report = self.question.run(&mut search, max_states);
        if self.question.is_cut_short(&report, max_states) {
            Attempted::CutShort(Box::new(Candidate { way, depth: report.statistics.depth, reduction, search }))
        } else {
            let answer = self.question.told(report, &reduction);
            self.report(way, self.outcome(&answer), answer.statistics.n_states);
            Attempted::Ended(answer)
        }
    }

    /// States that a reduction is tried on. To choose among rules in which very many take part takes the longer.
    fn n_few(&self) -> u64 {
        let rules = || self.question.network.modes.iter().flat_map(|mode| &mode.rules);
        let n_parts: usize = rules().map(|rule| rule.parts.len()).sum();
        let n_parts_of_rule = n_parts / rules().count().max(1);
        let n_few = self.plan.n_first / MIN_GAIN;
        n_few / (n_parts_of_rule / FEW_PARTS).max(1) as u64
    }

    /// Tries a reduction on a few states. If these get it as far as all, it is the best so far.
    fn try_on_few(
        &self,
        way: Way,
        reduction: Option<Reduction>,
        best: &mut Box<Candidate<'a>>,
    ) -> Option<NetworkAnswer> {
        let n_few = self.n_few();
        match self.attempt(way, reduction?, n_few) {
            Attempted::CutShort(candidate) => {
                let pays = candidate.depth >= best.depth;
                self.report(way, if pays { Outcome::Promising } else { Outcome::InVain }, n_few);
                if pays {
                    *best = candidate;
                }
                None
            }
            Attempted::Ended(answer) => Some(answer),
            Attempted::TooWide => None,
        }
    }

    /// Looks for sums that show that nothing gets stuck.
    fn try_balance(&self) -> Option<NetworkAnswer> {
        let Question { claim, network, progress, .. } = self.question;
        let Claim::DeadlockFree(model) = claim else { return None };
        progress.attempt(Way::Balance.name());
        let is_shown = symbolic::never_stuck(network, progress) == Ok(true)
            && (!model.sees_divergences() || self.question.is_free_of_divergence(self.plan.n_first));
        let outcome = if is_shown { Outcome::Decided } else { Outcome::InVain };
        self.report(Way::Balance, outcome, self.plan.n_first);
        let statistics = Statistics { n_states: self.plan.n_first, ..Statistics::default() };
        is_shown.then_some(Answer { verdict: Verdict::Holds, statistics })
    }

    /// Looks for a proof of few steps, or a run as short that breaks the claim.
    fn try_induction(&self, depth: u64) -> Option<NetworkAnswer> {
        let Question { claim, network, limits, progress, .. } = self.question;
        let way = Way::Induction(depth);
        progress.attempt(way.name());
        let settings = Settings { depth, ..Settings::default() };
        let how = Formulas { engine: SatEngine::Induction, settings };
        let limits = Limits { n_workers: 1, max_states: MAX_WHOLE, ..*limits };
        let patience = Patience::new(progress, MAX_TICKS_SOLVED);
        let answer = decide_by_formulas(claim, network, how, &limits, &patience).0;
        let outcome = if is_answer(&answer) { Outcome::Decided } else { Outcome::InVain };
        self.report(way, outcome, self.plan.n_first);
        is_answer(&answer).then_some(answer)
    }

    /// Follows some runs depth first.
    fn try_diving(&self, best: &Candidate<'a>) -> Option<NetworkAnswer> {
        let (progress, n_states) = (self.question.progress, self.plan.n_first);
        progress.attempt(Way::Dive.name());
        let found = best.search.dive(n_states as usize, progress);
        let outcome = if let Ok(Some(_)) = found { Outcome::Decided } else { Outcome::InVain };
        self.report(Way::Dive, outcome, n_states);
        match found {
            Ok(None) => None,
            Ok(Some(found)) => Some(self.ended(Verdict::Fails(found), &best.reduction)),
            Err(why) => Some(self.ended(Verdict::Unknown(why.into()), &best.reduction)),
        }
    }

    /// What is known after the first states.
    fn ended(&self, verdict: Verdict<Counterexample<NetworkStep, FailedStep>>, reduction: &Reduction) -> NetworkAnswer {
        let statistics = progress::Statistics::of_states(self.plan.n_first as usize);
        self.question.told(explore::Report { verdict, statistics }, reduction)
    }

    /// Asks for an answer that is only worth something if it does not take long.
    fn for_a_while(
        &self,
        n_questions: u64,
        ask: impl FnOnce(&Question<'_>) -> Option<NetworkAnswer>,
    ) -> Option<NetworkAnswer> {
        ask(&Question { progress: &Patience::new(self.question.progress, n_questions), ..self.question })
    }

    /// Whether a reduction may leave out more than it costs.
    fn may_pay(&self, reduction: &Reduction) -> bool {
        !matches!(reduction, Reduction::Symmetry(symmetry) if (symmetry.order() as u64) < self.min_symmetries)
    }
}

/// Both reductions at once, where that is sound.
fn both(order: &Option<Reduction>, symmetry: &Option<Reduction>) -> Option<Reduction> {
    match (order, symmetry) {
        (Some(Reduction::PartialOrder(order)), Some(Reduction::Symmetry(symmetry)))
            if order.proviso() == Proviso::None =>
        {
            Some(Reduction::Both(order.clone(), symmetry.clone()))
        }
        _ => None,
    }
}
