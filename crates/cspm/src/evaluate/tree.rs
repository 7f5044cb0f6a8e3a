//! Ordered maps that share what they have in common.
//!
//! Weight-balanced binary trees behind reference counts. Changing a tree copies the path to the change when somebody
//! else still holds the old version, and nothing at all when nobody does: a loop that threads one map through its
//! iterations costs a descent per step, while old versions stay valid wherever they are kept.

use std::cmp::Ordering;
use std::rc::Rc;

/// A subtree may weigh at most this many times as much as its sibling.
const DELTA: usize = 3;
/// When the inner grandchild weighs this many times as much as the outer one, a single rotation would not help.
const RATIO: usize = 2;

/// An ordered map; cloning it is cheap.
#[derive(Debug)]
pub struct Tree<K, V> {
    root: Link<K, V>,
}

type Link<K, V> = Option<Rc<Node<K, V>>>;

#[derive(Clone, Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    size: usize,
    left: Link<K, V>,
    right: Link<K, V>,
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Tree { root: self.root.clone() }
    }
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Self {
        Tree { root: None }
    }
}

impl<K: Ord + Clone, V: Clone> Tree<K, V> {
    /// Builds a tree from entries in ascending order of their keys, without duplicates.
    pub fn from_sorted(entries: impl ExactSizeIterator<Item = (K, V)>) -> Tree<K, V> {
        let size = entries.len();
        let mut entries = entries;
        Tree { root: build(&mut entries, size) }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        size(&self.root)
    }

    /// The value at `key`.
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    /// Puts `value` at `key`, in place of what was there.
    pub fn insert(&mut self, key: K, value: V) {
        insert(&mut self.root, key, value);
    }

    /// Takes the entry at `key` out, if there is one.
    pub fn remove(&mut self, key: &K) {
        if self.get(key).is_some() {
            remove(&mut self.root, key);
        }
    }

    /// The entries in ascending order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter { path: Vec::new(), left: self.len() };
        iter.descend(&self.root);
        iter
    }
}

/// Walks a tree in ascending order.
pub struct Iter<'a, K, V> {
    path: Vec<&'a Node<K, V>>,
    left: usize,
}

impl<'a, K, V> Iter<'a, K, V> {
    fn descend(&mut self, mut link: &'a Link<K, V>) {
        while let Some(node) = link {
            self.path.push(node);
            link = &node.left;
        }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.path.pop()?;
        self.left -= 1;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

fn size<K, V>(link: &Link<K, V>) -> usize {
    link.as_ref().map_or(0, |node| node.size)
}

fn build<K, V>(entries: &mut impl Iterator<Item = (K, V)>, count: usize) -> Link<K, V> {
    if count == 0 {
        return None;
    }
    let left = build(entries, count / 2);
    let (key, value) = entries.next()?;
    let right = build(entries, count - count / 2 - 1);
    let size = size(&left) + size(&right) + 1;
    Some(Rc::new(Node { key, value, size, left, right }))
}

fn insert<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V) {
    let Some(node) = link else {
        *link = Some(Rc::new(Node { key, value, size: 1, left: None, right: None }));
        return;
    };
    let node = Rc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Equal => {
            node.value = value;
            return;
        }
        Ordering::Less => insert(&mut node.left, key, value),
        Ordering::Greater => insert(&mut node.right, key, value),
    }
    node.resize();
    balance(link);
}

fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) {
    let Some(node) = link else { return };
    let node = Rc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Less => remove(&mut node.left, key),
        Ordering::Greater => remove(&mut node.right, key),
        Ordering::Equal => {
            match remove_first(&mut node.right) {
                Some((next_key, next_value)) => (node.key, node.value) = (next_key, next_value),
                None => {
                    *link = node.left.take();
                    return;
                }
            };
        }
    }
    node.resize();
    balance(link);
}

fn remove_first<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>) -> Option<(K, V)> {
    let node = Rc::make_mut(link.as_mut()?);
    if let Some(first) = remove_first(&mut node.left) {
        node.resize();
        balance(link);
        return Some(first);
    }
    let first = (node.key.clone(), node.value.clone());
    *link = node.right.take();
    Some(first)
}

fn balance<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(node) = link else { return };
    let (left, right) = (size(&node.left), size(&node.right));
    if left + right <= 1 {
        return;
    }
    if right > DELTA * left {
        let node = Rc::make_mut(node);
        if node.right.as_ref().is_some_and(|right| size(&right.left) >= RATIO * size(&right.right)) {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else if left > DELTA * right {
        let node = Rc::make_mut(node);
        if node.left.as_ref().is_some_and(|left| size(&left.right) >= RATIO * size(&left.left)) {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    }
}

fn rotate_left<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let node = Rc::make_mut(&mut top);
    let Some(mut right) = node.right.take() else {
        *link = Some(top);
        return;
    };
    let new_top = Rc::make_mut(&mut right);
    node.right = new_top.left.take();
    node.resize();
    new_top.left = Some(top);
    new_top.resize();
    *link = Some(right);
}

fn rotate_right<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let node = Rc::make_mut(&mut top);
    let Some(mut left) = node.left.take() else {
        *link = Some(top);
        return;
    };
    let new_top = Rc::make_mut(&mut left);
    node.left = new_top.right.take();
    node.resize();
    new_top.right = Some(top);
    new_top.resize();
    *link = Some(left);
}

impl<K, V> Node<K, V> {
    fn resize(&mut self) {
        self.size = size(&self.left) + size(&self.right) + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn assert_balanced<K, V>(link: &Link<K, V>) -> usize {
        let Some(node) = link else { return 0 };
        let (left, right) = (assert_balanced(&node.left), assert_balanced(&node.right));
        assert!(left + right <= 1 || (left <= DELTA * right.max(1) + 1 && right <= DELTA * left.max(1) + 1));
        assert_eq!(node.size, left + right + 1);
        node.size
    }

    #[test]
    fn agrees_with_the_standard_map_under_random_changes() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        let (mut tree, mut twin) = (Tree::default(), BTreeMap::new());
        let mut kept = Vec::new();
        for round in 0..5_000 {
            let key = next(300);
            if next(3) == 0 {
                tree.remove(&key);
                twin.remove(&key);
            } else {
                tree.insert(key, round);
                twin.insert(key, round);
            }
            assert_eq!(tree.len(), twin.len());
            if round % 500 == 0 {
                assert_balanced(&tree.root);
                kept.push((tree.clone(), twin.clone()));
            }
        }
        for (tree, twin) in kept {
            assert!(tree.iter().eq(twin.iter()), "an old version changed");
        }
    }

    #[test]
    fn a_tree_from_sorted_entries_is_balanced() {
        let tree = Tree::from_sorted((0..1000).map(|key| (key, ())));
        assert_eq!(assert_balanced(&tree.root), 1000);
        assert!((0..1000).all(|key| tree.get(&key).is_some()));
    }
}
