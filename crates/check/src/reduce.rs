//! Searches that leave out what a claim cannot see.
//!
//! Nobody has to ask for it. A search begins without: most systems are small, and then the counterexample is as short as any. When
//! it has met many states, each reduction that is sound is tried on a few, and so is putting machines together. One that gets as
//! far with a fraction of the states pays, since what it leaves out multiplies with every step. How far is told by the number of
//! steps, not by time: the same system is always decided in the same way.

use crate::network::{decide_observed, observer, prove_composed, search};
use crate::{Answer, Claim, Method, Reason, Verdict, decide};
use explore::reduction::{Kind, partial_order, symmetry};
use explore::symmetry::Symmetry;
use explore::{Limits, Observer, Proviso, Reduction, Refusal};
use model::network::{Configuration, Network};
use progress::{Interrupt, Progress, Stop};
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
) -> Answer<Configuration> {
    let observer = if reduce == Reduce::None { None } else { observer(claim, progress) };
    let reduction = match (reduce, &observer) {
        (Reduce::None, _) | (Reduce::Auto, None) => return decide(claim, network, method, limits, progress),
        (Reduce::By(_), None) => Err(Refusal::Comparison),
        (Reduce::By(Kind::PartialOrder), Some(observer)) => order_of(network, observer),
        (Reduce::By(Kind::Symmetry), Some(observer)) => symmetry_of(network, observer, Symmetry::BUDGET),
        (Reduce::Auto, Some(observer)) => match (Trial { claim, observer, network, method, limits, progress }).run() {
            Ok(answer) => return answer,
            Err(reduction) => Ok(reduction),
        },
    };
    match (reduction, &observer) {
        (Ok(reduction), Some(observer)) => {
            decide_observed(claim, observer, network, &reduction, method, limits, progress)
        }
        (Err(refusal), _) => {
            let mut answer = decide(claim, network, method, limits, progress);
            answer.statistics.reduced = Reduced::Refused(refusal);
            answer
        }
        (Ok(_), None) => unreachable!("without an observer nothing is left out"),
    }
}

fn order_of(network: &Network, observer: &Observer) -> Result<Reduction, Refusal> {
    partial_order(network, observer).map(|order| Reduction::PartialOrder(Arc::new(order)))
}

fn symmetry_of(network: &Network, observer: &Observer, budget: u64) -> Result<Reduction, Refusal> {
    symmetry(network, observer, budget).map(|symmetry| Reduction::Symmetry(Arc::new(symmetry)))
}

/// Tries what pays.
struct Trial<'a> {
    claim: &'a Claim,
    observer: &'a Observer,
    network: &'a Network,
    method: Method,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl Trial<'_> {
    /// The answer, if it is soon found; otherwise how to go on.
    fn run(&self) -> Result<Answer<Configuration>, Reduction> {
        let whole = self.search(&Reduction::None, MAX_WHOLE);
        if !self.is_cut_short(&whole, MAX_WHOLE) {
            return if whole.verdict == Verdict::Unknown(Reason::TooWide) { Err(Reduction::None) } else { Ok(whole) };
        }
        let mut best = (whole.statistics.depth, Reduction::None);
        let mut attempt = |reduction: Reduction| {
            let answer = self.search(&reduction, MAX_WHOLE / MIN_GAIN);
            if !self.is_cut_short(&answer, MAX_WHOLE / MIN_GAIN) {
                return Some(answer);
            }
            if answer.statistics.depth >= best.0 {
                best = (answer.statistics.depth, reduction);
            }
            None
        };
        let order = order_of(self.network, self.observer).ok();
        if let Some(answer) = order.clone().and_then(&mut attempt).or_else(|| self.compose()) {
            return Ok(answer);
        }
        let symmetry = symmetry_of(self.network, self.observer, BUDGET).ok();
        if let Some(answer) = symmetry.clone().and_then(&mut attempt) {
            return Ok(answer);
        }
        if let (Some(Reduction::PartialOrder(order)), Some(Reduction::Symmetry(symmetry))) = (order, symmetry)
            && order.proviso() == Proviso::None
            && let Some(answer) = attempt(Reduction::Both(order, symmetry))
        {
            return Ok(answer);
        }
        Err(best.1)
    }

    fn search(&self, reduction: &Reduction, max_states: u64) -> Answer<Configuration> {
        let limits = Limits { max_states: self.limits.max_states.min(max_states), ..*self.limits };
        search(self.observer, self.network, reduction, &limits, self.progress)
    }

    /// Whether a search was ended here, and not by those who asked.
    fn is_cut_short(&self, answer: &Answer<Configuration>, max_states: u64) -> bool {
        answer.verdict == Verdict::Unknown(Reason::Stopped(Stop::MaxStates)) && self.limits.max_states > max_states
    }

    /// Proves the claim by putting machines together, if that does not take long. What a specification sees keeps the states of
    /// machines apart, so there it is rarely worth it so early.
    fn compose(&self) -> Option<Answer<Configuration>> {
        if self.method == Method::Search || matches!(self.claim, Claim::Refines(..)) {
            return None;
        }
        let few = Few { progress: self.progress, n_left: AtomicU32::new(MAX_TICKS) };
        prove_composed(self.claim, self.observer, self.network, self.limits, &few)
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
