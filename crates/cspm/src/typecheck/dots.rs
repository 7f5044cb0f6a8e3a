//! Types of dotted expressions.
//!
//! A dotted type is a list. A head `t => r` consumes the following argument as its next field, and becomes `r`: one
//! field for each argument, except that an unknown last argument consumes all remaining fields. An argument that misses
//! fields itself (`u => t`) passes them on: `t => r` dotted with it is `u => r`. Two lists are equal if their elements
//! are, where a last single element equals the rest of the other list.

use super::solve::{Clash, Solver};
use super::store::{Node, Ty};
pub(super) use limits::input::cspm::MAX_DOTTED_PARTS;

/// The number of fields that an unknown last argument consumes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastTakes {
    AllFields,
    OneField,
}

/// One of two types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Expected,
    Actual,
}

impl Solver {
    /// The components of a dotted type; a singleton if it is not dotted.
    pub fn dot_list(&mut self, t: Ty) -> Vec<Ty> {
        let mut items = Vec::new();
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            let t = self.store.find(t);
            match self.store.node_at(t) {
                Node::Dot(left, right) => pending.extend([right, left]),
                _ => items.push(t),
            }
            if items.len() > MAX_DOTTED_PARTS {
                self.exhaust();
                return vec![Ty::ERROR];
            }
        }
        items
    }

    /// The missing fields of `t`, and its result.
    pub fn fields_and_result(&mut self, t: Ty) -> (Vec<Ty>, Ty) {
        let mut fields = Vec::new();
        let mut t = self.store.find(t);
        while let Node::Dotable(field, rest) = self.store.node_at(t) {
            match self.store.node(field) {
                Node::Dot(..) => fields.extend(self.dot_list(field)),
                _ => fields.push(self.store.find(field)),
            }
            t = self.store.find(rest);
        }
        (fields, t)
    }

    pub(super) fn evaluate_dots(&mut self, t: Ty) -> Result<Ty, Clash> {
        let t = self.store.find(t);
        if self.store.is_plain(t) {
            return Ok(t);
        }
        self.spend()?;
        match self.store.node_at(t) {
            Node::Dot(..) => {
                let items = self.evaluate_dot_list(t)?;
                Ok(self.store.dots(&items))
            }
            node @ (Node::Set(_) | Node::Seq(_) | Node::Map(..) | Node::Tuple(_) | Node::Function(..)) => {
                let key = (t, self.store.n_solved());
                if let Some(&known) = self.shared.evaluated.get(&key) {
                    return Ok(known);
                }
                let evaluated = crate::stack::grow(|| self.evaluate_inside(t, node))?;
                if self.takes_long() && self.store.n_solved() == key.1 {
                    self.shared.evaluated.insert(key, evaluated);
                }
                Ok(evaluated)
            }
            _ => Ok(t),
        }
    }

    fn evaluate_inside(&mut self, t: Ty, node: Node) -> Result<Ty, Clash> {
        let mut changed = false;
        let mut all_plain = true;
        let mut evaluate = |solver: &mut Solver, item: Ty| {
            let before = solver.store.find(item);
            let after = solver.evaluate_dots(item)?;
            changed |= after != before;
            all_plain &= solver.store.is_plain(after);
            Ok(after)
        };
        let node = match node {
            Node::Set(item) => Node::Set(evaluate(self, item)?),
            Node::Seq(item) => Node::Seq(evaluate(self, item)?),
            Node::Map(key, value) => Node::Map(evaluate(self, key)?, evaluate(self, value)?),
            Node::Tuple(list) | Node::Function(list, _) => {
                let items: Vec<Ty> =
                    (0..list.len()).map(|i| evaluate(self, self.store.list(list)[i])).collect::<Result<_, Clash>>()?;
                let result = match node {
                    Node::Function(_, result) => Some(evaluate(self, result)?),
                    _ => None,
                };
                let list = if changed { self.store.add_list(&items) } else { list };
                result.map_or(Node::Tuple(list), |result| Node::Function(list, result))
            }
            _ => return Ok(t),
        };
        if changed {
            return Ok(self.store.add(node));
        }
        if all_plain {
            self.store.set_plain(t);
        }
        Ok(t)
    }

    /// The components of a dotted type, with given fields consumed.
    pub(super) fn evaluate_dot_list(&mut self, t: Ty) -> Result<Vec<Ty>, Clash> {
        let items = self.dot_list(t);
        self.take_fields(items, LastTakes::AllFields)
    }

    fn take_fields(&mut self, mut items: Vec<Ty>, last_takes: LastTakes) -> Result<Vec<Ty>, Clash> {
        items.reverse();
        let mut done = Vec::new();
        while let Some(head) = items.pop() {
            self.spend()?;
            let head = self.store.find(head);
            let node = self.store.node_at(head);
            if node == Node::Error {
                return Ok(vec![Ty::ERROR]);
            }
            match (node, items.len()) {
                (Node::Dot(left, right), _) => items.extend([right, left]),
                (_, 0) => done.push(head),
                (Node::Dotable(field, rest), 1) if self.is_variable(items[0]) => {
                    done.push(self.take_last(head, field, rest, items[0], last_takes)?);
                    break;
                }
                (Node::Dotable(field, rest), _) => {
                    let argument = items.pop().expect("one argument is left");
                    let rest = self.take_field(field, rest, argument)?;
                    items.push(rest);
                }
                (Node::Extendable(fields, result), _) => {
                    let result = self.take_open_fields(head, fields, result, &mut items, last_takes)?;
                    items.push(result);
                }
                _ => done.push(head),
            }
        }
        Ok(done)
    }

    /// `field => rest` dotted with one argument.
    fn take_field(&mut self, field: Ty, rest: Ty, argument: Ty) -> Result<Ty, Clash> {
        let argument = self.store.find(argument);
        match self.store.node_at(argument) {
            Node::Extendable(fields, result) => {
                self.unify(field, result)?;
                Ok(self.store.add(Node::Extendable(fields, rest)))
            }
            Node::Dotable(..) if !matches!(self.store.node(field), Node::Dotable(..)) => {
                let (missing, result) = self.fields_and_result(argument);
                self.unify(field, result)?;
                Ok(self.store.dotable(&missing, rest))
            }
            _ => {
                self.unify(field, argument)?;
                Ok(rest)
            }
        }
    }

    /// `field => rest` dotted with an unknown last argument.
    fn take_last(&mut self, head: Ty, field: Ty, rest: Ty, last: Ty, takes: LastTakes) -> Result<Ty, Clash> {
        match takes {
            LastTakes::AllFields => {
                let (fields, result) = self.fields_and_result(head);
                let all = self.store.dots(&fields);
                self.unify(last, all)?;
                Ok(result)
            }
            LastTakes::OneField => {
                self.unify(field, last)?;
                Ok(rest)
            }
        }
    }

    /// Solves the open fields of an extendable head by the arguments after it.
    fn take_open_fields(
        &mut self,
        head: Ty,
        fields: Ty,
        result: Ty,
        items: &mut Vec<Ty>,
        takes: LastTakes,
    ) -> Result<Ty, Clash> {
        let given = match takes {
            LastTakes::AllFields => {
                let all = items.drain(..).rev().collect();
                self.take_fields(all, takes)?
            }
            LastTakes::OneField => items.pop().into_iter().collect(),
        };
        let solution = self.store.dotable(&given, Ty::NO_FIELDS);
        self.solve_fields(fields, solution, head)?;
        Ok(result)
    }

    fn is_variable(&mut self, t: Ty) -> bool {
        matches!(self.store.node(t), Node::Var { .. } | Node::Rigid { .. })
    }

    pub(super) fn unify_dots(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        let (e, a) = (self.dot_list(expected), self.dot_list(actual));
        let items = self.unify_dot_lists(e, a)?;
        Ok(self.store.dots(&items))
    }

    /// Unifies two dot lists, which are not empty.
    fn unify_dot_lists(&mut self, mut e: Vec<Ty>, mut a: Vec<Ty>) -> Result<Vec<Ty>, Clash> {
        e.reverse();
        a.reverse();
        let mut done = Vec::new();
        while let (Some(&head_e), Some(&head_a)) = (e.last(), a.last()) {
            self.spend()?;
            if self.open_head(&mut e) | self.open_head(&mut a) {
                continue;
            }
            if e.len() == 1 || a.len() == 1 {
                let (whole_e, whole_a) = (self.dots_reversed(&e), self.dots_reversed(&a));
                done.push(self.unify(whole_e, whole_a)?);
                return Ok(done);
            }
            let (side, own, other) = match (self.store.node(head_e), self.store.node(head_a)) {
                (Node::Dotable(..), _) => (Side::Expected, &mut e, &mut a),
                (_, Node::Dotable(..)) => (Side::Actual, &mut a, &mut e),
                _ => {
                    done.push(self.unify(head_e, head_a)?);
                    e.pop();
                    a.pop();
                    continue;
                }
            };
            if self.takes_all_fields(own) {
                let other = other.drain(..).rev().collect();
                self.give_all_fields(side, own, other, &mut done)?;
                return Ok(done);
            }
            self.take_next_field(own)?;
        }
        Ok(done)
    }

    /// Whether a reversed list is `field => rest` with one unknown argument, which then denotes all fields.
    fn takes_all_fields(&mut self, reversed: &[Ty]) -> bool {
        let &[last, head] = reversed else { return false };
        let Node::Dotable(field, _) = self.store.node(head) else { return false };
        self.is_variable(last) && !matches!(self.store.node(field), Node::Dotable(..))
    }

    /// Solves the unknown last argument of the reversed list `own` by the fields of its head, followed by the rest of
    /// `other` after its result.
    fn give_all_fields(&mut self, side: Side, own: &[Ty], other: Vec<Ty>, done: &mut Vec<Ty>) -> Result<(), Clash> {
        let (fields, result) = self.fields_and_result(own[1]);
        let others = self.take_fields(other, LastTakes::AllFields)?;
        let all: Vec<Ty> = fields.into_iter().chain(others[1..].iter().copied()).collect();
        match side {
            Side::Expected => {
                done.push(self.unify(result, others[0])?);
                self.unify_dot_lists(all, vec![own[0]])?;
            }
            Side::Actual => {
                done.push(self.unify(others[0], result)?);
                self.unify_dot_lists(vec![own[0]], all)?;
            }
        }
        done.extend_from_slice(&others[1..]);
        Ok(())
    }

    /// The head of a reversed list consumes the next argument.
    fn take_next_field(&mut self, reversed: &mut Vec<Ty>) -> Result<(), Clash> {
        if let (Some(head), Some(argument)) = (reversed.pop(), reversed.pop())
            && let Node::Dotable(field, rest) = self.store.node(head)
        {
            let rest = self.take_closed_field(field, rest, argument)?;
            reversed.push(rest);
        }
        Ok(())
    }

    /// [`Solver::take_field`] for unification instead of evaluation: an open argument is closed.
    fn take_closed_field(&mut self, field: Ty, rest: Ty, argument: Ty) -> Result<Ty, Clash> {
        match self.store.node(argument) {
            Node::Extendable(..) => {
                self.unify(field, argument)?;
                Ok(rest)
            }
            _ => self.take_field(field, rest, argument),
        }
    }

    /// Replaces a dotted head of a reversed list by its components.
    fn open_head(&mut self, reversed: &mut Vec<Ty>) -> bool {
        let Some(&head) = reversed.last() else { return false };
        let dotted = matches!(self.store.node(head), Node::Dot(..));
        if dotted {
            reversed.pop();
            let parts = self.dot_list(head);
            reversed.extend(parts.into_iter().rev());
        }
        dotted
    }

    fn dots_reversed(&mut self, reversed: &[Ty]) -> Ty {
        let items: Vec<Ty> = reversed.iter().rev().copied().collect();
        self.store.dots(&items)
    }

    /// Unifies `a => b => r` with `c => d => s`.
    pub(super) fn unify_dotables(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        let (fields_e, result_e) = self.fields_and_result(expected);
        let (fields_a, result_a) = self.fields_and_result(actual);
        let open_e = matches!(self.store.node_at(result_e), Node::Extendable(..));
        let open_a = matches!(self.store.node_at(result_a), Node::Extendable(..));
        if !open_e && !open_a {
            let result = self.unify(result_e, result_a)?;
            let fields = self.unify_dot_lists(fields_e, fields_a)?;
            return Ok(self.store.dotable(&fields, result));
        }
        if open_a {
            self.unify(result_e, result_a)?;
        }
        let fields_e = self.take_fields(fields_e, LastTakes::AllFields)?;
        let fields_a = self.take_fields(fields_a, LastTakes::AllFields)?;
        // The open side determines its fields, but not which fields of these were given.
        let complete_e = if open_e { self.results(&fields_e) } else { fields_e.clone() };
        let complete_a = if open_a { self.results(&fields_a) } else { fields_a.clone() };
        let mut fields = Vec::new();
        for (&e, &a) in complete_e.iter().zip(&complete_a) {
            fields.push(self.unify(e, a)?);
        }
        let n = fields.len();
        match (open_e, open_a) {
            (true, false) => {
                let rest = self.store.dotable(&complete_a[n..], result_a);
                self.unify(result_e, rest)?;
            }
            (false, true) => {
                let rest = self.store.dotable(&complete_e[n..], result_e);
                self.unify(rest, result_a)?;
            }
            _ => {}
        }
        fields.extend_from_slice(if fields_e.len() == n { &fields_a[n..] } else { &fields_e[n..] });
        Ok(self.store.dotable(&fields, if open_e && !open_a { result_a } else { result_e }))
    }

    fn results(&mut self, types: &[Ty]) -> Vec<Ty> {
        types.iter().map(|&t| self.fields_and_result(t).1).collect()
    }

    /// Unifies an extendable type with a dotted one: the next field alone is assumed to be given.
    pub(super) fn unify_extendable_dot(&mut self, expected: Ty, actual: Ty) -> Result<Ty, Clash> {
        let items = self.dot_list(actual);
        let items = self.take_fields(items, LastTakes::OneField)?;
        let (&head, rest) = items.split_first().expect("evaluating leaves something");
        if rest.is_empty() {
            return self.unify(expected, head);
        }
        let rest = self.store.dots(rest);
        let needed = self.store.add(Node::Dotable(rest, expected));
        let head = self.unify(needed, head)?;
        Ok(self.store.add(Node::Dot(head, rest)))
    }
}
