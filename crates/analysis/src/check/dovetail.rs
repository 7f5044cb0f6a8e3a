//! Preparing and walking, in turns.
//!
//! To make the network of a process may take longer than to walk to the answer, and the other way round; nobody knows before. So a network is made for a
//! while, then states are walked for a while, and both go on for longer and longer. What was found out about terms is kept, so that beginning again
//! costs little. How long a while is, is told by how often it is asked whether to go on, not by time: the same script is always decided in the same
//! way.

use super::Checked;
use super::checker::{Checker, MAX_WALKED_FIRST};
use super::failed::Failed;
use super::walk::{Takers, Walked};
use check::Claim;
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use progress::{Activity, Attempt, Interrupt, Patience, Progress, Statistics, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How often a network may ask whether to go on, at first: about every thousandth state of a machine.
const N_QUESTIONS_FIRST: u64 = 300;
/// How many times as long each turn is as the one before.
const GROWTH: u64 = 4;

/// What became of a network.
enum Prepared {
    /// It was made, or there is none.
    Made(Option<Lowered>),
    /// It takes longer.
    NotYet,
}

impl Checker<'_> {
    /// The network of a process, if that does not take longer than so many questions.
    fn network_within(
        &mut self,
        process: State,
        fidelity: Fidelity,
        effort: Effort,
        n_questions: u64,
    ) -> Result<Prepared, Failed> {
        let progress = self.options.progress.clone();
        let patience = Patience::new(progress.clone(), n_questions);
        let preparing = Arc::new(Preparing { progress: progress.clone(), patience });
        self.options.progress = preparing.clone();
        let network = self.network(process, fidelity, effort);
        self.options.progress = progress;
        match network {
            Err(Failed::Stopped(_)) if preparing.patience.is_over() => {
                // Whoever waits for all of it may be tired, too.
                match self.options.progress.tick(&Statistics::default()) {
                    ControlFlow::Continue(()) => Ok(Prepared::NotYet),
                    ControlFlow::Break(why) => Err(Failed::Stopped(why.into())),
                }
            }
            network => network.map(Prepared::Made),
        }
    }

    /// Decides a claim by a network that takes all effort, if one `may_be_made`, or by walking, whatever comes first.
    pub(super) fn decide_with_all_effort(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
        may_be_made: bool,
    ) -> Result<Checked, Failed> {
        let fidelity = Fidelity::of_runs(claim.decisive_model());
        let (mut n_questions, mut n_walked, mut may_be_made) = (N_QUESTIONS_FIRST, MAX_WALKED_FIRST, may_be_made);
        let mut walked = Walked::new(process, Takers::Ignored);
        loop {
            if may_be_made
                && let Prepared::Made(network) = self.network_within(process, fidelity, Effort::Full, n_questions)?
            {
                if let Some(lowered) = network
                    && let Some(checked) = self.decide_network(asserted, process, &lowered, claim, u64::MAX)?
                {
                    return Ok(checked);
                }
                may_be_made = false;
            }
            n_walked = if may_be_made { n_walked.saturating_mul(GROWTH) } else { u64::MAX };
            match self.decide_walking(asserted, process, claim, &mut walked, n_walked) {
                Err(Failed::Stopped(Stop::MaxStates)) if n_walked < self.options.max_states => {}
                decided => return decided,
            }
            n_questions = n_questions.saturating_mul(GROWTH);
        }
    }
}

/// Loses patience with what explores states, and not with what goes through the operators of a process.
struct Preparing {
    progress: Arc<dyn Progress>,
    patience: Patience<Arc<dyn Progress>>,
}

impl Progress for Preparing {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        if so_far.n_states > 0 { self.patience.tick(so_far) } else { self.progress.tick(so_far) }
    }

    fn enter(&self, activity: Activity) {
        self.progress.enter(activity);
    }

    fn attempt(&self, way: &'static str) {
        self.progress.attempt(way);
    }

    fn attempted(&self, attempt: Attempt) {
        self.progress.attempted(attempt);
    }
}
