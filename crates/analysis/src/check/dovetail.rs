//! Preparing and walking, in turns.
//!
//! To make the network of a process may take longer than to walk to the answer, and the other way round; nobody knows before. So a network is made for a
//! while, then states are walked for a while, and both go on for longer and longer. What was found out about terms is kept, so that beginning again
//! costs little. How long a while is, is told by how often it is asked whether to go on, not by time: the same script is always decided in the same
//! way. Who walks is asked while the steps of a single state are made, too: they may be more than anybody can wait for.

use super::Checked;
use super::checker::{Checker, MAX_WALKED_FIRST};
use super::failed::Failed;
use super::walk::{Takers, Walked};
use check::Claim;
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use progress::{Activity, Attempt, Interrupt, Progress, Recorder, Statistics, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often a network may ask whether to go on, at first: about every thousandth state of a machine.
const N_QUESTIONS_FIRST: u64 = 300;
/// A search of many states asks more seldom than this.
const STATES_PER_QUESTION: u64 = 1000;
/// How many times as long each turn is as the one before.
const GROWTH: u64 = 4;

/// How long a turn is.
#[derive(Clone, Copy, Debug)]
struct Turn {
    n_questions: u64,
    /// States that are walked.
    n_states: u64,
}

impl Turn {
    const FIRST: Turn = Turn { n_questions: N_QUESTIONS_FIRST, n_states: MAX_WALKED_FIRST };

    fn next(self) -> Turn {
        let Turn { n_questions, n_states } = self;
        Turn { n_questions: n_questions.saturating_mul(GROWTH), n_states: n_states.saturating_mul(GROWTH) }
    }
}

/// What came first.
pub(super) enum First {
    /// The network, or that there is none.
    Network(Option<Lowered>),
    /// The answer.
    Walked(Checked),
}

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
        let preparing =
            Arc::new(Preparing { progress: progress.clone(), n_left: n_questions.into(), n_before: 0.into() });
        self.options.progress = preparing.clone();
        let network = self.network(process, fidelity, effort);
        self.options.progress = progress;
        match network {
            Err(Failed::Stopped(_)) if preparing.is_over() => self.go_on().map(|()| Prepared::NotYet),
            network => network.map(Prepared::Made),
        }
    }

    /// Whoever waits for all of it may be tired, too.
    fn go_on(&self) -> Result<(), Failed> {
        match self.options.progress.tick(&Statistics::default()) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(Failed::Stopped(why.into())),
        }
    }

    /// The network that takes little effort, unless walking decides a claim before it is made.
    pub(super) fn network_or_walk(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
        walked: &mut Walked,
    ) -> Result<First, Failed> {
        let fidelity = Fidelity::of_runs(claim.decisive_model());
        let mut turn = Turn::FIRST;
        loop {
            if let Prepared::Made(network) = self.network_within(process, fidelity, Effort::Little, turn.n_questions)? {
                return Ok(First::Network(network));
            }
            if let Some(checked) = self.walk_within(asserted, process, claim, walked, turn)? {
                return Ok(First::Walked(checked));
            }
            turn = turn.next();
        }
    }

    /// Decides a claim by walking, if that takes no more than a turn.
    fn walk_within(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
        walked: &mut Walked,
        turn: Turn,
    ) -> Result<Option<Checked>, Failed> {
        self.turns.begin(turn.n_questions);
        let decided = self.decide_walking(asserted, process, claim, walked, turn.n_states);
        let is_over = self.turns.end();
        match decided {
            Err(Failed::Stopped(Stop::MaxStates)) if turn.n_states < self.options.max_states => Ok(None),
            Err(Failed::Stopped(_)) if is_over => self.go_on().map(|()| None),
            decided => decided.map(Some),
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
        let mut walked = Walked::new(process, Takers::Ignored);
        let mut turn = Turn::FIRST;
        while may_be_made {
            if let Prepared::Made(network) = self.network_within(process, fidelity, Effort::Full, turn.n_questions)? {
                if let Some(lowered) = network
                    && let Some(checked) = self.decide_network(asserted, process, &lowered, claim, u64::MAX)?
                {
                    return Ok(checked);
                }
                break;
            }
            turn = turn.next();
            if let Some(checked) = self.walk_within(asserted, process, claim, &mut walked, turn)? {
                return Ok(checked);
            }
        }
        self.decide_walking(asserted, process, claim, &mut walked, u64::MAX)
    }
}

/// Loses patience with what explores states, and not with what goes through the operators of a process.
struct Preparing {
    progress: Arc<dyn Progress>,
    n_left: AtomicU64,
    /// How many states there were when it was last asked.
    n_before: AtomicU64,
}

impl Preparing {
    fn is_over(&self) -> bool {
        self.n_left.load(Ordering::Relaxed) == 0
    }
}

impl Progress for Preparing {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.progress.tick(so_far)?;
        if so_far.n_states == 0 {
            return ControlFlow::Continue(());
        }
        let n_before = self.n_before.swap(so_far.n_states, Ordering::Relaxed);
        // Fewer states than before are those of another part. Who asks seldom has done more in between.
        let n_new = so_far.n_states.checked_sub(n_before).unwrap_or(so_far.n_states);
        let n_questions = 1 + n_new / STATES_PER_QUESTION;
        let fewer = |n_left: u64| n_left.checked_sub(n_questions);
        match self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => {
                self.n_left.store(0, Ordering::Relaxed);
                ControlFlow::Break(Interrupt::Request)
            }
        }
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

/// Counts the questions of a turn, also those that the language asks.
pub(super) struct Turns {
    progress: Arc<Recorder>,
    /// How many are left; all that can be counted where there is no turn.
    n_left: AtomicU64,
}

impl Turns {
    pub(super) fn new(progress: Arc<Recorder>) -> Turns {
        Turns { progress, n_left: u64::MAX.into() }
    }

    fn begin(&self, n_questions: u64) {
        self.n_left.store(n_questions, Ordering::Relaxed);
    }

    /// Whether the turn was over before.
    fn end(&self) -> bool {
        self.n_left.swap(u64::MAX, Ordering::Relaxed) == 0
    }
}

impl Progress for Turns {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.progress.tick(so_far)?;
        let one_less = |n_left: u64| if n_left == u64::MAX { Some(n_left) } else { n_left.checked_sub(1) };
        match self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Interrupt::Request),
        }
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
