//! From forms to elements.

use super::algebra::disjoint_ranges;
use super::{Datatype, Form, MAX_ELEMENTS, Set, SetFault, SetResult, Shape};
use crate::map::Map;
use crate::seq;
use crate::tree;
use crate::value::Value;
use crate::watch::Watch;
use cspm::stack;
use cspm::syntax::ExprId;
use smallvec::SmallVec;
use std::rc::Rc;

/// Whether the set has an end.
pub fn is_finite(set: &Set) -> bool {
    match &set.form {
        Form::Sorted(_) | Form::Tree(_) | Form::Range(..) | Form::Characters => true,
        Form::From(_) | Form::Integers | Form::Processes => false,
        Form::Product(_, parts) => parts.iter().any(|part| part.is_empty()) || parts.iter().all(|part| is_finite(part)),
        Form::Union(parts) => parts.iter().all(|part| is_finite(part)),
        Form::Powerset(over) => is_finite(over),
        Form::Sequences(over) => over.is_empty(),
        Form::Maps(keys, values) => is_finite(keys) && is_finite(values),
        Form::Datatype(datatype) => datatype.visit(|expansion| is_finite(expansion)).unwrap_or(false),
    }
}

/// How many elements there are.
pub fn cardinality(set: &Rc<Set>, watch: &Watch) -> SetResult<u128> {
    Ok(match &set.form {
        Form::Sorted(elements) => elements.len() as u128,
        Form::Tree(tree) => tree.len() as u128,
        Form::Range(from, to) => u128::from(to.abs_diff(*from)) + 1,
        Form::Product(_, parts) => {
            if parts.iter().any(|part| part.is_empty()) {
                return Ok(0);
            }
            let mut product = 1_u128;
            for part in parts {
                product = product.saturating_mul(cardinality(part, watch)?);
            }
            product
        }
        Form::Powerset(over) => power(2, cardinality(over, watch)?),
        Form::Maps(keys, values) => power(cardinality(values, watch)?.saturating_add(1), cardinality(keys, watch)?),
        Form::Characters => char_count(),
        Form::Union(parts) if parts.iter().all(|part| matches!(part.form, Form::Range(..))) => {
            disjoint_ranges(parts).iter().map(|(from, to)| u128::from(to.abs_diff(*from)) + 1).sum()
        }
        Form::Union(_) => return cardinality(&explicit(set, watch)?, watch),
        Form::Datatype(datatype) => match datatype.visit(|expansion| cardinality(expansion, watch)) {
            Some(count) => count?,
            None => return Err(SetFault::Infinite(set.clone())),
        },
        Form::Sequences(over) if over.is_empty() => 0,
        Form::From(_) | Form::Integers | Form::Processes | Form::Sequences(_) => {
            return Err(SetFault::Infinite(set.clone()));
        }
    })
}

/// How many elements there are at most, without listing any.
pub fn most(set: &Set) -> u128 {
    match &set.form {
        Form::Sorted(elements) => elements.len() as u128,
        Form::Tree(tree) => tree.len() as u128,
        Form::Range(from, to) => u128::from(to.abs_diff(*from)) + 1,
        Form::Product(_, parts) => parts.iter().fold(1, |product: u128, part| product.saturating_mul(most(part))),
        Form::Union(parts) => parts.iter().fold(0, |sum: u128, part| sum.saturating_add(most(part))),
        Form::Powerset(over) => power(2, most(over)),
        Form::Maps(keys, values) => power(most(values).saturating_add(1), most(keys)),
        Form::Characters => char_count(),
        Form::Datatype(datatype) => datatype.visit(|expansion| most(expansion)).unwrap_or(u128::MAX),
        Form::From(_) | Form::Integers | Form::Processes | Form::Sequences(_) => u128::MAX,
    }
}

fn power(base: u128, exponent: u128) -> u128 {
    u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).unwrap_or(u128::MAX)
}

fn char_count() -> u128 {
    // All code points but the surrogates.
    0x11_0000 - 0x800
}

/// The set with its elements listed.
pub fn explicit(set: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    if set.is_explicit() {
        return Ok(set.clone());
    }
    if let Some(known) = set.explicit.get() {
        return Ok(known.clone());
    }
    let spread = Rc::new(Set::sorted(watch.sort(list(set, watch)?)?));
    let _ = set.explicit.set(spread.clone());
    Ok(spread)
}

/// The elements of a set in ascending order.
pub fn elements(set: &Rc<Set>, watch: &Watch) -> SetResult<Elements> {
    if let (Form::Powerset(over), None) = (&set.form, set.explicit.get()) {
        return Ok(Elements::Subsets(Subsets::of(over, watch)?));
    }
    let set = explicit(set, watch)?;
    Ok(match &set.form {
        Form::Range(from, to) => Elements::Range(*from, *to),
        Form::Tree(tree) => Elements::Array(Rc::new(Set::sorted(keys(tree))), 0),
        _ => Elements::Array(set, 0),
    })
}

/// The elements of a set in ascending order, all at once.
pub fn listed(set: &Rc<Set>, watch: &Watch) -> SetResult<Vec<Value>> {
    if let Form::Range(..) = set.form {
        check_size(cardinality(set, watch)?)?;
    }
    watch.collect(elements(set, watch)?)
}

fn keys(tree: &tree::Tree<Value, ()>) -> Vec<Value> {
    tree.iter().map(|(key, ())| key.clone()).collect()
}

/// Steps through the elements of a set.
#[derive(Clone, Debug)]
pub enum Elements {
    /// Numbers.
    Range(i64, i64),
    /// A sorted set and the index of the next element.
    Array(Rc<Set>, usize),
    /// The subsets of a set, too many to keep.
    Subsets(Subsets),
}

impl Iterator for Elements {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Elements::Range(next, last) => {
                if *next > *last {
                    return None;
                }
                let number = *next;
                match next.checked_add(1) {
                    Some(after) => *next = after,
                    None => *last = i64::MIN,
                }
                Some(Value::Int(number))
            }
            Elements::Array(set, next) => {
                let Form::Sorted(elements) = &set.form else { return None };
                *next += 1;
                elements.get(*next - 1).cloned()
            }
            Elements::Subsets(subsets) => subsets.next(),
        }
    }
}

/// Steps through the subsets of a set in ascending order: each before those that continue it, like words in a
/// dictionary.
#[derive(Clone, Debug)]
pub struct Subsets {
    elements: Rc<[Value]>,
    /// Which elements the next subset has; none after the last one.
    next: Option<Vec<usize>>,
}

impl Subsets {
    fn of(set: &Rc<Set>, watch: &Watch) -> SetResult<Subsets> {
        check_size(power(2, cardinality(set, watch)?))?;
        Ok(Subsets { elements: watch.collect(elements(set, watch)?)?.into(), next: Some(Vec::new()) })
    }
}

impl Iterator for Subsets {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut chosen = self.next.take()?;
        let subset = chosen.iter().map(|&index| self.elements[index].clone()).collect();
        let n_elements = self.elements.len();
        let is_longest = chosen.last().map_or(n_elements == 0, |&last| last + 1 == n_elements);
        if !is_longest {
            chosen.push(chosen.last().map_or(0, |last| last + 1));
            self.next = Some(chosen);
        } else {
            chosen.pop();
            self.next = chosen.pop().map(|last| {
                chosen.push(last + 1);
                chosen
            });
        }
        Some(Value::set(Set::sorted(subset)))
    }
}

/// Lists the elements in any order, possibly repeated.
fn list(set: &Rc<Set>, watch: &Watch) -> SetResult<Vec<Value>> {
    stack::grow(|| match &set.form {
        Form::Sorted(elements) => Ok(elements.clone()),
        Form::Tree(tree) => Ok(keys(tree)),
        Form::Range(from, to) => {
            check_size(cardinality(set, watch)?)?;
            watch.collect((*from..=*to).map(Value::Int))
        }
        Form::Characters => Ok((char::MIN..=char::MAX).map(Value::char).collect()),
        Form::Union(parts) => {
            let mut all = Vec::new();
            for part in parts {
                let part = explicit(part, watch)?;
                check_size(cardinality(&part, watch)? + all.len() as u128)?;
                all.append(&mut watch.collect(elements(&part, watch)?)?);
            }
            Ok(all)
        }
        Form::Datatype(datatype) => match datatype.visit(|expansion| list(expansion, watch)) {
            Some(listed) => listed,
            None => Err(SetFault::Infinite(set.clone())),
        },
        Form::Product(shape, parts) => {
            check_size(cardinality(set, watch)?)?;
            list_product(*shape, parts, watch)
        }
        Form::Powerset(over) => watch.collect(Subsets::of(over, watch)?),
        Form::Maps(keys, values) => {
            check_size(cardinality(set, watch)?)?;
            list_maps(keys, values, watch)
        }
        Form::Sequences(over) if over.is_empty() => Ok(Vec::new()),
        Form::From(_) | Form::Integers | Form::Processes | Form::Sequences(_) => Err(SetFault::Infinite(set.clone())),
    })
}

pub(super) fn check_size(size: u128) -> SetResult<()> {
    if size > MAX_ELEMENTS { Err(SetFault::TooLarge(size)) } else { Ok(()) }
}

fn list_product(shape: Shape, parts: &[Rc<Set>], watch: &Watch) -> SetResult<Vec<Value>> {
    if parts.iter().any(|part| part.is_empty()) {
        return Ok(Vec::new());
    }
    let column = |part: &Rc<Set>| watch.collect(elements(part, watch)?);
    let columns = parts.iter().map(column).collect::<SetResult<Vec<_>>>()?;
    let mut all = Vec::new();
    let mut row = vec![0; columns.len()];
    loop {
        watch.step()?;
        let items: SmallVec<[Value; 2]> =
            row.iter().zip(&columns).map(|(&index, column)| column[index].clone()).collect();
        all.push(match shape {
            Shape::Tuple => Value::tuple(items),
            Shape::Dot => Value::dotted(items),
            Shape::Headed(head) => Value::headed(head, items),
        });
        // Counts up from the last place, so the rows come in ascending order.
        let Some(place) = (0..row.len()).rev().find(|&place| row[place] + 1 < columns[place].len()) else {
            return Ok(all);
        };
        row[place] += 1;
        row[place + 1..].fill(0);
    }
}

fn list_maps(keys: &Rc<Set>, values: &Rc<Set>, watch: &Watch) -> SetResult<Vec<Value>> {
    let values = watch.collect(elements(values, watch)?)?;
    let mut maps = vec![Map::default()];
    for key in elements(keys, watch)? {
        for index in 0..maps.len() {
            for value in &values {
                watch.step()?;
                let mut larger = maps[index].clone();
                larger.insert(key.clone(), value.clone());
                maps.push(larger);
            }
        }
    }
    Ok(maps.into_iter().map(|map| Value::Map(Rc::new(map))).collect())
}

impl Datatype {
    /// Looks at the expansion unless this is happening already: then the datatype is recursive.
    fn visit<R>(&self, look: impl FnOnce(&Rc<Set>) -> R) -> Option<R> {
        let expansion = self.expansion.get()?;
        if self.visiting.replace(true) {
            return None;
        }
        let result = look(expansion);
        self.visiting.set(false);
        Some(result)
    }
}

/// The elements as a sequence; infinite sets of numbers have one too.
pub fn as_sequence(set: &Rc<Set>, site: ExprId, watch: &Watch) -> SetResult<Value> {
    Ok(match &set.form {
        Form::From(from) => seq::from(*from, site),
        Form::Integers => Value::Seq(Rc::new(seq::Seq::Integers(0))),
        Form::Range(from, to) => seq::range(*from, *to),
        _ => seq::from_vec(watch.collect(elements(set, watch)?)?),
    })
}
