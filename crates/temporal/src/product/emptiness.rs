//! Looks for a strongly connected component with all marks, while nodes are being made.
//!
//! Tarjan's search in Couvreur's form: a stack of candidate components with the marks of their moves, joined when a move
//! leads back. Without fairness the search ends as soon as a candidate has all marks. With fairness a component is judged when
//! it is complete, because only then it is known what is possible in it.

use super::component::Component;
use super::fairness::Judge;
use super::nodes::Node;
use super::{Cursor, Product};
use crate::system::System;
use fixedbitset::FixedBitSet;

/// Nodes between two questions whether to go on.
const PATIENCE: usize = 1 << 12;

/// How a search ended.
pub(super) enum Outcome {
    /// Every component was looked at.
    Empty,
    /// This one is a run that breaks the property.
    Found(Component),
    /// Somebody asked to stop.
    Stopped,
}

struct Frame {
    node: u32,
    cursor: Cursor,
}

/// A candidate: a component as far as it is known.
struct Root {
    node: u32,
    /// Where its nodes begin among the live ones.
    first: usize,
    marks: u64,
    /// The marks of the move that led to it.
    incoming: u64,
}

/// The search, with all that is not finished.
struct Stack {
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Nodes whose component is not complete, in the order in which they were met.
    live: Vec<u32>,
    is_live: FixedBitSet,
}

impl Stack {
    fn push(&mut self, node: u32, incoming: u64) {
        self.frames.push(Frame { node, cursor: Cursor::default() });
        self.roots.push(Root { node, first: self.live.len(), marks: 0, incoming });
        self.live.push(node);
        if self.is_live.len() <= node as usize {
            self.is_live.grow((node as usize + 1) * 2);
        }
        self.is_live.insert(node as usize);
    }

    /// Joins the candidates on the way back to a live node; returns the marks of all of them.
    fn join(&mut self, node: u32, mut marks: u64) -> u64 {
        while let Some(root) = self.roots.pop_if(|root| root.node > node) {
            marks |= root.marks | root.incoming;
        }
        let root = self.roots.last_mut().expect("a live node is in a candidate");
        root.marks |= marks;
        root.marks
    }
}

impl<S: System> Product<'_, S> {
    /// Looks at everything reachable from a node, when there are no nodes yet.
    pub(super) fn find_component(
        &mut self,
        initial: Node,
        judge: &Judge,
        keep_on: &mut dyn FnMut(usize) -> bool,
    ) -> Outcome {
        let all_marks = self.all_marks();
        let (first, is_new) = self.nodes.number(initial);
        debug_assert!(is_new, "a search begins with no nodes");
        let mut stack = Stack { frames: Vec::new(), roots: Vec::new(), live: Vec::new(), is_live: FixedBitSet::new() };
        stack.push(first, 0);
        while let Some(frame) = stack.frames.last_mut() {
            let node = self.nodes.get(frame.node);
            if let Some(next) = self.next(node, &mut frame.cursor) {
                let (target, is_new) = self.nodes.number(next.target);
                if is_new {
                    if (target as usize).is_multiple_of(PATIENCE) && !keep_on(self.nodes.len()) {
                        return Outcome::Stopped;
                    }
                    stack.push(target, next.marks);
                } else if stack.is_live.contains(target as usize) {
                    let marks = stack.join(target, next.marks);
                    if marks == all_marks && (judge.is_lenient() || next.action.is_none()) {
                        let first = stack.roots.last().expect("there is a candidate").first;
                        return Outcome::Found(Component::new(stack.live[first..].to_vec()));
                    }
                }
                continue;
            }
            let node = frame.node;
            stack.frames.pop();
            if let Some(root) = stack.roots.pop_if(|root| root.node == node) {
                if root.marks == all_marks {
                    let component = Component::new(stack.live[root.first..].to_vec());
                    match self.fair_part(component, judge, keep_on) {
                        Ok(None) => {}
                        Ok(Some(component)) => return Outcome::Found(component),
                        Err(_) => return Outcome::Stopped,
                    }
                }
                for node in stack.live.drain(root.first..) {
                    stack.is_live.remove(node as usize);
                }
            }
        }
        Outcome::Empty
    }
}
