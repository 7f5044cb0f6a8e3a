//! Union, intersection, difference and inclusion.

use super::enumerate::check_size;
use super::{Form, MAX_ELEMENTS, Set, SetFault, SetResult, cardinality, elements, explicit, is_finite};
use crate::tree::Tree;
use crate::value::Value;
use crate::watch::Watch;
use limits::effort::evaluator::{MAX_UNION_PARTS, TREE_GROWTH};
use std::cmp::Ordering;
use std::rc::Rc;

/// The union of two sets. A tree that is not shared takes the new elements in place.
pub fn union(left: Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    if let (Form::Tree(tree), true) = (&left.form, right.is_explicit())
        && cardinality(right, watch)? * (TREE_GROWTH as u128) <= tree.len() as u128
    {
        return grow(left, right, watch);
    }
    let left = &left;
    if Rc::ptr_eq(left, right) || right.is_empty() {
        return Ok(left.clone());
    }
    if left.is_empty() {
        return Ok(right.clone());
    }
    let form = match (&left.form, &right.form) {
        (Form::Processes, _) | (_, Form::Processes) => Form::Processes,
        (Form::Integers, _) | (_, Form::Integers) => Form::Integers,
        (Form::From(a), Form::From(b)) => Form::From(*a.min(b)),
        (Form::From(from), _) if right.is_explicit() => match reaches_down(*from, right, watch)? {
            Some(lowest) => Form::From(lowest),
            None => return union_all(vec![left.clone(), right.clone()], watch),
        },
        (_, Form::From(from)) if left.is_explicit() => match reaches_down(*from, left, watch)? {
            Some(lowest) => Form::From(lowest),
            None => return union_all(vec![left.clone(), right.clone()], watch),
        },
        _ if left.is_explicit() && right.is_explicit() => return union_explicit(left, right, watch),
        _ => return union_all(vec![left.clone(), right.clone()], watch),
    };
    Ok(Rc::new(Set::new(form)))
}

/// The lowest number of `{from..}` together with some more numbers, if there is no gap between them.
fn reaches_down(from: i64, more: &Rc<Set>, watch: &Watch) -> SetResult<Option<i64>> {
    if let Form::Range(low, high) = more.form {
        return Ok((high >= from.saturating_sub(1)).then_some(low.min(from)));
    }
    let below = watch.collect(elements(more, watch)?.filter(|element| *element < Value::Int(from)))?;
    let count = below.len() as i64;
    Ok(match below.first() {
        None => Some(from),
        Some(Value::Int(lowest)) if lowest.checked_add(count) == Some(from) => Some(*lowest),
        Some(_) => None,
    })
}

fn grow(left: Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    let mut tree = match Rc::try_unwrap(left) {
        Ok(Set { form: Form::Tree(tree), .. }) => tree,
        Ok(other) => return union_explicit(&Rc::new(other), right, watch),
        Err(shared) => as_tree(&shared, watch)?,
    };
    for element in elements(right, watch)? {
        watch.step()?;
        if tree.get(&element).is_none() {
            tree.insert(element, ());
        }
    }
    Ok(Rc::new(Set::new(Form::Tree(tree))))
}

/// All elements of any of the sets.
pub fn union_all(sets: Vec<Rc<Set>>, watch: &Watch) -> SetResult<Rc<Set>> {
    if sets.iter().all(|set| set.is_explicit()) && can_be_listed(&sets) {
        return match sets.len() {
            0 => Ok(Rc::new(Set::empty())),
            1 => Ok(sets[0].clone()),
            2 => union_explicit(&sets[0], &sets[1], watch),
            _ => {
                let mut all = Vec::new();
                for set in &sets {
                    all.append(&mut watch.collect(elements(set, watch)?)?);
                }
                Ok(Rc::new(Set::sorted(watch.sort(all)?)))
            }
        };
    }
    if let Some(all) = sets.iter().find(|set| matches!(set.form, Form::Processes | Form::Integers)) {
        return Ok(all.clone());
    }
    let mut parts: Vec<Rc<Set>> = Vec::new();
    for set in sets {
        match &set.form {
            Form::Union(inner) => parts.extend(inner.iter().cloned()),
            _ if set.is_empty() => {}
            _ => parts.push(set),
        }
    }
    merge_numbers(&mut parts);
    merge_ranges(&mut parts);
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let union = Rc::new(Set::new(Form::Union(parts.into())));
    let many = matches!(&union.form, Form::Union(parts) if parts.len() > MAX_UNION_PARTS);
    if many && is_finite(&union) { explicit(&union, watch) } else { Ok(union) }
}

/// Whether explicit sets are small enough together to be spread out.
fn can_be_listed(sets: &[Rc<Set>]) -> bool {
    sets.iter().map(|set| n_explicit(set)).sum::<u128>() <= MAX_ELEMENTS
}

/// The number of elements of an explicit set; 0 for others.
fn n_explicit(set: &Set) -> u128 {
    match &set.form {
        Form::Sorted(elements) => elements.len() as u128,
        Form::Tree(tree) => tree.len() as u128,
        Form::Range(from, to) => u128::from(to.abs_diff(*from)) + 1,
        _ => 0,
    }
}

/// Puts ranges of numbers together that overlap or touch.
fn merge_ranges(parts: &mut Vec<Rc<Set>>) {
    let ranges = disjoint_ranges(parts);
    parts.retain(|part| !matches!(part.form, Form::Range(..)));
    parts.extend(ranges.into_iter().map(|(from, to)| Rc::new(Set::range(from, to))));
}

/// The ranges among the parts of a union, in ascending order and with gaps between them.
pub fn disjoint_ranges(parts: &[Rc<Set>]) -> Vec<(i64, i64)> {
    let range = |part: &Rc<Set>| match part.form {
        Form::Range(from, to) => Some((from, to)),
        _ => None,
    };
    let mut ranges: Vec<(i64, i64)> = parts.iter().filter_map(range).collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let touches = next.0 <= last.1.saturating_add(1);
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
    ranges
}

/// Keeps one open range of numbers only.
fn merge_numbers(parts: &mut Vec<Rc<Set>>) {
    let lowest = parts.iter().filter_map(|part| match part.form {
        Form::From(from) => Some(from),
        _ => None,
    });
    if let Some(lowest) = lowest.min() {
        parts.retain(|part| !matches!(part.form, Form::From(_)));
        parts.push(Rc::new(Set::new(Form::From(lowest))));
    }
}

fn union_explicit(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    let (n_left, n_right) = (n_explicit(left) as usize, n_explicit(right) as usize);
    if let (Form::Range(a, b), Form::Range(c, d)) = (&left.form, &right.form)
        && *a.max(c) <= (*b.min(d)).saturating_add(1)
    {
        return Ok(Rc::new(Set::new(Form::Range(*a.min(c), *b.max(d)))));
    }
    if !can_be_listed(&[left.clone(), right.clone()]) {
        return union_all(vec![left.clone(), right.clone()], watch);
    }
    let (large, small) = if n_left >= n_right { (left, right) } else { (right, left) };
    if n_left.max(n_right) >= TREE_GROWTH * n_left.min(n_right).max(1) {
        let missing = watch.collect(elements(small, watch)?.filter(|element| !large.contains(element)))?;
        if missing.is_empty() {
            return Ok(large.clone());
        }
        let mut tree = as_tree(large, watch)?;
        missing.into_iter().for_each(|element| tree.insert(element, ()));
        return Ok(Rc::new(Set::new(Form::Tree(tree))));
    }
    let (mut a, mut b) = (elements(left, watch)?.peekable(), elements(right, watch)?.peekable());
    let mut merged = Vec::with_capacity(n_left + n_right);
    loop {
        watch.step()?;
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        if order != Ordering::Greater {
            merged.extend(a.next());
        }
        if order == Ordering::Greater {
            merged.extend(b.next());
        } else if order == Ordering::Equal {
            b.next();
        }
    }
    Ok(Rc::new(Set::sorted(merged)))
}

fn as_tree(set: &Rc<Set>, watch: &Watch) -> SetResult<Tree<Value, ()>> {
    if let Form::Tree(tree) = &set.form {
        return Ok(tree.clone());
    }
    let all = watch.collect(elements(set, watch)?)?;
    let all: Vec<(Value, ())> = all.into_iter().map(|element| (element, ())).collect();
    Ok(Tree::from_sorted(all.into_iter()))
}

/// The elements of both.
pub fn intersection(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    let form = match (&left.form, &right.form) {
        _ if Rc::ptr_eq(left, right) => return Ok(left.clone()),
        (Form::Integers | Form::Processes, _) => return Ok(right.clone()),
        (_, Form::Integers | Form::Processes) => return Ok(left.clone()),
        (Form::From(a), Form::From(b)) => Form::From(*a.max(b)),
        (Form::From(from), Form::Range(low, high)) | (Form::Range(low, high), Form::From(from)) => {
            return Ok(Rc::new(Set::range(*low.max(from), *high)));
        }
        (Form::Range(a, b), Form::Range(c, d)) => return Ok(Rc::new(Set::range(*a.max(c), *b.min(d)))),
        (Form::Powerset(a), Form::Powerset(b)) => Form::Powerset(intersection(a, b, watch)?),
        (Form::Sequences(a), Form::Sequences(b)) => Form::Sequences(intersection(a, b, watch)?),
        (Form::Product(a, left), Form::Product(b, right)) if a == b && left.len() == right.len() => {
            let parts = left.iter().zip(right).map(|(left, right)| intersection(left, right, watch));
            Form::Product(*a, parts.collect::<SetResult<_>>()?)
        }
        (Form::Union(parts), _) if !is_finite(left) => return intersect_parts(parts, right, watch),
        (_, Form::Union(parts)) if !is_finite(right) => return intersect_parts(parts, left, watch),
        _ => return intersect_by_membership(left, right, watch),
    };
    Ok(Rc::new(Set::new(form)))
}

fn intersect_parts(parts: &[Rc<Set>], other: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    union_all(parts.iter().map(|part| intersection(part, other, watch)).collect::<SetResult<_>>()?, watch)
}

/// Filters the side whose elements can be listed by membership in the other.
fn intersect_by_membership(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    let smaller_right =
        right.is_explicit() && (!left.is_explicit() || cardinality(right, watch)? < cardinality(left, watch)?);
    let (listed, other) = if smaller_right || !is_finite(left) { (right, left) } else { (left, right) };
    Ok(Rc::new(Set::sorted(chosen(listed, watch, |element| other.contains(element))?)))
}

/// The elements of a set that pass a test.
fn chosen(set: &Rc<Set>, watch: &Watch, passes: impl Fn(&Value) -> bool) -> SetResult<Vec<Value>> {
    check_size(n_explicit(set))?;
    let mut chosen = Vec::new();
    for element in elements(set, watch)? {
        watch.step()?;
        if passes(&element) {
            chosen.push(element);
        }
    }
    Ok(chosen)
}

/// The elements of `left` that are not in `right`.
pub fn difference(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    if Rc::ptr_eq(left, right) {
        return Ok(Rc::new(Set::empty()));
    }
    if right.is_empty() {
        return Ok(left.clone());
    }
    match (&left.form, &right.form) {
        (_, Form::Integers | Form::Processes) => Ok(Rc::new(Set::empty())),
        (Form::From(from), Form::From(to)) => Ok(Rc::new(Set::range(*from, to.saturating_sub(1)))),
        (Form::Range(from, to), Form::Range(first, last)) => {
            let before = first.checked_sub(1).map_or_else(Set::empty, |end| Set::range(*from, end.min(*to)));
            let after = last.checked_add(1).map_or_else(Set::empty, |start| Set::range(start.max(*from), *to));
            union(Rc::new(before), &Rc::new(after), watch)
        }
        // A few numbers leave gaps in a long range.
        (Form::Range(from, to), Form::Sorted(_) | Form::Tree(_))
            if n_explicit(right) <= MAX_UNION_PARTS as u128 && n_explicit(left) > MAX_ELEMENTS =>
        {
            let mut parts = Vec::new();
            let mut next = Some(*from);
            for element in elements(right, watch)? {
                if let (Value::Int(number), Some(start)) = (element, next)
                    && (start..=*to).contains(&number)
                {
                    parts.extend(number.checked_sub(1).map(|end| Rc::new(Set::range(start, end))));
                    next = number.checked_add(1);
                }
            }
            parts.extend(next.map(|start| Rc::new(Set::range(start, *to))));
            union_all(parts, watch)
        }
        (Form::From(from), _) if right.is_explicit() => difference_from(*from, left, right, watch),
        (Form::Tree(tree), _)
            if right.is_explicit() && cardinality(right, watch)? * (TREE_GROWTH as u128) < tree.len() as u128 =>
        {
            let mut tree = tree.clone();
            for element in elements(right, watch)? {
                watch.step()?;
                tree.remove(&element);
            }
            Ok(Rc::new(Set::new(Form::Tree(tree))))
        }
        (Form::Union(parts), _) if !is_finite(left) => {
            union_all(parts.iter().map(|part| difference(part, right, watch)).collect::<SetResult<_>>()?, watch)
        }
        (_, Form::Union(parts)) if !is_finite(left) => {
            parts.iter().try_fold(left.clone(), |rest, part| difference(&rest, part, watch))
        }
        _ if !is_finite(left) => Err(SetFault::Difference(left.clone(), right.clone())),
        _ => Ok(Rc::new(Set::sorted(chosen(left, watch, |element| !right.contains(element))?))),
    }
}

/// `{n..}` without a block of numbers that starts at `n` (numbers before `n` do not matter).
fn difference_from(from: i64, left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Rc<Set>> {
    let mut next = Some(from);
    for element in elements(right, watch)?.filter(|element| left.contains(element)) {
        watch.step()?;
        match (element, next) {
            (Value::Int(number), Some(expected)) if number == expected => next = number.checked_add(1),
            _ => return Err(SetFault::Difference(left.clone(), right.clone())),
        }
    }
    Ok(Rc::new(next.map_or_else(Set::empty, |next| Set::new(Form::From(next)))))
}

/// Whether every element of `left` is in `right`.
pub fn is_subset(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<bool> {
    match (&left.form, &right.form) {
        _ if Rc::ptr_eq(left, right) => Ok(true),
        (Form::Range(a, b), Form::Range(c, d)) => Ok(c <= a && b <= d),
        (_, Form::Processes) => Ok(true),
        (Form::Range(from, _), Form::From(other)) => Ok(other <= from),
        (Form::Range(..) | Form::From(_) | Form::Integers, Form::Integers) => Ok(true),
        (Form::From(a), Form::From(b)) => Ok(b <= a),
        (Form::Integers, Form::From(_)) => Ok(false),
        (Form::Datatype(a), Form::Datatype(b)) if a.name == b.name => Ok(true),
        _ if left.is_empty() => Ok(true),
        (Form::Sequences(a), Form::Sequences(b)) | (Form::Powerset(a), Form::Powerset(b)) => is_subset(a, b, watch),
        (Form::Product(a, left), Form::Product(b, right)) if a == b && left.len() == right.len() => {
            left.iter().zip(right).try_fold(true, |all, (left, right)| Ok(all && is_subset(left, right, watch)?))
        }
        _ if is_finite(left) => {
            if right.is_explicit() && cardinality(left, watch)? > cardinality(right, watch)? {
                return Ok(false);
            }
            for element in elements(left, watch)? {
                watch.step()?;
                if !right.contains(&element) {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ if is_finite(right) => Ok(false),
        (Form::Maps(a, b), Form::Maps(c, d)) => Ok(is_subset(a, c, watch)? && is_subset(b, d, watch)?),
        (Form::Union(parts), _) => parts.iter().try_fold(true, |all, part| Ok(all && is_subset(part, right, watch)?)),
        (_, Form::Union(parts)) => {
            let inside = parts.iter().try_fold(false, |any, part| Ok(any || is_subset(left, part, watch)?))?;
            if inside { Ok(true) } else { Err(SetFault::Comparison(left.clone(), right.clone())) }
        }
        _ => Err(SetFault::Comparison(left.clone(), right.clone())),
    }
}

/// Whether two sets have the same elements.
pub fn is_equal(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<bool> {
    if let (Form::Range(a, b), Form::Range(c, d)) = (&left.form, &right.form) {
        return Ok((a, b) == (c, d));
    }
    if left.is_explicit() && right.is_explicit() {
        return Ok(n_explicit(left) == n_explicit(right) && is_same_row(left, right, watch)?);
    }
    Ok(is_subset(left, right, watch)? && is_subset(right, left, watch)?)
}

/// Whether two sets with equally many elements have the same ones.
fn is_same_row(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<bool> {
    for (a, b) in elements(left, watch)?.zip(elements(right, watch)?) {
        watch.step()?;
        if a != b {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How two sets stand to each other under inclusion.
pub fn compare(left: &Rc<Set>, right: &Rc<Set>, watch: &Watch) -> SetResult<Option<Ordering>> {
    Ok(match (is_subset(left, right, watch)?, is_subset(right, left, watch)?) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    })
}
