//! Evaluation to the last part.
//!
//! Elements of sets, keys of maps, fields of events and arguments of process calls must be known completely, because
//! they are compared with others. [`Evaluator::deep`] computes whatever is still missing in a value.

use super::map::Map;
use super::runtime_error::{Eval, Failed};
use super::seq::{self, Seq, Walk};
use super::set::{Form, MAX_ELEMENTS, Set, SetFault, SetResult};
use super::sharing::{Sharing, address, is_shared};
use super::value::{Callee, Closure, Node, Value};
use super::{Evaluator, errors};
use cspm::syntax::ExprId;
use smallvec::SmallVec;
use source::Span;
use std::rc::Rc;

/// The evaluation under way: shared parts, each with its value, are evaluated once.
#[derive(Debug, Default)]
pub(super) struct Deepened {
    known: Sharing<usize, (Value, Value)>,
    n_nested: u32,
}

/// Traversals that may reach the same part of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holders {
    One,
    Many,
}

/// The rest of a sequence to count.
enum Uncounted {
    /// A part that follows.
    Part(Value),
    /// The end of this sequence, before which so many elements were counted.
    End(Rc<Seq>, usize),
}

/// Elements of a long sequence that are kept together while it is made.
const CHUNK: usize = 1 << 19;

impl Evaluator<'_> {
    /// The value without any thunk left in it.
    pub(super) fn deep(&mut self, value: Value, site: ExprId) -> Eval {
        let value = self.whnf(value)?;
        if is_atom(&value) {
            return Ok(value);
        }
        self.deepened.n_nested += 1;
        let deep = self.deep_compound(value, Holders::Many, site);
        self.deepened.n_nested -= 1;
        if self.deepened.n_nested == 0 {
            self.deepened = Deepened::default();
        }
        deep
    }

    /// Evaluates a part of a value that has `n_holders` references here.
    fn deep_part(&mut self, value: &Value, n_holders: usize, site: ExprId) -> Eval {
        let holders = if is_shared(value, n_holders) { Holders::Many } else { Holders::One };
        match self.whnf(value.clone())? {
            atom if is_atom(&atom) => Ok(atom),
            compound => self.deep_compound(compound, holders, site),
        }
    }

    fn deep_compound(&mut self, value: Value, holders: Holders, site: ExprId) -> Eval {
        self.tick()?;
        let place = address(&value);
        if let Some((_, known)) = self.deepened.known.find(&place) {
            return Ok(known.clone());
        }
        let deep = match value.clone() {
            Value::Tuple(node) => self.deep_node(node, site).map(Value::Tuple),
            Value::Dot(node) => self.deep_node(node, site).map(Value::Dot),
            Value::Seq(seq) => self.deep_seq(seq, site),
            Value::Set(set) => self.prepare(&set).map(|()| Value::Set(set)),
            Value::Map(map) => self.deep_map(map, site),
            Value::Function(closure) => self.deep_closure(&closure, site),
            value => Ok(value),
        }?;
        if holders == Holders::Many && self.deepened.known.is_worthwhile() {
            self.deepened.known.remember(place, (value, deep.clone()));
        }
        Ok(deep)
    }

    fn deep_node(&mut self, node: Rc<Node>, site: ExprId) -> Eval<Rc<Node>> {
        if node.items.iter().all(is_atom) {
            return Ok(node);
        }
        self.with_room(|this| {
            let mut items: SmallVec<[Value; 2]> = SmallVec::with_capacity(node.items.len());
            let mut is_same = true;
            for item in &node.items {
                let deep = this.deep_part(item, 1, site)?;
                is_same &= !matches!(item, Value::Thunk(_)) && address(item) == address(&deep);
                items.push(deep);
            }
            if is_same {
                return Ok(node);
            }
            Ok(Rc::new(Node { head: node.head, items }))
        })
    }

    fn deep_seq(&mut self, seq: Rc<Seq>, site: ExprId) -> Eval {
        match &*seq {
            Seq::Range(..) => return Ok(Value::Seq(seq)),
            Seq::From(..) | Seq::Integers(_) => return Err(self.fail(errors::infinite_sequence(self.span(site)))),
            Seq::Slice(slice) if slice.with_values(|values| values.iter().all(is_atom)).unwrap_or(true) => {
                return Ok(Value::Seq(seq));
            }
            seq if seq.known_length().is_some_and(|length| length as u128 > MAX_ELEMENTS) => {
                return Err(self.fail(errors::infinite_sequence(self.span(site))));
            }
            _ => {}
        }
        self.with_room(|this| {
            let mut walk = Walk::new(Value::Seq(seq));
            // One list that grows is copied while it grows, and both copies together would go beyond the memory limit.
            let (mut full, mut items): (Vec<Vec<Value>>, Vec<Value>) = (Vec::new(), Vec::new());
            while let Some(item) = this.next_element(&mut walk)? {
                if (full.len() * CHUNK + items.len()) as u128 >= MAX_ELEMENTS {
                    return Err(this.fail(errors::infinite_sequence(this.span(site))));
                }
                if items.len() == CHUNK {
                    full.push(std::mem::replace(&mut items, Vec::with_capacity(CHUNK)));
                }
                items.push(this.deep_part(&item, 2, site)?);
            }
            if !full.is_empty() {
                full.push(items);
                items = full.into_iter().flatten().collect();
            }
            Ok(compact(items))
        })
    }

    fn deep_map(&mut self, map: Rc<Map>, site: ExprId) -> Eval {
        if map.iter().all(|(_, value)| is_atom(value)) {
            return Ok(Value::Map(map));
        }
        self.with_room(|this| {
            let mut entries = Vec::with_capacity(map.len());
            for (key, value) in map.iter() {
                entries.push((key, this.deep_part(value, 1, site)?));
            }
            Ok(Value::Map(Rc::new(Map::from_sorted(entries))))
        })
    }

    /// Functions stay functions, but what they captured is part of what they are.
    fn deep_closure(&mut self, closure: &Closure, site: ExprId) -> Eval {
        self.with_room(|this| {
            let mut all = |values: &[Value]| {
                values.iter().map(|value| this.deep_part(value, 1, site)).collect::<Eval<Box<[Value]>>>()
            };
            let (applied, captured) = (all(&closure.applied)?, all(&closure.captured)?);
            let callee = match &closure.callee {
                Callee::Function(function) => Callee::Function(function.clone()),
                Callee::Builtin(builtin) => Callee::Builtin(*builtin),
            };
            Ok(Value::Function(Rc::new(Closure { callee, applied, n_groups: closure.n_groups, captured })))
        })
    }

    /// The next element of a sequence.
    pub(super) fn next_element(&mut self, walk: &mut Walk) -> Eval<Option<Value>> {
        loop {
            self.tick()?;
            match walk.step() {
                seq::Step::Element(element) => return Ok(Some(element)),
                seq::Step::End => return Ok(None),
                seq::Step::Blocked(thunk) => {
                    let value = self.force(&thunk)?;
                    walk.resume(value);
                }
            }
        }
    }

    /// The length of a sequence.
    pub(super) fn length(&mut self, seq: Value, site: ExprId) -> Eval<usize> {
        let (mut counted, mut n_walked) = (0_usize, 0);
        let mut rest = Vec::new();
        let mut current = self.whnf(seq)?;
        // Worth remembering only if the sequence is shared; and holding it here would keep a long one alive.
        if let Value::Seq(seq) = &current
            && Rc::strong_count(seq) > 1
        {
            rest.push(Uncounted::End(seq.clone(), 0));
        }
        loop {
            self.tick()?;
            match self.whnf(current)? {
                Value::Seq(seq) => match (seq.known_length(), &*seq) {
                    (Some(length), _) => {
                        counted = counted.saturating_add(length);
                        current = Value::EmptySeq;
                    }
                    (None, Seq::Cell(cell)) => {
                        counted += 1;
                        n_walked += 1;
                        if n_walked > MAX_ELEMENTS {
                            return Err(self.fail(errors::infinite_sequence(self.span(site))));
                        }
                        current = cell.tail.clone();
                    }
                    (None, Seq::Join(join)) => {
                        if Rc::strong_count(&seq) > 1 {
                            rest.push(Uncounted::End(seq.clone(), counted));
                        }
                        rest.push(Uncounted::Part(join.right.clone()));
                        current = join.left.clone();
                    }
                    (None, _) => return Err(self.fail(errors::infinite_sequence(self.span(site)))),
                },
                _ => match rest.pop() {
                    Some(Uncounted::Part(part)) => current = part,
                    Some(Uncounted::End(seq, before)) => {
                        seq.remember_length(counted - before);
                        current = Value::EmptySeq;
                    }
                    None => return Ok(counted),
                },
            }
        }
    }

    /// All elements of a sequence, themselves possibly thunks.
    pub(super) fn collect(&mut self, seq: Value, site: ExprId) -> Eval<Vec<Value>> {
        let mut walk = Walk::new(seq);
        let mut items = Vec::new();
        while let Some(item) = self.next_element(&mut walk)? {
            if items.len() as u128 >= MAX_ELEMENTS {
                return Err(self.fail(errors::infinite_sequence(self.span(site))));
            }
            items.push(item);
        }
        Ok(items)
    }

    /// Makes sure that the fields of all datatypes in a set are known, so that its elements can be listed.
    pub(super) fn prepare(&mut self, set: &Rc<Set>) -> Eval<()> {
        match &set.form {
            Form::Sorted(_) | Form::Tree(_) | Form::Range(..) | Form::From(_) => Ok(()),
            Form::Integers | Form::Processes | Form::Characters => Ok(()),
            Form::Product(_, parts) | Form::Union(parts) => {
                self.with_room(|this| parts.iter().try_for_each(|part| this.prepare(part)))
            }
            Form::Powerset(over) | Form::Sequences(over) => self.prepare(over),
            Form::Maps(keys, values) => {
                self.prepare(keys)?;
                self.prepare(values)
            }
            Form::Datatype(datatype) => {
                if datatype.expansion.get().is_some() {
                    return Ok(());
                }
                let expansion = self.expand_datatype(datatype)?;
                if datatype.expansion.set(expansion.clone()).is_ok() {
                    return self.with_room(|this| this.prepare(&expansion));
                }
                Ok(())
            }
        }
    }

    /// The answer to a question about sets, or a fault at `site`.
    pub(super) fn about_sets<T>(&mut self, answer: SetResult<T>, site: ExprId) -> Eval<T> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(fault) => Err(self.set_fault(&fault, self.span(site))),
        }
    }

    pub(super) fn set_fault(&mut self, fault: &SetFault, span: Span) -> Failed {
        let mut text = |set: &Rc<Set>| self.brief(&Value::Set(set.clone()));
        let diagnostic = match fault {
            SetFault::Infinite(set) => errors::infinite_set(span, &text(set)),
            SetFault::TooLarge(size) => errors::set_too_large(span, *size),
            SetFault::Interrupted(interrupt) => return self.stop(*interrupt),
            SetFault::Difference(left, right) => errors::difference_unknown(span, &text(left), &text(right)),
            SetFault::Comparison(left, right) => errors::sets_not_comparable(span, &text(left), &text(right)),
        };
        self.fail(diagnostic)
    }
}

/// Whether a value has no parts that could be missing.
fn is_atom(value: &Value) -> bool {
    matches!(
        value,
        Value::Int(_)
            | Value::Bool(_)
            | Value::Char(_)
            | Value::Head(_)
            | Value::Proc(_)
            | Value::Builtin(_)
            | Value::EmptySeq
    )
}

/// A sequence of evaluated items; characters are packed.
pub(super) fn compact(items: Vec<Value>) -> Value {
    let text: Option<String> = match items.first() {
        Some(Value::Char(_)) => {
            items.iter().map(|item| if let Value::Char(char) = item { Some(char.get()) } else { None }).collect()
        }
        _ => None,
    };
    text.map_or_else(|| seq::from_vec(items), |text| seq::from_text(&text))
}
