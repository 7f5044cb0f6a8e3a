//! Parallel proof that a large graph has no cycle: Kahn (1962), *Topological sorting of large networks*.
//!
//! A node without incoming steps is on no cycle, so it is eliminated with its own steps, repeatedly. A graph without
//! cycles is eliminated completely. A depth-first search, which is sequential, would visit every step as well, so a
//! failed proof costs little in comparison. All predecessors of a node are eliminated before it, so its reachability is
//! known at that time.

mod traversal;

use crate::shares::{BufferPool, share_range};
use limits::intervals::slices::SETTLED_PER_ROUND;
use lts::StateId;
use lts::walk::{Step, System};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use traversal::traverse;

/// The result of eliminating the nodes of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acyclicity {
    /// Without the steps of forbidden nodes the graph has no cycle. This many nodes are reachable, and none of them is
    /// forbidden.
    Proved(usize),
    /// The graph has a cycle, or a forbidden node is reachable.
    NotProved,
}

/// Marks the count of a reachable node. No node has as many incoming steps.
const REACHED: u32 = 1 << 31;

/// Eliminates the nodes of a graph, the numbers below `n_nodes`. Each worker has a walker of its own. A node whose
/// steps are an error of the walker is forbidden. `progress` gets the number of eliminated nodes, and is polled for
/// cancellation.
pub fn prove_acyclic<S: System<State = StateId> + Send>(
    n_nodes: usize,
    new_walker: impl Fn() -> S + Sync,
    starts: impl IntoIterator<Item = u32>,
    n_workers: usize,
    progress: &dyn Progress,
) -> Result<Acyclicity, Interrupt> {
    let pool = BufferPool::default();
    let counts: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(n_nodes).collect();
    let work = Elimination { new_walker, pool: &pool, counts: &counts, is_broken: AtomicBool::new(false) };
    work.count_steps(n_workers, progress)?;
    let free = work.select(n_workers, |count| count == 0);
    for start in starts {
        counts[start as usize].fetch_or(REACHED, Ordering::Relaxed);
    }
    let n_eliminated = traverse(
        n_workers,
        (&pool, &work.new_walker),
        free,
        |walker, node, open| work.eliminate(walker, node, open),
        progress,
    );
    if n_eliminated? < n_nodes || work.is_broken.load(Ordering::Relaxed) {
        return Ok(Acyclicity::NotProved);
    }
    Ok(Acyclicity::Proved(work.select(n_workers, |count| count == REACHED).len()))
}

struct Elimination<'a, S, F> {
    new_walker: F,
    pool: &'a BufferPool<S>,
    /// For each node the number of its incoming steps.
    counts: &'a [AtomicU32],
    /// Whether a forbidden node is reachable. Then the proof has failed.
    is_broken: AtomicBool,
}

impl<S: System<State = StateId> + Send, F: Fn() -> S + Sync> Elimination<'_, S, F> {
    fn count_steps(&self, n_workers: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        let n_nodes = self.counts.len();
        for first in (0..n_nodes).step_by(SETTLED_PER_ROUND) {
            share_range(n_workers, SETTLED_PER_ROUND.min(n_nodes - first), |range| {
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

    /// Eliminates a node; its targets without other incoming steps are next.
    fn eliminate(&self, walker: &mut S, node: u32, open: &mut Vec<u32>) {
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

    /// Touches all counts before one is needed, so that their cache misses overlap.
    #[inline]
    fn fetch(&self, steps: &[S::Step]) {
        let counts = steps.iter().map(|step| self.counts[step.target().index()].load(Ordering::Relaxed));
        std::hint::black_box(counts.fold(0, |all, count| all ^ count));
    }

    /// The nodes with a wanted count, in ascending order.
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
