//! Bounded model checking of LTL: bad prefixes and lassos.
//!
//! A violating infinite run, if there is one, returns to a state of the network together with the state of the
//! automaton of the negated formula, after edges of all its acceptance sets. So the unrolling is extended by an
//! automaton in lockstep (`positions.rs`), and a loop is encoded. Comparing the last frame with all earlier ones would
//! take quadratically many clauses; instead one state is *saved*: some frame equals it, and so does the last one
//! (Biere, Artho and Schuppan, 2002, "Liveness checking as safety checking"). What was observed since then is
//! accumulated from frame to frame.

mod positions;

use crate::bounded::tick;
use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::property::Judged;
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Batsat, Lit, Property, Settings};
use ltl::automaton::{Automaton, Class};
use lts::{StateId, Transition};
use model::network::{Configuration, NetworkStep};
use positions::{Position, Reader};
use progress::Progress;
use temporal::{ActionNetwork, Divergence, Ending, Reason, Rules, Run, View};

/// A run that a solver found. It is replayed and judged before it is a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Discovery {
    /// A run, its states numbered by their indices among these configurations.
    Run(Run, Vec<Configuration>),
    /// Steps, labeled by actions, to a configuration in which a step fails.
    Failure(Vec<NetworkStep>),
}

/// Searches for a run of a network that violates a property: bad prefixes and lassos. None if no run of the depths of
/// the settings does.
///
/// # Errors
/// The reason why that is not known.
pub fn find_lasso(
    network: &ActionNetwork,
    property: &temporal::Property,
    rules: &Rules,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Option<Discovery>, Reason> {
    let sees_silence = rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock;
    if sees_silence || !property.fairness.is_none() {
        return Err(Reason::Unsupported);
    }
    let (past, automaton) = temporal::product::prepare(property, rules)?;
    if automaton.is_empty() {
        return Ok(None);
    }
    let reader = Reader::new(network, property, &past, rules).ok_or(Reason::Unsupported)?;
    let mut solver = Batsat::new(progress);
    let plain = Property::DeadlockFree;
    let runs = Unrolling::unordered(network.network(), &plain, settings.encoding, &mut solver);
    unless_stopped(|| Ok(Search::new(runs, &automaton, reader, rules).run(settings.depth, progress)))?
}

/// The saved state of the network and the automaton, to which a loop returns.
struct Kept {
    frame: Frame,
    automaton: Vec<Lit>,
    memory: Vec<Lit>,
}

/// The observer state at the end of a run.
struct Progressing {
    /// The state of the automaton.
    automaton: Vec<Lit>,
    /// The memory of past operators.
    memory: Vec<Lit>,
    /// A literal that implies that the saved state occurred.
    is_in_loop: Lit,
    /// Literals that imply that the required edges occurred since: one of each acceptance set, and a visible one.
    seen: Vec<Lit>,
}

struct Search<'s, 'a> {
    runs: Unrolling<'s>,
    automaton: &'a Automaton,
    reader: Reader<'a>,
    kept: Kept,
    at: Progressing,
    positions: Vec<Position>,
    /// For each position whether the saved state is there.
    starts: Vec<Lit>,
    /// Whether it suffices that the automaton accepts everything.
    is_safety: bool,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(mut runs: Unrolling<'s>, automaton: &'a Automaton, reader: Reader<'a>, rules: &Rules) -> Search<'s, 'a> {
        // Labels are numbers of actions, and termination leads to an ordinary state.
        runs.end = None;
        runs.extend();
        runs.begin();
        let clauses = &mut runs.clauses;
        let kept = Kept {
            frame: Frame::any_state(runs.network, runs.property, clauses),
            automaton: clauses.one_of(automaton.n_states()),
            memory: reader.first_memory().iter().map(|_| clauses.solver.variable()).collect(),
        };
        let memory = reader.first_memory().iter().map(|&was| clauses.known(was)).collect();
        let states = clauses.one_of(automaton.n_states());
        clauses.add(&[states[automaton.initial() as usize]]);
        let seen = vec![clauses.no(); automaton.n_sets() as usize + 1];
        let at = Progressing { automaton: states, memory, is_in_loop: clauses.no(), seen };
        let is_safety = automaton.class() == Class::Terminal && rules.count_all_beginnings();
        Search { runs, automaton, reader, kept, at, positions: Vec::new(), starts: Vec::new(), is_safety }
    }

    /// Asks queries about runs of at most so many steps.
    fn run(&mut self, depth: u64, progress: &dyn Progress) -> Result<Option<Discovery>, Reason> {
        for depth in 0..=depth {
            tick(depth, progress)?;
            if let Some(found) = self.next()? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Asks about runs to the last frame, and appends one.
    fn next(&mut self) -> Result<Option<Discovery>, Reason> {
        let ask = |search: &mut Self, assumed: Lit| search.runs.clauses.solver.solve(&[assumed]).map_err(Reason::from);
        let Unrolling { network, property, clauses, frames, .. } = &mut self.runs;
        let fails = Judged { network, property, clauses, frame: &frames[frames.len() - 1] }.failure();
        if fails != self.runs.clauses.no() && ask(self, fails)? {
            return self.failure().map(Some);
        }
        let Unrolling { clauses, frames, .. } = &mut self.runs;
        frames[frames.len() - 1].failing().for_each(|fails| clauses.exclude(fails));
        if self.is_safety {
            let accepting = |state: &usize| self.automaton.accepts_everything(*state as u32);
            let all: Vec<Lit> =
                (0..self.automaton.n_states()).filter(accepting).map(|s| self.at.automaton[s]).collect();
            let is_lost = self.runs.clauses.any(&all);
            if ask(self, is_lost)? {
                return Ok(Some(self.found(true)));
            }
        }
        let is_closed = self.closed();
        if ask(self, is_closed)? {
            return Ok(Some(self.found(false)));
        }
        self.extend();
        Ok(None)
    }

    /// A literal that implies that the last frame is the saved state, and that all required edges occurred since.
    fn closed(&mut self) -> Lit {
        let last = &self.runs.frames[self.runs.frames.len() - 1];
        let clauses = &mut self.runs.clauses;
        let closed = clauses.solver.variable();
        self.kept.equals(closed, last, &self.at, clauses);
        for &needed in self.at.seen.iter().chain([&self.at.is_in_loop]) {
            clauses.add(&[!closed, needed]);
        }
        closed
    }

    /// Appends a step, of the network or of the automaton alone.
    fn extend(&mut self) {
        let place = self.runs.frames.len() - 1;
        let clauses = &mut self.runs.clauses;
        let starts = clauses.solver.variable();
        self.kept.equals(starts, &self.runs.frames[place], &self.at, clauses);
        let is_in_loop = clauses.any(&[self.at.is_in_loop, starts]);
        let Progressing { automaton, memory, .. } = &self.at;
        let (position, after) = self.reader.read(&mut self.runs, place, self.automaton, (automaton, memory));
        let clauses = &mut self.runs.clauses;
        let now: Vec<Lit> = after.marks.iter().copied().chain([!position.is_silent]).collect();
        let seen = self.at.seen.iter().zip(now).map(|(&before, now)| {
            let now = clauses.and(is_in_loop, now);
            clauses.or(before, now)
        });
        let seen = seen.collect();
        self.at = Progressing { automaton: after.automaton, memory: after.memory, is_in_loop, seen };
        self.positions.push(position);
        self.starts.push(starts);
        self.runs.extend_if(!position.has_ended);
    }

    /// The configurations of an assignment, and the steps between them before the run has ended.
    fn steps(&self) -> (Vec<Configuration>, Vec<NetworkStep>, bool) {
        let solver = &*self.runs.clauses.solver;
        let has_ended = |position: &Position| solver.is_true(position.has_ended);
        let end = self.positions.iter().position(has_ended);
        let n_steps = end.unwrap_or(self.positions.len());
        let frames: Vec<&Frame> = self.runs.frames[..=n_steps].iter().collect();
        let configurations = frames.iter().map(|frame| frame.state(solver)).collect();
        (configurations, frames.windows(2).flat_map(|pair| self.runs.steps(pair)).collect(), end.is_some())
    }

    fn found(&self, is_lost: bool) -> Discovery {
        let (configurations, steps, has_ended) = self.steps();
        let solver = &*self.runs.clauses.solver;
        let start = self.starts.iter().position(|&starts| solver.is_true(starts)).unwrap_or(0);
        let ending = match () {
            () if has_ended => Ending::Stuck,
            () if is_lost => Ending::Any,
            () => Ending::Loop(start),
        };
        let states = (1..).map(StateId);
        let steps = steps.iter().zip(states).map(|(step, target)| Transition { label: step.label, target }).collect();
        Discovery::Run(Run { start: StateId(0), steps, ending }, configurations)
    }

    /// A run to a failing step, if there is one.
    fn failure(&self) -> Result<Discovery, Reason> {
        let (configurations, steps, _) = self.steps();
        let end = configurations.last().ok_or(Reason::TooLarge)?;
        // Otherwise a loop of a command was unrolled too little.
        let is_failure = !self.runs.network.failures(end).is_empty();
        if is_failure { Ok(Discovery::Failure(steps)) } else { Err(Reason::TooLarge) }
    }
}

impl Kept {
    /// Under a condition, a frame equals the saved state.
    fn equals(&self, condition: Lit, frame: &Frame, at: &Progressing, clauses: &mut Clauses<'_>) {
        self.frame.equals(condition, frame, clauses);
        for (&kept, &here) in self.automaton.iter().zip(&at.automaton).filter(|(kept, here)| kept != here) {
            clauses.add(&[!condition, !kept, here]);
        }
        for (&kept, &here) in self.memory.iter().zip(&at.memory).filter(|(kept, here)| kept != here) {
            clauses.add(&[!condition, !kept, here]);
            clauses.add(&[!condition, kept, !here]);
        }
    }
}
