//! Resources that a search may use.

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Worker threads, at least one.
    pub n_workers: usize,
    /// Maximal number of stored states.
    pub max_states: u64,
    /// Maximal number of bytes.
    pub max_memory: u64,
}
