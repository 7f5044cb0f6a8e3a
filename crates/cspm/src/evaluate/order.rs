//! One order for all values.
//!
//! Sets, maps and the numbering of calls need values to be equal, ordered and hashed by what they are, not by how they
//! came about. This order is for that purpose only: it is total, and has nothing to do with `<` in scripts. It assumes
//! fully evaluated values; a thunk that was never opened is only equal to itself.

use super::seq::{Seq, Step, Walk};
use super::set::{Form, Set, elements};
use super::value::{Callee, Closure, Node, Value};
use crate::stack;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The elements of a fully evaluated sequence.
pub fn forced_elements(seq: &Value) -> impl Iterator<Item = Value> + use<> {
    let mut walk = Walk::new(seq.clone());
    std::iter::from_fn(move || match walk.step() {
        Step::Element(element) => Some(element.peel().clone()),
        Step::Blocked(_) | Step::End => None,
    })
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            _ => compare(self.peel(), other.peel()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Proc(a), Value::Proc(b)) => a.cmp(b),
        (Value::Builtin(a), Value::Builtin(b)) => a.cmp(b),
        (Value::Head(a), Value::Head(b)) => a.cmp(b),
        (Value::Tuple(a), Value::Tuple(b)) => compare_nodes(a, b),
        (Value::Dot(a), Value::Dot(b)) => compare_nodes(a, b),
        // A head alone comes just before the same head with fields.
        (Value::Head(a), Value::Dot(b)) => Some(a.get()).cmp(&b.head).then(Ordering::Less),
        (Value::Dot(a), Value::Head(b)) => a.head.cmp(&Some(b.get())).then(Ordering::Greater),
        (Value::EmptySeq, Value::EmptySeq) => Ordering::Equal,
        (Value::EmptySeq, Value::Seq(_)) => Ordering::Less,
        (Value::Seq(_), Value::EmptySeq) => Ordering::Greater,
        (Value::Seq(first), Value::Seq(second)) => compare_seqs(a, first, b, second),
        (Value::Set(a), Value::Set(b)) => compare_sets(a, b),
        (Value::Map(a), Value::Map(b)) if Rc::ptr_eq(a, b) => Ordering::Equal,
        (Value::Map(a), Value::Map(b)) => stack::grow(|| a.iter().cmp(b.iter())),
        (Value::Function(a), Value::Function(b)) => compare_closures(a, b),
        (Value::Thunk(a), Value::Thunk(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
        _ => kind(a).cmp(&kind(b)),
    }
}

/// Numbers the kinds of values.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Hole => 0,
        Value::Int(_) => 1,
        Value::Bool(_) => 2,
        Value::Char(_) => 3,
        Value::Head(_) | Value::Dot(_) => 4,
        Value::Proc(_) => 5,
        Value::Builtin(_) => 6,
        Value::EmptySeq | Value::Seq(_) => 7,
        Value::Tuple(_) => 8,
        Value::Set(_) => 9,
        Value::Map(_) => 10,
        Value::Function(_) => 11,
        Value::Thunk(_) => 12,
    }
}

fn compare_nodes(a: &Rc<Node>, b: &Rc<Node>) -> Ordering {
    if Rc::ptr_eq(a, b) {
        return Ordering::Equal;
    }
    a.head.cmp(&b.head).then_with(|| {
        // Flat nodes, the usual case, need no room on the stack.
        if let ([Value::Int(a), Value::Int(b)], [Value::Int(c), Value::Int(d)]) = (&a.items[..], &b.items[..]) {
            return (a, b).cmp(&(c, d));
        }
        stack::grow(|| a.items.cmp(&b.items))
    })
}

fn compare_seqs(a: &Value, first: &Rc<Seq>, b: &Value, second: &Rc<Seq>) -> Ordering {
    if Rc::ptr_eq(first, second) {
        return Ordering::Equal;
    }
    if let (Seq::Slice(x), Seq::Slice(y)) = (&**first, &**second) {
        let order = x.with_values(|xs| y.with_values(|ys| stack::grow(|| xs.cmp(ys)))).flatten();
        if let Some(order) = order {
            return order;
        }
    }
    stack::grow(|| forced_elements(a).cmp(forced_elements(b)))
}

fn compare_sets(a: &Rc<Set>, b: &Rc<Set>) -> Ordering {
    if Rc::ptr_eq(a, b) {
        return Ordering::Equal;
    }
    stack::grow(|| match (elements(a), elements(b)) {
        (Ok(a), Ok(b)) => a.cmp(b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => compare_infinite(a, b),
    })
}

fn compare_infinite(a: &Set, b: &Set) -> Ordering {
    match (&a.form, &b.form) {
        (Form::From(a), Form::From(b)) => a.cmp(b),
        (Form::Datatype(a), Form::Datatype(b)) => a.name.cmp(&b.name),
        (Form::Product(a, left), Form::Product(b, right)) => a.cmp(b).then_with(|| compare_parts(left, right)),
        (Form::Union(left), Form::Union(right)) => compare_parts(left, right),
        (Form::Powerset(a), Form::Powerset(b)) | (Form::Sequences(a), Form::Sequences(b)) => compare_sets(a, b),
        (Form::Maps(a, b), Form::Maps(c, d)) => compare_sets(a, c).then_with(|| compare_sets(b, d)),
        _ => form_kind(a).cmp(&form_kind(b)),
    }
}

fn compare_parts(left: &[Rc<Set>], right: &[Rc<Set>]) -> Ordering {
    let differing = left.iter().zip(right).map(|(left, right)| compare_sets(left, right)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn form_kind(set: &Set) -> u8 {
    match &set.form {
        Form::Sorted(_) | Form::Tree(_) | Form::Range(..) => 0,
        Form::From(_) => 1,
        Form::Integers => 2,
        Form::Processes => 3,
        Form::Characters => 4,
        Form::Datatype(_) => 5,
        Form::Product(..) => 6,
        Form::Union(_) => 7,
        Form::Powerset(_) => 8,
        Form::Sequences(_) => 9,
        Form::Maps(..) => 10,
    }
}

fn compare_closures(a: &Closure, b: &Closure) -> Ordering {
    let callee = match (&a.callee, &b.callee) {
        (Callee::Function(a), Callee::Function(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
        (Callee::Builtin(a), Callee::Builtin(b)) => a.cmp(b),
        (Callee::Builtin(_), Callee::Function(_)) => Ordering::Less,
        (Callee::Function(_), Callee::Builtin(_)) => Ordering::Greater,
    };
    callee.then_with(|| stack::grow(|| a.applied.cmp(&b.applied).then_with(|| a.captured.cmp(&b.captured))))
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let value = self.peel();
        kind(value).hash(state);
        match value {
            Value::Hole | Value::EmptySeq | Value::Map(_) => {}
            Value::Int(number) => number.hash(state),
            Value::Bool(truth) => truth.hash(state),
            Value::Char(char) => char.hash(state),
            Value::Proc(term) => term.hash(state),
            Value::Builtin(builtin) => builtin.hash(state),
            Value::Head(head) => Some(head.get()).hash(state),
            Value::Tuple(node) | Value::Dot(node) => {
                node.head.hash(state);
                stack::grow(|| node.items.iter().for_each(|item| item.hash(state)));
            }
            Value::Seq(_) => stack::grow(|| forced_elements(value).for_each(|element| element.hash(state))),
            Value::Set(set) => stack::grow(|| match elements(set) {
                Ok(elements) => elements.for_each(|element| element.hash(state)),
                Err(_) => form_kind(set).hash(state),
            }),
            Value::Function(closure) => {
                if let Callee::Function(function) = &closure.callee {
                    Rc::as_ptr(function).hash(state);
                }
                closure.applied.hash(state);
                closure.captured.hash(state);
            }
            Value::Thunk(thunk) => Rc::as_ptr(thunk).hash(state),
        }
        if let Value::Map(map) = value {
            map.len().hash(state);
            stack::grow(|| map.iter().for_each(|entry| entry.hash(state)));
        }
    }
}
