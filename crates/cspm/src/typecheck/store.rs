//! Graph of types, with union-find.
//!
//! All types are nodes of one growing vector; a [`Ty`] is an index. A solved variable is a link to its solution, and
//! [`Store::find`] compresses paths of links, so types are shared and never rewritten. Nodes record monotone facts
//! (ground, satisfies a constraint), which lets the solver skip whole types: that keeps deep and wide scripts linear.

use super::constraint::{Constraint, Constraints};
use crate::resolve::NameId;

/// Number of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub(super) u32);

impl Ty {
    /// The error type, which unifies with every type.
    pub const ERROR: Ty = Ty(0);
    pub(super) const INT: Ty = Ty(1);
    pub(super) const BOOL: Ty = Ty(2);
    pub(super) const CHAR: Ty = Ty(3);
    pub(super) const PROC: Ty = Ty(4);
    pub(super) const EVENT: Ty = Ty(5);
    /// Solution of the open part of an extendable type that needs no further fields.
    pub(super) const NO_FIELDS: Ty = Ty(6);
    pub(super) const STRING: Ty = Ty(7);
    pub(super) const EVENT_SET: Ty = Ty(8);
    pub(super) const INT_SET: Ty = Ty(9);
    pub(super) const INT_SEQ: Ty = Ty(10);
    /// Not yet inferred; never reaches the solver.
    pub(super) const NONE: Ty = Ty(u32::MAX);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range in [`Store::list`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct List {
    start: u32,
    len: u32,
}

impl List {
    pub fn len(self) -> usize {
        self.len as usize
    }
}

/// A type constructor with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// A solved variable.
    Link(Ty),
    /// A variable. Its level is the depth of the declaration that may generalise it.
    Var {
        level: u32,
        constraints: Constraints,
    },
    /// A variable of an annotation, equal to itself only (skolem constant).
    Rigid {
        level: u32,
        constraints: Constraints,
        name: NameId,
    },
    Error,
    Int,
    Bool,
    Char,
    Proc,
    Event,
    NoFields,
    Datatype(NameId),
    Set(Ty),
    Seq(Ty),
    Map(Ty, Ty),
    Tuple(List),
    Function(List, Ty),
    /// `a.b`.
    Dot(Ty, Ty),
    /// `a => b`: dotted with an `a`, it makes a `b`.
    Dotable(Ty, Ty),
    /// `v =>* b`: dotted with the fields that the variable `v` stands for, it makes a `b`.
    Extendable(Ty, Ty),
}

/// No variable occurs in it.
const GROUND: u8 = 1;
/// Ground, and without dots to be evaluated.
const PLAIN: u8 = 2;
/// The first of the bits for satisfied constraints.
const MEETS: u8 = 4;

/// The types of a script.
#[derive(Debug)]
pub(super) struct Store {
    nodes: Vec<Node>,
    facts: Vec<u8>,
    lists: Vec<Ty>,
    n_solved: usize,
}

impl Store {
    pub fn new() -> Store {
        let mut store = Store { nodes: Vec::new(), facts: Vec::new(), lists: Vec::new(), n_solved: 0 };
        let atoms = [Node::Error, Node::Int, Node::Bool, Node::Char, Node::Proc, Node::Event, Node::NoFields];
        for atom in atoms {
            store.add(atom);
        }
        let common = [Node::Seq(Ty::CHAR), Node::Set(Ty::EVENT), Node::Set(Ty::INT), Node::Seq(Ty::INT)];
        for node in common {
            store.add(node);
        }
        store
    }

    pub fn add(&mut self, node: Node) -> Ty {
        let facts = self.facts_of(node);
        self.nodes.push(node);
        self.facts.push(facts);
        Ty(self.nodes.len() as u32 - 1)
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub fn add_list(&mut self, items: &[Ty]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(items);
        List { start, len: items.len() as u32 }
    }

    pub fn list(&self, list: List) -> &[Ty] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    pub fn tuple(&mut self, items: &[Ty]) -> Ty {
        let list = self.add_list(items);
        self.add(Node::Tuple(list))
    }

    pub fn function(&mut self, arguments: &[Ty], result: Ty) -> Ty {
        let list = self.add_list(arguments);
        self.add(Node::Function(list, result))
    }

    /// `items[0].items[1]...`; the list is not empty.
    pub fn dots(&mut self, items: &[Ty]) -> Ty {
        let (&last, rest) = items.split_last().expect("a dotted type has parts");
        rest.iter().rev().fold(last, |tail, &head| self.add(Node::Dot(head, tail)))
    }

    /// `fields[0] => fields[1] => ... => result`.
    pub fn dotable(&mut self, fields: &[Ty], result: Ty) -> Ty {
        fields.iter().rev().fold(result, |tail, &field| self.add(Node::Dotable(field, tail)))
    }

    fn facts_of(&self, node: Node) -> u8 {
        let all = |types: &[Ty]| types.iter().fold(GROUND | PLAIN, |facts, &t| facts & self.facts[t.index()]);
        match node {
            Node::Link(_) | Node::Var { .. } | Node::Rigid { .. } | Node::Extendable(..) => 0,
            Node::Set(t) | Node::Seq(t) => all(&[t]),
            Node::Map(key, value) => all(&[key, value]),
            Node::Tuple(items) => all(self.list(items)),
            Node::Function(arguments, result) => all(self.list(arguments)) & all(&[result]),
            Node::Dot(left, right) => all(&[left, right]) & !PLAIN,
            Node::Dotable(field, rest) => all(&[field, rest]),
            _ => GROUND | PLAIN,
        }
    }

    /// The node of a type, with links followed and solved extensions opened.
    pub fn node(&mut self, t: Ty) -> Node {
        let t = self.find(t);
        self.nodes[t.index()]
    }

    /// The node of an index that [`Store::find`] returned.
    pub fn node_at(&self, t: Ty) -> Node {
        self.nodes[t.index()]
    }

    /// The representative of `t`.
    pub fn find(&mut self, t: Ty) -> Ty {
        match self.nodes[t.index()] {
            Node::Link(next) => self.find_link(t, next),
            Node::Extendable(fields, result) => self.find_extendable(t, fields, result),
            _ => t,
        }
    }

    fn find_link(&mut self, t: Ty, next: Ty) -> Ty {
        let mut root = next;
        while let Node::Link(next) = self.nodes[root.index()] {
            root = next;
        }
        if let Node::Extendable(fields, result) = self.nodes[root.index()] {
            root = self.find_extendable(root, fields, result);
        }
        let mut at = t;
        while let Node::Link(next) = self.nodes[at.index()] {
            self.nodes[at.index()] = Node::Link(root);
            at = next;
        }
        root
    }

    /// Opens one field of an extendable type whose variable was solved.
    fn find_extendable(&mut self, t: Ty, fields: Ty, result: Ty) -> Ty {
        let fields = self.find(fields);
        let opened = match self.nodes[fields.index()] {
            Node::Var { .. } | Node::Rigid { .. } => {
                self.nodes[t.index()] = Node::Extendable(fields, result);
                return t;
            }
            Node::Error => Ty::ERROR,
            Node::NoFields => self.find(result),
            Node::Dotable(field, more) => {
                let rest = self.add(Node::Extendable(more, result));
                self.add(Node::Dotable(field, rest))
            }
            _ => self.add(Node::Dotable(fields, result)),
        };
        self.nodes[t.index()] = Node::Link(opened);
        opened
    }

    /// [`Store::find`] without path compression, for finished types; shows one layer of an opened extension.
    pub fn view(&self, t: Ty) -> Node {
        let mut t = t;
        loop {
            match self.nodes[t.index()] {
                Node::Link(next) => t = next,
                Node::Extendable(fields, result) => match self.view(fields) {
                    Node::NoFields => t = result,
                    Node::Error => return Node::Error,
                    _ => return Node::Extendable(fields, result),
                },
                node => return node,
            }
        }
    }

    /// Solves a variable.
    pub fn link(&mut self, variable: Ty, solution: Ty) {
        debug_assert!(matches!(self.nodes[variable.index()], Node::Var { .. }));
        if variable != solution {
            self.nodes[variable.index()] = Node::Link(solution);
            self.n_solved += 1;
        }
    }

    /// The number of solved variables.
    pub fn n_solved(&self) -> usize {
        self.n_solved
    }

    /// Changes the level or the constraints of a variable.
    pub fn update(&mut self, variable: Ty, node: Node) {
        debug_assert!(matches!(self.nodes[variable.index()], Node::Var { .. } | Node::Rigid { .. }));
        self.nodes[variable.index()] = node;
    }

    pub fn is_ground(&self, t: Ty) -> bool {
        self.facts[t.index()] & GROUND != 0
    }

    pub fn is_plain(&self, t: Ty) -> bool {
        self.facts[t.index()] & PLAIN != 0
    }

    pub fn meets(&self, t: Ty, constraint: Constraint) -> bool {
        self.facts[t.index()] & (MEETS << constraint as u8) != 0
    }

    /// Records that `t` satisfies a constraint; its variables have the required constraints, so it remains true.
    pub fn remember(&mut self, t: Ty, constraint: Constraint) {
        self.facts[t.index()] |= MEETS << constraint as u8;
    }

    /// Records that no variable is left in `t`.
    pub fn set_ground(&mut self, t: Ty) {
        self.facts[t.index()] |= GROUND;
    }

    /// Records that no variable and no dot to be evaluated is left in `t`.
    pub fn set_plain(&mut self, t: Ty) {
        self.facts[t.index()] |= GROUND | PLAIN;
    }

    /// Visits the arguments of `node`.
    pub fn for_children(&self, node: Node, mut visit: impl FnMut(Ty)) {
        match node {
            Node::Set(t) | Node::Seq(t) | Node::Link(t) => visit(t),
            Node::Map(a, b) | Node::Dot(a, b) | Node::Dotable(a, b) | Node::Extendable(a, b) => {
                visit(a);
                visit(b);
            }
            Node::Tuple(items) => self.list(items).iter().for_each(|&t| visit(t)),
            Node::Function(arguments, result) => {
                self.list(arguments).iter().for_each(|&t| visit(t));
                visit(result);
            }
            _ => {}
        }
    }
}
