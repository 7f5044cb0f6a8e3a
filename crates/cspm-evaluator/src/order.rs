//! One order for all values.
//!
//! Sets, maps and the numbering of calls need values to be equal, ordered and hashed by what they are, not by how they
//! came about. This order is for that purpose only: it is total, and has nothing to do with `<` in scripts. It assumes
//! fully evaluated values; a thunk that was never opened is only equal to itself.
//!
//! A value with shared parts may be exponentially larger as a tree than it is in memory. So a comparison that takes
//! long remembers which shared parts were found equal, and a hash that takes long which parts were hashed.

use super::seq::{Seq, Step, Walk};
use super::set::{Elements, Form, Set, elements};
use super::sharing::{Sharing, address, is_shared};
use super::tree::Key;
use super::value::{Callee, Closure, Node, Value};
use super::watch::Watch;
use cspm::stack;
use limits::effort::evaluator::MAX_HASHED;
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

/// The elements of a set, if they can be listed.
fn listed(set: &Rc<Set>) -> Option<Elements> {
    elements(set, &Watch::endless()).ok()
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            _ => compare(self, other),
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

impl Key for Value {
    #[inline]
    fn rank_in(&self, row: &[Value]) -> usize {
        match self {
            // All keys of a map have one type.
            Value::Int(number) => row.partition_point(|key| matches!(key, Value::Int(key) if key <= number)),
            _ => row.partition_point(|key| key <= self),
        }
    }
}

#[inline(never)]
fn compare(a: &Value, b: &Value) -> Ordering {
    Comparison::default().values(a, b)
}

/// A comparison under way, with the pairs that were found equal.
#[derive(Default)]
struct Comparison {
    equal: Sharing<(usize, usize), (Value, Value)>,
}

impl Comparison {
    fn values(&mut self, a: &Value, b: &Value) -> Ordering {
        let (a, b) = (a.peel(), b.peel());
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Char(a), Value::Char(b)) => a.cmp(b),
            (Value::Proc(a), Value::Proc(b)) => a.cmp(b),
            (Value::Builtin(a), Value::Builtin(b)) => a.cmp(b),
            (Value::Head(a), Value::Head(b)) => a.cmp(b),
            (Value::Tuple(x), Value::Tuple(y)) | (Value::Dot(x), Value::Dot(y)) => self.nodes((a, x), (b, y)),
            // A head alone comes just before the same head with fields.
            (Value::Head(a), Value::Dot(b)) => Some(a.get()).cmp(&b.head).then(Ordering::Less),
            (Value::Dot(a), Value::Head(b)) => a.head.cmp(&Some(b.get())).then(Ordering::Greater),
            (Value::EmptySeq, Value::EmptySeq) => Ordering::Equal,
            (Value::EmptySeq, Value::Seq(_)) => Ordering::Less,
            (Value::Seq(_), Value::EmptySeq) => Ordering::Greater,
            (Value::Seq(x), Value::Seq(y)) => self.remembering(a, b, |this| this.seqs((a, x), (b, y))),
            (Value::Set(x), Value::Set(y)) => self.remembering(a, b, |this| this.sets(x, y)),
            (Value::Map(x), Value::Map(y)) => self.remembering(a, b, |this| {
                let entries = x.iter().zip(y.iter());
                let differing = entries.map(|((key, value), (other_key, other))| {
                    this.values(&key, &other_key).then_with(|| this.values(value, other))
                });
                first_difference(differing, x.len(), y.len())
            }),
            (Value::Function(x), Value::Function(y)) => self.remembering(a, b, |this| this.closures(x, y)),
            (Value::Thunk(a), Value::Thunk(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
            _ => kind(a).cmp(&kind(b)),
        }
    }

    /// Compares two values with parts, unless that was done before.
    fn remembering(&mut self, a: &Value, b: &Value, compare: impl FnOnce(&mut Self) -> Ordering) -> Ordering {
        let places = (address(a), address(b));
        if places.0 == places.1 || self.equal.find(&places).is_some() {
            return Ordering::Equal;
        }
        let order = stack::grow(|| compare(self));
        if order.is_eq() && self.equal.is_worthwhile() && is_shared(a, 1) && is_shared(b, 1) {
            self.equal.remember(places, (a.clone(), b.clone()));
        }
        order
    }

    fn nodes(&mut self, (a, x): (&Value, &Rc<Node>), (b, y): (&Value, &Rc<Node>)) -> Ordering {
        x.head.cmp(&y.head).then_with(|| {
            // Flat nodes, the usual case, need no room on the stack.
            if let ([Value::Int(a), Value::Int(b)], [Value::Int(c), Value::Int(d)]) = (&x.items[..], &y.items[..]) {
                return (a, b).cmp(&(c, d));
            }
            self.remembering(a, b, |this| this.rows(&x.items, &y.items))
        })
    }

    fn rows(&mut self, a: &[Value], b: &[Value]) -> Ordering {
        first_difference(a.iter().zip(b).map(|(a, b)| self.values(a, b)), a.len(), b.len())
    }

    /// Elements one by one; who ends first comes first.
    fn runs(&mut self, mut a: impl Iterator<Item = Value>, mut b: impl Iterator<Item = Value>) -> Ordering {
        loop {
            let order = match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                (Some(a), Some(b)) => self.values(&a, &b),
            };
            if order.is_ne() {
                return order;
            }
        }
    }

    fn seqs(&mut self, (a, x): (&Value, &Seq), (b, y): (&Value, &Seq)) -> Ordering {
        match (x, y) {
            (Seq::Range(from, to), Seq::Range(other_from, other_to)) => (from, to).cmp(&(other_from, other_to)),
            (Seq::Slice(x), Seq::Slice(y)) => {
                let numbers = x.with_numbers(|xs| y.with_numbers(|ys| xs.cmp(ys))).flatten();
                let order = numbers.or_else(|| x.with_values(|xs| y.with_values(|ys| self.rows(xs, ys))).flatten());
                order.unwrap_or_else(|| self.runs(forced_elements(a), forced_elements(b)))
            }
            _ => self.runs(forced_elements(a), forced_elements(b)),
        }
    }

    fn sets(&mut self, a: &Rc<Set>, b: &Rc<Set>) -> Ordering {
        if Rc::ptr_eq(a, b) {
            return Ordering::Equal;
        }
        if let (Form::Range(from, to), Form::Range(other_from, other_to)) = (&a.form, &b.form) {
            return (from, to).cmp(&(other_from, other_to));
        }
        if let (Form::Sorted(a), Form::Sorted(b)) = (&a.form, &b.form) {
            return self.rows(a, b);
        }
        // What is written in the same way need not be spread out.
        if !a.is_explicit() && !b.is_explicit() && self.forms(a, b).is_eq() {
            return Ordering::Equal;
        }
        match (listed(a), listed(b)) {
            (Some(a), Some(b)) => self.runs(a, b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.forms(a, b),
        }
    }

    /// Compares how two sets are written.
    fn forms(&mut self, a: &Set, b: &Set) -> Ordering {
        match (&a.form, &b.form) {
            (Form::From(a), Form::From(b)) => a.cmp(b),
            (Form::Range(from, to), Form::Range(other_from, other_to)) => (from, to).cmp(&(other_from, other_to)),
            (Form::Datatype(a), Form::Datatype(b)) => a.name.cmp(&b.name),
            (Form::Product(a, left), Form::Product(b, right)) => a.cmp(b).then_with(|| self.parts(left, right)),
            (Form::Union(left), Form::Union(right)) => self.parts(left, right),
            (Form::Powerset(a), Form::Powerset(b)) | (Form::Sequences(a), Form::Sequences(b)) => self.part(a, b),
            (Form::Maps(a, b), Form::Maps(c, d)) => self.part(a, c).then_with(|| self.part(b, d)),
            _ => form_kind(a).cmp(&form_kind(b)),
        }
    }

    fn parts(&mut self, left: &[Rc<Set>], right: &[Rc<Set>]) -> Ordering {
        first_difference(left.iter().zip(right).map(|(a, b)| self.part(a, b)), left.len(), right.len())
    }

    fn part(&mut self, a: &Rc<Set>, b: &Rc<Set>) -> Ordering {
        let (left, right) = (Value::Set(a.clone()), Value::Set(b.clone()));
        self.remembering(&left, &right, |this| this.sets(a, b))
    }

    fn closures(&mut self, a: &Closure, b: &Closure) -> Ordering {
        let callee = match (&a.callee, &b.callee) {
            (Callee::Function(a), Callee::Function(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
            (Callee::Builtin(a), Callee::Builtin(b)) => a.cmp(b),
            (Callee::Builtin(_), Callee::Function(_)) => Ordering::Less,
            (Callee::Function(_), Callee::Builtin(_)) => Ordering::Greater,
        };
        let applied = callee.then_with(|| self.rows(&a.applied, &b.applied));
        applied.then_with(|| self.rows(&a.captured, &b.captured))
    }
}

/// The first of the orders that tells two rows apart; without one, the shorter row comes first.
fn first_difference(mut orders: impl Iterator<Item = Ordering>, left: usize, right: usize) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or_else(|| left.cmp(&right))
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

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(Digest::default().value(self));
    }
}

/// A hash under way. The hash of a value is made of those of its parts alone, so it does not matter which are shared.
#[derive(Default)]
struct Digest {
    known: Sharing<usize, (Value, u64)>,
}

/// Puts one more word into a hash.
fn mix(hash: u64, word: u64) -> u64 {
    const MULTIPLIER: u128 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(hash.rotate_left(23) ^ word) * MULTIPLIER;
    (product as u64) ^ ((product >> 64) as u64)
}

impl Digest {
    fn value(&mut self, value: &Value) -> u64 {
        let value = value.peel();
        let seed = 0x51_7c_c1_b7_27_22_0a_95 ^ u64::from(kind(value));
        let word = match value {
            Value::Hole | Value::EmptySeq => return seed,
            Value::Int(number) => *number as u64,
            Value::Bool(truth) => truth.get().into(),
            Value::Char(char) => char.get().into(),
            Value::Proc(term) => term.get().index() as u64,
            Value::Builtin(builtin) => builtin.get() as u64,
            Value::Head(head) => head.get().index() as u64,
            Value::Thunk(thunk) => Rc::as_ptr(thunk).addr() as u64,
            Value::Tuple(node) | Value::Dot(node) if node.items.iter().all(Value::is_plain) => self.node(node),
            _ => self.compound(value),
        };
        mix(seed, word)
    }

    fn node(&mut self, node: &Node) -> u64 {
        let head = node.head.map_or(u64::MAX, |head| head.index() as u64);
        node.items.iter().fold(head, |hash, item| mix(hash, self.value(item)))
    }

    fn compound(&mut self, value: &Value) -> u64 {
        let place = address(value);
        if let Some((_, known)) = self.known.find(&place) {
            return *known;
        }
        let hash = stack::grow(|| self.parts(value));
        if self.known.is_worthwhile() && is_shared(value, 1) {
            self.known.remember(place, (value.clone(), hash));
        }
        hash
    }

    fn parts(&mut self, value: &Value) -> u64 {
        match value {
            Value::Tuple(node) | Value::Dot(node) => self.node(node),
            Value::Seq(seq) => {
                let row = match &**seq {
                    Seq::Slice(slice) => match slice.with_values(|values| self.row(values)) {
                        Some(hash) => Some(hash),
                        None => slice.with_numbers(|numbers| self.numbers(numbers)),
                    },
                    _ => None,
                };
                row.unwrap_or_else(|| self.all(forced_elements(value)))
            }
            Value::Set(set) => match listed(set) {
                Some(Elements::Array(array, _)) => match &array.form {
                    Form::Sorted(elements) => self.row(elements),
                    _ => 0,
                },
                Some(elements) => self.all(elements),
                None => form_kind(set).into(),
            },
            Value::Map(map) => map.iter().fold(map.len() as u64, |hash, (key, value)| {
                let hash = mix(hash, self.value(&key));
                mix(hash, self.value(value))
            }),
            Value::Function(closure) => {
                let callee = match &closure.callee {
                    Callee::Function(function) => Rc::as_ptr(function).addr() as u64,
                    Callee::Builtin(builtin) => *builtin as u64,
                };
                let values = closure.applied.iter().chain(&closure.captured);
                values.fold(callee, |hash, value| mix(hash, self.value(value)))
            }
            _ => 0,
        }
    }

    fn row(&mut self, elements: &[Value]) -> u64 {
        elements.iter().take(MAX_HASHED).fold(0, |hash, element| mix(hash, self.value(element)))
    }

    fn numbers(&mut self, numbers: &[i64]) -> u64 {
        numbers.iter().take(MAX_HASHED).fold(0, |hash, number| mix(hash, self.value(&Value::Int(*number))))
    }

    fn all(&mut self, elements: impl Iterator<Item = Value>) -> u64 {
        elements.take(MAX_HASHED).fold(0, |hash, element| mix(hash, self.value(&element)))
    }
}
