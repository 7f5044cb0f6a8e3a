//! Worklist shared by all workers.
//!
//! In each round the open nodes are cut into pieces. A worker visits the nodes of a piece and those that these visits
//! push, up to a limit, and returns the rest. So a graph of many levels needs no more rounds than one of few.

use crate::shares::BufferPool;
use crate::workers::{Work, with_workers};
use limits::intervals::slices::{MIN_OPEN_NODES, TRAVERSAL_PIECES_PER_WORKER, TRAVERSED_PER_ROUND};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

/// Visits nodes, and those that visits push, until none is open; returns how many were visited. No node may be pushed
/// twice.
///
/// # Errors
/// If it is cancelled.
pub(super) fn traverse<D: Send>(
    n_workers: usize,
    (pool, new_buffers): (&BufferPool<D>, impl Fn() -> D + Sync),
    starts: Vec<u32>,
    visit: impl Fn(&mut D, u32, &mut Vec<u32>) + Sync,
    progress: &dyn Progress,
) -> Result<usize, Interrupt> {
    let visit_some = |open: &mut Vec<u32>, most: usize| {
        pool.with_one(&new_buffers, |buffers| {
            // Breadth-first order soon yields many open nodes to share.
            let mut n_visited = 0;
            while n_visited < most
                && let Some(&node) = open.get(n_visited)
            {
                visit(buffers, node, open);
                n_visited += 1;
            }
            open.drain(..n_visited);
            n_visited
        })
    };
    let pieces = (0..TRAVERSAL_PIECES_PER_WORKER * n_workers).map(|_| Mutex::default()).collect();
    let traversal = Traversal { visit_some, open: RwLock::new(starts), pieces, n_used: AtomicUsize::new(0) };
    with_workers(&traversal, n_workers, |workers| {
        let mut n_visited = 0;
        loop {
            let n_open = traversal.open.read().expect("no worker has panicked").len();
            if n_open == 0 {
                return Ok(n_visited);
            }
            let n_pieces = (n_open / MIN_OPEN_NODES).clamp(1, traversal.pieces.len());
            traversal.n_used.store(n_pieces, Ordering::Relaxed);
            workers.run_shares(n_pieces);
            n_visited += traversal.gather(n_pieces);
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(n_visited)) {
                return Err(why);
            }
        }
    })
}

struct Traversal<F> {
    visit_some: F,
    open: RwLock<Vec<u32>>,
    pieces: Vec<Mutex<Piece>>,
    /// The number of pieces of this round.
    n_used: AtomicUsize,
}

#[derive(Default)]
struct Piece {
    open: Vec<u32>,
    n_visited: usize,
}

impl<F> Traversal<F> {
    /// Collects the open nodes after a round; returns how many nodes were visited in it.
    fn gather(&self, n_pieces: usize) -> usize {
        let mut open = self.open.write().expect("no worker has panicked");
        open.clear();
        let mut n_visited = 0;
        for piece in &self.pieces[..n_pieces] {
            let mut piece = piece.lock().expect("no worker has panicked");
            open.append(&mut piece.open);
            n_visited += piece.n_visited;
        }
        n_visited
    }
}

impl<F: Fn(&mut Vec<u32>, usize) -> usize + Sync> Work for Traversal<F> {
    type Own = ();

    fn share(&self, (): &mut (), number: usize) {
        let mut piece = self.pieces[number].lock().expect("no worker has panicked");
        let n_pieces = self.n_used.load(Ordering::Relaxed);
        {
            let open = self.open.read().expect("no worker has panicked");
            piece.open.extend_from_slice(&open[number * open.len() / n_pieces..(number + 1) * open.len() / n_pieces]);
        }
        let most = TRAVERSED_PER_ROUND[usize::from(n_pieces > 1)].max(2 * piece.open.len());
        piece.n_visited = (self.visit_some)(&mut piece.open, most);
    }
}
