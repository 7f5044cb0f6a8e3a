//! Proves on all workers that a large graph has no cycle.
//!
//! Arrows are counted where they arrive. A node at which none arrives is on no cycle, so it is taken away with its own arrows, again
//! and again. Of a graph without cycles nothing is left, and of others not much has been lost: who searches depth first is
//! alone, and has to look at every arrow, too. All that leads to a node is taken away before it, so it is known then whether the
//! node can be reached.

mod traversal;

use crate::shares::{BufferPool, share_range};
use limits::intervals::slices::SETTLED_PER_ROUND;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use traversal::traverse;

/// A graph that many can walk at the same time. Its nodes are all numbers below some number.
pub trait Digraph: Sync {
    /// What a worker needs to walk.
    type Buffers: Send;

    /// Makes it.
    fn new_buffers(&self) -> Self::Buffers;

    /// How many nodes there are, reachable or not.
    fn n_nodes(&self) -> usize;

    /// Adds where the arrows of a node lead; false if the node is not to be reached.
    fn arrows(&self, buffers: &mut Self::Buffers, node: u32, targets: &mut Vec<u32>) -> bool;
}

/// What became of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unraveled {
    /// It has no cycle. So many nodes can be reached, and none of them is not to be.
    Wholly(usize),
    /// It has, or something is reached that is not to be.
    Partly,
}

/// In the count of a node that can be reached. At no node so many arrows arrive.
const REACHED: u32 = 1 << 31;

/// Takes a graph apart. `progress` hears of the number of nodes taken away, and is asked whether to go on.
pub fn unravel<G: Digraph>(
    graph: &G,
    starts: impl IntoIterator<Item = u32>,
    n_workers: usize,
    progress: &dyn Progress,
) -> Result<Unraveled, Interrupt> {
    let pool = BufferPool::default();
    let counts: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(graph.n_nodes()).collect();
    let work = Unraveling { graph, pool: &pool, counts: &counts, is_broken: AtomicBool::new(false) };
    work.count_arrows(n_workers, progress)?;
    let free = work.select(n_workers, |count| count == 0);
    for start in starts {
        counts[start as usize].fetch_or(REACHED, Ordering::Relaxed);
    }
    let new_buffers = || (graph.new_buffers(), Vec::new());
    let n_gone = traverse(
        n_workers,
        (&pool, new_buffers),
        free,
        |buffers, node, open| work.take_away(buffers, node, open),
        progress,
    );
    if n_gone? < graph.n_nodes() || work.is_broken.load(Ordering::Relaxed) {
        return Ok(Unraveled::Partly);
    }
    Ok(Unraveled::Wholly(work.select(n_workers, |count| count == REACHED).len()))
}

struct Unraveling<'a, G: Digraph> {
    graph: &'a G,
    pool: &'a BufferPool<(G::Buffers, Vec<u32>)>,
    /// For each node how many arrows arrive at it.
    counts: &'a [AtomicU32],
    /// Whether something was reached that is not to be. Then nothing more is to be found out.
    is_broken: AtomicBool,
}

impl<G: Digraph> Unraveling<'_, G> {
    fn count_arrows(&self, n_workers: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        let n_nodes = self.counts.len();
        for first in (0..n_nodes).step_by(SETTLED_PER_ROUND) {
            share_range(n_workers, SETTLED_PER_ROUND.min(n_nodes - first), |range| {
                self.pool.with_one(
                    || (self.graph.new_buffers(), Vec::new()),
                    |(buffers, targets)| {
                        for node in range.start + first..range.end + first {
                            targets.clear();
                            self.graph.arrows(buffers, node as u32, targets);
                            self.fetch(targets);
                            for &target in &*targets {
                                self.counts[target as usize].fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    },
                );
            });
            if let ControlFlow::Break(why) = progress.tick(&Statistics::default()) {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Takes a node away; those at which no arrow arrives any longer are next.
    fn take_away(&self, (buffers, targets): &mut (G::Buffers, Vec<u32>), node: u32, open: &mut Vec<u32>) {
        let is_reached = self.counts[node as usize].load(Ordering::Relaxed) & REACHED != 0;
        targets.clear();
        let is_fine = self.graph.arrows(buffers, node, targets);
        if is_reached && !is_fine {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        if self.is_broken.load(Ordering::Relaxed) {
            return;
        }
        self.fetch(targets);
        for &target in &*targets {
            let count = &self.counts[target as usize];
            if is_reached && count.load(Ordering::Relaxed) & REACHED == 0 {
                count.fetch_or(REACHED, Ordering::Relaxed);
            }
            if count.fetch_sub(1, Ordering::Relaxed) & !REACHED == 1 {
                open.push(target);
            }
        }
    }

    /// Asks the memory for all counts before one is needed: it then works on many misses at a time.
    #[inline]
    fn fetch(&self, nodes: &[u32]) {
        let counts = nodes.iter().map(|&node| self.counts[node as usize].load(Ordering::Relaxed));
        std::hint::black_box(counts.fold(0, |all, count| all ^ count));
    }

    /// The nodes with such a count, in ascending order.
    fn select(&self, n_workers: usize, is_wanted: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
        let nodes = |range: std::ops::Range<usize>| -> Vec<u32> {
            let is_wanted = |&node: &usize| is_wanted(self.counts[node].load(Ordering::Relaxed));
            range.filter(is_wanted).map(|node| node as u32).collect()
        };
        share_range(n_workers, self.counts.len(), nodes).concat()
    }
}

#[cfg(test)]
mod tests;
