//! Ordered maps from numbers that share what they have in common.
//!
//! Radix trees behind reference counts. A node stands for an aligned block of 64 parts; which parts are there is a
//! mask, and only those are stored, so where a key is follows from its bits and nothing is compared on the way. Levels
//! at which a block would have a single part are left out, hence a tree is as deep as its keys are dense: three nodes
//! for a hundred thousand neighbors, two for two keys however far apart. As with [`super::tree`], a change copies the
//! path to it when the old version is still shared, and nothing at all otherwise.

use std::rc::Rc;

/// Bits of a key that one node looks at.
const BITS: u32 = 6;

/// An ordered map from numbers; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Radix<V> {
    root: Option<Rc<Node<V>>>,
    len: usize,
}

/// The keys that agree with `block` above the lowest `shift + BITS` bits.
#[derive(Clone, Debug)]
struct Node<V> {
    block: u64,
    shift: u32,
    /// Which of the 64 parts are there.
    mask: u64,
    parts: Parts<V>,
}

/// The parts of a block that are there, in ascending order.
#[derive(Debug)]
enum Parts<V> {
    Values(Vec<V>),
    Nodes(Vec<Rc<Node<V>>>),
}

impl<V: Clone> Clone for Parts<V> {
    fn clone(&self) -> Self {
        match self {
            Parts::Values(values) => Parts::Values(values.clone()),
            Parts::Nodes(nodes) => Parts::Nodes(nodes.clone()),
        }
    }
}

impl<V> Default for Radix<V> {
    fn default() -> Self {
        Radix { root: None, len: 0 }
    }
}

/// A number as a key: in the same order, without a sign.
fn key_of(number: i64) -> u64 {
    number.cast_unsigned() ^ (1 << 63)
}

fn number_of(key: u64) -> i64 {
    (key ^ (1 << 63)).cast_signed()
}

/// The bits of a key above those that a node at `shift` looks at.
fn block_of(key: u64, shift: u32) -> u64 {
    key >> shift >> BITS << BITS << shift
}

impl<V> Node<V> {
    fn leaf(key: u64, value: V) -> Node<V> {
        Node { block: block_of(key, 0), shift: 0, mask: 1 << (key % 64), parts: Parts::Values(vec![value]) }
    }

    /// Whether the key belongs to the block.
    #[inline(always)]
    fn covers(&self, key: u64) -> bool {
        (key ^ self.block) >> self.shift >> BITS == 0
    }

    /// Where the part with the key is, or would be.
    #[inline(always)]
    fn place_of(&self, key: u64) -> Result<usize, usize> {
        let index = (key >> self.shift) % 64;
        if self.mask == u64::MAX {
            return Ok(index as usize);
        }
        let at = (self.mask & ((1 << index) - 1)).count_ones() as usize;
        if self.mask >> index & 1 == 1 { Ok(at) } else { Err(at) }
    }
}

impl<V: Clone> Radix<V> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The value at `number`.
    #[inline]
    pub fn get(&self, number: i64) -> Option<&V> {
        let key = key_of(number);
        let mut node = self.root.as_deref()?;
        loop {
            if !node.covers(key) {
                return None;
            }
            let at = node.place_of(key).ok()?;
            match &node.parts {
                Parts::Values(values) => return values.get(at),
                Parts::Nodes(nodes) => node = nodes.get(at)?,
            }
        }
    }

    /// Puts `value` at `number`; what was there before.
    pub fn insert(&mut self, number: i64, value: V) -> Option<V> {
        let key = key_of(number);
        let before = match &mut self.root {
            Some(root) => insert(root, key, value),
            None => {
                self.root = Some(Rc::new(Node::leaf(key, value)));
                None
            }
        };
        self.len += usize::from(before.is_none());
        before
    }

    /// Takes the entry at `number` out, if there is one.
    pub fn remove(&mut self, number: i64) {
        if self.get(number).is_none() {
            return;
        }
        self.len -= 1;
        match &mut self.root {
            Some(root) if self.len > 0 => remove(root, key_of(number)),
            root => *root = None,
        }
    }

    /// The entries in ascending order.
    pub fn iter(&self) -> Iter<'_, V> {
        let path = self.root.iter().map(|root| (&**root, 0, root.mask)).collect();
        Iter { path, left: self.len }
    }
}

/// Puts a value below a node; what was there before.
fn insert<V: Clone>(node: &mut Rc<Node<V>>, key: u64, value: V) -> Option<V> {
    if !node.covers(key) {
        *node = Rc::new(above(node.clone(), key, value));
        return None;
    }
    let node = Rc::make_mut(node);
    match (node.place_of(key), &mut node.parts) {
        (Ok(at), Parts::Values(values)) => {
            return Some(std::mem::replace(&mut values[at], value));
        }
        (Ok(at), Parts::Nodes(nodes)) => return insert(&mut nodes[at], key, value),
        (Err(at), Parts::Values(values)) => values.insert(at, value),
        (Err(at), Parts::Nodes(nodes)) => nodes.insert(at, Rc::new(Node::leaf(key, value))),
    }
    node.mask |= 1 << ((key >> node.shift) % 64);
    None
}

/// The smallest block around a node and a key outside of it.
fn above<V>(node: Rc<Node<V>>, key: u64, value: V) -> Node<V> {
    let differing = 63 - (key ^ node.block).leading_zeros();
    let shift = differing / BITS * BITS;
    let mask = 1 << ((key >> shift) % 64) | 1 << ((node.block >> shift) % 64);
    let leaf = Rc::new(Node::leaf(key, value));
    let nodes = if leaf.block < node.block { vec![leaf, node] } else { vec![node, leaf] };
    Node { block: block_of(key, shift), shift, mask, parts: Parts::Nodes(nodes) }
}

/// Takes out the entry at `key`, which is below this node and not alone there.
fn remove<V: Clone>(node: &mut Rc<Node<V>>, key: u64) {
    let inner = Rc::make_mut(node);
    let Ok(at) = inner.place_of(key) else { return };
    let bit = 1 << ((key >> inner.shift) % 64);
    match &mut inner.parts {
        Parts::Values(values) => {
            values.remove(at);
            inner.mask &= !bit;
        }
        Parts::Nodes(nodes) => {
            let is_alone = matches!(&nodes[at].parts, Parts::Values(values) if values.len() == 1);
            if !is_alone {
                return remove(&mut nodes[at], key);
            }
            nodes.remove(at);
            inner.mask &= !bit;
            if let [only] = &nodes[..] {
                *node = only.clone();
            }
        }
    }
}

/// Walks a tree in ascending order.
pub struct Iter<'a, V> {
    /// The nodes from the root down, each with the place to go on at and the mask of what is left.
    path: Vec<(&'a Node<V>, usize, u64)>,
    left: usize,
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (i64, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (node, at, mask) = self.path.last_mut()?;
            if *mask == 0 {
                self.path.pop();
                continue;
            }
            let (here, index) = (*at, u64::from(mask.trailing_zeros()));
            *at += 1;
            *mask &= *mask - 1;
            match &node.parts {
                Parts::Values(values) => {
                    self.left -= 1;
                    return Some((number_of(node.block | index), &values[here]));
                }
                Parts::Nodes(nodes) => {
                    let child = &*nodes[here];
                    self.path.push((child, 0, child.mask));
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// How many entries there are below a node that is as it should be.
    fn assert_well_formed<V>(node: &Node<V>) -> usize {
        assert_eq!(node.block, block_of(node.block, node.shift));
        let n_parts = node.mask.count_ones() as usize;
        match &node.parts {
            Parts::Values(values) => {
                assert!(node.shift == 0 && n_parts == values.len() && n_parts > 0);
                n_parts
            }
            Parts::Nodes(nodes) => {
                assert!(n_parts == nodes.len() && n_parts > 1, "a level that could be left out");
                let below = nodes.iter().map(|child| {
                    assert!(child.shift < node.shift && node.covers(child.block));
                    assert_well_formed(child)
                });
                below.sum()
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_map_under_random_changes() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 20) % bound
        };
        for (bound, step) in [(20, 1), (300, 1), (20_000, 1), (300, 1 << 55), (300, 0x0123_4567_89ab_cdef)] {
            let (mut tree, mut twin) = (Radix::default(), BTreeMap::new());
            let mut kept = Vec::new();
            for round in 0..30_000 {
                // On both sides of zero, and all over the range.
                let key = next(bound).wrapping_sub(bound / 2).wrapping_mul(step).cast_signed();
                // Grows, then shrinks.
                if next(4) < 1 + round / 12_000 {
                    tree.remove(key);
                    twin.remove(&key);
                } else {
                    tree.insert(key, round);
                    twin.insert(key, round);
                }
                assert_eq!(tree.len(), twin.len());
                assert_eq!(tree.get(key), twin.get(&key));
                assert_eq!(tree.get(key ^ 1), twin.get(&(key ^ 1)));
                if round % 1000 == 0 {
                    let count = tree.root.as_ref().map_or(0, |root| assert_well_formed(root));
                    assert_eq!(count, tree.len());
                    kept.push((tree.clone(), twin.clone()));
                }
            }
            for (tree, twin) in kept {
                assert_eq!(tree.iter().len(), twin.len());
                assert!(tree.iter().eq(twin.iter().map(|(key, value)| (*key, value))), "an old version changed");
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_are_keys_like_others() {
        let mut tree = Radix::default();
        let keys = [i64::MIN, i64::MIN + 1, -1, 0, 63, 64, i64::MAX - 1, i64::MAX];
        for (place, &key) in keys.iter().enumerate().rev() {
            tree.insert(key, place);
        }
        let found: Vec<(i64, usize)> = tree.iter().map(|(key, place)| (key, *place)).collect();
        assert!(found.into_iter().eq(keys.into_iter().zip(0..)));
    }
}
