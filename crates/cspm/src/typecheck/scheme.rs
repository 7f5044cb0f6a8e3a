//! Generalisation and instantiation, by levels (D. Rémy, "Extension of ML Type System with a Sorted Equational Theory
//! on Types", 1992).
//!
//! A variable has the level of the declaration that it was created for, and moves to an outer level when it becomes
//! part of an outer type. The variables left on the inner level at the end of the declaration are generalised.

use super::constraint::Constraints;
use super::solve::Solver;
use super::store::{List, Node, Ty};
use hashbrown::{HashMap, HashSet};

impl Solver {
    /// Lowers the levels in `t` to the current one, which prevents generalisation.
    pub fn keep_monomorphic(&mut self, t: Ty) {
        self.refuel();
        // When fuel runs out some variables keep their level, which only makes them more general.
        let _ = self.occurs(Ty::NONE, self.level, t);
    }

    /// The variables in `t` with a deeper level than the current one.
    pub fn generalizable(&mut self, t: Ty) -> Vec<Ty> {
        let mut variables = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            let t = self.store.find(t);
            if self.store.is_ground(t) || !seen.insert(t) {
                continue;
            }
            match self.store.node_at(t) {
                Node::Var { level, .. } | Node::Rigid { level, .. } => {
                    if level > self.level {
                        variables.push(t);
                    }
                }
                node => self.store.for_children(node, |child| pending.push(child)),
            }
        }
        variables
    }

    /// A copy of `t` with fresh variables for `quantified`.
    pub fn instantiate(&mut self, quantified: &[Ty], t: Ty) -> Ty {
        if quantified.is_empty() {
            return t;
        }
        let mut copies = std::mem::take(&mut self.copies);
        copies.clear();
        for &variable in quantified {
            let constraints = match self.store.node_at(variable) {
                Node::Var { constraints, .. } | Node::Rigid { constraints, .. } => constraints,
                _ => Constraints::NONE,
            };
            let copy = self.fresh(constraints);
            copies.insert(variable, copy);
        }
        let copy = self.copy(&mut copies, t);
        self.copies = copies;
        copy
    }

    fn copy(&mut self, copies: &mut HashMap<Ty, Ty>, t: Ty) -> Ty {
        let t = self.store.find(t);
        if self.store.is_ground(t) {
            return t;
        }
        if let Some(&copy) = copies.get(&t) {
            return copy;
        }
        let node = self.store.node_at(t);
        let copy = crate::stack::grow(|| self.copy_node(copies, t, node));
        copies.insert(t, copy);
        copy
    }

    fn copy_node(&mut self, copies: &mut HashMap<Ty, Ty>, t: Ty, node: Node) -> Ty {
        let node = match node {
            Node::Set(item) => Node::Set(self.copy(copies, item)),
            Node::Seq(item) => Node::Seq(self.copy(copies, item)),
            Node::Map(key, value) => Node::Map(self.copy(copies, key), self.copy(copies, value)),
            Node::Dot(left, right) => Node::Dot(self.copy(copies, left), self.copy(copies, right)),
            Node::Dotable(field, rest) => Node::Dotable(self.copy(copies, field), self.copy(copies, rest)),
            Node::Extendable(fields, result) => Node::Extendable(self.copy(copies, fields), self.copy(copies, result)),
            Node::Tuple(items) => Node::Tuple(self.copy_list(copies, items)),
            Node::Function(arguments, result) => {
                Node::Function(self.copy_list(copies, arguments), self.copy(copies, result))
            }
            _ => return t,
        };
        self.store.add(node)
    }

    fn copy_list(&mut self, copies: &mut HashMap<Ty, Ty>, list: List) -> List {
        let items: Vec<Ty> = (0..list.len()).map(|i| self.copy(copies, self.store.list(list)[i])).collect();
        self.store.add_list(&items)
    }
}
