//! Recursion as deep as the input asks for.

/// Runs `f` with room on the stack, taking more from the heap when little is left. Every recursive walk over something
/// whose depth the user decides goes through here.
pub fn grow<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
