//! k-induction (Sheeran, Singh and Stålmarck, 2000, "Checking safety properties using induction and a SAT-solver").
//!
//! The base case asks for runs from the initial state that violate the property after k steps; the induction step for
//! runs of the same length from an arbitrary state, through distinct states, that violate it in their last state only.
//! If there is none of the latter, the property holds: a shortest counterexample would end in one.
//!
//! Runs are extended at their end (*forward*) or at their beginning (*backward*): then the violation is fixed at the
//! end, and the step may also assume that only the first state is initial, as a shortest counterexample does not return
//! there. Two solvers may take turns, one of which ignores the initial state (*dual*), or one solver gets both queries
//! (*zig-zag*) and shares learned clauses (Eén and Sörensson, 2003, "Temporal induction by incremental SAT solving").

use crate::bounded::{Found, Rounds, rounds, tick};
use crate::certify::{base_proof, step_proof};
use crate::frame::Frame;
use crate::invariants::{PairInvariant, pair_invariants};
use crate::property::{Judged, Property};
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Direction, Lit, Settings, Solvers};
use lts::{Reason, Verdict};
use model::network::{Configuration, Network};
use progress::{Interrupt, Progress};

/// Proves a property by k-induction, or finds a counterexample.
pub fn prove_by_induction(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let (mut one, mut other) = (Batsat::new(progress), Batsat::new(progress));
    let pair_invariants = match unless_stopped(|| Ok(pair_invariants(network, property, progress))) {
        Ok(pair_invariants) => pair_invariants,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let direction = if settings.direction == Direction::Backward { Direction::Backward } else { Direction::Forward };
    let runs = Unrolling::new(network, property, settings.encoding, &mut one);
    let prepared = runs.and_then(|runs| match settings.solvers {
        Solvers::One => Ok((runs, None)),
        Solvers::Two => Ok((runs, Some(rounds(network, property, settings, direction, &mut other)?))),
    });
    let (runs, mut base) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => return Answer::new(Verdict::Unknown(why.into()), 0),
    };
    let mut questions = Questions { runs, pair_invariants: &pair_invariants, direction, wrong: None };
    for depth in 0..=settings.depth {
        match unless_stopped(|| ask(&mut questions, &mut base, depth, progress)) {
            Ok(Round::Open) => {}
            Ok(Round::Proved) if settings.with_proof => {
                let base =
                    Answer::new(Verdict::Holds, depth).proved(base_proof(network, property, settings, depth, progress));
                return match base.verdict {
                    Verdict::Holds => base.proved(step_proof(network, property, settings, depth, progress)),
                    _ => base,
                };
            }
            Ok(Round::Proved) => return Answer::new(Verdict::Holds, depth),
            Ok(Round::Broken(found)) => {
                // A loop of a command was unrolled too little.
                let verdict = found.map_or(Verdict::Unknown(Reason::TooLarge), Verdict::Fails);
                return Answer::new(verdict, depth.saturating_sub(1));
            }
            Err(why) => return Answer::new(Verdict::Unknown(why.into()), depth.saturating_sub(1)),
        }
    }
    Answer::new(Verdict::Unknown(Reason::Depth), settings.depth)
}

/// The outcome of the queries for one length.
enum Round {
    Open,
    Proved,
    /// A counterexample; None if the interpreter refutes it.
    Broken(Option<Found>),
}

/// Asks the queries for one more step. Those about runs from the initial state have a solver of their own, if there are
/// two.
fn ask(
    questions: &mut Questions<'_, '_>,
    base: &mut Option<Box<dyn Rounds + '_>>,
    depth: u64,
    progress: &dyn Progress,
) -> Result<Round, Interrupt> {
    tick(depth, progress)?;
    questions.lengthen();
    let broken = match base {
        Some(base) => base.ask_next(depth, 1, progress)?,
        None => questions.broken()?,
    };
    if let Some(found) = broken {
        return Ok(Round::Broken(found));
    }
    questions.exclude_start();
    if questions.is_inductive()? {
        return Ok(Round::Proved);
    }
    questions.go_on();
    Ok(Round::Open)
}

/// An unrolling from an arbitrary state.
struct Questions<'s, 'n> {
    runs: Unrolling<'s>,
    pair_invariants: &'n [PairInvariant],
    /// The end at which it is extended.
    direction: Direction,
    /// The assumption that the last state violates the property.
    wrong: Option<Lit>,
}

impl Questions<'_, '_> {
    fn is_forward(&self) -> bool {
        self.direction == Direction::Forward
    }

    /// Adds an arbitrary state that satisfies the invariants.
    fn lengthen(&mut self) {
        if self.is_forward() {
            self.runs.extend_anywhere(self.pair_invariants);
            self.wrong = Some(self.runs.wrong());
            return;
        }
        match self.runs.ending.len() {
            0 => self.runs.end_wrong(),
            _ => {
                self.runs.prepend_if(self.runs.clauses.yes);
                let Unrolling { network, property, clauses, ending, .. } = &mut self.runs;
                Judged { network, property, clauses, frame: &ending[ending.len() - 1] }.assume_right();
            }
        }
        let Unrolling { clauses, ending, .. } = &mut self.runs;
        let frame = &ending[ending.len() - 1];
        self.pair_invariants.iter().for_each(|pair_invariants| clauses.add(&pair_invariants.clause(frame)));
    }

    /// All frames, from the first on.
    fn path(&self) -> Vec<&Frame> {
        self.runs.frames.iter().chain(self.runs.ending.iter().rev()).collect()
    }

    /// A counterexample from the initial state, if there is one.
    fn broken(&mut self) -> Result<Option<Option<Found>>, Interrupt> {
        let mut assumed = self.runs.start_at(self.path()[0]);
        assumed.extend(self.wrong);
        if self.runs.clauses.solver.solve(&assumed)? {
            let path = self.path();
            return Ok(Some(self.runs.counterexample(&path, path.len() - 1)));
        }
        Ok(None)
    }

    /// No counterexample from the initial state has this length; so a longer, shortest one does not begin in this
    /// state.
    fn exclude_start(&mut self) {
        if !self.is_forward() {
            self.runs.exclude_start(self.runs.ending.len() - 1);
        }
    }

    /// Whether the induction step succeeds.
    fn is_inductive(&mut self) -> Result<bool, Interrupt> {
        let assumed: Vec<Lit> = self.wrong.into_iter().collect();
        while self.runs.clauses.solver.solve(&assumed)? {
            // Distinctness is added lazily, where an assignment has equal states: most pairs never need it.
            let solver = &*self.runs.clauses.solver;
            let states: Vec<(Configuration, Vec<bool>)> = self
                .path()
                .iter()
                .map(|frame| (frame.state(solver), frame.nodes.iter().map(|&lit| solver.is_true(lit)).collect()))
                .collect();
            let twice = (0..states.len()).find_map(|left| {
                (left + 1..states.len()).find(|&right| states[left] == states[right]).map(|right| (left, right))
            });
            let Some((left, right)) = twice else { return Ok(false) };
            self.keep_apart(left, right);
        }
        Ok(true)
    }

    fn keep_apart(&mut self, left: usize, right: usize) {
        let Unrolling { clauses, frames, ending, .. } = &mut self.runs;
        let path: Vec<&Frame> = frames.iter().chain(ending.iter().rev()).collect();
        path[left].keep_apart(path[right], clauses);
    }

    /// The base case succeeds for this length.
    fn go_on(&mut self) {
        if self.is_forward() {
            self.runs.assume_right(self.runs.frames.len() - 1);
        }
    }
}

impl Unrolling<'_> {
    /// Adds an arbitrary state that satisfies the invariants.
    pub(crate) fn extend_anywhere(&mut self, pair_invariants: &[PairInvariant]) {
        self.extend();
        if let Some(frame) = self.frames.last() {
            pair_invariants.iter().for_each(|pair_invariants| self.clauses.add(&pair_invariants.clause(frame)));
        }
    }
}
