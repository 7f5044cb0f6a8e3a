//! Refutation of formulas along runs of zones.
//!
//! A run of the zone graph that violates a formula has events, but no times. So the process is explored in whole units
//! of time, restricted to the events of that run, at the first and the last moments at which each is enabled. A
//! violating run of this part of the process is a run of the process, and is replayed like any other. The absence of
//! one is inconclusive.

use super::super::checker::Checker;
use super::super::decided::Decided;
use super::super::failed::Failed;
use super::super::walk::{Takers, Walked};
use super::source::Asking;
use super::takers;
use frontend::formula::Question;
use frontend::{Failure, State};
use hashbrown::HashSet;
use limits::effort::replay::{MAX_PLACES, MAX_TIMED_STATES, MOMENTS_AT_ENDS};
use lts::walk::System;
use lts::{Label, StateId};
use progress::{Statistics, Stop};
use std::ops::ControlFlow;
use temporal::Ending;

impl Checker<'_> {
    /// Searches for a run with these events that violates a formula. None if that is inconclusive.
    pub(super) fn refute_along(
        &mut self,
        process: State,
        question: &Question,
        labels: &[Label],
        ending: Ending,
    ) -> Result<Option<Decided>, Failed> {
        if takers(question) == Takers::Told {
            return Ok(None);
        }
        let mut asking = Asking::new(process, question);
        self.walk_along(&mut asking.walked, labels, ending)?;
        let known = asking.walked.known();
        match self.decide_structure(&mut asking, &known) {
            Ok(Some(decided)) if !decided.holds => Ok(Some(decided)),
            Err(Failed::Stopped(stop @ Stop::Interrupted(_))) => Err(Failed::Stopped(stop)),
            _ => Ok(None),
        }
    }

    /// Explores a process along the events of a run, which may be a lasso.
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
            && walk.n_known() < MAX_TIMED_STATES
        {
            if let ControlFlow::Break(why) = self.options.progress.tick(&Statistics::of_states(walk.n_known())) {
                return Err(Failed::Stopped(why.into()));
            }
            let steps = match walk.steps(&state) {
                Ok(steps) => steps,
                Err(Failure::Stopped(stop)) => return Err(Failed::Stopped(stop)),
                // Another engine reports the failure.
                Err(_) => continue,
            };
            let Some(&label) = labels.get(place) else { continue };
            let targets: Vec<StateId> =
                steps.iter().filter(|step| step.label == label).map(|step| step.target).collect();
            let n_first = MOMENTS_AT_ENDS.min(targets.len());
            let n_last = MOMENTS_AT_ENDS.min(targets.len() - n_first);
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
