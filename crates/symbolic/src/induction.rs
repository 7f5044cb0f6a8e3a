//! Can a run that is right for some time go wrong after that, wherever it begins?
//!
//! The base asks for runs from the start that go wrong after so many steps; the step for runs of the same length from anywhere, through different
//! states, that go wrong at their end only. If there is none of the latter, nothing goes wrong ever: a shortest run that does would end in one.
//!
//! Runs are made longer at their end (*forward*), or at their beginning (*backward*): then what is wrong stands at the end for good, and a step may also assume that
//! no state but the first is the start, for a shortest run does not come back there. Two solvers may take turns, one of which has nothing to do with the start
//! (*dual*), or one is asked both questions (*zig-zag*), and can use for one what it learned from the other.

use crate::bounded::{Found, Rounds, rounds, tick};
use crate::certify::{base_proof, step_proof};
use crate::frame::Frame;
use crate::invariants::{Company, company};
use crate::property::{Judged, Property};
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Answer, Batsat, Direction, Lit, Settings, Solvers};
use lts::{Reason, Verdict};
use model::network::{Configuration, Network};
use progress::{Interrupt, Progress};

/// Proves a property by induction on the length of runs, or finds one that breaks it.
pub fn prove_by_induction(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Answer {
    let (mut one, mut other) = (Batsat::new(progress), Batsat::new(progress));
    let company = match unless_stopped(|| Ok(company(network, property, progress))) {
        Ok(company) => company,
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
    let mut questions = Questions { runs, company: &company, direction, wrong: None };
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
                // A command has more rounds than are followed.
                let verdict = found.map_or(Verdict::Unknown(Reason::TooLarge), Verdict::Fails);
                return Answer::new(verdict, depth.saturating_sub(1));
            }
            Err(why) => return Answer::new(Verdict::Unknown(why.into()), depth.saturating_sub(1)),
        }
    }
    Answer::new(Verdict::Unknown(Reason::Depth), settings.depth)
}

/// What the questions about one length come to.
enum Round {
    Open,
    Proved,
    /// By a run; nothing if it turned out that nothing is wrong with it.
    Broken(Option<Found>),
}

/// Asks about runs with one more step; about those from the start another solver, if there is one.
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

/// Runs of one length, from anywhere.
struct Questions<'s, 'n> {
    runs: Unrolling<'s>,
    company: &'n [Company],
    /// Forward or backward.
    direction: Direction,
    /// Something is wrong at the end, if that is to be assumed.
    wrong: Option<Lit>,
}

impl Questions<'_, '_> {
    fn is_forward(&self) -> bool {
        self.direction == Direction::Forward
    }

    /// One more state, not known to be reached, but none that is known not to be.
    fn lengthen(&mut self) {
        if self.is_forward() {
            self.runs.extend_anywhere(self.company);
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
        self.company.iter().for_each(|company| clauses.add(&company.clause(frame)));
    }

    /// All states, the first one first.
    fn path(&self) -> Vec<&Frame> {
        self.runs.frames.iter().chain(self.runs.ending.iter().rev()).collect()
    }

    /// The run from the start that goes wrong at its end, if there is one.
    fn broken(&mut self) -> Result<Option<Option<Found>>, Interrupt> {
        let mut assumed = self.runs.start_at(self.path()[0]);
        assumed.extend(self.wrong);
        if self.runs.clauses.solver.solve(&assumed)? {
            let path = self.path();
            return Ok(Some(self.runs.counterexample(&path, path.len() - 1)));
        }
        Ok(None)
    }

    /// Nothing wrong is reached from the start in so many steps; so a run to the end that is longer, and a shortest one, does not begin here.
    fn exclude_start(&mut self) {
        if !self.is_forward() {
            self.runs.exclude_start(self.runs.ending.len() - 1);
        }
    }

    /// Whether no run goes wrong at its end only.
    fn is_inductive(&mut self) -> Result<bool, Interrupt> {
        let assumed: Vec<Lit> = self.wrong.into_iter().collect();
        while self.runs.clauses.solver.solve(&assumed)? {
            // States are kept apart only where a solution has the same one twice: most pairs never meet.
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

    /// Nothing is wrong with runs of this length from the start.
    fn go_on(&mut self) {
        if self.is_forward() {
            self.runs.assume_right(self.runs.frames.len() - 1);
        }
    }
}

impl Unrolling<'_> {
    /// One more state, not known to be reached, but none that is known not to be.
    pub(crate) fn extend_anywhere(&mut self, company: &[Company]) {
        self.extend();
        if let Some(frame) = self.frames.last() {
            company.iter().for_each(|company| self.clauses.add(&company.clause(frame)));
        }
    }
}
