//! Recursion of unbounded depth.

/// Runs `f` with enough stack, on a new segment if little is left. Every recursion whose depth depends on the input
/// calls it.
pub fn grow<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
