//! Looks for a strongly connected component with all marks, while nodes are being made.
//!
//! Nodes where the automaton cannot accept are only walked through. In each of its accepting regions goes Tarjan's
//! search in Couvreur's form: a stack of candidate components with the marks of their moves, joined when a move leads
//! back. Without fairness the search ends as soon as a candidate has all marks. With fairness a component is judged
//! when it is complete, because only then it is known what is possible in it. So this search is not that of the crate
//! `graphs`: it ends inside components, knows marks, and makes the nodes that it walks through.
//!
//! The moves of a node are all looked at when it is met, so that their targets are fetched from memory together.

use super::Product;
use super::component::Component;
use super::fairness::Judge;
use super::nodes::{DONE, Node, UNMET};
use super::pace::Pace;
use super::table::Arrow;
use super::whole::Proof;
use crate::system::ActionSystem;
use limits::effort::products::FIRST_SHARE;
use limits::intervals::polling::STATES_PER_POLL;
use lts::StateId;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// How a search ended.
pub(super) enum Outcome {
    /// Every component was looked at.
    Empty,
    /// This one is a run that breaks the property.
    Found(Component),
    /// Somebody asked to stop.
    Stopped(Interrupt),
    /// As many nodes were met as wanted first, and nothing went round.
    Paused,
}

struct Frame {
    node: u32,
    /// Where the moves begin that are still to be followed.
    first: usize,
}

/// A candidate: a component as far as it is known.
struct Root {
    order: u32,
    /// Where its nodes begin among the live ones.
    first: usize,
    marks: u64,
    /// The marks of the move that led to it.
    incoming: u64,
}

/// The search, with all that is not finished.
#[derive(Default)]
struct Stack {
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Nodes whose component is not complete, in the order in which they were met.
    live: Vec<u32>,
    /// Moves within the region that are to be followed.
    pending: Vec<(u32, u64)>,
    /// Nodes outside of the region that moves lead to.
    outside: Vec<u32>,
    arrows: Vec<Arrow>,
    orders: Vec<u32>,
    /// Nodes to be met before others are asked for help.
    n_first: usize,
    has_gone_round: bool,
}

impl Stack {
    /// Joins the candidates on the way back to a live node; returns the marks of all of them.
    fn join(&mut self, order: u32, mut marks: u64) -> u64 {
        self.has_gone_round = true;
        while let Some(root) = self.roots.pop_if(|root| root.order > order) {
            marks |= root.marks | root.incoming;
        }
        let root = self.roots.last_mut().expect("a live node is in a candidate");
        root.marks |= marks;
        root.marks
    }

    /// The candidate on top.
    fn candidate(&self) -> Component {
        Component::new(self.live[self.roots.last().expect("there is a candidate").first..].to_vec())
    }
}

/// What became of a node that was entered.
enum Entered {
    Fine,
    /// The candidate on top is what was looked for.
    Accepting,
}

impl<S: ActionSystem> Product<'_, S> {
    /// Looks at everything reachable from a node. If many can do so at the same time, one begins all the same, because
    /// what breaks the property is often found soon. What the others can do is to prove that nothing goes round: so
    /// they are only asked if nothing has by then.
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
            Proof::Empty(n_met) => {
                self.nodes.set_met(n_met);
                Outcome::Empty
            }
            Proof::None => self.find_alone(initial, judge, usize::MAX, progress),
            Proof::Stopped(why) => Outcome::Stopped(why),
        }
    }

    /// Looks at everything reachable from a node, or at so many nodes, if nothing has gone round by then.
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

    /// How a search ends now, if it does.
    #[inline]
    fn end_now(&self, stack: &Stack, progress: &dyn Progress) -> Option<Outcome> {
        let n_met = self.nodes.n_met();
        if !n_met.is_multiple_of(STATES_PER_POLL) {
            None
        } else if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(n_met)) {
            Some(Outcome::Stopped(why))
        } else {
            (n_met >= stack.n_first && !stack.has_gone_round).then_some(Outcome::Paused)
        }
    }

    /// How many states there are, if the automaton can idle from the first node to each of them.
    pub(super) fn n_idle(&self, initial: Node) -> Option<usize> {
        let idles = self.regions.is_idle(self.automaton, self.automaton_state(initial)) && self.past.is_none();
        self.system.n_reachable().filter(|_| idles && initial.state == self.system.initial())
    }

    pub(super) fn start_nodes(&mut self) {
        self.nodes.start(self.system.n_reachable().unwrap_or(0));
    }

    /// Looks at everything reachable from nodes in which the automaton idles, which is all states: these need not be
    /// walked through one after the other.
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

    /// Looks at everything reachable from the nodes outside of regions searched so far.
    fn search(&mut self, stack: &mut Stack, judge: &Judge, progress: &dyn Progress) -> Outcome {
        while let Some(number) = stack.outside.pop() {
            if self.nodes.order(number) != UNMET {
                continue;
            }
            let state = self.automaton_state(self.nodes.get(number));
            if self.regions.is_accepting(state) {
                match self.search_region(number, stack, judge, progress) {
                    Outcome::Empty => {}
                    outcome => return outcome,
                }
            } else {
                self.walk_through(number, stack);
                if let Some(end) = self.end_now(stack, progress) {
                    return end;
                }
            }
        }
        Outcome::Empty
    }

    /// Notes where the moves of a node lead.
    fn walk_through(&mut self, number: u32, stack: &mut Stack) {
        self.nodes.meet(number);
        self.nodes.finish(number);
        self.find_arrows(number, &mut stack.arrows);
        for arrow in &stack.arrows {
            if self.nodes.order(arrow.target) == UNMET {
                stack.outside.push(arrow.target);
            }
        }
    }

    /// Looks at all components of a region that can be reached from one of its nodes within it.
    fn search_region(&mut self, start: u32, stack: &mut Stack, judge: &Judge, progress: &dyn Progress) -> Outcome {
        if let Entered::Accepting = self.enter(start, 0, stack, judge) {
            return Outcome::Found(stack.candidate());
        }
        while let Some(&Frame { node, first }) = stack.frames.last() {
            if stack.pending.len() > first {
                let (target, marks) = stack.pending.pop().expect("there are moves left");
                let entered = match self.nodes.order(target) {
                    DONE => Entered::Fine,
                    UNMET => self.enter(target, marks, stack, judge),
                    order => self.lead_back(order, marks, stack, judge, false),
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

    /// Meets a node of a region and looks at its moves.
    fn enter(&mut self, number: u32, incoming: u64, stack: &mut Stack, judge: &Judge) -> Entered {
        let order = self.nodes.meet(number);
        stack.frames.push(Frame { node: number, first: stack.pending.len() });
        stack.roots.push(Root { order, first: stack.live.len(), marks: 0, incoming });
        stack.live.push(number);
        let state = self.automaton_state(self.nodes.get(number));
        self.find_arrows(number, &mut stack.arrows);
        // First all looks into the memory, which can be waited for together, then what depends on them.
        stack.orders.clear();
        stack.orders.extend(stack.arrows.iter().map(|arrow| self.nodes.order(arrow.target)));
        for place in 0..stack.arrows.len() {
            let Arrow { target, automaton_state, marks, action } = stack.arrows[place];
            match stack.orders[place] {
                DONE => {}
                UNMET if self.regions.are_together(state, automaton_state) => stack.pending.push((target, marks)),
                UNMET => stack.outside.push(target),
                order => {
                    if let Entered::Accepting = self.lead_back(order, marks, stack, judge, action.is_none()) {
                        return Entered::Accepting;
                    }
                }
            }
        }
        Entered::Fine
    }

    /// Follows a move to a live node. Runs that have ended are fair.
    fn lead_back(&self, order: u32, marks: u64, stack: &mut Stack, judge: &Judge, has_ended: bool) -> Entered {
        let marks = stack.join(order, marks);
        let is_fair = judge.is_lenient() || has_ended;
        if marks == self.all_marks() && is_fair { Entered::Accepting } else { Entered::Fine }
    }
}
