//! On-the-fly exploration beside compilation.
//!
//! To compile a network, or to write down a specification, may take longer than to explore the states of the process up to the answer, or much
//! less; which is not known before. So while something is prepared for long, the same assertion is decided on the fly as a task of its own, with
//! terms of its own. If that comes to the answer first, it is computed again here: with that, a counterexample is reported like any other.

use super::checker::{Checker, Options};
use super::decided::Decided;
use super::failed::Failed;
use super::relay::{Quiet, Relay};
use super::walk::{Takers, Walked};
use decide::{BESIDE_COMPILATION, Charge, Conclusion, Meter, Method, Task};
use frontend::Asserted;
use lts::Reason;
use progress::Limits;
use progress::Progress;
use std::sync::Arc;

/// Conclusion of a task: the reason why it decides nothing, if so.
struct Ended(Option<Reason>);

impl Conclusion for Ended {
    fn reason(&self) -> Option<Reason> {
        self.0
    }
}

impl Ended {
    /// Conclusion of the compiling task: an error of the script ends it, too.
    fn of(decided: &Result<Decided, Failed>) -> Ended {
        match decided {
            Ok(_) | Err(Failed::Error(_)) => Ended(None),
            Err(Failed::Stopped(stop)) => Ended(Some((*stop).into())),
            Err(Failed::Unknown(reason, _)) => Ended(Some(*reason)),
            Err(Failed::Open(_) | Failed::Unlike) => Ended(Some(Reason::Unsupported)),
        }
    }
}

impl Checker<'_> {
    /// Decides what an assertion says, beside on-the-fly exploration if that may come to an answer.
    pub(super) fn decide_beside_exploration(&mut self, index: usize, asserted: &Asserted) -> Result<Decided, Failed> {
        if !self.can_be_explored(asserted) {
            return self.decide_asserted(asserted);
        }
        let (relay, listener) = (self.relay.clone(), Arc::new(Quiet(self.recorder.clone())));
        let explore = self.exploration(index, listener.clone());
        let mut decided = None;
        self.is_accompanied = true;
        let compile = |meter: &Meter<'_>| {
            let found = relay.charging(meter.account(), || self.decide_asserted(asserted));
            let ended = Ended::of(&found);
            decided = Some(found);
            ended
        };
        let (winner, _) = decide::drive(("compiled", compile), vec![explore], &*listener);
        self.is_accompanied = false;
        match decided {
            Some(found) if winner == 0 || found.is_ok() => found,
            _ => self.explore_again(index),
        }
    }

    /// A task that decides the assertion on the fly, by a checker of its own.
    fn exploration(&self, index: usize, listener: Arc<dyn Progress>) -> Task<'static, Ended> {
        let session = self.session.clone();
        let options = Options { limits: Limits::of_workers(1), ..self.options.clone() };
        let work = move |meter: &Meter<'_>| {
            let relay = Arc::new(Relay::new(listener));
            let account: Arc<dyn Charge> = meter.account();
            let options = Options { progress: relay.clone(), ..options };
            let decided = relay.charging(account, || Checker::new(&session, options).explore_to_answer(index));
            // An error may be none of the network, so only a verdict ends the compilation.
            Ended(decided.is_err().then_some(Reason::Unsupported))
        };
        Task { name: "on-the-fly", pace: BESIDE_COMPILATION, work: Box::new(work) }
    }

    /// Whether the answer can be found by exploring states, and in any way.
    fn can_be_explored(&mut self, asserted: &Asserted) -> bool {
        let is_claim = match asserted {
            Asserted::Refines { model, .. } => !model.sees_revivals(),
            Asserted::DeadlockFree(..)
            | Asserted::DivergenceFree(_)
            | Asserted::Deterministic(..)
            | Asserted::HasTrace(..) => true,
            _ => false,
        };
        let is_free = matches!(self.options.method, Method::Search | Method::Auto);
        is_claim && is_free && !self.semantics.is_timed()
    }

    /// The answer that another task has found. What was computed here was left in the middle, so it begins anew.
    fn explore_again(&mut self, index: usize) -> Result<Decided, Failed> {
        self.semantics = self.session.semantics(self.options.progress.clone());
        self.specifications.clear();
        self.last_network = None;
        match self.explore_to_answer(index) {
            Err(failed) if !matches!(failed, Failed::Stopped(_)) => {
                let asserted = self.semantics.asserted(index)?;
                self.decide_asserted(&asserted)
            }
            explored => explored,
        }
    }

    /// Explores states until an assertion is decided, beginning with what it says.
    fn explore_to_answer(&mut self, index: usize) -> Result<Decided, Failed> {
        loop {
            let asserted = self.semantics.asserted(index).map_err(Failed::from);
            let decided = asserted.and_then(|asserted| self.decide_by_exploring(&asserted));
            if !self.semantics.narrow(decided.is_ok()) {
                return decided;
            }
        }
    }

    /// Decides an assertion by terms alone.
    fn decide_by_exploring(&mut self, asserted: &Asserted) -> Result<Decided, Failed> {
        if let &Asserted::Refines { specification, implementation, model } = asserted {
            return self.refine_walking(asserted, (specification, implementation), model);
        }
        let (process, claim) = self.claim(asserted)?;
        self.decide_walking(asserted, process, &claim, &mut Walked::new(process, Takers::Ignored), u64::MAX)
    }
}
