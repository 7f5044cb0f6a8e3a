//! Preparing and walking, in turns.
//!
//! To make a network, or to write down a specification, may take longer than to walk to the answer, and the other way round; nobody knows before. So
//! while something is prepared for long, a companion walks, with terms of its own ([`Turns`](super::turns::Turns)). If it comes to the answer first,
//! what was prepared is left where it is, and the same way is walked again here: with that, a counterexample is told like any other.

use super::Checked;
use super::checker::{Checker, Options};
use super::failed::Failed;
use super::walk::{Takers, Walked};
use decide::{Claim, Method};
use frontend::{Asserted, Effort, Fidelity, State};
use progress::{Nobody, Stop};
use std::sync::Arc;

/// States that are walked before everything is done to make a network, if nobody walks meanwhile.
const MAX_WALKED_ALONE: u64 = 1 << 20;

impl Checker<'_> {
    /// Decides what an assertion says, while somebody may walk to the answer.
    pub(super) fn decide_in_turns(&mut self, index: usize, asserted: &Asserted) -> Result<Checked, Failed> {
        if !self.may_be_walked(asserted) {
            return self.decide_asserted(asserted);
        }
        let session = self.session.clone();
        let options = Options { progress: Arc::new(Nobody), n_workers: 1, ..self.options.clone() };
        let walk = move |progress| {
            let options = Options { progress, ..options };
            Checker::new(&session, options).walk_to_answer(index).is_ok()
        };
        let turns = self.turns.clone();
        let (decided, is_answered) = turns.accompanied(Box::new(walk), || self.decide_asserted(asserted));
        if !is_answered || decided.as_ref().is_ok_and(Checked::is_decided) {
            return decided;
        }
        // What was computed was left in the middle.
        self.begin_anew();
        match self.walk_to_answer(index) {
            Err(failed) if !matches!(failed, Failed::Stopped(_)) => {
                let asserted = self.semantics.asserted(index)?;
                self.decide_asserted(&asserted)
            }
            walked => walked,
        }
    }

    /// Whether the answer can be found by walking, and found in any way.
    fn may_be_walked(&mut self, asserted: &Asserted) -> bool {
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

    fn begin_anew(&mut self) {
        self.semantics = self.session.semantics(self.turns.of_language());
        self.specifications.clear();
        self.last_network = None;
    }

    /// Walks until an assertion is decided, beginning with what it says.
    fn walk_to_answer(&mut self, index: usize) -> Result<Checked, Failed> {
        loop {
            let asserted = self.semantics.asserted(index).map_err(Failed::from);
            let decided = asserted.and_then(|asserted| self.decide_by_walking(&asserted));
            if !self.semantics.narrow(decided.is_ok()) {
                return decided;
            }
        }
    }

    /// Decides an assertion by terms alone.
    fn decide_by_walking(&mut self, asserted: &Asserted) -> Result<Checked, Failed> {
        if let &Asserted::Refines { specification, implementation, model } = asserted {
            return self.refine_walking(asserted, (specification, implementation), model);
        }
        let (process, claim) = self.claim(asserted)?;
        self.decide_walking(asserted, process, &claim, &mut Walked::new(process, Takers::Ignored), u64::MAX)
    }

    /// Decides a claim by a network that takes all effort, if one `may_be_made`, or by walking.
    pub(super) fn decide_with_all_effort(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
        may_be_made: bool,
    ) -> Result<Checked, Failed> {
        let mut walked = Walked::new(process, Takers::Ignored);
        if may_be_made {
            if !self.turns.is_accompanied() {
                match self.decide_walking(asserted, process, claim, &mut walked, MAX_WALKED_ALONE) {
                    Err(Failed::Stopped(Stop::MaxStates)) if MAX_WALKED_ALONE < self.options.max_states => {}
                    decided => return decided,
                }
            }
            let fidelity = Fidelity::of_runs(claim.decisive_model());
            if let Some(lowered) = self.network(process, fidelity, Effort::Full)?
                && let Some(checked) = self.decide_network(asserted, process, &lowered, claim, u64::MAX)?
            {
                return Ok(checked);
            }
        }
        self.decide_walking(asserted, process, claim, &mut walked, u64::MAX)
    }
}
