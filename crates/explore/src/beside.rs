//! A task in parallel with the caller.

use limits::input::stack::THREAD_BYTES;
use std::thread::Builder;

/// Runs one task on a thread of its own and another on the calling thread. None for the first one if it panicked.
///
/// # Panics
/// When no thread can be started.
pub fn side_by_side<There: Send, Here>(
    there: impl FnOnce() -> There + Send,
    here: impl FnOnce() -> Here,
) -> (Option<There>, Here) {
    std::thread::scope(|scope| {
        let there =
            Builder::new().stack_size(THREAD_BYTES).spawn_scoped(scope, there).expect("a thread can be started");
        let here = here();
        (there.join().ok(), here)
    })
}
