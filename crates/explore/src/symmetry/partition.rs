//! Ordered partitions with refinement to equitable ones: McKay (1981), *Practical graph isomorphism*.
//!
//! A cell is split when its members have different numbers of links into another cell. The order of cells never depends
//! on the numbers of vertices, so isomorphic graphs have isomorphic refinements. So a refinement after another choice
//! of individualized vertex can be compared with the recorded splits of the first one, and stopped at the first
//! difference. All splits are logged and can be undone.

use super::graph::Graph;
use std::collections::VecDeque;

/// An ordered partition.
pub(super) struct Partition {
    /// All vertices, cell by cell.
    elements: Vec<u32>,
    /// The position of each vertex.
    position: Vec<u32>,
    /// The cell of each vertex; a cell is named by its start.
    cell_of: Vec<u32>,
    /// The length of each cell.
    len: Vec<u32>,
    splits: Vec<Split>,
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// The number of links of each vertex into the splitter cell.
    count: Vec<u64>,
    touched: Vec<u32>,
}

/// A split of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Split {
    /// The cell that was split.
    parent: u32,
    /// The new cell.
    pub(super) start: u32,
    /// Its size.
    pub(super) len: u32,
    /// The number of links of its members into the splitter cell.
    count: u64,
}

/// The reason for an early end of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// It differs from the recorded one.
    Different,
    /// The budget is exhausted.
    Exhausted,
}

impl Partition {
    /// The partition of vertices by color, with all cells as splitters.
    pub(super) fn new(graph: &Graph) -> Partition {
        let n = graph.n_vertices();
        let mut elements: Vec<u32> = (0..n as u32).collect();
        elements.sort_by_key(|&vertex| graph.colors[vertex as usize]);
        let mut partition = Partition {
            position: vec![0; n],
            cell_of: vec![0; n],
            len: vec![0; n],
            splits: Vec::new(),
            queue: VecDeque::new(),
            is_queued: vec![false; n],
            count: vec![0; n],
            touched: Vec::new(),
            elements,
        };
        let mut cell = 0;
        for place in 0..n {
            let vertex = partition.elements[place];
            let color = |place: usize| graph.colors[partition.elements[place] as usize];
            if place == 0 || color(place - 1) != color(place) {
                cell = place as u32;
                partition.queue.push_back(cell);
                partition.is_queued[place] = true;
            }
            partition.position[vertex as usize] = place as u32;
            partition.cell_of[vertex as usize] = cell;
            partition.len[cell as usize] += 1;
        }
        partition
    }

    pub(super) fn elements(&self) -> &[u32] {
        &self.elements
    }

    pub(super) fn position(&self, vertex: u32) -> u32 {
        self.position[vertex as usize]
    }

    pub(super) fn cell_of(&self, vertex: u32) -> u32 {
        self.cell_of[vertex as usize]
    }

    /// The cell at a position.
    pub(super) fn cell_at(&self, position: u32) -> u32 {
        self.cell_of[self.elements[position as usize] as usize]
    }

    pub(super) fn members(&self, cell: u32) -> &[u32] {
        &self.elements[cell as usize..(cell + self.len[cell as usize]) as usize]
    }

    pub(super) fn is_alone(&self, vertex: u32) -> bool {
        self.len[self.cell_of(vertex) as usize] == 1
    }

    /// The log of splits.
    pub(super) fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// Undoes all but the first `n_splits` splits.
    pub(super) fn undo(&mut self, n_splits: usize) {
        while self.splits.len() > n_splits
            && let Some(split) = self.splits.pop()
        {
            let range = split.start as usize..(split.start + split.len) as usize;
            for place in range {
                self.cell_of[self.elements[place] as usize] = split.parent;
            }
            self.len[split.parent as usize] += split.len;
            self.len[split.start as usize] = 0;
        }
    }

    /// Individualizes a vertex: gives it a cell of its own.
    pub(super) fn single_out(&mut self, vertex: u32) {
        let cell = self.cell_of(vertex);
        let last = cell + self.len[cell as usize] - 1;
        if last == cell {
            return;
        }
        self.put(vertex, last);
        self.cut(Split { parent: cell, start: last, len: 1, count: 0 });
        self.enqueue(last);
    }

    /// Splits cells until the partition is equitable. Splits must equal those of `followed`, if given.
    pub(super) fn refine(
        &mut self,
        graph: &Graph,
        followed: Option<&[Split]>,
        budget: &mut u64,
    ) -> Result<(), Stopped> {
        let result = self.try_refine(graph, followed, budget);
        while let Some(cell) = self.queue.pop_front() {
            self.is_queued[cell as usize] = false;
        }
        result
    }

    fn try_refine(&mut self, graph: &Graph, followed: Option<&[Split]>, budget: &mut u64) -> Result<(), Stopped> {
        let agree = |splits: &[Split], from: usize| {
            followed.is_none_or(|followed| followed.get(from..splits.len()) == Some(&splits[from..]))
        };
        let mut agreed = self.splits.len();
        while let Some(cell) = self.queue.pop_front() {
            self.is_queued[cell as usize] = false;
            let n_links = self.count_links(graph, cell);
            self.split_touched();
            if !agree(&self.splits, agreed) {
                return Err(Stopped::Different);
            }
            agreed = self.splits.len();
            *budget = budget.saturating_sub(n_links);
            if *budget == 0 {
                return Err(Stopped::Exhausted);
            }
        }
        Ok(())
    }

    /// Counts the links into a cell; returns their number.
    fn count_links(&mut self, graph: &Graph, cell: u32) -> u64 {
        let mut n_links = 1;
        for place in cell..cell + self.len[cell as usize] {
            let links = graph.links(self.elements[place as usize]);
            n_links += links.len() as u64;
            for (other, weight) in links {
                // Singletons cannot be split.
                if self.len[self.cell_of[other as usize] as usize] > 1 {
                    if self.count[other as usize] == 0 {
                        self.touched.push(other);
                    }
                    self.count[other as usize] += weight;
                }
            }
        }
        n_links
    }

    /// Splits the cells with counted members.
    fn split_touched(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable_by_key(|&vertex| (self.cell_of[vertex as usize], self.count[vertex as usize]));
        let mut rest = &touched[..];
        while let Some(&vertex) = rest.first() {
            let cell = self.cell_of(vertex);
            let n = rest.iter().take_while(|&&other| self.cell_of(other) == cell).count();
            let (here, further) = rest.split_at(n);
            self.split_cell(cell, here);
            rest = further;
        }
        touched.iter().for_each(|&vertex| self.count[vertex as usize] = 0);
        touched.clear();
        self.touched = touched;
    }

    /// Splits a cell with these counted members, which are sorted by count.
    fn split_cell(&mut self, cell: u32, counted: &[u32]) {
        let count = |vertex: u32| self.count[vertex as usize];
        let is_one = count(counted[0]) == count(counted[counted.len() - 1]);
        let all = self.len[cell as usize];
        if is_one && counted.len() == all as usize {
            return;
        }
        let first_split = self.splits.len();
        let mut end = cell + all;
        let mut left = counted;
        // From the back, so that members without links stay in front.
        while let Some(&last) = left.last() {
            let n = left
                .iter()
                .rev()
                .take_while(|&&vertex| self.count[vertex as usize] == self.count[last as usize])
                .count();
            let (before, group) = left.split_at(left.len() - n);
            for &vertex in group {
                end -= 1;
                self.put(vertex, end);
            }
            if end > cell {
                self.cut(Split { parent: cell, start: end, len: n as u32, count: self.count[last as usize] });
            }
            left = before;
        }
        self.enqueue_parts(cell, first_split);
    }

    /// Exchanges a vertex with the one at a position of the same cell.
    fn put(&mut self, vertex: u32, position: u32) {
        let (old, other) = (self.position[vertex as usize], self.elements[position as usize]);
        self.elements.swap(old as usize, position as usize);
        self.position[other as usize] = old;
        self.position[vertex as usize] = position;
    }

    fn cut(&mut self, split: Split) {
        for place in split.start..split.start + split.len {
            self.cell_of[self.elements[place as usize] as usize] = split.start;
        }
        self.len[split.parent as usize] -= split.len;
        self.len[split.start as usize] = split.len;
        self.splits.push(split);
    }

    /// Enqueues the parts of a split cell as splitters. All but the largest suffice if the whole cell was a splitter
    /// before, because the counts of the others then determine those of the largest (Hopcroft's rule).
    fn enqueue_parts(&mut self, cell: u32, first_split: usize) {
        let mut parts: Vec<u32> = self.splits[first_split..].iter().map(|split| split.start).collect();
        if !self.is_queued[cell as usize] {
            parts.push(cell);
            let largest = (0..parts.len()).max_by_key(|&part| self.len[parts[part] as usize]);
            parts.swap_remove(largest.expect("a cell has parts"));
        }
        parts.into_iter().for_each(|part| self.enqueue(part));
    }

    fn enqueue(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }
}
