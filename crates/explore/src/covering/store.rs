//! Nodes, by the shards of their states.

use crate::space::Space;
use crate::states::{N_SHARDS, Place, shard_by};
use crate::store::{Shard, hash};
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Cells of a page, and the largest length of a detail.
const PAGE: usize = 1 << 14;
/// Marks a missing number.
const NONE: u32 = u32::MAX;

/// All nodes of a search.
#[derive(Debug)]
pub(super) struct Nodes<const W: usize, C> {
    shards: Vec<RwLock<NodeShard<W, C>>>,
}

impl<const W: usize, C: Copy + Eq + Hash> Default for Nodes<W, C> {
    fn default() -> Self {
        Nodes { shards: (0..N_SHARDS).map(|_| RwLock::new(NodeShard::default())).collect() }
    }
}

impl<const W: usize, C: Copy + Eq + Hash> Nodes<W, C> {
    pub(super) fn shard_of(state: &[u64; W]) -> usize {
        shard_by(hash(state))
    }

    pub(super) fn read(&self, shard: usize) -> RwLockReadGuard<'_, NodeShard<W, C>> {
        self.shards[shard].read().expect("no worker has panicked")
    }

    pub(super) fn write(&self, shard: usize) -> RwLockWriteGuard<'_, NodeShard<W, C>> {
        self.shards[shard].write().expect("no worker has panicked")
    }

    /// The number of nodes, and their bytes.
    pub(super) fn size(&self) -> (u64, u64) {
        let sizes = (0..N_SHARDS).map(|shard| self.read(shard).size());
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }

    pub(super) fn n_uncovered(&self) -> u64 {
        (0..N_SHARDS).map(|shard| self.read(shard).n_uncovered()).sum()
    }

    /// The node from which a node was discovered.
    pub(super) fn before(&self, place: Place) -> Option<Place> {
        self.read(place.shard()).nodes[place.number()].before
    }

    pub(super) fn get(&self, place: Place) -> ([u64; W], Vec<C>) {
        let shard = self.read(place.shard());
        let (state, detail) = shard.get(place.number());
        (*state, detail.to_vec())
    }
}

/// The nodes of some states.
#[derive(Debug)]
pub(super) struct NodeShard<const W: usize, C> {
    states: Shard<W>,
    /// The first node of each state that is compared with others.
    first: Vec<u32>,
    nodes: Vec<Entry>,
    /// Nodes by state and detail.
    table: HashTable<u32>,
    pages: Vec<Vec<C>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number of its state.
    state: u32,
    start: u32,
    len: u32,
    /// The next node of the state.
    next: u32,
    before: Option<Place>,
    is_covered: bool,
}

impl<const W: usize, C> Default for NodeShard<W, C> {
    fn default() -> Self {
        let (states, table) = (Shard::default(), HashTable::new());
        NodeShard { states, first: Vec::new(), nodes: Vec::new(), table, pages: Vec::new() }
    }
}

impl<const W: usize, C: Copy + Eq + Hash> NodeShard<W, C> {
    fn size(&self) -> (u64, u64) {
        let memory = self.states.memory()
            + self.first.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Entry>()
            + self.table.allocation_size()
            + self.pages.len() * PAGE * size_of::<C>();
        (self.nodes.len() as u64, memory as u64)
    }

    fn n_uncovered(&self) -> u64 {
        self.nodes.iter().filter(|entry| !entry.is_covered).count() as u64
    }

    pub(super) fn get(&self, number: usize) -> (&[u64; W], &[C]) {
        let entry = &self.nodes[number];
        (self.states.state(entry.state as usize), detail(&self.pages, entry))
    }

    /// Whether another node covers this one.
    pub(super) fn is_covered(&self, number: usize) -> bool {
        self.nodes[number].is_covered
    }

    /// Adds a node unless another one covers it; returns its number if it is added.
    pub(super) fn insert<S: Space<W, Cell = C>>(
        &mut self,
        space: &S,
        state: &[u64; W],
        cells: &[C],
        before: Option<Place>,
    ) -> Option<usize> {
        let number = self.states.insert(state) as u32;
        if number as usize == self.first.len() {
            self.first.push(NONE);
        }
        let hash = hash_of(number, cells);
        let (nodes, pages) = (&self.nodes, &self.pages);
        let is_same = |&node: &u32| {
            let entry = &nodes[node as usize];
            entry.state == number && detail(pages, entry) == cells
        };
        if self.table.find(hash, is_same).is_some() || space.has_covering() && self.cover(space, number, state, cells) {
            return None;
        }
        let node = self.nodes.len() as u32;
        let start = self.keep(cells);
        let next = std::mem::replace(&mut self.first[number as usize], node);
        self.nodes.push(Entry { state: number, start, len: cells.len() as u32, next, before, is_covered: false });
        let (nodes, pages) = (&self.nodes, &self.pages);
        self.table.insert_unique(hash, node, |&node| {
            let entry = &nodes[node as usize];
            hash_of(entry.state, detail(pages, entry))
        });
        Some(node as usize)
    }

    /// Whether a node of the state covers a detail; if not, marks the nodes that the detail covers.
    fn cover<S: Space<W, Cell = C>>(&mut self, space: &S, number: u32, state: &[u64; W], cells: &[C]) -> bool {
        let mut node = self.first[number as usize];
        while node != NONE {
            let entry = &self.nodes[node as usize];
            if space.covers(state, detail(&self.pages, entry), cells) {
                return true;
            }
            node = entry.next;
        }
        let (mut before, mut node) = (NONE, self.first[number as usize]);
        while node != NONE {
            let entry = &mut self.nodes[node as usize];
            let next = entry.next;
            if space.covers(state, cells, detail(&self.pages, entry)) {
                entry.is_covered = true;
                match before {
                    NONE => self.first[number as usize] = next,
                    _ => self.nodes[before as usize].next = next,
                }
            } else {
                before = node;
            }
            node = next;
        }
        false
    }

    /// Appends cells to the pages; returns their position.
    fn keep(&mut self, cells: &[C]) -> u32 {
        assert!(cells.len() <= PAGE, "a detail fits a page");
        if self.pages.last().is_none_or(|page| page.len() + cells.len() > PAGE) {
            self.pages.push(Vec::with_capacity(if self.pages.is_empty() { 0 } else { PAGE }));
        }
        let page = self.pages.len() - 1;
        let start = page * PAGE + self.pages[page].len();
        self.pages[page].extend_from_slice(cells);
        start as u32
    }
}

fn detail<'p, C>(pages: &'p [Vec<C>], entry: &Entry) -> &'p [C] {
    let (page, start) = (entry.start as usize / PAGE, entry.start as usize % PAGE);
    // The position of an empty detail may be at the end of a page.
    &pages[page][start..start + entry.len as usize]
}

fn hash_of<C: Hash>(state: u32, cells: &[C]) -> u64 {
    foldhash::fast::FixedState::default().hash_one((state, cells))
}
