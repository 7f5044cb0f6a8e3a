//! Work beside other work.

use std::thread::Builder;

/// As much as the thread has that does everything else: terms and formulas can be deep. Only what is used is really
/// taken.
const STACK_BYTES: usize = 256 << 20;

/// Does one thing on a thread of its own while another is done here. Nothing if the first one panicked.
///
/// # Panics
/// When no thread can be started.
pub fn side_by_side<There: Send, Here>(
    there: impl FnOnce() -> There + Send,
    here: impl FnOnce() -> Here,
) -> (Option<There>, Here) {
    std::thread::scope(|scope| {
        let there = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, there).expect("a thread can be started");
        let here = here();
        (there.join().ok(), here)
    })
}
