//! Searches that leave out what a claim cannot see.
//!
//! Nobody has to ask for it. A search begins without: most systems are small, and then the counterexample is as short as any. When
//! it has met many states, each reduction that is sound is tried on a few, and so is putting machines together. One that gets as
//! far with a fraction of the states pays, since what it leaves out multiplies with every step. How far is told by the number of
//! steps, not by time: the same system is always decided in the same way.

use crate::network::{NetworkAnswer, Question, decide_unobserved, observer_of};
use crate::{Claim, Method, decide};
use explore::reduction::{Kind, partial_order, symmetry};
use explore::symmetry::Symmetry;
use explore::{Check, Limits, Observer, Proviso, Reduction, Refusal};
use model::network::Network;
use progress::{Interrupt, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// States that are searched before anything is left out.
const MAX_WHOLE: u64 = 1 << 18;
/// How many times fewer states must be enough to get as far: to choose among the steps of a state, or among the states of an orbit,
/// takes several times as long as to take them all.
const MIN_GAIN: u64 = 8;
/// What looking for symmetries may take while it is not known whether they help: some hundredths of a second.
const BUDGET: u64 = Symmetry::BUDGET / 10;

/// How often putting machines together may ask whether to go on, before it is known to be worth more.
const MAX_TICKS: u32 = 6000;

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
        let answer = decide_unobserved(claim, network, limits, progress);
        return if reduce == Reduce::Auto { answer } else { refused(answer, Refusal::Comparison) };
    };
    let question = Question { claim, observer: &observer, network, method, limits, progress };
    let reduction = match reduce {
        Reduce::None => Ok(Reduction::None),
        Reduce::Auto => return Trial { question }.run(),
        Reduce::By(Kind::PartialOrder) => order_of(network, &observer),
        Reduce::By(Kind::Symmetry) => symmetry_of(network, &observer, Symmetry::BUDGET),
    };
    match reduction {
        Ok(reduction) => question.decide(&reduction),
        Err(refusal) => refused(question.decide(&Reduction::None), refusal),
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
}

/// A search that can be gone on with, and how far it got.
struct Candidate<'a> {
    depth: u64,
    reduction: Reduction,
    search: Check<'a>,
}

/// What became of a search that was tried.
enum Attempt<'a> {
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
        let Question { network, observer, .. } = self.question;
        let mut best = match self.attempt(Reduction::None, MAX_WHOLE) {
            Attempt::CutShort(whole) => whole,
            Attempt::Ended(answer) => return answer,
            Attempt::TooWide => return self.question.decide(&Reduction::None),
        };
        let mut attempt = |reduction: Reduction| match self.attempt(reduction, MAX_WHOLE / MIN_GAIN) {
            Attempt::CutShort(candidate) => {
                if candidate.depth >= best.depth {
                    best = candidate;
                }
                None
            }
            Attempt::Ended(answer) => Some(answer),
            Attempt::TooWide => None,
        };
        let order = order_of(network, observer).ok();
        if let Some(answer) = order.clone().and_then(&mut attempt).or_else(|| self.compose()) {
            return answer;
        }
        let symmetry = symmetry_of(network, observer, BUDGET).ok();
        if let Some(answer) = symmetry.clone().and_then(&mut attempt) {
            return answer;
        }
        if let (Some(Reduction::PartialOrder(order)), Some(Reduction::Symmetry(symmetry))) = (order, symmetry)
            && order.proviso() == Proviso::None
            && let Some(answer) = attempt(Reduction::Both(order, symmetry))
        {
            return answer;
        }
        let Candidate { search, reduction, .. } = *best;
        self.question.go_on(search, &reduction)
    }

    /// How far a search gets with some states.
    fn attempt(&self, reduction: Reduction, max_states: u64) -> Attempt<'a> {
        let Ok(mut search) = self.question.search(&reduction) else { return Attempt::TooWide };
        let report = self.question.run(&mut search, max_states);
        if self.question.is_cut_short(&report, max_states) {
            Attempt::CutShort(Box::new(Candidate { depth: report.statistics.depth, reduction, search }))
        } else {
            Attempt::Ended(self.question.told(report, &reduction))
        }
    }

    /// Decides the claim by putting machines together, if that does not take long. What a specification sees keeps the states of
    /// machines apart, so there it is rarely worth it so early.
    fn compose(&self) -> Option<NetworkAnswer> {
        if matches!(self.question.claim, Claim::Refines(..)) {
            return None;
        }
        let few = Few { progress: self.question.progress, n_left: AtomicU32::new(MAX_TICKS) };
        Question { progress: &few, ..self.question }.by_composition()
    }
}

/// Ends a computation that takes longer than it is worth. What counts is how often it asks, not the time: that is the same every
/// time.
struct Few<'a> {
    progress: &'a dyn Progress,
    n_left: AtomicU32,
}

impl Progress for Few<'_> {
    fn tick(&self, so_far: &progress::Statistics) -> ControlFlow<Interrupt> {
        self.progress.tick(so_far)?;
        let is_left = |n_left: u32| n_left.checked_sub(1);
        match self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_left) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Interrupt::Request),
        }
    }
}
