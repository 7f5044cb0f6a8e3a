//! On-the-fly emptiness check for generalized Büchi acceptance: Couvreur (1999), *On-the-fly verification of linear
//! temporal logic*.
//!
//! The search is a depth-first search for strongly connected components with a stack of candidates and the marks of
//! their moves, merged when a move leads back. It is restricted to the accepting regions of the automaton; other nodes
//! are only traversed. Without fairness the search ends as soon as a candidate has all marks. With fairness a component
//! is judged when it is complete, because only then its enabled items are known. So this search is not that of the
//! crate `graphs`: it ends inside components, collects marks, and explores the product on the fly.
//!
//! All moves of a node are computed when it is visited, so that the cache misses for their targets overlap.

use super::Product;
use super::component::Component;
use super::fairness::Judge;
use super::nodes::{DONE, Node, UNVISITED};
use super::pace::Pace;
use super::table::Arrow;
use super::whole::Proof;
use crate::system::ActionSystem;
use limits::effort::products::FIRST_SHARE;
use limits::intervals::polling::STATES_PER_POLL;
use lts::StateId;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// The result of a search.
pub(super) enum Outcome {
    /// There is no accepting component.
    Empty,
    /// An accepting component.
    Found(Component),
    /// The search was cancelled.
    Stopped(Interrupt),
    /// The limit of nodes was reached without a cycle.
    Paused,
}

struct Frame {
    node: u32,
    /// The start of its pending moves.
    first: usize,
}

/// The root of a candidate for a component.
struct Root {
    order: u32,
    /// The position of its first node in `live`.
    first: usize,
    marks: u64,
    /// The marks of the move that leads to it.
    incoming: u64,
}

/// The stacks of the search.
#[derive(Default)]
struct Stack {
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Nodes whose component is incomplete, in preorder.
    live: Vec<u32>,
    /// Moves within the region that are still to be followed.
    pending: Vec<(u32, u64)>,
    /// Nodes outside of the region that are still to be visited.
    outside: Vec<u32>,
    arrows: Vec<Arrow>,
    orders: Vec<u32>,
    /// The number of nodes to be visited before a parallel proof.
    n_first: usize,
    found_cycle: bool,
}

impl Stack {
    /// Merges the candidates above a live node; returns their marks.
    fn join(&mut self, order: u32, mut marks: u64) -> u64 {
        self.found_cycle = true;
        while let Some(root) = self.roots.pop_if(|root| root.order > order) {
            marks |= root.marks | root.incoming;
        }
        let root = self.roots.last_mut().expect("a live node is in a candidate");
        root.marks |= marks;
        root.marks
    }

    /// The top candidate.
    fn candidate(&self) -> Component {
        Component::new(self.live[self.roots.last().expect("there is a candidate").first..].to_vec())
    }
}

/// The result of visiting a node.
enum Entered {
    Fine,
    /// The top candidate is accepting.
    Accepting,
}

impl<S: ActionSystem> Product<'_, S> {
    /// Searches everything reachable from a node. Even if several workers are available, a sequential search visits
    /// some nodes first, because violations are often found early. If it finds no cycle, the workers try to prove that
    /// there is none.
    pub(super) fn find_component(&mut self, initial: Node, judge: &Judge, progress: &dyn Progress) -> Outcome {
        let Some(n_nodes) = self.n_to_eliminate(initial) else {
            return self.find_alone(initial, judge, usize::MAX, progress);
        };
        let n_first = n_nodes / FIRST_SHARE;
        if n_first >= STATES_PER_POLL {
            let outcome = self.find_alone(initial, judge, n_first, progress);
            if !matches!(outcome, Outcome::Paused) {
                return outcome;
            }
        }
        match self.prove_empty(initial, progress) {
            Proof::Empty(n_visited) => {
                self.nodes.set_visited(n_visited);
                Outcome::Empty
            }
            Proof::None => self.find_alone(initial, judge, usize::MAX, progress),
            Proof::Stopped(why) => Outcome::Stopped(why),
        }
    }

    /// Sequential search of everything reachable from a node, which pauses after `n_first` nodes without a cycle.
    fn find_alone(&mut self, initial: Node, judge: &Judge, n_first: usize, progress: &dyn Progress) -> Outcome {
        self.start_nodes();
        let mut stack = Stack { n_first, ..Stack::default() };
        if let Some(n_states) = self.n_idle(initial) {
            return self.scan(n_states, initial.observer_state, &mut stack, judge, progress);
        }
        let first = self.nodes.number(initial);
        stack.outside.push(first);
        self.search(&mut stack, judge, progress)
    }

    /// The result, if the search ends now.
    #[inline]
    fn end_now(&self, stack: &Stack, progress: &dyn Progress) -> Option<Outcome> {
        let n_visited = self.nodes.n_visited();
        if !n_visited.is_multiple_of(STATES_PER_POLL) {
            None
        } else if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(n_visited)) {
            Some(Outcome::Stopped(why))
        } else {
            (n_visited >= stack.n_first && !stack.found_cycle).then_some(Outcome::Paused)
        }
    }

    /// The number of states, if the automaton can idle from the initial node to each of them.
    pub(super) fn n_idle(&self, initial: Node) -> Option<usize> {
        let idles = self.regions.is_idle(self.automaton, self.automaton_state(initial)) && self.past.is_none();
        self.system.n_reachable().filter(|_| idles && initial.state == self.system.initial())
    }

    pub(super) fn start_nodes(&mut self) {
        self.nodes.start(self.system.n_reachable().unwrap_or(0));
    }

    /// Searches from all nodes in which the automaton is idle, which are paired with all states, so that they need no
    /// traversal.
    fn scan(
        &mut self,
        n_states: usize,
        observer_state: u32,
        stack: &mut Stack,
        judge: &Judge,
        progress: &dyn Progress,
    ) -> Outcome {
        let mut pace = Pace::default();
        for state in 0..n_states as u32 {
            if let Err(why) = pace.keep_on(1, progress) {
                return Outcome::Stopped(why);
            }
            let node = self.nodes.number(Node { state: StateId(state), observer_state });
            self.find_exits(node, &mut stack.arrows);
            stack.outside.extend(stack.arrows.iter().map(|arrow| arrow.target));
            match self.search(stack, judge, progress) {
                Outcome::Empty => {}
                outcome => return outcome,
            }
        }
        Outcome::Empty
    }

    /// Searches everything reachable from pending nodes outside of regions.
    fn search(&mut self, stack: &mut Stack, judge: &Judge, progress: &dyn Progress) -> Outcome {
        while let Some(number) = stack.outside.pop() {
            if self.nodes.order(number) != UNVISITED {
                continue;
            }
            let state = self.automaton_state(self.nodes.get(number));
            if self.regions.is_accepting(state) {
                match self.search_region(number, stack, judge, progress) {
                    Outcome::Empty => {}
                    outcome => return outcome,
                }
            } else {
                self.traverse(number, stack);
                if let Some(end) = self.end_now(stack, progress) {
                    return end;
                }
            }
        }
        Outcome::Empty
    }

    /// Adds the targets of the moves of a node.
    fn traverse(&mut self, number: u32, stack: &mut Stack) {
        self.nodes.visit(number);
        self.nodes.finish(number);
        self.find_arrows(number, &mut stack.arrows);
        for arrow in &stack.arrows {
            if self.nodes.order(arrow.target) == UNVISITED {
                stack.outside.push(arrow.target);
            }
        }
    }

    /// Searches all components of a region that are reachable from one of its nodes within it.
    fn search_region(&mut self, start: u32, stack: &mut Stack, judge: &Judge, progress: &dyn Progress) -> Outcome {
        if let Entered::Accepting = self.enter(start, 0, stack, judge) {
            return Outcome::Found(stack.candidate());
        }
        while let Some(&Frame { node, first }) = stack.frames.last() {
            if stack.pending.len() > first {
                let (target, marks) = stack.pending.pop().expect("there are moves left");
                let entered = match self.nodes.order(target) {
                    DONE => Entered::Fine,
                    UNVISITED => self.enter(target, marks, stack, judge),
                    order => self.follow_back(order, marks, stack, judge, false),
                };
                if let Entered::Accepting = entered {
                    return Outcome::Found(stack.candidate());
                }
                if let Some(end) = self.end_now(stack, progress) {
                    return end;
                }
                continue;
            }
            stack.frames.pop();
            let order = self.nodes.order(node);
            if let Some(root) = stack.roots.pop_if(|root| root.order == order) {
                if root.marks == self.all_marks() {
                    let component = Component::new(stack.live[root.first..].to_vec());
                    match self.fair_part(component, judge, progress) {
                        Ok(None) => {}
                        Ok(Some(component)) => return Outcome::Found(component),
                        Err(why) => return Outcome::Stopped(why),
                    }
                }
                for node in stack.live.drain(root.first..) {
                    self.nodes.finish(node);
                }
            }
        }
        Outcome::Empty
    }

    /// Visits a node of a region and computes its moves.
    fn enter(&mut self, number: u32, incoming: u64, stack: &mut Stack, judge: &Judge) -> Entered {
        let order = self.nodes.visit(number);
        stack.frames.push(Frame { node: number, first: stack.pending.len() });
        stack.roots.push(Root { order, first: stack.live.len(), marks: 0, incoming });
        stack.live.push(number);
        let state = self.automaton_state(self.nodes.get(number));
        self.find_arrows(number, &mut stack.arrows);
        // First all memory accesses, whose misses overlap, then what depends on them.
        stack.orders.clear();
        stack.orders.extend(stack.arrows.iter().map(|arrow| self.nodes.order(arrow.target)));
        for place in 0..stack.arrows.len() {
            let Arrow { target, automaton_state, marks, action } = stack.arrows[place];
            match stack.orders[place] {
                DONE => {}
                UNVISITED if self.regions.are_together(state, automaton_state) => stack.pending.push((target, marks)),
                UNVISITED => stack.outside.push(target),
                order => {
                    if let Entered::Accepting = self.follow_back(order, marks, stack, judge, action.is_none()) {
                        return Entered::Accepting;
                    }
                }
            }
        }
        Entered::Fine
    }

    /// Follows a move to a live node. Finite runs are fair.
    fn follow_back(&self, order: u32, marks: u64, stack: &mut Stack, judge: &Judge, has_ended: bool) -> Entered {
        let marks = stack.join(order, marks);
        let is_fair = judge.is_lenient() || has_ended;
        if marks == self.all_marks() && is_fair { Entered::Accepting } else { Entered::Fine }
    }
}
