//! Runs that break a formula: beginnings that are lost for good, and lassos.
//!
//! A run without end that breaks a formula, if there is one, comes back to where it was: to the same state of the network with the same state of the automaton for
//! what breaks the formula, after edges of all its acceptance sets. So frames get an automaton that moves along (`positions.rs`), and a loop is looked for. Comparing the
//! last frame with all before it would take a square of clauses; instead one state is *kept*, some frame is that state, and so is the last one. What was seen since then is
//! added up from frame to frame.

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
    /// A run, its states numbered by their places among these configurations.
    Run(Run, Vec<Configuration>),
    /// Steps, labeled by actions, to a configuration in which a step fails.
    Failure(Vec<NetworkStep>),
}

/// Searches for a run of a network that violates a property: bad prefixes and lassos. None if no run of the depths of the settings does.
///
/// # Errors
/// Why that is not known.
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

/// The state of the network and of the automaton to which a loop comes back.
struct Kept {
    frame: Frame,
    automaton: Vec<Lit>,
    memory: Vec<Lit>,
}

/// What is known at the end of a run.
struct Progressing {
    /// The state of the automaton there.
    automaton: Vec<Lit>,
    /// What is remembered of the past.
    memory: Vec<Lit>,
    /// True only if the kept state was met before.
    is_in_loop: Lit,
    /// True only if all edges were taken since then that are asked for: one of each acceptance set, and one that is seen.
    seen: Vec<Lit>,
}

struct Search<'s, 'a> {
    runs: Unrolling<'s>,
    automaton: &'a Automaton,
    reader: Reader<'a>,
    kept: Kept,
    at: Progressing,
    positions: Vec<Position>,
    /// For each position whether the kept state is there.
    starts: Vec<Lit>,
    /// Whether it is enough that the automaton accepts everything.
    is_safety: bool,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(mut runs: Unrolling<'s>, automaton: &'a Automaton, reader: Reader<'a>, rules: &Rules) -> Search<'s, 'a> {
        // Labels are numbers of actions, and termination leads to a state like others.
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

    /// Asks about runs of at most so many steps.
    fn run(&mut self, depth: u64, progress: &dyn Progress) -> Result<Option<Discovery>, Reason> {
        for depth in 0..=depth {
            tick(depth, progress)?;
            if let Some(found) = self.next()? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Asks about runs to the last frame, and adds one.
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

    /// True only if the last frame is the kept state, and all was seen since that was met.
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

    /// One more step, of the network or of the automaton alone.
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

    /// The configurations of a solution, and the steps between them before the run has ended.
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

    /// A run to a step that goes wrong, if it does.
    fn failure(&self) -> Result<Discovery, Reason> {
        let (configurations, steps, _) = self.steps();
        let end = configurations.last().ok_or(Reason::TooLarge)?;
        // Otherwise a command has more rounds than are followed.
        let is_failure = !self.runs.network.failures(end).is_empty();
        if is_failure { Ok(Discovery::Failure(steps)) } else { Err(Reason::TooLarge) }
    }
}

impl Kept {
    /// If something is true, a frame is the state that is kept.
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
