//! Divergences of a system whose steps are made on demand.
//!
//! A depth-first search follows silent steps. The first step back to a state on its own path closes a cycle, and that is
//! the end: a divergence is only looked for where it breaks a claim. As long as there is none, all states that were left
//! cannot diverge and are never looked at again.

use super::implementation::{Ended, Implementation};
use crate::{StateId, Transition, Watch};
use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// Silent steps that need not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lasso {
    pub(super) silent: Vec<Transition>,
    /// The steps from this place on can be repeated. If there are none, the last state is explicitly divergent.
    pub(super) loop_start: usize,
}

/// What is known of the silent steps of a system.
#[derive(Default)]
pub(super) struct Silence {
    seen: FixedBitSet,
    n_seen: usize,
    /// The path of the search, and how many silent steps of each state were followed.
    path: Vec<(StateId, u32)>,
    on_path: FixedBitSet,
}

impl Silence {
    /// A way to diverge from a state, if there is one. Then this was the last question.
    pub(super) fn divergence<I: Implementation>(
        &mut self,
        system: &mut I,
        start: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Lasso>, Ended<I::Error>> {
        if self.seen.contains(start.index()) {
            return Ok(None);
        }
        self.enter(start);
        while let Some((state, n_followed)) = self.path.last_mut() {
            watch.tick(I::EFFORT)?;
            watch.keep(self.n_seen)?;
            let behavior = system.behavior(*state).map_err(Ended::Failed)?;
            if behavior.is_divergent {
                let silent = way_into(system, start, &[*state], watch)?;
                return Ok(Some(Lasso { loop_start: silent.len(), silent }));
            }
            let next = behavior.transitions.get(*n_followed as usize).filter(|step| !step.label.is_visible());
            let Some(step) = next else {
                self.on_path.remove(state.index());
                self.path.pop();
                continue;
            };
            *n_followed += 1;
            let target = step.target;
            if self.on_path.contains(target.index()) {
                return self.lasso(system, start, target, watch).map(Some);
            }
            if !self.seen.contains(target.index()) {
                self.enter(target);
            }
        }
        Ok(None)
    }

    fn enter(&mut self, state: StateId) {
        self.n_seen += 1;
        self.seen.grow_and_insert(state.index());
        self.on_path.grow_and_insert(state.index());
        self.path.push((state, 0));
    }

    /// A short way to the cycle that the path closes at `turn`, and a short cycle from there: the path itself may have
    /// strayed through all of the system.
    fn lasso<I: Implementation>(
        &self,
        system: &mut I,
        start: StateId,
        turn: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Lasso, Ended<I::Error>> {
        let cycle: Vec<StateId> =
            self.path.iter().map(|&(state, _)| state).skip_while(|&state| state != turn).collect();
        let mut silent = way_into(system, start, &cycle, watch)?;
        let loop_start = silent.len();
        let meeting = silent.last().map_or(start, |step| step.target);
        silent.extend(way(system, meeting, &[meeting], watch)?);
        Ok(Lasso { silent, loop_start })
    }
}

/// As few silent steps as possible from a state to one of the goals, which can be reached; none if it is one.
fn way_into<I: Implementation>(
    system: &mut I,
    start: StateId,
    goals: &[StateId],
    watch: &mut Watch<'_>,
) -> Result<Vec<Transition>, Ended<I::Error>> {
    if goals.contains(&start) { Ok(Vec::new()) } else { way(system, start, goals, watch) }
}

/// As few silent steps as possible from a state to one of the goals, but at least one.
fn way<I: Implementation>(
    system: &mut I,
    start: StateId,
    goals: &[StateId],
    watch: &mut Watch<'_>,
) -> Result<Vec<Transition>, Ended<I::Error>> {
    let goals: HashSet<StateId, FixedState> = goals.iter().copied().collect();
    let mut seen: HashSet<StateId, FixedState> = HashSet::with_hasher(FixedState::default());
    // The steps in the order in which they were found, each with the place of the one before it.
    let mut found: Vec<(Transition, Option<usize>)> = Vec::new();
    let (mut state, mut last): (StateId, Option<usize>) = (start, None);
    loop {
        watch.tick(I::EFFORT)?;
        for step in system.behavior(state).map_err(Ended::Failed)?.silent() {
            if goals.contains(&step.target) {
                return Ok(chain(&found, *step, last));
            }
            if seen.insert(step.target) {
                found.push((*step, last));
            }
        }
        let next = last.map_or(0, |place| place + 1);
        state = found.get(next).expect("silent steps lead to a goal").0.target;
        last = Some(next);
    }
}

/// The steps before a step, and the step.
fn chain(found: &[(Transition, Option<usize>)], step: Transition, mut last: Option<usize>) -> Vec<Transition> {
    let mut steps = vec![step];
    while let Some(place) = last {
        let (step, before) = found[place];
        steps.push(step);
        last = before;
    }
    steps.reverse();
    steps
}
