//! Runs as witnesses for the failure of CTL formulas: Clarke, Grumberg, McMillan and Zhao (1995), *Efficient generation
//! of counterexamples and witnesses in symbolic model checking*.
//!
//! A true formula "on some path" has a path as its witness, and so has a false one "on all paths". The witness of the
//! operand continues that path. If a formula fails because no path exists, there is no witness. Only certain values
//! have witnesses.

use super::{Labeling, Property, Reading};
use crate::{Ending, Run, Structure};
use ltl::logic::branching::{Formula, Node};
use lts::walk::{Relevance, shortest_run};
use lts::{StateId, Transition, Watch};

pub struct Explain<'a> {
    pub structure: &'a Structure,
    pub property: &'a Property,
    pub labeling: &'a Labeling<'a>,
}

impl Explain<'_> {
    /// A run that witnesses that the formula is false in the initial state.
    pub fn failure(&self) -> Option<Run> {
        let mut run = Run { start: self.structure.initial(), steps: Vec::new(), ending: Ending::Any };
        let shown = self.shown();
        let mut goal = Some((self.property.formula, false));
        if !shown[self.property.formula.index()].contains(&false) {
            return None;
        }
        while let Some((formula, value)) = goal.filter(|(formula, value)| shown[formula.index()].contains(value)) {
            goal = self.show(&mut run, &shown, formula, value);
        }
        Some(run)
    }

    /// Extends a run by a witness of the value of a formula in its last state; returns the remaining obligation.
    fn show(&self, run: &mut Run, shown: &[Vec<bool>], formula: Formula, value: bool) -> Option<(Formula, bool)> {
        let state = run.state(run.steps.len());
        match self.property.store.get(formula) {
            Node::True | Node::Atom(_) => None,
            Node::Not(operand) => Some((operand, !value)),
            Node::And(left, right) | Node::Or(left, right) => {
                let fits = |operand: &Formula| {
                    self.labeling.is(*operand, state, value) && shown[operand.index()].contains(&value)
                };
                [left, right].into_iter().find(fits).map(|operand| (operand, value))
            }
            Node::ExistsNext(step, operand) => {
                let place = self.labeling.step_to(state, step, operand, Reading::Surely)?;
                run.steps.push(self.structure.steps(state)[place]);
                Some((operand, true))
            }
            Node::ExistsUntil(left, right) => {
                let shortest_path = self.shortest_path(state, left, |state| self.labeling.holds(right, state));
                run.steps.extend(shortest_path?);
                Some((right, true))
            }
            Node::ExistsGlobally(operand) => {
                self.stay(run, operand);
                None
            }
        }
    }

    /// For each formula the values that have witnesses.
    fn shown(&self) -> Vec<Vec<bool>> {
        let mut shown: Vec<Vec<bool>> = Vec::new();
        for formula in self.property.store.formulas().take(self.property.formula.index() + 1) {
            shown.push(match self.property.store.get(formula) {
                Node::True | Node::Atom(_) => Vec::new(),
                Node::Not(operand) => shown[operand.index()].iter().map(|value| !value).collect(),
                Node::And(left, right) | Node::Or(left, right) => {
                    [&shown[left.index()][..], &shown[right.index()]].concat()
                }
                Node::ExistsNext(..) | Node::ExistsUntil(..) | Node::ExistsGlobally(_) => vec![true],
            });
            // Without duplicates the lists stay bounded, although parts are shared.
            let values = &mut shown[formula.index()];
            values.sort_unstable();
            values.dedup();
        }
        shown
    }

    /// A shortest path from a state to a goal, within states that satisfy a formula; none if the state is a goal.
    fn shortest_path(&self, from: StateId, by: Formula, is_goal: impl Fn(StateId) -> bool) -> Option<Vec<Transition>> {
        if is_goal(from) {
            return Some(Vec::new());
        }
        let judge = |&source: &StateId, step: &Transition| match self.labeling.holds(by, source) {
            true if is_goal(step.target) => Relevance::Goal,
            true => Relevance::Followed,
            false => Relevance::Ignored,
        };
        shortest_run(&mut self.structure.lts(), from, judge, &mut Watch::none()).expect("nothing ends the search")
    }

    /// Extends a run by an infinite path within the states of a formula.
    fn stay(&self, run: &mut Run, formula: Formula) {
        let staying = self.labeling.staying(formula, Reading::Surely);
        let start = run.state(run.steps.len());
        let shortest_path = self.shortest_path(start, formula, |state| staying.contains(state.index()));
        run.steps.extend(shortest_path.into_iter().flatten());
        let last = run.state(run.steps.len());
        if self.structure.is_stuck(last) {
            run.ending = Ending::Stuck;
            return;
        }
        let n_before = run.steps.len();
        let inside = self.structure.steps(last).iter().filter(|step| self.labeling.holds(formula, step.target));
        let mut rounds = inside.filter_map(|step| {
            let back = self.shortest_path(step.target, formula, |state| state == last)?;
            Some([step].into_iter().copied().chain(back).collect::<Vec<_>>())
        });
        run.steps.extend(rounds.next().expect("a run can stay where it is stuck or comes back"));
        run.ending = Ending::Loop(n_before);
    }
}
