//! Independent shares of work, distributed among workers.

use crate::workers::{Work, with_workers};
use limits::intervals::slices::SHARES_PER_WORKER;
use std::ops::Range;
use std::sync::Mutex;

/// Executes shares on some workers; returns their results in order.
pub(crate) fn share_out<R: Send>(n_workers: usize, n_shares: usize, share: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let results = (0..n_shares).map(|_| Mutex::new(None)).collect();
    let shares = Shares { share, results };
    with_workers(&shares, n_workers.max(1), |workers| workers.run_shares(n_shares));
    let result = |result: Mutex<Option<R>>| result.into_inner().expect("no worker has panicked");
    shares.results.into_iter().map(|done| result(done).expect("every share was done")).collect()
}

/// Executes work on the numbers below `n` in consecutive ranges; returns the results in order.
pub fn share_range<R: Send>(n_workers: usize, n: usize, share: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let n_shares = if n_workers > 1 { n.min(SHARES_PER_WORKER * n_workers) } else { n.min(1) };
    share_out(n_workers, n_shares, |number| share(number * n / n_shares..(number + 1) * n / n_shares))
}

struct Shares<F, R> {
    share: F,
    results: Vec<Mutex<Option<R>>>,
}

impl<F: Fn(usize) -> R + Sync, R: Send> Work for Shares<F, R> {
    type Own = ();

    fn share(&self, (): &mut (), number: usize) {
        *self.results[number].lock().expect("no worker has panicked") = Some((self.share)(number));
    }
}

/// A pool of buffers, at most one for each worker.
#[derive(Debug)]
pub struct BufferPool<D> {
    idle: Mutex<Vec<D>>,
}

impl<D> Default for BufferPool<D> {
    fn default() -> Self {
        BufferPool { idle: Mutex::default() }
    }
}

impl<D> BufferPool<D> {
    /// Runs work with idle buffers of the pool, or with new ones.
    pub fn with_one<R>(&self, new: impl FnOnce() -> D, work: impl FnOnce(&mut D) -> R) -> R {
        let idle = self.idle.lock().expect("no panic happens under the lock").pop();
        let mut buffers = idle.unwrap_or_else(new);
        let result = work(&mut buffers);
        self.idle.lock().expect("no panic happens under the lock").push(buffers);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for n_workers in [1, 2, 3] {
            for n in [0, 1, 7, 1000] {
                assert!(share_out(n_workers, n, |share| 2 * share).into_iter().eq((0..n).map(|share| 2 * share)));
                let ranges = share_range(n_workers, n, |range| range.collect::<Vec<_>>());
                assert!(ranges.into_iter().flatten().eq(0..n));
            }
        }
    }
}
