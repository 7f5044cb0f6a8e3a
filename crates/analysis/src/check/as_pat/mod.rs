//! How many states and steps PAT would report.
//!
//! PAT's searches are done again here, state by state and in its order, only to be counted: what is decided is decided by our own
//! engines. `docs/semantics/pat-counts.md` says what is known about each of them, and how.

mod formula;
mod refinement;
mod words;

use super::checker::{Checker, Counting};
use super::failed::Failed;
use super::report::Checked;
use decide::Statistics;
use frontend::formula::Question;
use frontend::{State, Step};
use hashbrown::HashMap;
use lts::Model;
use progress::{Activity, Stop};
use std::ops::ControlFlow;
use std::rc::Rc;

/// What a search has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    n_states: u64,
    n_steps: u64,
}

/// The steps of states, asked for once.
struct Walk<'c, 'a> {
    checker: &'c mut Checker<'a>,
    known: HashMap<State, Rc<[Step]>>,
    n_asked: usize,
}

impl Walk<'_, '_> {
    fn steps(&mut self, state: State) -> Result<Rc<[Step]>, Failed> {
        if let Some(steps) = self.known.get(&state) {
            return Ok(Rc::clone(steps));
        }
        let mut steps = Vec::new();
        self.checker.semantics.steps(state, &mut steps)?;
        let steps: Rc<[Step]> = steps.into();
        self.known.insert(state, Rc::clone(&steps));
        Ok(steps)
    }

    /// Asks whether to go on, after so many states were met.
    fn may_go_on(&mut self, n_states: usize) -> Result<(), Failed> {
        self.n_asked += 1;
        if n_states > self.checker.options.most_states() {
            return Err(Failed::Stopped(Stop::MaxStates));
        }
        if self.n_asked.is_multiple_of(256)
            && let ControlFlow::Break(why) =
                self.checker.options.progress.tick(&progress::Statistics::of_states(n_states))
        {
            return Err(Failed::Stopped(why.into()));
        }
        Ok(())
    }
}

impl<'a> Checker<'a> {
    /// What was decided about a formula, with PAT's numbers if these are asked for.
    pub(super) fn counted_formula(&mut self, decided: Checked, process: State, question: &Question) -> Checked {
        self.counted(decided, |walk| formula::count(walk, process, question))
    }

    /// What was decided about a refinement, with PAT's numbers if these are asked for.
    pub(super) fn counted_refinement(
        &mut self,
        decided: Checked,
        (specification, implementation): (State, State),
        model: Model,
    ) -> Checked {
        self.counted(decided, |walk| refinement::count(walk, specification, implementation, model))
    }

    /// Nothing is counted for what has no known rule. Numbers are 0 if counting was stopped: ours would be taken for PAT's.
    fn counted(
        &mut self,
        mut decided: Checked,
        count: impl FnOnce(&mut Walk<'_, 'a>) -> Result<Option<Tally>, Failed>,
    ) -> Checked {
        if self.options.count != Counting::Pat || self.semantics.is_timed() || !decided.is_decided() {
            return decided;
        }
        self.options.progress.enter(Activity::Searching);
        let tally = match count(&mut Walk { checker: self, known: HashMap::new(), n_asked: 0 }) {
            Ok(None) => return decided,
            Ok(Some(tally)) => tally,
            Err(_) => Tally::default(),
        };
        decided.statistics =
            Statistics { n_states: tally.n_states, n_transitions: tally.n_steps, ..Statistics::default() };
        decided
    }
}
