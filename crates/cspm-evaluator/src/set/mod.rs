//! Sets.
//!
//! A set is kept in the form it was written in (a range, a product of field sets, all sequences over a set, ...) and
//! spread out only when its elements are demanded. Spread-out sets are sorted arrays; a set that grows element by
//! element turns into a tree. Questions that a form can answer by itself (is 7 in `{0..}`?) never spread anything,
//! which is what makes infinite sets usable at all.
//!
//! Elements are fully evaluated, so nothing here needs the evaluator; only the fields of a datatype must be known
//! before the set of its values is spread, and the evaluator sees to that.

mod algebra;
mod enumerate;

pub use algebra::{compare, difference, intersection, is_equal, is_subset, union, union_all};
pub use enumerate::{Elements, as_sequence, cardinality, elements, explicit, is_finite, listed, most};
pub use limits::input::cspm::MAX_ELEMENTS;

use super::Interrupt;
use super::map::Map;
use super::tree::Tree;
use super::value::Value;
use super::watch::Watch;
use cspm::resolve::NameId;
use model::EventSet;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// A set in some form, with what was computed about it.
#[derive(Debug)]
pub struct Set {
    /// The form.
    pub form: Form,
    explicit: OnceCell<Rc<Set>>,
    /// The elements as events, once they were demanded.
    pub events: OnceCell<EventSet>,
}

/// The forms a set can have.
#[derive(Debug)]
pub enum Form {
    /// Elements in ascending order, without duplicates.
    Sorted(Vec<Value>),
    /// Elements in a tree.
    Tree(Tree<Value, ()>),
    /// The numbers from the first to the second, which is not less.
    Range(i64, i64),
    /// `{n..}`.
    From(i64),
    /// `Int`.
    Integers,
    /// `Proc`.
    Processes,
    /// `Char`.
    Characters,
    /// All values of a datatype.
    Datatype(Rc<Datatype>),
    /// All combinations of elements, one from each set.
    Product(Shape, Box<[Rc<Set>]>),
    /// All elements of any of the sets.
    Union(Box<[Rc<Set>]>),
    /// `Set(S)`.
    Powerset(Rc<Set>),
    /// `Seq(S)`.
    Sequences(Rc<Set>),
    /// `Map(K, V)`.
    Maps(Rc<Set>, Rc<Set>),
}

/// The shape of the combinations of a product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Tuples.
    Tuple,
    /// Dotted values without a head.
    Dot,
    /// A channel or constructor with fields.
    Headed(NameId),
}

/// A datatype as the set of its values.
#[derive(Debug)]
pub struct Datatype {
    /// Its name.
    pub name: NameId,
    /// Its constructors in order.
    pub constructors: Box<[NameId]>,
    /// The union of the products of its constructors, once their field sets are known.
    pub expansion: OnceCell<Rc<Set>>,
    /// Set while the values are being listed, to notice recursion.
    visiting: Cell<bool>,
}

/// Why an operation on sets has no answer.
#[derive(Clone, Debug)]
pub enum SetFault {
    /// The set is infinite (or, for `Proc`, cannot be listed).
    Infinite(Rc<Set>),
    /// The set has so many elements, more than the limit.
    TooLarge(u128),
    /// Cancelled.
    Interrupted(Interrupt),
    /// The difference cannot be expressed.
    Difference(Rc<Set>, Rc<Set>),
    /// The sets cannot be compared.
    Comparison(Rc<Set>, Rc<Set>),
}

/// The answer, or why there is none.
pub type SetResult<T> = Result<T, SetFault>;

impl Set {
    /// A set in this form.
    pub fn new(form: Form) -> Set {
        Set { form, explicit: OnceCell::new(), events: OnceCell::new() }
    }

    /// `{}`.
    pub fn empty() -> Set {
        Set::sorted(Vec::new())
    }

    /// A set of elements that are in ascending order, without duplicates.
    pub fn sorted(elements: Vec<Value>) -> Set {
        debug_assert!(elements.is_sorted());
        Set::new(Form::Sorted(elements))
    }

    /// A set of these elements, in any order, fully evaluated.
    pub fn from_elements(mut elements: Vec<Value>) -> Set {
        // Elements often come in ascending order already; one look is cheaper than sorting.
        if !elements.is_sorted_by(|a, b| a < b) {
            elements.sort_unstable();
            elements.dedup();
        }
        Set::sorted(elements)
    }

    /// The numbers from `from` to `to`.
    pub fn range(from: i64, to: i64) -> Set {
        if from > to { Set::empty() } else { Set::new(Form::Range(from, to)) }
    }

    /// Whether the elements are listed, one by one.
    pub fn is_explicit(&self) -> bool {
        matches!(self.form, Form::Sorted(_) | Form::Tree(_) | Form::Range(..))
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        match &self.form {
            Form::Sorted(elements) => elements.is_empty(),
            Form::Tree(tree) => tree.len() == 0,
            Form::Product(_, parts) => parts.iter().any(|part| part.is_empty()),
            Form::Union(parts) => parts.iter().all(|part| part.is_empty()),
            // Without any element there is nothing to make a sequence of; the empty one does not count.
            Form::Sequences(over) => over.is_empty(),
            Form::Datatype(datatype) => match datatype.expansion.get() {
                Some(expansion) if !datatype.visiting.replace(true) => {
                    let empty = expansion.is_empty();
                    datatype.visiting.set(false);
                    empty
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether `value`, fully evaluated, is an element.
    pub fn contains(&self, value: &Value) -> bool {
        let value = value.peel();
        match (&self.form, value) {
            (Form::Sorted(elements), _) => elements.binary_search(value).is_ok(),
            (Form::Tree(tree), _) => tree.get(value).is_some(),
            (Form::Range(from, to), Value::Int(number)) => from <= number && number <= to,
            (Form::From(from), Value::Int(number)) => from <= number,
            (Form::Integers, Value::Int(_)) | (Form::Characters, Value::Char(_)) | (Form::Processes, _) => true,
            // Fields are checked when a value is made, so its constructor tells all.
            (Form::Datatype(datatype), _) => value.head().is_some_and(|head| datatype.constructors.contains(&head)),
            (Form::Product(shape, parts), _) => product_contains(*shape, parts, value),
            (Form::Union(parts), _) => parts.iter().any(|part| part.contains(value)),
            (Form::Powerset(over), Value::Set(set)) => is_subset(set, over, &Watch::endless()).unwrap_or(false),
            (Form::Sequences(over), Value::EmptySeq) => !over.is_empty(),
            (Form::Sequences(over), Value::Seq(_)) => {
                super::order::forced_elements(value).all(|element| over.contains(&element))
            }
            (Form::Maps(keys, values), Value::Map(map)) => maps_contain(keys, values, map),
            _ => false,
        }
    }
}

impl Datatype {
    /// A datatype whose fields are not known yet.
    pub fn new(name: NameId, constructors: Box<[NameId]>) -> Datatype {
        Datatype { name, constructors, expansion: OnceCell::new(), visiting: Cell::new(false) }
    }
}

fn product_contains(shape: Shape, parts: &[Rc<Set>], value: &Value) -> bool {
    let items: &[Value] = match (shape, value) {
        (Shape::Tuple, Value::Tuple(node)) => &node.items,
        (Shape::Dot, Value::Dot(node)) if node.head.is_none() => &node.items,
        (Shape::Headed(head), _) if value.head() == Some(head) => value.fields(),
        _ => return false,
    };
    items.len() == parts.len() && items.iter().zip(parts).all(|(item, part)| part.contains(item))
}

fn maps_contain(keys: &Set, values: &Set, map: &Map) -> bool {
    map.iter().all(|(key, value)| keys.contains(&key) && values.contains(value))
}
