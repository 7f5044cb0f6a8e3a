//! On-the-fly exploration in parallel with compilation.
//!
//! Compiling a network, or building a specification, may take longer than exploring the process on the fly up to the
//! verdict, or far less time; neither is known in advance. So while the compiling task prepares something for long, a
//! second task decides the same assertion on the fly, with terms of its own. If the second task decides first, its
//! exploration is repeated here, so that the evidence refers to the terms of this checker.

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

/// Conclusion of a task: the reason why it is inconclusive, if it is.
struct Ended(Option<Reason>);

impl Conclusion for Ended {
    fn reason(&self) -> Option<Reason> {
        self.0
    }
}

impl Ended {
    /// Conclusion of the compiling task: an error of the script is conclusive, too.
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
    /// Decides an assertion, in parallel with on-the-fly exploration if that applies.
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

    /// A task with a checker of its own that decides the assertion on the fly.
    fn exploration(&self, index: usize, listener: Arc<dyn Progress>) -> Task<'static, Ended> {
        let session = self.session.clone();
        let options = Options { limits: Limits::of_workers(1), ..self.options.clone() };
        let work = move |meter: &Meter<'_>| {
            let relay = Arc::new(Relay::new(listener));
            let account: Arc<dyn Charge> = meter.account();
            let options = Options { progress: relay.clone(), ..options };
            let decided = relay.charging(account, || Checker::new(&session, options).explore_to_answer(index));
            // A failing step may be unreachable in the network, so only a verdict ends the compilation.
            Ended(decided.is_err().then_some(Reason::Unsupported))
        };
        Task { name: "on-the-fly", pace: BESIDE_COMPILATION, work: Box::new(work) }
    }

    /// Whether on-the-fly exploration decides such assertions, and the user leaves the choice of the engine open.
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

    /// Repeats the exploration that decided in the other task. The cancelled compilation left partial results, so the
    /// semantics start anew.
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

    /// Decides an assertion on the fly, and starts over whenever channels need more values.
    fn explore_to_answer(&mut self, index: usize) -> Result<Decided, Failed> {
        loop {
            let asserted = self.semantics.asserted(index).map_err(Failed::from);
            let decided = asserted.and_then(|asserted| self.decide_by_exploring(&asserted));
            if !self.semantics.narrow(decided.is_ok()) {
                return decided;
            }
        }
    }

    /// Decides an assertion on process terms, without a network.
    fn decide_by_exploring(&mut self, asserted: &Asserted) -> Result<Decided, Failed> {
        if let &Asserted::Refines { specification, implementation, model } = asserted {
            return self.refine_walking(asserted, (specification, implementation), model);
        }
        let (process, claim) = self.claim(asserted)?;
        self.decide_walking(asserted, process, &claim, &mut Walked::new(process, Takers::Ignored), u64::MAX)
    }
}
