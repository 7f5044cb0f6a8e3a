//! Divergences of a system on the fly.
//!
//! A depth-first search follows silent steps. The first step back to a state on its own path closes a cycle. Completed
//! states do not diverge and are never visited again. If a divergence violates the claim the search ends with it, and
//! the path leads to it; if a specification may diverge, all states of the path are recorded as divergent.

use crate::walk::{Ended, Numbered, Relevance, shortest_run};
use crate::{Label, StateId, Transition, Watch};
use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// A sequence of silent steps to a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lasso {
    pub(crate) silent: Vec<Transition>,
    /// The start of the cycle among the steps. If it is the end, the last state is explicitly divergent.
    pub(crate) loop_start: usize,
}

/// The state of the search.
#[derive(Default)]
pub(crate) struct DivergenceSearch {
    /// States on the path, and completed states, which do not diverge.
    seen: FixedBitSet,
    n_seen: usize,
    /// The path of the search, with the number of followed silent steps of each state.
    path: Vec<(StateId, u32)>,
    on_path: FixedBitSet,
    divergent: FixedBitSet,
}

/// The reason why a path diverges.
enum Cause {
    /// Its last state is labelled divergent, or recorded as divergent.
    Divergent,
    /// A step leads back to this state of the path.
    Back(StateId),
}

impl DivergenceSearch {
    /// A divergence of a state, if there is one; the search must not be used after that.
    pub(crate) fn divergence<I: Numbered>(
        &mut self,
        system: &mut I,
        start: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Lasso>, Ended<I::Error>> {
        match self.follow(system, start, watch)? {
            None => Ok(None),
            Some(Cause::Back(cause)) => self.lasso(system, start, cause, watch).map(Some),
            Some(Cause::Divergent) => {
                let end = self.path.last().expect("the path has an end").0;
                let silent = path_into(system, start, &[end], watch)?;
                Ok(Some(Lasso { loop_start: silent.len(), silent }))
            }
        }
    }

    /// Whether a state can diverge.
    pub(crate) fn diverges<I: Numbered>(
        &mut self,
        system: &mut I,
        start: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<bool, Ended<I::Error>> {
        let cause = self.follow(system, start, watch)?;
        for (state, _) in self.path.drain(..) {
            self.seen.remove(state.index());
            self.on_path.remove(state.index());
            self.divergent.grow_and_insert(state.index());
        }
        Ok(cause.is_some())
    }

    /// Follows silent steps until the path diverges, or all reachable states are completed.
    fn follow<I: Numbered>(
        &mut self,
        system: &mut I,
        start: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Cause>, Ended<I::Error>> {
        if self.seen.contains(start.index()) {
            return Ok(None);
        }
        self.enter(start);
        while let Some((state, n_followed)) = self.path.last_mut() {
            watch.tick(I::EFFORT)?;
            watch.keep(self.n_seen)?;
            let behavior = system.behavior(state).map_err(Ended::Failed)?;
            if behavior.is_divergent || self.divergent.contains(state.index()) {
                return Ok(Some(Cause::Divergent));
            }
            let next = behavior.steps.get(*n_followed as usize).filter(|step| !step.label.is_visible());
            let Some(step) = next else {
                self.on_path.remove(state.index());
                self.path.pop();
                continue;
            };
            *n_followed += 1;
            let target = step.target;
            if self.on_path.contains(target.index()) {
                return Ok(Some(Cause::Back(target)));
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

    /// A shortest path to the cycle that the path closes at `cause`, and a shortest cycle from there: the path itself
    /// may be long.
    fn lasso<I: Numbered>(
        &self,
        system: &mut I,
        start: StateId,
        cause: StateId,
        watch: &mut Watch<'_>,
    ) -> Result<Lasso, Ended<I::Error>> {
        let cycle: Vec<StateId> =
            self.path.iter().map(|&(state, _)| state).skip_while(|&state| state != cause).collect();
        let mut silent = path_into(system, start, &cycle, watch)?;
        let loop_start = silent.len();
        let meeting = silent.last().map_or(start, |step| step.target);
        silent.extend(nonempty_path(system, meeting, &[meeting], watch)?);
        Ok(Lasso { silent, loop_start })
    }
}

/// A shortest silent path from a state to one of the goals, which are reachable; empty if it is one.
fn path_into<I: Numbered>(
    system: &mut I,
    start: StateId,
    goals: &[StateId],
    watch: &mut Watch<'_>,
) -> Result<Vec<Transition>, Ended<I::Error>> {
    if goals.contains(&start) { Ok(Vec::new()) } else { nonempty_path(system, start, goals, watch) }
}

/// A shortest nonempty silent path from a state to one of the goals.
fn nonempty_path<I: Numbered>(
    system: &mut I,
    start: StateId,
    goals: &[StateId],
    watch: &mut Watch<'_>,
) -> Result<Vec<Transition>, Ended<I::Error>> {
    let goals: HashSet<StateId, FixedState> = goals.iter().copied().collect();
    let judge = |_: &StateId, step: &Transition| match step.label {
        Label::TAU if goals.contains(&step.target) => Relevance::Goal,
        Label::TAU => Relevance::Followed,
        _ => Relevance::Ignored,
    };
    Ok(shortest_run(system, start, judge, watch)?.expect("silent steps lead to a goal"))
}
