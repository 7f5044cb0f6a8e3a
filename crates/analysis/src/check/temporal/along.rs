//! Formulas about processes in which time passes, refuted along runs of zones.
//!
//! A run of nodes that breaks a formula says what happens, and not when. So the process is followed in whole units of time, but only by steps that the run takes, at the first and
//! the last moments at which each is possible. What is met on the way is a part of the process, of which some states are left open: a run in it that breaks the formula is a run of
//! the process, and is repeated as all are. That there is none says nothing.

use super::super::Verdict;
use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Checked;
use super::super::walk::{Takers, Walked};
use super::source::Asking;
use super::takers;
use frontend::formula::Question;
use frontend::{Failure, State};
use hashbrown::HashSet;
use lts::walk::System;
use lts::{Label, StateId};
use progress::{Statistics, Stop};
use std::ops::ControlFlow;
use temporal::Ending;

/// So many of the first, and of the last, moments at which a step is possible are tried.
const FEW: usize = 2;
/// States, each with a place of the run, that are looked at.
const MAX_PLACES: u64 = 10_000;
/// States that are met: where times are long, each has many steps.
const MAX_STATES: usize = 1_000_000;

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
        let mut asking = Asking::new(process, question);
        self.walk_along(&mut asking.walked, labels, ending)?;
        let known = asking.walked.known();
        match self.decide_structure(&mut asking, &known) {
            Ok(Some(checked)) if matches!(checked.verdict, Verdict::Fails) => Ok(Some(checked)),
            Err(Failed::Stopped(stop @ Stop::Interrupted(_))) => Err(Failed::Stopped(stop)),
            _ => Ok(None),
        }
    }

    /// Walks by the steps of a run, the earliest first, round and round if it goes on like that.
    fn walk_along(&mut self, walked: &mut Walked, labels: &[Label], ending: Ending) -> Result<(), Failed> {
        let after = |place: usize| match ending {
            Ending::Loop(start) | Ending::Silent(start) if place + 1 == labels.len() => start,
            _ => place + 1,
        };
        let max_places = self.options.limits.states().min(MAX_PLACES);
        let mut walk = walked.with(&mut *self.semantics);
        let mut met: HashSet<(StateId, usize)> = HashSet::from([(walk.initial(), 0)]);
        let mut waiting = vec![(walk.initial(), 0)];
        while let Some((state, place)) = waiting.pop()
            && (met.len() as u64) < max_places
            && walk.n_known() < MAX_STATES
        {
            if let ControlFlow::Break(why) = self.options.progress.tick(&Statistics::of_states(walk.n_known())) {
                return Err(Failed::Stopped(why.into()));
            }
            let steps = match walk.steps(&state) {
                Ok(steps) => steps,
                Err(Failure::Stopped(stop)) => return Err(Failed::Stopped(stop)),
                // Another engine finds out what goes wrong.
                Err(_) => continue,
            };
            let Some(&label) = labels.get(place) else { continue };
            let targets: Vec<StateId> =
                steps.iter().filter(|step| step.label == label).map(|step| step.target).collect();
            let n_first = FEW.min(targets.len());
            let n_last = FEW.min(targets.len() - n_first);
            let few = targets[..n_first].iter().chain(&targets[targets.len() - n_last..]);
            for &target in few.rev() {
                let next = (target, after(place));
                if met.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Ok(())
    }
}
