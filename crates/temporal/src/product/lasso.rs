//! Construction of a lasso: a shortest path to a component, and a loop in it that fulfills all obligations.

use super::component::Component;
use super::duties::{Duties, Duty};
use super::fairness::Judge;
use super::nodes::Node;
use super::{Cursor, Move, Product};
use crate::system::ActionSystem;
use crate::{Ending, Run};
use hashbrown::HashMap;
use lts::{StateId, Transition};
use progress::{Interrupt, Progress, Statistics};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// A path through the product: the moves, and the last node.
struct Path {
    moves: Vec<(u32, Move)>,
    end: u32,
}

impl<S: ActionSystem> Product<'_, S> {
    /// A lasso from a node to a component and around it, unless cancelled.
    pub(super) fn lasso(
        &mut self,
        from: Node,
        component: &Component,
        judge: &Judge,
        progress: &dyn Progress,
    ) -> Result<Run, Interrupt> {
        let color = self.paint(component);
        let way = self.path_to(from, Some(color), None);
        let start = from.state;
        let mut steps = steps_of(&way.moves);
        let end = self.nodes.get(way.end).state;
        if self.is_stuck(end) {
            return Ok(Run { start, steps, ending: Ending::Stuck });
        }
        let loop_start = steps.len();
        let duties = self.duties(component, judge, progress)?;
        let color = self.paint(component);
        steps.extend(steps_of(&self.round(color, way.end, duties, progress)?));
        Ok(Run { start, steps, ending: Ending::Loop(loop_start) })
    }

    /// A shortest path from the initial node to another one.
    pub(super) fn path_to_node(&mut self, wanted: u32) -> Vec<Transition> {
        let initial = self.initial();
        steps_of(&self.path_to(initial, None, Some(wanted)).moves)
    }

    /// A shortest path from a node to one with a color, or to one with a number.
    fn path_to(&mut self, from: Node, color: Option<u32>, wanted: Option<u32>) -> Path {
        let first = self.nodes.number(from);
        let is_end = |product: &Self, node: u32| {
            Some(node) == wanted || color.is_some_and(|color| product.has_color(node, color))
        };
        if is_end(self, first) {
            return Path { moves: Vec::new(), end: first };
        }
        self.nearest(first, None, |product, _, _, target| is_end(product, target)).expect("what was met can be reached")
    }

    /// The nearest move with a property, with the path to it, from a node; within nodes of a color, if one is given.
    fn nearest(
        &mut self,
        start: u32,
        within: Option<u32>,
        is_wanted: impl Fn(&Self, StateId, &Move, u32) -> bool,
    ) -> Option<Path> {
        let mut came_by: HashMap<u32, (u32, Move)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let from = self.nodes.get(node);
            let mut cursor = Cursor::default();
            while let Some(next) = self.next(from, &mut cursor) {
                let target = self.nodes.number(next.target);
                if within.is_some_and(|color| !self.has_color(target, color)) {
                    continue;
                }
                if is_wanted(self, from.state, &next, target) {
                    let mut moves = vec![(target, next)];
                    let mut at = node;
                    while at != start {
                        let (before, made) = came_by[&at];
                        moves.push((at, made));
                        at = before;
                    }
                    moves.reverse();
                    return Some(Path { moves, end: target });
                }
                if target != start && !came_by.contains_key(&target) {
                    came_by.insert(target, (node, next));
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// A cycle from a node that fulfills all obligations, within nodes of a color, unless cancelled.
    fn round(
        &mut self,
        color: u32,
        start: u32,
        mut duties: Duties,
        progress: &dyn Progress,
    ) -> Result<Vec<(u32, Move)>, Interrupt> {
        let mut moves: Vec<(u32, Move)> = Vec::new();
        let mut at = start;
        duties.pass(self.nodes.get(start).state);
        while !duties.are_done() {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(self.nodes.n_visited())) {
                return Err(why);
            }
            let serves = |_: &Self, from: StateId, made: &Move, _: u32| duties.are_served_by(from, made);
            let way = self.nearest(at, Some(color), serves).expect("the component has what is needed");
            for (target, made) in &way.moves {
                duties.serve(self.nodes.get(at).state, made);
                at = *target;
            }
            moves.extend(way.moves);
        }
        if at != start || moves.is_empty() {
            let back = self.nearest(at, Some(color), |_, _, _, target| target == start);
            moves.extend(back.expect("a component is strongly connected").moves);
        }
        Ok(moves)
    }
}

impl Duties {
    fn are_done(&self) -> bool {
        self.others.is_empty() && self.steps.is_empty()
    }

    fn pass(&mut self, state: StateId) {
        self.others.retain(|duty| !matches!(duty, Duty::Pass(states) if states.contains(&state)));
    }

    fn are_served_by(&self, from: StateId, made: &Move) -> bool {
        let is_demanded = |action| self.steps.contains(&(from, action, made.target.state));
        made.action.is_some_and(is_demanded) || self.others.iter().any(|duty| duty.is_done_by(made))
    }

    fn serve(&mut self, from: StateId, made: &Move) {
        if let Some(action) = made.action {
            self.steps.remove(&(from, action, made.target.state));
        }
        self.others.retain(|duty| !duty.is_done_by(made));
    }
}

impl Duty {
    fn is_done_by(&self, made: &Move) -> bool {
        match self {
            Duty::Mark(mark) => made.marks & mark != 0,
            Duty::Take(actions) => made.action.is_some_and(|action| actions.contains(&action)),
            Duty::Pass(states) => states.contains(&made.target.state),
        }
    }
}

/// The steps of the system along moves.
fn steps_of(moves: &[(u32, Move)]) -> Vec<Transition> {
    let step = |(_, made): &(u32, Move)| Some(Transition { label: made.action?, target: made.target.state });
    moves.iter().filter_map(step).collect()
}
