//! Ordered maps that share what they have in common.
//!
//! B-trees behind reference counts: entries are in leaves, up to [`MAX`] of them in a row, so a search looks at few
//! places in memory. Changing a tree copies the path to the change when the old version is still shared, and nothing at
//! all otherwise: a loop that threads one map through its iterations costs a descent per step, while old versions stay
//! valid wherever they are kept.

use std::rc::Rc;

/// The most entries of a leaf and children of a branch.
const MAX: usize = 16;
/// A leaf or branch with fewer is merged with a neighbor, unless it has none.
const MIN: usize = 4;

/// Keys of ordered maps.
pub trait Key: Ord + Clone {
    /// How many of the keys of a row in ascending order are not above this one.
    #[inline]
    fn rank_in(&self, row: &[Self]) -> usize {
        row.partition_point(|key| key <= self)
    }
}

/// An ordered map; cloning it is cheap.
#[derive(Debug)]
pub struct Tree<K, V> {
    root: Rc<Node<K, V>>,
}

#[derive(Clone, Debug)]
enum Node<K, V> {
    Leaf(Leaf<K, V>),
    Branch(Branch<K, V>),
}

/// Keys in ascending order, and the value of each.
#[derive(Clone, Debug)]
struct Leaf<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
}

/// Children in ascending order; `keys[i]` is above all keys of `children[i]` and not above any of `children[i + 1]`.
#[derive(Debug)]
struct Branch<K, V> {
    keys: Vec<K>,
    children: Vec<Rc<Node<K, V>>>,
    size: usize,
}

impl<K: Clone, V> Clone for Branch<K, V> {
    fn clone(&self) -> Self {
        Branch { keys: self.keys.clone(), children: self.children.clone(), size: self.size }
    }
}

/// Result of an insertion.
enum Inserted<K, V> {
    /// There was an entry with this key.
    Replaced,
    /// There is one more.
    Added,
    /// There is one more, and what was too large is followed by this, which begins at the key.
    Split(K, Rc<Node<K, V>>),
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Tree { root: self.root.clone() }
    }
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Self {
        Tree { root: Rc::new(Node::Leaf(Leaf { keys: Vec::new(), values: Vec::new() })) }
    }
}

impl<K: Key, V: Clone> Tree<K, V> {
    /// Builds a tree from entries in ascending order of their keys, without duplicates.
    pub fn from_sorted(entries: impl ExactSizeIterator<Item = (K, V)>) -> Tree<K, V> {
        let mut entries = entries;
        let mut level: Vec<(K, Rc<Node<K, V>>)> = Vec::new();
        for count in shares(entries.len()) {
            let (keys, values): (Vec<K>, Vec<V>) = entries.by_ref().take(count).unzip();
            level.push((keys[0].clone(), Rc::new(Node::Leaf(Leaf { keys, values }))));
        }
        while level.len() > 1 {
            let mut nodes = level.into_iter();
            level = Vec::new();
            for count in shares(nodes.len()) {
                let (mut keys, children): (Vec<K>, Vec<_>) = nodes.by_ref().take(count).unzip();
                let first = keys.remove(0);
                level.push((first, Rc::new(Node::Branch(Branch::new(keys, children)))));
            }
        }
        level.pop().map_or_else(Tree::default, |(_, root)| Tree { root })
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.root.len()
    }

    /// The value at `key`.
    #[inline]
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(leaf) => return leaf.place_of(key).ok().map(|at| &leaf.values[at]),
                Node::Branch(branch) => node = &branch.children[branch.child_of(key)],
            }
        }
    }

    /// Puts `value` at `key`, in place of what was there.
    pub fn insert(&mut self, key: K, value: V) {
        if let Inserted::Split(key, right) = insert(&mut self.root, key, value) {
            let children = vec![self.root.clone(), right];
            self.root = Rc::new(Node::Branch(Branch::new(vec![key], children)));
        }
    }

    /// Takes the entry at `key` out, if there is one.
    pub fn remove(&mut self, key: &K) {
        if self.get(key).is_none() {
            return;
        }
        remove(&mut self.root, key);
        if let Node::Branch(branch) = &*self.root
            && let [only] = &branch.children[..]
        {
            self.root = only.clone();
        }
    }

    /// The entries in ascending order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { path: vec![(&self.root, 0)], left: self.len() }
    }
}

/// Walks a tree in ascending order.
pub struct Iter<'a, K, V> {
    /// The nodes from the root down, each with the place to go on at.
    path: Vec<(&'a Node<K, V>, usize)>,
    left: usize,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (node, at) = self.path.last_mut()?;
            let here = *at;
            *at += 1;
            match *node {
                Node::Leaf(leaf) if here < leaf.keys.len() => {
                    self.left -= 1;
                    return Some((&leaf.keys[here], &leaf.values[here]));
                }
                Node::Branch(branch) if here < branch.children.len() => self.path.push((&branch.children[here], 0)),
                _ => _ = self.path.pop(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

/// Divides `count` things into groups of nearly equal size that leave some room.
fn shares(count: usize) -> impl Iterator<Item = usize> {
    let n_groups = count.div_ceil(MAX * 3 / 4);
    (0..n_groups).map(move |group| (group + 1) * count / n_groups - group * count / n_groups)
}

impl<K, V> Node<K, V> {
    fn len(&self) -> usize {
        match self {
            Node::Leaf(leaf) => leaf.keys.len(),
            Node::Branch(branch) => branch.size,
        }
    }

    /// How many entries or children it has itself.
    fn width(&self) -> usize {
        match self {
            Node::Leaf(leaf) => leaf.keys.len(),
            Node::Branch(branch) => branch.children.len(),
        }
    }
}

impl<K: Key, V> Leaf<K, V> {
    /// The place of `key`, or the one where it would be.
    #[inline]
    fn place_of(&self, key: &K) -> Result<usize, usize> {
        match key.rank_in(&self.keys) {
            rank if rank > 0 && self.keys[rank - 1] == *key => Ok(rank - 1),
            rank => Err(rank),
        }
    }
}

impl<K: Key, V> Branch<K, V> {
    fn new(keys: Vec<K>, children: Vec<Rc<Node<K, V>>>) -> Branch<K, V> {
        let size = children.iter().map(|child| child.len()).sum();
        Branch { keys, children, size }
    }

    /// The child that has `key`, if any has.
    #[inline]
    fn child_of(&self, key: &K) -> usize {
        key.rank_in(&self.keys)
    }
}

fn insert<K: Key, V: Clone>(node: &mut Rc<Node<K, V>>, key: K, value: V) -> Inserted<K, V> {
    match Rc::make_mut(node) {
        Node::Leaf(leaf) => match leaf.place_of(&key) {
            Ok(at) => {
                leaf.values[at] = value;
                Inserted::Replaced
            }
            Err(at) => {
                leaf.keys.insert(at, key);
                leaf.values.insert(at, value);
                if leaf.keys.len() <= MAX { Inserted::Added } else { split_leaf(leaf) }
            }
        },
        Node::Branch(branch) => {
            let at = branch.child_of(&key);
            let outcome = insert(&mut branch.children[at], key, value);
            if let Inserted::Replaced = outcome {
                return outcome;
            }
            branch.size += 1;
            if let Inserted::Split(key, right) = outcome {
                branch.keys.insert(at, key);
                branch.children.insert(at + 1, right);
                if branch.children.len() > MAX {
                    return split_branch(branch);
                }
            }
            Inserted::Added
        }
    }
}

fn split_leaf<K: Key, V>(leaf: &mut Leaf<K, V>) -> Inserted<K, V> {
    let middle = leaf.keys.len() / 2;
    let (keys, values) = (leaf.keys.split_off(middle), leaf.values.split_off(middle));
    Inserted::Split(keys[0].clone(), Rc::new(Node::Leaf(Leaf { keys, values })))
}

fn split_branch<K: Key, V>(branch: &mut Branch<K, V>) -> Inserted<K, V> {
    let middle = branch.children.len() / 2;
    let children = branch.children.split_off(middle);
    let mut keys = branch.keys.split_off(middle - 1);
    let first = keys.remove(0);
    let right = Branch::new(keys, children);
    branch.size -= right.size;
    Inserted::Split(first, Rc::new(Node::Branch(right)))
}

/// Takes out the entry at `key`, which is there.
fn remove<K: Key, V: Clone>(node: &mut Rc<Node<K, V>>, key: &K) {
    match Rc::make_mut(node) {
        Node::Leaf(leaf) => {
            if let Ok(at) = leaf.place_of(key) {
                leaf.keys.remove(at);
                leaf.values.remove(at);
            }
        }
        Node::Branch(branch) => {
            let at = branch.child_of(key);
            remove(&mut branch.children[at], key);
            branch.size -= 1;
            if branch.children[at].width() < MIN && branch.children.len() > 1 {
                merge(branch, at.min(branch.children.len() - 2));
            }
        }
    }
}

/// Puts the child at `at` and the next one together, and apart again if that is too much for one.
fn merge<K: Key, V: Clone>(branch: &mut Branch<K, V>, at: usize) {
    let mut right = branch.children.remove(at + 1);
    let between = branch.keys.remove(at);
    let outcome = match (Rc::make_mut(&mut branch.children[at]), Rc::make_mut(&mut right)) {
        (Node::Leaf(leaf), Node::Leaf(more)) => {
            leaf.keys.append(&mut more.keys);
            leaf.values.append(&mut more.values);
            if leaf.keys.len() <= MAX { Inserted::Added } else { split_leaf(leaf) }
        }
        (Node::Branch(inner), Node::Branch(more)) => {
            inner.keys.push(between);
            inner.keys.append(&mut more.keys);
            inner.children.append(&mut more.children);
            inner.size += more.size;
            if inner.children.len() <= MAX { Inserted::Added } else { split_branch(inner) }
        }
        _ => unreachable!("all leaves are equally deep"),
    };
    if let Inserted::Split(key, right) = outcome {
        branch.keys.insert(at, key);
        branch.children.insert(at + 1, right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    impl Key for u64 {}

    /// The depth of a node that is as it should be.
    fn assert_well_formed<K: Key, V>(node: &Node<K, V>, is_root: bool) -> usize {
        assert!(node.width() <= MAX && (is_root || node.width() >= MIN));
        match node {
            Node::Leaf(leaf) => {
                assert_eq!(leaf.keys.len(), leaf.values.len());
                assert!(leaf.keys.is_sorted_by(|a, b| a < b));
                0
            }
            Node::Branch(branch) => {
                assert_eq!(branch.keys.len() + 1, branch.children.len());
                assert_eq!(branch.size, branch.children.iter().map(|child| child.len()).sum::<usize>());
                let depths: Vec<usize> = branch.children.iter().map(|child| assert_well_formed(child, false)).collect();
                assert!(depths.iter().all(|&depth| depth == depths[0]));
                depths[0] + 1
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_map_under_random_changes() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        for bound in [20, 300, 20_000] {
            let (mut tree, mut twin) = (Tree::default(), BTreeMap::new());
            let mut kept = Vec::new();
            for round in 0..30_000 {
                let key = next(bound);
                // Grows, then shrinks.
                if next(4) < 1 + round / 12_000 {
                    tree.remove(&key);
                    twin.remove(&key);
                } else {
                    tree.insert(key, round);
                    twin.insert(key, round);
                }
                assert_eq!(tree.len(), twin.len());
                assert_eq!(tree.get(&key), twin.get(&key));
                if round % 1000 == 0 {
                    assert_well_formed(&tree.root, true);
                    kept.push((tree.clone(), twin.clone()));
                }
            }
            for (tree, twin) in kept {
                assert!(tree.iter().eq(twin.iter()), "an old version changed");
            }
        }
    }

    fn keys(count: u64) -> Vec<(u64, ())> {
        (0..count).map(|key| (key, ())).collect()
    }

    #[test]
    fn a_tree_from_sorted_entries_is_well_formed() {
        for count in [0, 1, 12, 13, 100, 1000, 20_000] {
            let tree = Tree::from_sorted(keys(count).into_iter());
            assert_well_formed(&tree.root, true);
            assert_eq!(tree.len() as u64, count);
            assert!((0..count).all(|key| tree.get(&key).is_some()));
            assert!(tree.iter().map(|(key, ())| *key).eq(0..count));
        }
    }
}
