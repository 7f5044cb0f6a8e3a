//! Proves on all workers that a large graph has no cycle.
//!
//! Arrows are counted where they arrive. A node at which none arrives is on no cycle, so it is taken away with its own arrows, again
//! and again. Of a graph without cycles nothing is left, and of others not much has been lost: who searches depth first is
//! alone, and has to look at every arrow, too. All that leads to a node is taken away before it, so it is known then whether the
//! node can be reached.

mod traversal;

use crate::shares::{BufferPool, share_range};
use lts::StateId;
use lts::walk::{Step, System};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use traversal::traverse;

/// What became of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unraveled {
    /// Without the steps of forbidden nodes it has no cycle. So many nodes can be reached, and none of them is forbidden.
    Wholly(usize),
    /// It has a cycle, or a forbidden node is reached.
    Partly,
}

/// Nodes whose arrows are counted between two questions whether to go on.
const ROUND: usize = 1 << 18;

/// In the count of a node that can be reached. At no node so many arrows arrive.
const REACHED: u32 = 1 << 31;

/// Takes a graph apart, whose nodes are the numbers below `n_nodes`. Each worker has a walker of its own. A node whose steps a walker refuses is
/// forbidden. `progress` hears of the number of nodes taken away, and is asked whether to go on.
pub fn unravel<S: System<State = StateId> + Send>(
    n_nodes: usize,
    new_walker: impl Fn() -> S + Sync,
    starts: impl IntoIterator<Item = u32>,
    n_workers: usize,
    progress: &dyn Progress,
) -> Result<Unraveled, Interrupt> {
    let pool = BufferPool::default();
    let counts: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(n_nodes).collect();
    let work = Unraveling { new_walker, pool: &pool, counts: &counts, is_broken: AtomicBool::new(false) };
    work.count_arrows(n_workers, progress)?;
    let free = work.select(n_workers, |count| count == 0);
    for start in starts {
        counts[start as usize].fetch_or(REACHED, Ordering::Relaxed);
    }
    let n_gone = traverse(
        n_workers,
        (&pool, &work.new_walker),
        free,
        |walker, node, open| work.take_away(walker, node, open),
        progress,
    );
    if n_gone? < n_nodes || work.is_broken.load(Ordering::Relaxed) {
        return Ok(Unraveled::Partly);
    }
    Ok(Unraveled::Wholly(work.select(n_workers, |count| count == REACHED).len()))
}

struct Unraveling<'a, S, F> {
    new_walker: F,
    pool: &'a BufferPool<S>,
    /// For each node how many arrows arrive at it.
    counts: &'a [AtomicU32],
    /// Whether something was reached that is not to be. Then nothing more is to be found out.
    is_broken: AtomicBool,
}

impl<S: System<State = StateId> + Send, F: Fn() -> S + Sync> Unraveling<'_, S, F> {
    fn count_arrows(&self, n_workers: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        let n_nodes = self.counts.len();
        for first in (0..n_nodes).step_by(ROUND) {
            share_range(n_workers, ROUND.min(n_nodes - first), |range| {
                self.pool.with_one(&self.new_walker, |walker| {
                    for node in range.start + first..range.end + first {
                        let Ok(steps) = walker.steps(&StateId(node as u32)) else { continue };
                        self.fetch(steps);
                        for step in steps {
                            self.counts[step.target().index()].fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            });
            if let ControlFlow::Break(why) = progress.tick(&Statistics::default()) {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Takes a node away; those at which no arrow arrives any longer are next.
    fn take_away(&self, walker: &mut S, node: u32, open: &mut Vec<u32>) {
        let is_reached = self.counts[node as usize].load(Ordering::Relaxed) & REACHED != 0;
        let Ok(steps) = walker.steps(&StateId(node)) else {
            self.is_broken.fetch_or(is_reached, Ordering::Relaxed);
            return;
        };
        if self.is_broken.load(Ordering::Relaxed) {
            return;
        }
        self.fetch(steps);
        for step in steps {
            let target = step.target().0;
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
    fn fetch(&self, steps: &[S::Step]) {
        let counts = steps.iter().map(|step| self.counts[step.target().index()].load(Ordering::Relaxed));
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
