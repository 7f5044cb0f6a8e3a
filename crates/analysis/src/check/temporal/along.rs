//! Formulas about processes in which time passes, refuted along runs of zones.
//!
//! A run of nodes that breaks a formula says what happens, and not when. So the process is followed in whole units of time, but only by steps that the run takes, at the first and
//! the last moments at which each is possible. All of these are steps of the process: a run among them that breaks the formula is a run of the process, and is repeated as all
//! are. That there is none says nothing.

use super::super::Verdict;
use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Checked;
use super::super::walk::Takers;
use super::source::Asking;
use super::takers;
use fixedbitset::FixedBitSet;
use frontend::formula::Question;
use frontend::{Failure, State, Step};
use hashbrown::{HashMap, HashSet};
use lts::{Builder, Label, Lts, StateId};
use progress::Stop;
use temporal::decide::{Subject, Thoroughness};
use temporal::{Ending, Structure};

/// So many of the first, and of the last, moments at which a step is possible are tried.
const FEW: usize = 2;
/// States, each with a place of the run, that are looked at.
const MAX_PLACES: usize = 10_000;

/// Steps of a process along a run.
#[derive(Default)]
struct Along {
    /// In the order in which they are met.
    states: Vec<State>,
    numbers: HashMap<State, StateId>,
    steps: Vec<Vec<(Label, StateId)>>,
    /// Whether a state has no steps at all.
    is_stuck: Vec<bool>,
}

impl Along {
    fn number(&mut self, state: State) -> StateId {
        let Along { states, numbers, steps, is_stuck } = self;
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            steps.push(Vec::new());
            is_stuck.push(false);
            StateId(states.len() as u32 - 1)
        })
    }

    fn add(&mut self, from: StateId, step: Step) {
        let target = self.number(step.target);
        let known = &mut self.steps[from.index()];
        if !known.contains(&(step.label, target)) {
            known.push((step.label, target));
        }
    }

    /// The steps as a system, and the states of which nothing is known.
    fn into_system(self) -> (Lts, FixedBitSet) {
        let mut builder = Builder::new();
        let mut open = FixedBitSet::with_capacity(self.states.len());
        for (number, steps) in self.steps.iter().enumerate() {
            builder.add_state(StateId(number as u32));
            steps.iter().for_each(|&(label, target)| builder.add(StateId(number as u32), label, target));
            open.set(number, steps.is_empty() && !self.is_stuck[number]);
        }
        (builder.finish(StateId(0)), open)
    }
}

impl Checker<'_> {
    /// Looks for a run by such steps that breaks a formula; nothing if none is found.
    pub(super) fn refute_along(
        &mut self,
        process: State,
        question: &Question,
        labels: &[Label],
        ending: Ending,
    ) -> Result<Option<Checked>, Failed> {
        if takers(question) == Takers::Told {
            return Ok(None);
        }
        let along = self.moves_along(process, labels, ending)?;
        let mut asking = Asking::new(process, question);
        asking.walked.meet(&along.states);
        let (lts, open) = along.into_system();
        let mut subject = Subject::Walk(Structure::partly_known(&lts, open));
        match self.decide_formula(&mut asking, None, &mut subject, Thoroughness::Once) {
            Ok(Some(checked)) if matches!(checked.verdict, Verdict::Fails) => Ok(Some(checked)),
            Err(Failed::Stopped(stop @ Stop::Interrupted(_))) => Err(Failed::Stopped(stop)),
            _ => Ok(None),
        }
    }

    /// Follows a process by the steps of a run, the earliest first, round and round if it goes on like that.
    fn moves_along(&mut self, process: State, labels: &[Label], ending: Ending) -> Result<Along, Failed> {
        let after = |place: usize| match ending {
            Ending::Loop(start) | Ending::Silent(start) if place + 1 == labels.len() => start,
            _ => place + 1,
        };
        let mut along = Along::default();
        let mut met: HashSet<(State, usize)> = HashSet::from([(process, 0)]);
        let mut waiting = vec![(process, 0)];
        let mut steps: Vec<Step> = Vec::new();
        along.number(process);
        while let Some((state, place)) = waiting.pop().filter(|_| met.len() < MAX_PLACES) {
            steps.clear();
            match self.semantics.steps(state, &mut steps) {
                Ok(()) => {}
                Err(Failure::Stopped(stop)) => return Err(Failed::Stopped(stop)),
                // Another engine finds out what goes wrong.
                Err(_) => continue,
            }
            let number = along.number(state);
            along.is_stuck[number.index()] = steps.is_empty();
            let Some(&label) = labels.get(place) else { continue };
            let fitting: Vec<Step> = steps.iter().copied().filter(|step| step.label == label).collect();
            let n_last = fitting.len().saturating_sub(FEW).max(FEW);
            let few = fitting.iter().enumerate().filter(|&(place, _)| place < FEW || place >= n_last);
            for (_, &step) in few.rev() {
                along.add(number, step);
                let next = (step.target, after(place));
                if met.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Ok(along)
    }
}
