//! Work beside other work.

/// Does one thing on a thread of its own while another is done here. Nothing if the first one panicked.
pub fn side_by_side<There: Send, Here>(
    there: impl FnOnce() -> There + Send,
    here: impl FnOnce() -> Here,
) -> (Option<There>, Here) {
    std::thread::scope(|scope| {
        let there = scope.spawn(there);
        let here = here();
        (there.join().ok(), here)
    })
}
