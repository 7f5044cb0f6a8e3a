//! Fair extensions of finite prefixes.
//!
//! A finite run is always fair. Where none exists, a run that repeats all steps of a bottom component satisfies every
//! fairness condition that is satisfiable from there.

use super::{counts, fair};
use crate::{Ending, Property, Rules, Run, Structure};
use fixedbitset::FixedBitSet;
use graphs::cycles;
use hashbrown::{HashMap, HashSet};
use lts::{StateId, Transition};

/// A fair run that extends this one and is admitted by the rules, if one is found.
pub fn extend(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Option<Run> {
    let last = run.state(run.steps.len());
    let path_tree = PathTree::new(structure, last, |_| true);
    let is_fine =
        |run: &Run| counts(structure, rules, run).is_ok() && fair::is_fair(structure, &property.fairness, rules, run);
    let begin = |state: StateId| run.steps.iter().copied().chain(path_tree.to(state)).collect::<Vec<Transition>>();
    let end = path_tree.order.iter().find(|&&state| structure.is_stuck(state)).map(|&state| begin(state));
    let end = end.map(|steps| Run { start: run.start, steps, ending: Ending::Stuck }).filter(is_fine);
    end.or_else(|| {
        let successors = |state| structure.steps(StateId(state as u32)).iter().map(|step| step.target.index());
        let parts = cycles(structure.n_states(), [last.index()], successors);
        parts.iter().find_map(|part| {
            let part = Part::new(structure, part);
            let round = part.round(rules, !property.fairness.is_none())?;
            let mut steps = begin(part.start);
            let n_before = steps.len();
            steps.extend(round);
            let endings = [Ending::Loop(n_before), Ending::Silent(n_before)];
            endings.into_iter().map(|ending| Run { start: run.start, steps: steps.clone(), ending }).find(is_fine)
        })
    })
}

/// A tree of shortest paths from a state.
struct PathTree {
    from: StateId,
    /// The reachable states in breadth-first order.
    order: Vec<StateId>,
    parents: HashMap<StateId, (StateId, Transition)>,
}

impl PathTree {
    /// The paths within allowed states.
    fn new(structure: &Structure, from: StateId, is_allowed: impl Fn(StateId) -> bool) -> PathTree {
        let mut path_tree = PathTree { from, order: vec![from], parents: HashMap::new() };
        let mut next = 0;
        while let Some(&state) = path_tree.order.get(next) {
            next += 1;
            for step in structure.steps(state).iter().filter(|step| is_allowed(step.target)) {
                if step.target != from && !path_tree.parents.contains_key(&step.target) {
                    path_tree.parents.insert(step.target, (state, *step));
                    path_tree.order.push(step.target);
                }
            }
        }
        path_tree
    }

    fn to(&self, state: StateId) -> Vec<Transition> {
        let mut path = Vec::new();
        let mut at = state;
        while at != self.from {
            let (before, step) = self.parents[&at];
            path.push(step);
            at = before;
        }
        path.reverse();
        path
    }
}

/// A strongly connected set of states.
struct Part<'a> {
    structure: &'a Structure,
    start: StateId,
    states: &'a [usize],
    members: FixedBitSet,
}

impl<'a> Part<'a> {
    fn new(structure: &'a Structure, states: &'a [usize]) -> Part<'a> {
        let start = StateId(*states.iter().min().expect("a component has a state") as u32);
        Part { structure, start, states, members: states.iter().copied().collect() }
    }

    fn contains(&self, state: StateId) -> bool {
        self.members.contains(state.index())
    }

    /// The inner steps, each with its source.
    fn steps(&self) -> impl Iterator<Item = (StateId, Transition)> + '_ {
        let states = self.states.iter().map(|&state| StateId(state as u32));
        let inside = |step: &&Transition| self.contains(step.target);
        states.flat_map(move |state| self.structure.steps(state).iter().filter(inside).map(move |step| (state, *step)))
    }

    /// A cycle from the start: with all steps, or at least with a visible one if there is one.
    fn round(&self, rules: &Rules, by_all: bool) -> Option<Vec<Transition>> {
        let is_visible = |step: &Transition| !rules.is_silent(self.structure.action(step));
        let some = || self.steps().find(|(_, step)| is_visible(step)).or_else(|| self.steps().next());
        let mut wanted: HashSet<(StateId, Transition)> =
            if by_all { self.steps().collect() } else { some().into_iter().collect() };
        let mut round: Vec<Transition> = Vec::new();
        let mut at = self.start;
        while !wanted.is_empty() {
            for step in self.to_next(at, &wanted) {
                wanted.remove(&(at, step));
                round.push(step);
                at = step.target;
            }
        }
        round.extend(PathTree::new(self.structure, at, |state| self.contains(state)).to(self.start));
        Some(round).filter(|round| !round.is_empty())
    }

    /// A path that ends with a wanted step.
    fn to_next(&self, at: StateId, wanted: &HashSet<(StateId, Transition)>) -> Vec<Transition> {
        let from = |state: StateId| self.structure.steps(state).iter().find(|step| wanted.contains(&(state, **step)));
        if let Some(step) = from(at) {
            return vec![*step];
        }
        let path_tree = PathTree::new(self.structure, at, |state| self.contains(state));
        let (state, step) = path_tree
            .order
            .iter()
            .find_map(|&state| Some((state, *from(state)?)))
            .expect("all is reached within a component");
        path_tree.to(state).into_iter().chain([step]).collect()
    }
}
